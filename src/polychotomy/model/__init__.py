"""A model to take away: the winner on all data, recalibrated, with its schema, in one file.

The public names are listed in ``__init__.pyi`` and loaded on first use: to predict takes neither
what fits a model nor what judges it.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
