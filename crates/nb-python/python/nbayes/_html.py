"""Pieces of HTML for notebooks: escaped texts, tables and bars that look well on light and dark pages and load nothing."""

from __future__ import annotations

import html
from collections.abc import Iterable
from typing import Any

# Colours of middle lightness, that stand out on white and on black; all else takes the colour of the page's text.
FOR, AGAINST = "#2f86cf", "#d9731f"
_RULE = "rgba(128,128,128,.35)"
_MOST_LETTERS = 34

# Notebooks have their own styles for tables, which these replace.
_STYLE = {
    "box": "font:13px/1.5 system-ui,sans-serif;max-width:60em;padding:.8em 1em;color:inherit;overflow-x:auto;"
    f"border:1px solid {_RULE};border-radius:6px",
    "table": "border-collapse:collapse;border:0;margin:.3em 0;font:inherit;color:inherit;background:transparent",
    "cell": "padding:.15em .8em .15em 0;border:0;vertical-align:middle;background:transparent;color:inherit;"
    f"border-bottom:1px solid {_RULE}",
    "title": "font-size:1.1em;font-weight:600",
    "heading": "font-weight:600;margin-top:.8em",
    "soft": "opacity:.7",
    "warning": f"border-left:4px solid {AGAINST};padding:.1em .7em;margin:.4em 0",
}


def text(value: Any, most: int = _MOST_LETTERS) -> str:
    """A text that is no markup, without letters that cannot be seen; of a long one the beginning, with all of it to hover over."""
    whole = "".join(letter if letter.isprintable() else " " for letter in str(value))
    if len(whole) <= most:
        return html.escape(whole)
    return f'<span title="{html.escape(whole[:1000])}">{html.escape(whole[: most - 1])}…</span>'


def box(*parts: str) -> str:
    """What a notebook shows of an object."""
    return f'<div style="{_STYLE["box"]}">{"".join(parts)}</div>'


def styled(kind: str, content: str) -> str:
    """A part of the box: a title, a heading, soft text or a warning. The content is HTML."""
    return f'<div style="{_STYLE[kind]}">{content}</div>'


def soft(content: str) -> str:
    """Text that matters less."""
    return f'<span style="{_STYLE["soft"]}">{content}</span>'


def table(rows: Iterable[Iterable[str]], head: Iterable[str] = (), right: Iterable[int] = ()) -> str:
    """A table of cells that are HTML; columns with these numbers have numbers."""
    right = set(right)

    def cell(tag: str, place: int, content: str) -> str:
        align = "right" if place in right else "left"
        weight = ";font-weight:600" if tag == "th" else ""
        return f'<{tag} style="{_STYLE["cell"]};text-align:{align}{weight}">{content}</{tag}>'

    def line(tag: str, cells: Iterable[str]) -> str:
        return f"<tr>{''.join(cell(tag, place, content) for place, content in enumerate(cells))}</tr>"

    head = list(head)
    header = f"<thead>{line('th', head)}</thead>" if head else ""
    body = "".join(line("td", cells) for cells in rows)
    return f'<table style="{_STYLE["table"]}">{header}<tbody>{body}</tbody></table>'


def bar(share: float, colour: str = FOR) -> str:
    """A bar of a share from 0 to 1 of its cell."""
    width = 100 * min(max(share, 0.0), 1.0)
    return f'<div style="width:9em"><div style="background:{colour};height:.75em;width:{width:.1f}%;border-radius:1px"></div></div>'


def signed_bar(share: float) -> str:
    """A bar from the middle of its cell: to the right in one colour, to the left in another."""
    width = 50 * min(abs(share), 1.0)
    left, colour = (50.0, FOR) if share >= 0 else (50 - width, AGAINST)
    axis = f'<div style="position:absolute;left:50%;top:-.2em;bottom:-.2em;border-left:1px solid {_RULE}"></div>'
    own = f"position:absolute;left:{left:.1f}%;width:{width:.1f}%;top:0;bottom:0;background:{colour};border-radius:1px"
    return f'<div style="position:relative;width:14em;height:.75em">{axis}<div style="{own}"></div></div>'


def details(summary: str, content: str) -> str:
    """What is shown on a click. Both are HTML."""
    return f'<details style="margin-top:.4em"><summary style="cursor:pointer">{summary}</summary>{content}</details>'


def number(value: float, form: str = ".6g") -> str:
    """A number with a minus that is as wide as a plus, and infinity as a sign."""
    shown = f"{value:{form}}".replace("inf", "∞").replace("-", "−")
    if shown == "nan":
        return "missing"
    return shown[1:] if shown in ("+0.00", "−0.00") else shown
