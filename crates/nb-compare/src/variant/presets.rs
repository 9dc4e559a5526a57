//! The variants that have names of their own.

use super::VariantError;

/// Name, what it is, and the options it stands for.
const PRESETS: &[(&str, &str, &str)] = &[
    (
        "gaussian",
        "normal distributions with a variance per class",
        "method = 'naive-bayes'\nnumeric.family = 'gaussian'\ncount.family = 'gaussian'",
    ),
    (
        "shared-gaussian",
        "normal distributions with one variance for all classes: a linear boundary",
        "method = 'naive-bayes'\nnumeric.family = 'shared-gaussian'\ncount.family = 'shared-gaussian'",
    ),
    (
        "kernel",
        "kernel densities (John and Langley 1995)",
        "method = 'naive-bayes'\nnumeric.family = 'kernel'\ncount.family = 'kernel'",
    ),
    (
        "log-normal",
        "normal distributions of logarithms, for positive numbers",
        "method = 'naive-bayes'\nnumeric.family = 'log-normal'",
    ),
    (
        "power",
        "normal distributions after a power transform (Yeo and Johnson 2000)",
        "method = 'naive-bayes'\nnumeric.family = 'power'\ncount.family = 'power'",
    ),
    (
        "mdl",
        "bins by description length (Fayyad and Irani 1993), as categories",
        "method = 'naive-bayes'\nnumeric.family = 'binned'\ncount.family = 'binned'",
    ),
    (
        "equal-frequency",
        "ten bins with about as many rows each, as categories",
        "method = 'naive-bayes'\n\
         numeric = { family = 'binned', bins.equal-frequency = 10 }\n\
         count = { family = 'binned', bins.equal-frequency = 10 }",
    ),
    (
        "poisson",
        "Poisson counts; numbers are normal",
        "method = 'naive-bayes'\nnumeric.family = 'gaussian'\ncount.family = 'poisson'",
    ),
    (
        "bernoulli",
        "counts by whether they are above 0; numbers are normal",
        "method = 'naive-bayes'\nnumeric.family = 'gaussian'\ncount.family = 'bernoulli'",
    ),
    ("multinomial", "multinomial counts", "method = 'naive-bayes'\ncount.family = 'multinomial'"),
    (
        "complement",
        "complement naive Bayes for counts",
        "method = 'naive-bayes'\ncount.family = 'complement'",
    ),
    (
        "aode",
        "averaged one-dependence estimators (Webb et al. 2005) on bins by description length",
        "method = 'aode'",
    ),
    (
        "count-ratio",
        "logistic regression on log-count ratios (Wang and Manning 2012), for counts",
        "method = 'count-ratio'",
    ),
    ("logistic", "logistic regression with an L2 penalty", "method = 'logistic'"),
    ("wrong-product", "wrong on purpose: products of densities", "method = 'wrong'\nhow.rule = 'product'"),
    (
        "wrong-klar",
        "wrong on purpose: klaR's threshold under densities",
        "method = 'wrong'\nhow.rule = 'klar'\nhow.threshold = 0.001",
    ),
    (
        "wrong-epsilon",
        "wrong on purpose: a number added to densities inside the logarithm",
        "method = 'wrong'\nhow.rule = 'epsilon'\nhow.epsilon = 1e-9",
    ),
];

/// All names, with what they mean.
pub(super) fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    PRESETS.iter().map(|(name, meaning, _)| (*name, *meaning))
}

/// The options that a name stands for.
pub(super) fn table(name: &str) -> Result<toml::Table, VariantError> {
    let preset = PRESETS.iter().find(|(preset, ..)| *preset == name);
    let known = || PRESETS.iter().map(|(name, ..)| *name).collect();
    let (.., text) = preset.ok_or_else(|| VariantError::Unknown { name: name.to_owned(), known: known() })?;
    toml::from_str(text)
        .map_err(|error| VariantError::Option { variant: name.to_owned(), problem: error.to_string() })
}
