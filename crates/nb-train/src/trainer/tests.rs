//! Tables of text from memory, whole and as samples.

use nb_io::{
    Kind,
    read::{Csv, Inferred, KindChoice, NewLevels, ReadChunks, TableOptions},
};

use super::*;
use crate::Choice;

struct Rows(String);

impl Source for Rows {
    type Error = TrainerError;

    fn infer(&self, overrides: &Overrides) -> Result<Inferred, TrainerError> {
        Ok(Csv::default().infer_from(|| Ok(self.0.as_bytes()), "rows.csv", "class", overrides)?)
    }

    fn open(
        &self,
        _: usize,
        inferred: &Inferred,
        _: Vec<String>,
    ) -> Result<Box<dyn ReadChunks + '_>, TrainerError> {
        Ok(Box::new(Csv::default().read_from(self.0.as_bytes(), "rows.csv", &inferred.schema)?))
    }
}

fn table(header: &str, n_rows: usize, row: impl Fn(usize) -> String) -> Rows {
    Rows((0..n_rows).fold(format!("{header}\n"), |all, number| all + &row(number) + "\n"))
}

#[test]
fn copies_of_the_label_and_identifiers_are_left_out() {
    let rows = table("row_id,copy,x,class", 60, |row| {
        format!("{row},{},{},{}", row % 2, row % 5, ["a", "b"][row % 2])
    });
    let trained = Trainer::default().train(&rows).unwrap();
    let left_out: Vec<(&str, &Reason)> =
        trained.columns.left_out.iter().map(|column| (column.column.as_str(), &column.reason)).collect();
    assert!(matches!(left_out[..], [("row_id", _), ("copy", Reason::DuplicatesLabel)]), "{left_out:?}");
    assert_eq!(trained.columns.inferred.columns.len(), 1);
    assert!(trained.model.refinement().is_some() && trained.plain.is_none());
}

#[test]
fn plain_models_have_bernoulli_columns() {
    let rows = table("yes,x,class", 12, |row| format!("{},{}.5,{}", row % 2, row, ["a", "b", "b"][row % 3]));
    let trained = Trainer::default().with_effort(Effort::Plain).train(&rows).unwrap();
    assert!(trained.plain.is_none() && trained.model.refinement().is_none());
    let nb_io::Family::Blocks(blocks) = trained.model.family() else { panic!("two families") };
    let names: Vec<&str> = blocks.iter().map(|(_, family)| family.description().name).collect();
    assert_eq!(names, ["bernoulli", "gaussian"]);
}

#[test]
fn plain_models_know_their_rows_and_how_held_out_ones_were_classified() {
    let rows = table("x,class", 200, |row| {
        format!("{},{}", row % 7 + 3 * (row % 2), if row % 13 == 0 { "b" } else { ["a", "b"][row % 2] })
    });
    let plain = Trainer::default().with_effort(Effort::Plain).train(&rows).unwrap().model;
    let held_out = plain.held_out().unwrap();
    assert!(held_out.accuracy > held_out.majority && held_out.log_loss < held_out.log_loss_of_prior);
    assert_eq!(plain.row_fingerprint().unwrap().n_rows(), 200);
    let refined = Trainer::default().train(&rows).unwrap().model;
    assert_eq!(refined.row_fingerprint(), plain.row_fingerprint());
    let sums = Trainer::default().with_effort(Effort::SumsOnly).train(&rows).unwrap().model;
    assert_eq!((sums.held_out(), sums.row_fingerprint()), (None, None));
    assert_eq!(sums, plain.with_held_out(None).unwrap().with_row_fingerprint(None));
}

#[test]
fn rows_of_a_lone_row_of_a_class_or_of_few_rows_are_not_held_out() {
    let few = table("x,class", 29, |row| format!("{},{}", row % 5, row % 2));
    let model = Trainer::default().with_effort(Effort::Plain).train(&few).unwrap().model;
    assert!(model.held_out().is_none() && model.row_fingerprint().is_some());
    let lone = table("x,class", 90, |row| format!("{},{}", row % 5, if row == 40 { 2 } else { row % 2 }));
    let model = Trainer::default().with_effort(Effort::Plain).train(&lone).unwrap().model;
    assert!(model.held_out().unwrap().log_loss.is_finite());
}

