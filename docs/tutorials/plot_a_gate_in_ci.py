"""
A gate in CI
============

A colleague proposes a new model. Before it is merged, a machine should say whether it is *shown to be worse* than
the one in use: not by a number that wobbles from run to run, but by a test on the same folds.

In short: ``polychotomy judge cases.csv --target target --candidates models.py --against old`` ends with exit code 1 where the new one
is shown to be worse.
"""

# %%
# Old and new, side by side
# -------------------------
#
# A file names the candidates in order of preference. ``--against`` names the one to hold the others against.

import subprocess
import sys
import tempfile
from pathlib import Path

from sklearn.datasets import load_breast_cancer

folder = Path(tempfile.mkdtemp())
load_breast_cancer(as_frame=True).frame.to_csv(folder / "cases.csv", index=False)
(folder / "models.py").write_text(
    """
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

candidates = {
    "old": LogisticRegression(max_iter=1000),
    "new": DecisionTreeClassifier(max_depth=1),
}
"""
)


def gate(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "polychotomy", "judge", "cases.csv", "--target", "target"]
    command += ["--candidates", "models.py", "--against", "old", "--no-anatomy", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


done = gate("--force", "--study", "gate.polychotomy")
print(done.stdout)
print(done.stderr.splitlines()[-1])
print("exit code", done.returncode)

# %%
# Exit code 1: the new model is shown to be worse, as the last line says, and the build stops. Exit code 0 would mean that it is not
# shown to be worse, which is not the same as shown to be as good; the page says which, and how much more data would
# decide it. Exit code 2 means that the request itself was wrong, and nothing was run.
#
# What the gate saw
# -----------------
#
# The study file keeps every fold. Both models had the same ones, so the difference on each of them is what is tested. Folds to the
# right of the grey line are those on which the new model makes more errors:

import matplotlib.pyplot as plt

from polychotomy import Ledger

with Ledger(folder / "gate.polychotomy") as ledger:
    old, new = ledger.fold_errors(["old", "new"]).reshape(2, -1)
_, ax = plt.subplots(figsize=(6.4, 2.4), layout="constrained")
ax.axvline(0, color="0.7")
ax.hist(100 * (new - old), bins=20, color="C0")
ax.set(xlabel="new minus old, points of error on a fold", ylabel="folds")
plt.show()

# %%
# In a workflow file
# ------------------
#
# ``polychotomy judge cases.csv --target target --candidates models.py --json > main.json``, run on the main branch and kept there
# (committed, or as an artifact), is what a proposal is compared with: ``polychotomy compare`` says in at most 15 lines what
# it changes, for a comment on the pull request. ``--mlflow`` logs numbers, page and model beside it.
#
# .. code-block:: yaml
#
#    name: gate
#    on: pull_request
#    permissions: {contents: read, pull-requests: write}
#    jobs:
#      gate:
#        runs-on: ubuntu-latest
#        steps:
#          - uses: actions/checkout@v4
#          - uses: actions/setup-python@v5
#            with: {python-version: "3.12"}
#          - run: pip install ./polychotomy  # where your checkout of it lies
#          - run: >
#              polychotomy judge cases.csv --target target --candidates models.py
#              --against old --no-anatomy --output verdict.html --json > new.json
#          - if: always() && hashFiles('new.json') != ''
#            run: |
#              polychotomy compare $(ls main.json) new.json --markdown > comment.md  # the first time new.json alone
#              gh pr comment ${{ github.event.pull_request.number }} --body-file comment.md
#            env: {GH_TOKEN: "${{ github.token }}"}
#          - uses: actions/upload-artifact@v4
#            if: always()
#            with: {name: verdict, path: verdict.html}
#
# The seed is fixed, so the same data and models give the same answer each time; ``--study`` in a cached folder fits only
# what is new. A pull request from a fork may not write comments: give it the page only.
