"""What the Markdown pages show is true: code runs, commands have these options, links lead on."""

from __future__ import annotations

import ast
import re
import shlex
import tomllib
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import typer.main
from sklearn.datasets import load_iris

import polychotomy
from polychotomy.app.inputs import read_candidates, read_costs
from polychotomy.app.request import Request, list_requests
from polychotomy.cli import app
from polychotomy.study import import_predictions
from polychotomy.study.ledger.export import predictions_frame

ROOT = Path(__file__).parents[1]
PAGES = sorted(
    path
    for path in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    if not {"_build", "generated", "auto_tutorials"} & set(path.relative_to(ROOT).parts)
)
GENERATED = ("api/generated", "auto_tutorials")  # when the pages are built, which -W checks
PUBLIC = {
    name
    for package in polychotomy.__all__
    for name in (package, *getattr(getattr(polychotomy, package), "__all__", ()))
}
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", flags=re.MULTILINE | re.DOTALL)


def blocks(page: Path, *languages: str) -> list[str]:
    found = BLOCK.findall(page.read_text(encoding="utf-8"))
    return [code for language, code in found if language in languages]


def named(page: Path) -> str:
    return str(page.relative_to(ROOT))


TUTORIALS = sorted((ROOT / "docs/tutorials").glob("plot_*.py"))
IN_TEXT = re.compile(
    r"`+(?:python -m )?(polychotomy (?:judge|predict|status|export|reproduce)\b[^`]*)`"
)


def commands() -> list[tuple[str, str]]:
    """(page, command line) of every call of polychotomy in a block, and of those in the text."""
    found = []
    for page in PAGES:
        for block in blocks(page, "console", "bash", "sh", "yaml", "text"):
            for line in block.replace("\\\n", " ").splitlines():
                call = re.search(r"(?:^|[\s/])(polychotomy (?:-|[a-z]).*)", line.split(" #")[0])
                if call:
                    found.append((named(page), call[1].split(" && ")[0].strip()))
    for page in (*PAGES, *TUTORIALS):
        calls = IN_TEXT.findall(page.read_text(encoding="utf-8"))
        found += [(named(page), " ".join(call.split())) for call in calls]
    return sorted(set(found))


def scripts() -> list[tuple[str, str, str]]:
    """(page, script, its arguments) of every benchmark that a page says how to run."""
    found = set()
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for script, rest in re.findall(r"python (benchmarks/[\w/]+\.py)([^`\n]*)", text):
            found.add((named(page), script, rest))
        for module, rest in re.findall(r"python -m benchmarks\.(\w+)([^`\n]*)", text):
            found.add((named(page), f"benchmarks/{module}", rest))
    return sorted(found)


def readers_table() -> pd.DataFrame:
    """A table as people have them: numbers and texts, with gaps in both."""
    frame = load_iris(as_frame=True).frame
    frame["species"] = load_iris().target_names[frame.pop("target")]
    rows = np.arange(len(frame))
    frame["habitat"] = np.where(rows % 7 == 0, None, np.array(["bog", "lawn", "rock"])[rows % 3])
    frame["found"] = pd.Timestamp("2024-05-01") + pd.to_timedelta(rows * 37 % 90, unit="D")
    frame.loc[rows % 11 == 0, "sepal width (cm)"] = np.nan
    return frame


@pytest.mark.long
@pytest.mark.parametrize(
    "page", [page for page in PAGES if blocks(page, "python") and page.parent != ROOT], ids=named
)
def test_python_blocks_run(page, tmp_path, monkeypatch, capsys):
    """In order, in one namespace a page; the README's are run by .ci/run in its own environment.

    Pages on a paper say behind each call of print what it prints.
    """
    needs_card = any("import torch" in block for block in blocks(page, "python"))
    if needs_card and not pytest.importorskip("torch").cuda.is_available():
        pytest.skip("no CUDA device")
    monkeypatch.chdir(tmp_path)
    readers_table().to_csv("plants.csv", index=False)
    namespace: dict[str, object] = {}
    for block in blocks(page, "python"):
        exec(compile(block, named(page), "exec"), namespace)
    if page.parent.name == "science":
        said = re.findall(r"^print\(.*\)  # (.*)$", "".join(blocks(page, "python")), flags=re.M)
        assert said
        assert capsys.readouterr().out.splitlines() == said


