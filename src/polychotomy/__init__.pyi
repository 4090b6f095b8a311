from . import arrays as arrays
from . import codes as codes
from . import combination as combination
from . import comparison as comparison
from . import datasets as datasets
from . import decoding as decoding
from . import decomposition as decomposition
from . import exceptions as exceptions
from . import learners as learners
from . import model as model
from . import multiclass as multiclass
from . import report as report
from . import reproduction as reproduction
from . import study as study
from . import validation as validation
from . import verdict as verdict
from .codes import (
    CodeQuality as CodeQuality,
    check_code as check_code,
    code_quality as code_quality,
    draw_code as draw_code,
    exhaustive as exhaustive,
    nested as nested,
    one_vs_one as one_vs_one,
    one_vs_rest as one_vs_rest,
    orthogonal as orthogonal,
    orthogonal_greedy as orthogonal_greedy,
    orthogonal_harmonic as orthogonal_harmonic,
    random_dense as random_dense,
    random_sparse as random_sparse,
)
from .combination import (
    CombinationAdvice as CombinationAdvice,
    HardMarginFit as HardMarginFit,
    ModestAdaBoostClassifier as ModestAdaBoostClassifier,
    PairMargins as PairMargins,
    RankBoostClassifier as RankBoostClassifier,
    RankMarginClassifier as RankMarginClassifier,
    RankMarginFit as RankMarginFit,
    RocCurves as RocCurves,
    SoftMarginFit as SoftMarginFit,
    TunedMarginFit as TunedMarginFit,
    auc as auc,
    auc_covariance as auc_covariance,
    aucs as aucs,
    average_weights as average_weights,
    best_single_weights as best_single_weights,
    greedy_selection_weights as greedy_selection_weights,
    pair_margins as pair_margins,
    rank_margin as rank_margin,
    rank_margin_weights as rank_margin_weights,
    roc_curves as roc_curves,
    stacked_logistic_weights as stacked_logistic_weights,
    tuned_margin_weights as tuned_margin_weights,
    would_combining_help as would_combining_help,
)
from .datasets import (
    fetch_dataset as fetch_dataset,
    load_folder_dataset as load_folder_dataset,
    read_table as read_table,
)
from .comparison import (
    AUCTest as AUCTest,
    ComparisonPlan as ComparisonPlan,
    ControlComparison as ControlComparison,
    Criterion as Criterion,
    DifferencePosterior as DifferencePosterior,
    ErrorTable as ErrorTable,
    FTest5x2 as FTest5x2,
    FriedmanTest as FriedmanTest,
    GroupTest as GroupTest,
    LooneyTest as LooneyTest,
    ManyOrderings as ManyOrderings,
    MarginOrdering as MarginOrdering,
    McNemarTest as McNemarTest,
    MultinomialSelection as MultinomialSelection,
    Nemenyi as Nemenyi,
    NewmanKeuls as NewmanKeuls,
    Ordering as Ordering,
    PairAnswers as PairAnswers,
    PairedTest as PairedTest,
    ROCConvexHull as ROCConvexHull,
    SelectedError as SelectedError,
    SelectionCounts as SelectionCounts,
    SignedRankTest as SignedRankTest,
    anova_test as anova_test,
    bayesian_t_test as bayesian_t_test,
    bonferroni as bonferroni,
    calibrated_t_test as calibrated_t_test,
    cochran_test as cochran_test,
    compare_pairs as compare_pairs,
    compare_to_control as compare_to_control,
    corrected_t_test as corrected_t_test,
    count_selections as count_selections,
    delong_test as delong_test,
    draw_critical_difference as draw_critical_difference,
    draw_ordering as draw_ordering,
    draw_roc_hull as draw_roc_hull,
    draw_underlines as draw_underlines,
    f_test_5x2 as f_test_5x2,
    friedman_test as friedman_test,
    holm as holm,
    hommel as hommel,
    kruskal_wallis_test as kruskal_wallis_test,
    looney_test as looney_test,
    mcnemar_test as mcnemar_test,
    mean_pair_auc as mean_pair_auc,
    minimum_detectable_difference as minimum_detectable_difference,
    multinomial_selection as multinomial_selection,
    multitest as multitest,
    multitest_many as multitest_many,
    nemenyi_test as nemenyi_test,
    newman_keuls as newman_keuls,
    order_by_cost as order_by_cost,
    order_by_removal as order_by_removal,
    paired_t_test as paired_t_test,
    plan_comparison as plan_comparison,
    probability_of_correct_selection as probability_of_correct_selection,
    roc_convex_hull as roc_convex_hull,
    select_anova as select_anova,
    select_newman_keuls as select_newman_keuls,
    select_testfirst as select_testfirst,
    selected_error as selected_error,
    shaffer as shaffer,
    t_test_5x2 as t_test_5x2,
    wilcoxon_test as wilcoxon_test,
)
from .decoding import (
    PreparedDecoder as PreparedDecoder,
    couple as couple,
    decode as decode,
    decode_bradley_terry as decode_bradley_terry,
    decode_least_squares as decode_least_squares,
    decode_loss as decode_loss,
    decode_votes as decode_votes,
    make_decoder as make_decoder,
    project_to_simplex as project_to_simplex,
)
from .learners import (
    ChosenNeighboursClassifier as ChosenNeighboursClassifier,
    NearestMeanClassifier as NearestMeanClassifier,
    PrunedTreeClassifier as PrunedTreeClassifier,
)
from .model import (
    Model as Model,
    RecalibratedClassifier as RecalibratedClassifier,
    fit_model as fit_model,
    load_model as load_model,
    predict_file as predict_file,
)
from .report import render_many as render_many, render_page as render_page
from .reproduction import Reproduction as Reproduction, reproduce as reproduce
from .study import (
    Bootstrap as Bootstrap,
    Dataset as Dataset,
    FixedSplit as FixedSplit,
    Ledger as Ledger,
    Limits as Limits,
    NestedSizes as NestedSizes,
    Progress as Progress,
    Race as Race,
    RepeatedFolds as RepeatedFolds,
    Study as Study,
    StudySpec as StudySpec,
    TimeFolds as TimeFolds,
    import_predictions as import_predictions,
)
from .validation import (
    Confusion as Confusion,
    ProbabilityScores as ProbabilityScores,
    ProbabilityTrace as ProbabilityTrace,
    Recalibration as Recalibration,
    ReliabilityDiagram as ReliabilityDiagram,
    TraceNull as TraceNull,
    Trust as Trust,
    assess_trust as assess_trust,
    confusion_of as confusion_of,
    probability_trace as probability_trace,
    recalibrate as recalibrate,
    reliability_diagram as reliability_diagram,
    score_probabilities as score_probabilities,
    smooth_calibration_error as smooth_calibration_error,
    uncertainty_coefficient as uncertainty_coefficient,
)
from .verdict import (
    ManyVerdicts as ManyVerdicts,
    Question as Question,
    Sentence as Sentence,
    Verdict as Verdict,
    affordable_ladder as affordable_ladder,
    for_tables as for_tables,
    for_trees as for_trees,
    judge as judge,
    ladder as ladder,
    unite_verdicts as unite_verdicts,
)
from .datasets import ConcentricNormals as ConcentricNormals, TwoNormals as TwoNormals
from .decomposition import (
    BaggingAdvice as BaggingAdvice,
    BootstrapErrorDecomposition as BootstrapErrorDecomposition,
    Deviance as Deviance,
    ErrorDecomposition as ErrorDecomposition,
    LearningCurveForecast as LearningCurveForecast,
    Loss as Loss,
    Misclassification as Misclassification,
    PairLoss as PairLoss,
    ScoredLoss as ScoredLoss,
    Squared as Squared,
    TrueDecomposition as TrueDecomposition,
    check_loss as check_loss,
    cover_hart_bound as cover_hart_bound,
    decompose_against_truth as decompose_against_truth,
    decompose_error as decompose_error,
    decompose_from_ledger as decompose_from_ledger,
    decompose_predictions as decompose_predictions,
    domingos as domingos,
    draw_error_budget as draw_error_budget,
    draw_sample_variance as draw_sample_variance,
    draw_variance_curves as draw_variance_curves,
    error_632 as error_632,
    error_632_plus as error_632_plus,
    kohavi_wolpert as kohavi_wolpert,
    learning_curve_forecast as learning_curve_forecast,
    learning_curve_losses as learning_curve_losses,
    simulate_decomposition as simulate_decomposition,
    would_bagging_help as would_bagging_help,
)

from .multiclass import (
    CodedClassifier as CodedClassifier,
    Dichotomy as Dichotomy,
    MergedMachines as MergedMachines,
    merge_machines as merge_machines,
    optimal_threshold as optimal_threshold,
)
from .datasets import FriedmanNormals as FriedmanNormals, PlaneMixtures as PlaneMixtures

__version__: str
