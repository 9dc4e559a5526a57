//! Reports say what their numbers are, and none that cannot be.

use std::{num::NonZeroUsize, ops::ControlFlow};

use nb_compare::{Analysis, Comparison, Measure, Plan, report};
use nb_report::{Block, Document, Plot, Section};

use crate::{
    pdflatex::complaints,
    runs::{design, run},
};

fn compared(sets: &[&str], variants: &[&str], measure: Measure) -> Document {
    let (mut design, tables) = design(sets, variants, Plan::CrossValidation { folds: 5, repeats: 2 });
    design.measure = measure;
    let threads = NonZeroUsize::new(2).unwrap();
    let units =
        nb_compare::run(&design, &tables, Vec::new(), threads, |_| ControlFlow::Continue(())).unwrap();
    report(&Analysis::new(&Comparison::new(design, &tables, units)))
}

fn blocks(sections: &[Section]) -> Vec<&Block> {
    sections.iter().flat_map(|section| section.blocks.iter().chain(blocks(&section.sections))).collect()
}

fn tables(document: &Document) -> Vec<&nb_report::Table> {
    let blocks = blocks(&document.sections).into_iter();
    blocks.filter_map(|block| if let Block::Table(table) = block { Some(table) } else { None }).collect()
}

fn table<'a>(document: &'a Document, id: &str) -> Option<&'a nb_report::Table> {
    tables(document).into_iter().find(|table| table.id.as_deref() == Some(id))
}

#[test]
fn a_single_set_has_one_table_of_measures_and_one_of_differences() {
    let document = compared(&["iris"], &["gaussian", "mdl", "kernel", "power"], Measure::Accuracy);
    let measures = table(&document, "table-measures").unwrap();
    // Without a positive class or a coverage there are no measures of one.
    let shown =
        || Measure::ALL.into_iter().filter(|measure| !measure.needs_positive() && !measure.needs_coverage());
    assert_eq!((measures.rows.len(), measures.columns.len()), (4, 1 + shown().count()));
    assert_eq!(table(&document, "table-accuracy"), None);
    assert_eq!(
        document.sections[0].blocks.iter().filter(|block| matches!(block, Block::Table(_))).count(),
        2
    );
    assert_eq!(table(&document, "table-practical").unwrap().rows.len(), 3);
    // Holm: the smallest of three p-values thrice, the largest as it is, unless a smaller one is larger when
    // adjusted.
    let differences = table(&document, "table-baseline").unwrap();
    let place = |title: &str| differences.columns.iter().position(|column| column.title == title).unwrap();
    let of = |title: &str| -> Vec<f64> {
        let place = place(title);
        differences.rows.iter().map(|row| row[place].value.unwrap()).collect()
    };
    let (p, adjusted) = (of("p"), of("p, Holm"));
    let smallest = (0..3).min_by(|&a, &b| p[a].total_cmp(&p[b])).unwrap();
    assert_eq!(adjusted[smallest], (3.0 * p[smallest]).min(1.0));
    assert!(p.iter().zip(&adjusted).all(|(p, adjusted)| p <= adjusted && *adjusted <= 1.0));
    let markdown = document.to_markdown().unwrap();
    assert!(markdown.contains("adjusted by Holm's procedure"), "{markdown}");
    for measure in shown() {
        assert!(markdown.contains(&format!("**{}**: ", measure.title())), "{}", measure.title());
    }
}

/// Where variances are so large that only the prior is left, flowers and wines are classified worse,
/// whichever way the measure goes.
#[test]
fn what_is_practically_worse_is_so_by_every_measure() {
    let sets = ["iris", "wine", "optdigits_23", "optdigits_01", "pima", "sonar", "liver"];
    for measure in [Measure::Accuracy, Measure::LogLoss] {
        let document = compared(&sets, &["gaussian", "gaussian:numeric.floor=1e9"], measure);
        let practical = table(&document, "table-practical").unwrap();
        let ranks = table(&document, "table-ranks-baseline").unwrap();
        // It ranks worse than the baseline; of a single variant p-values need no adjustment.
        assert!(ranks.rows.len() == 1 && ranks.rows[0][1].value.unwrap() > 0.0, "{ranks:?}");
        assert_eq!(ranks.rows[0][2].value, ranks.rows[0][3].value);
        // Each set, sets like these, the next one, and the most probable outcome there.
        assert_eq!(practical.rows.len(), sets.len() + 3);
        assert!(practical.rows[sets.len() + 1][0].text.starts_with("(next data set"), "{practical:?}");
        assert!(practical.rows[sets.len() + 2][0].text.starts_with("(most probable"), "{practical:?}");
        for row in &practical.rows {
            let [worse, equal, better] = [2, 3, 4].map(|place| row[place].value.unwrap());
            assert!((worse + equal + better - 1.0).abs() < 1e-9, "{row:?}");
            // One of a difference on a set and a number of sets, unless nothing differs.
            let is_set = sets.contains(&row[0].text.as_str());
            let is_of_means = row[0].text.starts_with("(data sets");
            assert!(
                row[if is_set { 6 } else { 5 }].value.is_none()
                    && (is_set || row[6].value.is_some() == is_of_means),
                "{row:?}"
            );
            if ["iris", "wine"].contains(&row[0].text.as_str()) {
                assert!(worse > 0.9, "{}: {row:?}", measure.title());
            }
        }
    }
}

