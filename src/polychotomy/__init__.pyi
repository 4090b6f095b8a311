from . import app as app
from . import calibration as calibration
from . import codes as codes
from . import combination as combination
from . import comparison as comparison
from . import core as core
from . import decoding as decoding
from . import decomposition as decomposition
from . import learners as learners
from . import model as model
from . import multiclass as multiclass
from . import report as report
from . import reproduction as reproduction
from . import study as study
from . import tables as tables
from . import telling as telling
from . import validation as validation
from . import verdict as verdict
from .verdict import (
    ManyVerdicts as ManyVerdicts,
    Question as Question,
    Verdict as Verdict,
    judge as judge,
    unite_verdicts as unite_verdicts,
)
from .study import (
    Ledger as Ledger,
    Study as Study,
    for_tables as for_tables,
    for_trees as for_trees,
    import_predictions as import_predictions,
    ladder as ladder,
)
from .learners import (
    tuned as tuned,
)
from .tables import (
    read_table as read_table,
)
from .model import (
    load_model as load_model,
)
from .codes import (
    code_quality as code_quality,
    one_vs_one as one_vs_one,
    one_vs_rest as one_vs_rest,
    orthogonal as orthogonal,
)
from .decoding import (
    couple as couple,
    decode as decode,
)
from .multiclass import (
    CodedClassifier as CodedClassifier,
    merge_machines as merge_machines,
    optimal_threshold as optimal_threshold,
)
from .combination import (
    ModestAdaBoostClassifier as ModestAdaBoostClassifier,
    RankBoostClassifier as RankBoostClassifier,
    RankMarginClassifier as RankMarginClassifier,
    rank_margin_weights as rank_margin_weights,
    would_combining_help as would_combining_help,
)
from .validation import (
    assess_trust as assess_trust,
    probability_trace as probability_trace,
    recalibrate as recalibrate,
    reliability_diagram as reliability_diagram,
    score_probabilities as score_probabilities,
    uncertainty_coefficient as uncertainty_coefficient,
)
from .decomposition import (
    decompose_error as decompose_error,
    decompose_predictions as decompose_predictions,
    learning_curve_forecast as learning_curve_forecast,
    would_bagging_help as would_bagging_help,
)
from .comparison import (
    compare_to_control as compare_to_control,
    corrected_t_test as corrected_t_test,
    friedman_test as friedman_test,
    mcnemar_test as mcnemar_test,
    multitest as multitest,
    plan_comparison as plan_comparison,
)
from .core.exceptions import (
    PolychotomyError as PolychotomyError,
    PolychotomyWarning as PolychotomyWarning,
)

__version__: str
