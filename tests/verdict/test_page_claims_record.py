"""How it was computed: versions, machine, hashes, seed, draws, fits and times, found again.

Hashes are made by hashlib from the table by what docs/study_file.md says; folds, draws and p-values
from the seed on the page; fits and clocks by SQL from the study file.
"""

import hashlib
import json
import platform
import shlex
from importlib.metadata import version

import numpy as np
import pandas as pd
import pytest
from page_numbers import numbers_of
from page_reading import Page
from page_recount import Recount
from page_recount_record import (
    StudyFile,
    data_hash,
    described,
    folds_of,
    predictions_hash,
    study_hash,
)
from page_recount_trust import Traced
from page_words_rest import SECONDS, agree_with
from scipy import sparse
from sklearn.dummy import DummyClassifier
from sklearn.neighbors import NearestCentroid
from typer.testing import CliRunner

from polychotomy import judge
from polychotomy.app import judge_request
from polychotomy.app.request import Request
from polychotomy.cli.commands import app
from polychotomy.study import Ledger
from polychotomy.study.ledger.export import export_predictions

STUDIED = ["error", "log-loss", "auc", "cost", "paper", "race", "failure", "noise", "guess",
           "perfect"]  # fmt: skip


def facts_of(page):
    return dict(zip(page.words["dt"], page.words["dd"], strict=True))


def recorded(page):
    """The whole record, as it is folded in the page."""
    (text,) = [one for one in page.words["pre"] if one.startswith("{")]
    return json.loads(text)


def check_versions(page, *distributions):
    own = version("polychotomy")
    facts = facts_of(page)
    told = [("polychotomy", own), ("Python", platform.python_version())]
    told += [(name, version(name)) for name in distributions]
    assert facts["Versions"] == ", ".join(f"{name} {number}" for name, number in told)
    assert facts["Machine"] == f"{platform.system()} {platform.machine()}"
    record = recorded(page)
    assert (record["polychotomy"], record["python"]) == (own, platform.python_version())


@pytest.mark.parametrize("kind", STUDIED)
def test_the_record_of_every_kind_of_page(kind, worlds):
    world = worlds[kind]
    page, facts, record = world.page, facts_of(world.page), recorded(world.page)
    assert record == world.verdict["provenance"]
    check_versions(page, "numpy", "scipy", "scikit-learn")
    assert facts["Seed"] == str(record["seed"])
    assert facts["Study"] == record["fingerprint"] == study_hash(world.verdict)
    assert facts["Data (SHA-256)"] == world.verdict["dataset"]["sha256"]
    draws = {"trace": world.trust.draws, "confidence": 1999}
    assert record["draws"] == draws | (
        {} if kind == "auc" else {"choice": len(world.r.draws(groups=world.groups)[0])}
    )
    timings, trials = world.verdict["timings"], world.trials
    assert timings["n_fits"] == len(trials) + world.more[0]
    seconds = trials["fit_seconds"].sum() + trials["predict_seconds"].sum() + world.more[1]
    assert timings["seconds"] == pytest.approx(seconds, rel=1e-9)
    for name, clocks in timings["candidates"].items():
        for column, mean in clocks.items():
            assert mean == pytest.approx(world.seconds(name, column), rel=1e-9)


def test_arrays_are_known_by_their_bytes(base, error_world):
    study, _ = base
    assert facts_of(error_world.page)["Data (SHA-256)"] == data_hash(study.X, study.y)
    told = {name: described(one) for name, one in study.candidates.items()}
    assert recorded(error_world.page)["candidates"] == told


@pytest.mark.long
def test_sparse_tables_groups_and_times_are_known_by_their_bytes():
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=60)
    X = sparse.random(60, 4, density=0.4, random_state=0, format="csr") + sparse.csr_matrix(
        y[:, None] * [1.0, 0, 0, 0]
    )
    who = {"MAX": DummyClassifier(), "mean": NearestCentroid()}
    groups, times = rng.integers(12, size=60), rng.permutation(60)
    asked = {"groups": groups}, {"times": times}, {}
    for options in asked:
        given = {"time" if name == "times" else name: one for name, one in options.items()}
        verdict = judge(who, X, y, anatomy=False, **given)
        assert facts_of(Page(verdict.to_html()))["Data (SHA-256)"] == data_hash(X, y, **options)


