"""All other words of every kind of page: figures, tiles, notes, tooltips, the record."""

import re

import numpy as np
import pytest
from all_sentences import unwrapped
from page_kinds import KINDS
from page_numbers import agree, numbers_of
from page_words_rest import (
    MESSAGES,
    READINGS,
    SECONDS,
    TILES,
    TITLES,
    agree_with,
    budgets,
    check_rest,
    limits_tile,
    said_mean,
)


@pytest.fixture(params=KINDS)
def world(request, worlds):
    return worlds[request.param]


def names_of(world):
    return [one["name"] for one in world.verdict["candidates"]]


def test_figures_in_words_and_how_to_read_them(world):
    figures = len(world.page.csv)
    assert len(world.page.words["message"]) == len(world.page.words["figcaption"]) == figures
    for text in world.page.words["message"]:
        check_rest(world, text, MESSAGES, names_of(world) + world.column_names)
    for text in world.page.words["figcaption"]:
        read = text.removesuffix(" Numbers (CSV)")
        check_rest(world, read, READINGS, names_of(world) + world.column_names)


def test_tiles(world):
    tiles = world.page.words["answer"]
    assert len(tiles) == len(TILES)
    for text, tile in zip(tiles[:-1], TILES, strict=False):
        if tile is limits_tile and world.bags and not world.r.wrong[world.r.best].any():
            assert text == "no error to take off"  # and not that help is open
        elif tile:
            tile(world, text)
    runs = f", {world.r.runs} runs" if world.r.rule == "paper" else ""
    assert re.sub("×", "x", tiles[-1]) == f"{world.plan}{runs}, seed 0"


def test_tooltips(world):
    title, *drawn = world.page.words["title"]
    (headline,) = world.page.words["h1"]
    assert title == f"{headline.rstrip('.')}: {world.verdict['dataset']['name']}"
    assert world.guesses or world.name in headline
    assert drawn
    for text in drawn:
        check_rest(world, text, TITLES, names_of(world))


def test_numbers_beside_figures(world):
    """The means of the first figure, the areas of the weights, the errors of the budgets."""
    sound = [said_mean(world, name) for name in world.r.names]
    expected = [x for name in names_of(world) for x in
                ([said_mean(world, name)] if name in world.r.names else [])]  # fmt: skip
    assert len(expected) == len(sound)
    if world.bags:
        expected += [100 * parts[0] for parts in budgets(world).values()]
    if world.asked_combining:
        expected += world.combining.aucs.tolist()
    if world.verdict["columns"]:
        c = world.columns_again
        expected += [world.scale * c.interval(j)[0] for j in c.order]
    agree(" ".join(world.page.words["value"]), expected, [])


def test_numbers_in_drawings(world):
    """The cells of the pairs and of the confusion; forecasts; who is far above the scale."""
    words = {}
    for kind, texts in world.page.words.items():
        if kind.startswith("text "):
            words.setdefault(kind.split()[1], []).extend(texts)
    r = world.r
    below = [world.scale * r.difference(i, j)[0] for i in range(r.m) for j in range(i)]
    agree(" ; ".join(words.get("cell-number", [])), below, [])
    cells = sorted(numbers_of(" ; ".join(words.get("cell-count", [])), []), reverse=True)
    counts = sorted(world.confusion[world.confusion > 0], reverse=True)
    counts = counts if r.k <= 12 else []  # of more classes there is no room
    assert len(cells) == len(counts)
    for shown, count in zip(cells, counts, strict=True):
        assert abs(shown.value - count) <= 0.5001 * (1 if count >= 10 else 0.1)
    named = [text for text in words.get("point-name", []) if numbers_of(text, r.names)]
    for text in named:
        if "data:" in text:
            factor, shown = numbers_of(text.replace("×", " "), [])
            expected = 100 * world.forecast.at(factor.value)[1][1]
            assert abs(shown.value - expected) <= 0.0501
        else:
            agree(text, [said_mean(world, text.split(" ↑")[0])], r.names)


