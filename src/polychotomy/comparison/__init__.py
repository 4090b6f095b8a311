"""Which learner, in what order? (YA06)."""

from polychotomy.comparison.criteria import Criterion
from polychotomy.comparison.drawings import draw_ordering
from polychotomy.comparison.five_by_two import f_test_5x2, t_test_5x2
from polychotomy.comparison.friedman import (
    ControlComparison,
    FriedmanTest,
    Nemenyi,
    bonferroni,
    compare_to_control,
    friedman_test,
    holm,
    nemenyi_test,
)
from polychotomy.comparison.groups import (
    LooneyTest,
    anova_test,
    cochran_test,
    kruskal_wallis_test,
    looney_test,
)
from polychotomy.comparison.mcnemar import McNemarTest, mcnemar_test
from polychotomy.comparison.multitest import (
    ManyOrderings,
    multitest,
    multitest_many,
    order_by_cost,
    order_by_removal,
)
from polychotomy.comparison.newman_keuls import RangeTest, duncan_test, newman_keuls, tukey_test
from polychotomy.comparison.ordering import MarginOrdering, Ordering
from polychotomy.comparison.paired_t import (
    calibrated_t_test,
    case_t_test,
    corrected_t_test,
    paired_t_test,
)
from polychotomy.comparison.pairs import PairAnswers, compare_cases, compare_pairs
from polychotomy.comparison.rank_sets import (
    RankSets,
    Strengths,
    league_ranks,
    league_strengths,
    rank_sets,
)
from polychotomy.comparison.results import GroupTest, PairedTest
from polychotomy.comparison.roc import ROCConvexHull, delong_test, roc_convex_hull
from polychotomy.comparison.sample_size import ComparisonPlan, plan_comparison
from polychotomy.comparison.selected_error import SelectedError, selected_error
from polychotomy.comparison.selection import (
    MultinomialSelection,
    multinomial_selection,
    select_anova,
    select_newman_keuls,
    select_testfirst,
)
from polychotomy.comparison.signed_rank import SignedRankTest, wilcoxon_test

__all__ = [
    "ComparisonPlan", "ControlComparison", "Criterion", "FriedmanTest",
    "GroupTest", "LooneyTest", "ManyOrderings", "MarginOrdering",
    "McNemarTest", "MultinomialSelection", "Nemenyi", "Ordering", "PairAnswers", "PairedTest",
    "ROCConvexHull", "RangeTest", "RankSets", "SelectedError", "SignedRankTest", "Strengths",
    "anova_test",
    "bonferroni", "calibrated_t_test", "case_t_test", "cochran_test",
    "compare_cases", "compare_pairs", "compare_to_control", "corrected_t_test", "delong_test",
    "draw_ordering", "duncan_test", "f_test_5x2", "friedman_test", "holm",
    "kruskal_wallis_test", "league_ranks", "league_strengths", "looney_test", "mcnemar_test",
    "multinomial_selection", "multitest", "multitest_many",
    "nemenyi_test", "newman_keuls",
    "order_by_cost", "order_by_removal", "paired_t_test", "plan_comparison",
    "rank_sets", "roc_convex_hull", "select_anova",
    "select_newman_keuls", "select_testfirst", "selected_error", "t_test_5x2", "tukey_test",
    "wilcoxon_test",
]  # fmt: skip
