"""Pictures of models with matplotlib, in the manner of the displays of scikit-learn.

Each display has `from_estimator`, which computes what is drawn and draws it, and `plot`, which draws it again, into axes of one's own. What is
drawn is in its attributes; so are the axes (`ax_`) and the figure (`figure_`). matplotlib is needed for drawing alone:
`pip install matplotlib`.
"""

from nbayes.display._explanation import ExplanationDisplay
from nbayes.display._regions import DecisionRegionsDisplay
from nbayes.display._reliability import ReliabilityDisplay
from nbayes.display._shape import Shape
from nbayes.display._shape_display import ShapeDisplay

__all__ = ["DecisionRegionsDisplay", "ExplanationDisplay", "ReliabilityDisplay", "Shape", "ShapeDisplay"]