def test_notes(world):
    known = {
        r"MAX does not look at the features": [],
        r"Place: the most preferred": [],
        r"Chosen again: ": [],
        r".* against the others: ": [],
        r"“Undecided” is an answer": [],
        r"Times are measured": [],
        r"The size is that of one": [],
        r"Error budgets are of the one chosen": [25],
        r"Errors here are those of the most probable": [],
        r"Labels here are those of least": [],
        r"What limits the error was not asked": [],
        r"Which columns matter was not asked": [],
        r"Combining was not asked about: it takes two candidates": [],
        r"Combining was not asked about: \d+ pairs": [world.r.k * (world.r.k - 1) / 2, 100],
        r"Combining was asked about in the first 5 of 15": [5, 15],
        r"The predictions came without times": [],
        r"Some predictions came without times": [],
        r"Nothing: every fit gave predictions": [],
        r"A candidate with a failed fit": [],
    }
    for text in world.page.words["note"]:
        (found,) = [key for key in known if re.match(key, text)]
        agree(text, known[found], names_of(world))
    check_what_was_asked(world, " ".join(world.page.words["note"]))
    rivals = [text for text in world.page.words["note"] if text.startswith("Error budgets")]
    for text in rivals:  # the lowest mean on either side of the one chosen, guessing aside
        means, best, names = world.r.means, world.r.best, world.r.names
        preferred, others = world.sides
        sides = {others: range(best + 1, world.r.m), preferred: range(best)}
        for kind, side in sides.items():
            rest = [j for j in side if names[j] not in world.guessing]
            if rest:
                lowest = names[min(rest, key=means.__getitem__)]
                assert f"{lowest}, the lowest mean among {kind} ones" in text


def check_what_was_asked(world, notes):
    """What speaks of the preference, of guessing, of clocks, and of what was not asked."""
    assert f"So a {world.side(0, 'candidate')} can stand before" in notes
    for name in world.r.names:
        assert (f"{name} does not look at the features" in notes) == (name in world.guessing)
    clocks = [world.seconds(name, "fit_seconds") > 0 for name in world.r.names]
    assert ("came without times" in notes) == (not all(clocks))
    assert ("The predictions came without times." in notes) == (not any(clocks))
    assert ("price" in world.page.csv) == all(clocks)
    not_asked = world.bags is None
    assert ("What limits the error was not asked" in notes) == not_asked
    assert ("Which columns matter was not asked" in notes) == (not world.verdict["columns"])
    assert ("nothing can be fitted again" in notes) == world.imported
    assert ("breaks the order of time" in notes) == world.r.in_time
    assert ("Combining was not asked" in notes) == (not world.asked_combining)


def test_remarks(world):
    """Notes on the data and on what was not asked, as a list."""
    remarks = [one for one in world.page.words["li"] if not re.fullmatch(r".*\?[✓!?·]", one)]
    timed = [one for one in remarks if one.endswith("rows are ordered in time by it.")]
    assert bool(timed) == (world.r.in_time and world.verdict["dataset"]["name"] == "plants")
    assert timed in ([], ["'day' is not among the features: rows are ordered in time by it."])
    apart = [one for one in remarks if one.startswith("Fields are separated by")]
    assert apart in ([], ["Fields are separated by semicolons, decimals by commas."])
    asked = "What limits the error was not asked", "Which columns matter was not asked"
    known = (*asked, "Combining was ")
    for text in remarks:
        if "Warning: " in text:
            check_warning(world, text)
        elif text not in timed + apart:
            assert text.startswith(known)
            assert (
                text in world.page.words["note"]
                or "first 5 of 15" in text
                or "of 465 pairs" in text
            )


def check_warning(world, text):
    """Who gave a warning, and in how many fits."""
    said, _, told = text.removesuffix(").").rpartition(" (")
    own = world.trials[world.trials["plan"] == world.plan]
    warned = own[[any(one.splitlines()[0] == said for one in all_) for all_ in own["warnings"]]]
    counts = warned["candidate"].value_counts()
    assert dict(re.findall(r"([^,]+?) in (\d+) fits(?:, )?", told)) == {
        name: str(count) for name, count in counts.items()
    }


