//! `nbayes plot`: pictures of what a model says.

mod pca;

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use nb_discriminative::PairCorrection;
use nb_io::{Model, Schema};
use nb_report::Ink;
use serde::Serialize;

use crate::{
    data::{Input, Purpose, ReadArgs, Wanted},
    failure::usage,
    importance::most_informative,
    model::{load_classifier, note_calibration, refuse_dependent, uncalibrated},
    output::{Replacement, Screen, refuse_inputs, visible},
    plot::{
        Added, Curvatures, Effect, Fitted, Law, Picture, PlottedColumn, Sample, Shown, Subject, bars, count,
        densities, effects, names_of_pairs, pair, pair_of, regions,
    },
};

const EXAMPLES: &str = "\
Examples:
  nbayes plot iris.nb @iris                                  the most informative feature, with a histogram
  nbayes plot iris.nb @iris --pair -o iris.png               the regions of the classes over two features
  nbayes plot model.nb data.csv --feature age --feature job  the same over features of choice
  nbayes plot model.nb --feature age --prior-weighted        without data
  nbayes plot model.nb --feature age --contributions         what each value adds to the log-odds
  nbayes plot model.nb --feature age --feature sex --contributions   what the two add together
  nbayes plot model.nb data.csv --pca                        rows on two principal components, wrong ones ringed";

/// Plot the densities of a feature per class, what its values add to the log-odds, the decision regions of
/// two features, or rows on principal components, with the rows of a data file, as SVG or PNG.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct Plot {
    /// The model.
    model: PathBuf,
    /// A data file whose rows are drawn as well.
    file: Option<String>,
    /// The feature to plot, or two of them, such as `age,job` [default: the most informative feature].
    #[arg(long, short, value_name = "COLUMN")]
    feature: Vec<String>,
    /// Plot the decision regions of the two most informative numeric features.
    #[arg(long, conflicts_with = "feature")]
    pair: bool,
    /// Multiply the densities by the class priors.
    #[arg(long)]
    prior_weighted: bool,
    /// Plot what each value of the feature adds to the log-odds of the second class, with more classes to
    /// the log-score of each class; refined models have no other picture of a feature.
    #[arg(long, conflicts_with_all = ["pair", "prior_weighted"])]
    contributions: bool,
    /// Plot the rows of the data file on the first two principal components of the standardised columns of
    /// numbers, with a ring around those that are predicted wrongly.
    #[arg(long, conflicts_with_all = ["feature", "pair", "prior_weighted", "contributions"])]
    pca: bool,
    /// The picture to write, .svg or .png [default: named after the model and the features, if no such file
    /// exists].
    #[arg(long, short)]
    output: Option<PathBuf>,
    #[command(flatten)]
    read: ReadArgs,
}

/// How a picture is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Format {
    Svg,
    Png,
}

impl Format {
    /// The picture as a file.
    pub(super) fn bytes(self, picture: &nb_report::Picture) -> Vec<u8> {
        match self {
            Self::Svg => picture.svg().into_bytes(),
            Self::Png => picture.png(),
        }
    }
}

#[derive(Serialize)]
struct Plotted<'a> {
    file: &'a Path,
    format: Format,
    kind: &'static str,
    width: u32,
    height: u32,
    /// Where in the picture the data is, in its pixels.
    area: Rectangle,
    features: Vec<FeatureLine<'a>>,
    classes: Vec<ClassLine<'a>>,
    /// What every value adds: to the log-odds of the second of two classes, else to the log-score of each
    /// class.
    #[serde(skip_serializing_if = "<[Added]>::is_empty")]
    contributions: &'a [Added],
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<Data<'a>>,
}

#[derive(Serialize)]
struct Rectangle {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

#[derive(Serialize)]
struct FeatureLine<'a> {
    name: &'a str,
    family: &'static str,
    #[serde(flatten)]
    shown: &'a Shown,
}

#[derive(Serialize)]
struct ClassLine<'a> {
    label: &'a str,
    colour: String,
    region: String,
}

#[derive(Serialize)]
struct Data<'a> {
    file: &'a str,
    rows: usize,
    every: usize,
    outside: usize,
    missing: usize,
}

