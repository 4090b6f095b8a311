"""The learners of YA06 that scikit-learn lacks, one that chooses its own k, and a search.

The public names are listed in ``__init__.pyi`` and loaded on first use: to judge what was
predicted elsewhere takes no learner.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