/// Where two variants are the same model on a data set, it says nothing of how they differ, and tests over
/// data sets do without it.
#[test]
fn data_sets_on_which_variants_are_the_same_are_named_and_left_out() {
    // Only the first two have columns of numbers, of which the second variant makes something else.
    let sets = ["iris", "wine", "zoo", "promoters", "housevotes84", "lymphography", "titanic"];
    let document = compared(&sets, &["gaussian", "gaussian:numeric.floor=1e9"], Measure::Accuracy);
    let practical = table(&document, "table-practical").unwrap();
    assert!(practical.rows.iter().all(|row| !row[0].text.starts_with('(')), "{practical:?}");
    let notes = format!("{:?}", practical.notes);
    assert!(notes.contains("leave that data set out") && notes.contains("zoo, promoters"), "{notes}");
    let pairs = format!("{:?}", table(&document, "table-pairs").unwrap().notes);
    assert!(
        pairs.contains("tied in its ranks") && pairs.contains("titanic") && !pairs.contains("iris"),
        "{pairs}"
    );
}

#[test]
fn bars_stay_within_the_measure() {
    let document = compared(&["iris", "wine"], &["gaussian", "shared-gaussian"], Measure::Auc);
    let dots = blocks(&document.sections).into_iter().find_map(|block| match block {
        Block::Figure(figure) if figure.id.as_deref() == Some("figure-results") => Some(&figure.plot),
        _ => None,
    });
    let Some(Plot::Dots(dots)) = dots else { panic!("no dots") };
    let ends = dots.series.iter().flat_map(|series| &series.values).flatten().filter_map(|dot| dot.interval);
    let ends: Vec<(f64, f64)> = ends.collect();
    assert_eq!(ends.len(), 4);
    assert!(ends.iter().all(|&(low, high)| low < high && high <= 1.0), "{ends:?}");
    assert!(ends.iter().any(|&(_, high)| high == 1.0), "{ends:?}");
}

#[test]
fn a_log_loss_says_which_rows_it_is_of() {
    // Maximum likelihood holds some rows for impossible.
    let document = compared(&["promoters", "zoo"], &["gaussian:l=0", "gaussian:l=1"], Measure::Accuracy);
    let losses = table(&document, "table-losses").unwrap();
    assert_eq!(losses.rows[0][2].text, "∞");
    let [median, impossible, half] = [3, 4, 5].map(|place| losses.rows[0][place].value.unwrap());
    assert!(median.is_finite() && impossible > 0.0 && half > 0.0);
    assert_eq!(losses.rows[1][4].text, "0.0");
    assert_eq!(losses.rows[0][6].text, "106");
}

#[test]
fn tables_in_latex_can_be_referred_to() {
    let document = compared(&["iris", "wine"], &["gaussian", "mdl"], Measure::Accuracy);
    let mut labels = Vec::new();
    for table in document.latex_tables().unwrap() {
        let label = table.find("\\label{").expect("a label");
        labels.push(table[label..].split_once('}').expect("its end").0.to_owned());
    }
    labels.sort();
    let n_labels = labels.len();
    labels.dedup();
    assert_eq!(labels.len(), n_labels);
}

