//! Prediction sets and measures of fairness in comparisons.

use nb_compare::{
    Analysis, Answer, Answers, Comparison, Design, Measure, Plan, Protected, Table, Unit, report,
    results_json,
};
use nb_metrics::GroupEvaluation;

use crate::runs::{design, run};

fn compared(variants: &[&str], plan: Plan) -> (Design, Vec<Table>, Vec<Unit>) {
    let (mut design, tables) = design(&["titanic"], variants, plan);
    design.positive = Some("Yes".into());
    design.protected = Some("Sex".into());
    design.coverage = Some(0.9);
    design.check().unwrap();
    let units = run(&design, &tables, 2);
    (design, tables, units)
}

#[test]
fn measures_of_groups_are_those_of_the_labels() {
    let (_, tables, units) = compared(&["gaussian", "prior"], Plan::CrossValidation { folds: 5, repeats: 2 });
    let table = &tables[0];
    let protected = table.protected_by("Sex").unwrap();
    for unit in &units {
        let done = unit.done().unwrap();
        let mut evaluation = GroupEvaluation::new(2);
        for (row, label) in done.labels.iter().enumerate() {
            let group = protected.of_row[row].unwrap();
            evaluation.add(group, table.labels[row] == 1, *label == Some(1), 1.0).unwrap();
        }
        let found = evaluation.measures();
        let measures = [
            (Measure::DemographicParity, found.demographic_parity_difference),
            (Measure::EqualOpportunity, found.equal_opportunity_difference),
            (Measure::EqualizedOdds, found.equalized_odds_difference),
        ];
        for (measure, value) in measures {
            assert_eq!(done.pooled.get(measure), value, "{}", unit.variant);
            // Folds have too few rows of a group.
            assert!(done.folds.iter().all(|fold| fold.get(measure).is_none()));
        }
        let selected = |group: &str| {
            done.groups.iter().find(|found| found.group == group).unwrap().selection_rate.unwrap()
        };
        if unit.variant == "prior" {
            assert_eq!((selected("Female"), selected("Male")), (0.0, 0.0));
        } else {
            // Women and children first, and naive Bayes has little else to go by.
            assert!(selected("Female") > 0.9 && selected("Male") < 0.2, "{:?}", done.groups);
        }
    }
}

/// By the rows of the other folds, sorted and counted here once more.
#[test]
fn sets_are_made_by_the_other_folds() {
    let plan = Plan::CrossValidation { folds: 4, repeats: 1 };
    let (mut design, tables) = design(&["zoo", "wine"], &["gaussian"], plan);
    design.coverage = Some(0.8);
    design.predictions = true;
    let units = run(&design, &tables, 2);
    for (unit, table) in units.iter().zip(&tables) {
        let done = unit.done().unwrap();
        let folds = design.plan.folds(table, design.seed, 0).unwrap();
        let n_classes = table.classes.len();
        let posteriors: Vec<Vec<f64>> = done
            .log_posteriors
            .chunks(n_classes)
            .map(|row| row.iter().map(|value| value.exp()).collect())
            .collect();
        let (mut covered, mut size) = (vec![0.0; 4], vec![0.0; 4]);
        for row in 0..table.n_rows() {
            let fold = folds.of_row[row].unwrap();
            let mut others: Vec<f64> = (0..table.n_rows())
                .filter(|&other| folds.of_row[other] != Some(fold))
                .map(|other| posteriors[other][table.labels[other]])
                .collect();
            others.sort_by(f64::total_cmp);
            others.reverse();
            // 0.8 is a little above 4/5 in binary, so that the rank is that of whole numbers.
            let rank = (4 * (others.len() + 1)).div_ceil(5);
            let least = others.get(rank - 1).copied().unwrap_or(0.0);
            covered[fold] += f64::from(u8::from(posteriors[row][table.labels[row]] >= least));
            size[fold] += posteriors[row].iter().filter(|p| **p >= least).count() as f64;
        }
        for (fold, n_rows) in folds.sizes().into_iter().enumerate() {
            let values = &done.folds[fold];
            assert_eq!(values.get(Measure::Coverage), Some(covered[fold] / n_rows as f64), "{}", unit.set);
            assert_eq!(values.get(Measure::SetSize), Some(size[fold] / n_rows as f64), "{}", unit.set);
        }
        let sets = done.sets.unwrap();
        assert_eq!(sets.mean_size, size.iter().sum::<f64>() / table.n_rows() as f64);
        assert!((0.75..0.9).contains(&sets.coverage), "{sets:?}");
        assert!(sets.least_coverage.unwrap() <= sets.coverage && sets.empty + sets.single <= 1.0);
    }
}

