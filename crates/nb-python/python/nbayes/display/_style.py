"""How all pictures look: colours of classes and signs, and axes without what says nothing."""

from __future__ import annotations

import importlib
from typing import Any

# Those of the reports of the program `nbayes`, which people with colour blindness tell apart.
CLASSES = ("#0079c0", "#b04000", "#00825d", "#c0619f", "#ba7f00", "#004a75", "#7a7f85", "#6b6800")
FOR, AGAINST, NEUTRAL = "#2b7fc3", "#e0761b", "#8a929a"


def pyplot() -> Any:
    """`matplotlib.pyplot`, or an error that says what to install."""
    try:
        return importlib.import_module("matplotlib.pyplot")
    except ImportError as error:
        raise ImportError("pictures are drawn by matplotlib, which is not installed: pip install matplotlib") from error


def axes(ax: Any, size: tuple[float, float]) -> Any:
    """The given axes, or those of a new figure of this size in inches."""
    if ax is not None:
        return ax
    return pyplot().subplots(figsize=size, layout="constrained")[1]


def colour(place: int) -> str:
    """The colour of a class."""
    return CLASSES[place % len(CLASSES)]


def tidy(ax: Any, *, grid: str | None) -> None:
    """Takes away the upper and the right border, and draws faint lines across `x`, `y`, `both` or neither."""
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(NEUTRAL)
    ax.tick_params(color=NEUTRAL, labelsize="small")
    ax.set_axisbelow(True)
    if grid is not None:
        ax.grid(True, axis=grid, color=NEUTRAL, alpha=0.2, linewidth=0.6)


def short(text: str, most: int = 22) -> str:
    """A text of at most so many letters, with characters that no font has and without what matplotlib takes for a formula."""
    text = "".join(letter if letter.isprintable() else " " for letter in text)
    text = text if len(text) <= most else text[: most - 1] + "…"
    return text.replace("$", r"\$")


def quoted(label: Any) -> str:
    """A label as titles name it."""
    return f"“{short(str(label))}”"


def number(value: float) -> str:
    """A number with a sign and two digits."""
    text = f"{value:+.2f}".replace("-", "−")
    return text[1:] if text[1:] == "0.00" else text
