//! What users know of groups of categories.

use nb_core::{
    Categorical, Missing,
    description::{Columns, Described, Description, Hyper, Inspect, Outline, ParameterName, Summand, Values},
    family::BoxedModel,
};

use super::{FittedGrouped, Grouped};
use crate::Variant;

impl Described for Grouped {
    fn describe() -> Description {
        Description::new("grouped", Columns::Categories)
            .about(
                "Categories in groups of about the same proportions of the classes",
                "Categorical columns of many categories: those with about the same proportions of the classes are grouped (Boullé 2005)",
            )
            .cited(
                "Boullé 2005",
                "Boullé (2005). A Bayes optimal approach for partitioning the values of categorical attributes. Journal of Machine Learning Research 6, 1431-1452.",
            )
    }

    fn hyper_parameters(&mut self) -> Vec<Hyper<'_>> {
        self.counts.hyper_parameters()
    }

    fn density(&self) -> Option<BoxedModel> {
        Some(BoxedModel::new(self.clone()))
    }

    fn summands(&self) -> Option<Vec<Summand>> {
        self.counts.summands()
    }
}

impl Variant for Grouped {
    fn category_counts(&self) -> Option<&Categorical> {
        Some(&self.counts)
    }

    fn category_counts_mut(&mut self) -> Option<&mut Categorical> {
        Some(&mut self.counts)
    }
}

/// Groups are named before their categories, except for those of one category.
impl Inspect for FittedGrouped {
    fn missing_cells(&self) -> Missing {
        self.missing()
    }

    fn parameters(&self, column: usize) -> Vec<(ParameterName, Vec<f64>)> {
        let groups = self.groups(column);
        let table = self.log_probabilities_of_groups(column);
        let rows = table.iter().flat_map(|table| table.rows());
        let groups = groups.iter().zip(rows).filter(|(group, _)| group.len() > 1).map(|(group, row)| {
            (ParameterName::Group(group.clone()), row.iter().map(|&log| libm::exp(log)).collect())
        });
        groups.chain(self.categories().parameters(column)).collect()
    }

    fn outline(&self, column: usize) -> Option<Outline> {
        self.categories().outline(column)
    }

    fn divergences(&self, column: usize, weights: &[f64]) -> Option<Vec<f64>> {
        self.categories().divergences(column, weights)
    }

    fn values(&self) -> Values {
        self.categories().values()
    }
}
