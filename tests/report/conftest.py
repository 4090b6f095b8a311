"""Pages of hostile and of ordinary data, and a real Chromium: Debian's, found on the PATH."""

import os
import shutil

import numpy as np
import pandas as pd
import pytest
from hostile_data import PAYLOADS, Broken
from sklearn.datasets import load_iris, load_wine
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from polychotomy import judge


@pytest.fixture(scope="session")
def hostile():
    """A verdict with payloads in the names of table, columns, classes, candidates, and errors."""
    X, y = load_iris(return_X_y=True)
    candidates = {
        PAYLOADS[3]: DummyClassifier(),
        PAYLOADS[0]: GaussianNB(),
        PAYLOADS[4]: GaussianNB(var_smoothing=1e-3),
        "broken": Broken(PAYLOADS[1]),
    }
    return judge(
        candidates,
        pd.DataFrame(X, columns=PAYLOADS[:4]),
        np.array(PAYLOADS[:3])[y],
        dataset=PAYLOADS[2],
        notes=[PAYLOADS[1]],
        anatomy=False,
    )


@pytest.fixture(scope="session")
def ordinary():
    """A verdict with every question asked."""
    X, y = load_wine(return_X_y=True)
    candidates = {
        "MAX": DummyClassifier(),
        "naive Bayes": GaussianNB(),
        "tree": DecisionTreeClassifier(random_state=0),
    }
    labels = np.array(["first", "second", "third"])[y]
    return judge(candidates, X, labels, dataset="wine")


@pytest.fixture(scope="session")
def write(tmp_path_factory):
    """Write a page into a file of its own."""

    def to_file(page):
        path = tmp_path_factory.mktemp("page") / "page.html"
        path.write_text(page, encoding="utf-8")
        return path

    return to_file


@pytest.fixture(scope="session")
def hostile_page(hostile, write):
    return write(hostile.to_html())


@pytest.fixture(scope="session")
def ordinary_page(ordinary, write):
    return write(ordinary.to_html())


@pytest.fixture(scope="session")
def browser():
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        if os.environ.get("CI"):
            pytest.fail("CI must run the browser tests, and there is no chromium on the PATH")
        pytest.skip("no chromium on the PATH: the page was not looked at in a browser")
    sync_api = pytest.importorskip("playwright.sync_api", reason="no playwright for the browser")
    flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
    flags += ["--disable-background-networking", "--disable-component-update", "--disable-sync"]
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=flags)
        yield browser
        browser.close()


@pytest.fixture
def opened(browser):
    """Open a page; return its tab and what it said and asked for."""
    contexts = []

    def open_page(path, **options):
        context = browser.new_context(**options)
        contexts.append(context)
        tab = context.new_page()
        seen = {"console": [], "requests": []}
        tab.on("console", lambda message: seen["console"].append(message.text))
        tab.on("pageerror", lambda error: seen["console"].append(str(error)))
        tab.on("request", lambda request: seen["requests"].append(request.url))
        tab.goto(path.as_uri())
        return tab, seen

    yield open_page
    for context in contexts:
        context.close()
