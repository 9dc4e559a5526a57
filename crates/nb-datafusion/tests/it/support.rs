//! Tables for tests, and answers read back.

use std::sync::Arc;

use datafusion::{
    arrow::{
        array::{ArrayRef, AsArray, Float64Array, StringArray},
        datatypes::{DataType, Field, Schema},
        record_batch::RecordBatch,
    },
    datasource::MemTable,
    prelude::{SessionConfig, SessionContext},
};
use nb_datafusion::{Models, register};
use nb_io::Model;

pub(crate) type Tested = Result<(), Box<dyn std::error::Error>>;

/// A context with all functions.
pub(crate) fn context(partitions: usize, batch_size: usize) -> SessionContext {
    let config = SessionConfig::new().with_target_partitions(partitions).with_batch_size(batch_size);
    let mut context = SessionContext::new_with_config(config);
    register(&mut context, &Models::default()).expect("all functions are registered");
    context
}

/// The only value of a query, as a model.
pub(crate) async fn model(
    context: &SessionContext,
    query: &str,
) -> Result<Model, Box<dyn std::error::Error>> {
    let batches = context.sql(query).await?.collect().await?;
    Ok(nb_datafusion::fitted(&batches)?)
}

/// The values of the first column of a query, as texts; NULL is an empty one.
pub(crate) async fn texts(
    context: &SessionContext,
    query: &str,
) -> Result<Vec<String>, Box<dyn std::error::Error>> {
    let mut texts = Vec::new();
    for batch in context.sql(query).await?.collect().await? {
        let column = datafusion::arrow::compute::cast(batch.column(0), &DataType::Utf8)?;
        texts.extend(column.as_string::<i32>().iter().map(|text| text.unwrap_or_default().to_owned()));
    }
    Ok(texts)
}

/// What a query that must fail says.
pub(crate) async fn failure(context: &SessionContext, query: &str) -> String {
    let frame = match context.sql(query).await {
        Ok(frame) => frame,
        Err(error) => return error.to_string(),
    };
    match frame.collect().await {
        Ok(batches) => panic!("{query} gave {batches:?}"),
        Err(error) => error.to_string(),
    }
}

/// Numbers that look random, the same every time (SplitMix64).
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    /// From 0 to 1.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// A table of a label, two real numbers (the first around 1e9), a text and a count, with some missing cells.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    pub(crate) labels: Vec<String>,
    pub(crate) x: Vec<Option<f64>>,
    pub(crate) z: Vec<Option<f64>>,
    pub(crate) colour: Vec<Option<String>>,
    pub(crate) n: Vec<Option<f64>>,
    pub(crate) weights: Vec<f64>,
}

impl Rows {
    pub(crate) fn new(n_rows: usize, seed: u64) -> Self {
        let mut numbers = Numbers(seed);
        let mut rows =
            Self { labels: vec![], x: vec![], z: vec![], colour: vec![], n: vec![], weights: vec![] };
        for _ in 0..n_rows {
            let class = numbers.below(3);
            let missing = |numbers: &mut Numbers| numbers.below(17) == 0;
            rows.labels.push(["no", "yes", "maybe"][class as usize].into());
            let x = 1e9 + class as f64 + numbers.unit();
            rows.x.push((!missing(&mut numbers)).then_some(x));
            let z = numbers.unit().ln() * 10_f64.powi(numbers.below(9) as i32 - 4);
            rows.z.push((!missing(&mut numbers)).then_some(z));
            let colour = ["red", "green", "blue", "ultramarine"][((numbers.below(4) + class) % 4) as usize];
            rows.colour.push((!missing(&mut numbers)).then(|| colour.into()));
            rows.n.push((!missing(&mut numbers)).then_some(numbers.below(5 + class) as f64));
            rows.weights.push(numbers.below(9) as f64 / 4.0);
        }
        rows
    }

    fn batch(&self) -> RecordBatch {
        let schema = Schema::new(vec![
            Field::new("y", DataType::Utf8, false),
            Field::new("x", DataType::Float64, true),
            Field::new("z", DataType::Float64, true),
            Field::new("colour", DataType::Utf8, true),
            Field::new("n", DataType::Float64, true),
            Field::new("w", DataType::Float64, false),
        ]);
        let columns: Vec<ArrayRef> = vec![
            Arc::new(StringArray::from(self.labels.clone())),
            Arc::new(Float64Array::from(self.x.clone())),
            Arc::new(Float64Array::from(self.z.clone())),
            Arc::new(StringArray::from(self.colour.clone())),
            Arc::new(Float64Array::from(self.n.clone())),
            Arc::new(Float64Array::from(self.weights.clone())),
        ];
        RecordBatch::try_new(Arc::new(schema), columns).expect("columns of one length")
    }

    /// Registers the rows as table `name`, cut into batches that are dealt to partitions at random.
    pub(crate) fn register(&self, context: &SessionContext, name: &str, partitions: usize, seed: u64) {
        let batch = self.batch();
        let mut numbers = Numbers(seed);
        let mut parts = vec![Vec::new(); partitions];
        let mut first = 0;
        while first < batch.num_rows() {
            let length = (1 + numbers.below(200) as usize).min(batch.num_rows() - first);
            parts[numbers.below(partitions as u64) as usize].push(batch.slice(first, length));
            first += length;
        }
        let table = MemTable::try_new(batch.schema(), parts).expect("a table");
        context.register_table(name, Arc::new(table)).expect("a new name");
    }

    /// The cells of `x`, `z`, `colour` by its place among the sorted names, and `n`; NaN where there is none.
    pub(crate) fn cells(&self) -> ndarray::Array2<f64> {
        let levels = ["blue", "green", "red", "ultramarine"];
        let code = |colour: &Option<String>| match colour {
            Some(colour) => {
                levels.iter().position(|level| level == colour).map_or(f64::NAN, |code| code as f64)
            }
            None => f64::NAN,
        };
        ndarray::Array2::from_shape_fn((self.labels.len(), 4), |(row, column)| match column {
            0 => self.x[row].unwrap_or(f64::NAN),
            1 => self.z[row].unwrap_or(f64::NAN),
            2 => code(&self.colour[row]),
            _ => self.n[row].unwrap_or(f64::NAN),
        })
    }
}
