from . import arrays as arrays
from . import codes as codes
from . import combination as combination
from . import comparison as comparison
from . import datasets as datasets
from . import decoding as decoding
from . import decomposition as decomposition
from . import exceptions as exceptions
from . import learners as learners
from . import multiclass as multiclass
from . import report as report
from . import study as study
from . import validation as validation
from . import verdict as verdict

__version__: str
