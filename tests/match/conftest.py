import pytest

pytest.register_assert_rewrite("match.assertions")