impl Plot {
    pub(crate) fn run(&self, screen: Screen) -> Result<()> {
        if let Some(output) = &self.output {
            format(output)?;
        }
        let (model, classifier) = load_classifier(&self.model)?;
        if self.pca {
            return self.draw_components(&model, &classifier, screen);
        }
        let classifier = uncalibrated(&model)?;
        refuse_dependent(&classifier, "pictures of features show")?;
        note_calibration(&model, screen);
        let is_refined = model.refinement().is_some();
        if is_refined && self.prior_weighted {
            return Err(usage("a refined model has contributions, not densities; remove --prior-weighted"));
        }
        let features = self.features(&model, &classifier)?;
        if features.len() == 2 && self.prior_weighted {
            return Err(usage("decision regions always include the priors; remove --prior-weighted"));
        }
        let together = match features.as_slice() {
            [x, y] if self.contributions => {
                Some(together(&classifier, model.schema(), [x.column, y.column])?)
            }
            _ => None,
        };
        let output = self.output(&features)?;
        refuse_inputs(
            Some(&output),
            [self.model.as_path()].into_iter().chain(self.file.as_deref().map(Path::new)),
        )?;
        let mut curvatures = Some(Curvatures::new(&model)).filter(|_| self.file.is_some());
        let sample = self.sample(&model, &classifier, &features, &mut curvatures, screen)?;
        let name = self.model.file_name().unwrap_or(self.model.as_os_str()).to_string_lossy();
        let subject = Subject {
            classifier: &classifier,
            label: &model.schema().label,
            model: &name,
            sample: sample.as_ref(),
            evidence: &model,
            curvatures: curvatures.as_ref(),
            prior_weighted: self.prior_weighted,
        };
        let picture = match features.as_slice() {
            [x, y] => match &together {
                Some(together) => pair(&subject, [x, y], together),
                None => regions(&subject, [x, y]),
            },
            [feature] if is_refined || self.contributions || matches!(feature.law, Law::Bins { .. }) => {
                effects(&subject, feature, &class_shares(&model))
            }
            [feature] if matches!(feature.law, Law::Density(_)) => densities(&subject, feature),
            [feature] => bars(&subject, feature),
            _ => bail!("no feature to plot"),
        };
        let format = format(&output)?;
        Replacement::write_whole(&output, &format.bytes(&picture.drawn))?;
        let plotted = plotted(&output, format, &picture, &features, &subject);
        screen.report(&plotted, || text(&plotted))
    }

    /// The features to draw: those that were named, else those that tell most.
    fn features(&self, model: &Model, classifier: &Fitted) -> Result<Vec<PlottedColumn>> {
        let schema = model.schema();
        let is_feature = |name: &str| PlottedColumn::find(classifier, schema, name).is_ok();
        let names = self.feature.iter().flat_map(|name| {
            let parts: Vec<&str> = name.split(',').map(str::trim).collect();
            if is_feature(name) || !parts.iter().all(|part| is_feature(part)) {
                vec![name.as_str()]
            } else {
                parts
            }
        });
        let names: Vec<&str> = names.collect();
        if let [x, y] = names[..]
            && x == y
        {
            return Err(usage(format!(
                "--feature {x:?} is given twice; a pair needs two different features"
            )));
        }
        if names.len() > 2 {
            return Err(usage("a plot has one or two features; remove some --feature"));
        }
        if !names.is_empty() {
            return names.iter().map(|name| PlottedColumn::find(classifier, schema, name)).collect();
        }
        let mut found = Vec::new();
        let wanted = if self.pair { 2 } else { 1 };
        for column in ranked(model, classifier) {
            let feature =
                PlottedColumn::find(classifier, schema, &schema.feature_name(column).unwrap_or_default())?;
            if !self.pair || feature.is_numeric() {
                found.push(feature);
            }
            if found.len() == wanted {
                return Ok(found);
            }
        }
        if self.pair {
            bail!(
                "the model has no two numeric features that differ between classes; name two with --feature"
            )
        }
        bail!("no feature of the model differs between its classes; name one with --feature")
    }

    /// The file for the picture.
    fn output(&self, features: &[PlottedColumn]) -> Result<PathBuf> {
        if let Some(output) = &self.output {
            return Ok(output.clone());
        }
        let stem = self.model.file_stem().unwrap_or_default().to_string_lossy();
        let mut name = stem.into_owned();
        for feature in features {
            name.push('-');
            name.push_str(&file_name(&feature.name));
        }
        let output = PathBuf::from(format!("{name}.svg"));
        if output.exists() {
            return Err(usage(format!("{} exists; to replace it, use -o {0}", output.display())));
        }
        Ok(output)
    }

    fn sample(
        &self,
        model: &Model,
        classifier: &Fitted,
        features: &[PlottedColumn],
        curvatures: &mut Option<Curvatures>,
        screen: Screen,
    ) -> Result<Option<Sample>> {
        let Some(file) = &self.file else { return Ok(None) };
        let input = Input::find(file)?;
        let wanted = Wanted { classes: classifier.classes().to_vec(), ..Wanted::default() };
        let read = self.read.of_model(model);
        let mut reader = read.open(&input, model.schema(), wanted, Purpose::Look, screen)?;
        let sample = Sample::read(reader.as_mut(), features, classifier.classes(), |chunk| {
            // Rows that the model does not take say nothing of its corrections.
            if let Some(all) = curvatures.as_mut()
                && all.add(classifier, chunk).is_err()
            {
                *curvatures = None;
            }
        })?;
        Ok(Some(sample))
    }
}

