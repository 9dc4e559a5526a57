//! Data files to learn from, and what their columns hold.

mod files;
mod infer;

use std::path::{Path, PathBuf};

use anyhow::Result;
use nb_io::{
    DateOrder, Kind,
    read::{Inference, Overrides, Reason},
};
use nb_train::Trends;

use crate::{
    data::{Input, ReadArgs, find_files, stem},
    design::{Choice, ChoiceArgs, Choices, PriorArg, SchemaFile, TextArgs},
    failure::usage,
    output::Screen,
    split::{By, hold_out},
};
use files::none_left;
pub(crate) use files::{Files, measurements};

/// Data files and what is known of their columns.
#[derive(Debug, clap::Args)]
pub(crate) struct Columns {
    /// Data files with the same columns, folders of them or patterns such as 'data/*.parquet'; `-` is
    /// standard input, `@name` an embedded data set.
    #[arg(required = true)]
    files: Vec<String>,
    /// The label column: its name, its position (`#3`), or a pattern that it alone matches, as for --ignore.
    #[arg(long, short, value_name = "COLUMN", display_order = 0)]
    label: Option<String>,
    /// The column of row weights.
    #[arg(long, value_name = "COLUMN")]
    weights: Option<String>,
    /// A column of groups, such as patients: rows of a group are held out together, and the column is left
    /// out. A row without a group is its own group.
    #[arg(long, value_name = "COLUMN")]
    group: Option<String>,
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
    pub(crate) inputs: Vec<Input>,
    /// What the columns hold, and which are left out.
    pub(crate) columns: nb_train::Columns,
    pub(crate) weights: Option<String>,
    /// The column of groups, if there is one.
    pub(crate) group: Vec<String>,
    pub(crate) text: TextArgs,
    /// How texts become terms, and few texts among numbers.
    pub(crate) overrides: Overrides,
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

    /// The same without a share of the rows of each file and class, which are held out from all that is
    /// looked at, in inputs of their own.
    pub(crate) fn find_without(&self, share: f64, seed: u64, screen: Screen) -> Result<(Found, Vec<Input>)> {
        let inputs = self.inputs(&self.files, screen)?;
        let file = self.schema_file()?;
        let label = self.known_label(&inputs, &file)?;
        let read = self.reading(&inputs, Some(&label), &file, screen)?;
        let (mut kept, mut held_out) = (Vec::new(), Vec::new());
        for input in &inputs {
            let by = By { label: Some(&label), group: self.group.as_deref(), time: None };
            let [train, test] = hold_out(input, &read, by, share, seed, screen)?;
            kept.push(train);
            held_out.push(test);
        }
        let found = self.find_with(kept, Some(&label), file, &read, screen)?.without_useless_columns()?;
        Ok((found, held_out))
    }

    /// The same, of other files that stand for them, with all columns: those from which nothing can be
    /// learnt, too.
    pub(crate) fn find_in(&self, files: &[String], screen: Screen) -> Result<Found> {
        let inputs = self.inputs(files, screen)?;
        let file = self.schema_file()?;
        let label = self.known_label(&inputs, &file)?;
        let read = self.reading(&inputs, Some(&label), &file, screen)?;
        self.find_with(inputs, Some(&label), file, &read, screen)
    }

    /// Looks at all columns of all files, of which none need be the label, and keeps all of them. The label,
    /// if there is one.
    pub(crate) fn find_all(&self, screen: Screen) -> Result<(Found, Option<String>)> {
        let inputs = self.inputs(&self.files, screen)?;
        let file = self.schema_file()?;
        let label = self.label_of(&inputs, &file)?;
        let read = self.reading(&inputs, label.as_deref(), &file, screen)?;
        Ok((self.find_with(inputs, label.as_deref(), file, &read, screen)?, label))
    }

