//! The equation of the boundary between two classes.

use nb_core::Classifier;
use nb_io::FittedFamily;
use nb_linear::LinearForm;
use serde_json::{Value, json};

use crate::{Problem, columns, fit::Fit};

/// The log-odds of `class` against `against` as a polynomial of the columns that are normal, and the names of
/// the others.
///
/// With a variance per class and column,
///
/// ```text
/// log-odds(x) = log π_c/π_a + Σ_j ½ log(v_aj/v_cj) + (x_j - μ_aj)²/(2 v_aj) - (x_j - μ_cj)²/(2 v_cj),
/// ```
///
/// whose squares cancel where variances are shared: `w·x + b` is left, which nb-linear computes.
pub(crate) fn boundary(fit: &Fit, class: usize, against: usize) -> Result<Value, Problem> {
    let n_classes = fit.classifier.classes().len();
    if class >= n_classes || against >= n_classes || class == against {
        return Err(Problem::new("a boundary is between two classes"));
    }
    let names = |column: usize| fit.model.schema().columns[column].name.clone();
    if let FittedFamily::SharedGaussian(fitted) = fit.classifier.likelihood() {
        let (classes, log_prior) = (fit.classifier.classes().to_vec(), fit.classifier.log_prior().to_vec());
        let linear = Classifier::from_parts(classes, log_prior, fitted.clone(), fit.places.len())?;
        let plane = LinearForm::new(&linear).hyperplane(class, against)?;
        let weights = plane.coef().to_vec().into_iter().enumerate();
        let terms: Vec<Value> = weights
            .map(|(column, weight)| json!({"name": names(column), "square": 0.0, "linear": weight}))
            .collect();
        return Ok(json!({
            "kind": "linear", "terms": terms, "constant": plane.intercept(), "others": [],
        }));
    }
    let log_prior = fit.classifier.log_prior();
    let mut constant = log_prior[class] - log_prior[against];
    let (mut terms, mut others, mut is_linear) = (Vec::new(), Vec::new(), true);
    for column in 0..fit.places.len() {
        let refined = fit.model.refinement().is_some();
        let family = columns::family_of(fit.classifier.likelihood(), column).filter(|_| !refined);
        let Some((means, deviations)) = family.and_then(|(family, own)| columns::normal(family, own)) else {
            others.push(names(column));
            continue;
        };
        let [(m_c, s_c), (m_a, s_a)] = [class, against].map(|class| (means[class], deviations[class]));
        let (v_c, v_a) = (s_c * s_c, s_a * s_a);
        let square = 0.5 / v_a - 0.5 / v_c;
        is_linear &= s_c == s_a;
        terms.push(json!({"name": names(column), "square": square, "linear": m_c / v_c - m_a / v_a}));
        constant += (s_a / s_c).ln() + 0.5 * m_a * m_a / v_a - 0.5 * m_c * m_c / v_c;
    }
    let kind = if is_linear { "linear" } else { "quadratic" };
    Ok(json!({"kind": kind, "terms": terms, "constant": constant, "others": others}))
}
