"""The sentence on whom the chosen one is shown to be better than, with the numbers it must have."""


def better(w, text):
    shown = [j for j in range(w.r.m) if j != w.r.best and w.r.answer(w.r.best, j) == "better"]
    nearest = min(shown, key=lambda j: w.r.means[j])
    whom = text.partition("better than ")[2].partition(";" if shown[1:] else ",")[0]
    names = whom.replace(" and ", ", ").split(", ")
    assert names == [w.r.names[j] for j in shown][:4] + (
        [f"{len(shown) - 4} more"] * (len(shown) > 5)
    )
    if shown[1:]:
        assert f"; than {w.r.names[nearest]}, the nearest of them, by " in text
    mean, low, high, p = w.r.difference(nearest, w.r.best)
    more = [len(shown) - 4] if len(shown) > 5 else []
    return [*more, w.scale * mean, 95, w.scale * low, w.scale * high, p]


def better_basis(w, basis):
    return [95]
