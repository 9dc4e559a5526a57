"""Models that were saved are those that are loaded, and the program `nbayes` reads and writes the same files."""

from __future__ import annotations

import csv
import os
import subprocess
from pathlib import Path
from typing import Any

import nbayes
import numpy as np
import pandas
import pytest
from estimators import ALL, each_estimator, rows

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def program() -> Path:
    """The program: what `NB_PROGRAM` names, or the one that was built last."""
    if "NB_PROGRAM" in os.environ:
        named = Path(os.environ["NB_PROGRAM"])
        assert named.exists(), f"NB_PROGRAM names {named}, which does not exist"
        return named
    built = [ROOT / "target" / profile / "nbayes" for profile in ("debug", "release")]
    built = sorted((path for path in built if path.exists()), key=lambda path: path.stat().st_mtime)
    if not built:
        pytest.skip("the program nbayes is not built: `cargo build -p nbayes`, or set NB_PROGRAM")
    return built[-1]


def run(program: Path, *arguments: Any) -> str:
    """What the program prints."""
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def write(path: Path, X: np.ndarray, y: Any) -> Path:
    frame = pandas.DataFrame(X, columns=[f"c{column}" for column in range(X.shape[1])])
    frame.assign(label=y).to_csv(path, index=False)
    return path


@each_estimator
def test_what_is_loaded_is_what_was_saved(Estimator: Any, tmp_path: Path) -> None:
    X, y = rows(Estimator)
    y = np.array(["red", "green", "blue"])[y]
    model = Estimator().fit(pandas.DataFrame(X, columns=list("abcde")), y)
    model.save(tmp_path / "model.nb", label="colour")
    again = Estimator.load(tmp_path / "model.nb")
    assert again.to_bytes() == (tmp_path / "model.nb").read_bytes()
    frame = pandas.DataFrame(X, columns=list("abcde"))
    assert np.array_equal(again.predict_log_proba(frame), model.predict_log_proba(frame))
    assert np.array_equal(again.predict(frame), model.predict(frame))
    assert again.classes_.tolist() == ["blue", "green", "red"]
    assert again.feature_names_in_.tolist() == list("abcde")
    assert again.partial_fit(frame, y).to_bytes() == model.partial_fit(frame, y).to_bytes(label="colour")


@pytest.mark.parametrize("labels", [[0, 1, 2], [-5, 10, 9], [False, True], ["10", "9", "x"], [1.0, 2.0, 30.0], [2**40, 1, -(2**62)]])
@each_estimator
def test_labels_come_back_in_their_order(Estimator: Any, labels: list[Any]) -> None:
    X, y = rows(Estimator, n_classes=len(labels))
    model = Estimator().fit(X, np.array(labels)[y])
    again = Estimator.from_bytes(model.to_bytes())
    assert again.classes_.tolist() == sorted(labels)
    assert np.array_equal(again.predict_log_proba(X), model.predict_log_proba(X))
    assert again.to_bytes() == model.to_bytes()


@each_estimator
def test_priors_come_back(Estimator: Any) -> None:
    X, y = rows(Estimator)
    y = np.array([10, 9, 8])[y]  # in another order as texts
    name = "priors" if Estimator in (nbayes.GaussianNB, nbayes.SharedGaussianNB) else "class_prior"
    model = Estimator(**{name: [0.5, 0.3, 0.2]}).fit(X, y)
    again = Estimator.from_bytes(model.to_bytes())
    assert np.array_equal(again.predict_log_proba(X), model.predict_log_proba(X))


@each_estimator
def test_files_that_are_damaged_or_of_others_are_refused(Estimator: Any, tmp_path: Path) -> None:
    X, y = rows(Estimator)
    data = Estimator().fit(X, y).to_bytes()
    for place in range(0, len(data), 7):
        damaged = data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]
        with pytest.raises(ValueError):
            Estimator.from_bytes(damaged)
    with pytest.raises(ValueError):
        Estimator.from_bytes(data[:-1])
    with pytest.raises(FileNotFoundError):
        Estimator.load(tmp_path / "nothing.nb")
    other = ALL[(ALL.index(Estimator) + 1) % len(ALL)]
    with pytest.raises(ValueError, match=f"{other.__name__} is for"):
        other.from_bytes(data)


def test_a_file_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    model = nbayes.GaussianNB().fit([[1.0], [2.0]], [0, 1])
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError):
        model.save(tmp_path / "folder")
    with pytest.raises(OSError):
        model.save(tmp_path / "no" / "such.nb")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


FAMILIES = {
    "gaussian": nbayes.GaussianNB,
    "shared-gaussian": nbayes.SharedGaussianNB,
    "multinomial": nbayes.MultinomialNB,
    "complement": nbayes.ComplementNB,
    "bernoulli": nbayes.BernoulliNB,
    "poisson": nbayes.PoissonNB,
    "negative-binomial": nbayes.NegativeBinomialNB,
}
# Codes of categories are texts for the program.
each_family = pytest.mark.parametrize("family", FAMILIES)


