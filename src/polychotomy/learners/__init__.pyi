from .chosen_neighbours import ChosenNeighboursClassifier as ChosenNeighboursClassifier
from .nearest_mean import NearestMeanClassifier as NearestMeanClassifier
from .pruned_tree import PrunedTreeClassifier as PrunedTreeClassifier
from .tuned import tuned as tuned
