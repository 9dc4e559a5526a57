//! Results of queries that cannot be right: each is refused, with its line, class, column and value.

use nb_core::{
    Bernoulli, Blocks, Categorical, Categories, Gaussian, Missing, Multinomial, NegativeBinomial, Poisson,
    SufficientStats, VarianceSmoothing, ZeroInflatedGaussian,
};
use nb_io::Family;
use nb_sql::{Design, DesignColumn, Evidence, ImportError, Kept};
use ndarray::array;

const HEADER: &str = "class,kind,feature,category,n_rows,weight,missing,refused,shift,sum,sum_of_squares\n";

/// Two classes of a real column and one of categories.
const GOOD: &str = "\
a,class,,,3,3,,0,,,
a,feature,x,,2,,1,0,2,0,2
a,category,k,p,2,2,,0,,,
a,missing,k,,1,1,,0,,,
b,class,,,2,2,,0,,,
b,feature,x,,2,,0,0,8,0,2
b,category,k,q,2,2,,0,,,
";

fn design(columns: &[(&str, Kept)]) -> Design {
    let columns = columns.iter().map(|(name, kept)| DesignColumn { name: (*name).into(), kept: *kept });
    Design { label: "y".into(), weights: None, group: None, columns: columns.collect() }
}

fn read(rows: &str) -> Result<Evidence, ImportError> {
    Evidence::read(&format!("{HEADER}{rows}"), &design(&[("x", Kept::Moments), ("k", Kept::Categories)]))
}

fn family(missing: Missing) -> Family {
    let gaussian = Family::Gaussian(Gaussian { missing, ..Gaussian::default() });
    let categories = Categories::Declared(vec![2]);
    let categorical = Family::Categorical(Categorical { categories, missing, ..Categorical::default() });
    Family::Blocks(Blocks::default().with_same([0], gaussian).with_same([1], categorical))
}

/// The good result with one text in place of another gives this error.
#[track_caller]
fn refused(from: &str, to: &str, expected: &str) {
    assert!(GOOD.contains(from));
    let error = read(&GOOD.replacen(from, to, 1)).unwrap_err().to_string();
    assert!(error.contains(expected), "{error}");
}

#[test]
fn a_good_result_is_the_evidence_of_the_rows() {
    let model = read(GOOD).unwrap().into_model(family(Missing::Skip)).unwrap();
    let mut stats = SufficientStats::new(&family(Missing::Skip), 2).unwrap();
    let nan = f64::NAN;
    let rows = array![[1.0, 0.0], [3.0, nan], [nan, 0.0], [7.0, 1.0], [9.0, 1.0]];
    stats.update(&family(Missing::Skip), &rows, &["a", "a", "a", "b", "b"].map(String::from)).unwrap();
    assert_eq!(*model.stats(), stats);
    // Columns of the result in any order, a byte order mark, spaces around names, Windows' line ends.
    let shuffled = format!("{HEADER}{GOOD}").lines().fold("\u{FEFF}".to_owned(), |text, line| {
        let mut cells: Vec<&str> = line.split(',').collect();
        cells.reverse();
        text + &cells.join(",").replace("shift", " shift ") + "\r\n"
    });
    let columns = [("x", Kept::Moments), ("k", Kept::Categories)];
    let evidence = Evidence::read(&shuffled, &design(&columns)).unwrap();
    assert_eq!(evidence.n_rows(), 5.0);
    assert_eq!(evidence.into_model(family(Missing::Skip)).unwrap(), model);
}

#[test]
fn texts_that_are_no_results() {
    let columns = design(&[("x", Kept::Moments)]);
    let read = |text: &str| Evidence::read(text, &columns).unwrap_err();
    assert!(matches!(read(""), ImportError::NoColumn { .. }));
    assert!(read("a,b\n1,2\n").to_string().contains("no column \"kind\" among [\"a\", \"b\"]"));
    assert_eq!(read(HEADER), ImportError::NoRows);
    assert!(read(&format!("{HEADER}a,class\n")).to_string().contains("line 2: it has 2 fields"));
    assert!(matches!(
        read(&format!("{HEADER}a,class,,,0,0,,0,,,\na,feature,x,,0,,0,0,,,\n")),
        ImportError::NoRows
    ));
}

#[test]
fn rows_that_are_not_expected() {
    refused("b,class", "c,class", "no row of kind class for \"b\"");
    refused("b,feature,x", "b,feature,z", "no column \"z\"");
    refused("b,feature,x", "b,category,x", "no column \"x\" for a row of kind \"category\"");
    refused("b,feature,x", "a,feature,x", "repeats class \"a\", feature \"x\"");
    refused("b,feature,x,,2,,0,0,8,0,2\n", "", "no row for column \"x\" in class \"b\"");
    refused("b,class", "b,clas", "\"clas\" is no kind of row");
    refused("b,class", "b,unlabelled", "2 rows of the table have no label (line 6)");
}

