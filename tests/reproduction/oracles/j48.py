"""Make j48.csv: what Weka's J48, C4.5 release 8, answers when it is fitted to drawn tables.

``python tests/reproduction/oracles/j48.py WEKA.JAR`` needs Java; the file was made by Weka 3.6.14.
J48 is asked without pruning (``-U``), so that nothing is drawn: it still cuts what lowers no error
on the training rows. Missing numbers (n) and categories (c) are columns that a table does not have.
"""

import csv
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

COLUMNS = ("n0", "n1", "n2", "c0", "c1", "c2", "c3")
TABLES = (  # numbers, values of each category, classes
    *((3, (), 2), (3, (), 4), (0, (2, 3, 4, 5), 2), (0, (2, 3, 4, 5), 4)),
    *((2, (3, 4), 3), (1, (2, 6), 2), (2, (12,), 3), (3, (2, 2, 2, 2), 5)),
)
TRAINING, TEST = 160, 60


def draw(seed, numbers, sizes, k):
    """Rows whose classes depend on steps of the numbers and on the categories, with noise."""
    rng = np.random.default_rng(seed)
    n = TRAINING + TEST
    x = rng.normal(size=(n, numbers)).round(1)  # values repeat
    codes = [rng.integers(size, size=n) for size in sizes]
    scores = 0.7 * rng.normal(size=(n, k))
    for column in x.T:
        scores += np.outer(column > rng.normal() / 2, 1.5 * rng.normal(size=k))
    for size, code in zip(sizes, codes, strict=True):
        scores += 1.5 * rng.normal(size=(size, k))[code]
    own = {f"n{j}": column for j, column in enumerate(x.T.tolist())}
    own |= {f"c{j}": code.tolist() for j, code in enumerate(codes)}
    return own, scores.argmax(axis=1).tolist()


def write_arff(path, own, y, rows, sizes, k):
    kinds = {name: "numeric" for name in own if name[0] == "n"}
    kinds |= {f"c{j}": "{" + ",".join(map(str, range(size))) + "}" for j, size in enumerate(sizes)}
    kinds["y"] = "{" + ",".join(map(str, range(k))) + "}"
    lines = ["@relation drawn", *(f"@attribute {name} {kind}" for name, kind in kinds.items())]
    cells = [*own.values(), y]
    lines += ["@data", *(",".join(str(cell[row]) for cell in cells) for row in rows)]
    path.write_text("\n".join(lines) + "\n")


def ask_j48(jar, train, test):
    command = ["java", "-cp", jar, "weka.classifiers.trees.J48", "-U", "-M", "2", "-p", "0"]
    said = subprocess.run(
        [*command, "-t", train, "-T", test], capture_output=True, text=True, check=True
    )
    rows = [line.split() for line in said.stdout.splitlines() if line.strip()[:1].isdigit()]
    return [int(row[2].split(":")[1]) for row in rows]  # after the true class


def main(jar):
    with (
        Path(__file__).with_suffix(".csv").open("w", newline="") as file,
        tempfile.TemporaryDirectory() as folder,
    ):
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["table", *COLUMNS, "y", "j48"])
        train, test = Path(folder, "train.arff"), Path(folder, "test.arff")
        for table, (numbers, sizes, k) in enumerate(TABLES):
            own, y = draw(table, numbers, sizes, k)
            write_arff(train, own, y, range(TRAINING), sizes, k)
            write_arff(test, own, y, range(TRAINING, len(y)), sizes, k)
            answers = [""] * TRAINING + ask_j48(jar, train, test)
            for row, answer in enumerate(answers):
                cells = [own[name][row] if name in own else "" for name in COLUMNS]
                writer.writerow([table, *cells, y[row], answer])


if __name__ == "__main__":
    main(sys.argv[1])
