//! What is tuned is chosen by cross-validation within the training rows, as by hand.

use nb_compare::{
    Analysis, Comparison, Dealing, Design, Fitted, Folds, Measure, Method, MethodError, Plan, Table,
    TunedMethod, Variant, report, results_csv,
};

use crate::runs::{design, run};

const PLAN: Plan = Plan::CrossValidation { folds: 3, repeats: 1 };

/// The mean of `-ln p(true class)` over all rows of some, each answered by what was learnt from other folds
/// of them.
fn log_loss(method: &dyn Method, table: &Table, rows: &[usize], folds: &Folds) -> f64 {
    let chosen = |places: Vec<usize>| places.into_iter().map(|place| rows[place]).collect::<Vec<_>>();
    let mut sum = 0.0;
    for fold in 0..folds.n_folds {
        let fitted = method.fit(table, &chosen(folds.train(fold))).unwrap();
        let test = chosen(folds.test(fold));
        let log_posteriors = fitted.log_posteriors(table, &test).unwrap();
        sum -= test
            .iter()
            .zip(log_posteriors.rows())
            .map(|(&row, values)| values[table.labels[row]])
            .sum::<f64>();
    }
    sum / rows.len() as f64
}

#[test]
fn the_best_candidate_is_trained() {
    let floors = ["1e-9", "0.01", "0.1", "1.0"];
    let tuned = format!("gaussian:tune.numeric.floor=[{}],name=tuned", floors.join(","));
    let (mut design, tables) = design(&["sonar"], &[&tuned], PLAN);
    design.predictions = true;
    let table = &tables[0];
    let units = run(&design, &tables, 1);
    let done = units[0].done().unwrap();
    assert_eq!(done.chosen.len(), 3);
    let folds = PLAN.folds(table, design.seed, 0).unwrap();
    let tuner = TunedMethod::new(Vec::new(), Measure::LogLoss, 5);
    for fold in 0..3 {
        let train = folds.train(fold);
        let inner = tuner.folds(table, &train).unwrap();
        let methods =
            floors.map(|floor| Variant::parse(&format!("gaussian:numeric.floor={floor}")).unwrap().method());
        let losses: Vec<f64> =
            methods.iter().map(|method| log_loss(&**method, table, &train, &inner)).collect();
        let best = (0..4).fold(0, |best, place| if losses[place] < losses[best] { place } else { best });
        let shown: f64 = floors[best].parse().unwrap();
        assert_eq!(done.chosen[fold], format!("numeric.floor={shown:?}"), "{losses:?}");
        let fitted = methods[best].fit(table, &train).unwrap();
        for (place, row) in folds.test(fold).into_iter().enumerate() {
            let expected = fitted.log_posteriors(table, &folds.test(fold)).unwrap();
            let n_classes = table.classes.len();
            let kept = &done.log_posteriors[row * n_classes..][..n_classes];
            assert_eq!(kept, expected.row(place).to_vec());
        }
    }
    let comparison = Comparison::new(design, &tables, units);
    let csv = results_csv(&comparison);
    assert!(csv.lines().next().unwrap().ends_with(",chosen"), "{csv}");
    assert!(report(&Analysis::new(&comparison)).to_markdown().unwrap().contains("Values that were chosen"));
}

#[test]
fn retraction_does_not_show() {
    // Without a way to take rows out again, a method is trained on each part by itself.
    struct Plain(Box<dyn Method>);
    impl Method for Plain {
        fn fit(&self, table: &Table, train: &[usize]) -> Result<Box<dyn Fitted>, MethodError> {
            self.0.fit(table, train)
        }
    }
    let table = Table::embedded("pima").unwrap();
    let train: Vec<usize> = (0..table.n_rows()).filter(|row| row % 4 > 0).collect();
    let test: Vec<usize> = (0..table.n_rows()).filter(|row| row % 4 == 0).collect();
    let candidates = |wrapped: bool| -> Vec<(String, Box<dyn Method>)> {
        ["gaussian:numeric.floor=0.1", "gaussian:numeric.floor=1e-9", "mdl:l=0.5"]
            .map(|text| {
                let method = Variant::parse(text).unwrap().method();
                (text.to_owned(), if wrapped { Box::new(Plain(method)) as Box<dyn Method> } else { method })
            })
            .into()
    };
    let tuned = |wrapped| {
        let method = TunedMethod::new(candidates(wrapped), Measure::LogLoss, 5);
        let fitted = method.fit(&table, &train).unwrap();
        (fitted.chosen().cloned(), fitted.log_posteriors(&table, &test).unwrap())
    };
    assert_eq!(tuned(false), tuned(true));
}

