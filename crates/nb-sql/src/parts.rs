//! The sums of columns in the places where a family keeps them.

use nb_core::{
    Missing,
    exact::{Exact, ExactSums},
};
use nb_io::{Family, Schema};

use crate::{
    ImportError,
    import::{Class, ColumnSums},
    moments::add,
};

/// The sums of a class in the layout of a family.
pub(crate) fn parts(
    family: &Family,
    name: &str,
    class: &Class,
    schema: &Schema,
) -> Result<Vec<ExactSums>, ImportError> {
    let all: Vec<usize> = (0..class.columns.len()).collect();
    let mut parts = Vec::new();
    append(family, &all, &Source { name, class, schema }, &mut parts)?;
    Ok(parts)
}

struct Source<'a> {
    name: &'a str,
    class: &'a Class,
    schema: &'a Schema,
}

impl Source<'_> {
    fn feature(&self, column: usize) -> String {
        self.schema.columns.get(column).map(|column| column.name.clone()).unwrap_or_default()
    }

    /// The sums of a column, which must have a family that takes its missing cells.
    fn sums(&self, column: usize, missing: Missing) -> Result<&ColumnSums, ImportError> {
        let sums = self
            .class
            .columns
            .get(column)
            .ok_or_else(|| ImportError::Family { feature: self.feature(column) })?;
        if missing == Missing::Error && sums.missing() > 0.0 {
            let class = self.name.to_owned();
            return Err(ImportError::Missing { class, feature: self.feature(column) });
        }
        Ok(sums)
    }
}

/// Appends the parts of a family over some columns.
fn append(
    family: &Family,
    columns: &[usize],
    source: &Source<'_>,
    parts: &mut Vec<ExactSums>,
) -> Result<(), ImportError> {
    let missing = match family {
        Family::Blocks(blocks) => {
            for (own, family) in blocks.iter() {
                let own: Vec<usize> =
                    own.iter().map(|&column| columns.get(column).copied().unwrap_or(usize::MAX)).collect();
                append(family, &own, source, parts)?;
            }
            return Ok(());
        }
        Family::Gaussian(family) => family.missing,
        Family::SharedGaussian(family) => family.missing,
        Family::Categorical(family) => family.missing,
        Family::Multinomial(family) => family.missing,
        Family::Complement(family) => family.missing,
        Family::Bernoulli(family) => family.missing,
        Family::Poisson(family) => family.missing,
        _ => {
            return Err(ImportError::Family {
                feature: source.feature(columns.first().copied().unwrap_or(0)),
            });
        }
    };
    if let Family::Categorical(_) = family {
        for &column in columns {
            let ColumnSums::Categories { counts, .. } = source.sums(column, missing)? else {
                return Err(ImportError::Family { feature: source.feature(column) });
            };
            // Parts end with the last category that the class has, as they do where rows are added.
            let len = counts.iter().rposition(|&count| count > 0.0).map_or(0, |last| last + 1);
            let mut sums = ExactSums::new(len);
            counts.iter().take(len).enumerate().for_each(|(code, &count)| sums.add(code, count));
            parts.push(sums);
        }
        return Ok(());
    }
    let n_parts = match family {
        Family::Gaussian(_) | Family::SharedGaussian(_) => 3,
        Family::Bernoulli(_) | Family::Poisson(_) => 2,
        _ => 1,
    };
    let mut own: Vec<ExactSums> = (0..n_parts).map(|_| ExactSums::new(columns.len())).collect();
    for (place, &column) in columns.iter().enumerate() {
        let numbers: Vec<Exact> = match (family, source.sums(column, missing)?) {
            (Family::Gaussian(_) | Family::SharedGaussian(_), ColumnSums::Moments { moments, missing }) => {
                vec![moments.sum.clone(), moments.squares.clone(), Exact::from(*missing)]
            }
            (Family::Bernoulli(family), ColumnSums::Above { threshold, ones, missing })
                if family.threshold == *threshold =>
            {
                vec![ones.clone(), Exact::from(*missing)]
            }
            (Family::Poisson(_), ColumnSums::Counts { sum, missing }) => {
                vec![Exact::from(*sum), Exact::from(*missing)]
            }
            (Family::Multinomial(_) | Family::Complement(_), ColumnSums::Counts { sum, .. }) => {
                vec![Exact::from(*sum)]
            }
            _ => return Err(ImportError::Family { feature: source.feature(column) }),
        };
        own.iter_mut().zip(&numbers).for_each(|(sums, number)| add(sums, place, number));
    }
    parts.extend(own);
    Ok(())
}