def test_the_one_number_and_the_facts(world):
    (big,) = world.page.words["big"]
    names = names_of(world)
    if world.r.loss == "auc":
        agree(big, [1 - world.r.means[world.r.best]], [])
    elif not world.rate and world.selected.high < 0.001:
        agree(big, [world.r.means[world.r.best]], [])
    else:
        s = world.selected
        agree(big.replace("< ", ""), [world.scale * (s.expected or s.high)], [])
    (eyebrow,) = world.page.words["eyebrow"]
    spent = world.trials["fit_seconds"].sum() + world.trials["predict_seconds"].sum()
    spent += world.more[1]
    agree_with(eyebrow, [spent] if spent else [], SECONDS)
    counts = [one.value for one in numbers_of(eyebrow, [])]
    about = [world.r.n, *([world.columns] if world.columns else []), world.r.k]
    about += [len(names)]
    if spent or not world.imported:
        about += [len(world.trials) + world.more[0]]
    else:
        assert "fit" not in eyebrow, "nothing was"
    assert counts[: len(about)] == about


def drawn(world):
    runs, folds = world.r.runs, world.verdict["plan"].get("folds")
    if runs > 1 and world.plan == f"1x{folds} folds":
        return f"{folds} folds, drawn {runs} times"
    return world.plan if runs == 1 else f"{world.plan}, {runs} runs"


def test_the_record(world):
    facts = dict(zip(world.page.words["dt"], world.page.words["dd"], strict=True))
    assert facts["Resampling"].replace("×", "x") == drawn(world)
    agree(facts["Criterion"], [world.margin], [])
    assert facts["Seed"] == "0"
    shown = [re.sub(r"\W", "", one) for one in facts["Classes"].split(",")]
    assert shown == world.r.classes
    versions = {} if world.imported else {"numpy": np.__version__}
    assert all(f"{name} {version}" in facts["Versions"] for name, version in versions.items())
    assert len(facts["Data (SHA-256)"]) == len(facts["Study"]) == 64


def test_every_sentence_is_said_with_its_basis_everywhere(world):
    """Page, table of bases, JSON, Markdown and plain text say the same."""
    rows = world.page.table("Test, numbers and assumption")
    pairs = [(row["sentence"][0], row["basis"][0]) for row in rows]
    priced = world.verdict["timings"]["sentences"]
    told = [(one["text"], one["basis"]) for one in [*world.verdict["sentences"], *priced]]
    assert sorted(pairs) == sorted(told)
    first, *others = [text for text, _ in pairs]
    assert world.page.sentences() == set(others)
    assert world.page.words["h1"] == [first]
    assert set(world.page.words["tip"]) == {basis for _, basis in pairs[1:]}
    said = unwrapped(str(world.said))
    assert all(text in said for text in (first, *others))
    markdown = re.sub(r"\\(.)", r"\1", world.said.to_markdown()).replace("**", "")
    lines = [line.removeprefix("- ") for line in markdown.splitlines()]
    for i, (text, basis) in enumerate(pairs, start=1):
        assert (f"{text}[^{i}]" if i > 1 else f"# {text.removesuffix('.')}[^1]") in lines
        assert f"[^{i}]: {basis}" in lines


def test_numbers_of_json_and_markdown_are_those_of_the_page(world):
    rows = {row["candidate"][0]: row for row in world.page.table("Candidates in order")}
    mean = next(name for name in next(iter(rows.values())) if name.startswith("mean "))
    for one in world.verdict["candidates"]:
        if one["name"] in world.r.names:
            at = world.r.names.index(one["name"])
            assert one["loss"] == pytest.approx(world.r.means[at], rel=1e-6)
            assert float(rows[one["name"]][mean][1]) == pytest.approx(one["loss"], rel=1e-8)
            wrong = world.r.in_folds(world.r.wrong)[at]
            assert one["error"] == pytest.approx(wrong.mean(), rel=1e-9)
            assert one["sd"] == pytest.approx(world.r.table[at].std(ddof=1), rel=1e-5)
    selected = world.verdict["selected"]
    if selected is not None:
        for name, share in selected["shares"].items():
            shown = rows[name]["chosen again"]
            assert float(shown[1]) == pytest.approx(share, abs=1e-8)
        wanted = {name: getattr(world.selected, name) for name in ("plain", "expected", "low")}
        for name, x in wanted.items():
            assert selected[name] == pytest.approx(x, rel=1e-6), name
    table = [line.split(" | ") for line in world.said.to_markdown().splitlines() if "| " in line]
    for line in table[2:]:
        cells = [re.sub(r"[*|\\]", "", cell).strip() for cell in line]
        place = rows[cells[0]]["place"][0]
        assert cells[1] == place
