"""Print pyproject's lower bounds as exact pins, for the tests against the declared floors."""

import re
import sys
import tomllib
from pathlib import Path

project = tomllib.loads(Path("pyproject.toml").read_text())["project"]
extras = project["optional-dependencies"]
requirements = [*project["dependencies"], *(line for extra in extras.values() for line in extra)]
pins = [re.fullmatch(r"([\w.-]+)>=([\w.]+)", line) for line in requirements]
if not all(pins):
    sys.exit(f"expected NAME>=VERSION only, found {requirements[pins.index(None)]!r}")
others = [
    *project["dependencies"],
    *(x for n in extras if n not in ("test", "docs") for x in extras[n]),
]
test_only = {re.match(r"[\w.-]+", line)[0] for line in requirements if line not in others}
print(*(f"{pin[1]}=={pin[2]}" for pin in pins if pin[1] not in test_only), sep="\n")
