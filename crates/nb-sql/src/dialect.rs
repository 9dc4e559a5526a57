//! Dialects: how an engine wants names, texts and numbers to be written, and how it makes long rows of a wide
//! one.

/// A dialect of SQL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Dialect {
    /// PostgreSQL 12 and later.
    Postgres,
    /// DuckDB.
    DuckDb,
    /// Spark SQL 3 and later.
    Spark,
}

impl Dialect {
    /// All dialects.
    pub const ALL: [Self; 3] = [Self::Postgres, Self::DuckDb, Self::Spark];

    /// What the engine is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Postgres => "PostgreSQL",
            Self::DuckDb => "DuckDB",
            Self::Spark => "Spark",
        }
    }

    /// A name of a table or a column, quoted, so that it may have any characters and be a reserved word.
    ///
    /// ```
    /// use nb_sql::Dialect;
    ///
    /// assert_eq!(Dialect::Postgres.identifier("a \"b\""), "\"a \"\"b\"\"\"");
    /// assert_eq!(Dialect::Spark.identifier("a `b`"), "`a ``b```");
    /// ```
    pub fn identifier(self, name: &str) -> String {
        match self {
            Self::Postgres | Self::DuckDb => format!("\"{}\"", name.replace('"', "\"\"")),
            Self::Spark => format!("`{}`", name.replace('`', "``")),
        }
    }

    /// A text, quoted.
    ///
    /// ```
    /// use nb_sql::Dialect;
    ///
    /// assert_eq!(Dialect::DuckDb.text("it's"), "'it''s'");
    /// assert_eq!(Dialect::Spark.text("it's"), r"'it\'s'");
    /// ```
    pub fn text(self, text: &str) -> String {
        match self {
            Self::Postgres | Self::DuckDb => format!("'{}'", text.replace('\'', "''")),
            // `${...}` would be substituted before the text is parsed.
            Self::Spark => {
                let text = text.replace('\\', r"\\").replace('\'', r"\'");
                format!("'{}'", text.replace("${", r"\u0024{"))
            }
        }
    }

    /// A number as a literal of double precision that is read back to the same bits: its shortest digits,
    /// with an exponent, since literals without one are decimals in DuckDB and Spark, and converting
    /// these may round twice.
    ///
    /// ```
    /// use nb_sql::Dialect;
    ///
    /// assert_eq!(Dialect::DuckDb.double(0.1), "1e-1");
    /// assert_eq!(Dialect::Postgres.double(-12.5), "(-1.25e1::float8)");
    /// assert_eq!(Dialect::Spark.double(f64::NEG_INFINITY), "CAST('-Infinity' AS double)");
    /// ```
    pub fn double(self, value: f64) -> String {
        if !value.is_finite() {
            let name = if value.is_nan() {
                "NaN"
            } else if value > 0.0 {
                "Infinity"
            } else {
                "-Infinity"
            };
            return format!("CAST('{name}' AS {})", self.double_type());
        }
        let digits = match self {
            Self::Postgres => format!("{value:e}::float8"),
            Self::DuckDb => format!("{value:e}"),
            Self::Spark => format!("{value:e}D"),
        };
        // Two minus signs in a row would begin a comment.
        if digits.starts_with('-') { format!("({digits})") } else { digits }
    }

    pub(crate) fn double_type(self) -> &'static str {
        match self {
            Self::Postgres => "float8",
            Self::DuckDb | Self::Spark => "double",
        }
    }

    pub(crate) fn text_type(self) -> &'static str {
        match self {
            Self::Postgres => "text",
            Self::DuckDb => "varchar",
            Self::Spark => "string",
        }
    }

    /// A number that is NULL.
    pub(crate) fn null_number(self) -> String {
        format!("CAST(NULL AS {})", self.double_type())
    }

    /// A text that is NULL.
    pub(crate) fn null_text(self) -> String {
        format!("CAST(NULL AS {})", self.text_type())
    }

    /// A column of the table that is called `t`. Without its name, a column that the table does not have
    /// would be looked for among the names of the query itself.
    pub(crate) fn of_table(self, column: &str) -> String {
        format!("t.{}", self.identifier(column))
    }

    /// A column of numbers in double precision, in which both NULL and NaN are missing.
    pub(crate) fn number_of(self, column: &str) -> String {
        format!("NULLIF(CAST({column} AS {}), {})", self.double_type(), self.double(f64::NAN))
    }

    /// A column of categories or labels.
    pub(crate) fn text_of(self, column: &str) -> String {
        format!("CAST({column} AS {})", self.text_type())
    }

    /// A column of categories by the names that a model has for them ([`nb_io::category_name`]): truth values
    /// and whole numbers have several spellings as texts, and columns of such types are texts in another
    /// one.
    pub(crate) fn category_of(self, column: &str, levels: &[String]) -> String {
        let mut text = self.text_of(column);
        let is_whole = |level: &String| {
            let digits = level.strip_prefix('-').unwrap_or(level);
            !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
        };
        if levels.iter().any(is_whole) {
            let group = if self == Self::Spark { "$1" } else { r"\1" };
            for (pattern, name) in [(r"^-?0\.0+$", "0"), (r"^(-?[1-9][0-9]*)\.0+$", group)] {
                text = format!("regexp_replace({text}, {}, {})", self.text(pattern), self.text(name));
            }
        }
        let truths = [("true", "'True', 'TRUE'"), ("false", "'False', 'FALSE'")];
        let truths = truths.iter().filter(|(truth, _)| levels.iter().any(|level| level == truth));
        let cases: Vec<String> = truths
            .map(|(truth, spellings)| format!("WHEN {text} IN ({spellings}) THEN '{truth}' "))
            .collect();
        if cases.is_empty() { text } else { format!("CASE {}ELSE {text} END", cases.concat()) }
    }

    /// What follows `FROM`: a table by its name, or a query in parentheses, under the name `t`.
    pub(crate) fn table(self, table: &str) -> String {
        let trimmed = table.trim();
        if trimmed.starts_with('(') && trimmed.ends_with(')') {
            format!("{trimmed} AS t")
        } else {
            format!("{} AS t", self.identifier(table))
        }
    }

    /// What ends a query whose expressions must be computed before those of the query around it: PostgreSQL
    /// would write them out wherever they are used, which is cubic in the number of classes.
    pub(crate) fn fence(self) -> &'static str {
        match self {
            Self::Postgres => " OFFSET 0",
            Self::DuckDb | Self::Spark => "",
        }
    }

    /// What begins the definition of a common table expression that is not to be stored. (Spark never stores
    /// them, and has no word for it.)
    pub(crate) fn common_table(self, name: &str) -> String {
        match self {
            Self::Postgres | Self::DuckDb => format!("{name} AS NOT MATERIALIZED"),
            Self::Spark => format!("{name} AS"),
        }
    }

    /// A query for several rows from each row of `from`: `kept`, then the columns called `names`.
    pub(crate) fn long(self, kept: &str, names: &[&str], rows: &[Vec<String>], from: &str) -> String {
        match self {
            Self::Postgres => {
                let (names, rows) = (names.join(", "), lines(rows, |row| format!("({})", row.join(", "))));
                format!(
                    "SELECT {kept}, {names}\nFROM {from} CROSS JOIN LATERAL (VALUES\n{rows}\n) AS v({names})"
                )
            }
            // A lateral join would work, in a time that grows with the square of the number of rows.
            Self::DuckDb => {
                let rows = lines(rows, |row| {
                    let fields = names.iter().zip(row).map(|(name, cell)| format!("{name}: {cell}"));
                    format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
                });
                let names: Vec<String> = names.iter().map(|name| format!("v.{name}")).collect();
                let names = names.join(", ");
                format!(
                    "SELECT {kept}, {names}\nFROM (SELECT {kept}, unnest([\n{rows}\n]) AS v FROM {from}) AS long"
                )
            }
            Self::Spark => {
                let (names, cells) = (names.join(", "), lines(rows, |row| row.join(", ")));
                format!("SELECT {kept}, stack({},\n{cells}\n) AS ({names})\nFROM {from}", rows.len())
            }
        }
    }
}

