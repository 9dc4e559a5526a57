//! The list of families: each can be stored by its name, and families from elsewhere can as well.

use nb_core::{
    Dispersion, FeatureModel, Gaussian, NegativeBinomial, Prior, Smoothing, VarianceSmoothing,
    ZeroInflatedGaussian,
    description::{Columns, Described, Description, Hyper, Parameter, SettingError, Summand, Value},
    error::{FamilyError, LayoutError, ValueError},
    exact::ExactSums,
    family::{Block, ClassSums, SumLayout, Weights},
    fitted::FittedGaussian,
};
use nb_io::{Family, FittedFamily, Limits, LoadProblem, Model, Registry, RegistryError, Schema};
use ndarray::array;

use crate::examples::labels;

/// A Gaussian family from elsewhere, whose values are scaled.
#[derive(Clone, Debug, PartialEq)]
struct Scaled {
    unit: f64,
}

impl Default for Scaled {
    fn default() -> Self {
        Self { unit: 1.0 }
    }
}

static UNIT: Parameter = Parameter::new("unit", "What values are divided by");

impl Described for Scaled {
    fn describe() -> Description {
        Description::new("scaled", Columns::Real).about("Scaled numbers", "Columns of scaled numbers")
    }

    fn hyper_parameters(&mut self) -> Vec<Hyper<'_>> {
        vec![Hyper::new(&UNIT, &mut self.unit)]
    }
}

impl FeatureModel for Scaled {
    type Fitted = FittedGaussian;

    fn layout(&self, n_columns: usize) -> Result<SumLayout, LayoutError> {
        let layout = Gaussian::default().layout(n_columns)?;
        Ok(SumLayout { family: format!("scaled by {:?}", self.unit).into(), ..layout })
    }

    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        Gaussian::default().check(rows)
    }

    fn update(&self, rows: &Block<'_>, weights: Weights<'_>, sums: &mut [ExactSums]) {
        rows.for_each_stored(|row, column, value| {
            let (weight, value) = (weights.get(row), value / self.unit);
            sums[0].add_product(column, weight, value);
            sums[1].add_triple_product(column, weight, value, value);
        });
    }

    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<FittedGaussian, FamilyError> {
        Gaussian::default().fit(classes)
    }
}

fn trained(family: Family) -> Model {
    let mut model = Model::new(Schema::numeric(["x", "y"], "class"), family, Prior::Empirical).expect("fits");
    let rows = array![[1.0, 0.0], [3.0, 1.0], [0.0, 9.0], [2.0, 0.0], [7.0, 1.0]];
    model.update(&rows, &labels(["a", "a", "b", "b", "b"])).expect("valid rows");
    model
}

#[test]
fn families_from_elsewhere_are_stored_by_name() {
    let model = trained(Family::other(Scaled { unit: 4.0 }));
    let bytes = model.to_bytes().expect("encodes");
    let error = Model::from_bytes(&bytes).expect_err("nobody knows it").to_string();
    assert!(
        error.starts_with("the family is invalid: there is no family \"scaled\"; there are: gaussian,"),
        "{error}"
    );

    let registry = Registry::default().with(Scaled::default()).expect("a new name");
    let loaded = Model::from_bytes_with(&bytes, Limits::default(), &registry).expect("decodes");
    assert_eq!(loaded, model);
    let Family::Other(family) = loaded.family() else { panic!("{:?}", loaded.family()) };
    assert_eq!(family.downcast_ref::<Scaled>(), Some(&Scaled { unit: 4.0 }));
    let classifier = loaded.classifier().expect("fits");
    let FittedFamily::Other(fitted) = classifier.likelihood() else { panic!("it is from elsewhere") };
    assert_eq!(fitted.downcast_ref::<FittedGaussian>().expect("a Gaussian").means()[[0, 0]], 0.5);

    let json = model.to_json().expect("encodes");
    assert!(json.contains("\"scaled\"") && json.contains("\"unit\""), "{json}");
    assert_eq!(Model::from_json_with(&json, Limits::default(), &registry).expect("decodes"), model);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("model.nb");
    model.save(&path).expect("saves");
    assert_eq!(Model::load_with(&path, Limits::default(), &registry).expect("loads"), model);
    let error = Model::load(&path).expect_err("not in the default registry");
    assert!(matches!(error.problem, LoadProblem::Invalid { .. }), "{error}");
    // It stands in blocks beside others, and other hyper-parameters make another family.
    assert_ne!(Family::other(Scaled { unit: 2.0 }), *model.family());
    let blocks = nb_core::Blocks::default()
        .with_same([0], Family::other(Scaled { unit: 2.0 }))
        .with_same([1], Family::from(NegativeBinomial::default()));
    let mixed = trained(Family::Blocks(blocks));
    assert_eq!(
        Model::from_bytes_with(&mixed.to_bytes().expect("encodes"), Limits::default(), &registry)
            .expect("decodes"),
        mixed
    );
}

