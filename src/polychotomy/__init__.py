"""Which classifier to use, by statistics instead of a leaderboard.

The public names are listed in ``__init__.pyi`` and loaded on first use, so that ``import
polychotomy`` costs nothing.
"""

import lazy_loader

from polychotomy._version import __version__ as __version__

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
