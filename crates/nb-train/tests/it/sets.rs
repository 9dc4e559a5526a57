//! Embedded data sets as tables.

use nb_datasets::Values;
use nb_io::{Column, Kind, Schema};
use ndarray::Array2;

/// A data set whose columns are numbers or categories.
pub(crate) struct Set {
    pub(crate) schema: Schema,
    pub(crate) rows: Array2<f64>,
    pub(crate) labels: Vec<String>,
}

pub(crate) fn load(name: &str) -> Set {
    let set = nb_datasets::load(name).expect("embedded");
    let columns = set.features().map(|column| {
        let kind = match &column.values {
            Values::Numbers(_) => Kind::Numeric,
            Values::Categories { levels, .. } => Kind::Categorical { levels: levels.clone() },
        };
        Column { name: column.name.clone(), kind }
    });
    let schema = Schema { columns: columns.collect(), label: "class".into() };
    Set { schema, rows: set.x(), labels: set.y().into_iter().map(String::from).collect() }
}

impl Set {
    /// The share of the rows of each class, in order.
    pub(crate) fn shares(&self) -> Vec<f64> {
        let mut classes = self.labels.clone();
        classes.sort_unstable();
        let of_class = |class: &[String]| class.len() as f64 / self.labels.len() as f64;
        classes.chunk_by(|a, b| a == b).map(of_class).collect()
    }
}