def test_commands_exist_with_these_options():
    root = typer.main.get_command(app)
    assert len(commands()) > 40
    for page, line in commands():
        check_command(root, page, line)


def check_command(root, page, line):
    words = shlex.split(line)[1:]
    known, rest = root, words
    if words and words[0] in root.commands:
        known, rest = root.commands[words[0]], words[1:]
    options = {name for parameter in known.params for name in (*parameter.opts, "--help")}
    if known is root:
        options |= {"--version", "--install-completion", "--show-completion"}
        assert words[0].startswith("-"), f"{page}: there is no command {words[0]!r}"
    asked = {word.split("=")[0] for word in rest if word.startswith("--")}
    assert asked <= options, f"{page}: {line} has unknown options {sorted(asked - options)}"


def test_files_that_the_command_line_reads_are_as_shown(tmp_path):
    page = ROOT / "docs/command_line.md"
    (plan,) = blocks(page, "toml")
    (costs,) = (text for text in blocks(page, "text") if text.startswith("truth"))
    (mine,) = (code for code in blocks(page, "python") if "raw_candidates" in code)
    for name, text in {"plan.toml": plan, "costs.csv": costs, "mine.py": mine}.items():
        (tmp_path / name).write_text(text)
    iris, visits = list_requests(Request(table=tmp_path / "plan.toml"))
    assert (iris.table, iris.target, iris.drop) == (tmp_path / "iris.csv", "class", ())
    assert (visits.target, visits.group, visits.drop) == ("outcome", "patient", ("name",))
    assert read_costs(tmp_path / "costs.csv", ["healthy", "ill"]).tolist() == [[0, 1], [5, 0]]
    table = readers_table()
    for name, candidate in read_candidates(tmp_path / "mine.py").items():
        fitted = candidate.fit(table.drop(columns="species"), table["species"])
        assert fitted.score(table.drop(columns="species"), table["species"]) > 0.8, name


def test_the_candidates_on_the_page_are_those_tried():
    section = (ROOT / "docs/command_line.md").read_text(encoding="utf-8").partition("## Whom")[2]
    rows = re.findall(r"^\| (`.*?) \|", section.partition("\n## ")[0], flags=re.MULTILINE)
    assert re.findall(r"`(.*?)`", " ".join(rows)) == list(polychotomy.ladder())


def test_predictions_on_the_page_can_be_read(tmp_path):
    page = ROOT / "docs/command_line.md"
    (text,) = (text for text in blocks(page, "text") if text.startswith("candidate,"))
    (path := tmp_path / "forest.csv").write_text(text)
    with import_predictions(path) as ledger:
        assert ledger.sample_ids() == ["ann", "bob"]
        assert ledger.fold_errors().ravel().tolist() == [0, 0]
        exported = predictions_frame(ledger)
    section = page.read_text(encoding="utf-8").partition("## Predictions made elsewhere")[2]
    cells = re.findall(r"^\| (`.*?) \|", section.partition("\n## ")[0], flags=re.MULTILINE)
    told = set(re.findall(r"`(.*?)`", " ".join(cells)))
    expected = {re.sub("^p:.*", "p:<class>", name) for name in exported.columns}
    assert told == expected | {"learner", "correct", "score", "weight"}


def test_relative_links_lead_to_files():
    for page in PAGES:
        check_links(page)


