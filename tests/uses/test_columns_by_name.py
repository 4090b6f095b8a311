"""A candidates file whose pipelines pick columns of the table by name or type, as most do."""

import numpy as np
import pandas as pd
import pytest

FILE = """
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

def prepared():
    return make_column_transformer(
        (make_pipeline(SimpleImputer(), StandardScaler()),
         make_column_selector(dtype_include="number")),
        (OneHotEncoder(handle_unknown="ignore"), ["town"]),
    )

candidates = {
    "by type": make_pipeline(prepared(), LogisticRegression()),
    "searched": GridSearchCV(make_pipeline(prepared(), LogisticRegression()),
                             {"logisticregression__C": [0.1, 1.0]}, cv=2),
}
"""


@pytest.mark.parametrize("kind", ["csv", pytest.param("xlsx", marks=pytest.mark.long)])
def test_columns_by_name_and_type(run, tmp_path, kind):
    rng = np.random.default_rng(0)
    age = rng.normal(40, 10, 120)
    town = rng.choice(["Bonn", "Trier"], 120)
    outcome = np.where(age + 20 * (town == "Bonn") + rng.normal(0, 5, 120) > 50, "yes", "no")
    age[::17] = np.nan
    table = pd.DataFrame({"age": age, "town": town, "outcome": outcome})
    (tmp_path / "mine.py").write_text(FILE)
    if kind == "csv":
        table.to_csv(tmp_path / "table.csv", index=False)
    else:
        pytest.importorskip("openpyxl")
        table.to_excel(tmp_path / "table.xlsx", index=False)
    done = run("judge", f"table.{kind}", "--target", "outcome", "--candidates", "mine.py",
               "--plan", "1x5", "--no-anatomy", "--model", "m.skops", cwd=tmp_path)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Use by type.")
    done = run("predict", "m.skops", f"table.{kind}", "--output", "new.csv", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert len(pd.read_csv(tmp_path / "new.csv")) == 120


def test_a_class_beside_the_candidates_file_is_kept_and_found_again(run, tmp_path):
    """A file of candidates imports its neighbour, whose class the winner's model holds."""
    (tmp_path / "neighbour.py").write_text(
        "from sklearn.naive_bayes import GaussianNB\nclass Mine(GaussianNB):\n    pass\n"
    )
    (tmp_path / "mine.py").write_text("from neighbour import Mine\ncandidates = {'own': Mine()}\n")
    pd.DataFrame({"x": np.arange(60) % 7, "y": np.arange(60) % 2}).to_csv(
        tmp_path / "table.csv", index=False
    )
    asked = ("judge", "table.csv", "--target", "y", "--candidates", "mine.py", "--model", "m.skops")
    done = run(*asked, "--plan", "1x2", "--no-anatomy", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    predict = ("predict", "m.skops", "table.csv", "--output", "new.csv")
    refused = run(*predict, cwd=tmp_path)
    assert "neighbour.Mine" in refused.stderr
    assert "--trust CANDIDATES.py" in refused.stderr
    done = run(*predict, "--trust", "mine.py", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert len(pd.read_csv(tmp_path / "new.csv")) == 60
