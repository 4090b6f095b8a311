"""Trace the two ordinary roads, and fail where they lead through too many files.

A file is entered when one of its functions is called other than by an import. A return is an entry
into a package that was already left, in the order in which files are entered for the first time.
Both are what a newcomer pays who reads along with a debugger.
"""

import os
import sys
import tempfile
import threading
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from types import FrameType
from typing import Any

import polychotomy

ROOT = str(Path(polychotomy.__file__).parent) + os.sep
MOST_FILES_JUDGE = 110
MOST_RETURNS_JUDGE = 20
MOST_FILES_PREDICT = 14

JUDGE = "judge wine.csv --target target --candidates MAX,logistic --jobs 1 --no-anatomy"


def files_entered(run: Callable[[], object]) -> list[str]:
    """The package's files that a run enters, in the order of first entry."""
    entered: dict[str, None] = {}

    def watch(frame: FrameType, event: str, argument: Any) -> None:
        if event != "call":
            return
        path = frame.f_code.co_filename
        is_ours = path.startswith(ROOT) and path.endswith(".py")  # templates are compiled, too
        if is_ours and path not in entered and not is_importing(frame):
            entered[path] = None

    threading.setprofile(watch)
    sys.setprofile(watch)
    try:
        run()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return [path.removeprefix(ROOT) for path in entered]


def is_importing(frame: FrameType) -> bool:
    """Whether a module of the package is being loaded above this frame."""
    above: FrameType | None = frame
    while above is not None:
        code = above.f_code
        if code.co_name == "<module>" and code.co_filename.startswith(ROOT):
            return True
        above = above.f_back
    return False


def returns(files: list[str]) -> list[str]:
    """The files by which a package that was already left is entered again."""
    found: list[str] = []
    left: set[str] = set()
    here = ""
    for file in files:
        package = file.split(os.sep)[0]
        if package != here:
            if package in left:
                found.append(file)
            left.add(here)
            here = package
    return found


def trace_judge() -> list[str]:
    from sklearn.datasets import load_wine

    from polychotomy.cli import main

    load_wine(as_frame=True).frame.to_csv("wine.csv", index=False)
    sys.argv = ["polychotomy", *JUDGE.split()]
    code: list[object] = []

    def run() -> None:
        try:
            main()
        except SystemExit as end:
            code.append(end.code)

    said = StringIO()
    with redirect_stdout(said), redirect_stderr(said):
        files = files_entered(run)
    if code != [0] or not Path("wine-verdict.html").is_file():
        sys.exit(f"the traced command failed:\n{said.getvalue()}")
    return files


def trace_predict() -> list[str]:
    from sklearn.datasets import load_wine
    from sklearn.naive_bayes import GaussianNB

    from polychotomy import CodedClassifier

    X, y = load_wine(return_X_y=True)
    classifier = CodedClassifier(GaussianNB()).fit(X, y)
    return files_entered(lambda: classifier.predict_proba(X[:1]))


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        judge, predict = trace_judge(), trace_predict()
        os.chdir(ROOT)
    again = returns(judge)
    for file in judge:
        print(f"{'↩' if file in again else ' '} {file}")
    print("\none row through CodedClassifier.predict_proba:", *predict, sep="\n  ")
    figures = (
        ("files entered by judge", len(judge), MOST_FILES_JUDGE),
        ("returns into a package already left", len(again), MOST_RETURNS_JUDGE),
        ("files entered by predict_proba", len(predict), MOST_FILES_PREDICT),
    )
    print()
    for name, count, most in figures:
        print(f"{name}: {count} of at most {most}")
    if any(count > most for _, count, most in figures):
        sys.exit(1)


if __name__ == "__main__":
    main()
