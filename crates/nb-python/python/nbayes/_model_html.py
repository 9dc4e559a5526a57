"""A fitted model of a table, as notebooks show it."""

from __future__ import annotations

from typing import Any

from nbayes import _core, _html

_MOST_COLUMNS, _MOST_CLASSES = 12, 12
# Names of the measures, and of their baselines, which know only how frequent the classes are.
_MEASURES = (
    ("accuracy", "accuracy", "majority", "always the most frequent class"),
    ("log-loss", "log_loss", "log_loss_of_prior", "the shares of the classes"),
)


def of_model(
    name: str,
    model: _core.Model,
    columns: list[tuple[str, str, str]],
    left_out: list[tuple[str, str, str]],
    warnings: list[str],
    plain: str | None,
) -> str:
    """The HTML of a model: what it is, how well held-out rows were classified, warnings, columns and classes."""
    n_columns = len(columns)
    what = f"{text_of_count(n_columns, 'column')}, {text_of_count(len(model.classes), 'class', 'classes')} of {_html.text(model.label)}"
    parts = [_html.styled("title", f"{_html.text(name)} {_html.soft(what)}"), _kind(model, plain), _held_out(model)]
    parts += [_html.styled("warning", _html.text(warning, 500)) for warning in warnings]
    parts += [_columns(model, columns), _classes(model), _left_out(left_out)]
    return _html.box(*parts)


def text_of_count(count: int, one: str, many: str | None = None) -> str:
    """A number of things in words."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def _kind(model: _core.Model, plain: str | None) -> str:
    if model.weights is None:
        why = f": {_html.text(plain, 200)}" if plain else ""
        return f"<div>plain naive Bayes, without weights and corrections{why}</div>"
    more = " and corrections of bins, categories and terms" if model.has_corrections else ""
    return f"<div>naive Bayes with weights of features{more}, learnt by conditional likelihood</div>"


def _held_out(model: _core.Model) -> str:
    measures = model.held_out
    if measures is None:
        return _html.styled("soft", "Nothing is known of rows that were held out.")
    rows = []
    for shown, own, baseline, about in _MEASURES:
        value, other = measures[own], measures[baseline]
        if value is not None and other is not None:
            rows.append([shown, f"<b>{value:.3f}</b>", f"{other:.3f}", _html.soft(about)])
    auc, calibration = measures["auc"], measures["calibration_error"]
    if auc is not None:
        rows.append(["AUC", f"<b>{auc:.3f}</b>", "0.500", _html.soft("a random order")])
    if calibration is not None:
        rows.append(["calibration error", f"<b>{calibration:.3f}</b>", "", ""])
    head = ["of rows held out", "this model", "baseline", ""]
    return _html.table(rows, head, right=(1, 2))


def _columns(model: _core.Model, columns: list[tuple[str, str, str]]) -> str:
    """The columns, those with the largest weights first."""
    weights = model.weights
    largest: dict[int, float] = {}
    if weights is not None:
        for column, weight in zip(model.feature_columns, weights.values()):
            largest[column] = max(largest.get(column, 0.0), weight)
    families, names = model.families, [name for name, _ in model.columns]
    # The type of a column of a frame is what the program takes for what a file says of it.
    reasons = {name: reason.removeprefix("the file says ") for name, _, reason in columns}
    top = max(largest.values(), default=0.0) or 1.0
    order = sorted(range(len(names)), key=lambda place: -largest.get(place, 0.0))

    def line(place: int) -> list[str]:
        cells = [_html.text(names[place]), _html.text(model.columns[place][1]), _html.text(families[place])]
        if weights is not None:
            weight = largest.get(place, 0.0)
            cells += [f"{weight:.2f}", _html.bar(weight / top)]
        return [*cells, _html.soft(_html.text(reasons.get(names[place], "")))]

    head = ["column", "read as", "family"] + (["weight", ""] if weights is not None else []) + ["why"]
    shown = _html.table((line(place) for place in order[:_MOST_COLUMNS]), head, right=(3,) if weights is not None else ())
    rest = order[_MOST_COLUMNS:]
    if rest:
        more = _html.table((line(place) for place in rest[:200]), head, right=(3,) if weights is not None else ())
        beyond = f"<div>and {len(rest) - 200:,} more</div>" if len(rest) > 200 else ""
        shown += _html.details(f"{text_of_count(len(rest), 'more column')}", more + beyond)
    return _html.styled("heading", "Columns") + shown


def _classes(model: _core.Model) -> str:
    weights = model.class_weights
    total = float(weights.sum()) or 1.0
    pairs = sorted(zip(model.classes, weights.tolist()), key=lambda pair: -pair[1])
    rows = (
        [_html.text(name), f"{weight:,.6g}", f"{weight / total:.1%}", _html.bar(weight / total)]
        for name, weight in pairs[:_MOST_CLASSES]
    )
    more = f"<div>and {text_of_count(len(pairs) - _MOST_CLASSES, 'more class', 'more classes')}</div>"
    heading = _html.styled("heading", f"Classes of {_html.text(model.label)}")
    return heading + _html.table(rows, ["class", "rows", "", ""], right=(1, 2)) + (more if len(pairs) > _MOST_CLASSES else "")


def _left_out(left_out: list[tuple[str, str, str]]) -> str:
    if not left_out:
        return ""
    rows = ([_html.text(name), _html.soft(_html.text(reason, 200))] for name, _, reason in left_out[:200])
    beyond = f"<div>and {len(left_out) - 200:,} more</div>" if len(left_out) > 200 else ""
    return _html.details(f"{text_of_count(len(left_out), 'column')} left out", _html.table(rows) + beyond)