#[test]
fn groups_stay_whole_within() {
    let table = Table::embedded("iris").unwrap();
    let of_row: Vec<usize> = (0..150).map(|row| row % 4).collect();
    let table = table.with_dealing(Dealing::Groups { column: "plot".into(), of_row }).unwrap();
    let variant = Variant::parse("gaussian:tune.numeric.floor=[1e-9,0.1]").unwrap();
    let train: Vec<usize> = (0..150).filter(|row| row % 4 > 0).collect();
    let Err(error) = variant.method().fit(&table, &train) else {
        panic!("three groups were dealt into five folds")
    };
    assert!(error.to_string().contains("the 3 groups of column `plot` make no 5 parts"), "{error}");
    let three = Variant::parse("gaussian:tune.numeric.floor=[1e-9,0.1],tune.folds=3").unwrap();
    assert!(three.method().fit(&table, &train).unwrap().chosen().is_some());
}

#[test]
fn calibration_keeps_groups_whole() {
    let table = Table::embedded("iris").unwrap();
    let of_row: Vec<usize> = (0..150).map(|row| row % 4).collect();
    let table = table.with_dealing(Dealing::Groups { column: "plot".into(), of_row }).unwrap();
    let train: Vec<usize> = (0..150).filter(|row| row % 4 > 0).collect();
    let calibrated = Variant::parse("gaussian:calibration=isotonic").unwrap().method();
    let Err(error) = calibrated.fit(&table, &train) else {
        panic!("three groups were dealt into five folds")
    };
    assert!(error.to_string().contains("the 3 groups of column `plot` make no 5 parts"), "{error}");
}

#[test]
fn weights_and_corrections_keep_groups_whole() {
    let table = Table::embedded("iris").unwrap();
    let of_row: Vec<usize> = (0..150).map(|row| usize::from(row % 5 == 0)).collect();
    let table = table.with_dealing(Dealing::Groups { column: "plot".into(), of_row }).unwrap();
    let train: Vec<usize> = (0..150).filter(|row| row % 5 > 0).collect();
    for variant in ["refined", "weighted"] {
        let method = Variant::parse(variant).unwrap().method();
        let Err(error) = method.fit(&table, &train) else { panic!("one group was dealt into folds") };
        assert!(error.to_string().contains("all rows are of one group"), "{error}");
        assert!(method.fit(&table, &(0..150).collect::<Vec<_>>()).is_ok());
    }
}

#[test]
fn grids_are_read_and_refused() {
    let variant =
        Variant::parse("mdl:tune.l=[0.5,1,2],tune.prior=[empirical,uniform],tune.by=accuracy,name=t");
    // Texts in lists need quotes, as in TOML.
    assert!(variant.is_err());
    let variant =
        Variant::parse(r#"mdl:tune.l=[0.5,1,2],tune.prior=["empirical","uniform"],tune.by=accuracy,name=t"#)
            .unwrap();
    let design = format!("sets = [\"iris\"]\n[[variants]]\n{}", toml_of(&variant));
    assert_eq!(Design::from_toml(&design).unwrap().variants[0], variant);
    let problem = |text: &str| Variant::parse(text).unwrap_err().to_string();
    assert!(
        problem("gaussian:tune.numeric.flor=[1,2]").contains("flor"),
        "{}",
        problem("gaussian:tune.numeric.flor=[1,2]")
    );
    assert!(problem("gaussian:tune=3").contains("tune is 3, and must have options with lists of values"));
    assert!(problem("gaussian:tune.method=[1]").contains("compared as variants, not tuned"));
    assert!(problem("gaussian:tune.l=3").contains("tune.l: 3 is no list of values"));
    assert!(problem("gaussian:tune.by=accuracy").contains("tune has no options"));
    assert!(problem("gaussian:tune.l=[1,2],tune.folds=1").contains("must be at least 2"));
}

fn toml_of(variant: &Variant) -> String {
    let design = Design::new(vec![nb_compare::Set::Embedded("iris".into())], vec![variant.clone()]).unwrap();
    let text = design.to_toml();
    text.split_once("[[variants]]\n").unwrap().1.to_owned()
}

#[test]
fn candidates_that_fail_are_named() {
    let (design, tables) = design(&["zoo"], &["gaussian:tune.l=[-1,1],name=tuned"], PLAN);
    let units = run(&design, &tables, 1);
    let done = units[0].done().unwrap().clone();
    assert_eq!(done.chosen, ["l=1"; 3]);
    let [failed] = done.failed.as_slice() else { panic!("{:?}", done.failed) };
    assert_eq!((failed.values.as_str(), failed.n_folds), ("l=-1", 3));
    let markdown = report(&Analysis::new(&Comparison::new(design, &tables, units))).to_markdown().unwrap();
    assert!(markdown.contains("could not be tried") && markdown.contains(&failed.reason), "{markdown}");
}
