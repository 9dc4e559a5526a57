"""What notebooks show: no text of a user is markup, nothing is loaded, and pages may be light or dark."""

from __future__ import annotations

import pickle
from html.parser import HTMLParser
from typing import Any

import nbayes
import numpy as np
import pandas
import pytest
from nbayes import GaussianNB, NaiveBayes, RefinedNB
from sklearn import config_context
from sklearn.pipeline import make_pipeline
from tables import frame

HOSTILE = "<script>alert('x')</script>"
BREAKING = "</div></table>\"' onmouseover=\"alert(1)"


class Page(HTMLParser):
    """The elements, attributes and texts of some HTML, whose tags must be closed in order."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""
        self.feed(source)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += f" {data}"


def checked(shown: str) -> Page:
    """What is shown, which has nothing but tables, bars and texts."""
    page = Page(shown)
    structure = {"div", "span", "table", "thead", "tbody", "tr", "th", "td", "b", "em", "details", "summary"}
    assert page.tags <= structure, page.tags - structure
    assert page.attributes <= {"style", "title"}
    # No resources, and no colour of text or page that is not that of the notebook.
    assert "http" not in shown and "url(" not in shown and "nan" not in page.text
    assert "color:#" not in shown.replace("background-color:#", "").replace("border-color:#", "")
    return page


def hostile(n_rows: int = 200) -> tuple[pandas.DataFrame, Any]:
    """A table whose names, categories and labels are markup."""
    numbers = np.arange(n_rows) % 7 + 0.5
    cells = np.where(np.arange(n_rows) % 3 == 0, HOSTILE, BREAKING)
    table = pandas.DataFrame({HOSTILE: numbers, BREAKING: cells, "\u202e evil\x07": numbers % 2, "same" + HOSTILE: 1})
    return table, pandas.Series(np.where(numbers > 3, HOSTILE, BREAKING), name="<img src=x onerror=alert(1)>")


def test_a_model_shows_columns_family_measures_and_the_majority_beside_them() -> None:
    table = frame("adult").iloc[:2000].assign(id=range(2000))
    model = NaiveBayes().fit(table, "income")
    page = checked(model._repr_html_())
    measures = model.held_out_
    assert measures is not None
    for name in ("accuracy", "majority", "log_loss", "log_loss_of_prior", "auc", "calibration_error"):
        assert f"{measures[name]:.3f}" in page.text, name
    assert "weights of features and corrections" in page.text and "capital-gain" in page.text
    assert "1 column left out" in page.text and "identifier" in page.text
    # The strongest column is the first.
    assert model.weights_ is not None
    strongest = max(model.weights_, key=lambda name: model.weights_[name])
    assert page.text.index(strongest) == min(page.text.index(name) for name in model.weights_)
    bundle = model._repr_mimebundle_()
    assert bundle["text/html"] == model._repr_html_() and bundle["text/plain"] == "NaiveBayes()"


def test_texts_of_users_are_no_markup() -> None:
    table, y = hostile()
    for model in (NaiveBayes(), NaiveBayes(effort="plain"), RefinedNB()):
        page = checked(model.fit(table, y)._repr_html_())
        assert HOSTILE in page.text and "<img src=x onerror=alert(1)>" in page.text
        assert "\u202e" not in page.text and "\x07" not in page.text
        page = checked(model.explain(table, 3)._repr_html_())
        assert HOSTILE in page.text and BREAKING[:30] in page.text
    # What makes measures too good is said, by name.
    fitted = NaiveBayes().fit(table, y)
    assert fitted.warnings_ and any(HOSTILE in warning for warning in fitted.warnings_)
    assert "determines the label" in checked(fitted._repr_html_()).text


def test_many_columns_and_classes_are_cut_off() -> None:
    rng = np.random.default_rng(0)
    X = pandas.DataFrame(rng.normal(size=(400, 230)), columns=[f"column {place}" for place in range(230)])
    y = np.array([f"class {place}" for place in range(20)])[np.arange(400) % 20]
    shown = NaiveBayes(effort="fast").fit(X, y)._repr_html_()
    page = checked(shown)
    assert "218 more columns" in page.text and "and 18 more" in page.text and "and 8 more classes" in page.text
    name = "x" * 5000
    long = NaiveBayes().fit(X.iloc[:, :2].set_axis([name, "b"], axis=1), y)
    assert name not in long._repr_html_() and "xxx…" in checked(long._repr_html_()).text


def test_plain_loaded_and_copied_models_are_shown() -> None:
    X, y = np.arange(8.0)[:, None], np.zeros(8)
    small = NaiveBayes().fit(X, y)
    assert "there are no two classes" in checked(small._repr_html_()).text
    sums = NaiveBayes(effort="sums_only").fit(X, y)
    assert "Nothing is known of rows that were held out" in checked(sums._repr_html_()).text
    for other in (NaiveBayes.from_bytes(small.to_bytes()), pickle.loads(pickle.dumps(small))):
        assert "x0" in checked(other._repr_html_()).text


def test_scikit_learn_shows_the_others() -> None:
    unfitted = NaiveBayes()._repr_html_()
    assert "sk-" in unfitted
    assert "sk-" in GaussianNB().fit([[0.0], [1.0]], [0, 1])._repr_html_()
    model = NaiveBayes().fit(np.arange(30.0)[:, None] % 7, np.arange(30) % 2)
    assert "sk-" in make_pipeline(model)._repr_html_()
    with config_context(display="text"):
        assert not hasattr(model, "_repr_html_") and "text/html" not in model._repr_mimebundle_()


def test_explanations_have_the_intercept_and_all_others_in_one_line() -> None:
    rng = np.random.default_rng(0)
    X = pandas.DataFrame(rng.normal(size=(300, 30))).rename(columns=str)
    y = X["0"] + 0.3 * rng.normal(size=300) > 1
    explanation = nbayes.GaussianNB().fit(X, y).explain(X, 0)
    page = checked(explanation._repr_html_())
    assert "10 other features" in page.text and "intercept" in page.text
    total = abs(explanation.joint_log_proba[1] - explanation.joint_log_proba[0])
    assert f"log-odds +{total:.2f}" in page.text
    impossible = nbayes.MultinomialNB(alpha=0).fit([[1, 0], [0, 1]], [0, 1]).explain([[1, 0]])
    assert "∞" in checked(impossible._repr_html_()).text


@pytest.mark.parametrize("cell", [np.nan, None, "never seen"])
def test_cells_that_are_missing_or_new_are_named(cell: Any) -> None:
    table = pandas.DataFrame({"pet": ["cat", "dog", None, "cat"] * 20, "size": np.arange(80.0) + 0.5})
    model = NaiveBayes().fit(table, ["a", "b", "b", "a"] * 20)
    explanation = model.explain({"pet": [cell], "size": [np.nan]})
    expected = "not seen" if isinstance(cell, str) else "missing"
    assert explanation.shown_cells == [expected, "missing"]
    assert "missing" in checked(explanation._repr_html_()).text
