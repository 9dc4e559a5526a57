//! Lines beside bins, monotone bins, pairs of columns and texts without known terms on the wire.

use nb_discriminative::{AbsentText, GridAxis, Line, PairCorrection, Refinement};
use serde::{Deserialize, Serialize};

/// The first version of the format that has them.
pub(in crate::file) const ADDITIONS_VERSION: u16 = 12;

/// What weights and corrections have beside bins, categories and terms of texts.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(in crate::file) struct AdditionsDocument {
    lines: Vec<LineDocument>,
    pairs: Vec<PairDocument>,
    absent_texts: Vec<AbsentTextDocument>,
    rising: Vec<RisingDocument>,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct AbsentTextDocument {
    first: usize,
    n_terms: usize,
    added: Vec<f64>,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct RisingDocument {
    feature: usize,
    class: usize,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct LineDocument {
    feature: usize,
    low: f64,
    high: f64,
    center: f64,
    per_unit: Vec<f64>,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct PairDocument {
    features: [usize; 2],
    axes: [AxisDocument; 2],
    cells: Vec<f64>,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum AxisDocument {
    Bins { cuts: Vec<f64> },
    Categories { places: Vec<usize>, n_places: usize },
}

impl AdditionsDocument {
    /// Nothing if there is nothing to add.
    pub(super) fn of(columns: &Refinement) -> Option<Self> {
        let lines = columns.corrections.iter().enumerate().filter_map(|(feature, correction)| {
            let Line { low, high, center, per_unit } = correction.line()?.clone();
            Some(LineDocument { feature, low, high, center, per_unit })
        });
        let pairs = columns.pairs.iter().map(|pair| PairDocument {
            features: pair.columns,
            axes: pair.axes.clone().map(AxisDocument::of),
            cells: pair.cells.clone(),
        });
        let absent_texts = columns.absent_texts.iter().map(|text| AbsentTextDocument {
            first: text.terms.start,
            n_terms: text.terms.len(),
            added: text.added.clone(),
        });
        let rising = columns.corrections.iter().enumerate().filter_map(|(feature, correction)| {
            correction.rising().map(|class| RisingDocument { feature, class })
        });
        let additions = Self {
            lines: lines.collect(),
            pairs: pairs.collect(),
            absent_texts: absent_texts.collect(),
            rising: rising.collect(),
        };
        let Self { lines, pairs, absent_texts, rising } = &additions;
        let is_empty = lines.is_empty() && pairs.is_empty() && absent_texts.is_empty() && rising.is_empty();
        (!is_empty).then_some(additions)
    }

    /// Adds them to weights and corrections.
    ///
    /// # Errors
    /// Says which line or monotone column has no feature.
    pub(super) fn add_to(self, columns: &mut Refinement) -> Result<(), String> {
        for LineDocument { feature, low, high, center, per_unit } in self.lines {
            let Some(correction) = columns.corrections.get_mut(feature) else {
                return Err(format!("there is no feature {feature} for a line"));
            };
            *correction = correction.clone().with_line(Some(Line { low, high, center, per_unit }));
        }
        for RisingDocument { feature, class } in self.rising {
            let Some(correction) = columns.corrections.get_mut(feature) else {
                return Err(format!("there is no feature {feature} that is monotone"));
            };
            *correction = correction.clone().with_rising(Some(class));
        }
        let pairs = self.pairs.into_iter().map(|PairDocument { features, axes, cells }| PairCorrection {
            columns: features,
            axes: axes.map(AxisDocument::into_axis),
            cells,
        });
        columns.pairs = pairs.collect();
        let absent_texts = self.absent_texts.into_iter().map(|text| AbsentText {
            terms: text.first..text.first.saturating_add(text.n_terms),
            added: text.added,
        });
        columns.absent_texts = absent_texts.collect();
        Ok(())
    }
}

impl AxisDocument {
    fn of(axis: GridAxis) -> Self {
        match axis {
            GridAxis::Bins(cuts) => Self::Bins { cuts },
            GridAxis::Categories { places, n_places } => Self::Categories { places, n_places },
        }
    }

    fn into_axis(self) -> GridAxis {
        match self {
            Self::Bins { cuts } => GridAxis::Bins(cuts),
            Self::Categories { places, n_places } => GridAxis::Categories { places, n_places },
        }
    }
}
