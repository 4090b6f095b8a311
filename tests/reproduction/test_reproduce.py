"""Each paper runs on tiny data, says what is missing, resumes, and writes its page."""

import csv
import gzip
import math
import shutil

import pytest

from polychotomy.core.exceptions import InvalidInput, StudyError
from polychotomy.reproduction.reproduce import reproduce

CELLS = {"ya06": 469, "m24": 60, "mst09": 80, "t96": 50, "ht98": 16}


@pytest.fixture(scope="module", params=list(CELLS))
def found(request, sets, tmp_path_factory):
    study = tmp_path_factory.mktemp(request.param) / "study"
    return reproduce(request.param, data=sets, runs=1, budget=0.02, study=study), study


@pytest.mark.long
def test_every_printed_cell_has_a_verdict(found):
    result, _ = found
    assert len(result.cells) == CELLS[result.paper.lower()]
    for cell in result.cells:
        assert cell.verdict in ("agrees", "differs", "few", "cannot")
        assert cell.verdict == "agrees" or cell.why, cell
        if isinstance(cell.ours, float) and math.isnan(cell.ours):
            assert cell.verdict == ("few" if "budget was spent" in cell.why else "cannot"), cell
        if cell.ours_error > 0:  # one run tells nothing, unless its folds are the sample
            assert cell.verdict != "agrees", cell
        if cell.table in ("Figure 3", "Figure 4"):
            assert cell.verdict == "few", cell
    assert sum(result.counts.values()) == len(result.cells)
    assert str(len(result.cells)) in str(result)


@pytest.mark.long
def test_page_has_every_cell_and_says_how(found, tmp_path):
    result, _ = found
    written = result.write(tmp_path / "page.md")
    text = written[0].read_text()
    assert "python -m polychotomy reproduce" in text
    for fact in ("machine", "versions", "first seed", "runs", "minutes of computing"):
        assert f"| {fact} | " in text
    for path in written:
        if path.suffix == ".svg":
            assert f"({path.name})" in text
            assert path.stat().st_size < 250_000
    with (tmp_path / "page.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["verdict"] for row in rows] == [cell.verdict for cell in result.cells]


@pytest.mark.long
def test_html_page_needs_nothing_else(found, tmp_path):
    result, _ = found
    written = result.write(tmp_path / "page.html")
    text = written[0].read_text()
    assert {path.suffix for path in written} == {".html", ".csv"}
    assert "<script" not in text
    assert text.count("<tr>") > len(result.cells)


@pytest.mark.long
def test_frame_and_drawing(found):
    result, _ = found
    assert len(result.to_frame()) == len(result.cells)
    assert sum(bar.get_width() for bar in result.plot().patches) == len(result.cells)


@pytest.mark.long
@pytest.mark.parametrize(("paper", "runs"), [("t96", 2), ("mst09", 1)])
def test_resumed_equals_undisturbed(paper, runs, sets, tmp_path):
    study = tmp_path / "study"
    first = reproduce(paper, data=sets, runs=runs, budget=0, study=study)
    resumed = reproduce(paper, data=sets, runs=runs, study=study)
    again = reproduce(paper, data=sets, runs=runs)
    assert [cell.ours for cell in first.cells] != pytest.approx(  # it was stopped on its way
        [cell.ours for cell in again.cells], nan_ok=True
    )
    assert [cell.ours for cell in resumed.cells] == pytest.approx(
        [cell.ours for cell in again.cells], nan_ok=True
    )


@pytest.mark.long
def test_ya06_resumes_run_by_run(sets, tmp_path):
    study = tmp_path / "ya06.study"
    first = reproduce("ya06", data=sets, runs=2, budget=0, study=study)
    assert first.facts["runs"].startswith("1 run of ")
    resumed = reproduce("ya06", data=sets, runs=2, study=study)
    more = reproduce("ya06", data=sets, runs=4, budget=0, study=study)
    assert more.facts["runs"].startswith("3 runs")  # two that were there, and one that always is
    again = reproduce("ya06", data=sets, runs=2)
    assert resumed.facts["runs"].startswith("2 runs")
    assert [cell.ours for cell in resumed.cells] == pytest.approx(
        [cell.ours for cell in again.cells], nan_ok=True
    )


def test_runs_on_other_data_are_refused(sets, tmp_path):
    study = tmp_path / "study"
    reproduce("mst09", data=sets, runs=1, budget=0, study=study)
    other = shutil.copytree(sets, tmp_path / "other")
    text = gzip.decompress((other / "b_liver.csv.gz").read_bytes()).splitlines(keepends=True)
    (other / "b_liver.csv.gz").write_bytes(gzip.compress(b"".join(text[:-1])))
    with pytest.raises(StudyError, match="another data set 'liver'"):
        reproduce("mst09", data=other, runs=1, budget=0, study=study)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"paper": "ht99"}, "there is no paper 'ht99'; there are: ya06"),
        ({"data": "nowhere"}, "there is no folder 'nowhere'"),
        ({"runs": 0}, "runs=0; expected a whole number"),
        ({"budget": -1.0}, "budget=-1.0; expected minutes"),
        ({"n_jobs": 0}, "n_jobs=0"),
    ],
)
def test_wrong_requests_are_refused(arguments, message):
    with pytest.raises(InvalidInput, match=message):
        reproduce(**({"paper": "t96"} | arguments))


@pytest.mark.long
def test_pages_are_md_or_html(tmp_path):
    with pytest.raises(InvalidInput, match=r"ends in \.md or \.html"):
        reproduce("ht98", runs=1, budget=0).write(tmp_path / "page.pdf")
