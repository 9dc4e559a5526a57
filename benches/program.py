"""Measures the program `nbayes` on files, and writes docs/performance/program.md.

    cargo build --release -p nbayes && strip -o target/nbayes target/release/nbayes
    python benches/program.py target/nbayes --symbols target/release/nbayes

Files are written to a temporary folder from fixed seeds. Times are processor seconds (user and system), the least of some
runs, since other work on a machine only adds to them; memory is the peak of the process. polars and scikit-learn, where Python
finds them, read the same files, fit and predict. Needs NumPy, and Linux, where the unit of memory is known.
"""

from __future__ import annotations

import argparse
import collections
import importlib.util
import json
import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile
import time
from typing import Any, Iterable

PAGE = pathlib.Path(__file__).parent.parent / "docs/performance/program.md"
PEER = """
import sys, polars
from sklearn.naive_bayes import GaussianNB
table = polars.read_csv(sys.argv[1])
rows, labels = table.drop("y").to_numpy(), table["y"].to_numpy()
model = GaussianNB().fit(rows, labels)
if sys.argv[2] == "predict":
    print((model.predict(rows) == labels).mean())
"""


def classes(rng: Any, n: int, columns: int, k: int, apart: float) -> tuple[Any, list[str]]:
    """Rows around the means of their classes, and their labels."""
    import numpy as np

    labels = rng.integers(0, k, n)
    means, deviations = rng.normal(size=(k, columns)) * apart, np.exp(rng.normal(size=(k, columns)) * 0.1)
    rows = means[labels] + deviations[labels] * rng.normal(size=(n, columns))
    return rows, [f"c{label:05d}" for label in labels]


def write(path: pathlib.Path, rows: Iterable[Iterable[object]], labels: list[str], columns: int, form: str) -> None:
    names = ",".join(f"x{column}" for column in range(columns))
    with open(path, "w") as file:
        file.write(f"{names},y\n")
        for row, label in zip(rows, labels):
            file.write(",".join(format(cell, form) if form else str(cell) for cell in row) + f",{label}\n")


def write_files(folder: pathlib.Path) -> None:
    """Writes the files, and what they are."""
    import numpy as np

    rng = np.random.default_rng(1)
    found: dict[str, str] = {}

    def add(name: str, what: str, n: int, columns: int, k: int, apart: float, form: str) -> None:
        rows, labels = classes(rng, n, columns, k, apart)
        path = folder / f"{name}.csv"
        write(path, rows.tolist(), labels, columns, form)
        found[name] = f"{what}, {path.stat().st_size / 1e6:.0f} MB"

    add("decimals", "200,000 rows × 57 numbers with six decimals, 2 classes", 200_000, 57, 2, 0.15, ".6f")
    add("doubles", "100,000 rows × 57 numbers with all their digits, 2 classes", 100_000, 57, 2, 0.15, "")
    add("small", "10,000 rows × 30 numbers, 2 classes", 10_000, 30, 2, 0.15, ".6f")
    add("million", "1,000,000 rows × 50 numbers, 2 classes", 1_000_000, 50, 2, 0.15, ".4f")
    add("classes-26", "20,000 rows × 16 numbers, 26 classes", 20_000, 16, 26, 0.8, ".4f")
    add("classes-200", "20,000 rows × 5 numbers, 200 classes", 20_000, 5, 200, 1.5, ".4f")
    add("classes-2000", "20,000 rows × 5 numbers, 2,000 classes", 20_000, 5, 2000, 1.5, ".4f")
    add("wide", "200 rows × 100,000 numbers, 2 classes", 200, 100_000, 2, 0.1, ".3f")
    labels = np.repeat(np.arange(20_000), 3)
    rows = (rng.normal(size=(20_000, 5)) * 2)[labels] + rng.normal(size=(60_000, 5)) * 0.2
    order, path = rng.permutation(60_000), folder / "classes-20000.csv"
    write(path, rows[order].tolist(), [f"c{label:05d}" for label in labels[order]], 5, ".4f")
    found["classes-20000"] = "60,000 rows × 5 numbers, 20,000 classes of 3 rows"
    labels, path = rng.integers(0, 3, 3186), folder / "categories.csv"
    shares = rng.dirichlet([3.0] * 4, size=(3, 180))
    codes = (rng.random((3186, 180, 1)) > shares.cumsum(axis=2)[labels]).sum(axis=2).clip(0, 3)
    write(path, np.array(list("ACGT"))[codes].tolist(), [f"c{label}" for label in labels], 180, "")
    found["categories"] = "3,186 rows × 180 categories of 4, 3 classes"
    (folder / "files.json").write_text(json.dumps(found))


def files(folder: pathlib.Path) -> dict[str, str]:
    """The files by name, with what they are. A process of its own writes them: what a process has had in memory counts for
    those that it starts."""
    subprocess.run([sys.executable, __file__, "--write", str(folder), "none"], check=True)
    return json.loads((folder / "files.json").read_text())


