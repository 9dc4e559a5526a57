//! Data files to learn from, and what their columns hold.

mod infer;

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    rc::Rc,
};

use anyhow::{Context, Result, bail};
use nb_io::{
    Kind,
    read::{Inference, Inferred, KindChoice, Overrides, ReadChunks, Reason},
};

use crate::{
    data::{Input, Purpose, ReadArgs, Wanted, stem},
    design::{ChoiceArgs, Choices, PriorArg, SchemaFile, TextArgs},
    failure::usage,
    output::Screen,
    split::hold_out,
};
use infer::infer_all;

/// Data files and what is known of their columns.
#[derive(Debug, clap::Args)]
pub(crate) struct Columns {
    /// Data files with the same columns; `-` is standard input, `@name` an embedded data set.
    #[arg(required = true)]
    files: Vec<String>,
    /// The label column.
    #[arg(long, value_name = "COLUMN")]
    label: Option<String>,
    /// The column of row weights.
    #[arg(long, value_name = "COLUMN")]
    weights: Option<String>,
    /// A schema file, as `nbayes schema` writes it; options override it.
    #[arg(long, value_name = "FILE")]
    schema: Option<PathBuf>,
    #[command(flatten)]
    choices: ChoiceArgs,
    #[command(flatten)]
    text: TextArgs,
    #[command(flatten)]
    read: ReadArgs,
}

/// What was found out about the columns of data files.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) inputs: Rc<[Input]>,
    pub(crate) inferred: Inferred,
    /// The columns that are no features, and why.
    pub(crate) left_out: Vec<Inference>,
    pub(crate) choices: Choices,
    pub(crate) weights: Option<String>,
    pub(crate) text: TextArgs,
    /// How the files are read.
    pub(crate) read: ReadArgs,
    /// The prior of the schema file.
    prior: Option<PriorArg>,
}

impl Columns {
    /// Looks at all columns of all files.
    pub(crate) fn find(&self, screen: Screen) -> Result<Found> {
        self.find_in(&self.files, screen)?.without_useless_columns()
    }

    /// The same without a share of the rows of each file and class, which are held out from all that is looked at, in inputs of
    /// their own.
    pub(crate) fn find_without(&self, share: f64, seed: u64, screen: Screen) -> Result<(Found, Vec<Input>)> {
        let inputs = Input::find_all(&self.files)?;
        let file = self.schema_file()?;
        let label = self.known_label(&inputs, &file)?;
        let read = self.reading(&inputs, Some(&label), &file, screen)?;
        let (mut kept, mut held_out) = (Vec::new(), Vec::new());
        for input in &inputs {
            let [train, test] = hold_out(input, &read, &label, share, seed, screen)?;
            kept.push(train);
            held_out.push(test);
        }
        let found = self.find_with(kept, Some(&label), file, &read, screen)?.without_useless_columns()?;
        Ok((found, held_out))
    }

    /// The same, of other files that stand for them, with all columns: those from which nothing can be learnt, too.
    pub(crate) fn find_in(&self, files: &[String], screen: Screen) -> Result<Found> {
        let inputs = Input::find_all(files)?;
        let file = self.schema_file()?;
        let label = self.known_label(&inputs, &file)?;
        let read = self.reading(&inputs, Some(&label), &file, screen)?;
        self.find_with(inputs, Some(&label), file, &read, screen)
    }

    /// Looks at all columns of all files, of which none need be the label, and keeps all of them. The label, if there is one.
    pub(crate) fn find_all(&self, screen: Screen) -> Result<(Found, Option<String>)> {
        let inputs = Input::find_all(&self.files)?;
        let file = self.schema_file()?;
        let label = self.label_of(&inputs, &file);
        let read = self.reading(&inputs, label.as_deref(), &file, screen)?;
        Ok((self.find_with(inputs, label.as_deref(), file, &read, screen)?, label))
    }

    fn schema_file(&self) -> Result<SchemaFile> {
        Ok(self.schema.as_deref().map(SchemaFile::load).transpose()?.unwrap_or_default())
    }

    /// The name of the label column, if it is known.
    fn label_of(&self, inputs: &[Input], file: &SchemaFile) -> Option<String> {
        let label = self.label.clone().or(file.label.clone());
        label.or_else(|| self.read.own_label(inputs.first()?))
    }

