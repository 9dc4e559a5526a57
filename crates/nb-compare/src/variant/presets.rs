//! The variants that have their own names.

use std::sync::LazyLock;

use nb_core::description::Columns;
use nb_io::Registry;

use super::{VariantError, dependent};

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
        "kernel densities (John and Langley 1995) with Silverman's bandwidth; numeric.bandwidth=john-langley is theirs",
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
        "modl",
        "the most probable bins (Boullé 2006), as categories",
        "method = 'naive-bayes'\n\
         numeric = { family = 'binned', bins = 'modl' }\n\
         count = { family = 'binned', bins = 'modl' }",
    ),
    (
        "grouped",
        "the most probable bins and groups of categories (Boullé 2005, 2006)",
        "method = 'naive-bayes'\n\
         numeric = { family = 'binned', bins = 'modl' }\n\
         count = { family = 'binned', bins = 'modl' }\n\
         categories = 'grouped'",
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
    (
        "multinomial",
        "multinomial counts; numbers are normal",
        "method = 'naive-bayes'\nnumeric.family = 'gaussian'\ncount.family = 'multinomial'",
    ),
    (
        "complement",
        "complement naive Bayes for counts; numbers are normal",
        "method = 'naive-bayes'\nnumeric.family = 'gaussian'\ncount.family = 'complement'",
    ),
    (
        "hdp",
        "naive Bayes with hierarchical Dirichlet smoothing (Petitjean et al. 2018) on bins by description length",
        "method = 'kdb'\nparents = 0\nsmoothing = 'hdp'",
    ),
    (
        "hls",
        "kDB with two parents and hierarchical linear smoothing (Cooper et al. 2025) on bins by description length",
        "method = 'kdb'\nparents = 2\nridge = 1.0",
    ),
    (
        "selective-kdb",
        "kDB with up to five parents, their number and the columns by leave-one-out (Martínez et al. 2016) on bins by description length",
        "method = 'kdb'\nparents = 'selective'",
    ),
    (
        "cawnb-cll",
        "a weight per class and column by conditional likelihood (Jiang et al. 2019) on bins by description length",
        "method = 'awnb'\ncolumn_weights = 'cll'",
    ),
    ("cawnb-mse", "the same by squared error", "method = 'awnb'\ncolumn_weights = 'mse'"),
    (
        "rnb",
        "the same mixed with a weight per column (Wang et al. 2020)",
        "method = 'awnb'\ncolumn_weights = 'rnb'",
    ),
    (
        "cfw",
        "a weight per column by mutual information (Jiang et al. 2019) on bins by description length",
        "method = 'awnb'\ncolumn_weights = 'cfw'",
    ),
    (
        "aiwnb",
        "the same with rows weighted by the frequencies of their values (Zhang et al. 2021)",
        "method = 'awnb'\ncolumn_weights = 'aiwnb'",
    ),
    (
        "weighted",
        "bins and categories with a weight per column by conditional likelihood (Zaidi et al. 2013)",
        "method = 'refined'\nweights_only = true",
    ),
    (
        "refined",
        "bins, categories and pairs of columns with weights and corrections by conditional likelihood",
        "method = 'refined'\npairs = 2\nslopes = true",
    ),
    (
        "dirichlet-multinomial",
        "counts that come in bursts (Madsen et al. 2005)",
        "method = 'dirichlet-multinomial'",
    ),
    (
        "count-ratio",
        "logistic regression on log-count ratios (Wang and Manning 2012), for counts",
        "method = 'count-ratio'",
    ),
    ("logistic", "logistic regression with an L2 penalty", "method = 'logistic'"),
    (
        "prior",
        "the class prior alone (Weka's ZeroR): the baseline of every other variant",
        "method = 'prior'",
    ),
    (
        "private",
        "normal distributions and categories from sums with noise: differential privacy (epsilon=1)",
        "method = 'private'",
    ),
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

/// Every preset: those above, one for each other family of the list, and one for each family of columns that
/// depend on one another. A family of counts has the columns of counts beside normal distributions of
/// numbers; a family of numbers has both.
static ALL: LazyLock<Vec<(String, String, String)>> = LazyLock::new(|| {
    let mut all: Vec<_> =
        PRESETS.iter().map(|(name, about, text)| ((*name).into(), (*about).into(), (*text).into())).collect();
    // With the other families, before what is more than a family.
    let mut place = all.iter().position(|(name, ..)| name == "hdp").unwrap_or(all.len());
    for description in Registry::default().descriptions() {
        let name = description.name.replace('_', "-");
        let (numeric, about) = match description.columns {
            Columns::Counts => ("gaussian", format!("{}; numbers are normal", lower(description.about))),
            Columns::Real => (name.as_str(), lower(description.about)),
            Columns::Categories | Columns::Mixed => continue,
        };
        if all.iter().any(|(known, ..)| *known == name) {
            continue;
        }
        let text = format!("method = 'naive-bayes'\nnumeric.family = '{numeric}'\ncount.family = '{name}'");
        all.insert(place, (name, about, text));
        place += 1;
    }
    for description in dependent::descriptions() {
        let name = description.name.replace('_', "-");
        let about = format!("{} ({}) on bins by description length", description.method, description.cited);
        let text = format!("method = '{name}'");
        all.insert(place, (name, about, text));
        place += 1;
    }
    all
});

/// A sentence that goes on.
fn lower(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
}

/// All names, with what they mean.
pub(super) fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    ALL.iter().map(|(name, meaning, _)| (name.as_str(), meaning.as_str()))
}

/// The options that a name stands for.
pub(super) fn table(name: &str) -> Result<toml::Table, VariantError> {
    let preset = ALL.iter().find(|(preset, ..)| *preset == name);
    let known = || all().map(|(name, _)| name).collect();
    let (.., text) = preset.ok_or_else(|| VariantError::Unknown { name: name.to_owned(), known: known() })?;
    toml::from_str(text)
        .map_err(|error| VariantError::Option { variant: name.to_owned(), problem: error.to_string() })
}
