//! What users know of the complement family.

use crate::families::complement::{Complement, FittedComplement};
use crate::{
    families::description::{
        Columns, Described, Description, Formula, Hyper, Inspect, Outline, Parameter, ParameterName, Summand,
        Values, mean, parameters,
    },
    model::Missing,
};

static NORMALIZE: Parameter = Parameter::new(
    "normalize",
    "Divide the weights of each class by the sum of their absolute values (weight normalization, Rennie et al. 2003)",
);

impl Described for Complement {
    fn describe() -> Description {
        Description::new("complement", Columns::Counts)
            .about(
                "Complement naive Bayes for counts (Rennie et al. 2003)",
                "As --multinomial, but scored by complement naive Bayes (Rennie et al. 2003)",
            )
            .cited(
                "Rennie et al. 2003",
                "Rennie, Shih, Teevan and Karger (2003). Tackling the poor assumptions of naive Bayes text classifiers. ICML, 616-623.",
            )
            .taking_terms()
    }

    fn hyper_parameters(&mut self) -> Vec<Hyper<'_>> {
        vec![
            Hyper::new(&parameters::SMOOTHING, &mut self.smoothing),
            Hyper::new(&NORMALIZE, &mut self.normalize),
            Hyper::new(&parameters::MISSING, &mut self.missing),
        ]
    }

    fn summands(&self) -> Option<Vec<Summand>> {
        Some(vec![Summand::Power(1)])
    }
}

impl Inspect for FittedComplement {
    fn missing_cells(&self) -> Missing {
        self.missing()
    }

    fn parameters(&self, column: usize) -> Vec<(ParameterName, Vec<f64>)> {
        vec![("weight".into(), self.weights().column(column).to_vec())]
    }

    fn outline(&self, column: usize) -> Option<Outline> {
        Some(Outline::Weight(self.weights().column(column).to_vec()))
    }

    /// There is no distribution: the difference of the weights for one occurrence.
    fn divergences(&self, column: usize, weights: &[f64]) -> Option<Vec<f64>> {
        let of_classes = self.weights();
        let of_classes = of_classes.column(column);
        let mean = mean(weights, of_classes.iter().copied());
        Some(of_classes.iter().map(|weight| weight - mean).collect())
    }

    fn formula(&self, class: usize, column: usize) -> Option<Formula> {
        Some(Formula::times_cell(self.weights()[[class, column]]))
    }

    fn values(&self) -> Values {
        Values::NotNegative
    }
}
