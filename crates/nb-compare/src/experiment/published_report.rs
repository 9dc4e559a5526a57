//! Results of published experiments as documents.

use nb_report::{Code, Document, Download, Section, Text};

use crate::Made;

use super::{Options, Results, assumptions, ng_jordan, truncation};

impl Results {
    /// The results as a document: what was done, figures, tables, and what they say.
    ///
    /// ```
    /// use std::{num::NonZeroUsize, ops::ControlFlow};
    /// use nb_compare::experiment::{Experiment, Options, ng_jordan::NgJordan};
    ///
    /// let ng_jordan = NgJordan { splits: 10, problems: vec!["lenses".to_owned()], ..NgJordan::default() };
    /// let options = Options { ng_jordan, ..Options::default() };
    /// let results = Experiment::NgJordan.run(&options, NonZeroUsize::MIN, &mut |_, _| ControlFlow::Continue(()))?;
    /// assert!(results.report().to_html()?.contains("lenses"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn report(&self) -> Document {
        let document = |title: &str, subtitle: &str, seed: u64| {
            let mut document = Document::new(title);
            document.subtitle = subtitle.into();
            Made::default().add_to(&mut document);
            document.fact("seed", seed.to_string());
            document
        };
        let mut report;
        match self {
            Self::NgJordan { seed, options, curves } => {
                report = document(
                    "Naive Bayes and logistic regression by the size of the training set",
                    "Learning curves on the fifteen problems of Ng and Jordan (2002)",
                    *seed,
                );
                report.fact("random splits of each problem", options.splits.to_string());
                report.sections = ng_jordan::report::sections(options, curves);
            }
            Self::Assumptions { seed, options, outcomes } => {
                report = document(
                    "When naive Bayes and logistic regression agree",
                    "Coefficients and errors of both by the number of rows, with and without the assumptions",
                    *seed,
                );
                report.fact("samples of each size", options.samples.to_string());
                report.sections = assumptions::report::sections(outcomes);
            }
            Self::Truncation { seed, options, outcome } => {
                report =
                    document("What truncated densities do", "Log space beside three ways to leave it", *seed);
                report.fact("rows for each number of columns and each unit", options.rows.to_string());
                report.sections = truncation::report::sections(outcome);
            }
        }
        report.push(self.raw());
        report
    }

    /// The options and all results, to be saved from the report.
    fn raw(&self) -> Section {
        let mut section = Section::new("raw", "Options and raw results");
        let mut options = Options::default();
        match self.clone() {
            Self::NgJordan { seed, options: own, .. } => (options.seed, options.ng_jordan) = (seed, own),
            Self::Assumptions { seed, options: own, .. } => (options.seed, options.assumptions) = (seed, own),
            Self::Truncation { seed, options: own, .. } => (options.seed, options.truncation) = (seed, own),
        }
        section.push(
            Text::new("The options, as ")
                .code("nbayes compare --options")
                .plain(" reads them. They decide every number here."),
        );
        // All keys are texts, so that there is nothing to fail on.
        let text = toml::to_string(&options).unwrap_or_default();
        section.push(Code { language: "toml".into(), text });
        section.push(Download {
            file_name: "results.json".into(),
            media_type: "application/json".into(),
            bytes: serde_json::to_vec(self).unwrap_or_default(),
            label: "everything that was measured".into(),
        });
        section
    }
}
