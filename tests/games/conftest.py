import pytest

pytest.register_assert_rewrite("games.assertions")
