"""What limits the error, and would bagging help? (T96).

The public names are listed in ``__init__.pyi`` and loaded on first use: a verdict on
predictions takes few of them.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
