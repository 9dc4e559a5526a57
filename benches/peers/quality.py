"""Answers of the contenders of `cargo xtask bench --quality` that are used from Python.

`quality.py --fingerprints` prints a line of JSON, what decides the answers of each contender. `quality.py
NAME FOLDER` reads lines `SET REPEAT ANSWERS` from standard input: it trains on all folds but one and
predicts the rows of that one, fold by fold. It reads `FOLDER/SET.json` (columns and classes), `SET.x`,
`SET.y` and `SET.REPEAT`, arrays of eight-byte numbers, and `SET.texts` in place of columns, and writes the
log-probabilities of the classes of each row to `ANSWERS`. Then it writes `ANSWERS.json`: the processor time
of training and of prediction in seconds, or why there is no answer.
"""

import json
import os
import sys
import warnings
from pathlib import Path

import numpy as np
from quality_models import CONTENDERS, Table, fingerprint

# A row with this fold is neither trained nor tested; any other below 0 is always trained.
UNUSED = -2


def processor_time():
    """Of this process and of those that it has started: Khiops is a program."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def predict(contender, table, folds):
    """The log-probabilities of all tested rows, and the times; a class without training rows has 0."""
    answers = np.full((len(table.y), table.n_classes), -np.inf)
    times = {"train": 0.0, "predict": 0.0}
    # Imports are no part of the first training.
    contender(table)
    for fold in np.unique(folds[folds >= 0]):
        train = np.flatnonzero((folds != fold) & (folds != UNUSED))
        test = np.flatnonzero(folds == fold)
        model = contender(table)
        start = processor_time()
        classes = model.fit(train, table.y[train])
        trained = processor_time()
        found = model.log_proba(test)
        times["train"] += trained - start
        times["predict"] += processor_time() - trained
        answers[np.ix_(test, np.asarray(classes).astype(int))] = found
    return answers, times


def answer(contender, folder, name, repeat, path):
    table = Table(folder, name)
    folds = np.fromfile(folder / f"{name}.{repeat}", dtype="<i8")
    try:
        answers, said = predict(contender, table, folds)
    except Exception as error:  # the page shows the message, and the other contenders go on
        said = {"failure": f"{type(error).__name__}: {error}".splitlines()[0]}
    else:
        answers.astype("<f8").tofile(path)
    # Only complete answers have this file, and a file that is renamed is complete.
    part = Path(f"{path}.part")
    part.write_text(json.dumps(said))
    part.rename(f"{path}.json")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    if sys.argv[1] == "--fingerprints":
        print(json.dumps({name: fingerprint(contender) for name, contender in CONTENDERS.items()}))
    else:
        for line in sys.stdin:
            name, repeat, path = line.rstrip("\n").split(" ", 2)
            answer(CONTENDERS[sys.argv[1]], Path(sys.argv[2]), name, repeat, path)
            print("done", flush=True)
