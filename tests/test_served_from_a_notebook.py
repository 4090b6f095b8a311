"""From judge to a served predict_proba, cell by cell in a notebook's kernel."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[1] / "docs/tutorials/plot_from_judge_to_a_service.py"


def cells(source):
    """Split a tutorial where a notebook has a new cell; text is left out."""
    parts = source.split("\n# %%\n")[1:]
    return ["\n".join(line for line in part.splitlines() if line[:1] != "#") for part in parts]


@pytest.mark.long
def test_a_notebook_goes_from_judge_to_served_probabilities(tmp_path):
    nbformat = pytest.importorskip("nbformat", reason="no nbformat: no notebook was executed")
    nbclient = pytest.importorskip("nbclient", reason="no nbclient: no notebook was executed")
    pytest.importorskip("ipykernel", reason="no ipykernel: no notebook was executed")
    code = [nbformat.v4.new_code_cell(one) for one in cells(PAGE.read_text(encoding="utf-8"))]
    book = nbformat.v4.new_notebook(cells=code)
    nbclient.NotebookClient(book, timeout=300, resources={"metadata": {"path": tmp_path}}).execute()
    verdict, model, _, asked, drawn, _ = (one.outputs for one in book.cells)
    shown = "".join(str(one.get("data", {}).get("text/html", "")) for one in verdict)
    assert "logistic" in shown
    bars = [one["data"]["text/html"] for one in verdict if "<progress" in str(one.get("data"))]
    (bar,) = bars  # one display, changed as it went on
    assert re.search(r'<progress value="(\d+)" max="\1">', bar)
    assert any("sk-container" in str(one.get("data", {})) for one in model)
    assert asked[0]["text"].startswith("200 {'benign': ")
    assert "400 {'error': " in asked[0]["text"]
    assert not any(one.output_type == "error" for one in drawn)
