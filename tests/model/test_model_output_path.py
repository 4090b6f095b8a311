"""Where results may be written."""

from pathlib import Path

import pytest

from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.files import check_output


def test_a_new_name_in_a_folder_that_can_be_written(tmp_path):
    check_output(tmp_path / "new.csv", force=False)
    assert list(tmp_path.iterdir()) == []


def test_what_exists_needs_force(tmp_path):
    (tmp_path / "old.csv").write_text("")
    with pytest.raises(InvalidInput, match="exists and was left as it is"):
        check_output(tmp_path / "old.csv", force=False)
    check_output(tmp_path / "old.csv", force=True)
    with pytest.raises(InvalidInput, match="is a folder"):
        check_output(tmp_path, force=True)


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="no /proc here")
def test_a_folder_that_even_the_superuser_cannot_write():
    with pytest.raises(InvalidInput, match="the folder '/proc' cannot be written"):
        check_output(Path("/proc/page.html"), force=False)
