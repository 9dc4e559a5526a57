//! Headers as Orange writes them: prefixes of the names, or two more lines with the types and the roles of
//! the columns.

use std::collections::HashSet;

use super::{fields::Dialect, header::texts, sniff::for_each_record};
use crate::read::{Inferred, KindChoice, Overrides, Reason, cells::number::number_with};

/// How many rows are looked at.
const ROWS: usize = 20;

/// What a header in the format of Orange says of its columns.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OrangeHeader {
    /// How many lines it has: one with prefixes such as `cD#name`, or three.
    pub n_lines: usize,
    /// What it says of each column.
    pub columns: Vec<OrangeColumn>,
}

/// What Orange says of a column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct OrangeColumn {
    /// The name, without its prefix.
    pub name: String,
    /// The kind of a column that is continuous or discrete.
    pub kind: Option<KindChoice>,
    /// What it is, unless it is a feature.
    pub role: Option<OrangeRole>,
}

/// What a column is that is no feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrangeRole {
    /// The label.
    Class,
    /// What is known beside the features; texts are always that.
    Meta,
    /// Left out.
    Ignore,
    /// The weight of the row.
    Weight,
}

impl std::fmt::Display for OrangeRole {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Class => "class",
            Self::Meta => "meta",
            Self::Ignore => "ignore",
            Self::Weight => "weight",
        })
    }
}

/// The type of a column, by the second line or a prefix.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Type {
    Continuous,
    Discrete,
    String,
    Time,
}

impl Type {
    fn of(word: &str) -> Option<Self> {
        Some(match word {
            "c" | "continuous" | "n" | "numeric" => Self::Continuous,
            "d" | "discrete" | "categorical" => Self::Discrete,
            "s" | "string" | "text" => Self::String,
            "t" | "time" => Self::Time,
            _ => return None,
        })
    }
}

impl OrangeRole {
    fn of(word: &str) -> Option<Self> {
        Some(match word {
            "c" | "class" => Self::Class,
            "m" | "meta" => Self::Meta,
            "i" | "ignore" | "skip" => Self::Ignore,
            "w" | "weight" => Self::Weight,
            _ => return None,
        })
    }
}

impl OrangeColumn {
    fn new(name: &str, found: Option<Type>, role: Option<OrangeRole>) -> Self {
        let kind = match found {
            Some(Type::Continuous) => Some(KindChoice::Numeric),
            Some(Type::Discrete) => Some(KindChoice::Categorical),
            Some(Type::String | Type::Time) | None => None,
        };
        let role = role.or((found == Some(Type::String)).then_some(OrangeRole::Meta));
        Self { name: name.into(), kind, role }
    }
}

impl OrangeHeader {
    /// The header at the beginning of a file; none if it is another one.
    pub(super) fn of(start: &[u8], dialect: Dialect, ended: bool) -> Option<Self> {
        let mut lines: Vec<Vec<String>> = Vec::new();
        for_each_record(start, dialect, ended, |record, fields| {
            lines.push(texts(record, fields));
            // Most files have a row there.
            lines.len() < 3 + ROWS && (lines.len() != 2 || lines[1].iter().all(|word| type_of(word).is_ok()))
        });
        if let [names, types, roles, rows @ ..] = &lines[..]
            && let Some(columns) = of_lines(names, types, roles, rows)
        {
            return Some(Self { n_lines: 3, columns });
        }
        Some(Self { n_lines: 1, columns: of_prefixes(lines.first()?)? })
    }

    /// The same with the names by which the columns are known, of which the first may be that of the rows.
    pub(super) fn with_names(mut self, names: &[String]) -> Self {
        if self.columns.len() < names.len() {
            self.columns.insert(0, OrangeColumn::default());
        }
        for (column, name) in self.columns.iter_mut().zip(names) {
            column.name.clone_from(name);
        }
        self
    }

    /// Whether a name has a prefix such as `cD#` of `cD#name`.
    ///
    /// ```
    /// use nb_table::read::OrangeHeader;
    ///
    /// assert!(OrangeHeader::is_prefixed("cD#iris") && !OrangeHeader::is_prefixed("a#1"));
    /// ```
    pub fn is_prefixed(name: &str) -> bool {
        name.split_once('#').is_some_and(|(prefix, rest)| of_prefix(prefix, rest).is_some())
    }

    /// The name of the label column: the first that is called a class.
    pub fn label(&self) -> Option<&str> {
        let column = self.columns.iter().find(|column| column.role == Some(OrangeRole::Class));
        column.map(|column| column.name.as_str())
    }

    /// The kinds that are known from the caller, and those of the header where there are none.
    pub(super) fn overrides(&self, overrides: &Overrides, label: &str) -> Overrides {
        let mut choices = overrides.clone();
        for column in self.columns.iter().filter(|column| column.name != label) {
            if let Some(kind) = column.kind {
                choices.kinds.entry(column.name.clone()).or_insert(kind);
            }
        }
        choices
    }

