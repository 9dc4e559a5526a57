//! Which column of a file is which column of a schema: by name.

use std::collections::{BTreeSet, HashMap};

use crate::{
    Schema,
    read::{ExtraColumns, FileProblem, Labels, Overrides, ReadError, TableOptions},
    schema::nearest,
};

/// Positions in the file of what is read.
#[derive(Debug)]
pub(in crate::read) struct Columns {
    /// Of the columns of the schema, in its order.
    pub(in crate::read) features: Vec<usize>,
    pub(in crate::read) label: Option<usize>,
    pub(in crate::read) weight: Option<usize>,
    pub(in crate::read) ids: Vec<usize>,
    /// The names of the columns that are not read.
    pub(in crate::read) ignored: Vec<String>,
}

impl Columns {
    /// Finds the columns of a schema in a file.
    pub(in crate::read) fn of_schema(
        file: &str,
        header: &[String],
        schema: &Schema,
        options: &TableOptions,
    ) -> Result<Self, ReadError> {
        let header = Header::new(file, header)?;
        schema.check().map_err(|error| {
            header.refuse(FileProblem::Format { format: "schema", reason: error.to_string() })
        })?;
        let features =
            schema.columns.iter().map(|column| header.find(&column.name)).collect::<Result<_, _>>()?;
        let label = match options.labels {
            Labels::Required => Some(header.find(&schema.label)?),
            Labels::IfPresent => header.places.get(schema.label.as_str()).copied(),
            Labels::Ignore => None,
        };
        let weight = options.weight.as_ref().map(|weight| header.find(weight)).transpose()?;
        let ids = options.ids.iter().map(|id| header.find(id)).collect::<Result<_, _>>()?;
        let mut used: BTreeSet<&str> = schema.columns.iter().map(|column| column.name.as_str()).collect();
        used.insert(&schema.label);
        used.extend(options.weight.as_deref());
        used.extend(options.ids.iter().map(String::as_str));
        let ignored = header.names.iter().filter(|name| !used.contains(name.as_str())).cloned();
        let ignored: Vec<String> = ignored.collect();
        if options.extra_columns == ExtraColumns::Error && !ignored.is_empty() {
            return Err(header.refuse(FileProblem::ExtraColumns { names: ignored }));
        }
        Ok(Self { features, label, weight, ids, ignored })
    }

    /// Finds the columns from which a schema is learnt: all except the label, the weight and those that are
    /// left out. No label is needed if labels are ignored.
    pub(in crate::read) fn to_learn(
        file: &str,
        header: &[String],
        label: &str,
        overrides: &Overrides,
        options: &TableOptions,
    ) -> Result<Self, ReadError> {
        with_constants(file, header.to_vec(), &options.constants)?;
        let is_constant = |name: &str| options.constants.iter().any(|(constant, _)| constant == name);
        let header = Header::new(file, header)?;
        let label = match options.labels {
            _ if is_constant(label) => None,
            Labels::Ignore => header.places.get(label).copied(),
            Labels::Required | Labels::IfPresent => Some(header.find(label)?),
        };
        let weight = options.weight.as_ref().filter(|weight| !is_constant(weight));
        let weight = weight.map(|weight| header.find(weight)).transpose()?;
        let named = overrides.ignore.iter().chain(overrides.kinds.keys()).chain(overrides.texts.keys());
        for name in named.chain(overrides.date_orders.keys()).filter(|name| !is_constant(name)) {
            header.find(name)?;
        }
        let is_feature = |&column: &usize| {
            Some(column) != label
                && Some(column) != weight
                && !overrides.ignore.contains(&header.names[column])
        };
        let features: Vec<usize> = (0..header.names.len()).filter(is_feature).collect();
        if features.is_empty() {
            return Err(header.refuse(FileProblem::NoFeatures));
        }
        let ignored = overrides.ignore.iter().cloned().collect();
        Ok(Self { features, label, weight, ids: Vec::new(), ignored })
    }
}

/// The names of the columns of a file, and those of which all of its rows have the same cell.
pub(in crate::read) fn with_constants(
    file: &str,
    mut header: Vec<String>,
    constants: &[(String, String)],
) -> Result<Vec<String>, ReadError> {
    if let Some((name, cell)) = constants.iter().find(|(name, _)| header.contains(name)) {
        let problem = FileProblem::ConstantColumn { name: name.clone(), cell: cell.clone() };
        return Err(ReadError::of_file(file, problem));
    }
    header.extend(constants.iter().map(|(name, _)| name.clone()));
    Ok(header)
}

/// The first feature of each column; none if every column is one feature.
pub(in crate::read) fn first_features(schema: &Schema) -> Vec<usize> {
    if schema.is_one_to_one() {
        return Vec::new();
    }
    let columns = schema.columns.iter();
    let starts = columns.scan(0, |next, column| {
        let first = *next;
        *next += column.n_features();
        Some(first)
    });
    starts.collect()
}

/// The names of the columns of a file.
struct Header<'a> {
    file: &'a str,
    names: &'a [String],
    places: HashMap<&'a str, usize>,
}

impl<'a> Header<'a> {
    fn new(file: &'a str, names: &'a [String]) -> Result<Self, ReadError> {
        let mut places = HashMap::with_capacity(names.len());
        for (place, name) in names.iter().enumerate() {
            if places.insert(name.as_str(), place).is_some() {
                return Err(ReadError::of_file(file, FileProblem::DuplicateColumn { name: name.clone() }));
            }
        }
        Ok(Self { file, names, places })
    }

    fn find(&self, name: &str) -> Result<usize, ReadError> {
        self.places.get(name).copied().ok_or_else(|| {
            const MOST: usize = 10;
            let nearest = nearest(name, self.names.iter().map(String::as_str)).map(String::into_boxed_str);
            let found = self.names.iter().take(MOST).cloned().collect();
            let n_columns = self.names.len();
            self.refuse(FileProblem::MissingColumn {
                name: name.into(),
                nearest,
                found,
                n_columns,
                below: None,
            })
        })
    }

    fn refuse(&self, problem: FileProblem) -> ReadError {
        ReadError::of_file(self.file, problem)
    }
}