def log_posteriors(text: str, labels: list[str]) -> np.ndarray:
    """The columns of the program's answers, one for each label."""
    return np.array([[float(record[f"log_p({label})"]) for label in labels] for record in csv.DictReader(text.splitlines())])


@each_family
def test_the_program_reads_what_python_saved(family: str, program: Path, tmp_path: Path) -> None:
    X, y = rows(FAMILIES[family])
    y = np.array(["red", "green", "blue"])[y]
    frame = pandas.DataFrame(X, columns=[f"c{column}" for column in range(X.shape[1])])
    model = FAMILIES[family]().fit(frame, y)
    model.save(tmp_path / "model.nb", label="label")
    answers = run(program, "predict", tmp_path / "model.nb", write(tmp_path / "rows.csv", X, y), "--log-proba")
    expected = model.predict_log_proba(frame)
    np.testing.assert_allclose(log_posteriors(answers, model.classes_.tolist()), expected, rtol=1e-15)


@pytest.mark.parametrize("family", [family for family in FAMILIES if "gaussian" not in family])
def test_python_reads_what_the_program_saved(family: str, program: Path, tmp_path: Path) -> None:
    Estimator = FAMILIES[family]
    X, y = rows(Estimator)
    y = np.array(["red", "green", "blue"])[y]
    data = write(tmp_path / "rows.csv", X, y)
    prior = ["--prior", "uniform"] if Estimator is nbayes.ComplementNB else []
    run(program, "train", "--sums-only", data, "--label", "label", "--all", family, *prior, "-o", tmp_path / "model.nb")
    model = Estimator.load(tmp_path / "model.nb")
    assert model.to_bytes() == (tmp_path / "model.nb").read_bytes()
    names = model.feature_names_in_.tolist()
    fitted = Estimator(**model.get_params()).fit(pandas.DataFrame(X, columns=names), y)
    assert fitted.to_bytes(label="label") == (tmp_path / "model.nb").read_bytes()


def test_levels_of_the_program_come_back_as_codes(program: Path, tmp_path: Path) -> None:
    data = tmp_path / "rows.csv"
    data.write_text("shape,size,label\nround,big,apple\nlong,big,pear\nround,small,apple\nlong,small,pear\nflat,big,pear\n")
    run(program, "train", data, "--label", "label", "--sums-only", "-o", tmp_path / "model.nb")
    model = nbayes.CategoricalNB.load(tmp_path / "model.nb")
    assert model.n_categories_.tolist() == [3, 2]
    assert model.to_bytes() == (tmp_path / "model.nb").read_bytes()
    answers = run(program, "predict", tmp_path / "model.nb", data, "--log-proba")
    codes = [[2, 0], [1, 0], [2, 1], [1, 1], [0, 0]]  # in the order of the levels: flat, long, round; big, small
    np.testing.assert_allclose(log_posteriors(answers, ["apple", "pear"]), model.predict_log_proba(pandas.DataFrame(codes, columns=["shape", "size"])), rtol=1e-15)


@pytest.mark.parametrize("family", ["gaussian", "shared-gaussian"])
def test_a_variance_floor_that_the_estimator_does_not_have_is_refused(family: str, program: Path, tmp_path: Path) -> None:
    data = write(tmp_path / "rows.csv", *rows(FAMILIES[family]))
    run(program, "train", "--sums-only", data, "--label", "label", "--all", family, "-o", tmp_path / "model.nb")
    with pytest.raises(ValueError, match="variance floor"):
        FAMILIES[family].load(tmp_path / "model.nb")


def test_complement_with_a_prior_is_refused(program: Path, tmp_path: Path) -> None:
    data = write(tmp_path / "rows.csv", *rows(nbayes.ComplementNB))
    run(program, "train", "--sums-only", data, "--label", "label", "--all", "complement", "-o", tmp_path / "model.nb")
    with pytest.raises(ValueError, match="prior other than the uniform one"):
        nbayes.ComplementNB.load(tmp_path / "model.nb")


def test_a_model_of_texts_is_refused(program: Path, tmp_path: Path) -> None:
    run(program, "train", "@sms", "--sums-only", "-o", tmp_path / "model.nb")
    with pytest.raises(ValueError, match="columns of texts"):
        nbayes.MultinomialNB.load(tmp_path / "model.nb")


