//! `nbayes plot --pca`: the rows of a file on their first two principal components.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use nb_core::{Rows, family::BlockBuffer};
use nb_io::{Kind, Model};
use ndarray::Array2;
use serde::Serialize;

use super::{Plot, format};
use crate::{
    data::{Input, Origin, Purpose, Wanted},
    failure::usage,
    output::{Replacement, Screen, refuse_inputs, visible},
    plot::{Components, Fitted, Row, Subject, components, count},
    words::value_error,
};

/// The most columns, whose squares are the size of the matrix, and the most numbers in memory.
const MOST_COLUMNS: usize = 500;
const MOST_NUMBERS: usize = 1 << 26;

#[derive(Serialize)]
struct Plotted<'a> {
    file: &'a Path,
    kind: &'static str,
    data: &'a str,
    rows: usize,
    /// Rows with a known label that are predicted otherwise.
    wrong: usize,
    missing_cells: usize,
    outside: usize,
    components: Vec<Component>,
}

#[derive(Serialize)]
struct Component {
    share_of_variance: f64,
    /// Columns and their weights, the largest first.
    weights: Vec<(String, f64)>,
}

impl Plot {
    pub(super) fn draw_components(&self, model: &Model, classifier: &Fitted, screen: Screen) -> Result<()> {
        let Some(file) = &self.file else {
            return Err(usage("--pca draws rows; name a data file after the model"));
        };
        let schema = model.schema();
        let is_number = |kind: &Kind| !matches!(kind, Kind::Categorical { .. } | Kind::Text(_));
        let features: Vec<usize> = schema
            .features()
            .enumerate()
            .filter(|(_, feature)| is_number(feature.kind()))
            .map(|(place, _)| place)
            .collect();
        if features.len() > MOST_COLUMNS {
            bail!(
                "--pca takes at most {MOST_COLUMNS} columns of numbers, and the model has {}",
                features.len()
            );
        }
        let output = self.output_of_components()?;
        refuse_inputs(Some(&output), [self.model.as_path(), Path::new(file)])?;
        let (cells, rows) = self.read_cells(model, classifier, &Input::find(file)?, &features, screen)?;
        let cells = Array2::from_shape_vec((rows.len(), features.len()), cells)?;
        let Some(found) = Components::<2>::new(&cells) else {
            bail!("{file}: --pca needs two columns of numbers that vary");
        };
        let name = self.model.file_name().unwrap_or(self.model.as_os_str()).to_string_lossy();
        let subject = Subject {
            classifier,
            label: &schema.label,
            model: &name,
            sample: None,
            evidence: model,
            curvatures: None,
            prior_weighted: false,
        };
        let picture = components(&subject, &found, &rows, file);
        Replacement::write_whole(&output, &format(&output)?.bytes(&picture.drawn))?;
        let component = |place: usize| {
            let weights = found.columns.iter().zip(&found.loadings[place]);
            let name = |column: usize| schema.feature_name(features[column]).unwrap_or_default();
            let mut weights: Vec<(String, f64)> =
                weights.map(|(&column, &weight)| (name(column), weight)).collect();
            weights.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
            Component { share_of_variance: found.shares[place], weights }
        };
        let plotted = Plotted {
            file: &output,
            kind: picture.kind,
            data: file,
            rows: rows.len(),
            wrong: rows.iter().filter(|row| row.is_wrong).count(),
            missing_cells: found.n_missing,
            outside: picture.outside,
            components: vec![component(0), component(1)],
        };
        screen.report(&plotted, || text(&plotted))
    }

    fn output_of_components(&self) -> Result<PathBuf> {
        if let Some(output) = &self.output {
            return Ok(output.clone());
        }
        let stem = self.model.file_stem().unwrap_or_default().to_string_lossy();
        let output = PathBuf::from(format!("{stem}-pca.svg"));
        if output.exists() {
            return Err(usage(format!("{} exists; to replace it, use -o {0}", output.display())));
        }
        Ok(output)
    }

    /// The cells of some features, row by row, with the class of each row and whether another one is
    /// predicted.
    fn read_cells(
        &self,
        model: &Model,
        classifier: &Fitted,
        input: &Input,
        features: &[usize],
        screen: Screen,
    ) -> Result<(Vec<f64>, Vec<Row>)> {
        let read = self.read.of_model(model);
        let classes = classifier.classes();
        let wanted = Wanted { classes: classes.to_vec(), ..Wanted::default() };
        let mut reader = read.open(input, model.schema(), wanted, Purpose::Look, screen)?;
        let origin = Origin { input, read: &read, schema: model.schema(), purpose: Purpose::Look };
        let (mut cells, mut rows) = (Vec::new(), Vec::new());
        let mut buffer = BlockBuffer::default();
        while let Some(chunk) = reader.next_chunk()? {
            crate::interrupt::check()?;
            let predicted = classifier
                .try_predict_each(&chunk.rows)
                .map_err(|error| value_error(error, origin, chunk.first_row))?;
            buffer.read(&chunk.rows, 0..chunk.rows.n_rows()).for_each_row(|_, row| {
                cells.extend(features.iter().map(|&feature| row[feature]));
            });
            for (row, predicted) in predicted.iter().enumerate() {
                let label = chunk.labels.as_ref().and_then(|labels| labels.get(row));
                let class = label.and_then(|label| classes.binary_search(label).ok());
                let is_wrong = class.is_some_and(|class| predicted.as_ref() != Some(&classes[class]));
                rows.push(Row { class: class.unwrap_or(classes.len()), is_wrong });
            }
            if cells.len() > MOST_NUMBERS {
                bail!(
                    "{}: --pca takes at most {MOST_NUMBERS} cells of numbers; draw a part of the rows",
                    input.name()
                );
            }
        }
        Ok((cells, rows))
    }
}

fn text(plotted: &Plotted<'_>) -> String {
    let mut text = format!(
        "principal components of {}, {} predicted wrongly\n",
        format_args!("{} of {}", count(plotted.rows), visible(plotted.data)),
        plotted.wrong
    );
    for (place, component) in plotted.components.iter().enumerate() {
        let strongest = component.weights.iter().take(3);
        let names =
            strongest.map(|(name, weight)| format!("{} {weight:+.2}", visible(name))).collect::<Vec<_>>();
        text.push_str(&format!(
            "component {}: {:.1} % of the variance; {}\n",
            place + 1,
            100.0 * component.share_of_variance,
            names.join(", ")
        ));
    }
    text + &format!("wrote {}", plotted.file.display())
}
