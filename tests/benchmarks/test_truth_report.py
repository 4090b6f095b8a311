"""From draws to page and figure."""

import numpy as np
import pandas as pd
import pytest
from benchmarks.truth import __main__ as command
from benchmarks.truth.draws import Draw, save
from benchmarks.truth.learners import NAMES


@pytest.fixture
def cache(tmp_path):
    """Two made-up populations on which errors fall with complexity, the last two learners alike."""
    rng = np.random.default_rng(0)
    means = np.array([0.6, 0.3, 0.25, 0.15, 0.14, 0.12, 0.105, 0.1]).reshape(-1, 1, 1)
    for population in ("first", "second"):
        for number in range(2):
            halves, fifths = (
                means + 0.02 * rng.standard_normal((len(NAMES), 5, folds)) for folds in (2, 5)
            )
            draw = Draw(population, 100, number, halves, fifths, means.ravel())
            save(draw, tmp_path / f"{population}-100-{number}.npz")
    return tmp_path


def test_the_report_writes_its_tables_page_and_figure(cache, tmp_path, monkeypatch):
    results = tmp_path / "results"
    results.mkdir()
    monkeypatch.setattr(command, "RESULTS", results)
    command.report(cache)
    table = pd.read_csv(results / "truth.csv").set_index("rule")
    assert list(table.index) == list(command.RULES)
    assert table.loc["lowest mean", "excess"] == 0
    assert table.loc["oracle, within 1", "regret"] == pytest.approx(0.5)
    page = (results / "truth.md").read_text()
    assert "From each, 2 small sets of each of 100 cases." in page
    assert page.count("| first |") == 1
    figure = (results / "truth.svg").read_bytes()
    command.report(cache)
    assert (results / "truth.svg").read_bytes() == figure


def test_the_command_line_names_what_it_needs(capsys):
    with pytest.raises(SystemExit):
        command._parser().parse_args(["fit"])
    assert "--data" in capsys.readouterr().err
