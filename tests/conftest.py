"""Assertions that are written once and used by many say as much as a test's own when they fail."""

import pytest

pytest.register_assert_rewrite("games.assertions", "match.assertions")
