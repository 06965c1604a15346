"""A match in a room: pure values and the functions that change them."""