#[test]
fn texts_get_the_weighting_that_is_best_on_held_out_rows() {
    let words = ["free", "prize", "now", "meet", "lunch", "home"];
    let rows = table("text,class", 90, |row| {
        let of_class = |shift: usize| words[(row * 7 + shift) % 3 + if row % 3 == 0 { 0 } else { 3 }];
        let text: Vec<String> =
            (0..5).map(|place| format!("{} w{}", of_class(place), (row + place) % 17)).collect();
        format!("\"{}.\",{}", text.join(" "), if row % 3 == 0 { "spam" } else { "ham" })
    });
    let overrides = Overrides::default().with("text", KindChoice::Text);
    let trained = Trainer::default().with_overrides(overrides).train(&rows).unwrap();
    let held_out = trained.model.refinement().unwrap().held_out;
    assert!(held_out.accuracy > 0.95 && held_out.majority < 0.7, "{held_out:?}");
}

/// Rows of 40 patients, whose sums tell nothing of one another.
fn visits(n_rows: usize, id: &str) -> Rows {
    table(&format!("{id},pulse,height,class"), n_rows, |row| {
        let patient = row % 40;
        let (pulse, height) = (patient * 37 % 41 * 10 + row % 3, patient * 29 % 43 * 10 + row % 7);
        format!("{},{pulse}.5,{height}.5,{}", 900 + 7 * patient, ["well", "sick"][patient / 3 % 2])
    })
}

#[test]
fn columns_that_look_like_groups_are_named_whether_they_are_used_or_not() {
    for (id, is_used) in [("patient", true), ("patient_id", false)] {
        let trained = Trainer::default().with_effort(Effort::Plain).train(&visits(480, id)).unwrap();
        assert_eq!(trained.columns.left_out.is_empty(), is_used);
        let [Warning::Group { column, found }] = &trained.warnings[..] else {
            panic!("{:?}", trained.warnings)
        };
        assert_eq!((column.as_str(), found.n_values, found.n_rows), (id, 40, 480));
    }
}

#[test]
fn columns_that_determine_the_label_are_named_and_kept() {
    let class = |row: usize| if row * 37 % 211 > 100 { "a" } else { "b" };
    let rows = table("code,amount,x,class", 211, |row| {
        let code = row % 3 + if class(row) == "a" { 0 } else { 3 };
        format!("{code},{}.25,{},{}", row * 37 % 211, row % 7, class(row))
    });
    let trained = Trainer::default().train(&rows).unwrap();
    let names = trained.warnings.iter().map(|warning| match warning {
        Warning::DeterminesLabel { columns, found } => format!("{columns:?}: {found}"),
        other => format!("{other:?}"),
    });
    assert_eq!(
        names.collect::<Vec<_>>(),
        [
            "[\"code\"]: each of its 6 values has rows of one class only",
            "[\"amount\"]: each of 2 intervals of its numbers has rows of one class only (cut at 101)"
        ]
    );
    assert!(trained.copies.is_empty() && trained.columns.left_out.is_empty());
}

#[test]
fn held_out_rows_that_are_nearly_all_right_are_worth_a_look() {
    // Each column separates the classes except in ten rows, which are different ones for each column.
    let rows = table("one,two,three,four,class", 400, |row| {
        let class = row % 2;
        let cell = |column: usize| {
            let is_odd = row % 40 == 7 * column;
            format!("{}.5", 300 * (class ^ usize::from(is_odd)) + row * (29 + 2 * column) % 101)
        };
        format!("{},{},{},{},{}", cell(0), cell(1), cell(2), cell(3), ["a", "b"][class])
    });
    let trained = Trainer::default().train(&rows).unwrap();
    let [Warning::NearlyPerfect { accuracy, strongest: Some((_, share)) }] = &trained.warnings[..] else {
        panic!("{:?} {:?}", trained.warnings, trained.model.held_out())
    };
    assert!(*accuracy >= 0.999 && (0.7..0.95).contains(share), "{share}");
}

/// A table of which only a sample is read here.
struct Sampled {
    sample: Rows,
    all: Rows,
}

impl Source for Sampled {
    type Error = TrainerError;

    fn infer(&self, overrides: &Overrides) -> Result<Inferred, TrainerError> {
        self.sample.infer(overrides)
    }

