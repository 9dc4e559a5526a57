//! What a model file says, as plain serde types: the wire form of schema, family, prior and evidence.
//!
//! These types are the format. A change of theirs is a change of the version, and `docs/format.md` is kept
//! with them.

mod additions;
mod calibration;
mod dates;
mod decision;
mod family;
mod learnt;
mod nested;
mod ranges;
mod reading;
mod refinement;
mod sums;
mod text;
mod training;
mod values;

use std::collections::BTreeMap;

use nb_core::{
    SufficientStats,
    error::{ImpossibleSums, StatsError},
    exact::ExactSums,
};
use serde::{Deserialize, Serialize};

use super::{Limits, LoadProblem};
use crate::{
    Column, DateOrder, Kind, Model, Registry, Schema,
    model::Training,
    text::{Emoji, Normalization},
};
pub(super) use additions::{ADDITIONS_VERSION, AdditionsDocument};
pub(super) use calibration::{CALIBRATION_VERSION, CalibrationDocument};
pub(super) use dates::{DATE_ORDERS_VERSION, DATES_VERSION, DateOrderDocument, DatePartDocument};
pub(super) use decision::{DECISION_VERSION, DecisionDocument};
pub(super) use family::FamilyDocument;
pub(super) use ranges::RangeDocument;
pub(super) use reading::{LINES_VERSION, LinesDocument, READING_VERSION, ReadingDocument};
pub(super) use refinement::{REFINEMENT_VERSION, RefinementDocument};
pub(super) use sums::{SumsDocument, TailDocument, WideDocument};
use text::PREPARED_TEXT_VERSION;
pub(super) use text::TextDocument;
pub(super) use training::{TRAINING_VERSION, TrainingDocument};

/// The first version of the format that may leave out sums that are zero.
pub(super) const SPARSE_VERSION: u16 = 3;
/// The first version of the format that has columns of texts with a fixed vocabulary.
pub(super) const FIXED_TEXT_VERSION: u16 = 4;
/// The first version of the format that has sums of terms of any size.
pub(super) const WIDE_VERSION: u16 = 4;

/// The name of the format.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub(super) enum Format {
    #[serde(rename = "naive-bayes-model")]
    NaiveBayesModel,
}

