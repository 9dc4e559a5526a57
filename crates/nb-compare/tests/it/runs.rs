//! Runs are the same whatever the threads, and their numbers are those of other ways to them.

use std::{num::NonZeroUsize, ops::ControlFlow};

use nb_compare::{Design, Measure, Outcome, Plan, Set, Table, Times, Unit, Variant};

pub(crate) fn design(sets: &[&str], variants: &[&str], plan: Plan) -> (Design, Vec<Table>) {
    let mut design = Design::new(
        sets.iter().map(|&name| Set::Embedded(name.into())).collect(),
        variants.iter().map(|text| Variant::parse(text).unwrap()).collect(),
    )
    .unwrap();
    design.plan = plan;
    let tables = sets.iter().map(|name| Table::embedded(name).unwrap()).collect();
    (design, tables)
}

pub(crate) fn run(design: &Design, tables: &[Table], threads: usize) -> Vec<Unit> {
    let threads = NonZeroUsize::new(threads).unwrap();
    let units = nb_compare::run(design, tables, Vec::new(), threads, |_| ControlFlow::Continue(())).unwrap();
    units.into_iter().map(without_times).collect()
}

pub(crate) fn without_times(mut unit: Unit) -> Unit {
    if let Outcome::Done(done) = &mut unit.outcome {
        done.times = Some(Times::default());
    }
    unit
}

#[test]
fn threads_do_not_show() {
    let plan = Plan::CrossValidation { folds: 4, repeats: 3 };
    let (design, tables) =
        design(&["iris", "zoo", "pima2", "digits"], &["gaussian", "multinomial", "logistic"], plan);
    let one = run(&design, &tables, 1);
    assert_eq!(one.len(), 4 * 3 * 3);
    assert_eq!(one, run(&design, &tables, 2));
    assert_eq!(one, run(&design, &tables, 7));
    assert_eq!((one[0].set.as_str(), one[1].variant.as_str(), one[3].repeat), ("iris", "multinomial", 1));
}

#[test]
fn leave_one_out_counts_what_it_should() {
    // scikit-learn 1.9.1: cross_val_predict(GaussianNB(var_smoothing=0), x, y, cv=LeaveOneOut()) has this
    // many right.
    let (design, tables) = design(&["iris", "wine", "breast_cancer"], &["gaussian"], Plan::LeaveOneOut {});
    let units = run(&design, &tables, 2);
    for (unit, (right, rows)) in units.iter().zip([(143.0, 150.0), (174.0, 178.0), (531.0, 569.0)]) {
        let accuracy = unit.done().unwrap().pooled.get(Measure::Accuracy).unwrap();
        assert_eq!(accuracy, right / rows, "{}: {}", unit.set, accuracy * rows);
    }
}

#[test]
fn what_does_not_apply_is_said() {
    let plan = Plan::CrossValidation { folds: 2, repeats: 1 };
    let (design, tables) = design(&["iris", "sms"], &["multinomial", "gaussian"], plan);
    let units = run(&design, &tables, 2);
    let reason = |unit: &Unit| match &unit.outcome {
        Outcome::NotApplicable { reason } => reason.clone(),
        other => format!("{other:?}"),
    };
    assert_eq!(reason(&units[0]), "the table has no columns of counts");
    assert!(units[1].done().is_some() && units[2].done().is_some());
    assert_eq!(reason(&units[3]), "the table has documents, and the family is not for counts");
}

#[test]
fn a_failure_is_an_outcome() {
    let plan = Plan::CrossValidation { folds: 2, repeats: 1 };
    let (design, tables) = design(&["sonar"], &["logistic:l2=0"], plan);
    let units = run(&design, &tables, 1);
    assert!(
        matches!(&units[0].outcome, Outcome::Failed { reason } if reason.contains("separates")),
        "{:?}",
        units[0].outcome
    );
}

#[test]
fn breaking_off_begins_nothing_new() {
    let plan = Plan::CrossValidation { folds: 2, repeats: 20 };
    let (design, tables) = design(&["iris"], &["gaussian"], plan);
    let threads = NonZeroUsize::new(2).unwrap();
    let units = nb_compare::run(&design, &tables, Vec::new(), threads, |_| ControlFlow::Break(())).unwrap();
    assert!(!units.is_empty());
    // A second run does the rest, and both together are one run.
    let n_done = units.len();
    let mut n_handed_out = 0;
    let all = nb_compare::run(&design, &tables, units, threads, |progress| {
        n_handed_out += 1;
        assert!(progress.work.0 <= progress.work.1);
        ControlFlow::Continue(())
    })
    .unwrap();
    assert_eq!(n_done + n_handed_out, 20);
    let all: Vec<Unit> = all.into_iter().map(without_times).collect();
    assert_eq!(all, run(&design, &tables, 1));
}