#[test]
fn names_are_taken_once() {
    #[derive(Clone, Debug, Default, PartialEq)]
    struct Taken;
    impl Described for Taken {
        fn describe() -> Description {
            Description::new("poisson", Columns::Real)
        }
        fn hyper_parameters(&mut self) -> Vec<Hyper<'_>> {
            Vec::new()
        }
    }
    impl FeatureModel for Taken {
        type Fitted = FittedGaussian;
        fn layout(&self, n_columns: usize) -> Result<SumLayout, LayoutError> {
            Gaussian::default().layout(n_columns)
        }
        fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
            Gaussian::default().check(rows)
        }
        fn update(&self, rows: &Block<'_>, weights: Weights<'_>, sums: &mut [ExactSums]) {
            Gaussian::default().update(rows, weights, sums);
        }
        fn fit(&self, classes: &[ClassSums<'_>]) -> Result<FittedGaussian, FamilyError> {
            Gaussian::default().fit(classes)
        }
    }
    let error = Registry::default().with(Taken).expect_err("it is taken");
    assert_eq!(error, RegistryError::Duplicate { name: "poisson".into() });
}

#[test]
fn every_family_has_a_description_that_holds() {
    let registry = Registry::default();
    let mut names: Vec<&str> = registry.descriptions().map(|description| description.name).collect();
    let n_families = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), n_families, "a name is duplicated");
    for family in registry.families() {
        let description = family.description();
        assert!(!description.about.is_empty() && !description.about_columns.is_empty(), "{description:?}");
        // Every hyper-parameter can be set to what it is, by its name and by its short name.
        let mut copy = family.clone();
        for (parameter, value) in family.settings() {
            copy.set(parameter.name, &value).expect("its own value");
            if !parameter.short.is_empty() {
                copy.set(parameter.short, &value).expect("its own value");
            }
            assert!(matches!(
                copy.set(parameter.name, &Value::Name("no".into())),
                Err(SettingError::Value { .. })
            ));
        }
        assert_eq!(copy, *family);
        assert!(matches!(copy.set("colour", &Value::Flag(true)), Err(SettingError::Unknown { .. })));
        // What sums are said to be is what they are in number.
        let layout = family.layout(2).expect("two columns");
        let summands = family.summands().expect("all of ours say it");
        let n_parts = if summands == [Summand::Category] { 2 } else { summands.len() };
        assert_eq!(layout.parts.len(), n_parts, "{description:?}");
        // A fitted one can be looked into.
        let classifier = trained(family.clone()).classifier().expect("it fits");
        let inspect = classifier.likelihood().inspect().expect("it is no block");
        assert!(inspect.outline(0).is_some() && !inspect.parameters(0).is_empty(), "{description:?}");
        let divergences = inspect.divergences(1, &[0.4, 0.6]).expect("known");
        assert!(
            divergences.len() == 2 && divergences.iter().all(|value| value.is_finite()),
            "{divergences:?}"
        );
    }
}