    /// Gives the header as the reason for what it says of columns about which the caller says nothing.
    pub(super) fn give_reasons(&self, inferred: &mut Inferred, overrides: &Overrides) {
        for found in &mut inferred.columns {
            let name = &found.column;
            let Some(column) = self.columns.iter().find(|column| column.name == *name) else { continue };
            if overrides.kinds.contains_key(name) {
                continue;
            }
            match (column.role, column.kind) {
                (Some(role), _) => found.reason = Reason::NoFeature { role: role.to_string() },
                (None, Some(KindChoice::Numeric)) => {
                    found.reason = Reason::Type("continuous".into());
                    // They are no categories, however few they are.
                    found.few_values.clear();
                }
                (None, Some(_)) => found.reason = Reason::Type("discrete".into()),
                (None, None) => {}
            }
        }
    }
}

/// Names, types and roles of three lines; none if the second and third may be rows.
fn of_lines(
    names: &[String],
    types: &[String],
    roles: &[String],
    rows: &[Vec<String>],
) -> Option<Vec<OrangeColumn>> {
    if names.len() < 2 || types.len() != names.len() || roles.len() != names.len() {
        return None;
    }
    let found: Vec<Option<Type>> = types.iter().map(|word| type_of(word)).collect::<Result<_, _>>().ok()?;
    let flags: Vec<Option<OrangeRole>> =
        roles.iter().map(|words| role_of(words)).collect::<Result<_, _>>().ok()?;
    let is_long = |word: &String| word.len() > 1 && !word.contains([' ', '=']);
    let is_letter = |word: &String| word.len() == 1;
    // Letters may be the categories of rows, but not above numbers.
    let is_number = |text: &str| [b'.', b','].iter().any(|&point| number_with(text, point).is_ok());
    let is_above_numbers = |column: usize| {
        found[column] == Some(Type::Continuous)
            && rows.iter().any(|row| row.get(column).is_some_and(|cell| is_number(cell)))
    };
    let is_sure = types.iter().chain(roles).any(is_long)
        || (types.iter().all(is_letter) && (0..names.len()).any(is_above_numbers));
    (is_sure && found.iter().any(Option::is_some)).then(|| {
        let columns = names.iter().zip(found).zip(flags);
        columns.map(|((name, found), role)| OrangeColumn::new(name, found, role)).collect()
    })
}

/// The type that a cell of the second line names: a word, a list of values, or nothing. An error if it is a
/// cell of a row.
fn type_of(text: &str) -> Result<Option<Type>, ()> {
    if text.is_empty() {
        return Ok(None);
    }
    let is_list = text.split_whitespace().count() > 1 && number_with(text, b'.').is_err();
    let known = Type::of(&text.to_ascii_lowercase());
    known.or(is_list.then_some(Type::Discrete)).map(Some).ok_or(())
}

/// The role that a cell of the third line names: words, attributes such as `a=b`, or nothing. An error if it
/// is a cell of a row.
fn role_of(text: &str) -> Result<Option<OrangeRole>, ()> {
    let mut role = None;
    for word in text.split_whitespace().filter(|word| !word.contains('=')) {
        role = Some(OrangeRole::of(&word.to_ascii_lowercase()).ok_or(())?);
    }
    Ok(role)
}

/// Names with prefixes; none if no name has one, or if not all that look like prefixes are.
fn of_prefixes(names: &[String]) -> Option<Vec<OrangeColumn>> {
    let mut different = HashSet::new();
    let mut has_prefix = false;
    let columns = names.iter().map(|name| {
        let column = match name.split_once('#') {
            Some((prefix, rest))
                if prefix.len() <= 2 && prefix.bytes().all(|byte| byte.is_ascii_alphabetic()) =>
            {
                has_prefix = true;
                of_prefix(prefix, rest)?
            }
            _ => OrangeColumn::new(name, None, None),
        };
        different.insert(column.name.clone()).then_some(column)
    });
    let columns = columns.collect::<Option<_>>()?;
    has_prefix.then_some(columns)
}

/// A column by its prefix: a small letter for its role, a capital one for its type, or both.
fn of_prefix(prefix: &str, name: &str) -> Option<OrangeColumn> {
    let (role, found) = prefix.split_at(prefix.bytes().take_while(u8::is_ascii_lowercase).count());
    let role = if role.is_empty() { None } else { Some(OrangeRole::of(role)?) };
    let found = match found {
        "" => None,
        _ => Some(Type::of(&found.to_ascii_lowercase())?),
    };
    let is_one = !prefix.is_empty() && !name.trim().is_empty();
    is_one.then(|| OrangeColumn::new(name.trim(), found, role))
}