@pytest.mark.parametrize("effort", ["plain", "usual", "fast"])
def test_the_program_knows_the_rows_of_a_table_model(effort: str, program: Path, tmp_path: Path) -> None:
    X, y = rows(nbayes.GaussianNB)
    y = np.array(["red", "green", "blue"])[y]
    data = write(tmp_path / "rows.csv", X, y)
    table = pandas.DataFrame(X, columns=[f"c{column}" for column in range(X.shape[1])]).assign(label=y)
    model = nbayes.NaiveBayes(effort=effort).fit(table, "label")
    model.save(tmp_path / "model.nb")
    run(program, "train", data, "--label", "label", *([] if effort == "usual" else [f"--{effort}"]), "-o", tmp_path / "other.nb")
    other = nbayes.NaiveBayes.load(tmp_path / "other.nb")
    assert other.held_out_ == model.held_out_ and other.held_out_["accuracy"] > other.held_out_["majority"]

    def said(name: str) -> str:
        done = subprocess.run([program, "evaluate", name, data], cwd=tmp_path, capture_output=True, text=True, check=True)
        return done.stdout + done.stderr

    assert "200 rows, on which the model was trained" in said("model.nb")
    run(program, "forget", tmp_path / "model.nb", write(tmp_path / "some.csv", X[:100], y[:100]))
    assert "200 rows, on which the model was trained" not in said("model.nb")
    # Rows that Python takes out and puts back are the same ones.
    model.forget(table[:50], "label").partial_fit(table[:50], "label").save(tmp_path / "model.nb")
    assert "200 rows, on which the model was trained" in said("model.nb")


@pytest.mark.parametrize("effort", ["plain", "sums_only"])
def test_the_program_updates_a_table_model_that_python_saved(effort: str, program: Path, tmp_path: Path) -> None:
    X, y = rows(nbayes.GaussianNB)
    y = np.array(["red", "green", "blue"])[y]
    table = pandas.DataFrame(X, columns=[f"c{column}" for column in range(X.shape[1])]).assign(label=y)
    model = nbayes.NaiveBayes(effort=effort).fit(table[:150], "label")
    model.save(tmp_path / "model.nb")
    before = (tmp_path / "model.nb").read_bytes()
    more = write(tmp_path / "more.csv", X[150:], y[150:])
    run(program, "update", tmp_path / "model.nb", more)
    assert (tmp_path / "model.nb").read_bytes() == model.partial_fit(table[150:], "label").to_bytes()
    run(program, "forget", tmp_path / "model.nb", more)
    assert (tmp_path / "model.nb").read_bytes() == before


@pytest.mark.parametrize(
    ("effort", "loaded"), [("plain", "plain"), ("sums_only", "sums_only"), ("fast", "fast"), ("usual", "usual"), ("best", "usual")]
)
def test_a_loaded_estimator_has_the_effort_that_its_model_shows(effort: str, loaded: str) -> None:
    X, y = rows(nbayes.GaussianNB)
    model = nbayes.NaiveBayes(effort=effort).fit(X, y)
    again = nbayes.NaiveBayes.from_bytes(model.to_bytes())
    assert again.get_params()["effort"] == loaded
    if effort == loaded:
        assert again.fit(X, y).to_bytes() == model.to_bytes()


@pytest.mark.parametrize("way", ["--map isotonic", "--map temperature"])
def test_a_calibrated_model_answers_as_the_program_does(way: str, program: Path, tmp_path: Path) -> None:
    X, y = rows(nbayes.GaussianNB)
    y = np.array(["red", "green", "blue"])[y]
    frame = pandas.DataFrame(X, columns=[f"c{column}" for column in range(X.shape[1])])
    table = frame.assign(label=y)
    nbayes.NaiveBayes(effort="plain").fit(table[:100], "label").save(tmp_path / "model.nb")
    data = write(tmp_path / "rows.csv", X[100:], y[100:])
    run(program, "calibrate", tmp_path / "model.nb", data, *way.split(), "--force", "-o", tmp_path / "calibrated.nb")
    plain, model = (nbayes.NaiveBayes.load(tmp_path / name) for name in ("model.nb", "calibrated.nb"))
    answers = run(program, "predict", tmp_path / "calibrated.nb", data, "--log-proba")
    log_proba = model.predict_log_proba(frame[100:])
    np.testing.assert_allclose(log_posteriors(answers, model.classes_.tolist()), log_proba, rtol=1e-15)
    assert not np.allclose(log_proba, plain.predict_log_proba(frame[100:]))
    assert model.to_bytes() == (tmp_path / "calibrated.nb").read_bytes()
    # The map is kept as rows come and go.
    model.partial_fit(table[100:], "label").forget(table[100:], "label")
    np.testing.assert_array_equal(model.predict_log_proba(frame[100:]), log_proba)


@each_family
def test_the_program_updates_what_python_saved(family: str, program: Path, tmp_path: Path) -> None:
    Estimator = FAMILIES[family]
    X, y = rows(Estimator)
    y = np.array(["red", "green", "blue"])[y]
    frame = pandas.DataFrame(X, columns=[f"c{column}" for column in range(X.shape[1])])
    Estimator().fit(frame[:150], y[:150]).save(tmp_path / "model.nb", label="label")
    run(program, "update", tmp_path / "model.nb", write(tmp_path / "more.csv", X[150:], y[150:]))
    assert (tmp_path / "model.nb").read_bytes() == Estimator().fit(frame, y).to_bytes(label="label")
    run(program, "forget", tmp_path / "model.nb", tmp_path / "more.csv")
    assert (tmp_path / "model.nb").read_bytes() == Estimator().fit(frame[:150], y[:150]).to_bytes(label="label")
