//! Columns of lists of numbers, such as embeddings and pixels, as a column for each element.

use std::{
    collections::{BTreeMap, btree_map::Entry},
    ops::Range,
    sync::Arc,
};

use arrow_array::{Array, ArrayRef, Float64Array, RecordBatch, cast::AsArray};
use arrow_schema::{DataType, Field, Schema, SchemaRef};

use super::values::Values;
use crate::read::{CellProblem, Place, ReadError};

/// The longest lists that become columns.
const LONGEST: usize = 1 << 16;

/// Where a column comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Origin {
    /// The column of the file.
    pub(super) root: usize,
    /// The element of its lists, if it has lists.
    pub(super) item: Option<usize>,
}

/// The columns of a file, with those of lists taken apart.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) schema: SchemaRef,
    pub(super) origins: Vec<Origin>,
    /// How long the lists of a column of the file are.
    lengths: BTreeMap<usize, usize>,
}

impl Layout {
    /// The layout of a file with this schema, in which lists of any length are as long as `lengths` says by
    /// column.
    pub(super) fn new(schema: &SchemaRef, lengths: &BTreeMap<usize, usize>) -> Self {
        let (mut fields, mut origins, mut known) = (Vec::new(), Vec::new(), BTreeMap::new());
        for (root, field) in schema.fields().iter().enumerate() {
            let length = match field.data_type() {
                found if !has_numbers(found) => None,
                DataType::FixedSizeList(_, length) => usize::try_from(*length).ok(),
                _ => lengths.get(&root).copied(),
            };
            let Some(length) = length.filter(|length| (1..=LONGEST).contains(length)) else {
                fields.push(field.clone());
                origins.push(Origin { root, item: None });
                continue;
            };
            known.insert(root, length);
            for item in 0..length {
                let name = format!("{}[{item}]", field.name());
                fields.push(Arc::new(Field::new(name, DataType::Float64, true)));
                origins.push(Origin { root, item: Some(item) });
            }
        }
        Self { schema: Arc::new(Schema::new(fields)), origins, lengths: known }
    }

    /// The layout of a file with this schema in which lists stay such.
    pub(super) fn plain(schema: &SchemaRef) -> Self {
        let origins = (0..schema.fields().len()).map(|root| Origin { root, item: None });
        Self { schema: schema.clone(), origins: origins.collect(), lengths: BTreeMap::new() }
    }

    /// Whether no column has lists that are taken apart.
    pub(super) fn is_plain(&self) -> bool {
        self.lengths.is_empty()
    }

    /// The columns of the file whose lists may have any length, which is not known.
    pub(super) fn of_unknown_length(schema: &SchemaRef) -> Vec<usize> {
        let fields = schema.fields().iter().enumerate();
        let is_open = |found: &DataType| has_numbers(found) && !matches!(found, DataType::FixedSizeList(..));
        fields.filter(|(_, field)| is_open(field.data_type())).map(|(root, _)| root).collect()
    }

    /// The columns at some places, of a batch in which the columns of the file are at `root_places`.
    pub(super) fn take_apart(
        &self,
        file: &str,
        first_row: usize,
        batch: &RecordBatch,
        wanted: &[usize],
        root_places: &BTreeMap<usize, usize>,
    ) -> Result<Vec<ArrayRef>, ReadError> {
        let mut items: BTreeMap<usize, Vec<ArrayRef>> = BTreeMap::new();
        let mut columns = Vec::with_capacity(wanted.len());
        for &place in wanted {
            let Origin { root, item } = self.origins[place];
            let array = root_places.get(&root).and_then(|&place| batch.columns().get(place));
            let Some(array) = array else { continue };
            let (Some(item), Some(&length)) = (item, self.lengths.get(&root)) else {
                columns.push(array.clone());
                continue;
            };
            if let Entry::Vacant(entry) = items.entry(root) {
                let column = self.schema.field(place).name();
                let column = column.rsplit_once('[').map_or(column.as_str(), |(name, _)| name);
                let refuse = |row: usize, text: &str, problem| {
                    ReadError::cell(file, Place::Row(first_row + row), column, text, problem)
                };
                entry.insert(elements(array.as_ref(), length, refuse)?);
            }
            columns.extend(items.get(&root).and_then(|items| items.get(item)).cloned());
        }
        Ok(columns)
    }
}

