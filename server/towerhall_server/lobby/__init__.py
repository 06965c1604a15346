"""Strangers find each other here, and what is on is shown."""
