//! The design and the raw results, to be saved from the report.

use std::collections::BTreeMap;

use nb_report::{Cell, Code, Column, Download, Section, Table, Text};
use serde::Serialize;

use crate::{
    Analysis, Comparison, Data, Decomposition, Done, FailedValues, GroupOutcome, Losses, Made, Measure,
    Outcome, PowerLimit, Reliability, Set, SetOutcome, TestRecord, Times, Values, test_records, tests_csv,
};

/// What the results of a page are called.
pub(super) const RESULTS: &str = "results.json";

/// What a page has in their place if they are beside it: what the page can be repeated from.
pub(super) const RECORD: &str = "design.json";

pub(super) fn section(analysis: &Analysis<'_>) -> Section {
    let comparison = analysis.comparison;
    let files = || [results_csv(comparison), results_json(analysis)];
    let mut section = raw_section(comparison, files, "a line for each fold");
    if comparison.results_file.is_none() {
        section.push(download("tests.csv", "text/csv", tests_csv(analysis), "a line for each test"));
    }
    section
}

/// The design, and the results as CSV, whose lines are described, and as JSON.
pub(crate) fn raw_section(
    comparison: &Comparison,
    files: impl FnOnce() -> [String; 2],
    lines: &str,
) -> Section {
    let mut section = Section::new("raw", "Design and raw results");
    let but_times = if comparison.design.experiment.is_none() { " but the times" } else { "" };
    section.push(Text::new("The design, as ").code("nbayes compare --design").plain(format!(
        " reads it, also from this page. Together with the data it decides every number here{but_times}."
    )));
    if comparison.design.sets.iter().any(|set| matches!(set, Set::File(_))) {
        section.push(
            "How data files were read (delimiters, encodings) is not part of the design: if options said \
             so, give them again.",
        );
    }
    let design = comparison.design.to_toml();
    section.push(Code { language: "toml".into(), text: design.clone() });
    section.push(download("design.toml", "application/toml", design, "the design"));
    if let Some(file) = &comparison.results_file {
        section.push(
            Text::new("The results are beside this page, in ")
                .file(file)
                .plain(": what was measured in each fold, and every test. ")
                .code("nbayes compare --design")
                .plain(" of this page or of that file makes them again; with ")
                .code("-o results.csv")
                .plain(" they are a table."),
        );
        let record = json_with(comparison, &BTreeMap::<&str, f64>::new());
        section.push(download(
            RECORD,
            "application/json",
            record,
            "the design and the checksums of the data",
        ));
        return section;
    }
    let [csv, json] = files();
    section.push(download(RESULTS, "application/json", json, "everything but the labels given to rows"));
    section.push(download("results.csv", "text/csv", csv, lines));
    section
}

/// Results as JSON, with the design and the data that they can be repeated from.
pub(crate) fn json_with(comparison: &Comparison, results: &impl Serialize) -> String {
    #[derive(Serialize)]
    struct Recorded<'a, R> {
        version: &'static str,
        made: &'a Made,
        design: String,
        data: &'a [Data],
        #[serde(flatten)]
        results: &'a R,
    }
    let recorded = Recorded {
        version: env!("CARGO_PKG_VERSION"),
        made: &comparison.made,
        design: comparison.design.to_toml(),
        data: &comparison.data,
        results,
    };
    // All keys are texts, and infinite numbers are texts as well, so that there is nothing to fail on.
    serde_json::to_string(&recorded).unwrap_or_default()
}

fn download(file_name: &str, media_type: &str, content: String, label: &str) -> Download {
    Download {
        file_name: file_name.into(),
        media_type: media_type.into(),
        bytes: content.into_bytes(),
        label: label.into(),
    }
}

#[derive(Serialize)]
struct Whole<'a> {
    measures: [&'static str; Measure::ALL.len()],
    results: Vec<Result<'a>>,
    decompositions: Vec<Decomposed<'a>>,
    tests: Vec<TestRecord>,
}

#[derive(Serialize)]
struct Decomposed<'a> {
    set: &'a str,
    variant: &'a str,
    #[serde(flatten)]
    decomposition: Decomposition,
}

