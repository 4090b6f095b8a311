"""Rows of text as Markdown and LaTeX tables."""

from __future__ import annotations

from collections.abc import Sequence

_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    r"""Make a Markdown table; pipes and line ends in the text are escaped.

    Examples
    --------
    >>> print(markdown_table(["learner", "error"], [["a|b", "0.1"]]), end="")
    | learner | error |
    | --- | --- |
    | a\|b | 0.1 |
    """
    lines = [header, ["---"] * len(header), *rows]
    return "".join("| " + " | ".join(_markdown(cell) for cell in line) + " |\n" for line in lines)


def _markdown(cell: str) -> str:
    return " ".join(cell.replace("|", r"\|").split())


def latex_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    r"""Make a LaTeX tabular with the rules of booktabs; special characters are escaped.

    Examples
    --------
    >>> print(latex_table(["learner", "error"], [["a_b", "0.1"]]), end="")
    \begin{tabular}{ll}
    \toprule
    learner & error \\
    \midrule
    a\_b & 0.1 \\
    \bottomrule
    \end{tabular}
    """
    body = [r"\toprule", _latex(header), r"\midrule", *map(_latex, rows), r"\bottomrule"]
    begin = rf"\begin{{tabular}}{{{'l' * len(header)}}}"
    return "\n".join([begin, *body, r"\end{tabular}"]) + "\n"


def _latex(cells: Sequence[str]) -> str:
    escaped = ("".join(_LATEX.get(letter, letter) for letter in cell) for cell in cells)
    return " & ".join(escaped) + r" \\"
