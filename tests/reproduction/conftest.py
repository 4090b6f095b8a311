"""The tiny folder, made once."""

import pytest
from tiny_sets import write_tiny_sets


@pytest.fixture(scope="session")
def sets(tmp_path_factory):
    return write_tiny_sets(tmp_path_factory.mktemp("sets"))