#[cfg(test)]
mod tests {
    use crate::{
        Kind,
        read::{Csv, KindChoice, Overrides, ReadChunks, Reason},
    };

    const ROWS: &str = "1\ta b\tu\t7\tp\n2\tc d\tv\t8\tq\n1\te f\tu\t9\tq\n";

    #[test]
    fn three_lines_and_prefixes() {
        for header in [
            "x\tid\tz\tn\ty\ncontinuous\tstring\tdiscrete\tcontinuous\tdiscrete\n\tmeta\t\tignore\tclass\n",
            "x\tid\tz\tn\ty\nc\ts\td\tc\td\n\tm\t\ti\tc\n",
            "x\tid\tz\tn\ty\nC\tS\tu v\tC\tp q\n\t\ta=b\tskip\tclass\n",
            "C#x\tmS#id\tD#z\tiC#n\tcD#y\n",
            "C#x\tS#id\tD#z\ti#n\tcD#y\n",
        ] {
            let text = format!("{header}{ROWS}");
            let open = || Ok(text.as_bytes());
            let csv = Csv::default();
            let found = csv.header_from(text.as_bytes(), "t.tab").unwrap();
            assert_eq!(found.names, ["x", "id", "z", "n", "y"], "{header}");
            assert_eq!(found.orange.unwrap().label(), Some("y"), "{header}");
            let inferred = csv.infer_from(open, "t.tab", "y", &Overrides::default()).unwrap();
            assert_eq!(inferred.n_rows, 3, "{header}");
            let reasons: Vec<String> =
                inferred.columns.iter().map(|column| column.reason.to_string()).collect();
            assert_eq!(reasons[0], "the file says continuous", "{header}");
            assert!(reasons[1].starts_with("no feature, the file says \"meta\""), "{header}: {reasons:?}");
            assert_eq!(reasons[2], "the file says discrete", "{header}");
            assert_eq!(reasons[3], "no feature, the file says \"ignore\"", "{header}");
            assert!(inferred.columns[1].reason.is_useless() && !inferred.columns[2].reason.is_useless());
            let loaded = csv.load_from(open, "t.tab", "y", &Overrides::default()).unwrap();
            assert_eq!(loaded.inferred.columns, inferred.columns, "{header}");
            let mut reader = csv.read_from(text.as_bytes(), "t.tab", &inferred.schema).unwrap();
            assert_eq!(reader.next_chunk().unwrap().unwrap().labels.unwrap(), ["p", "q", "q"], "{header}");
            let mut rows = csv.rows_from(text.as_bytes(), "t.tab").unwrap();
            assert_eq!(rows.head(), header.as_bytes());
            assert_eq!(rows.next_row().unwrap().unwrap().bytes, b"1\ta b\tu\t7\tp\n");
            // The caller decides.
            let chosen =
                Overrides::default().with("n", KindChoice::Numeric).with("x", KindChoice::Categorical);
            let inferred = csv.infer_from(open, "t.tab", "y", &chosen).unwrap();
            assert_eq!(inferred.columns[3].reason, Reason::Override);
            assert!(matches!(inferred.columns[0].kind, Kind::Categorical { .. }));
            let found = csv.with_orange(false).header_from(text.as_bytes(), "t.tab").unwrap();
            assert_eq!(
                (found.names.join("\t").as_str(), found.orange),
                (header.lines().next().unwrap(), None)
            );
        }
    }

    #[test]
    fn other_headers() {
        for text in [
            // Letters are categories.
            "a,b\nc,d\n,c\nd,s\n",
            "a,b\nfree text,d\n,c\nmore text,c\n",
            "a,b\nc,d\nm,x\n1,2\n",
            "a,b\ncontinuous,5\n,\n",
            "x\nc\nc\n1\n",
            // Not all are prefixes, and names that would be the same.
            "A#1,C#1\n1,2\n",
            "C#1,D#1\n1,2\n",
            "C#,Java\n1,2\n",
            "item #,no#1\n1,2\n",
        ] {
            assert_eq!(
                Csv::default().header_from(text.as_bytes(), "t.csv").unwrap().orange,
                None,
                "{text:?}"
            );
        }
    }

    #[test]
    fn names_that_are_given_twice_are_told_apart() {
        let text = "x,x,y\ncontinuous,discrete,discrete\n,,class\n1,a,b\n";
        let inferred =
            Csv::default().infer_from(|| Ok(text.as_bytes()), "t.csv", "y", &Overrides::default()).unwrap();
        assert_eq!(inferred.columns[0].reason, Reason::Type("continuous".into()));
        assert_eq!(inferred.columns[1].reason, Reason::Type("discrete".into()));
        assert_eq!(inferred.columns[1].column, "x_1");
    }
}
