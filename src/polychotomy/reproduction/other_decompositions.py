"""Others' decompositions, from the same votes (Kohavi & Wolpert; Breiman; Domingos)."""

from __future__ import annotations

import numpy as np

from polychotomy.core.arguments import as_floats, check_codes, shown
from polychotomy.core.arrays import Floats, Ints
from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.result import DataFrame
from polychotomy.decomposition import ErrorDecomposition, Misclassification

_ROUNDED = 1e-6  # how far shares may be from adding up to 1


def kohavi_wolpert(votes: Floats, y: Ints) -> tuple[Floats, Floats]:
    """Squared bias and variance of Kohavi & Wolpert (1996), which add up to the error.

    Their decomposition of 0–1 loss is T96's of the squared loss, halved, applied to votes. With
    one label for each sample its noise term is zero and the noise is counted in the bias.

    Parameters
    ----------
    votes : (n, k) floats
        Share of the fits that vote for each class.
    y : (n,) ints
        Class codes.

    Returns
    -------
    (n,) floats, (n,) floats
        Squared bias and variance a sample.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.reproduction.other_decompositions import kohavi_wolpert
    >>> bias, variance = kohavi_wolpert(np.array([[0.25, 0.75]]), np.array([1]))
    >>> bias.tolist(), variance.tolist()  # add up to the error, 0.25
    ([0.0625], [0.1875])
    """
    votes, y = _checked(votes, y)
    square = (votes * votes).sum(axis=1)
    right = votes[np.arange(len(y)), y]
    return 0.5 * (1.0 - 2.0 * right + square), 0.5 * (1.0 - square)


def breiman(votes: Floats, y: Ints, posterior: Floats | None = None) -> tuple[Floats, Floats]:
    """Bias and variance of Breiman (1996), T96's eq. (47): Bayes error + bias + variance = error.

    What a vote loses on the Bayes rule is variance where the class with most votes is the Bayes
    rule's, and bias where it is not (ties shared). So a sample has either the one or the other:
    T96 (§7) finds this artificial.

    Parameters
    ----------
    votes : (n, k) floats
        Share of the fits that vote for each class.
    y : (n,) ints
        Class codes.
    posterior : (n, k) floats, optional
        True probabilities of the classes. Without them the label is taken for certain, and the
        noise is counted in both terms.

    Returns
    -------
    (n,) floats, (n,) floats
        Bias and variance of each sample.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.reproduction.other_decompositions import breiman
    >>> votes = np.array([[0.25, 0.75], [0.25, 0.75]])
    >>> bias, variance = breiman(votes, np.array([1, 0]))
    >>> bias.tolist(), variance.tolist()
    ([0.0, 0.75], [0.25, 0.0])
    """
    votes, y = _checked(votes, y)
    p = np.eye(votes.shape[1])[y] if posterior is None else _checked(posterior, y)[0]
    rule = Misclassification()
    unbiased = (rule.votes(votes) * rule.votes(p)).sum(axis=1)
    lost = p.max(axis=1) - (p * votes).sum(axis=1)
    return (1.0 - unbiased) * lost, unbiased * lost


def domingos(votes: Floats, y: Ints) -> tuple[Floats, Floats, Floats]:
    """Bias, unbiased and biased variance of Domingos (2000): error = bias + unbiased − biased.

    The bias is one where the main prediction, the class with most votes, is wrong (ties shared).
    Votes away from it cost where it is right (unbiased variance) and pay where they find the
    true class instead (biased variance). For hard votes the bias is T96's aggregated error, and
    unbiased minus biased variance its aggregation effect.

    Parameters
    ----------
    votes : (n, k) floats
        Share of the fits that vote for each class.
    y : (n,) ints
        Class codes.

    Returns
    -------
    (n,) floats, (n,) floats, (n,) floats
        Bias, unbiased variance, biased variance a sample.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.reproduction.other_decompositions import domingos
    >>> votes = np.array([[0.25, 0.75], [0.25, 0.75]])
    >>> bias, unbiased, biased = domingos(votes, np.array([1, 0]))
    >>> bias.tolist(), unbiased.tolist(), biased.tolist()
    ([0.0, 1.0], [0.25, 0.0], [0.0, 0.25])
    """
    votes, y = _checked(votes, y)
    rows = np.arange(len(y))
    unbiased = Misclassification().votes(votes)[rows, y]  # chance that the main prediction is right
    right = votes[rows, y]
    return 1.0 - unbiased, unbiased * (1.0 - right), (1.0 - unbiased) * right


def _checked(votes: Floats, y: Ints) -> tuple[Floats, Ints]:
    shares = as_floats("votes", votes)
    if shares.ndim != 2 or shares.shape[1] < 2:
        raise InvalidInput(
            f"votes has shape {shares.shape}; expected (n, k): for each sample the share of the "
            "fits that vote for each of two or more classes."
        )
    off = ~((shares >= 0).all(axis=1) & (np.abs(shares.sum(axis=1) - 1) <= _ROUNDED))
    if off.any():
        row = int(off.argmax())
        raise InvalidInput(
            f"votes[{row}] is {shown(shares[row].tolist())}; expected shares that add up to 1."
        )
    return shares, check_codes(y, n=shares.shape[0], k=shares.shape[1])


def reconcile(decomposition: ErrorDecomposition) -> DataFrame:
    """All decompositions' terms from the votes of the same fits, a row for each term."""
    import pandas as pd

    seen = decomposition.n_out_of_bag > 0
    votes, y = decomposition.votes[seen], decomposition.y[seen].astype(np.intp)
    bias, variance = kohavi_wolpert(votes, y)
    missed, spread = breiman(votes, y)
    main, unbiased, biased = domingos(votes, y)
    terms = (
        ("kohavi-wolpert", "bias", bias),
        ("kohavi-wolpert", "variance", variance),
        ("breiman", "bias", missed),
        ("breiman", "variance", spread),
        ("domingos", "bias", main),
        ("domingos", "unbiased variance", unbiased),
        ("domingos", "biased variance (subtracts)", biased),
    )
    rows = [(name, term, float(values.mean())) for name, term, values in terms]
    return pd.DataFrame(rows, columns=["decomposition", "term", "value"])
