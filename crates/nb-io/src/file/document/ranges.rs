//! Ranges of columns of numbers on the wire.

use serde::{Deserialize, Serialize};

use crate::ValueRanges;

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(in crate::file) struct RangeDocument {
    column: String,
    low: f64,
    high: f64,
}

impl RangeDocument {
    /// Nothing if no range is known.
    pub(super) fn of(ranges: &ValueRanges) -> Option<Vec<Self>> {
        let documents = ranges.iter().map(|(column, [low, high])| Self { column: column.into(), low, high });
        (!ranges.is_empty()).then(|| documents.collect())
    }

    /// The ranges of a list; `None` if they are not in order, or one is no range.
    pub(super) fn ranges(documents: Vec<Self>) -> Option<ValueRanges> {
        let is_in_order = documents.is_sorted_by(|range, next| range.column < next.column);
        let ranges = documents.into_iter().map(|Self { column, low, high }| (column, [low, high]));
        is_in_order.then(|| ValueRanges::stored(ranges)).flatten()
    }
}
