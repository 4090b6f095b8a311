"""
A study on a cluster
====================

Millions of fits take a while. A study can run on one machine or on many: the same study file, the same
seeds, the same results.

In short: ``dask scheduler`` on one machine, ``dask worker ADDRESS`` on each, then ``cluster=ADDRESS`` in Python or
``--cluster ADDRESS`` on the command line.
"""

# %%
# A scheduler and some workers
# ----------------------------
#
# Dask connects the machines. On a real cluster these two commands run on different machines, with polychotomy
# installed on each and an address in place of a file; here they all run on this one, listening to nobody else.

import subprocess
import sys
import tempfile
import time
from pathlib import Path

folder = Path(tempfile.mkdtemp())
address = folder / "scheduler.json"
dask = [sys.executable, "-m", "dask"]
quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
scheduler = subprocess.Popen(
    [*dask, "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
    + ["--scheduler-file", str(address)],
    **quiet,
)
workers = [
    subprocess.Popen(
        [*dask, "worker", "--scheduler-file", str(address), "--nthreads", "1"]
        + ["--death-timeout", "30", "--no-dashboard", "--local-directory", str(folder)],
        **quiet,
    )
    for _ in range(2)
]
while not address.exists():
    time.sleep(0.1)

# %%
# The same study as ever
# ----------------------
#
# Two data sets, two candidates, five times two folds: forty fits. Only ``cluster=`` is new. Data travel to
# each worker once; results come back in batches, and this process alone writes them to the study file.

from sklearn.datasets import load_iris, load_wine
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from polychotomy.study import RepeatedFolds, StudySpec

spec = StudySpec(
    {"iris": load_iris(return_X_y=True), "wine": load_wine(return_X_y=True)},
    {"naive Bayes": GaussianNB(), "1-NN": KNeighborsClassifier(1)},
    plan=RepeatedFolds(),
)
with spec.run(folder / "two.polychotomy", cluster=str(address)) as ledger:
    print(ledger.say_status())
    names = list(spec.candidates)
    on_cluster = {name: ledger.fold_errors(names, dataset=name) for name in ("iris", "wine")}

# %%
# One machine gives the same
# --------------------------
#
# A fit's seed depends on what it is, never on where or when it runs.

with spec.run() as ledger:
    print(
        all(
            (ledger.fold_errors(names, dataset=name) == errors).all()
            for name, errors in on_cluster.items()
        )
    )

# %%
# What came out
# -------------
#
# From here on it is a ledger like any other. Here are the errors on all folds, a dot each, darker where several fall together:

import matplotlib.pyplot as plt

_, axes = plt.subplots(1, 2, figsize=(7.6, 2.4), sharex=True, layout="constrained")
for ax, (name, errors) in zip(axes, on_cluster.items(), strict=True):
    for candidate, folds in zip(spec.candidates, errors, strict=True):
        ax.plot(100 * folds.ravel(), [candidate] * folds.size, "o", alpha=0.4)
    ax.set(title=name, xlabel="error on a fold, %", ylim=(1.5, -0.5))
plt.show()

# %%
# If a worker dies, its fits are done by another. If this process dies, or the scheduler, the same call goes on where
# it stopped. On the command line it is ``polychotomy judge … --study FILE --cluster ADDRESS``.

for process in (*workers, scheduler):
    process.terminate()
    process.wait()
