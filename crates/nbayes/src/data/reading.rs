//! Options for reading data, and the readers that they make.

mod partitions;
mod readers;
mod values;

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, anyhow};
use nb_io::{
    DateOrder, Kind, Model, Reading, Schema,
    read::{
        Arff, Arrow, BadRows, Csv, CsvFormat, CsvRows, DocumentKind, Documents, Encoding, Excel, Inferred,
        Json, NonNumeric, Npy, OrangeHeader, Svmlight, TableOptions, missing_markers,
    },
};

use super::{Format, Input};
use crate::{
    design::{ReadingFile, ReadingLine, Selected, Selector, toml_quoted},
    failure::usage,
    output::{Screen, quoted_list},
};
use readers::path;
use values::{
    BadRowsArg, DateOrderArg, UnlabeledArg, byte_text, comment, date_order, decimal, delimiter, encoding,
    on_or_off,
};

/// How data files are read.
#[derive(Clone, Debug, Default, PartialEq, Eq, clap::Args)]
#[command(next_help_heading = "Reading data")]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct ReadArgs {
    /// The file format [default: from the first bytes and the name].
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// The sheet of a workbook [default: the first].
    #[arg(long, value_name = "NAME")]
    sheet: Option<String>,
    /// The encoding of CSV files, such as windows-1252, utf-16le or gbk [default: by the byte order mark;
    /// else UTF-8 if the first megabyte is; else a guess].
    #[arg(long, value_name = "NAME", value_parser = encoding)]
    encoding: Option<Encoding>,
    /// The delimiter of CSV files, such as ';' or '\t' [default: of comma, semicolon, tab and '|' the one
    /// that agrees with most of the first lines].
    #[arg(long, value_name = "CHAR", value_parser = delimiter)]
    delimiter: Option<u8>,
    /// The decimal separator of CSV files: a comma or a point [default: as in the first lines; a point in
    /// files delimited by commas].
    #[arg(long, value_name = "CHAR", value_parser = decimal)]
    decimal: Option<u8>,
    /// Whether fields of CSV files may be in quotes [default: yes; but in files with tabs quotes are
    /// characters if one of them is not closed in its line].
    #[arg(long, value_name = "on|off", value_parser = on_or_off)]
    quoting: Option<bool>,
    /// The first row has the names of the columns, also if it looks like cells.
    #[arg(long, conflicts_with = "no_header")]
    header: bool,
    /// The file has no header; columns are named x1, x2, ... [default: in training, if the first row of a
    /// CSV file has numbers wherever the rows below have].
    #[arg(long)]
    no_header: bool,
    /// Whether a header may be one as Orange writes it: prefixes such as `cD#` in the names, or two more
    /// lines with types and roles of the columns [default: yes].
    #[arg(long, value_name = "on|off", value_parser = on_or_off)]
    orange: Option<bool>,
    /// Whether folders named `day=1` hold a column `day` that is 1 in all of their files (Hive partitions)
    /// [default: yes].
    #[arg(long, value_name = "on|off", value_parser = on_or_off)]
    hive_partitions: Option<bool>,
    /// Leave out the first lines of CSV files, or rows of workbooks, such as a title.
    #[arg(long, value_name = "N")]
    skip_lines: Option<u64>,
    /// Leave out lines of CSV files that begin with this character, such as '#'.
    #[arg(long, value_name = "CHAR", value_parser = comment)]
    comment: Option<u8>,
    /// Additional missing-value markers. Those of pandas and R (an empty cell, NA, N/A, n/a, NaN, nan, null,
    /// NULL, None, <NA>, #N/A, ...) and ? are known in text files; Parquet and Arrow files have missing
    /// cells of their own.
    #[arg(long, value_name = "TEXT", value_delimiter = ',', allow_hyphen_values = true)]
    missing: Vec<String>,
    /// No other missing-value markers than an empty cell and those of --missing, so that NA can be a
    /// category.
    #[arg(long)]
    no_missing: bool,
    /// What to do with rows without a label, where labels are read: such a cell is empty or has a marker of
    /// missing cells. Not for svmlight and NumPy files.
    #[arg(long, value_enum, default_value_t)]
    unlabeled: UnlabeledArg,
    /// What to do with rows that cannot be read: another number of fields than the header, a quote that is
    /// not closed, bytes that are not text, a cell that is not what its column holds, a line that is no
    /// JSON. In Parquet, Arrow and NumPy files they are errors.
    #[arg(long, value_enum, default_value_t)]
    bad_rows: BadRowsArg,
    /// Refuse a few texts in a column of numbers, instead of taking them for missing cells. Few are at most
    /// 10 % of the cells of a CSV column that has at least 20 numbers.
    #[arg(long)]
    strict: bool,
    /// How dates are written: day-first (27/09/2020, 27 Sep 2020), month-first (09/27/2020, Sep 27, 2020) or
    /// year-first (2020/09/27). ORDER alone is for columns whose cells leave a choice; COLUMN=ORDER
    /// holds for all cells of a column [default: as the cells say, or as in training; else month-first
    /// after slashes and day-first otherwise].
    #[arg(long, value_name = "[COLUMN=]ORDER", value_parser = date_order)]
    date_order: Vec<DateOrderArg>,
    /// Indices of svmlight files start at 0.
    #[arg(long)]
    zero_based: bool,
    /// What the model says of its files.
    #[arg(skip)]
    of_model: Reading,
}

