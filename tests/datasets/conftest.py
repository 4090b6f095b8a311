"""The publishers' files, served on this machine."""

import pytest
from published_files import IRIS, serving


@pytest.fixture
def site(monkeypatch):
    monkeypatch.setattr(
        "polychotomy.reproduction.data.downloading.time.sleep", lambda seconds: None
    )
    with serving() as found:
        found.files["/iris/iris.data"] = IRIS
        yield found
