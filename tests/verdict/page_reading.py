"""A page as a reader's browser gives it: tables by their captions, numbers of figures as CSV."""

import csv
import io
import re
from html.parser import HTMLParser
from urllib.parse import unquote

import pandas as pd

NAMES = ["MAX", "1-NN", "LDA", "tree"]
N, K, FOLDS, MARGIN = 178, 3, 25, 0.01


class Page(HTMLParser):
    """Tables by caption, a list of {column: (text, value)} each, and figures' numbers by name."""

    def __init__(self, text):
        super().__init__()
        self.tables, self.csv, self.words = {}, {}, {}
        self._cell = self._row = self._rows = None
        self._heads, self._caption = [], ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        if tag == "a" and "download" in found:
            rows = csv.DictReader(io.StringIO(unquote(found["href"].partition(",")[2])))
            self.csv[found["download"].removesuffix(".csv")] = pd.DataFrame(list(rows))
        if tag == "table":
            self._rows, self._heads = [], []
        if tag == "tr":
            self._row = []
        if tag in ("td", "th", "caption", "p", "dd"):
            self._cell, self._value = "", found.get("data-v")
            self._kind = found.get("class", "")

    def handle_data(self, data):
        if self._cell is not None:
            self._cell += data

    def handle_endtag(self, tag):
        if tag == "caption":
            self._caption = self._cell
        elif tag == "p":
            self.words.setdefault(self._kind, []).append(self._cell)
        elif tag in ("td", "th"):
            self._row.append((self._cell.strip(), self._value))
        elif tag == "tr" and not self._heads:
            self._heads = [text for text, _ in self._row]
        elif tag == "tr":
            self._rows.append(dict(zip(self._heads, self._row, strict=True)))
        elif tag == "table":
            self.tables[self._caption] = self._rows
        if tag in ("td", "th", "caption", "p", "dd"):
            self._cell = None

    def table(self, caption):
        (name,) = [one for one in self.tables if one.startswith(caption)]
        return self.tables[name]


def value(cell):
    return float(cell[1])


def number(text):
    return float(text.replace("−", "-").replace("%", "").strip())


NUMBER = re.compile(r"[−+-]?\d[\d\u202f]*(?:,\d{3})*(?:\.\d+)?(?:e[-+]\d+)?")


def printed(text):
    """All numbers of a text, in their order."""
    found = NUMBER.findall(text)
    return [float(re.sub("[,\u202f]", "", one).replace("−", "-")) for one in found]
