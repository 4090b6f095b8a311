"""Sets by name, from a folder or the net."""

from polychotomy.reproduction.data import downloading
from polychotomy.reproduction.data.fetching import load


def test_load_fetches_into_scikit_learns_data_folder(site, tmp_path, monkeypatch):
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path))
    monkeypatch.setitem(downloading.SERVERS, "uci", site.address)
    assert len(load("iris").y) == 150
    assert (tmp_path / "polychotomy" / "iris.csv.gz").is_file()
    assert load("iris", tmp_path / "polychotomy").X.shape == (150, 4)