/// Rows on their own lines.
fn lines(rows: &[Vec<String>], write: impl Fn(&[String]) -> String) -> String {
    let lines: Vec<String> = rows.iter().map(|row| format!("  {}", write(row))).collect();
    lines.join(",\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_and_texts_are_quoted() {
        assert_eq!(Dialect::Postgres.identifier("select"), "\"select\"");
        assert_eq!(Dialect::DuckDb.identifier("Größe in m"), "\"Größe in m\"");
        assert_eq!(Dialect::Postgres.text(r"back\slash 'n' ''"), r"'back\slash ''n'' '''''");
        assert_eq!(Dialect::Spark.text(r"back\slash 'n' ${x}"), r"'back\\slash \'n\' \u0024{x}'");
        assert_eq!(Dialect::Postgres.table("a.b"), "\"a.b\" AS t");
        assert_eq!(Dialect::Spark.table(" (SELECT 1) "), "(SELECT 1) AS t");
    }

    proptest! {
        #[test]
        fn doubles_read_back(bits in any::<u64>()) {
            let value = f64::from_bits(bits);
            prop_assume!(value.is_finite());
            for dialect in Dialect::ALL {
                let literal = dialect.double(value);
                let digits = literal.trim_matches(['(', ')']);
                let digits = digits.trim_end_matches("::float8").trim_end_matches('D');
                prop_assert_eq!(digits.parse::<f64>().map(f64::to_bits), Ok(bits));
                prop_assert!(digits.contains('e'));
            }
        }
    }
}