# --- by the command, from a file ----------------------------------------------------------------


def make_table(rows=90, seed=0):
    rng = np.random.default_rng(seed)
    kind = rng.integers(3, size=rows)
    colour = np.array(["red", "green", "blüe"])[(kind + (rng.random(rows) < 0.3)) % 3]
    frame = pd.DataFrame(
        {"length": (kind + rng.normal(size=rows)).round(3), "legs": 2 * kind + 4, "colour": colour}
    )
    frame.loc[::7, "length"] = np.nan
    frame["legs"] += rng.integers(3, size=rows)
    return frame.assign(kind=np.array(["ant", "bee", "cat"])[kind])


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    """A table judged from its file with a seed of its own: folder, verdict, page, study file."""
    folder = tmp_path_factory.mktemp("record")
    make_table().to_csv(folder / "animals.csv", index=False)
    request = Request(table=folder / "animals.csv", target="kind", candidates="MAX,logistic",
                      seed=3, anatomy=False, plan="5x5", jobs=1, study=folder / "animals.study",
                      output=folder / "page.html")  # fmt: skip
    verdict = judge_request(request).verdict
    page = Page((folder / "page.html").read_text(encoding="utf-8"))
    return folder, verdict.to_dict(), page, StudyFile(folder / "animals.study")


@pytest.mark.long
def test_a_table_is_known_by_its_values(asked):
    folder, verdict, page, _ = asked
    frame = pd.read_csv(folder / "animals.csv")
    facts, record = facts_of(page), recorded(page)
    assert facts["Data (SHA-256)"] == data_hash(frame.drop(columns="kind"), frame["kind"])
    assert facts["Study"] == record["fingerprint"] == study_hash(verdict, asked=True)
    assert f'content="{facts["Study"]}"' in (folder / "page.html").read_text(encoding="utf-8")
    check_versions(page, *record["versions"])
    assert {"numpy", "scipy", "scikit-learn"} <= set(record["versions"])
    assert all(number == version(name) for name, number in record["versions"].items())
    changed = frame.assign(legs=frame["legs"] + (np.arange(len(frame)) == 5))
    assert facts["Data (SHA-256)"] != data_hash(changed.drop(columns="kind"), changed["kind"])


def test_fits_and_clocks_are_those_of_the_file(asked):
    _, verdict, page, file = asked
    assert verdict["timings"]["n_fits"] == len(file.trials) == 2 * 25
    assert verdict["timings"]["seconds"] == pytest.approx(file.seconds, rel=1e-9)
    (eyebrow,) = page.words["eyebrow"]
    assert [one.value for one in numbers_of(eyebrow, [])][:5] == [90, 3, 3, 2, 50]
    agree_with(eyebrow, [file.seconds], SECONDS)
    means = file.trials.groupby("candidate")[["fit_seconds", "predict_seconds"]].mean()
    for name, clocks in verdict["timings"]["candidates"].items():
        assert clocks == pytest.approx(means.loc[name].to_dict(), rel=1e-9)


def test_folds_and_draws_follow_from_the_seed_on_the_page(asked):
    folder, verdict, page, file = asked
    seed = int(facts_of(page)["Seed"])
    assert seed == 3
    codes = np.frombuffer(file.truth, dtype="<i4")
    assert len(file.splits) == 5
    for run, repetition, split in file.splits:
        again = folds_of(seed, codes, 5, run=run, repetition=repetition)
        np.testing.assert_array_equal(np.frombuffer(split, dtype="<i2"), again)
    with Ledger(folder / "animals.study", read_only=True) as ledger:
        export_predictions(ledger, folder / "predictions.csv")
    table = pd.read_csv(folder / "predictions.csv", dtype={"truth": str, "predicted": str})
    r = Recount(table, ["MAX", "logistic"])
    assert r.names[r.best] == verdict["best"]
    found = r.selected(r.draws(size=recorded(page)["draws"]["choice"], seed=seed))
    told = verdict["selected"]
    shown = [told["corrected"], told["low"], told["high"], *told["shares"].values()]
    np.testing.assert_allclose(shown, [found.corrected, found.low, found.high, *found.shares])
    cases = np.tile(np.arange(r.n), r.R)
    p, y = r.exported[r.best].reshape(-1, r.k), np.tile(r.y, r.R)
    numbers = []
    for start in (seed, 0):
        t = Traced(p, y, cases, draws=recorded(page)["draws"]["trace"], seed=start)
        numbers.append((t.pvalue, t.confidence_pvalue(seed=start)))
    assert (verdict["trust"]["pvalue"], verdict["trust"]["confidence_pvalue"]) == pytest.approx(
        numbers[0], rel=1e-12
    )
    assert numbers[0] != numbers[1]  # another seed would be noticed


