"""What the Markdown pages show is true: code runs, commands have these options, links lead on."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import typer.main
from sklearn.datasets import load_iris

from polychotomy.cli import app

ROOT = Path(__file__).parents[1]
PAGES = sorted(
    path
    for path in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    if not {"_build", "generated", "auto_tutorials"} & set(path.relative_to(ROOT).parts)
)
GENERATED = ("api/generated", "auto_tutorials")  # when the pages are built, which -W checks
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", flags=re.MULTILINE | re.DOTALL)


def blocks(page: Path, *languages: str) -> list[str]:
    found = BLOCK.findall(page.read_text(encoding="utf-8"))
    return [code for language, code in found if language in languages]


def named(page: Path) -> str:
    return str(page.relative_to(ROOT))


def commands() -> list[tuple[str, str]]:
    """(page, command line) of every call of polychotomy in a block."""
    found = []
    for page in PAGES:
        for block in blocks(page, "console", "bash", "sh", "yaml", "text"):
            for line in block.replace("\\\n", " ").splitlines():
                call = re.search(r"(?:^|[\s/])(polychotomy (?:-|[a-z]).*)", line.split(" #")[0])
                if call:
                    found.append((named(page), call[1].split(" && ")[0].strip()))
    return found


@pytest.mark.parametrize(
    "page", [page for page in PAGES if blocks(page, "python") and page.parent != ROOT], ids=named
)
def test_python_blocks_run(page, tmp_path, monkeypatch):
    """In order, in one namespace a page; the README's are run by .ci/run in its own environment."""
    if any("import torch" in block for block in blocks(page, "python")):
        pytest.importorskip("torch")
    monkeypatch.chdir(tmp_path)
    frame = load_iris(as_frame=True).frame
    frame["species"] = load_iris().target_names[frame.pop("target")]
    frame.to_csv("plants.csv", index=False)  # the reader's own table
    namespace: dict[str, object] = {}
    for block in blocks(page, "python"):
        exec(compile(block, named(page), "exec"), namespace)


@pytest.mark.parametrize(("page", "line"), commands())
def test_commands_exist_with_these_options(page, line):
    root = typer.main.get_command(app)
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


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_relative_links_lead_to_files(page):
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
