from .calibrators import Calibrator as Calibrator
from .calibrators import Unchanged as Unchanged
from .isotonic import Isotonic as Isotonic
from .isotonic import fit_isotonic as fit_isotonic
from .sigmoid import Sigmoid as Sigmoid
from .sigmoid import fit_sigmoid as fit_sigmoid
from .temperature import Temperature as Temperature
from .temperature import fit_temperature as fit_temperature
