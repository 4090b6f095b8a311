"""Weights for several classifiers, learned for ranking (MST09).

The public names are listed in ``__init__.pyi`` and loaded on first use: to ask whether combining
would help takes no classifier that combines.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
