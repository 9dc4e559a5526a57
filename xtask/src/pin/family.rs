//! The families that are pinned, with two sets of hyper-parameters each: those that users have who say
//! nothing, and others that take other ways through the code.

use nb_core::{
    Bernoulli, Blocks, Categorical, Complement, Dispersion, Gaussian, Missing, Multinomial, NegativeBinomial,
    Poisson, RatePrior, Smoothing, Unseen, VarianceEstimator, VarianceSmoothing, ZeroInflatedGaussian,
};
use nb_io::Family;
use nb_linear::SharedGaussian;

use super::table::Table;

/// Numbers above are counts: tables of them by class and column would be all that takes time.
const MOST_CODE: f64 = 4096.0;

/// All families, with a name that no space is in.
pub(super) fn families(table: &Table) -> Vec<(&'static str, Family)> {
    let missing = if table.all.has_missing() { Missing::Skip } else { Missing::Error };
    let skip = Missing::Skip;
    let (estimator, smoothing) = (VarianceEstimator::Unbiased, VarianceSmoothing::None);
    let likeliest = || Smoothing::MAXIMUM_LIKELIHOOD;
    let mut families = vec![
        ("gaussian", Family::Gaussian(Gaussian { missing, ..Gaussian::default() })),
        ("gaussian-raw", Family::Gaussian(Gaussian { estimator, smoothing, missing: skip })),
        ("shared-gaussian", Family::SharedGaussian(SharedGaussian { missing, ..SharedGaussian::default() })),
        (
            "shared-gaussian-largest",
            Family::SharedGaussian(SharedGaussian {
                estimator,
                smoothing: VarianceSmoothing::LargestVariance(1e-9),
                missing: skip,
            }),
        ),
        ("categorical", Family::Categorical(Categorical { missing, ..categorical() })),
        (
            "categorical-raw",
            Family::Categorical(Categorical {
                smoothing: likeliest(),
                unseen: Unseen::Other,
                missing: skip,
                ..categorical()
            }),
        ),
        ("multinomial", Family::Multinomial(Multinomial { missing, ..Multinomial::default() })),
        ("multinomial-raw", Family::Multinomial(Multinomial { smoothing: likeliest(), missing: skip })),
        ("complement", Family::Complement(Complement { missing, ..Complement::default() })),
        (
            "complement-normalized",
            Family::Complement(Complement { normalize: true, missing: skip, ..Complement::default() }),
        ),
        ("bernoulli", Family::Bernoulli(Bernoulli { missing, ..Bernoulli::default() })),
        (
            "bernoulli-raw",
            Family::Bernoulli(Bernoulli { threshold: 0.5, smoothing: likeliest(), missing: skip }),
        ),
        ("poisson", Family::Poisson(Poisson { missing, rate_prior: RatePrior::Unit, ..Poisson::default() })),
        (
            "poisson-raw",
            Family::Poisson(Poisson { smoothing: likeliest(), missing: skip, rate_prior: RatePrior::Unit }),
        ),
        ("blocks", Family::Blocks(blocks(table, missing))),
        ("poisson-column", Family::Poisson(Poisson { missing, ..Poisson::default() })),
        ("negative-binomial", Family::from(NegativeBinomial { missing, ..NegativeBinomial::default() })),
        (
            "negative-binomial-shared",
            Family::from(NegativeBinomial {
                dispersion: Dispersion::Shared,
                smoothing: likeliest(),
                missing: skip,
                ..NegativeBinomial::default()
            }),
        ),
        ("zero-inflated", Family::from(ZeroInflatedGaussian { missing, ..ZeroInflatedGaussian::default() })),
        (
            "zero-inflated-raw",
            Family::from(ZeroInflatedGaussian {
                value: 1.0,
                smoothing: likeliest(),
                estimator,
                missing: skip,
                ..ZeroInflatedGaussian::default()
            }),
        ),
    ];
    if table.all.columns_where(|value| value.is_nan() || value <= MOST_CODE).contains(&false) {
        families.retain(|(_, family)| !matches!(family, Family::Categorical(_)));
    }
    families
}

/// Categories that rows to answer for may have, and rows to train on may not.
fn categorical() -> Categorical {
    Categorical { unseen: Unseen::Ignore, ..Categorical::default() }
}

/// A family for each column: small whole numbers go round the families that take them, other numbers are
/// Gaussian.
fn blocks(table: &Table, missing: Missing) -> Blocks<Family> {
    let is_small = table.all.columns_where(|value| value.is_nan() || f64::from(value as u8) == value);
    let mut columns = [const { Vec::new() }; 7];
    for (column, is_small) in is_small.into_iter().enumerate() {
        columns[if is_small { column % 7 } else { column % 2 }].push(column);
    }
    let families = [
        Family::Gaussian(Gaussian { missing, ..Gaussian::default() }),
        Family::SharedGaussian(SharedGaussian { missing, ..SharedGaussian::default() }),
        Family::Categorical(Categorical { missing, ..categorical() }),
        Family::Poisson(Poisson { missing, rate_prior: RatePrior::Unit, ..Poisson::default() }),
        Family::Bernoulli(Bernoulli { missing, ..Bernoulli::default() }),
        Family::Multinomial(Multinomial { missing, ..Multinomial::default() }),
        Family::Complement(Complement { missing, ..Complement::default() }),
    ];
    let pairs = columns.into_iter().zip(families).filter(|(columns, _)| !columns.is_empty());
    pairs.fold(Blocks::default(), |blocks, (columns, family)| blocks.with_same(columns, family))
}
