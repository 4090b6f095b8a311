"""Take commands and Python snippets out of the README, so that CI runs exactly what it shows."""

import re
import sys
from pathlib import Path


def blocks(language: str) -> list[str]:
    text = Path("README.md").read_text()
    return re.findall(rf"^```{language}\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)


def command(word: str) -> str:
    """The one-line command that contains a word."""
    found = [block.strip() for block in blocks("bash") if word in block]
    if len(found) != 1 or "\n" in found[0]:
        sys.exit(f"expected one one-line command with {word!r} in README.md, found {found}")
    return found[0]


if __name__ == "__main__":
    kind, *rest = sys.argv[1:]
    if kind == "command":
        print(command(rest[0]))
    else:
        snippets = blocks("python")
        for number, snippet in enumerate(snippets, start=1):
            print(f"README snippet {number} of {len(snippets)}", flush=True)
            exec(compile(snippet, f"README.md, snippet {number}", "exec"), {})