    fn known_label(&self, inputs: &[Input], file: &SchemaFile) -> Result<String> {
        self.label_of(inputs, file).ok_or_else(|| usage("no label column given; name it with --label COLUMN"))
    }

    /// How the files are read, which have a header as the first one has.
    fn reading(
        &self,
        inputs: &[Input],
        label: Option<&str>,
        file: &SchemaFile,
        screen: Screen,
    ) -> Result<ReadArgs> {
        self.read.over(&file.reading)?.with_header_of(inputs.first(), label, screen)
    }

    fn find_with(
        &self,
        inputs: Vec<Input>,
        label: Option<&str>,
        file: SchemaFile,
        read: &ReadArgs,
        screen: Screen,
    ) -> Result<Found> {
        let weights = self.weights.clone().or(file.weights.clone());
        let names = match inputs.first().filter(|_| self.choices.has_patterns()) {
            Some(first) => read.columns(first)?,
            None => Vec::new(),
        };
        let reserved: Vec<&str> = [label, weights.as_deref()].into_iter().flatten().collect();
        let name = inputs.first().map_or("", Input::name);
        let choices = self.choices.over(file.choices()?, name, &names, &reserved)?;
        let text = self.text.over(file.text);
        let found = Found::new(inputs, label, weights, choices, text, read, screen)?;
        Ok(Found { prior: file.prior, ..found })
    }

    /// The files, if they are to be read by their names and nothing more is said of how.
    pub(crate) fn plain_files(&self) -> Result<&[String]> {
        if self.read.is_plain() {
            Ok(&self.files)
        } else {
            Err(usage("--format and the options below it are for --engine local only"))
        }
    }

    /// The files that are read, by their names.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(Path::new).chain(self.schema.as_deref()).chain(self.text.stop_word_file())
    }

    /// A name for what is made from the files.
    pub(crate) fn stem(&self) -> Option<&str> {
        stem(self.files.first()?)
    }
}

