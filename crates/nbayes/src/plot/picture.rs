//! What is drawn, and what comes of it.

use nb_io::Model;
use nb_report::{Ink, Layer, Mark, Plane};

use super::{
    curvature::Curvatures,
    effect::Added,
    feature::Fitted,
    sample::{Sample, count},
};

/// What a picture is about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subject<'a> {
    pub(crate) classifier: &'a Fitted,
    /// The name of the label.
    pub(crate) label: &'a str,
    /// The name of the model's file.
    pub(crate) model: &'a str,
    pub(crate) sample: Option<&'a Sample>,
    /// The model of the classifier, for the intervals of contributions.
    pub(crate) evidence: &'a Model,
    /// What rows say of its corrections, if there are rows.
    pub(crate) curvatures: Option<&'a Curvatures>,
    /// Whether densities are weighted by the priors.
    pub(crate) prior_weighted: bool,
}

/// What an axis shows.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(untagged)]
pub(crate) enum Shown {
    Limits { low: f64, high: f64 },
    Categories { categories: Vec<String> },
}

/// A picture.
#[derive(Clone, Debug)]
pub(crate) struct Picture {
    pub(crate) kind: &'static str,
    pub(crate) drawn: nb_report::Picture,
    /// For every feature what its axis shows.
    pub(crate) shown: Vec<Shown>,
    /// How many rows lie beyond the limits, and how many have no value that could be drawn.
    pub(crate) outside: usize,
    pub(crate) missing: usize,
    /// What every value adds, if that is drawn.
    pub(crate) contributions: Vec<Added>,
}

/// What is said around a picture.
#[derive(Clone, Debug)]
pub(crate) struct Words {
    pub(crate) title: String,
    pub(crate) subtitle: String,
    pub(crate) caption: String,
}

impl Words {
    /// The picture of a plane with these words around it.
    pub(crate) fn around(&self, plane: Plane) -> nb_report::Picture {
        nb_report::Picture::new(&self.title, &self.subtitle, &self.caption, &plane.into())
    }
}

impl Subject<'_> {
    pub(crate) fn n_classes(&self) -> usize {
        self.classifier.classes().len()
    }

    /// What the density of a class is multiplied by.
    pub(crate) fn weight(&self, class: usize) -> f64 {
        if self.prior_weighted { self.classifier.log_prior()[class].exp() } else { 1.0 }
    }

    /// A layer of a class, or of rows without one.
    pub(crate) fn layer(&self, class: usize, mark: Mark) -> Layer {
        match self.classifier.classes().get(class) {
            Some(name) => Layer::new(name, Ink::Series(class), mark),
            None => Layer::new("unknown label", Ink::Soft, mark),
        }
    }

    /// Whether the data has rows without a label that the model knows.
    pub(crate) fn has_unlabelled(&self) -> bool {
        self.sample.is_some_and(|sample| sample.has_unlabelled(self.n_classes()))
    }

    /// What the caption says of the data.
    pub(crate) fn caption(&self, outside: usize, missing: usize) -> String {
        let Some(sample) = self.sample else { return String::new() };
        let mut caption = sample.said();
        if outside > 0 {
            caption.push_str(&format!(" {} outside the picture.", rows(outside)));
        }
        if missing > 0 {
            caption.push_str(&format!(" {} without a drawable value.", rows(missing)));
        }
        caption
    }
}

/// `1 row is` or `2 rows are`.
fn rows(n: usize) -> String {
    format!("{} {}", count(n), if n == 1 { "is" } else { "are" })
}

/// Three significant digits.
pub(super) fn rounded(value: f64) -> String {
    let decimals = (2.0 - value.abs().max(1e-12).log10().floor()).clamp(0.0, 12.0) as usize;
    format!("{value:.decimals$}").replace('-', "−")
}