def check_links(page):
    text = re.sub(r"```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
        if re.match(r"[a-z]+:", target) or target.startswith(GENERATED):
            continue
        there = page.parent / target
        assert there.exists() or there.with_suffix(".md").exists(), f"{named(page)} links {target}"
    for target in re.findall(r"\{doc\}`(?:[^`<]*<)?([^`>]+)>?`", text):
        base = ROOT / "docs" if target.startswith("/") else page.parent
        path = base / target.lstrip("/")
        tutorial = ROOT / "docs/tutorials" / f"{path.name}.py"
        overview = path.parent.name == "auto_tutorials" and path.name == "index"
        exists = path.with_suffix(".md").exists() or tutorial.exists() or overview
        assert exists, f"{named(page)} refers to {target}"


def test_every_block_says_its_language():
    """A block without one would be neither coloured nor run; results are written by scripts."""
    for page in (page for page in PAGES if page.parent.name != "results"):
        fences = re.findall(r"^```(.*)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
        assert all(fences[::2]), f"{named(page)}: block {fences[::2].index('') + 1} has no language"


def test_benchmarks_exist_with_these_options():
    assert len(scripts()) > 10
    for page, script, rest in scripts():
        check_benchmark(page, script, rest)


def check_benchmark(page, script, rest):
    path = ROOT / script
    files = [path] if path.is_file() else [path.with_suffix(".py"), *path.glob("*.py")]
    source = "".join(file.read_text(encoding="utf-8") for file in files if file.is_file())
    assert source, f"{page}: there is no {script}"
    for module in re.findall(r"^from (\w+) import", source, flags=re.MULTILINE):
        beside = path.with_name(f"{module}.py")  # options may be declared there
        source += beside.read_text(encoding="utf-8") if beside.is_file() else ""
    for option in re.findall(r"--[\w-]+", rest):
        assert f'"{option}"' in source, f"{page}: {script} has no option {option}"


def test_names_that_stand_beside_other_libraries_exist():
    """Of "Coming from another library", the right column."""
    page = (ROOT / "docs/coming_from.md").read_text(encoding="utf-8")
    right = [line.split(" | ")[1] for line in page.splitlines() if line.startswith("| `")]
    names = {name for cell in right for name in re.findall(r"`(\w+)[`(]", cell)}
    assert len(names) > 15
    unknown = names - PUBLIC - {"predict", "predict_proba"}
    assert not unknown, f"docs/coming_from.md: there is no {unknown}"


def test_files_on_the_walk_through_the_code_exist():
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    walk = guide.partition("## Follow a prediction")[2].partition("\n## ")[0]
    files = re.findall(r"`([\w/]+(?:\.py|/))`", walk)
    assert len(files) > 10
    for file in files:
        assert (ROOT / "src/polychotomy" / file).exists(), f"CONTRIBUTING.md walks through {file}"


def test_the_rooms_are_drawn_as_they_stand():
    """Both guides name every room, in the order of the import contract, lowest first."""
    contract = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (layers,) = (one["layers"] for one in contract["tool"]["importlinter"]["contracts"])
    levels = [re.findall(r"\w+", layer) for layer in reversed(layers)]
    height = {room: level for level, rooms in enumerate(levels) for room in rooms}
    rooms = {path.parent.name for path in (ROOT / "src/polychotomy").glob("*/__init__.py")}
    for guide in ("CONTRIBUTING.md", "docs/how_it_works.md"):
        text = (ROOT / guide).read_text(encoding="utf-8")
        drawn = re.findall(r"^\| `(\w+)/?`", text.partition("flows\n")[2], flags=re.MULTILINE)
        drawn = [room for room in drawn if room in rooms]
        assert set(drawn) == rooms, guide
        assert [height[room] for room in drawn] == sorted(height[room] for room in drawn), guide


def test_names_at_the_head_of_a_papers_page_exist():
    for page in (ROOT / "docs/science").glob("*.md"):
        head = page.read_text(encoding="utf-8").partition("In code:")[2].partition("\n\n")[0]
        names = set(re.findall(r"`(\w+)`", head))
        assert len(names) > 3
        assert not names - PUBLIC, f"{named(page)}: there is no {names - PUBLIC}"


def test_tests_that_a_page_names_exist():
    """``tests/FILE.py::test_name``, or the beginning of a name and an ellipsis."""
    for page in PAGES:
        check_tests_named(page)


def check_tests_named(page):
    text = page.read_text(encoding="utf-8")
    for file, name in re.findall(r"`(tests/[\w/]+\.py)(?:::([\w:]+…?))?`", text):
        assert (ROOT / file).exists(), f"{named(page)}: there is no {file}"
        tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
        there = [node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        last = name.split("::")[-1]
        is_there = any(one.startswith(last[:-1]) for one in there) if "…" in last else last in there
        assert not last or is_there, f"{named(page)}: there is no {name} in {file}"