/// What is wanted of a file beside the columns of a schema.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wanted<'a> {
    /// The column of weights.
    pub(crate) weight: Option<&'a str>,
    /// Columns that are kept as they are.
    pub(crate) ids: &'a [String],
    /// What is known of the columns, if they were looked at: a few texts in a column of numbers are missing
    /// cells.
    pub(crate) inferred: Option<&'a Inferred>,
    /// The classes of the model.
    pub(crate) classes: Vec<String>,
    /// Where each row is.
    pub(crate) places: bool,
}

/// What rows are read for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// To be learnt from, or forgotten: there must be labels.
    Learn,
    /// To be labelled; a label column is left out.
    Predict,
    /// To be labelled and compared with their labels.
    Compare,
    /// To be looked at, with or without labels.
    Look,
    /// To be profiled: texts and labels are handed out as they are, but where columns have no names.
    Profile,
}

impl ReadArgs {
    /// What holds for all tables.
    fn table(&self) -> TableOptions {
        TableOptions::default().with_bad_rows(self.bad_rows())
    }

    fn bad_rows(&self) -> BadRows {
        match self.bad_rows {
            BadRowsArg::Error => BadRows::Error,
            BadRowsArg::Skip => BadRows::Skip,
        }
    }

    /// Whether rows that cannot be read are left out.
    pub(crate) fn skips_bad_rows(&self) -> bool {
        self.bad_rows == BadRowsArg::Skip
    }

    /// Whether nothing is said of how files are read.
    pub(crate) fn is_plain(&self) -> bool {
        *self == Self::default()
    }

    /// The same options for files of which no row may be left out.
    pub(crate) fn of_all_rows(&self) -> Self {
        Self { unlabeled: UnlabeledArg::Error, bad_rows: BadRowsArg::Error, ..self.clone() }
    }

    /// The same options for files of a model, which are read as those that it was trained on unless an option
    /// says otherwise.
    pub(crate) fn of_model(&self, model: &Model) -> Self {
        let of_model = model.reading().clone();
        // A prefix is part of a name that a model has.
        let schema = model.schema();
        let mut names = schema.columns.iter().map(|column| &column.name).chain([&schema.label]);
        let has_prefixes = names.any(|name| OrangeHeader::is_prefixed(name));
        Self {
            orange: self.orange.or(has_prefixes.then_some(false)),
            encoding: self.encoding.or_else(|| of_model.encoding.as_ref()?.parse().ok()),
            delimiter: self.delimiter.or(of_model.delimiter),
            decimal: self.decimal.or(of_model.decimal),
            quoting: self.quoting.or(of_model.quoting),
            no_header: self.no_header || (of_model.no_header && !self.header),
            skip_lines: self.skip_lines.or(Some(of_model.skip_lines)),
            comment: self.comment.or(of_model.comment),
            of_model,
            ..self.clone()
        }
    }

    /// What a model is to say of its files: the options, and the columns in which there were texts among
    /// numbers.
    pub(crate) fn for_model(&self, inferred: &Inferred) -> Reading {
        let says_what_is_missing =
            self.no_missing || !self.missing.is_empty() || self.of_model.missing.is_some();
        Reading::default()
            .with_encoding(self.encoding.map(|encoding| encoding.to_string()))
            .with_delimiter(self.delimiter)
            .with_decimal(self.decimal)
            .with_quoting(self.quoting)
            .with_no_header(self.no_header)
            .with_skip_lines(self.skip_lines.unwrap_or_default())
            .with_comment(self.comment)
            .with_missing(says_what_is_missing.then(|| self.missing(Format::Csv)))
            .with_non_numeric(inferred.mostly_numeric())
            .with_date_orders(inferred.date_orders())
    }

