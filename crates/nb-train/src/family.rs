//! The families of a plain model, as the cells suggest them.

use nb_core::{Bernoulli, Blocks, Missing};
use nb_io::{Family, Kind, read::Inferred};

/// As [`Family::for_schema`], but columns of 0 and 1 are Bernoulli ones.
pub(crate) fn plain(inferred: &Inferred) -> Family {
    let schema = &inferred.schema;
    let ranges = schema.columns.iter().zip(schema.feature_ranges());
    let is_binary =
        |name: &str| inferred.columns.iter().any(|column| column.column == name && column.is_binary());
    let binary = ranges.filter(|(column, _)| column.kind == Kind::Numeric && is_binary(&column.name));
    let binary: Vec<usize> = binary.flat_map(|(_, features)| features).collect();
    let usual = Family::for_schema(schema);
    if binary.is_empty() {
        return usual;
    }
    let bernoulli = Family::Bernoulli(Bernoulli { missing: Missing::Skip, ..Bernoulli::default() });
    if binary.len() == schema.n_features() {
        return bernoulli;
    }
    let all = match usual {
        Family::Blocks(blocks) => blocks,
        one => Blocks::default().with_same(0..schema.n_features(), one),
    };
    let mut blocks = Blocks::default().with_same(binary.iter().copied(), bernoulli);
    for (columns, family) in all.iter() {
        let others: Vec<usize> =
            columns.iter().copied().filter(|column| binary.binary_search(column).is_err()).collect();
        if !others.is_empty() {
            blocks = blocks.with_same(others, family.clone());
        }
    }
    Family::Blocks(blocks)
}
