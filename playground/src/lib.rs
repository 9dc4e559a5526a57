//! The engine of the playground: the page asks in JSON, the libraries answer in JSON.
//!
//! [`Playground::answer`] is all there is: the page calls it through a few functions without arguments
//! (`abi.rs`), tests call it as it is, so that both see the same numbers. Tables of numbers travel beside the
//! text as bytes: doubles, little-endian, row by row.
//!
//! ```
//! let mut playground = playground::Playground::default();
//! let csv = b"length,species\n1.5,a\n2.5,a\n7.5,b\n8.5,b\n";
//! playground.answer(r#"{"do": "table", "name": "flowers.csv"}"#, csv);
//! let answer = playground.answer(r#"{"do": "fit"}"#, b"");
//! assert!(answer.text.starts_with(r#"{"classes":["a","b"]"#), "{}", answer.text);
//! ```

#[cfg(target_family = "wasm")]
mod abi;
mod boundary;
mod bytes;
mod columns;
mod components;
mod design;
mod explain;
mod fit;
mod forget;
// The wrong model that `cargo xtask verify` holds against published numbers.
#[path = "../../xtask/src/verify/published/klar.rs"]
mod klar;
mod learning;
mod measure;
// The components that `nbayes plot --pca` draws.
#[path = "../../crates/nbayes/src/plot/pca.rs"]
mod pca;
mod picture;
mod problem;
mod products;
mod request;
mod sample;
mod smoothing;
mod table;
mod truncation;

use serde_json::{Value, json};

use fit::Fit;
use problem::Problem;
use request::Request;
use table::Table;

/// What the page works with: a table, and the model of it.
#[derive(Debug, Default)]
pub struct Playground {
    table: Option<Table>,
    fit: Option<Fit>,
}

/// An answer: JSON, and numbers beside it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// An object. If something is wrong it has one field, `error`, a message for people.
    pub text: String,
    /// What `text` says of them; empty if there are none.
    pub bytes: Vec<u8>,
}

impl Playground {
    /// Does what a request asks for. Whatever is wrong with it is said in the answer.
    pub fn answer(&mut self, request: &str, bytes: &[u8]) -> Answer {
        let request = serde_json::from_str(request)
            .map_err(|error| Problem::new(format!("the request cannot be read: {error}")));
        match request.and_then(|request| self.carry_out(request, bytes)) {
            Ok((value, bytes)) => Answer { text: value.to_string(), bytes },
            Err(problem) => {
                Answer { text: json!({"error": problem.to_string()}).to_string(), bytes: Vec::new() }
            }
        }
    }

    fn carry_out(&mut self, request: Request, bytes: &[u8]) -> Result<(Value, Vec<u8>), Problem> {
        let text_only = |value| (value, Vec::new());
        match request {
            Request::Table { name, label, categories } => {
                let table = Table::from_text(bytes, &name, label.as_deref(), &categories)?;
                Ok(self.with_table(table))
            }
            Request::Points { columns, label, classes } => {
                Ok(self.with_table(Table::from_points(&columns, &label, classes, bytes)?))
            }
            Request::Cells => {
                self.table_mut()?.replace_cells(bytes)?;
                self.fit = None;
                Ok(text_only(json!({})))
            }
            Request::Fit(design) => {
                self.fit = None;
                let (fit, value) = Fit::new(self.table()?, &design)?;
                self.fit = Some(fit);
                Ok(text_only(value))
            }
            Request::Measure(design) => measure::measure(self.table()?, &design).map(text_only),
            Request::Boundary { class, against } => {
                boundary::boundary(self.fit()?, class, against).map(text_only)
            }
            Request::Picture(plan) => picture::picture(self.fit()?, &plan),
            Request::Densities { column, from, to, n_points } => {
                picture::densities(self.fit()?, column, (from, to), n_points)
            }
            Request::Explain { row } => explain::explain(self.fit()?, &row).map(text_only),
            Request::Predict => explain::predict(self.fit()?, self.table()?),
            Request::Sample { n_rows, seed } => sample::sample(self.fit()?, n_rows, seed),
            Request::Components => components::components(self.table()?),
            Request::Forget { row } => forget::forget(self.fit()?, self.table()?, row).map(text_only),
            Request::Products { row, n_copies } => {
                products::products(self.fit()?, &row, n_copies).map(text_only)
            }
            Request::Smoothing { row, values } => {
                smoothing::smoothing(self.fit()?, &row, &values).map(text_only)
            }
            Request::Truncation { row } => truncation::truncation(self.table()?, row).map(text_only),
            Request::Learning { sizes, n_repeats, seed } => {
                learning::learning(self.table()?, &sizes, n_repeats, seed).map(text_only)
            }
            Request::Save => Ok((json!({}), self.fit()?.model.to_bytes()?)),
            Request::Load => {
                let (table, fit, value) = fit::load(bytes)?;
                let cells = table.bytes();
                (self.table, self.fit) = (Some(table), Some(fit));
                Ok((value, cells))
            }
        }
    }

    fn with_table(&mut self, table: Table) -> (Value, Vec<u8>) {
        let answer = (table.describe(), table.bytes());
        (self.table, self.fit) = (Some(table), None);
        answer
    }

    fn table(&self) -> Result<&Table, Problem> {
        self.table.as_ref().ok_or_else(|| Problem::new("there is no table yet"))
    }

    fn table_mut(&mut self) -> Result<&mut Table, Problem> {
        self.table.as_mut().ok_or_else(|| Problem::new("there is no table yet"))
    }

    fn fit(&self) -> Result<&Fit, Problem> {
        self.fit.as_ref().ok_or_else(|| Problem::new("there is no model yet"))
    }
}