#[test]
fn reports_in_latex_fit_their_pages() {
    let plan = Plan::CrossValidation { folds: 3, repeats: 1 };
    let variants =
        ["gaussian", "shared-gaussian", "kernel", "power", "mdl", "modl", "tan", "aode", "logistic", "prior"];
    let sets = ["iris", "sonar", "housevotes84", "breast_cancer_ljubljana"];
    let (mut design, tables) = design(&sets, &variants, plan);
    design.predictions = true;
    let comparison = Comparison::new(design.clone(), &tables, run(&design, &tables, 2));
    let latex = report(&Analysis::new(&comparison)).to_latex().unwrap();
    assert!(latex.contains("\\begin{quote}") && latex.contains("\\begin{tikzpicture}"));
    let Some(found) = complaints(&latex) else { return };
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn decisions_are_shown_where_there_are_two_classes_and_posteriors() {
    let plan = Plan::CrossValidation { folds: 4, repeats: 2 };
    let (mut design, tables) = design(&["iris", "sonar"], &["gaussian", "mdl"], plan);
    let run = |design: &nb_compare::Design| {
        let units = run(design, &tables, 2);
        Comparison::new(design.clone(), &tables, units)
    };
    let has_section = |document: &Document| document.sections.iter().any(|section| section.id == "decisions");
    assert!(!has_section(&report(&Analysis::new(&run(&design)))));
    design.predictions = true;
    let comparison = run(&design);
    let document = report(&Analysis::new(&comparison));
    assert!(has_section(&document) && table(&document, "table-decisions-0").is_none());
    let found = table(&document, "table-decisions-1").unwrap();
    let at_half = found.columns.iter().position(|column| column.title == "0.5").unwrap();
    for (variant, row) in ["gaussian", "mdl"].into_iter().zip(&found.rows) {
        // At even odds a false alarm costs what a row found is worth.
        let mut sum = 0.0;
        for unit in comparison.units.iter().filter(|unit| unit.set == "sonar" && unit.variant == variant) {
            let labels = &unit.done().unwrap().labels;
            let positives = labels.iter().zip(&tables[1].labels).filter(|(label, _)| **label == Some(1));
            sum += positives.map(|(_, &truth)| if truth == 1 { 1.0 } else { -1.0 }).sum::<f64>();
        }
        let expected = sum / (2 * tables[1].n_rows()) as f64;
        assert!((row[at_half].value.unwrap() - expected).abs() < 1e-12, "{variant}: {expected}");
    }
    let (n_rows, n_class) = (tables[1].n_rows() as f64, tables[1].class_sizes()[1] as f64);
    assert!((found.rows[2][at_half].value.unwrap() - (2.0 * n_class - n_rows) / n_rows).abs() < 1e-12);
}

#[test]
fn measures_of_a_positive_class_are_those_of_its_rows() {
    let (mut design, tables) =
        design(&["sonar", "iris"], &["gaussian"], Plan::CrossValidation { folds: 4, repeats: 1 });
    design.positive = Some(tables[0].classes[0].clone());
    design.measure = Measure::Recall;
    design.check().unwrap();
    let units = run(&design, &tables, 2);
    let done = units[0].done().unwrap();
    let is_positive = |label: &Option<u32>| *label == Some(0);
    let rows = || done.labels.iter().zip(&tables[0].labels);
    let (right, predicted, actual) =
        rows().fold((0.0, 0.0, 0.0), |(right, predicted, actual), (label, truth)| {
            let [label, truth] = [is_positive(label), *truth == 0].map(|is| f64::from(u8::from(is)));
            (right + label * truth, predicted + label, actual + truth)
        });
    let pooled = |measure| done.pooled.get(measure).unwrap();
    assert!((pooled(Measure::Precision) - right / predicted).abs() < 1e-15);
    assert!((pooled(Measure::Recall) - right / actual).abs() < 1e-15);
    assert!((pooled(Measure::F1) - 2.0 * right / (predicted + actual)).abs() < 1e-15);
    // Flowers have no such class.
    assert_eq!(units[1].done().unwrap().pooled.get(Measure::Recall), None);
    assert!(units[1].done().unwrap().pooled.get(Measure::Auc).is_some());
    design.positive = None;
    assert_eq!(
        design.check().unwrap_err().to_string(),
        "recall is of a positive class; name it (`positive`)"
    );
}

#[test]
fn classes_of_one_row_are_named_where_all_losses_are_infinite() {
    let (design, mut tables) =
        design(&["iris"], &["gaussian", "mdl"], Plan::CrossValidation { folds: 3, repeats: 1 });
    tables[0].classes.push("weed".into());
    tables[0].labels[0] = 3;
    let comparison = Comparison::new(design.clone(), &tables, run(&design, &tables, 2));
    let analysis = Analysis::new(&comparison);
    let hints = analysis.hints();
    assert!(hints.len() == 1 && hints[0].contains("class \"weed\" has a single row"), "{hints:?}");
    assert!(report(&analysis).to_markdown().unwrap().contains("has a single row"));
}
