"""``skops.io``, imported without torch and dask, which it does not use.

It looks for every estimator of scikit-learn, hence imports all packages of that, and two of these
import torch and dask where they are installed: 1.5 s and 200 MB of every `predict`.
"""

import sys

_UNUSED = {"torch", "dask"} - sys.modules.keys()

sys.modules.update(dict.fromkeys(_UNUSED))  # type: ignore[arg-type]  # None: as if not installed
try:
    from skops import io as io
finally:
    for _name in _UNUSED:
        del sys.modules[_name]