#[derive(Serialize)]
struct Result<'a> {
    set: &'a str,
    variant: &'a str,
    repeat: usize,
    #[serde(flatten)]
    outcome: Shown<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
#[expect(clippy::large_enum_variant, reason = "one at a time")]
enum Shown<'a> {
    Done {
        folds: &'a [Values],
        pooled: &'a Values,
        reliability: &'a [Reliability],
        #[serde(skip_serializing_if = "Option::is_none")]
        sets: Option<SetOutcome>,
        #[serde(skip_serializing_if = "<[GroupOutcome]>::is_empty")]
        groups: &'a [GroupOutcome],
        #[serde(skip_serializing_if = "Option::is_none")]
        losses: Option<Losses>,
        #[serde(skip_serializing_if = "<[String]>::is_empty")]
        chosen: &'a [String],
        #[serde(skip_serializing_if = "<[FailedValues]>::is_empty")]
        failed: &'a [FailedValues],
        #[serde(skip_serializing_if = "<[PowerLimit]>::is_empty")]
        limits: &'a [PowerLimit],
        #[serde(skip_serializing_if = "Option::is_none")]
        n_parameters: Option<f64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        times: Option<Times>,
    },
    NotApplicable(&'a str),
    Failed(&'a str),
}

/// Everything as JSON, except for the labels given to rows, which would make the report as large as the data.
pub fn results_json(analysis: &Analysis<'_>) -> String {
    let comparison = analysis.comparison;
    let results = comparison.units.iter().map(|unit| Result {
        set: &unit.set,
        variant: &unit.variant,
        repeat: unit.repeat,
        outcome: match &unit.outcome {
            Outcome::Done(done) => shown(done),
            Outcome::NotApplicable { reason } => Shown::NotApplicable(reason),
            Outcome::Failed { reason } => Shown::Failed(reason),
        },
    });
    let whole = Whole {
        measures: Measure::ALL.map(Measure::key),
        results: results.collect(),
        decompositions: decompositions(analysis),
        tests: test_records(analysis),
    };
    json_with(comparison, &whole)
}

fn decompositions<'a>(analysis: &Analysis<'a>) -> Vec<Decomposed<'a>> {
    let comparison = analysis.comparison;
    let of_set = |(data, row): (&'a Data, &Vec<crate::Cell>)| -> Vec<Decomposed<'a>> {
        let cells = comparison.design.variants.iter().zip(row);
        let found = cells.filter_map(|(variant, cell)| {
            let decomposition = cell.summary()?.decomposition?;
            Some(Decomposed { set: &data.name, variant: &variant.name, decomposition })
        });
        found.collect()
    };
    comparison.data.iter().zip(&analysis.cells).flat_map(of_set).collect()
}

fn shown(done: &Done) -> Shown<'_> {
    Shown::Done {
        folds: &done.folds,
        pooled: &done.pooled,
        reliability: &done.reliability,
        sets: done.sets,
        groups: &done.groups,
        losses: done.losses,
        chosen: &done.chosen,
        failed: &done.failed,
        limits: &done.limits,
        n_parameters: done.n_parameters,
        times: done.times,
    }
}

/// The measures of each fold as CSV.
pub fn results_csv(comparison: &Comparison) -> String {
    let heads = ["set", "variant", "repeat", "fold"].into_iter().chain(Measure::ALL.map(Measure::key));
    let is_tuned = comparison.design.variants.iter().any(|variant| variant.tune.is_some());
    let mut table = Table::new("", heads.chain(is_tuned.then_some("chosen")).map(Column::text));
    for unit in &comparison.units {
        let Some(done) = unit.done() else { continue };
        for (fold, values) in done.folds.iter().enumerate() {
            let number = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
            let names = [unit.set.clone(), unit.variant.clone(), unit.repeat.to_string(), fold.to_string()];
            let values = Measure::ALL.map(|measure| number(values.get(measure)));
            let chosen = done.chosen.get(fold).cloned().unwrap_or_default();
            table.push(names.into_iter().chain(values).chain(is_tuned.then_some(chosen)).map(Cell::text));
        }
    }
    // Every row has as many cells as there are heads.
    table.to_csv().unwrap_or_default()
}