/// Sets have the class as often as they are meant to, whatever the variant: also the prior's, with two
/// classes nearly always.
#[test]
fn coverage_is_near_its_level() {
    for plan in [
        Plan::CrossValidation { folds: 10, repeats: 1 },
        Plan::HeldOut { test: 0.5, repeats: 4 },
        Plan::LeaveOneOut {},
    ] {
        let (_, _, units) = compared(&["gaussian", "aode"], plan);
        for unit in units {
            let sets = unit.done().unwrap().sets.unwrap();
            // Four standard deviations of a share of the rows of half the set; ties of equal rows only add.
            assert!(
                sets.coverage > 0.9 - 0.04 && sets.coverage < 0.97,
                "{plan:?}, {}: {sets:?}",
                unit.variant
            );
            assert!((1.0..2.0).contains(&sets.mean_size));
        }
    }
}

#[test]
fn reports_and_results_have_them() {
    let (design, tables, units) =
        compared(&["gaussian", "prior"], Plan::CrossValidation { folds: 5, repeats: 2 });
    let comparison = Comparison::new(design, &tables, units);
    let analysis = Analysis::new(&comparison);
    let markdown = report(&analysis).to_markdown().unwrap();
    for part in [
        "Prediction sets for a coverage of 0.9",
        "Predictions of Yes by Sex",
        "equalised odds difference",
        "Prediction sets were made for a coverage of 0.9",
        "Hardt, Price and Srebro (2016). Equality",
        "Sadinle, Lei and Wasserman (2019). Least",
    ] {
        assert!(markdown.contains(part), "{part}");
    }
    let json: serde_json::Value = serde_json::from_str(&results_json(&analysis)).unwrap();
    let of_prior =
        json["results"].as_array().unwrap().iter().find(|result| result["variant"] == "prior").unwrap();
    assert_eq!(of_prior["done"]["groups"][0]["group"], "Female");
    assert_eq!(of_prior["done"]["groups"][0]["selection_rate"], 0.0);
    assert!(of_prior["done"]["sets"]["coverage"].as_f64().unwrap() >= 0.86);
    let place = Measure::SetSize.position();
    assert_eq!(json["measures"][place], "set-size");
    assert_eq!(of_prior["done"]["pooled"][place], of_prior["done"]["sets"]["mean_size"]);
    // A set size is tested like any measure of folds; coverage is not what variants are ranked by.
    let mut ranked = comparison.design.clone();
    ranked.measure = Measure::SetSize;
    assert_eq!(ranked.check(), Ok(()));
    ranked.measure = Measure::Coverage;
    assert!(ranked.check().is_err());
}

#[test]
fn designs_say_what_is_missing() {
    let (plain, _) = design(&["titanic"], &["gaussian"], Plan::CrossValidation { folds: 2, repeats: 1 });
    let refused = |change: fn(&mut Design)| {
        let mut design = plain.clone();
        change(&mut design);
        design.check().unwrap_err().to_string()
    };
    assert!(refused(|design| design.protected = Some("Sex".into())).contains("positive"));
    assert!(refused(|design| design.measure = Measure::SetSize).contains("`coverage`"));
    assert!(refused(|design| design.coverage = Some(1.0)).contains("coverage is 1"));
    let fair = |design: &mut Design| {
        design.positive = Some("Yes".into());
        design.measure = Measure::EqualizedOdds;
    };
    assert!(refused(fair).contains("`protected`"));
    let mut whole = plain.clone();
    (whole.positive, whole.protected, whole.coverage) = (Some("Yes".into()), Some("Sex".into()), Some(0.9));
    assert_eq!(Design::from_toml(&whole.to_toml()).unwrap(), whole);
}

/// A column that is no feature; rows without a group are left out. Answers of other programs have the same
/// measures.
#[test]
fn groups_may_be_no_feature() {
    let (mut design, tables) =
        design(&["iris"], &["gaussian"], Plan::CrossValidation { folds: 3, repeats: 1 });
    design.positive = Some("virginica".into());
    design.protected = Some("field".into());
    let table = tables[0].clone();
    let cells: Vec<Option<&str>> =
        (0..table.n_rows()).map(|row| [Some("north"), Some("south"), None][row % 3]).collect();
    let fingerprint = table.fingerprint();
    let table = table.with_protected(Protected::new("field", &cells)).unwrap();
    assert_ne!(table.fingerprint(), fingerprint);
    assert!(table.clone().with_protected(Protected::new("field", &cells[1..])).is_err());
    let folds = design.plan.folds(&table, design.seed, 0).unwrap();
    assert_eq!(folds, design.plan.folds(&tables[0], design.seed, 0).unwrap());
    let mut answers = Answers::new(&design, &table).unwrap();
    for row in 0..table.n_rows() {
        // All of the north are taken for virginica, and none of the south.
        let predicted = Some(if row % 3 == 0 { "virginica" } else { "setosa" });
        let answer = Answer { fold: folds.of_row[row].unwrap(), row, predicted, ..Answer::default() };
        answers.add(&answer).unwrap();
    }
    let units = answers.units("by field", false).unwrap();
    let done = units[0].done().unwrap();
    assert_eq!(done.pooled.get(Measure::DemographicParity), Some(1.0));
    assert_eq!(done.pooled.get(Measure::EqualizedOdds), Some(1.0));
    assert_eq!(done.groups.iter().map(|group| group.rows).sum::<u64>(), 100);
    assert_eq!(done.sets, None);
}