    fn open(
        &self,
        part: usize,
        inferred: &Inferred,
        classes: Vec<String>,
    ) -> Result<Box<dyn ReadChunks + '_>, TrainerError> {
        self.sample.open(part, inferred, classes)
    }

    fn sums(&self, template: &Model) -> Result<Option<(Model, usize)>, TrainerError> {
        let mut model = template.clone();
        let csv = Csv::default().with_table(TableOptions::default().with_new_levels(NewLevels::Intern));
        let mut all = csv.read_from(self.all.0.as_bytes(), "all.csv", template.schema())?;
        let n_rows = nb_io::read::train(&mut model, &mut all)?;
        Ok(Some((model, n_rows)))
    }
}

/// Rows of which the last has its own colour.
fn coloured(n_rows: usize, last: &str) -> Rows {
    table("x,colour,class", n_rows, |row| {
        let colour = if row + 1 == n_rows { last } else { ["red", "blue"][row / 3 % 2] };
        format!("{}.5,{colour},{}", row % 7 + 2 * (row % 2), ["a", "b"][row % 2])
    })
}

#[test]
fn weights_are_learnt_from_a_sample_and_sums_are_of_all_rows() {
    let rows = Sampled { sample: coloured(120, "red"), all: coloured(900, "green") };
    let trained = Trainer::default().train(&rows).unwrap();
    let refined = trained.refined.unwrap();
    assert_eq!((trained.n_rows, refined.n_rows, refined.is_of_all), (900, 120, false));
    let of_sample = Trainer::default().train(&rows.sample).unwrap().model;
    let (own, others) = (trained.model.refinement().unwrap(), of_sample.refinement().unwrap());
    assert_eq!((own.held_out, own.n_rows), (others.held_out, others.n_rows));
    // The sums are those of all rows in the bins of the sample, which does not have all categories.
    let Kind::Categorical { levels } = &trained.model.schema().columns[1].kind else { panic!("categories") };
    assert_eq!(levels, &["blue", "green", "red"]);
    assert_eq!(trained.columns.inferred.columns[1].kind, trained.model.schema().columns[1].kind);
    let mut sums =
        Model::new(of_sample.schema().clone(), of_sample.family().clone(), nb_core::Prior::Empirical)
            .unwrap();
    sums = rows.sums(&sums).unwrap().unwrap().0;
    let mut same = trained.model.clone();
    same.subtract(&sums).unwrap();
    assert!(same.stats().class_weights().iter().all(|weight| weight.to_f64() == 0.0));
    // Which rows the sums have is known only if all were read.
    assert!(trained.model.row_fingerprint().is_none() && of_sample.row_fingerprint().is_some());
    assert_eq!(trained.model.classifier().unwrap().classes(), ["a", "b"]);
}

#[test]
fn a_sample_of_all_rows_makes_the_same_model_as_the_rows() {
    for effort in [Effort::Usual, Effort::Plain, Effort::SumsOnly] {
        let trainer = Trainer::default().with_effort(effort);
        let rows = Sampled { sample: coloured(200, "red"), all: coloured(200, "red") };
        let (whole, sampled) = (trainer.train(&rows.all).unwrap(), trainer.train(&rows).unwrap());
        assert_eq!(sampled.model.to_bytes().unwrap(), whole.model.to_bytes().unwrap(), "{effort:?}");
        assert_eq!(sampled.refined, whole.refined);
    }
}

#[test]
fn a_class_that_the_sample_does_not_have_leaves_the_model_plain() {
    let row = |row: usize| format!("{}.5,{}", row % 7, if row == 400 { "c" } else { ["a", "b"][row % 2] });
    let rows = Sampled { sample: table("x,class", 100, row), all: table("x,class", 500, row) };
    let trained = Trainer::default().train(&rows).unwrap();
    assert_eq!(trained.plain, Some(WhyPlain::NotSampled { class: "c".into() }));
    assert_eq!(trained.model.classifier().unwrap().classes(), ["a", "b", "c"]);
    let Some(Ok(folds)) = trained.folds else { panic!("rows of the sample are held out") };
    assert_eq!((folds.n_rows, trained.n_rows), (100, 500));
}

#[test]
fn a_table_of_useless_columns_says_so() {
    let rows = table("same,class", 40, |row| format!("1,{}", row % 2));
    let error = Trainer::default().train(&rows).unwrap_err().to_string();
    assert!(error.starts_with("no column is left to learn from: \"same\" is left out, as "), "{error}");
}

