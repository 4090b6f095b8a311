"""Hold the shape of the source: no cycle of modules, and no more files and lines than agreed.

Every import counts, at the top, inside a function or for types only: a reader follows them all.
(import-linter's contract is on packages, and knows nothing of modules in one.) Code lines are
those with code on them; comments and docstrings are free. ``reproduction`` is not counted.
"""

import ast
import io
import sys
import tokenize
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src"
MOST_FILES = 260
MOST_LINES = 29_100

_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
_LAYOUT = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}


def module_name(path: Path) -> str:
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(path: Path, modules: set[str]) -> Iterator[str]:
    """The package's modules that a file imports anywhere in it."""
    here = module_name(path).split(".")
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in modules)
        elif isinstance(node, ast.ImportFrom):
            up = node.level - (path.name == "__init__.py")
            start = here[: len(here) - up] if node.level else []
            base = ".".join([*start, *([node.module] if node.module else [])])
            for alias in node.names:
                full = f"{base}.{alias.name}"
                if full in modules or base in modules:
                    yield full if full in modules else base


def find_cycle(graph: dict[str, set[str]]) -> list[str]:
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        cycle: list[str] = error.args[1]
        return cycle
    return []


def code_lines(path: Path) -> int:
    text = path.read_text()
    docstrings: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(
            node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
        ) and (ast.get_docstring(node) is not None):
            docstrings.update(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    lines = {
        number
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type not in _LAYOUT
        for number in range(token.start[0], token.end[0] + 1)
    }
    return len(lines - docstrings)


def main() -> None:
    paths = sorted(SOURCE.rglob("*.py"))
    modules = {module_name(path) for path in paths}
    graph = {module_name(path): set(imports(path, modules)) - {module_name(path)} for path in paths}
    cycle = find_cycle(graph)
    counted = [path for path in paths if "reproduction" not in path.parts]
    files, lines = len(counted), sum(map(code_lines, counted))
    print(f"files: {files} of at most {MOST_FILES}")
    print(f"code lines: {lines} of at most {MOST_LINES}")
    print(f"cycle of modules: {' → '.join(cycle) if cycle else 'none'}")
    if cycle or files > MOST_FILES or lines > MOST_LINES:
        sys.exit(1)


if __name__ == "__main__":
    main()