/// What two features add together.
fn together(classifier: &Fitted, schema: &Schema, columns: [usize; 2]) -> Result<PairCorrection> {
    if let Some(pair) = pair_of(classifier, columns) {
        return Ok(pair);
    }
    let [a, b] = columns.map(|column| schema.feature_name(column).unwrap_or_default());
    let known = match names_of_pairs(classifier, schema).as_slice() {
        [] => "the model has no pairs of columns".to_owned(),
        pairs => format!("the model has {}", pairs.join(", ")),
    };
    Err(usage(format!(
        "{a:?} and {b:?} add nothing together; {known}. For what each adds alone name one --feature"
    )))
}

/// The columns that differ between the classes, the most informative first; of a refined model those that
/// move its scores.
fn ranked(model: &Model, classifier: &Fitted) -> Vec<usize> {
    let schema = model.schema();
    if model.refinement().is_none() {
        return most_informative(classifier, schema);
    }
    let shares = class_shares(model);
    let strength = |column: usize| {
        let feature = PlottedColumn::find(classifier, schema, &schema.feature_name(column)?).ok()?;
        let span = feature.expected().unwrap_or_default();
        let strength = Effect::new(classifier, &feature, &shares, span).strength();
        (strength > 0.0).then_some((strength, column))
    };
    let mut columns: Vec<(f64, usize)> = (0..schema.n_features()).filter_map(strength).collect();
    columns.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    columns.into_iter().map(|(_, column)| column).collect()
}

/// The shares of the classes in the training rows.
pub(super) fn class_shares(model: &Model) -> Vec<f64> {
    let weights = model.stats().class_weights();
    let whole = crate::model::weight(model);
    weights.iter().map(|weight| if whole > 0.0 { weight.to_f64() / whole } else { 0.0 }).collect()
}

/// The format that the name of a file tells.
pub(super) fn format(path: &Path) -> Result<Format> {
    match path.extension().map(|end| end.to_string_lossy().to_ascii_lowercase()).as_deref() {
        Some("svg") => Ok(Format::Svg),
        Some("png") => Ok(Format::Png),
        _ => Err(usage(format!("{} unknown picture format; use .svg or .png", path.display()))),
    }
}

/// The name of a feature as a part of a file's name.
fn file_name(feature: &str) -> String {
    const MOST: usize = 60;
    let keep = |c: char| if c.is_alphanumeric() || matches!(c, '_' | '-' | '.') { c } else { '_' };
    feature.chars().take(MOST).map(keep).collect()
}

fn plotted<'a>(
    file: &'a Path,
    format: Format,
    picture: &'a Picture,
    features: &'a [PlottedColumn],
    subject: &'a Subject<'a>,
) -> Plotted<'a> {
    let features = features.iter().zip(&picture.shown);
    let features =
        features.map(|(feature, shown)| FeatureLine { name: &feature.name, family: feature.family, shown });
    let classes = subject.classifier.classes().iter().enumerate().map(|(class, label)| {
        let ink = Ink::Series(class);
        ClassLine { label, colour: ink.colour(), region: ink.region() }
    });
    let data = subject.sample.map(|sample| Data {
        file: &sample.name,
        rows: sample.n_rows,
        every: sample.every,
        outside: picture.outside,
        missing: picture.missing,
    });
    let (area, size) = (picture.drawn.area().unwrap_or_default(), picture.drawn.size());
    Plotted {
        file,
        format,
        kind: picture.kind,
        width: size.0 as u32,
        height: size.1 as u32,
        area: Rectangle { left: area.left, top: area.top, right: area.right, bottom: area.bottom },
        features: features.collect(),
        classes: classes.collect(),
        contributions: &picture.contributions,
        data,
    }
}

fn text(plotted: &Plotted<'_>) -> String {
    let names: Vec<_> = plotted.features.iter().map(|feature| visible(feature.name)).collect();
    let mut text = format!("{} of {}", plotted.kind, names.join(" and "));
    if let Some(data) = &plotted.data {
        text.push_str(&format!(", with {} of {}", count(data.rows), visible(data.file)));
        for (n, what) in [(data.outside, "outside the picture"), (data.missing, "without a drawable value")] {
            if n > 0 {
                text.push_str(&format!(", {n} {what}"));
            }
        }
    }
    format!("{text}\nwrote {}", plotted.file.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_tells_the_format() {
        assert_eq!(format(Path::new("a.b.SVG")).unwrap(), Format::Svg);
        assert_eq!(format(Path::new("a.png")).unwrap(), Format::Png);
        assert!(format(Path::new("svg")).unwrap_err().to_string().contains(".png"));
    }

    #[test]
    fn features_make_file_names() {
        assert_eq!(file_name("petal length/cm"), "petal_length_cm");
        assert_eq!(file_name(&"x".repeat(500)).len(), 60);
    }
}
