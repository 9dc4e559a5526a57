//! The sums of columns in the places where a family keeps them.

use nb_core::{
    Missing,
    description::{Parameter, Summand, Value, parameters},
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
    if let Family::Blocks(blocks) = family {
        for (own, family) in blocks.iter() {
            let own: Vec<usize> =
                own.iter().map(|&column| columns.get(column).copied().unwrap_or(usize::MAX)).collect();
            append(family, &own, source, parts)?;
        }
        return Ok(());
    }
    let of_no_use = |column| ImportError::Family { feature: source.feature(column) };
    let unknown = || of_no_use(columns.first().copied().unwrap_or(0));
    let summands = family.summands().ok_or_else(unknown)?;
    let is_error = |(parameter, value): &(&Parameter, Value)| {
        parameter.name == parameters::MISSING.name && *value == Value::Name("error".into())
    };
    let missing = if family.settings().iter().any(is_error) { Missing::Error } else { Missing::Skip };
    if summands == [Summand::Category] {
        for &column in columns {
            let ColumnSums::Categories { counts, .. } = source.sums(column, missing)? else {
                return Err(of_no_use(column));
            };
            // Parts end with the last category that the class has, as they do where rows are added.
            let len = counts.iter().rposition(|&count| count > 0.0).map_or(0, |last| last + 1);
            let mut sums = ExactSums::new(len);
            counts.iter().take(len).enumerate().for_each(|(code, &count)| sums.add(code, count));
            parts.push(sums);
        }
        return Ok(());
    }
    let mut own = vec![ExactSums::new(columns.len()); summands.len()];
    for (place, &column) in columns.iter().enumerate() {
        let kept = source.sums(column, missing)?;
        for (sums, &summand) in own.iter_mut().zip(&summands) {
            let number = number(kept, summand, source.class.weight).ok_or_else(|| of_no_use(column))?;
            add(sums, place, &number);
        }
    }
    parts.extend(own);
    Ok(())
}

/// What a summand adds up to, if that was kept.
fn number(kept: &ColumnSums, summand: Summand, weight: f64) -> Option<Exact> {
    Some(match (summand, kept) {
        (Summand::Missing, kept) => Exact::from(kept.missing()),
        (Summand::Power(0), kept) => &Exact::from(weight) - &Exact::from(kept.missing()),
        (Summand::Power(1), ColumnSums::Moments { moments, .. }) => moments.sum.clone(),
        (Summand::Power(2), ColumnSums::Moments { moments, .. }) => moments.squares.clone(),
        (Summand::Power(1), ColumnSums::Counts { sum, .. }) => Exact::from(*sum),
        (Summand::Above(wanted), ColumnSums::Above { threshold, ones, .. }) if wanted == *threshold => {
            ones.clone()
        }
        (Summand::PowerBeside(power, wanted), ColumnSums::Beside { value, weight, moments, .. })
            if wanted == *value =>
        {
            match power {
                0 => Exact::from(*weight),
                1 => moments.sum.clone(),
                2 => moments.squares.clone(),
                _ => return None,
            }
        }
        _ => return None,
    })
}
