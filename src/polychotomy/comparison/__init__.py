"""Which learner, in what order? (YA06).

The public names are listed in ``__init__.pyi`` and loaded on first use: a verdict takes few of the
tests.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