#[test]
fn labels_that_look_like_regression_are_refused_unless_they_are_allowed() {
    let rows = table("x,class", 120, |row| format!("{},{}.5", row % 7, row));
    let trainer = Trainer::default().with_effort(Effort::Plain);
    let error = trainer.train(&rows).unwrap_err();
    assert!(matches!(error, TrainerError::Regression { n_classes: 120, n_rows: 120, .. }), "{error}");
    let allowed = trainer.with_regression_allowed(true).train(&rows).unwrap();
    assert_eq!(allowed.model.stats().classes().count(), 120);
}

#[test]
fn a_family_that_is_chosen_makes_a_plain_model_and_keeps_a_copy_of_the_label() {
    let rows = table("copy,x,class", 60, |row| {
        format!("{},{}.5,{}", row % 2, row % 7 + row % 2, ["a", "b"][row % 2])
    });
    let choices = Choices::default().with("copy", Choice::CATEGORICAL).with("x", Choice::Family("kernel"));
    let trained = Trainer::default().with_choices(choices).train(&rows).unwrap();
    assert_eq!(trained.copies, ["copy"]);
    assert_eq!(trained.plain, Some(WhyPlain::Family { column: "x".into() }));
    assert_eq!(trained.columns.chosen(), [Choice::CATEGORICAL, Choice::Family("kernel")]);
    assert!(matches!(trained.folds, Some(Ok(measures)) if measures.n_rows == 60));
}

/// Of classes that no column tells apart, and of those that one does: whatever the number of rows, the mean
/// log-loss of new rows is not far above that of the shares, where a plain model is certain and wrong.
#[test]
fn few_rows_make_no_model_certain() {
    let mut state = 1_u64;
    let mut uniform = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f64 / 16_777_216.0
    };
    let mut rows = |n_rows: usize, effect: f64| {
        let all = (0..n_rows).map(|row| {
            let cells = [effect * (row % 2) as f64 + uniform() + uniform(), uniform(), uniform()];
            (cells, ["a", "b"][row % 2])
        });
        let (cells, labels): (Vec<[f64; 3]>, Vec<&str>) = all.unzip();
        (ndarray::Array2::from(cells), labels)
    };
    let schema = Schema::numeric(["x", "y", "z"], "class");
    for n_rows in 2..=12 {
        for effect in [0.0, 1.0] {
            let mut total = 0.0;
            for _ in 0..10 {
                let (known, labels) = rows(n_rows, effect);
                let trained = Trainer::default().fit(&schema, &known, &labels).unwrap();
                let (new, labels) = rows(100, effect);
                let schema = trained.model.schema();
                let places: Vec<usize> = schema
                    .columns
                    .iter()
                    .map(|column| ["x", "y", "z"].iter().position(|name| *name == column.name).unwrap())
                    .collect();
                let new = new.select(ndarray::Axis(1), &places);
                let classifier = trained.model.classifier().unwrap();
                let answers = classifier.predict_log_proba(&new).unwrap();
                let losses = labels.iter().enumerate().map(|(row, label)| {
                    -answers[[row, trained.model.stats().classes().position(|class| class == label).unwrap()]]
                });
                total += losses.sum::<f64>() / 100.0;
            }
            let most = std::f64::consts::LN_2 + 0.15;
            assert!(total / 10.0 < most, "{n_rows} rows, effect {effect}: {}", total / 10.0);
        }
    }
}

#[test]
fn labels_that_differ_only_in_spelling_are_named() {
    let alike = |labels: [&str; 4]| {
        let rows = table("x,class", 40, |row| format!("{},{}", row % 7, labels[row % 4]));
        let warnings = Trainer::default().train(&rows).unwrap().warnings;
        let alike = warnings.into_iter().filter_map(|warning| match warning {
            Warning::AlikeLabels { labels } => Some(labels.join("|")),
            _ => None,
        });
        alike.collect::<Vec<_>>()
    };
    assert_eq!(alike(["ripe", "Ripe", "raw", "rotten"]), ["Ripe|ripe"]);
    assert_eq!(alike(["A b", "a_b", "not a", "NOT A"]), ["A b|a_b", "NOT A|not a"]);
    assert_eq!(alike(["A+", "A", "A-", "B"]), [""; 0]);
    assert_eq!(alike(["<=50K", ">50K", "<=50k.", "none"]), ["<=50K|<=50k."]);
    assert_eq!(alike(["1.0", "10", "-1", "1"]), [""; 0]);
}
