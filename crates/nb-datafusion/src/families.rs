//! Families whose categories are not known before all rows were seen.

use nb_core::{Blocks, Categories};
use nb_io::{Family, Kind, Schema};

/// The family with categories as they are found, to add rows with.
pub(crate) fn open(family: &Family) -> Family {
    with_categories(family, &|_| Categories::Inferred, &[])
}

/// The family with the categories that the schema names, except for blocks in which a column has none.
pub(crate) fn closed(family: &Family, schema: &Schema) -> Family {
    let levels: Vec<usize> = schema
        .features()
        .map(|feature| match feature.kind() {
            Kind::Categorical { levels } => levels.len(),
            _ => 0,
        })
        .collect();
    let declared = |own: &[usize]| {
        let counts: Vec<usize> = own.iter().map(|&feature| levels[feature]).collect();
        if counts.contains(&0) { Categories::Inferred } else { Categories::Declared(counts) }
    };
    with_categories(family, &declared, &(0..levels.len()).collect::<Vec<_>>())
}

/// The family with other categories, `categories` of the features of each block.
fn with_categories(family: &Family, categories: &dyn Fn(&[usize]) -> Categories, own: &[usize]) -> Family {
    match family {
        Family::Blocks(blocks) => {
            let mut all = Blocks::default().ignore(blocks.ignored().iter().copied());
            for (own, family) in blocks.iter() {
                all = all.with_same(own.iter().copied(), with_categories(family, categories, own));
            }
            Family::Blocks(all)
        }
        other if other.category_counts().is_some() => other.clone().with_categories(categories(own)),
        other => other.clone(),
    }
}