    /// How the dates of columns are written, as options or the schema file say.
    pub(crate) fn date_orders(&self) -> BTreeMap<String, DateOrder> {
        let given = self.date_order.iter();
        given.filter_map(|given| Some((given.column.clone()?, given.order))).collect()
    }

    /// How dates are written where the cells leave a choice, as an option or the schema file says.
    pub(crate) fn date_order(&self) -> Option<DateOrder> {
        self.date_order.iter().rev().find(|given| given.column.is_none()).map(|given| given.order)
    }

    /// How dates are written in the columns of a schema that were not looked at.
    fn date_orders_in(&self, schema: &Schema) -> BTreeMap<String, DateOrder> {
        let columns = schema.columns.iter().filter(|column| matches!(column.kind, Kind::Dates(_)));
        let orders = self.date_order().into_iter();
        let orders = orders.flat_map(|order| columns.clone().map(move |column| (column.name.clone(), order)));
        orders.chain(self.of_model.date_orders.clone()).chain(self.date_orders()).collect()
    }

    fn format_of(&self, input: &Input) -> Format {
        self.format.unwrap_or_else(|| match input.documents() {
            Some((DocumentKind::Text, _)) => Format::Text,
            Some(_) => Format::Mail,
            None => Format::of(input.name(), input.content()),
        })
    }

    /// Whether the files of a folder may be its rows.
    pub(super) fn may_be_documents(&self) -> bool {
        matches!(self.format, None | Some(Format::Mail | Format::Text))
    }

    /// The name of the label column, where it is known without being told: that of an embedded set, the class
    /// of a header of Orange, or any name for formats whose labels have none.
    pub(crate) fn own_label(&self, input: &Input) -> Option<String> {
        match (input.label(), self.format_of(input)) {
            (Some(label), _) => Some(label.into()),
            (None, Format::Svmlight | Format::Npz) => Some("label".into()),
            (None, Format::Csv | Format::Excel) => Some(self.orange_header(input)?.label()?.into()),
            _ => None,
        }
    }

    /// The label column that an option names: by its name, its position (`#3`), or a pattern that it alone
    /// matches.
    pub(crate) fn label_named(&self, text: &str, input: &Input) -> Result<String> {
        let selector = Selector::one(text);
        if !selector.may_be_pattern() {
            return Ok(selector.text().into());
        }
        let columns = self.with_header_of(Some(input), None, Screen::new(false, true))?.columns(input)?;
        match selector.select(input.name(), &columns, &[])? {
            Selected::Named(name) => Ok(name),
            Selected::Matched(names) => match <[String; 1]>::try_from(names) {
                Ok([name]) => Ok(name),
                Err(names) => Err(usage(format!(
                    "{}: {} columns match --label {text:?}: {}; name one of them",
                    input.name(),
                    names.len(),
                    quoted_list(&names)
                ))),
            },
        }
    }

    /// What a header says that is one of Orange.
    fn orange_header(&self, input: &Input) -> Option<OrangeHeader> {
        if self.orange == Some(false) || self.no_header {
            return None;
        }
        // The reader reports what cannot be read.
        let header = match self.format_of(input) {
            Format::Csv => self.csv(TableOptions::default()).header_from(input.open().ok()?, input.name()),
            Format::Excel => self
                .workbook(TableOptions::default())
                .with_sheet(self.sheet.clone())
                .header(path(input).ok()?),
            _ => return None,
        };
        header.ok()?.orange
    }

    /// Whether a file is delimited text.
    pub(crate) fn is_csv(&self, input: &Input) -> bool {
        self.format_of(input) == Format::Csv
    }