/// A whole model, in the order of its JSON form.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Document {
    pub(super) format: Format,
    /// The oldest version of the format that has all that is in it.
    pub(super) version: u16,
    pub(super) schema: SchemaDocument,
    pub(super) family: FamilyDocument,
    pub(super) prior: PriorDocument,
    /// Since version 6.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reading: Option<ReadingDocument>,
    /// Since version 7.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) lines: Option<LinesDocument>,
    /// Since version 8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) refinement: Option<RefinementDocument>,
    /// Since version 9.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) decision: Option<DecisionDocument>,
    /// Since version 10.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) training: Option<TrainingDocument>,
    /// Since version 11.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) calibration: Option<CalibrationDocument>,
    /// Since version 12.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) additions: Option<AdditionsDocument>,
    /// Since version 12.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ranges: Option<Vec<RangeDocument>>,
    pub(super) classes: Vec<ClassDocument>,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SchemaDocument {
    pub(super) columns: Vec<ColumnDocument>,
    pub(super) label: String,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ColumnDocument {
    pub(super) name: String,
    pub(super) kind: KindDocument,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum KindDocument {
    Numeric,
    Count,
    Categorical {
        levels: Vec<String>,
    },
    Text(Box<TextDocument>),
    /// A text whose vocabulary stays as it is: since version 4.
    FixedText(Box<TextDocument>),
    /// Since version 7.
    Dates {
        parts: Vec<DatePartDocument>,
    },
    /// Dates that may be written in their own order: since version 12.
    WrittenDates {
        order: DateOrderDocument,
        parts: Vec<DatePartDocument>,
    },
    /// Numbers that are the days of such dates: since version 12.
    WrittenDays {
        order: DateOrderDocument,
    },
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum PriorDocument {
    Empirical,
    Uniform,
    Given(Vec<f64>),
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ClassDocument {
    pub(super) label: String,
    pub(super) weight: SumsDocument,
    pub(super) parts: Vec<SumsDocument>,
}

impl ClassDocument {
    /// All of its sums.
    fn sums(&self) -> impl Iterator<Item = &SumsDocument> {
        std::iter::once(&self.weight).chain(&self.parts)
    }
}

impl Document {
    pub(super) fn of(model: &Model) -> Self {
        let stats = model.stats();
        let classes = stats.classes().zip(stats.class_weights()).zip(stats.class_sums());
        let classes = classes.map(|((label, weight), parts)| {
            let mut total = ExactSums::new(1);
            weight.components().iter().for_each(|&component| total.add(0, component));
            let parts = parts.iter().map(SumsDocument::of).collect();
            ClassDocument { label: label.clone(), weight: SumsDocument::of(&total), parts }
        });
        let mut classes: Vec<ClassDocument> = classes.collect();
        let all =
            classes.iter_mut().flat_map(|class| std::iter::once(&mut class.weight).chain(&mut class.parts));
        let family = FamilyDocument::of(model.family());
        let of_sums = if sums::leave_out_zeros(all) { SPARSE_VERSION } else { 1 };
        let has_wide = classes.iter().flat_map(ClassDocument::sums).any(|sums| !sums.wide.is_empty());
        let of_wide = if has_wide { WIDE_VERSION } else { 1 };
        let (reading, lines) = reading::documents(model.reading());
        let of_reading = match (&reading, &lines) {
            (_, Some(_)) => LINES_VERSION,
            (Some(_), None) => READING_VERSION,
            (None, None) => 1,
        };
        let refinement = model.refinement().map(RefinementDocument::of);
        let of_refinement = if refinement.is_some() { REFINEMENT_VERSION } else { 1 };
        let additions = model.refinement().and_then(|refinement| AdditionsDocument::of(&refinement.columns));
        let ranges = RangeDocument::of(model.value_ranges());
        let of_additions = if additions.is_some() || ranges.is_some() { ADDITIONS_VERSION } else { 1 };
        let decision = model.decision().map(DecisionDocument::of);
        let of_decision = if decision.is_some() { DECISION_VERSION } else { 1 };
        let training = TrainingDocument::of(model.training());
        let of_training = if training.is_some() { TRAINING_VERSION } else { 1 };
        let calibration = model.calibration().map(CalibrationDocument::of);
        let of_calibration = if calibration.is_some() { CALIBRATION_VERSION } else { 1 };
        let has_dates = model.schema().columns.iter().any(|column| matches!(column.kind, Kind::Dates(_)));
        let has_orders = model.schema().columns.iter().any(|column| {
            matches!(column.kind, Kind::Dates(_) | Kind::Numeric)
                && model.reading().date_orders.contains_key(&column.name)
        });
        let of_dates = match () {
            () if has_orders => DATE_ORDERS_VERSION,
            () if has_dates => DATES_VERSION,
            () => 1,
        };
        let schema = SchemaDocument::of(
            model.schema(),
            &model.reading().date_orders,
            [
                of_reading,
                of_dates,
                of_refinement,
                of_decision,
                of_training,
                of_calibration,
                of_additions,
                family.version(),
            ]
            .into_iter()
            .any(|version| version > PREPARED_TEXT_VERSION),
        );
        let of_fixed = if schema.has_fixed_text() { FIXED_TEXT_VERSION } else { 1 };
        let of_schema = if schema.has_prepared_text() { PREPARED_TEXT_VERSION } else { of_fixed };
        Self {
            format: Format::NaiveBayesModel,
            version: [
                of_sums,
                of_wide,
                of_schema,
                of_dates,
                of_reading,
                of_refinement,
                of_decision,
                of_training,
                of_calibration,
                of_additions,
                family.version(),
            ]
            .into_iter()
            .fold(1, u16::max),
            schema,
            family,
            prior: PriorDocument::of(model.prior()),
            reading,
            lines,
            refinement,
            decision,
            training,
            calibration,
            additions,
            ranges,
            classes,
        }
    }

    /// Refuses what its version does not have.
    pub(super) fn check_version(&self) -> Result<(), LoadProblem> {
        let any = |has: fn(&SumsDocument) -> bool| self.classes.iter().flat_map(ClassDocument::sums).any(has);
        let (what, problem) = if self.version < SPARSE_VERSION && any(|sums| sums.places.is_some()) {
            ("a vector of sums", "places")
        } else if self.version < WIDE_VERSION && any(|sums| !sums.wide.is_empty()) {
            ("a vector of sums", "numbers in digits")
        } else if self.version < FIXED_TEXT_VERSION && self.schema.has_fixed_text() {
            ("the schema", "fixed vocabularies")
        } else if self.version < PREPARED_TEXT_VERSION && self.schema.has_prepared_text() {
            ("the schema", "normalization and emoji")
        } else if self.version < READING_VERSION && self.reading.is_some() {
            ("the file", "decisions about reading")
        } else if self.version < LINES_VERSION && self.lines.is_some() {
            ("the file", "decisions about lines")
        } else if self.version < DATES_VERSION && self.schema.has_dates() {
            ("the schema", "dates")
        } else if self.version < DATE_ORDERS_VERSION && !self.schema.date_orders().is_empty() {
            ("the schema", "orders of dates")
        } else if self.version < REFINEMENT_VERSION && self.refinement.is_some() {
            ("the file", "weights and corrections")
        } else if self.version < DECISION_VERSION && self.decision.is_some() {
            ("the file", "decision rules")
        } else if self.version < TRAINING_VERSION && self.training.is_some() {
            ("the file", "records of training")
        } else if self.version < CALIBRATION_VERSION && self.calibration.is_some() {
            ("the file", "calibration maps")
        } else if self.version < ADDITIONS_VERSION && self.additions.is_some() {
            ("the file", "lines, pairs of columns and absent texts")
        } else if self.version < ADDITIONS_VERSION && self.ranges.is_some() {
            ("the file", "ranges of columns")
        } else {
            return Ok(());
        };
        Err(LoadProblem::invalid(what, &format!("{problem} are not of version {}", self.version)))
    }

    /// About as many bytes as all sums take, and their names.
    pub(super) fn size(&self) -> usize {
        let parts = self.classes.iter().flat_map(|class| &class.parts);
        let sums: usize = parts.map(SumsDocument::n_doubles).sum();
        let names: usize = self.schema.columns.iter().map(ColumnDocument::size).sum();
        8 * sums + names + (1 << 12)
    }

    pub(super) fn into_model(self, limits: Limits, registry: &Registry) -> Result<Model, LoadProblem> {
        let date_orders = self.schema.date_orders();
        let schema = self.schema.into_schema()?;
        schema.check()?;
        check_memory(&self.classes, &schema, limits)?;
        if !self.classes.is_sorted_by(|class, next| class.label < next.label) {
            return Err(LoadProblem::invalid("the list of classes", &"it is not in the order of the labels"));
        }
        let family =
            self.family.into_family(registry).map_err(|error| LoadProblem::invalid("the family", &error))?;
        let mut classes = Vec::with_capacity(self.classes.len());
        for class in self.classes {
            let sums = |what: String, document: SumsDocument| {
                let planes =
                    document.into_planes().map_err(|reason| LoadProblem::invalid(&*what, &reason))?;
                ExactSums::try_from(planes).map_err(|error| LoadProblem::invalid(&*what, &error))
            };
            let label = class.label;
            let weight = sums(format!("the weight of class {label:?}"), class.weight)?;
            if weight.len() > 1 {
                return Err(LoadProblem::invalid(
                    format!("the weight of class {label:?}"),
                    &"it is not one number",
                ));
            }
            let parts = class.parts.into_iter().enumerate();
            let parts =
                parts.map(|(part, document)| sums(format!("part {part} of class {label:?}"), document));
            classes.push((label.clone(), weight.get(0), parts.collect::<Result<Vec<_>, _>>()?));
        }
        let labels: Vec<String> = classes.iter().map(|(label, ..)| label.clone()).collect();
        let stats = SufficientStats::from_parts(&family, schema.n_features(), classes);
        let stats = stats.map_err(|error| invalid_stats(error, &labels, &schema))?;
        let model = Model::with_checked_schema(schema, family, self.prior.into_prior(), stats)?;
        let mut refinement = self.refinement.map(RefinementDocument::into_refinement);
        if let Some(additions) = self.additions {
            let problem = |reason: &str| LoadProblem::invalid("lines and pairs of columns", &reason);
            let refinement =
                refinement.as_mut().ok_or_else(|| problem("there are no weights and corrections"))?;
            additions.add_to(&mut refinement.columns).map_err(|reason| problem(&reason))?;
        }
        let decision = self.decision.map(DecisionDocument::into_decision).transpose();
        let decision = decision.map_err(|error| LoadProblem::invalid("the decision rule", &error))?;
        let reading = reading::reading(self.reading, self.lines, date_orders);
        let model = model.with_reading(reading).with_refinement(refinement)?;
        let training = self.training.map(TrainingDocument::into_training).transpose();
        let training = training.map_err(|reason| LoadProblem::invalid("the record of training", &reason))?;
        let calibration = self.calibration.map(CalibrationDocument::into_calibration).transpose();
        let calibration =
            calibration.map_err(|reason| LoadProblem::invalid("the calibration map", &reason))?;
        let model = model.with_loaded_decision(decision).with_loaded_calibration(calibration);
        let ranges = RangeDocument::ranges(self.ranges.unwrap_or_default());
        let ranges = ranges.ok_or_else(|| {
            LoadProblem::invalid("the ranges of columns", &"they are not in order, or one is no range")
        })?;
        Ok(model.with_training(Training { ranges, ..training.unwrap_or_default() })?)
    }
}

/// The error about statistics, with the names of class and column.
fn invalid_stats(error: StatsError, labels: &[String], schema: &Schema) -> LoadProblem {
    match error {
        StatsError::Impossible { class, sums: ImpossibleSums { column, problem, .. } } => {
            let label = labels.get(class).map_or("", String::as_str);
            let column = schema.feature_name(column).unwrap_or_else(|| column.to_string());
            let reason =
                format!("{problem}; no rows have such sums, so the file was damaged or made by hand");
            LoadProblem::invalid(format!("column {column:?} of class {label:?}"), &reason)
        }
        error => LoadProblem::invalid("the statistics", &error),
    }
}

/// Refuses a model that takes more memory than the limit: a file says in a few bytes how many hashed terms
/// there are, and leaves out sums that are zero.
fn check_memory(classes: &[ClassDocument], schema: &Schema, limits: Limits) -> Result<(), LoadProblem> {
    /// A sum and a parameter of each class and feature.
    const PER_FEATURE: u64 = 16;
    let sums = classes.iter().flat_map(|class| std::iter::once(&class.weight).chain(&class.parts));
    let sums = sums.map(SumsDocument::memory).fold(0, u64::saturating_add);
    let features =
        (schema.n_features() as u64).saturating_mul(PER_FEATURE).saturating_mul(classes.len().max(1) as u64);
    let needed = sums.saturating_add(features);
    if needed <= limits.max_memory {
        return Ok(());
    }
    Err(LoadProblem::Memory { needed, limit: limits.max_memory })
}

impl ColumnDocument {
    /// About as many bytes as its names take.
    fn size(&self) -> usize {
        let names = match &self.kind {
            KindDocument::Text(text) | KindDocument::FixedText(text) => text.size(),
            _ => 0,
        };
        self.name.len() + 12 + names
    }
}

impl SchemaDocument {
    /// The document of a schema, in a version that has all settings of texts or in the oldest that does.
    fn of(schema: &Schema, date_orders: &BTreeMap<String, DateOrder>, is_new: bool) -> Self {
        let is_prepared = is_new
            || schema.columns.iter().any(|column| match &column.kind {
                Kind::Text(text) => {
                    (text.tokens.normalization, text.tokens.emoji) != (Normalization::None, Emoji::Drop)
                }
                _ => false,
            });
        let columns = schema.columns.iter().map(|column| {
            let order = date_orders.get(&column.name).copied().map(DateOrderDocument::of);
            let kind = match &column.kind {
                Kind::Numeric => {
                    order.map_or(KindDocument::Numeric, |order| KindDocument::WrittenDays { order })
                }
                Kind::Count => KindDocument::Count,
                Kind::Categorical { levels } => KindDocument::Categorical { levels: levels.clone() },
                Kind::Text(text) => {
                    let document = TextDocument::of(text, is_prepared).into();
                    if text.fixed { KindDocument::FixedText(document) } else { KindDocument::Text(document) }
                }
                Kind::Dates(parts) => {
                    let parts = DatePartDocument::of(*parts);
                    match order {
                        Some(order) => KindDocument::WrittenDates { order, parts },
                        None => KindDocument::Dates { parts },
                    }
                }
            };
            ColumnDocument { name: column.name.clone(), kind }
        });
        Self { columns: columns.collect(), label: schema.label.clone() }
    }

    fn has_dates(&self) -> bool {
        self.columns.iter().any(|column| matches!(column.kind, KindDocument::Dates { .. }))
    }

    /// How dates are written, by the names of their columns.
    fn date_orders(&self) -> BTreeMap<String, DateOrder> {
        let orders = self.columns.iter().filter_map(|column| match column.kind {
            KindDocument::WrittenDates { order, .. } | KindDocument::WrittenDays { order } => {
                Some((column.name.clone(), order.into_order()))
            }
            _ => None,
        });
        orders.collect()
    }

    fn has_fixed_text(&self) -> bool {
        self.columns.iter().any(|column| matches!(column.kind, KindDocument::FixedText(_)))
    }

    /// Whether it says how texts are normalised and what is done with emoji.
    fn has_prepared_text(&self) -> bool {
        self.columns.iter().any(|column| match &column.kind {
            KindDocument::Text(text) | KindDocument::FixedText(text) => text.is_prepared(),
            _ => false,
        })
    }

    fn into_schema(self) -> Result<Schema, LoadProblem> {
        let columns = self.columns.into_iter().map(|column| -> Result<Column, LoadProblem> {
            let kind = match column.kind {
                KindDocument::Numeric | KindDocument::WrittenDays { .. } => Kind::Numeric,
                KindDocument::Count => Kind::Count,
                KindDocument::Categorical { levels } => Kind::Categorical { levels },
                KindDocument::Text(text) => Kind::Text(text.into_text(false).into()),
                KindDocument::FixedText(text) => Kind::Text(text.into_text(true).into()),
                KindDocument::Dates { parts } | KindDocument::WrittenDates { parts, .. } => {
                    Kind::Dates(DatePartDocument::parts(&parts).ok_or_else(|| {
                        LoadProblem::invalid("the schema", &"parts of dates are not in order, each once")
                    })?)
                }
            };
            Ok(Column { name: column.name, kind })
        });
        Ok(Schema { columns: columns.collect::<Result<_, _>>()?, label: self.label })
    }
}
