"""The tiny folder, made once, and the publishers' files, served on this machine."""

import sys
from pathlib import Path

import pytest
from published_files import IRIS, serving
from tiny_sets import write_tiny_sets

# The loops of the error budget are an oracle of both rooms.
sys.path.append(str(Path(__file__).parents[1] / "decomposition"))


@pytest.fixture(scope="session")
def sets(tmp_path_factory):
    return write_tiny_sets(tmp_path_factory.mktemp("sets"))


@pytest.fixture
def site(monkeypatch):
    monkeypatch.setattr(
        "polychotomy.reproduction.data.downloading.time.sleep", lambda seconds: None
    )
    with serving() as found:
        found.files["/iris/iris.data"] = IRIS
        yield found