    /// The rows of a file of delimited text as they are written.
    pub(crate) fn rows<'a>(&self, input: &'a Input) -> Result<CsvRows<'a>> {
        let bytes = input.open().with_context(|| format!("cannot read {}", input.name()))?;
        Ok(self.csv(self.table()).rows_from(bytes, input.name())?)
    }

    /// Whether the columns of a file have their own names.
    pub(crate) fn has_named_columns(&self, input: &Input) -> bool {
        !matches!(self.format_of(input), Format::Svmlight | Format::Npz)
    }

    /// The texts that mean in a file that a cell is missing.
    pub(crate) fn missing_markers(&self, input: &Input) -> BTreeSet<String> {
        self.missing(self.format_of(input))
    }

    fn csv(&self, table: TableOptions) -> Csv {
        let csv = Csv::default()
            .with_encoding(self.encoding)
            .with_delimiter(self.delimiter)
            .with_decimal(self.decimal)
            .with_quoting(self.quoting);
        csv.with_header(!self.no_header)
            .with_orange(self.orange != Some(false))
            .with_skip_lines(self.skip_lines.unwrap_or_default())
            .with_comment(self.comment)
            .with_table(table)
    }

    /// The same options, and those of a schema file where there are none of these.
    pub(crate) fn over(&self, file: &ReadingFile) -> Result<Self> {
        fn of<T>(
            key: &str,
            text: Option<&String>,
            parse: impl Fn(&str) -> Result<T, String>,
        ) -> Result<Option<T>> {
            let value = text.map(|text| parse(text).map_err(|why| (text, why))).transpose();
            value.map_err(|(text, why)| anyhow!("the schema file has {key} = {text:?}: {why}"))
        }
        let mut read = self.clone();
        read.encoding = read.encoding.or(of("encoding", file.encoding.as_ref(), encoding)?);
        read.delimiter = read.delimiter.or(of("delimiter", file.delimiter.as_ref(), delimiter)?);
        read.decimal = read.decimal.or(of("decimal", file.decimal.as_ref(), decimal)?);
        read.comment = read.comment.or(of("comment", file.comment.as_ref(), comment)?);
        read.quoting = read.quoting.or(file.quoting);
        read.orange = read.orange.or(file.orange);
        read.skip_lines = read.skip_lines.or(file.skip_lines);
        if !read.header && !read.no_header {
            (read.header, read.no_header) = (file.header == Some(true), file.header == Some(false));
        }
        // The last one holds.
        let mut of_file: Vec<DateOrderArg> = Vec::new();
        if let Some(all) = of("date_order", file.date_order.as_ref(), date_order)? {
            of_file.push(all);
        }
        for (column, order) in &file.date_orders {
            let given = of("date_orders", Some(order), date_order)?.map(|given| given.order);
            of_file.extend(given.map(|order| DateOrderArg { column: Some(column.clone()), order }));
        }
        read.date_order.splice(..0, of_file);
        if let (Some(missing), false) = (&file.missing, read.no_missing) {
            read.of_model.missing = Some(missing.iter().cloned().collect());
        }
        Ok(read)
    }

    /// The same options, with a decision whether CSV files have a header if none says it: by the first file.
    /// Its first row is one if it has the name of the label column, or if it looks like names.
    pub(crate) fn with_header_of(
        &self,
        input: Option<&Input>,
        label: Option<&str>,
        screen: Screen,
    ) -> Result<Self> {
        let Some(input) = input.filter(|input| self.format_of(input) == Format::Csv) else {
            return Ok(self.clone());
        };
        if self.header || self.no_header || input.label().is_some() {
            return Ok(self.clone());
        }
        // The reader reports what cannot be read.
        let (Ok(names), Ok(bytes)) = (self.columns(input), input.open()) else { return Ok(self.clone()) };
        let csv = self.csv(TableOptions::default().with_missing(Some(self.missing(Format::Csv))));
        if names.iter().any(|name| Some(name.as_str()) == label)
            || csv.has_header_from(bytes, input.name())?
        {
            return Ok(self.clone());
        }
        screen.note(&format!(
            "{}: no header, as the first row has numbers in the columns of numbers; columns are named x1 to x{} (`--header` \
             takes the first row for names)",
            input.name(),
            names.len()
        ));
        Ok(Self { no_header: true, ..self.clone() })
    }

    /// How the first file is read, for a schema file: what is given, and what was found; nothing if it is no
    /// CSV file.
    pub(crate) fn shown(&self, inputs: &[Input]) -> Result<Vec<ReadingLine>> {
        let Some(input) = inputs.first().filter(|input| self.format_of(input) == Format::Csv) else {
            return Ok(Vec::new());
        };
        if input.label().is_some() {
            return Ok(Vec::new());
        }
        let bytes = input.open().with_context(|| format!("cannot read {}", input.name()))?;
        let found = self.csv(TableOptions::default()).format_from(bytes, input.name())?;
        let line = |key, value, is_given| ReadingLine { key, value, is_given };
        let missing = self.missing(Format::Csv);
        let says_what_is_missing =
            self.no_missing || !self.missing.is_empty() || self.of_model.missing.is_some();
        let missing: Vec<String> = missing.iter().map(|marker| toml_quoted(marker)).collect();
        let orange = self.orange.map(|orange| line("orange", orange.to_string(), true));
        let lines = [
            line("encoding", toml_quoted(&found.encoding.to_string()), self.encoding.is_some()),
            line("delimiter", byte_text(found.delimiter), self.delimiter.is_some()),
            line("decimal", byte_text(found.decimal), self.decimal.is_some()),
            line("quoting", found.quote.is_some().to_string(), self.quoting.is_some()),
            line("header", (!self.no_header).to_string(), self.header || self.no_header),
            line("skip_lines", self.skip_lines.unwrap_or_default().to_string(), self.skip_lines.is_some()),
            line("comment", byte_text(self.comment.unwrap_or(b'#')), self.comment.is_some()),
            line("missing", format!("[{}]", missing.join(", ")), says_what_is_missing),
        ];
        Ok(lines.into_iter().chain(orange).collect())
    }

    /// How dates are written, for a schema file.
    pub(crate) fn shown_dates(&self, inferred: &Inferred) -> Vec<ReadingLine> {
        let line = |key, value, is_given| ReadingLine { key, value, is_given };
        let all = self.date_order().map(|order| line("date_order", toml_quoted(order.name()), true));
        let given = self.date_orders();
        let is_given = !given.is_empty();
        let orders: BTreeMap<String, DateOrder> = inferred.date_orders().into_iter().chain(given).collect();
        let orders: Vec<String> = orders
            .iter()
            .map(|(column, order)| format!("{} = \"{}\"", toml_quoted(column), order.name()))
            .collect();
        let orders = (!orders.is_empty())
            .then(|| line("date_orders", format!("{{ {} }}", orders.join(", ")), is_given));
        all.into_iter().chain(orders).collect()
    }

    /// Reports how the fields, numbers and names of a CSV file are written, where that is unusual and no
    /// option says it.
    fn note_format(&self, input: &Input, screen: Screen) -> Result<()> {
        if screen.quiet() || !input.is_new_to_user() {
            return Ok(());
        }
        // The reader reports what cannot be read.
        let Ok(bytes) = input.open() else { return Ok(()) };
        let CsvFormat { delimiter, quote, decimal, encoding, .. } =
            self.csv(TableOptions::default()).format_from(bytes, input.name())?;
        let is_tsv = delimiter == b'\t' && Format::is_tsv(input.name());
        let mut found = Vec::new();
        if encoding.to_string() != "UTF-8" && self.encoding.is_none() {
            found.push(format!("encoding {encoding}"));
        }
        if delimiter != b',' && self.delimiter.is_none() && !is_tsv {
            let delimiter = if delimiter == b'\t' { "\\t".into() } else { char::from(delimiter).to_string() };
            found.push(format!("delimiter \"{delimiter}\""));
        }
        if quote.is_none() && self.quoting.is_none() {
            found.push("quotes are characters (--quoting on if they are around fields)".into());
        }
        if decimal != b'.' && self.decimal.is_none() {
            found.push("decimal separator \",\"".into());
        }
        if !found.is_empty() {
            screen.note(&format!("{}: {}", input.name(), found.join(", ")));
        }
        self.note_names(input, screen);
        self.note_orange(input, screen);
        Ok(())
    }

    /// Reports that a header is one of Orange.
    fn note_orange(&self, input: &Input, screen: Screen) {
        let Some(header) = self.orange_header(input) else { return };
        let (name, found) = (input.name(), "as Orange writes them");
        let class = header.label().map_or(String::new(), |label| format!("; the class is {label:?}"));
        screen.note(&if header.n_lines == 1 {
            format!(
                "{name}: the names of the columns have prefixes, {found}, which are taken off{class} (`--orange off` keeps them)"
            )
        } else {
            format!(
                "{name}: the second and third lines have types and roles of the columns, {found}, and are no rows{class} (`--orange \
                 off` takes them for rows)"
            )
        });
    }

    /// Reports names of columns that are not as the header has them.
    fn note_names(&self, input: &Input, screen: Screen) {
        // The reader reports what cannot be read.
        let Ok(bytes) = input.open() else { return };
        let Ok(header) = self.csv(TableOptions::default()).header_from(bytes, input.name()) else { return };
        if let (true, Some(name)) = (header.has_row_names, header.names.first()) {
            screen.note(&format!(
                "{}: the rows have one field more than the header; the first one is taken for the name of the row, and its column \
                 is called {name:?}",
                input.name()
            ));
        }
        for (name, other) in &header.renamed {
            screen.note(&format!(
                "{}: the column name {name:?} is given more than once; a further column is called {other:?}",
                input.name()
            ));
        }
    }

    fn check_sheet(&self, format: Format, input: &Input) -> Result<()> {
        if self.sheet.is_some() && format != Format::Excel {
            return Err(usage(format!("--sheet is for workbooks, and {} is not one", input.name())));
        }
        Ok(())
    }

    /// The reader of a sheet; says which one it is, unless --sheet names it or there is only one.
    fn excel(&self, input: &Input, table: TableOptions, screen: Screen) -> Result<Excel> {
        let excel = self.workbook(table);
        if !screen.quiet() && input.is_new_to_user() {
            let sheets = excel.sheets(path(input)?)?;
            if let (None, [first, _, ..]) = (&self.sheet, &sheets[..]) {
                let name = input.name();
                let all = quoted_list(&sheets);
                screen.note(&format!("{name}: sheet {first:?} of {all} (`--sheet` names another)"));
            }
            self.note_orange(input, screen);
        }
        Ok(excel.with_sheet(self.sheet.clone()))
    }

    fn workbook(&self, table: TableOptions) -> Excel {
        Excel::default()
            .with_header(!self.no_header)
            .with_orange(self.orange != Some(false))
            .with_skip_rows(self.skip_lines.unwrap_or_default())
            .with_table(table)
    }

    fn documents(&self, format: Format, table: TableOptions) -> Documents {
        let kind = if format == Format::Text { DocumentKind::Text } else { DocumentKind::Mail };
        Documents::new(kind).with_encoding(self.encoding).with_table(table)
    }

    fn svmlight(&self) -> Svmlight {
        Svmlight::default().with_zero_based(self.zero_based).with_bad_rows(self.bad_rows())
    }

    fn missing(&self, format: Format) -> BTreeSet<String> {
        let known = match (&self.of_model.missing, format) {
            (Some(markers), _) if format.has_missing_cells() => {
                markers.difference(&missing_markers()).cloned().collect()
            }
            (None, _) if format.has_missing_cells() => BTreeSet::new(),
            _ if self.no_missing => [String::new()].into(),
            (Some(markers), _) => markers.clone(),
            (None, _) => missing_markers(),
        };
        known.into_iter().chain(self.missing.iter().cloned()).collect()
    }

    /// The names of the columns of a file, in its order, and those in the names of its folders.
    pub(crate) fn columns(&self, input: &Input) -> Result<Vec<String>> {
        let format = self.format_of(input);
        self.check_sheet(format, input)?;
        let bytes = || input.open().with_context(|| format!("cannot read {}", input.name()));
        let numbered = |schema: Schema| schema.columns.into_iter().map(|column| column.name).collect();
        let mut names = match format {
            Format::Csv => self.csv(TableOptions::default()).columns_from(bytes()?, input.name())?,
            Format::Arrow => Arrow::default().columns(path(input)?)?,
            Format::Json => Json::default().with_table(self.table()).columns_from(bytes()?, input.name())?,
            Format::Arff => Arff::default().with_table(self.table()).columns_from(bytes()?, input.name())?,
            Format::Mail | Format::Text => {
                let columns = self.documents(format, TableOptions::default()).kind.columns();
                columns.iter().map(|&name| name.into()).collect()
            }
            Format::Excel => {
                let excel = self.workbook(TableOptions::default()).with_sheet(self.sheet.clone());
                excel.columns(path(input)?)?
            }
            Format::Svmlight => numbered(self.svmlight().infer(path(input)?)?),
            Format::Npz => numbered(Npy::default().infer(path(input)?)?),
        };
        let of_folders = self.constants(input).into_iter().map(|(name, _)| name);
        names.extend(of_folders.filter(|name| !names.contains(name)).collect::<Vec<_>>());
        Ok(names)
    }

    /// What to do with a few texts in a column of numbers.
    pub(crate) fn non_numeric(&self) -> NonNumeric {
        if self.strict { NonNumeric::Error } else { NonNumeric::Missing }
    }
}
