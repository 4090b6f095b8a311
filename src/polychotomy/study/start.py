"""Start a program of ours: one thread for its linear algebra, out of reach of Ctrl-C."""

from __future__ import annotations

import os
import subprocess
import sys

_PROGRAM = "from polychotomy.study.worker import main; main()"
_THREADS = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)


def start_program(kind: str, shared: int | str) -> subprocess.Popen[bytes]:
    """Start a worker or a nest, with pipes to its standard input and output.

    Parameters
    ----------
    kind : str
        "worker" or "nest".
    shared : int or str
        The number of an open file for it to inherit, or the name of shared memory on Windows.
    """
    environment = os.environ | dict.fromkeys(_THREADS, "1")
    environment["PYTHONPATH"] = os.pathsep.join(os.path.abspath(path) for path in sys.path)
    command = [sys.executable, "-P", "-c", _PROGRAM, kind, str(shared)]
    pipe = subprocess.PIPE
    if sys.platform == "win32":
        apart = subprocess.CREATE_NEW_PROCESS_GROUP
        return subprocess.Popen(
            command, env=environment, stdin=pipe, stdout=pipe, creationflags=apart
        )
    return subprocess.Popen(
        command,
        env=environment,
        stdin=pipe,
        stdout=pipe,
        start_new_session=True,
        pass_fds=[int(shared)],
    )