impl Found {
    /// Opens one of the files to learn from it, whose labels are those of the classes in the files before it.
    pub(crate) fn open<'a>(
        &self,
        input: &'a Input,
        classes: Vec<String>,
        screen: Screen,
    ) -> Result<Box<dyn ReadChunks + 'a>> {
        let (inferred, weight) = (Some(&self.inferred), self.weights.as_deref());
        let wanted = Wanted { weight, inferred, classes, ..Wanted::default() };
        self.read.open(input, &self.inferred.schema, wanted, Purpose::Learn, screen)
    }

    /// The same for texts that become terms in another way.
    pub(crate) fn with_text(&self, text: TextArgs, screen: Screen) -> Result<Self> {
        let (inputs, label) = (self.inputs.clone(), self.inferred.schema.label.as_str());
        let (weights, choices) = (self.weights.clone(), self.choices.clone());
        let found = Self::new(inputs, Some(label), weights, choices, text, &self.read, screen)?;
        Self { prior: self.prior.clone(), ..found }.without_useless_columns()
    }

    /// The prior: that of the option, or of the schema file.
    pub(crate) fn prior(&self, option: Option<&PriorArg>) -> PriorArg {
        option.or(self.prior.as_ref()).cloned().unwrap_or_default()
    }

    /// The same without the columns from which nothing can be learnt, unless the user has chosen their family.
    pub(crate) fn without_useless_columns(mut self) -> Result<Self> {
        let columns = std::mem::take(&mut self.inferred.columns).into_iter();
        let (left_out, kept): (Vec<_>, Vec<_>) = columns.partition(|column| self.is_useless(column));
        if let (Some(first), []) = (left_out.first(), &kept[..]) {
            bail!("no column is left to learn from: {:?} is left out, as {}", first.column, why(first));
        }
        let names: BTreeSet<&str> = left_out.iter().map(|column| column.column.as_str()).collect();
        self.inferred.schema.columns.retain(|column| !names.contains(column.name.as_str()));
        (self.inferred.columns, self.left_out) = (kept, left_out);
        Ok(self)
    }

    /// Whether a column is left out for what it holds.
    pub(crate) fn is_useless(&self, column: &Inference) -> bool {
        match column.reason {
            Reason::AllMissing | Reason::RowNumbers | Reason::Dates => true,
            _ => !self.choices.has_one_family() && column.reason.is_useless(),
        }
    }

    /// Whether a column that repeats the label is left out: unless the user has chosen a family for it.
    pub(crate) fn leaves_out_copy(&self, column: &str) -> bool {
        !self.choices.has(column) && !self.choices.has_one_family()
    }

    /// The same without a column in which a class has no values.
    pub(crate) fn without_values(self, column: &str, class: String) -> Result<Self> {
        if let [only] = self.inferred.columns.as_slice() {
            bail!("no column is left to learn from: {:?} has no values for class {class:?}", only.column);
        }
        self.without(column, Reason::NoValuesInClass { class })
    }

    /// The same without a column that repeats the label.
    pub(crate) fn without_copy(self, column: &str) -> Result<Self> {
        if let [only] = self.inferred.columns.as_slice() {
            bail!(
                "no column is left to learn from: {:?} repeats the label: one value for each class, and one class for each \
                 value; a family by option keeps it, such as `{}`",
                only.column,
                family_option(&self.choices.of(only).name(), column)
            );
        }
        self.without(column, Reason::DuplicatesLabel)
    }

    fn without(mut self, column: &str, reason: Reason) -> Result<Self> {
        self.inferred.schema.columns.retain(|kept| kept.name != column);
        let place = self.inferred.columns.iter().position(|kept| kept.column == column);
        let place = place.with_context(|| format!("there is no column {column:?}"))?;
        let inference = self.inferred.columns.remove(place);
        self.left_out.push(Inference { reason, ..inference });
        Ok(self)
    }

    /// Looks at all columns of all inputs.
    pub(crate) fn new(
        inputs: impl Into<Rc<[Input]>>,
        label: Option<&str>,
        weights: Option<String>,
        mut choices: Choices,
        text: TextArgs,
        read: &ReadArgs,
        screen: Screen,
    ) -> Result<Self> {
        let inputs = inputs.into();
        let non_numeric = read.non_numeric();
        let options = text.options(screen)?;
        let mut overrides = choices.overrides(options.clone()).with_non_numeric(non_numeric);
        let infer =
            |overrides: &Overrides| infer_all(&inputs, label, weights.as_deref(), overrides, read, screen);
        let mut inferred = infer(&overrides)?;
        choices.check_mixed(&inferred)?;
        choices.name_others(&inferred);
        let named = choices.overrides(options).with_non_numeric(non_numeric);
        if named != overrides {
            overrides = named;
            inferred = infer(&overrides)?;
        }
        let likely = choices.likely_categories(&inferred);
        if !likely.is_empty() {
            let numbers = inferred;
            for column in &likely {
                overrides.kinds.insert(column.clone(), KindChoice::Categorical);
            }
            inferred = infer(&overrides)?;
            say_why(&mut inferred, &numbers);
        }
        let read = read.clone();
        Ok(Self { inputs, inferred, left_out: Vec::new(), choices, weights, text, read, prior: None })
    }
}

/// Columns that were read as categories because they have few values say so.
fn say_why(inferred: &mut Inferred, numbers: &Inferred) {
    for (column, before) in inferred.columns.iter_mut().zip(&numbers.columns) {
        if column.kind != before.kind && column.reason == Reason::Override {
            column.reason = before.reason.clone();
            column.few_values.clone_from(&before.few_values);
        }
    }
}

/// The option that gives a family to a column.
pub(crate) fn family_option(family: &str, column: &str) -> String {
    let plain = !column.is_empty() && column.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    if plain { format!("--{family} {column}") } else { format!("--{family} {column:?}") }
}

/// Why a column has its family, or has none.
pub(crate) fn why(inference: &Inference) -> String {
    if inference.reason == Reason::Dates {
        let (parts, days) =
            (family_option("date", &inference.column), family_option("gaussian", &inference.column));
        return format!(
            "its cells are dates; `{parts}` uses month, weekday and more, `{days}` the days since 1970-01-01"
        );
    }
    if inference.reason == Reason::DuplicatesLabel {
        return inference.reason.to_string();
    }
    match (&inference.kind, inference.few_values.as_slice()) {
        (Kind::Numeric, [0.0, 1.0]) => format!("{}, 0 or 1", inference.reason),
        (Kind::Categorical { .. }, values @ [_, ..]) => format!("integer, {} distinct values", values.len()),
        _ => inference.reason.to_string(),
    }
}