@pytest.mark.long
def test_the_command_gives_the_same_again(asked, tmp_path, monkeypatch):
    folder, verdict, page, _ = asked
    program, *command = shlex.split(facts_of(page)["To repeat it"])
    assert (program, command[:2]) == ("polychotomy", ["judge", "animals.csv"])
    monkeypatch.chdir(folder)
    more = ["--json", "--jobs", "1", "--output", str(tmp_path / "again.html")]
    run = CliRunner().invoke(app, [*command, *more], catch_exceptions=False)
    assert run.exit_code == 0
    again = json.loads(run.stdout)
    for name in verdict.keys() - {"timings", "spent"}:
        assert again[name] == json.loads(json.dumps(verdict[name])), name


def test_predictions_are_known_by_what_they_say(tmp_path):
    frame = make_table()
    names, codes = np.unique(frame["kind"], return_inverse=True)
    lines = ["learner,sample,fold,truth,predicted"]
    for i, kind in enumerate(frame["kind"]):
        lines += [f"always,{i},{i % 3},{kind},ant", f"mine,{i},{i % 3},{kind},{kind}"]
    path = tmp_path / "mine.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    request = Request(predictions=path, output=tmp_path / "page.html")
    verdict = judge_request(request).verdict.to_dict()
    page = Page((tmp_path / "page.html").read_text(encoding="utf-8"))
    facts, record = facts_of(page), recorded(page)
    assert facts["Data (SHA-256)"] == predictions_hash(tuple(names.tolist()), codes)
    assert facts["Study"] == study_hash(verdict, asked=True)
    assert facts["Versions"] == f"polychotomy {version('polychotomy')}"
    assert "Machine" not in facts
    assert record["imported"] is True
    assert verdict["timings"]["seconds"] == verdict["spent"]["seconds"] == 0
    for name, label in (("always", np.zeros_like(codes)), ("mine", codes)):
        said = np.eye(3, dtype="<f4")[label].tobytes() + label.astype("<i4").tobytes()
        told = f"imported predictions {hashlib.sha256(said).hexdigest()[:16]}"
        assert record["candidates"][name] == told


@pytest.mark.long
def test_many_tables_are_known_by_those_of_each(tmp_path):
    place = tmp_path / "tables"
    place.mkdir()
    for i, name in enumerate(("a", "b")):
        make_table(seed=i).to_csv(place / f"{name}.csv", index=False)
    request = Request(table=place, target="kind", candidates="MAX,nearest mean", anatomy=False,
                      jobs=1, rule="paper", output=tmp_path / "page.html")  # fmt: skip
    many = judge_request(request).verdict.to_dict()
    facts = facts_of(Page((tmp_path / "page.html").read_text(encoding="utf-8")))
    marks = []
    for name, verdict in many["tables"].items():
        frame = pd.read_csv(place / f"{name}.csv")
        own = data_hash(frame.drop(columns="kind"), frame["kind"])
        assert verdict["dataset"]["sha256"] == own
        marks.append(study_hash(verdict, asked=True))
        assert facts[name] == f"seed 0, study {marks[-1]}"
    together = hashlib.sha256("".join(marks).encode()).hexdigest()
    assert many["provenance"]["fingerprint"] == together
    assert version("scikit-learn") in facts["Versions"]