#[test]
fn numbers_that_cannot_be() {
    refused("a,class,,,3,3", "a,class,,,3,4", "not the number of rows");
    refused("a,class,,,3,3,", "a,class,,,-3,3,", "column \"n_rows\": \"-3\" is negative");
    refused("a,class,,,3,3,", "a,class,,,2.5,3,", "not a whole number");
    refused("x,,2,,1,0,2,0,2", "x,,2,,1,0,NaN,0,2", "column \"shift\": \"NaN\" is not a number");
    refused("x,,2,,1,0,2,0,2", "x,,2,,1,0,2,inf,2", "column \"sum\"");
    refused("x,,2,,1,0,2,0,2", "x,,2,,1,0,2,0,", "column \"sum_of_squares\": \"\" is not");
    refused("x,,2,,1,0,2,0,2", "x,,2,,1,0,2,0,-2", "negative");
    refused("x,,2,,1,0,2,0,2", "x,,2,,1,0,2,1e300,2", "usable size");
    refused("x,,2,,1,0,2,0,2", "x,,4,,1,0,2,0,2", "the number of rows of \"x\" in class \"a\" is 4");
    refused("x,,2,,1,0,2,0,2", "x,,2,,5,0,2,0,2", "the weight of the missing cells");
    refused("x,,2,,1,0,2,0,2", "x,,2,,0.5,0,2,0,2", "the weight of the missing cells");
    refused("x,,2,,1,0,2,0,2", "x,,2,,1,3,2,0,2", "3 rows of class \"a\" have values of \"x\"");
    refused("a,category,k,p,2,2", "a,category,k,p,1,1", "the number of rows of \"k\" in class \"a\" is 2");
    refused("a,category,k,p,2,2", "a,category,k,p,2,1", "the weight of \"k\"");
    refused("a,class,,,3,3,,0", "a,class,,,3,3,,1", "1 rows of class \"a\" have weights");
    refused("x,,2,,0,0,8,0,2", "x,,2,,0,0,8,4,2", "negative variance, -3");
}

#[test]
fn a_class_in_which_a_column_is_missing() {
    // Sums of no rows are NULL.
    let rows = "a,class,,,3,2.5,,0,,,\na,feature,x,,0,,2.5,0,,,\n";
    let weighted = Design { weights: Some("w".into()), ..design(&[("x", Kept::Counts)]) };
    let evidence = Evidence::read(&format!("{HEADER}{rows}"), &weighted).unwrap();
    let poisson = Family::Poisson(Poisson { missing: Missing::Skip, ..Poisson::default() });
    let model = evidence.into_model(poisson.clone()).unwrap();
    let mut stats = SufficientStats::new(&poisson, 1).unwrap();
    let rows = array![[f64::NAN], [f64::NAN], [f64::NAN]];
    stats.update_weighted(&poisson, &rows, &["a", "a", "a"].map(String::from), &[1.0, 1.0, 0.5]).unwrap();
    assert_eq!(*model.stats(), stats);
}

#[test]
fn rounded_weights_may_differ_in_the_last_digits() {
    let weighted = Design { weights: Some("w".into()), ..design(&[("f", Kept::Above(0.0))]) };
    let read = |sum: &str| {
        let rows = format!("a,class,,,3,0.6,,0,,,\na,feature,f,,3,,0,0,0,{sum},\n");
        Evidence::read(&format!("{HEADER}{rows}"), &weighted)
    };
    // 0.1 + 0.2 + 0.3 in two orders.
    let model =
        read("0.6000000000000001").unwrap().into_model(Family::Bernoulli(Bernoulli::default())).unwrap();
    assert!(model.classifier().is_ok());
    assert!(read("0.61").unwrap_err().to_string().contains("the weight above the threshold"));
}

#[test]
fn a_column_without_categories() {
    let all_missing = GOOD
        .replace("a,category,k,p,2,2,,0,,,\na,missing,k,,1,1", "a,missing,k,,3,3")
        .replace("b,category,k,q", "b,missing,k,");
    assert_eq!(read(&all_missing).unwrap_err(), ImportError::NoCategory { feature: "k".into() });
}

