"""The contenders of `cargo xtask bench --peers` that are used from Python.

`contender.py NAME FOLDER` answers commands on standard input with lines of JSON, exactly as the Rust contenders do
(see `src/serve.rs`): `load NAME` reads a data set, `run WORKLOAD:OPERATION REPEATS` does something with it, `drop`
frees it. With zero repeats an operation warms up, and the answer says how often to repeat it to fill a turn.
"""

import gc
import json
import math
import pickle
import resource
import sys
import time
from pathlib import Path

import numpy as np

TURN = 0.1
SINGLE_ROWS = 5000


class Skip(Exception):
    """An operation that a contender does not have, with the reason."""


class Data:
    """A data set in memory."""

    def __init__(self, folder, name):
        self.folder = folder
        self.meta = json.loads((folder / f"{name}.json").read_text())
        rows, columns = self.meta["rows"], self.meta["columns"]
        cells = self.cells = self.meta["cells"]

        def array(part, kind):
            return np.fromfile(folder / f"{name}.{part}", dtype=kind)

        self.y = array("y", "<i8")
        self.head = min(rows, 10_000)
        if cells in ("sparse", "binary"):
            from scipy.sparse import csr_matrix

            parts = (array("values", "<f8"), array("indices", "<i4"), array("indptr", "<i4"))
            self.x = csr_matrix(parts, shape=(rows, columns))
        else:
            kind = {"f32": "<f4", "bytes": "u1"}.get(cells, "<f8")
            self.x = array("x", kind).reshape(rows, columns)

    def accuracy(self, labels):
        return float(np.mean(np.asarray(labels).ravel() == self.y[: len(labels)]))


def top_log(log_posteriors):
    return float(np.mean(np.max(np.asarray(log_posteriors, dtype=np.float64), axis=1)))


def refuse_names(operation):
    """scikit-learn takes names of columns from data frames only."""
    if operation == "open-named":
        raise Skip("keeps no names of the columns of sparse rows")


class Sklearn:
    """scikit-learn."""

    def estimators(self):
        from sklearn import naive_bayes

        return naive_bayes

    def model(self, workload, data):
        nb = self.estimators()
        if workload == "M2c":
            return nb.ComplementNB()
        if workload == "M2b":
            # The values are zeros and ones already.
            return nb.BernoulliNB(binarize=None)
        if data.cells in ("counts", "sparse"):
            return nb.MultinomialNB()
        if data.cells in ("codes", "bytes"):
            return nb.CategoricalNB()
        return nb.GaussianNB()

    def prepare(self, workload, operation, data):
        # Imports are no part of the first call, whose time says how often to repeat it.
        self.estimators()
        if workload == "P1":
            return self.stream(operation, data)
        if workload == "S1":
            return self.storage(operation, data)
        x, y = data.x, data.y
        if operation == "fit":
            return (
                lambda: self.model(workload, data).fit(x, y),
                lambda model: data.accuracy(model.predict(x[: data.head])),
            )
        model = self.model(workload, data).fit(x, y)
        if operation == "labels":
            return lambda: model.predict(x), data.accuracy
        if operation == "row":
            rows = [x[row : row + 1] for row in range(len(y))]
            return lambda: [model.predict(row)[0] for row in rows], data.accuracy
        if operation == "posteriors":
            return lambda: model.predict_log_proba(x), top_log
        raise Skip(f"no {operation}")

    def stream(self, operation, data):
        GaussianNB = self.estimators().GaussianNB
        if operation not in ("batches", "rows"):
            raise Skip("finishes its model after every row")
        batch, rows = (1000, len(data.y)) if operation == "batches" else (1, min(SINGLE_ROWS, len(data.y)))
        classes = np.arange(data.meta["classes"])

        def run():
            model = GaussianNB()
            for first in range(0, rows, batch):
                model.partial_fit(data.x[first : first + batch], data.y[first : first + batch], classes)
            return model

        return run, lambda model: data.accuracy(model.predict(data.x[: data.head]))

    def storage(self, operation, data):
        import joblib

        refuse_names(operation)
        model = self.model("M2", data).fit(data.x, data.y)
        path = data.folder / "model.joblib"
        size = lambda _: float(path.stat().st_size)
        run = {
            "save": lambda: joblib.dump(model, path),
            "open": lambda: joblib.load(path),
            "ready": lambda: joblib.load(path),
        }[operation]
        joblib.dump(model, path)
        return run, size


class Pickle(Sklearn):
    """scikit-learn with pickle in place of joblib; storage only."""

    def prepare(self, workload, operation, data):
        if workload != "S1":
            raise Skip("storage only")
        refuse_names(operation)
        model = self.model("M2", data).fit(data.x, data.y)
        path = data.folder / "model.pickle"

        def save():
            with open(path, "wb") as file:
                pickle.dump(model, file, protocol=pickle.HIGHEST_PROTOCOL)

        def load():
            with open(path, "rb") as file:
                return pickle.load(file)

        save()
        return {"save": save, "open": load, "ready": load}[operation], lambda _: float(path.stat().st_size)


