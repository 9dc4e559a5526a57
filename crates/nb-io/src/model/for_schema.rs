//! The family that the kinds of columns suggest.

use nb_core::{Blocks, Categorical, Categories, Gaussian, Missing, Multinomial, Unseen};

use crate::{Family, Kind, Schema};

impl Family {
    /// The family for the columns of a schema, by their kinds, as the program chooses it: normal
    /// distributions for numbers, multinomial counts for counts, which are one vector of events together,
    /// and for the terms of each column of texts, and categories for categories. Several of these are
    /// blocks of one model.
    ///
    /// Missing cells are skipped, and so are categories that the schema does not have. Other hyper-parameters
    /// are the defaults of the families.
    ///
    /// ```
    /// use nb_core::Prior;
    /// use nb_io::{Family, Kind, Model, Schema};
    ///
    /// let mut schema = Schema::numeric(["length", "rings"], "species");
    /// assert!(matches!(Family::for_schema(&schema), Family::Gaussian(_)));
    /// schema.columns[1].kind = Kind::Count;
    /// assert!(matches!(Family::for_schema(&schema), Family::Blocks(_)));
    /// let family = Family::for_schema(&schema);
    /// Model::new(schema, family, Prior::Empirical)?; // they always fit together
    /// # Ok::<(), nb_io::ModelError>(())
    /// ```
    pub fn for_schema(schema: &Schema) -> Self {
        let (mut numbers, mut counts, mut categories) = (Vec::new(), Vec::new(), Vec::new());
        let (mut n_levels, mut texts) = (Vec::new(), Vec::<Vec<usize>>::new());
        for (place, feature) in schema.features().enumerate() {
            match feature.kind() {
                Kind::Numeric => numbers.push(place),
                Kind::Count => counts.push(place),
                Kind::Categorical { levels } => {
                    categories.push(place);
                    n_levels.push(levels.len());
                }
                Kind::Text(_) => {
                    if feature.term == Some(0) {
                        texts.push(Vec::new());
                    }
                    texts.last_mut().into_iter().for_each(|terms| terms.push(place));
                }
                // No feature is a whole date.
                Kind::Dates(_) => {}
            }
        }
        let missing = Missing::Skip;
        let multinomial = Self::Multinomial(Multinomial { missing, ..Multinomial::default() });
        let categorical = Self::Categorical(Categorical {
            categories: Categories::Declared(n_levels),
            unseen: Unseen::Ignore,
            missing,
            ..Categorical::default()
        });
        let gaussian = Self::Gaussian(Gaussian { missing, ..Gaussian::default() });
        let blocks = [(gaussian, numbers), (multinomial.clone(), counts), (categorical, categories)];
        let texts = texts.into_iter().map(|terms| (multinomial.clone(), terms));
        let mut blocks: Vec<_> =
            blocks.into_iter().chain(texts).filter(|(_, columns)| !columns.is_empty()).collect();
        match blocks.len() {
            1 => blocks.swap_remove(0).0,
            _ => Self::Blocks(
                blocks
                    .into_iter()
                    .fold(Blocks::default(), |all, (family, columns)| all.with_same(columns, family)),
            ),
        }
    }
}