#[test]
fn families_take_what_was_kept() {
    let error = read(GOOD).unwrap().into_model(family(Missing::Error)).unwrap_err();
    assert_eq!(error, ImportError::Missing { class: "a".into(), feature: "x".into() });
    let wrong = Family::Gaussian(Gaussian { missing: Missing::Skip, ..Gaussian::default() });
    let error = read(GOOD).unwrap().into_model(wrong).unwrap_err();
    assert_eq!(error, ImportError::Family { feature: "k".into() });
    let counts = "a,class,,,2,2,,0,,,\na,feature,n,,2,,0,0,0,3,\n";
    let read = |kept| Evidence::read(&format!("{HEADER}{counts}"), &design(&[("n", kept)]));
    let poisson = || Family::Poisson(Poisson::default());
    assert!(read(Kept::Counts).unwrap().into_model(poisson()).is_ok());
    assert!(read(Kept::Counts).unwrap().into_model(Family::Multinomial(Multinomial::default())).is_ok());
    assert!(read(Kept::Above(0.0)).unwrap_err().to_string().contains("the weight above the threshold"));
    let bernoulli = |threshold| Family::Bernoulli(Bernoulli { threshold, ..Bernoulli::default() });
    let ones = |threshold: f64| {
        let rows = counts.replace("0,0,0,3,", "0,0,0,1,");
        Evidence::read(&format!("{HEADER}{rows}"), &design(&[("n", Kept::Above(threshold))])).unwrap()
    };
    assert!(ones(0.5).into_model(bernoulli(0.5)).is_ok());
    assert!(matches!(ones(0.5).into_model(bernoulli(0.0)), Err(ImportError::Family { .. })));
}

#[test]
fn lost_digits_are_told() {
    let plain = GOOD.replace("x,,2,,0,0,8,0,2", "x,,2,,0,0,0,2000000002,2000000004000000004");
    let lost = read(&plain).unwrap().lost_digits();
    assert_eq!(lost.len(), 1);
    assert_eq!((lost[0].class.as_str(), lost[0].feature.as_str()), ("b", "x"));
    assert!(lost[0].condition > 1e15, "{lost:?}");
    assert_eq!(read(GOOD).unwrap().lost_digits(), []);
}

#[test]
fn a_constant_column_has_no_variance() {
    let rows = "a,class,,,3,3,,0,,,\na,feature,x,,3,,0,0,0.1,0,0\n";
    let evidence = Evidence::read(&format!("{HEADER}{rows}"), &design(&[("x", Kept::Moments)])).unwrap();
    let smoothing = VarianceSmoothing::AbsoluteFloor(1.0);
    let gaussian = Gaussian { smoothing, ..Gaussian::default() };
    let model = evidence.into_model(Family::Gaussian(gaussian)).unwrap();
    let strict = Gaussian { smoothing: VarianceSmoothing::None, ..Gaussian::default() };
    let error = model.with_family(Family::Gaussian(strict)).unwrap().classifier().unwrap_err().to_string();
    assert!(error.contains("variance"), "{error}");
}

#[test]
fn values_beside_one_are_summed_apart() {
    let family =
        Family::from(ZeroInflatedGaussian { missing: Missing::Skip, ..ZeroInflatedGaussian::default() });
    assert_eq!(Kept::of(&family), Some(Kept::MomentsBeside(0.0)));
    let design = design(&[("x", Kept::MomentsBeside(0.0))]);
    // Class a has 0, 0, 1, 3 and a missing cell, class b only zeros.
    let good = format!(
        "{HEADER}a,class,,,5,5,,0,,,\na,feature,x,,4,2,1,0,2,0,2\nb,class,,,2,2,,0,,,\nb,feature,x,,2,0,0,0,,,\n"
    );
    let model = Evidence::read(&good, &design).unwrap().into_model(family.clone()).unwrap();
    let mut stats = SufficientStats::new(&family, 1).unwrap();
    let rows = array![[0.0], [0.0], [1.0], [3.0], [f64::NAN], [0.0], [0.0]];
    stats.update(&family, &rows, &["a", "a", "a", "a", "a", "b", "b"].map(String::from)).unwrap();
    assert_eq!(*model.stats(), stats);
    let wrong = good.replacen("a,feature,x,,4,2,", "a,feature,x,,4,5,", 1);
    let error = Evidence::read(&wrong, &design).unwrap_err().to_string();
    assert!(error.contains("the weight of the other values"), "{error}");
    // Sums beside another value are useless.
    let other = Family::from(ZeroInflatedGaussian { value: 1.0, ..ZeroInflatedGaussian::default() });
    let evidence = Evidence::read(&good, &design).unwrap();
    assert!(matches!(
        evidence.into_model(other),
        Err(ImportError::Family { .. } | ImportError::Missing { .. })
    ));
}

#[test]
fn counts_with_squares_make_negative_binomials() {
    let family = Family::from(NegativeBinomial::default());
    assert_eq!(Kept::of(&family), Some(Kept::CountMoments));
    let result = format!("{HEADER}a,class,,,3,3,,0,,,\na,feature,n,,3,,0,0,2,0,14\n");
    let model = Evidence::read(&result, &design(&[("n", Kept::CountMoments)]))
        .unwrap()
        .into_model(family.clone())
        .unwrap();
    let mut stats = SufficientStats::new(&family, 1).unwrap();
    stats.update(&family, &array![[0.0], [1.0], [5.0]], &["a", "a", "a"].map(String::from)).unwrap();
    assert_eq!(*model.stats(), stats);
}