class Nbayes(Sklearn):
    """Our own package, called as scikit-learn is, except for its files."""

    def estimators(self):
        import nbayes

        return nbayes

    def storage(self, operation, data):
        refuse_names(operation)
        model = self.model("M2", data).fit(data.x, data.y)
        path = data.folder / "model-of-python.nb"
        model.save(path)
        load = type(model).load
        run = {
            "save": lambda: model.save(path),
            "open": lambda: load(path),
            "ready": lambda: load(path).predict(data.x[:1]),
        }[operation]
        return run, lambda _: float(path.stat().st_size)


class Mlpack:
    """mlpack, whose program answers labels and probabilities at once."""

    def prepare(self, workload, operation, data):
        from mlpack import nbc

        if data.cells == "f32":
            raise Skip("takes no single precision")
        if data.cells != "f64":
            raise Skip("has the Gaussian family only")
        if workload in ("P1", "S1"):
            raise Skip("cannot go on with a fitted model")
        if operation == "posteriors":
            raise Skip("computes probabilities in the same call as labels")
        x, y = data.x, data.y
        # Its scores are products with dense diagonal matrices, columns × columns doubles for each class.
        needed = 8 * data.meta["columns"] ** 2
        labels = lambda model, x: nbc(input_model=model, test=x)["predictions"]
        if operation == "fit":
            # The answer holds the model; without a test set there is nothing else to compute.
            check = lambda model: data.accuracy(labels(model, x[: data.head])) if needed < 1e9 else None
            return lambda: nbc(training=x, labels=y)["output_model"], check
        if needed > 1e9:
            raise Skip(f"multiplies by dense matrices of {needed / 1e9:.1f} GB each")
        model = nbc(training=x, labels=y)["output_model"]
        if operation == "labels":
            return lambda: labels(model, x), data.accuracy
        if operation == "row":
            rows = [x[row : row + 1] for row in range(len(y))]
            return lambda: [labels(model, row)[0] for row in rows], data.accuracy
        raise Skip(f"no {operation}")


class OneDal:
    """oneDAL by way of daal4py: multinomial models, with uniform priors unless it is given others."""

    def prepare(self, workload, operation, data):
        import daal4py

        if workload not in ("M1", "M2") or operation == "posteriors":
            raise Skip("has labels of the multinomial family only")
        daal4py.daalinit(1)
        classes = data.meta["classes"]
        x, y = data.x, data.y.reshape(-1, 1).astype(np.float64)
        method = "fastCSR" if data.cells == "sparse" else "defaultDense"
        fit = lambda: daal4py.multinomial_naive_bayes_training(nClasses=classes, method=method).compute(x, y)
        predict = lambda model, x: (
            daal4py.multinomial_naive_bayes_prediction(nClasses=classes, method=method)
            .compute(x, model.model)
            .prediction
        )
        if operation == "fit":
            return fit, lambda model: data.accuracy(predict(model, x[: data.head]))
        if operation == "labels":
            model = fit()
            return lambda: predict(model, x), data.accuracy
        raise Skip(f"no {operation}")


CONTENDERS = {"sklearn": Sklearn, "nbayes": Nbayes, "pickle": Pickle, "mlpack": Mlpack, "onedal": OneDal}


def usage():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return np.array([used.ru_utime, used.ru_stime, time.perf_counter(), used.ru_minflt])


def measure(run, repeats):
    """Runs `repeats` times; an earlier result is dropped within the measurement, as it would be in a program."""
    before = usage()
    result = None
    for _ in range(repeats):
        result = run()
    user, system, wall, faults = (float(part) for part in (usage() - before) / repeats)
    return {"user": user, "system": system, "wall": wall, "faults": faults, "repeats": repeats}, result


def turn(run, check, repeats):
    if repeats > 0:
        return measure(run, repeats)[0]
    first, result = measure(run, 1)
    checked = check(result)
    del result
    wall = first["wall"] if first["wall"] >= TURN else measure(run, 1)[0]["wall"]
    first["repeats"] = max(1, min(1_000_000, math.ceil(TURN / max(wall, 1e-9))))
    if checked is not None:
        first["check"] = repr(checked)
    return first


def answer(value):
    print(json.dumps(value), flush=True)


def serve(contender, folder):
    data, name, prepared = None, None, None
    for line in sys.stdin:
        words = line.split()
        try:
            if words[0] == "load":
                data = Data(folder, words[1])
                answer({"ok": True})
            elif words[0] == "drop":
                data, name, prepared = None, None, None
                gc.collect()
                answer({"ok": True})
            else:
                if name != words[1]:
                    # The old one goes first, so that no two of them need memory.
                    name, prepared = None, None
                    gc.collect()
                    prepared = contender.prepare(*words[1].split(":"), data)
                    name = words[1]
                answer(turn(*prepared, int(words[2])))
        except Skip as reason:
            answer({"skip": str(reason)})
        except Exception as error:  # a contender that fails is named in the table, and the others go on
            answer({"skip": f"{type(error).__name__}: {error}"})


if __name__ == "__main__":
    serve(CONTENDERS[sys.argv[1]](), Path(sys.argv[2]))