/// Whether a type is one of lists of numbers.
fn has_numbers(found: &DataType) -> bool {
    match found {
        DataType::FixedSizeList(field, _) | DataType::List(field) | DataType::LargeList(field) => {
            field.data_type().is_integer() || field.data_type().is_floating()
        }
        _ => false,
    }
}

/// Where the elements of a row are; nothing if the row has no list.
type Places<'a> = Box<dyn Fn(usize) -> Option<Range<usize>> + 'a>;

/// The values of a column of lists, and where those of a row are.
fn lists(array: &dyn Array) -> Option<(&ArrayRef, Places<'_>)> {
    Some(match array.data_type() {
        DataType::FixedSizeList(..) => {
            let lists = array.as_fixed_size_list();
            let length = usize::try_from(lists.value_length()).ok()?;
            // Elements count from that of the first row, also of a slice.
            let start = move |row| usize::try_from(lists.value_offset(row)).unwrap_or_default();
            (
                lists.values(),
                Box::new(move |row| lists.is_valid(row).then(|| start(row)..start(row) + length)),
            )
        }
        DataType::List(_) => {
            let lists = array.as_list::<i32>();
            let offset = |row: usize| usize::try_from(lists.value_offsets()[row]).unwrap_or_default();
            (lists.values(), Box::new(move |row| lists.is_valid(row).then(|| offset(row)..offset(row + 1))))
        }
        DataType::LargeList(_) => {
            let lists = array.as_list::<i64>();
            let offset = |row: usize| usize::try_from(lists.value_offsets()[row]).unwrap_or_default();
            (lists.values(), Box::new(move |row| lists.is_valid(row).then(|| offset(row)..offset(row + 1))))
        }
        _ => return None,
    })
}

/// The length of the first list.
pub(super) fn first_length(array: &dyn Array) -> Option<usize> {
    let (_, range) = lists(array)?;
    (0..array.len()).find_map(|row| range(row).map(|range| range.len()))
}

/// The elements of lists of one length, each as a column; those of a row without a list are missing.
fn elements(
    array: &dyn Array,
    length: usize,
    refuse: impl Fn(usize, &str, CellProblem) -> ReadError,
) -> Result<Vec<ArrayRef>, ReadError> {
    let Some((values, range)) = lists(array) else { return Ok(Vec::new()) };
    let values = Values::of(values.as_ref());
    let mut columns = vec![Vec::with_capacity(array.len()); length];
    for row in 0..array.len() {
        let range = range(row);
        if let Some(range) = &range
            && range.len() != length
        {
            let problem = CellProblem::ListLength { found: range.len(), expected: length };
            return Err(refuse(row, &shown(values.as_ref(), range.clone()), problem));
        }
        for (item, column) in columns.iter_mut().enumerate() {
            let value = match (&range, &values) {
                (Some(range), Some(values)) => {
                    let place = range.start + item;
                    values
                        .number(place, |_| Err(CellProblem::NotANumber))
                        .map_err(|problem| refuse(row, &values.text(place).unwrap_or_default(), problem))?
                }
                _ => f64::NAN,
            };
            column.push((!value.is_nan()).then_some(value));
        }
    }
    Ok(columns.into_iter().map(|column| Arc::new(Float64Array::from(column)) as ArrayRef).collect())
}

/// The beginning of a list.
fn shown(values: Option<&Values<'_>>, range: Range<usize>) -> String {
    const MOST: usize = 4;
    let more = if range.len() > MOST { ", ..." } else { "" };
    let text = |place| values.and_then(|values| values.text(place)).unwrap_or_else(|| "null".into());
    let first: Vec<String> = range.take(MOST).map(text).collect();
    format!("[{}{more}]", first.join(", "))
}