#[test]
fn formulas_say_what_scores_say() {
    for family in Registry::default().families() {
        let model = trained(family.clone());
        let classifier = model.classifier().expect("it fits");
        let fitted = classifier.likelihood().inspect().expect("it is no block");
        for value in [0.0, 1.0, 7.0] {
            let scores = |class| fitted.log_likelihood(class, 0, value);
            let (Some(a), Some(b)) = (fitted.formula(0, 0), fitted.formula(1, 0)) else { continue };
            let (a, b) = (a.evaluate(value), b.evaluate(value));
            let difference = scores(0) - scores(1);
            assert!((a - b - difference).abs() < 1e-12 * (1.0 + a.abs() + b.abs()), "{family:?} at {value}");
        }
    }
}

#[test]
fn named_families_have_version_2_and_all_others_version_1() {
    for family in Registry::default().families() {
        let model = trained(family.clone());
        let is_named = matches!(
            family,
            Family::NegativeBinomial(_)
                | Family::ZeroInflatedGaussian(_)
                | Family::Poisson(_)
                | Family::Grouped(_)
        );
        let version = if is_named { 2 } else { 1 };
        assert_eq!(model.format_version(), version, "{family:?}");
        let bytes = model.to_bytes().expect("encodes");
        assert_eq!(u16::from_le_bytes([bytes[8], bytes[9]]), version);
        assert_eq!(Model::from_bytes(&bytes).expect("decodes"), model);
    }
}

/// The bytes of a family that is stored by its name, as `docs/format.md` has them.
#[test]
fn the_bytes_of_named_families() {
    let smoothing = Smoothing::new(0.5).expect("valid");
    let family =
        NegativeBinomial { dispersion: Dispersion::Shared, smoothing, ..NegativeBinomial::default() };
    let schema = Schema::numeric(["x"], "y");
    let model = Model::new(schema, family.into(), Prior::Empirical).expect("they fit together");
    let bytes = model.to_bytes().expect("encodes");
    let mut expected = Vec::new();
    let text = |bytes: &mut Vec<u8>, text: &str| {
        bytes.extend((text.len() as u64).to_le_bytes());
        bytes.extend(text.as_bytes());
    };
    expected.extend(1_u64.to_le_bytes());
    text(&mut expected, "x");
    expected.extend(0_u32.to_le_bytes());
    text(&mut expected, "y");
    expected.extend(8_u32.to_le_bytes());
    text(&mut expected, "negative_binomial");
    expected.extend(4_u64.to_le_bytes());
    text(&mut expected, "dispersion");
    expected.extend(3_u32.to_le_bytes());
    text(&mut expected, "shared");
    text(&mut expected, "smoothing");
    expected.extend(0_u32.to_le_bytes());
    expected.extend(0.5_f64.to_le_bytes());
    text(&mut expected, "rate_prior");
    expected.extend(3_u32.to_le_bytes());
    text(&mut expected, "column");
    text(&mut expected, "missing_cells");
    expected.extend(3_u32.to_le_bytes());
    text(&mut expected, "error");
    expected.extend(0_u32.to_le_bytes());
    expected.extend(0_u64.to_le_bytes());
    assert_eq!(&bytes[24..], expected);
}

#[test]
fn hyper_parameters_of_all_kinds_survive() {
    let family = ZeroInflatedGaussian {
        value: -1.5,
        smoothing: Smoothing::per_feature(vec![0.5, 2.0]).expect("valid"),
        variance: VarianceSmoothing::LargestVariance(1e-6),
        ..ZeroInflatedGaussian::default()
    };
    let model = trained(family.into());
    assert_eq!(Model::from_bytes(&model.to_bytes().expect("encodes")).expect("decodes"), model);
    let json = model.to_json().expect("encodes");
    assert_eq!(Model::from_json(&json).expect("decodes"), model);
    let wrong = json.replacen("inflated_value", "inflated", 1);
    let error = Model::from_json(&wrong).expect_err("no such hyper-parameter").to_string();
    assert!(
        error.contains("there is no hyper-parameter \"inflated\"; there are: inflated_value, smoothing"),
        "{error}"
    );
}
