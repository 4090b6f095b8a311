"""Ask every web address of the documentation whether it is still there.

    python docs/check_web_links.py FOLDER

has Sphinx list the links in FOLDER, without running a tutorial, and ends with exit code 1 where an
address is dead: not found (404), gone (410), or of a host that nobody knows while others are known.
What cannot be told (a host that refuses robots, is slow or has a bad day) is named and fails
nothing, so that the answer does not change from run to run. Where there is no network this is said,
nothing is checked, and the exit code is 0.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.error import HTTPError
from urllib.request import Request, urlopen

DEAD = re.compile(r"^(404|410) |Name or service not known|nodename nor servname")
HOSTS = ("https://doi.org/", "https://www.python.org/", "https://arxiv.org/")
LEADS_ON = ("working", "redirected")


class Link(NamedTuple):
    """A link and what became of it."""

    address: str
    page: str
    status: str
    info: str


def is_there_a_network(hosts: Sequence[str] = HOSTS) -> bool:
    """Whether any of a few hosts that are always there answers at all."""
    for host in hosts:
        try:
            urlopen(Request(host, method="HEAD"), timeout=10).close()
        except HTTPError:
            return True  # a refusal is an answer
        except (OSError, ValueError):
            continue
        return True
    return False


def read_links(lines: Iterable[str]) -> list[Link]:
    """Read what Sphinx's linkcheck found, ``output.json``: a web address each line."""
    found = (json.loads(line) for line in lines if line.strip())
    return [
        Link(one["uri"], f"{one['filename']}:{one['lineno']}", one["status"], one["info"])
        for one in found
        if one["uri"].startswith("http")
    ]


def is_dead(link: Link) -> bool:
    """Whether an address is certainly no longer there."""
    return link.status == "broken" and bool(DEAD.search(link.info))


def say(links: Sequence[Link]) -> str:
    """Say how many addresses lead on, which are dead, and of which it cannot be told."""
    dead = [link for link in links if is_dead(link)]
    unsure = [link for link in links if link.status not in LEADS_ON and not is_dead(link)]
    lines = [f"dead: {link.address} ({link.page}): {link.info}" for link in dead]
    lines += [f"cannot be told: {link.address} ({link.page}): {link.info}" for link in unsure]
    n_good = len(links) - len(dead) - len(unsure)
    total = f"{n_good} lead on, {len(dead)} are dead, of {len(unsure)} it cannot be told"
    return "\n".join([*lines, f"Web links: {len(links)} found, {total}."])


def main(folder: Path) -> int:
    if not is_there_a_network():
        print(f"Web links: NOT CHECKED, for there is no network ({', '.join(HOSTS)} are silent).")
        return 0
    docs = Path(__file__).parent
    options = ("plot_gallery=0", "linkcheck_retries=3", "linkcheck_timeout=20")
    command = [sys.executable, "-m", "sphinx", "-q", "-b", "linkcheck"]
    command += [word for option in options for word in ("-D", option)]
    # Its exit code is 1 for every doubt; what it found decides here.
    subprocess.run([*command, str(docs), str(folder)], check=False, capture_output=True)
    links = read_links((folder / "output.json").read_text(encoding="utf-8").splitlines())
    print(say(links))
    return 1 if not links or any(map(is_dead, links)) else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(Path(sys.argv[1])))
