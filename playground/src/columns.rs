//! What a fitted model has for one of its columns.

use nb_io::FittedFamily;

/// The family of a column, and the number of the column within it.
pub(crate) fn family_of(fitted: &FittedFamily, column: usize) -> Option<(&FittedFamily, usize)> {
    match fitted {
        FittedFamily::Refined(refined) => family_of(refined.fitted(), column),
        FittedFamily::Blocks(blocks) => blocks.iter().find_map(|(columns, family)| {
            let own = columns.iter().position(|&own| own == column)?;
            family_of(family, own)
        }),
        family => Some((family, column)),
    }
}

/// Means and standard deviations of a column by class, if it is normal.
pub(crate) fn normal(family: &FittedFamily, column: usize) -> Option<(Vec<f64>, Vec<f64>)> {
    match family {
        FittedFamily::Gaussian(fitted) => {
            let deviations = fitted.standard_deviations();
            Some((fitted.means().column(column).to_vec(), deviations.column(column).to_vec()))
        }
        FittedFamily::SharedGaussian(fitted) => {
            let means = fitted.means().column(column).to_vec();
            let deviations = vec![fitted.standard_deviations()[column]; means.len()];
            Some((means, deviations))
        }
        _ => None,
    }
}