def run(command: list[str]) -> tuple[float, float, float]:
    """Processor seconds, wall seconds and peak megabytes of a command."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    error = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)}: {error.decode()}")
    return usage.ru_utime + usage.ru_stime, time.perf_counter() - start, usage.ru_maxrss / 1024


def least(command: list[str], runs: int) -> tuple[float, float, float]:
    found = [run(command) for _ in range(runs)]
    return min(cpu for cpu, _, _ in found), min(wall for _, wall, _ in found), max(peak for _, _, peak in found)


def seconds(value: float) -> str:
    return f"{value:.3g} s" if value >= 0.1 else f"{1000 * value:.3g} ms"


def line(cells: Iterable[object]) -> str:
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def symbols(program: str) -> list[str]:
    """The code of a program with symbols, by crate."""
    listed = subprocess.run(["nm", "-S", "-C", "--size-sort", program], check=True, capture_output=True, text=True)
    sizes: collections.Counter[str] = collections.Counter()
    for entry in listed.stdout.splitlines():
        parts = entry.split(None, 3)
        if len(parts) == 4 and parts[2] in "tT":
            name = re.search(r"([a-z_0-9]+)::", parts[3])
            sizes[name.group(1) if name else "C and others"] += int(parts[1], 16)
    total = sum(sizes.values())
    rows = [line(["crate", "MB of instructions", "share"]), line(["---"] * 3)]
    rows += [line([name, f"{size / 1e6:.2f}", f"{100 * size / total:.0f} %"]) for name, size in sizes.most_common(16)]
    return rows + [line(["all", f"{total / 1e6:.2f}", "100 %"])]


def measured(program: str, folder: pathlib.Path, runs: int) -> list[str]:
    has_peers = all(importlib.util.find_spec(name) for name in ["polars", "sklearn"])
    table = files(folder)
    rows = [line(["file", "command", "processor", "wall", "peak memory"]), line(["---"] * 5)]

    def add(name: str, what: str, command: list[str], repeated: int) -> None:
        cpu, wall, peak = least(command, repeated)
        rows.append(line([name, what, seconds(cpu), seconds(wall), f"{peak:.0f} MB"]))
        print(rows[-1], flush=True)

    model = str(folder / "model.nb")
    for name in table:
        path = folder / f"{name}.csv"
        large = path.stat().st_size > 2e8
        train = [program, "train", str(path), "--label", "y", "--output", model]
        add(name, "`train --sums-only`", [*train, "--sums-only"], runs)
        add(name, "`train --plain`", [*train, "--plain"], runs)
        if name in ["decimals", "doubles"]:
            add(name, "`predict`, plain model", [program, "predict", model, str(path)], runs)
            add(name, "`predict --proba`, plain model", [program, "predict", model, str(path), "--proba"], runs)
            if has_peers:
                add(name, "polars + scikit-learn, fit", [sys.executable, "-c", PEER, str(path), "fit"], runs)
                both = [sys.executable, "-c", PEER, str(path), "predict"]
                add(name, "polars + scikit-learn, fit and predict", both, runs)
        if name != "wide":
            add(name, "`train`", train, 1 if large else max(1, runs - 1))
        if name == "small":
            one = folder / "one.csv"
            one.write_text("".join(open(path).readlines()[:2]))
            add(name, "`predict` of one row", [program, "predict", model, str(one)], 20)
    head = [line(["file", "what"]), line(["---"] * 2), *(line(entry) for entry in table.items())]
    return [*head, "", *rows]


def machine() -> str:
    model = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    return f"{os.cpu_count()} threads of {model.group(1) if model else platform.machine()}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--symbols", help="the same program with symbols, for the table of sizes")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--built", default="this commit (the profile `release`, stripped)", help="what the program was built from")
    parser.add_argument("--write", metavar="FOLDER", help="write the files there, and do nothing else")
    options = parser.parse_args()
    if options.write:
        return write_files(pathlib.Path(options.write))
    with tempfile.TemporaryDirectory() as folder:
        times = measured(options.program, pathlib.Path(folder), options.runs)
    size = pathlib.Path(options.program).stat().st_size / 1e6
    parts = [
        "<!-- Generated by `python benches/program.py`; changes by hand are lost at its next run. -->",
        "# Performance of the program",
        "This page is written by",
        "```sh\ncargo build --release -p nbayes && strip -o target/nbayes target/release/nbayes\n"
        "python benches/program.py target/nbayes --symbols target/release/nbayes\n```",
        f"The program was built from {options.built}.\n"
        f"Measured on {machine()}. Processor time is user and system time together, the least of {options.runs}\n"
        "runs (of one for `train` on the largest file). Training uses all threads; other work on the machine lengthens\n"
        "the wall time. The least memory that can be measured is that of the Python that starts the programs, about 20 MB.\n"
        "What was not reached, and why: [Limits](limits.md).",
        "## Times",
        "\n".join(times),
        "## Size",
        f"The program has {size:.1f} MB.",
    ]
    if options.symbols:
        parts += ["What its code is made of, in the profile `release`, which keeps symbols:", "\n".join(symbols(options.symbols))]
    PAGE.write_text("\n\n".join(parts) + "\n")


if __name__ == "__main__":
    main()
