//! Models of every family, for the other tests.

use nb_core::{
    Bernoulli, Blocks, Categorical, Categories, Complement, Gaussian, Missing, Multinomial, Poisson, Prior,
    RatePrior, Smoothing, Unseen, VarianceEstimator, VarianceSmoothing,
};
use nb_io::{
    Column, Family, Kind, Model, Schema, Text,
    text::{Emoji, Normalization, TextOptions, Tokens},
};
use nb_linear::SharedGaussian;
use ndarray::{Array2, array};

pub(crate) fn labels<'a>(labels: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    labels.into_iter().map(String::from).collect()
}

/// Rows that every family takes, among them awkward doubles where real numbers are allowed.
fn rows() -> Array2<f64> {
    array![[0.0, 1.0], [1.0, 2.0], [3.0, 0.0], [2.0, 2.0], [1.0, 0.0]]
}

/// A trained model of each family.
pub(crate) fn models() -> Vec<Model> {
    let half = Smoothing::new(0.1).expect("valid");
    let each = Smoothing::per_feature(vec![1.0, 1.0 / 3.0]).expect("valid");
    let missing = Missing::Skip;
    let families = [
        Family::Gaussian(Gaussian::default()),
        Family::Gaussian(Gaussian {
            estimator: VarianceEstimator::Unbiased,
            smoothing: VarianceSmoothing::AbsoluteFloor(1e-3),
            missing,
        }),
        Family::SharedGaussian(SharedGaussian::default()),
        Family::Categorical(Categorical { smoothing: half.clone(), ..Categorical::default() }),
        Family::Categorical(Categorical {
            categories: Categories::Declared(vec![4, 5]),
            unseen: Unseen::Other,
            ..Categorical::default()
        }),
        Family::Multinomial(Multinomial { smoothing: each.clone(), missing }),
        Family::Complement(Complement { smoothing: half.clone(), normalize: true, missing }),
        Family::Bernoulli(Bernoulli { threshold: 0.5, smoothing: each, missing }),
        Family::Poisson(Poisson { smoothing: half, missing, rate_prior: RatePrior::Unit }),
        Family::Blocks(Blocks::default().with_same([1], Family::Gaussian(Gaussian::default())).with_same(
            [0],
            Family::Categorical(Categorical { unseen: Unseen::Ignore, ..Categorical::default() }),
        )),
        Family::Blocks(
            Blocks::default()
                .with_same(
                    [1],
                    Family::Poisson(Poisson { rate_prior: RatePrior::Unit, ..Poisson::default() }),
                )
                .ignore([0]),
        ),
    ];
    let priors = [Prior::Empirical, Prior::Uniform, Prior::Given(vec![0.1, 0.9])];
    families
        .into_iter()
        .zip(priors.into_iter().cycle())
        .map(|(family, prior)| {
            let schema = Schema::numeric(["left", "right \"quoted\", ünïcode"], "label");
            let mut model = Model::new(schema, family, prior).expect("they fit together");
            model.update(&rows(), &labels(["b", "b", "a", "a", "a"])).expect("valid rows");
            let third = 1.0 / 3.0;
            model
                .update_weighted(&rows(), &labels(["a"; 5]), &[third, 0.0, 2.5, 1.0, third])
                .expect("valid rows");
            model
        })
        .collect()
}

/// A Gaussian model whose sums need more than three components.
pub(crate) fn wide() -> Model {
    let schema = Schema::numeric(["x"], "y");
    let mut model = Model::new(schema, Family::Gaussian(Gaussian::default()), Prior::Empirical)
        .expect("they fit together");
    let x = array![[1.1e60], [1.3], [1.7e-60], [-2.3e30], [0.1], [1e12 / 3.0]];
    model.update(&x, &labels(["a", "a", "a", "b", "b", "b"])).expect("valid rows");
    model
}

/// Words as files before version 5 have them.
pub(crate) fn as_written() -> Tokens {
    Tokens::default().with_normalization(Normalization::None).with_emoji(Emoji::Drop)
}

/// A model of two columns of texts, of which one is normalised and has emoji, and the other is as in older
/// files.
pub(crate) fn posts() -> Model {
    let old = TextOptions::default().with_tokens(as_written()).with_max_terms(Some(2));
    let titles = Text::learn(&["Café 👍", "news", "news, café"], &old).expect("there are terms");
    let posts = ["Great 👍🏽, don\u{2019}t go", "Cafe\u{301} ❤️!", "gone"];
    let posts = Text::learn(&posts, &TextOptions::default()).expect("there are terms");
    let column = |name: &str, text: Text| Column { name: name.into(), kind: Kind::Text(text.into()) };
    let schema =
        Schema { columns: vec![column("title", titles), column("post", posts)], label: "liked".into() };
    let mut model =
        Model::new(schema, Family::Multinomial(Multinomial::default()), Prior::Uniform).expect("they fit");
    // café, news; café, don, go, gone, great, ❤, 👍🏽
    let rows = array![
        [1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0, 1.0],
        [0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0],
        [1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0],
    ];
    model.update(&rows, &labels(["yes", "yes", "no"])).expect("valid rows");
    model
}

/// A model of four mails, whose words are hashed into many buckets, so that nearly all sums are zero.
pub(crate) fn mails(buckets: u32) -> Model {
    let text = Text { tokens: as_written(), ..Text::hashed(buckets) };
    let schema = Schema::of_text("mail", text, "label");
    let family = Family::for_schema(&schema);
    let mut model = Model::new(schema, family, Prior::Empirical).expect("they fit together");
    let texts = ["win a free prize now", "call to claim your prize", "see you at lunch", "lunch at one then"];
    let rows = model.schema().count_terms(&texts).expect("only texts");
    model.update(&rows, &["spam", "spam", "ham", "ham"]).expect("valid rows");
    model
}

/// A mixed model with named categories, learnt in the given order.
pub(crate) fn flowers(levels: [&str; 2]) -> Model {
    let schema = Schema {
        columns: vec![
            Column { name: "petal".into(), kind: Kind::Numeric },
            Column { name: "colour".into(), kind: Kind::Categorical { levels: labels(levels) } },
        ],
        label: "species".into(),
    };
    let blocks = Blocks::default()
        .with_same([0], Family::Gaussian(Gaussian::default()))
        .with_same([1], Family::Categorical(Categorical::default()));
    Model::new(schema, Family::Blocks(blocks), Prior::Empirical).expect("they fit together")
}