    /// The files; a column in the place of a file is distinguished from a file that does not exist.
    fn inputs(&self, files: &[String], screen: Screen) -> Result<Vec<Input>> {
        let files = find_files(files, &self.read, screen)?;
        if let ([first, others @ ..], None) = (files.as_slice(), &self.label)
            && let Some(name) =
                others.iter().find(|name| !name.starts_with(['-', '@']) && !Path::new(name).exists())
            && self.read.columns(&Input::find(first)?).is_ok_and(|columns| columns.contains(name))
        {
            return Err(usage(format!(
                "there is no file {name}; if it is the label column of {first}, write --label {name}"
            )));
        }
        files.iter().map(|file| Input::find(file)).collect()
    }

    fn schema_file(&self) -> Result<SchemaFile> {
        Ok(self.schema.as_deref().map(SchemaFile::load).transpose()?.unwrap_or_default())
    }

    /// The name of the label column, if it is known.
    fn label_of(&self, inputs: &[Input], file: &SchemaFile) -> Result<Option<String>> {
        let first = inputs.first();
        match (&self.label, first) {
            (Some(text), Some(input)) => self.read.over(&file.reading)?.label_named(text, input).map(Some),
            (Some(name), None) => Ok(Some(name.clone())),
            (None, _) => Ok(file.label.clone().or_else(|| self.read.own_label(first?))),
        }
    }

    fn known_label(&self, inputs: &[Input], file: &SchemaFile) -> Result<String> {
        self.label_of(inputs, file)?
            .ok_or_else(|| usage("no label column given; name it with --label COLUMN"))
    }

    /// The name of the label column, by option or schema file.
    pub(crate) fn given_label(&self) -> Result<String> {
        self.known_label(&[], &self.schema_file()?)
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
        let reserved = [label, weights.as_deref(), self.group.as_deref()];
        let reserved: Vec<&str> = reserved.into_iter().flatten().collect();
        let name = inputs.first().map_or("", Input::name);
        let choices = self.choices.over(file.choices()?, name, &names, &reserved)?;
        let choices = self.without_group(choices, label, weights.as_deref())?;
        let text = self.text.over(file.text);
        let found = Found::new(inputs, label, weights, choices, text, read, screen)?;
        Ok(Found { prior: file.prior, group: self.group.clone().into_iter().collect(), ..found })
    }

    /// The choices with the column of groups left out, which is neither label nor weight and has no family.
    fn without_group(&self, choices: Choices, label: Option<&str>, weights: Option<&str>) -> Result<Choices> {
        let Some(group) = &self.group else { return Ok(choices) };
        let family = choices.by_name.get(group).filter(|choice| **choice != Choice::Ignore);
        let other = match family {
            _ if label == Some(group) => "the label column".to_owned(),
            _ if weights == Some(group) => "the column of row weights".to_owned(),
            Some(family) => format!("also named by --{}", family.name()),
            None => return Ok(choices.with(group, Choice::Ignore)),
        };
        Err(usage(format!(
            "column {group:?}, named by --group, is {other}; name the column that says which rows belong together"
        )))
    }

    /// The files, if they are read by their names, with no other options.
    pub(crate) fn plain_files(&self) -> Result<&[String]> {
        if self.read.is_plain() {
            Ok(&self.files)
        } else {
            Err(usage("--format and the options below it are for --engine local only"))
        }
    }

    /// What is read: names as the user wrote them.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(Path::new).chain(self.schema.as_deref()).chain(self.text.stop_word_file())
    }

    /// A name for what is made from the files.
    pub(crate) fn stem(&self) -> Option<&str> {
        stem(self.files.first()?)
    }
}

impl Found {
    /// Looks at all columns of all inputs.
    pub(crate) fn new(
        inputs: Vec<Input>,
        label: Option<&str>,
        weights: Option<String>,
        choices: Choices,
        text: TextArgs,
        read: &ReadArgs,
        screen: Screen,
    ) -> Result<Self> {
        let overrides = Overrides::default()
            .with_default_text(text.options(screen)?)
            .with_non_numeric(read.non_numeric())
            .with_date_orders(read.date_orders())
            .with_date_order(read.date_order());
        let files = Files {
            inputs: &inputs,
            label,
            weights: weights.as_deref(),
            groups: &[],
            read,
            is_of_model: false,
            screen,
        };
        let columns = nb_train::Columns::look(&files, choices, &overrides)?;
        Ok(Self {
            inputs,
            columns,
            weights,
            group: Vec::new(),
            text,
            overrides,
            read: read.clone(),
            prior: None,
        })
    }

