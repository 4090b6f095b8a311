"""Other readings, counted again from the runs that docs/results keeps of them."""

import csv
import importlib.util
import re
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import fisher_exact

from polychotomy.reproduction.result import Reproduction
from polychotomy.reproduction.ya06_tables import LEARNERS, simulate_selections

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "docs" / "results"


def script(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / f"benchmarks/papers/{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def kept(name):
    with (RESULTS / f"{name}.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def page(name):
    return (RESULTS / f"{name}.md").read_text(encoding="utf-8")


def tables(name):
    return page(name).partition("<!-- tables -->\n\n")[2].splitlines()


def test_means_of_ya06s_readings():
    """Every mean and error of the page's table of other readings, from the fold errors."""
    folds = {}
    for row in kept("ya06_readings"):
        errors = [float(row[f"fold {i + 1}"]) for i in range(10)]
        folds.setdefault((row["data"], row["learner"], row["reading"]), []).extend(errors)
    words = "equal or not|no penalty|300 steps|gain ratio|as numbers"
    pattern = rf"^\| (\w+) \| ([\w.]+) \| ({words}) \| .* \| ([\d.]+) ± ([\d.]+) \| [a-z ]+ \|$"
    lines = re.findall(pattern, page("ya06"), flags=re.M)
    assert len(lines) == 30 + 30 + 30 + 30 + 3
    for data, learner, reading, mean, error in lines:
        own = 100 * np.array(folds[data, learner, reading])
        digits, fine = (len(text.partition(".")[2]) for text in (mean, error))
        assert own.mean() == pytest.approx(float(mean), abs=0.51 * 10.0**-digits)
        spread = own.std() / np.sqrt(len(own))
        assert spread == pytest.approx(float(error), abs=0.51 * 10.0**-fine)


def test_tables_2_and_3_again_are_those_of_the_kept_folds():
    again = script("tables_again")
    found = again.tabulate(again.Kept(RESULTS / "ya06_readings.csv", again.KEYS, again.FOLDS))
    assert found == tables("ya06_again")
    rows = [line.split(" | ") for line in found if " ± " in line]
    ours, steps = (sum("✓" in row[i] for row in rows) for i in (3, 4))
    text = " ".join(page("ya06_again").split())
    assert f"with 300 steps {steps} of the {len(rows)} printed shares" in text
    assert f"against {ours} of our first" in text
    same = [line.split(" | ")[4] for line in found if line.startswith(("| 300", "| no penalty"))]
    assert f"in {same[0]} of Table 2's 90 cells with 300 steps and in {same[1]} without" in text
    over = " ".join((ROOT / "docs/reproduction.md").read_text(encoding="utf-8").split())
    assert f"in {same[0]} of Table 2's 90 cells" in over
    assert f"and {steps} of Table 3's {len(rows)} shares lie within" in over


def test_ten_steps_are_those_of_mst09s_page():
    """The same splits: equal but for the rounding of sums, where scores are tied."""
    steps = script("steps")
    rows = steps.Kept(RESULTS / "mst09_steps.csv", ("data", "split", "steps"), steps.COLUMNS)
    cells = Reproduction.read(RESULTS / "mst09.md").cells
    found = steps.read_with(rows, cells, 10)
    assert len(found) == 60
    for cell in cells:
        place = (cell.table, cell.row, cell.column)
        if place in found:
            assert found[place].ours == pytest.approx(cell.ours, abs=0.1 * cell.ours_error)
    assert steps.tabulate(rows, cells) == tables("mst09_steps")


def test_more_steps_settle_nothing():
    lines = [line.split(" | ") for line in tables("mst09_steps") if re.match(r"\| \d+ \|", line)]
    assert len(lines) == 8
    assert {int(line[6]) for line in lines} == {7, 8, 9}
    assert max(int(line[4]) for line in lines) == 2
    for few, many in ((lines[0], lines[3]), (lines[4], lines[7])):
        for rule in (1, 3):
            assert 0.005 < float(many[rule]) - float(few[rule]) < 0.015
    assert tables("mst09_steps")[-1].endswith("more steps settle 0.")


def test_the_grid_of_kernels_is_that_of_the_kept_trials():
    kernels = script("kernels")
    rows = kernels.Kept(RESULTS / "m24_kernels.csv", kernels.KEYS, kernels.SCORES)
    found = Reproduction.read(RESULTS / "m24.md")
    assert kernels.tabulate(rows, found.cells) == tables("m24_kernels")
    tried = {key[:4] for key in rows.rows if key[4] == "one-vs-one"}
    assert len(tried) == 6 * 32
    text = " ".join(page("m24_kernels").split())
    near = {
        reading: {
            name
            for name in kernels.SETS
            if abs(kernels.distance(rows, (name, *reading, "one-vs-one", ""))) <= 2
        }
        for reading in kernels.READINGS
    }
    counts = {name: sum(name in own for own in near.values()) for name in kernels.SETS}
    assert counts.pop("shuttle") == 0
    said = re.search(r"(\d+) of 32 come near on vehicle, (\d+) on segment, (\d+) on sat", text)
    assert [int(count) for count in said.groups()] == list(counts.values())[:3]
    assert f"{counts['pendigits']} on pendigits, {counts['usps']} on usps" in text
    most = [reading for reading in near if len(near[reading]) == 4]
    assert most == [("standardised", C, "4") for C in ("10", "100", "1000")]
    assert max(map(len, near.values())) == 4
    for reading in most:
        assert near[reading] == {"vehicle", "segment", "sat", "pendigits"}
        for name, said in (("usps", 0.925), ("shuttle", 0.9987)):
            accuracy = kernels.trials_of(rows, (name, *reading, "one-vs-one", ""))[:, 0].mean()
            assert f"on {name} " in text
            assert f" {said}, not" in text
            assert accuracy == pytest.approx(said, abs=0.0006)
    for code in ("one-vs-one", "orthogonal"):
        keys = [("pendigits", *reading, code, "") for reading in near]
        assert all(abs(kernels.distance(rows, key, "slope")) > 2 for key in keys)


def test_kernels_that_come_near_with_both_codes_are_counted():
    kernels = script("kernels")
    rows = kernels.Kept(RESULTS / "m24_kernels.csv", kernels.KEYS, kernels.SCORES)
    both = {
        name: sum(
            all(
                abs(kernels.distance(rows, (name, *reading, code, ""))) <= 2
                for code in kernels.CODES.values()
            )
            for reading in kernels.READINGS
        )
        for name in kernels.SETS
    }
    own = " ".join(page("m24_kernels").split())
    over = " ".join((ROOT / "docs/reproduction.md").read_text(encoding="utf-8").split())
    listed = "{vehicle}, {segment}, {sat}, {pendigits} and {usps} of them. On shuttle none is"
    assert listed.format(**both) in own
    assert both["shuttle"] == 0
    said = (
        "{vehicle} kernels on vehicle, {segment} on segment, {sat} on sat, {pendigits} on pendigits"
    )
    assert said.format(**both) in over


def test_reasons_of_m24_are_those_that_the_grid_shows():
    """Settled again from the kept trials, no reason and no row of the page changes."""
    found = Reproduction.read(RESULTS / "m24.md")
    again = script("kernels").settle_page(found)
    for cell, other in zip(found.cells, again.cells, strict=True):
        assert (cell.cause, cell.basis, cell.why) == (other.cause, other.basis, other.why)
    assert found.blocks == again.blocks


def test_gains_of_other_codes_on_the_same_splits():
    scores = {
        (row["data"], row["code"], row["trial"]): float(row["accuracy"])
        for row in kept("m24_codes")
        if row["decoder"] == "least-squares"
    }
    text = " ".join(page("m24_kernels").split())
    for code, said in (("random-dense", "gains {:.2f} points"), ("nested", "lose {:.2f}")):
        gains = [
            100 * (scores["vehicle", code, str(t)] - scores["vehicle", "one-vs-one", str(t)])
            for t in range(20)
        ]
        assert f"| vehicle | SVM | {code} | least-squares | 20 | {np.mean(gains):+.2f} |" in page(
            "m24"
        )
        assert said.format(abs(np.mean(gains))) in text
    assert "now all six sets have 20" in text
    for name in ("segment", "sat", "pendigits", "usps", "shuttle"):
        for code in ("one-vs-rest", "random-dense", "nested"):
            gains = [
                scores[name, code, str(t)] - scores[name, "one-vs-one", str(t)] for t in range(20)
            ]
            assert np.mean(gains) <= 0


def mean_and_error(values):
    values = np.asarray(values, dtype=float)
    return values.mean(), values.std(ddof=1) / np.sqrt(len(values))


def gives(why, words):
    """Mean and error that a reason says another reading gives; None where it does not say so."""
    found = re.search(rf"{re.escape(words)} (-?[\d.]+) ± ([\d.]+)", why)
    return found and tuple(map(float, found.groups()))


def agree(own, printed, error):
    """Within two standard errors of both, a little more with twenty runs, and the rounding."""
    away = max(abs(own[0] - printed) - 0.0005, 0)
    return away <= 2.15 * np.hypot(own[1], error)


def surely_differ(own, cell):
    return abs(own[0] - float(cell["ours"])) > 2 * np.hypot(own[1], float(cell["ours_error"]))


def test_mst09s_other_readings_are_those_of_the_kept_splits():
    """Every number that a reason of MST09 rests on, and whether it shows what it says."""
    runs = {}
    for row in kept("mst09_readings"):
        runs.setdefault((row["reading"], row["data"]), []).append(row)
    assert {len(own) for own in runs.values()} == {20}
    said = {"60 % to train on": "60 % to train on gives"}
    said["tuning inputs"] = "RankBoost on the tuning inputs gives"
    counted = shown = 0
    for cell in kept("mst09"):
        m = {"Table 2": 5, "Table 3": 7}.get(cell["table"])
        if m is None or cell["verdict"] != "differs":
            continue
        shows = []
        for reading, words in said.items():
            if found := gives(cell["why"], words):
                values = [row[f"{cell['column']} {m}"] for row in runs[reading, cell["row"]]]
                own = mean_and_error(values)
                assert own == pytest.approx(found, abs=0.00051)
                printed, error = float(cell["printed"]), float(cell["printed_error"])
                shows.append(agree(own, printed, error) and surely_differ(own, cell))
                counted += 1
        assert (cell["basis"] == "shown") <= any(shows), cell
        shown += cell["basis"] == "shown"
    assert counted >= 26
    assert shown == 4


def test_rankboost_on_inputs_is_that_of_the_kept_splits():
    runs = {}
    for row in kept("mst09_readings"):
        if row["reading"] == "tuning inputs":
            runs.setdefault(row["data"], []).append((row["RankBoost 5"], row["RankBoost 7"]))
    lines = re.findall(
        r"^\| (\w+) \| Table ([23]) \| [\d.]+ ± [\d.]+ \| ([\d.]+) ± ([\d.]+) \| [a-z ]+ \|$",
        page("mst09"),
        flags=re.M,
    )
    assert len(lines) == 20
    for name, number, mean, error in lines:
        own = [row[int(number) - 2] for row in runs[name]]
        assert mean_and_error(own) == pytest.approx((float(mean), float(error)), abs=0.00051)
        assert [row[0] for row in runs[name]] == [row[1] for row in runs[name]]


def test_t96s_single_fits_are_those_of_the_kept_samples():
    """The table of readings, and every reason that rests on a single fit."""
    runs = {}
    for row in kept("t96_readings"):
        runs.setdefault((row["problem"], row["learner"]), []).append(row)
    assert {len(own) for own in runs.values()} == {50}
    number = r"(-?[\d.]+ ± [\d.]+)"
    lines = re.findall(
        rf"^\| ([a-z ]+) \| (LDF|5-NN) \| {number} \| {number} \| {number} \|", page("t96"), re.M
    )
    assert len(lines) == 4
    for problem, learner, *texts in lines:
        for text, name in zip(texts, ("error", "one fit", "one 1-NN"), strict=True):
            own = mean_and_error([row[name] for row in runs[problem, learner]])
            assert text == "{:.3f} ± {:.3f}".format(*own)
    cells = [row for row in kept("t96") if row["basis"] == "shown" and "which agrees" in row["why"]]
    assert len(cells) == 4
    for cell in cells:
        own = runs[tuple(cell["row"].split(", "))]
        which = "one fit" if cell["row"].endswith("LDF") else "one 1-NN"
        less = [float(row["aggregated error"]) * (cell["column"] == "AE(C)") for row in own]
        found = mean_and_error([float(row[which]) - a for row, a in zip(own, less, strict=True)])
        assert found == pytest.approx(gives(cell["why"], f"{which} gives"), abs=0.00051)
        assert agree(found, float(cell["printed"]), float(cell["printed_error"]))
        assert surely_differ(found, cell)


def test_ht98s_shares_are_those_of_the_kept_mixtures():
    rows = kept("ht98_mixtures")
    votes, coupled, lda, qda = (
        np.array([float(row[rule]) for row in rows])
        for rule in ("max-wins of pairwise LDA", "coupled pairwise LDA", "LDA", "QDA")
    )
    shares = {
        "max-wins performs no worse than coupling": votes - coupled < 0.01,
        "max-wins performs better than LDA": votes < lda,
        "coupling performs better than LDA": coupled < lda,
        "coupling does substantially better than max-wins": votes - coupled > 0.03,
        "QDA errs less than coupling": qda < coupled,
    }
    cells = {row["column"]: row for row in kept("ht98") if row["printed"] == "claimed"}
    assert set(cells) == set(shares)
    for claim, held in shares.items():
        own = mean_and_error(held)
        told = (float(cells[claim][side]) for side in ("ours", "ours_error"))
        assert own == pytest.approx(tuple(told), abs=1e-5)
    mean, error = mean_and_error(100 * (votes - coupled))
    words = f"{mean:.2f} ± {error:.2f} points less"
    less, more = (votes > coupled).sum(), (votes < coupled).sum()
    assert f"{words} than max-wins: less on {less} of 200, more on {more}." in page("ht98")
    science = (ROOT / "docs/science/pairwise_coupling.md").read_text(encoding="utf-8")
    assert words in " ".join(science.split())


def test_what_follows_from_table_1_of_ya06_is_drawn_again():
    """Shares by normal folds with the printed means and deviations, from their seed."""
    found = simulate_selections()
    shown = 0
    for cell in kept("ya06"):
        said = re.search(r"deviations give ([\d.]+) %, which (agrees|differs)", cell["why"])
        if not said:
            continue
        if cell["table"] == "Table 2":
            method, name = cell["column"].partition(" (")[0], cell["printed"].partition(" (")[0]
            own = found.counts[found.methods.index(method), found.data_sets.index(cell["row"])]
            count = own[("*", *LEARNERS).index(name)]
            assert f"{count / 10:.0f}" == said[1]
            ours = re.search(r"in (\d+) of 458 runs", cell["why"])
            ours = (
                int(ours[1]) if ours else round(4.58 * float(cell["ours"].rpartition("(")[2][:-1]))
            )
            if said[2] == "agrees":  # and surely differs from ours
                counts = [[ours, 458 - ours], [count, 1000 - count]]
                assert fisher_exact(counts).pvalue < 0.05, cell
        else:
            own = found.counts[found.methods.index(cell["row"])]
            share = own[:, ("not found", *LEARNERS).index(cell["column"])].mean() / 10
            assert f"{share:.2f}" == said[1]
            if said[2] == "agrees":
                assert share == pytest.approx(float(cell["printed"]), abs=0.5)
                assert abs(share - float(cell["ours"])) > 2 * np.hypot(
                    0.2, float(cell["ours_error"])
                )
        assert (cell["basis"] == "shown") == (said[2] == "agrees")
        shown += cell["basis"] == "shown"
    assert shown == 48


def test_unbalanced_classes_are_those_of_the_kept_runs():
    """Means of the science page, and which are above or below the plain average."""
    runs = {}
    rules = ("rank margin", "plain average", "tuned margin", "stacked logistic", "best single")
    for row in kept("mst09_unbalanced"):
        own = runs.setdefault((row["classifiers"], row["negatives"]), [])
        own.append([float(row[rule]) for rule in rules])
    text = (ROOT / "docs/science/rank_margin.md").read_text(encoding="utf-8")
    _, _, text = text.partition("<!-- unbalanced -->")
    family, counted, hard, tuned = "", 0, [], []
    for line in text.partition("<!-- end of unbalanced -->")[0].splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| seven"):
            family = cells[0]
        if not line.startswith("| 1 : "):
            continue
        aucs = np.array(runs[family, cells[0].removeprefix("1 : ")])
        assert len(aucs) == 20
        for j, cell in enumerate(cells[1:]):
            mean, error = mean_and_error(aucs[:, j] - aucs[:, 1])
            sign = "" if j == 1 else " ▲" if mean > 2 * error else " ▼" if mean < -2 * error else ""
            assert cell == f"{aucs[:, j].mean():.3f}{sign}"
            counted += 1
        hard.append(cells[1][-1])
        tuned.append(cells[3][-1])
    assert counted == 50
    assert set(hard) == {"▼"}  # behind the average in every row
    assert "▼" not in tuned  # never loses
