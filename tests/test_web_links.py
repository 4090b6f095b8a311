"""Web addresses in the documentation are well formed; who has a network asks whether they live."""

from __future__ import annotations

import ast
import importlib
import json
import re
import threading
from collections import defaultdict
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import pytest

ROOT = Path(__file__).parents[1]
UNMADE = {"_build", "generated", "auto_tutorials"}
ADDRESS = re.compile(r"""(?:https?|ftp)://[^\s<>"'`|\\^{}\[\]]+""")
DOI = re.compile(r"https://doi\.org/10\.\d{4,9}/[^\s?#]+")
BARE_DOI = re.compile(r"(?<![\w/.-])(?:doi:\s*)?10\.\d{4,9}/\w", flags=re.IGNORECASE)
ARXIV = re.compile(r"https://arxiv\.org/abs/\d{4}\.\d{4,5}(v\d+)?")
TITLED = re.compile(r"\[([^\]]+)\]\((https?://[^)\s]+)\)|`([^`<]+)\s<(https?://[^>\s]+)>`__?")


@cache
def written() -> dict[str, str]:
    """What people read, by file: pages, tutorials, and the docstrings of the source."""
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *ROOT.glob("docs/tutorials/*")]
    texts = {
        str(page.relative_to(ROOT)): page.read_text(encoding="utf-8")
        for page in sorted(pages)
        if page.suffix in (".md", ".py", ".rst") and not UNMADE & set(page.relative_to(ROOT).parts)
    }
    for source in sorted((ROOT / "src").rglob("*.py")):
        tree = ast.parse(source.read_text(encoding="utf-8"))
        documented = ast.Module | ast.ClassDef | ast.FunctionDef
        owners = [node for node in ast.walk(tree) if isinstance(node, documented)]
        texts[str(source.relative_to(ROOT))] = "\n".join(
            ast.get_docstring(node) or "" for node in owners
        )
    texts["CITATION.cff"] = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    return texts


def addresses(text: str) -> list[str]:
    """Web addresses in a text, without the stop or bracket that ends a sentence around them."""
    found = (address.rstrip(".,;:!?*") for address in ADDRESS.findall(text))
    return [one[:-1] if one.endswith(")") and "(" not in one else one for one in found]


def flaw(address: str) -> str | None:
    """What is wrong with the form of an address; None where nothing is."""
    parts = urlsplit(address)
    host = parts.hostname or ""
    if parts.scheme != "https":
        return "is not https"
    if not re.fullmatch(r"([a-z0-9-]+\.)+[a-z]{2,}", host):
        return "has no host that can be on the web"
    if "//" in parts.path or not address.isascii():
        return "has an empty part or odd characters"
    if host.endswith("doi.org") and not DOI.fullmatch(address):
        return "is no DOI; expected https://doi.org/10.NNNN/NAME"
    if host.endswith("arxiv.org") and not ARXIV.fullmatch(address):
        return "is no paper on arXiv; expected https://arxiv.org/abs/NNNN.NNNNN"
    return None


@cache
def found() -> list[tuple[str, str]]:
    """Every address, with the file that it is in."""
    return sorted({(file, one) for file, text in written().items() for one in addresses(text)})


def test_there_are_links():
    assert len({address for _, address in found()}) > 20


def test_well_formed():
    for file, address in found():
        assert flaw(address) is None, f"{file}: {address} {flaw(address)}"


def test_no_doi_without_its_address():
    """A DOI that is only text leads nowhere."""
    for file, text in written().items():
        rest = ADDRESS.sub("", text)
        assert not BARE_DOI.search(rest), f"{file}: {BARE_DOI.search(rest)}"


def test_one_address_has_one_text_and_one_spelling():
    texts, spellings = defaultdict(set), defaultdict(set)
    for text in written().values():
        for title, address, rst_title, rst_address in TITLED.findall(text):
            texts[address or rst_address].add(" ".join((title or rst_title).split()))
    for _, address in found():
        spellings[address.lower().removesuffix("/").replace("://www.", "://")].add(address)
    assert not {address: names for address, names in texts.items() if len(names) > 1}
    assert not {key: names for key, names in spellings.items() if len(names) > 1}


def test_flaws_are_found():
    for address in (
        "http://www.jmlr.org/papers/v5/wu04a.html",
        "https://localhost/page",
        "https://example",
        "https://example.org//page",
        "https://dx.doi.org/10.1007/BF00938486",
        "https://doi.org/10.1/x",
        "https://doi.org/10.1007",
        "https://arxiv.org/pdf/1801.09055",
        "https://arxiv.org/abs/1801",
    ):
        assert flaw(address), address


def test_addresses_are_cut_out_of_sentences():
    text = "See https://a.org/x. (Or https://b.org/y_(z), <https://c.org/>; not `https://d.org`.)"
    assert addresses(text) == [
        "https://a.org/x",
        "https://b.org/y_(z)",
        "https://c.org/",
        "https://d.org",
    ]
    assert BARE_DOI.search("doi:10.1007/BF00938486")
    assert not BARE_DOI.search("10.5/7, 192.0.2.1:8786/x, 3.10.2024/x")


@pytest.fixture
def checker(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "docs")
    return importlib.import_module("check_web_links")


def finding(status, info, uri="https://a.org/"):
    return json.dumps(
        {"filename": "x.md", "lineno": 3, "status": status, "code": 0, "uri": uri, "info": info}
    )


def test_what_linkcheck_found_is_told_apart(checker):
    lines = [
        finding("working", ""),
        finding("redirected", "https://b.org/"),
        finding("unchecked", "", uri="#here"),
        finding("broken", "404 Client Error: Not Found for url: https://a.org/", "https://a.org/4"),
        finding("broken", "… [Errno -2] Name or service not known", "https://gone.org/"),
        finding(
            "broken", "403 Client Error: Forbidden for url: https://a.org/404 ", "https://r.org"
        ),
        finding("broken", "… [Errno -3] Temporary failure in name resolution", "https://s.org/"),
        finding("timeout", "read timed out", "https://slow.org/"),
        "",
    ]
    links = checker.read_links(lines)
    said = checker.say(links)
    assert [link.address for link in links if checker.is_dead(link)] == [
        "https://a.org/4",
        "https://gone.org/",
    ]
    assert "dead: https://a.org/4 (x.md:3): 404" in said
    assert "cannot be told: https://slow.org/" in said
    assert said.endswith("7 found, 2 lead on, 2 are dead, of 3 it cannot be told.")


class _Refuses(BaseHTTPRequestHandler):
    def do_HEAD(self):
        self.send_error(403)

    def log_message(self, *_):
        pass


def test_a_refusal_is_an_answer_and_silence_is_none(checker):
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Refuses)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    there = f"http://127.0.0.1:{server.server_port}/"
    assert checker.is_there_a_network([there])
    server.shutdown()
    server.server_close()
    assert not checker.is_there_a_network([there, "https://name.invalid/"])


def test_without_a_network_it_says_that_nothing_was_checked(checker, monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(checker, "is_there_a_network", lambda: False)
    assert checker.main(tmp_path) == 0
    assert "NOT CHECKED" in capsys.readouterr().out
    assert not list(tmp_path.iterdir())