    /// The files as the library reads them.
    pub(crate) fn files(&self, screen: Screen) -> Files<'_> {
        Files {
            inputs: &self.inputs,
            label: Some(&self.columns.inferred.schema.label),
            weights: self.weights.as_deref(),
            groups: &self.group,
            read: &self.read,
            is_of_model: false,
            screen,
        }
    }

    /// The prior: that of the option, or of the schema file.
    pub(crate) fn prior(&self, option: Option<&PriorArg>) -> PriorArg {
        option.or(self.prior.as_ref()).cloned().unwrap_or_default()
    }

    /// The same after a look with columns of monotone effect, without the columns from which nothing can be
    /// learnt.
    pub(crate) fn looked_at_with(self, trends: Trends, screen: Screen) -> Result<Self> {
        let choices = self.columns.choices.clone().with_trends(trends);
        let columns = nb_train::Columns::look(&self.files(screen), choices, &self.overrides)?;
        Self { columns, ..self }.without_useless_columns()
    }

    /// The same without the columns from which nothing can be learnt, unless the user has chosen their
    /// family.
    pub(crate) fn without_useless_columns(self) -> Result<Self> {
        let columns = self.columns.without_useless().map_err(none_left)?;
        Ok(Self { columns, ..self })
    }
}

/// The option that gives a family to a column.
pub(crate) fn family_option(family: &str, column: &str) -> String {
    let plain = !column.is_empty() && column.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    if plain { format!("--{family} {column}") } else { format!("--{family} {column:?}") }
}

/// The option that has dates read otherwise whose cells do not settle whether day or month is first.
pub(crate) fn order_option(inference: &Inference) -> String {
    let Some(dates) = inference.reason.dates().filter(|dates| !dates.is_settled()) else {
        return String::new();
    };
    let column = &inference.column;
    let other = match dates.order() {
        DateOrder::DayMonthYear => DateOrder::MonthDayYear,
        _ => DateOrder::DayMonthYear,
    };
    let given = format!("{column}={}", other.name());
    let plain = column.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    if plain {
        format!(" (else `--date-order {given}`)")
    } else {
        format!(" (else `--date-order {given:?}`)")
    }
}

/// Why a column has its family, or has none.
pub(crate) fn why(inference: &Inference) -> String {
    let (written, otherwise) = (inference.reason.dates(), order_option(inference));
    if matches!(inference.reason, Reason::Dates | Reason::WrittenDates(_)) {
        let (parts, days) =
            (family_option("date", &inference.column), family_option("gaussian", &inference.column));
        let numbers = match written {
            Some(dates) if dates.order() == DateOrder::Compact => "the numbers",
            _ => "the days since 1970-01-01",
        };
        return format!(
            "{}{otherwise}; `{parts}` uses month, weekday and more, `{days}` {numbers}",
            inference.reason
        );
    }
    if written.is_some() {
        return format!("{}{otherwise}", inference.reason);
    }
    match inference.reason {
        Reason::DuplicatesLabel => return inference.reason.to_string(),
        Reason::RowNumbers | Reason::InOrder { .. } | Reason::NoFeature { .. } => {
            let family = match inference.kind {
                Kind::Numeric => "gaussian",
                Kind::Text(_) => "text",
                _ => "categorical",
            };
            return format!("{}; `{}` keeps it", inference.reason, family_option(family, &inference.column));
        }
        Reason::Codes { .. } => {
            let numbers = family_option("gaussian", &inference.column);
            return format!("{}; `{numbers}` reads numbers", inference.reason);
        }
        _ => {}
    }
    match (&inference.kind, inference.few_values.as_slice()) {
        (Kind::Numeric, [0.0, 1.0]) => format!("{}, 0 or 1", inference.reason),
        (Kind::Categorical { .. }, values @ [_, ..]) => format!("integer, {} distinct values", values.len()),
        _ => inference.reason.to_string(),
    }
}
