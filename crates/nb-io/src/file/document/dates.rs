//! Columns of dates on the wire: the parts that are features, and how dates are written.

use serde::{Deserialize, Serialize};

use crate::{DateOrder, DatePart, DateParts};

/// The first version of the format that has columns of dates.
pub(in crate::file) const DATES_VERSION: u16 = 7;

/// The first version of the format that says how dates are written that are not as ISO 8601 writes them.
pub(in crate::file) const DATE_ORDERS_VERSION: u16 = 12;

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::file) enum DateOrderDocument {
    DayFirst,
    MonthFirst,
    YearFirst,
    EightDigits,
}

impl DateOrderDocument {
    /// The order of this number; `None` if there is none.
    pub(in crate::file) fn of_number(number: u32) -> Option<Self> {
        [Self::DayFirst, Self::MonthFirst, Self::YearFirst, Self::EightDigits].get(number as usize).copied()
    }

    pub(super) fn of(order: DateOrder) -> Self {
        match order {
            DateOrder::DayMonthYear => Self::DayFirst,
            DateOrder::MonthDayYear => Self::MonthFirst,
            DateOrder::YearMonthDay => Self::YearFirst,
            DateOrder::Compact => Self::EightDigits,
        }
    }

    pub(super) fn into_order(self) -> DateOrder {
        match self {
            Self::DayFirst => DateOrder::DayMonthYear,
            Self::MonthFirst => DateOrder::MonthDayYear,
            Self::YearFirst => DateOrder::YearMonthDay,
            Self::EightDigits => DateOrder::Compact,
        }
    }
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::file) enum DatePartDocument {
    Year,
    Month,
    Weekday,
    Hour,
    Days,
}

impl DatePartDocument {
    /// The part of this number; `None` if there is none.
    pub(in crate::file) fn of_number(number: u32) -> Option<Self> {
        [Self::Year, Self::Month, Self::Weekday, Self::Hour, Self::Days].get(number as usize).copied()
    }

    pub(super) fn of(parts: DateParts) -> Vec<Self> {
        let document = |part| match part {
            DatePart::Year => Self::Year,
            DatePart::Month => Self::Month,
            DatePart::Weekday => Self::Weekday,
            DatePart::Hour => Self::Hour,
            DatePart::Days => Self::Days,
        };
        parts.iter().map(document).collect()
    }

    /// The parts of a list; `None` if they are not in order, each once.
    pub(super) fn parts(documents: &[Self]) -> Option<DateParts> {
        let part = |document: &Self| match document {
            Self::Year => DatePart::Year,
            Self::Month => DatePart::Month,
            Self::Weekday => DatePart::Weekday,
            Self::Hour => DatePart::Hour,
            Self::Days => DatePart::Days,
        };
        let parts: Vec<DatePart> = documents.iter().map(part).collect();
        parts.is_sorted_by(|part, next| part < next).then(|| parts.into_iter().collect())
    }
}
