"""A page as a reader's browser gives it: tables by caption, figures as CSV, words by their kind."""

import csv
import io
import re
from html.parser import HTMLParser
from typing import NamedTuple
from urllib.parse import unquote

import pandas as pd

NAMES = ["MAX", "1-NN", "LDA", "tree"]
N, K, FOLDS, MARGIN = 178, 3, 25, 0.01
GATHERED = ("p", "td", "th", "caption", "figcaption", "title", "dd", "dt", "li", "summary", "pre",
            "h1", "h2", "text")  # fmt: skip
SPANS = ("tip", "answer", "value")


class Page(HTMLParser):
    """Tables by caption, a list of {column: (text, value)} each; figures' numbers by name; words.

    Words are lists by kind: a paragraph's class, else the tag, ``tip``, ``answer``, ``value``, or
    ``message`` for what a figure says to who cannot see it.
    """

    def __init__(self, text):
        super().__init__()
        self.tables, self.csv, self.words = {}, {}, {}
        self._stack, self._row, self._rows, self._heads = [], None, None, []
        self._caption, self._hidden = "", 0
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        if tag == "a" and "download" in found:
            rows = csv.DictReader(io.StringIO(unquote(found["href"].partition(",")[2])))
            self.csv[found["download"].removesuffix(".csv")] = pd.DataFrame(list(rows))
        if found.get("role") == "img":
            self._keep("message", found["aria-label"])
        if tag == "table":
            self._rows, self._heads = [], []
        if tag == "tr":
            self._row = []
        if tag in ("style", "script", "button"):
            self._hidden += 1
        kind = found.get("class", "") if tag in ("p", "span", "text") else tag
        kind = f"text {kind}" if tag == "text" else kind
        if tag in GATHERED or (tag == "span" and kind in SPANS):
            self._stack.append((tag, kind, [], found.get("data-v")))
        elif tag == "span" and self._stack:
            self._stack.append((tag, "", self._stack[-1][2], None))  # its words are the outer's

    def handle_data(self, data):
        if self._stack and not self._hidden:
            self._stack[-1][2].append(data)

    def handle_endtag(self, tag):
        if tag in ("style", "script", "button"):
            self._hidden -= 1
        if self._stack and self._stack[-1][0] == tag:
            _, kind, parts, value = self._stack.pop()
            text = re.sub(r"[ \t\n\xa0]+", " ", "".join(parts)).strip()  # thin spaces stay
            if tag == "caption":
                self._caption = text
            elif tag in ("td", "th"):
                self._row.append((text, value))
            elif tag != "span" or kind:
                self._keep(kind, text)
        elif tag == "tr" and not self._heads:
            self._heads = [text for text, _ in self._row]
        elif tag == "tr":
            self._rows.append(dict(zip(self._heads, self._row, strict=True)))
        elif tag == "table":
            self.tables[self._caption] = self._rows

    def _keep(self, kind, text):
        self.words.setdefault(kind, []).append(text)

    def table(self, caption):
        (name,) = [one for one in self.tables if one.startswith(caption)]
        return self.tables[name]

    def sentences(self):
        """Every sentence said in paragraphs, without what it rests on, in order, once each."""
        kinds = [kind for kind in self.words if kind.split()[:1] == ["sentence"]]
        return {text for kind in kinds for text in self.words[kind]}


def value(cell):
    return float(cell[1])


def number(text):
    return float(text.replace("−", "-").replace("%", "").strip())


NUMBER = re.compile(r"(<\s*)?([−+-]?\d[\d\u202f]*(?:,\d{3})*(?:\.\d+)?(?:e[-+]\d+)?)")


class Printed(NamedTuple):
    """A number as it is written, and how much its last digit is worth; ``below``: "< 0.0001"."""

    value: float
    unit: float
    below: bool


def tokens(text):
    """All numbers of a text, in their order."""
    found = []
    for below, raw in NUMBER.findall(text):
        plain = re.sub("[,\u202f+]", "", raw).replace("−", "-")
        mantissa, _, exponent = plain.partition("e")
        digits = len(mantissa.partition(".")[2])
        found.append(Printed(float(plain), 10.0 ** (int(exponent or 0) - digits), bool(below)))
    return found


def printed(text):
    """The values of all numbers of a text, in their order."""
    return [one.value for one in tokens(text)]
