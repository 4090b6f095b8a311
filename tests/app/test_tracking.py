"""--mlflow: a run with the numbers, the page, the JSON and the model, in a store that answers."""

import json
import sys

import pytest
from sklearn.datasets import load_iris

ASKED = ["judge", "plants.csv", "--target", "target", "--candidates", "MAX,nearest mean"]
QUICK = ["--no-anatomy", "--jobs", "1", "--mlflow"]


@pytest.fixture
def plants(tmp_path):
    load_iris(as_frame=True).frame.to_csv(tmp_path / "plants.csv", index=False)
    return tmp_path


@pytest.fixture
def store(tmp_path, monkeypatch):
    """A folder that MLflow writes to: a server or a database takes more than its client."""
    mlflow = pytest.importorskip("mlflow", reason="no MLflow: a run was not logged")
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    monkeypatch.setenv("MLFLOW_TRACKING_URI", (tmp_path / "store").as_uri())
    monkeypatch.setattr(mlflow.tracking._tracking_service.utils, "_tracking_uri", None)
    return mlflow


@pytest.mark.long
def test_a_run_has_numbers_page_and_model(run, plants, store):
    result = run(*ASKED, *QUICK, "--model", "m.skops", "--json", cwd=plants)
    assert result.returncode == 0, result.stderr
    document = json.loads(result.stdout)
    (logged,) = store.search_runs(output_format="list")
    assert f"logged as the run {logged.info.run_id} in file:" in result.stderr
    assert logged.data.params["best"] == document["best"] == "nearest mean"
    own = {one["name"]: one["loss"] for one in document["candidates"]}
    assert logged.data.metrics["error of nearest mean"] == own["nearest mean"]
    assert logged.data.metrics["error expected"] == document["selected"]["expected"]
    assert logged.data.tags["mlflow.note.content"].startswith("# Use nearest mean")
    found = {one.path for one in store.MlflowClient().list_artifacts(logged.info.run_id)}
    assert found == {"plants-verdict.html", "verdict.json", "m.skops"}


@pytest.mark.long
def test_a_store_that_does_not_answer_is_told_of_before_the_first_fit(
    run, plants, store, monkeypatch
):
    monkeypatch.setenv("MLFLOW_TRACKING_URI", "http://127.0.0.1:9")
    monkeypatch.setenv("MLFLOW_HTTP_REQUEST_MAX_RETRIES", "0")
    result = run(*ASKED, *QUICK, cwd=plants)
    assert result.returncode == 2
    assert "http://127.0.0.1:9 cannot be used: " in result.stderr
    assert not list(plants.glob("*.html"))


def test_without_mlflow_the_error_names_the_extra(run, plants, monkeypatch):
    monkeypatch.setitem(sys.modules, "mlflow", None)
    result = run(*ASKED, *QUICK, cwd=plants)
    assert result.returncode == 2
    assert "pip install 'polychotomy[mlflow]'" in result.stderr
