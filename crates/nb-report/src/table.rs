//! Tables.

use crate::number;

/// A table: columns with titles, rows of cells, rows below the line, notes.
///
/// Readers of the HTML can sort it by any column; rows of the footer stay where they are.
///
/// ```
/// use nb_report::{Cell, Column, Table};
///
/// let mut table = Table::new("Accuracy", [Column::text("data set"), Column::number("naive Bayes")]);
/// table.push([Cell::text("iris"), Cell::number(0.953, 3).best()]);
/// table.push([Cell::text("wine_2"), Cell::missing()]);
/// assert_eq!(
///     table.to_markdown()?,
///     "| data set | naive Bayes |\n\
///      | :------- | ----------: |\n\
///      | iris     |   **0.953** |\n\
///      | wine\\_2  |           – |\n"
/// );
/// assert!(table.to_latex()?.contains(r"wine\_2 & --"));
/// # Ok::<(), nb_report::DocumentError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// What links name it by, once in a document; none means that nothing links to it.
    pub id: Option<String>,
    /// What the table shows; may be empty.
    pub caption: String,
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows, one cell per column.
    pub rows: Vec<Vec<Cell>>,
    /// Rows below a line that are not sorted with the others, such as means and average ranks.
    pub footer: Vec<Vec<Cell>>,
    /// Sentences below the table, such as what its marks mean.
    pub notes: Vec<String>,
}

impl Table {
    /// A table without rows.
    pub fn new(caption: impl Into<String>, columns: impl IntoIterator<Item = Column>) -> Self {
        Self { caption: caption.into(), columns: columns.into_iter().collect(), ..Self::default() }
    }

    /// Adds a row, one cell per column; rows of other lengths are refused when the table is rendered.
    pub fn push(&mut self, row: impl IntoIterator<Item = Cell>) {
        self.rows.push(row.into_iter().collect());
    }

    /// Adds a row below the line.
    pub fn push_footer(&mut self, row: impl IntoIterator<Item = Cell>) {
        self.footer.push(row.into_iter().collect());
    }

    /// Adds a sentence below the table.
    pub fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    /// Names the table, so that texts can link to it.
    #[must_use]
    pub fn with_id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// The notes of columns, each with the letter that stands beside the title of its column.
    pub(crate) fn column_notes(&self) -> Vec<(String, &str)> {
        let notes = self.columns.iter().filter(|column| !column.note.is_empty());
        notes.enumerate().map(|(i, column)| (letter(i), column.note.as_str())).collect()
    }

    /// The columns, each with the letter of its note, if it has one.
    pub(crate) fn lettered_columns(&self) -> impl Iterator<Item = (&Column, Option<String>)> {
        let mut n_notes = 0;
        self.columns.iter().map(move |column| {
            let noted = !column.note.is_empty();
            n_notes += usize::from(noted);
            (column, noted.then(|| letter(n_notes - 1)))
        })
    }
}

/// a, b, ..., z, aa, ab, ...
fn letter(number: usize) -> String {
    let last = char::from(b'a' + (number % 26) as u8);
    if number < 26 { last.into() } else { letter(number / 26 - 1) + &String::from(last) }
}

/// What the cells of a column hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// Words: at the left, sorted by letters.
    #[default]
    Text,
    /// Numbers: at the right, sorted by value.
    Number,
}

/// The head of a column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Column {
    /// The title.
    pub title: String,
    /// What its cells hold.
    pub kind: Kind,
    /// A sentence about the column, printed below the table; may be empty.
    pub note: String,
}

impl Column {
    /// A column of words.
    pub fn text(title: impl Into<String>) -> Self {
        Self { title: title.into(), ..Self::default() }
    }

    /// A column of numbers.
    pub fn number(title: impl Into<String>) -> Self {
        Self { title: title.into(), kind: Kind::Number, ..Self::default() }
    }

    /// The same with a sentence that is printed below the table.
    #[must_use]
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.note = note.into();
        self
    }
}

/// How a cell stands out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Emphasis {
    /// Not at all.
    #[default]
    None,
    /// It is the best of its row or column.
    Best,
    /// It matters less.
    Muted,
}

/// A cell of a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cell {
    /// What is printed.
    pub text: String,
    /// What the row is sorted by. In a column of numbers, cells without a value come last; in a column of
    /// words they are sorted by their text.
    pub value: Option<f64>,
    /// How it stands out.
    pub emphasis: Emphasis,
    /// A raised mark behind the text, such as one of significance; may be empty.
    pub mark: String,
    /// What is shown when the cell is pointed at; may be empty.
    pub title: String,
}

impl Cell {
    /// Words.
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// A number with this many decimals; all digits are shown when it is pointed at. NaN is a missing cell.
    pub fn number(value: f64, decimals: usize) -> Self {
        if value.is_nan() {
            return Self::missing();
        }
        let text = number::fixed(value, decimals);
        let exact = number::exact(value);
        let title = if exact == text { String::new() } else { exact };
        Self { text, value: Some(value), title, ..Self::default() }
    }

    /// The same, in scientific form where it has more than five digits before the point, or decimals alone
    /// would show 0.
    pub fn short(value: f64, decimals: usize) -> Self {
        if value.is_nan() {
            return Self::missing();
        }
        let text = number::short(value, decimals);
        let exact = number::exact(value);
        let title = if exact == text { String::new() } else { exact };
        Self { text, value: Some(value), title, ..Self::default() }
    }

    /// A number and its spread, as "0.953 ± 0.021", sorted by the number; in scientific form where the number
    /// has more than five digits before the point. A spread that is NaN is left out.
    pub fn spread(value: f64, spread: f64, decimals: usize) -> Self {
        let is_large = value.abs() >= number::LARGE || spread.abs() >= number::LARGE;
        let written = if is_large { number::short } else { number::fixed };
        let cell = Self { text: written(value, decimals), ..Self::number(value, decimals) };
        if value.is_nan() || spread.is_nan() {
            return cell;
        }
        let text = format!("{} ± {}", cell.text, written(spread, decimals));
        let title = format!("{} ± {}", number::exact(value), number::exact(spread));
        Self { title: if title == text { String::new() } else { title }, text, ..cell }
    }

    /// A whole number.
    pub fn count(count: u64) -> Self {
        Self { text: count.to_string(), value: Some(count as f64), ..Self::default() }
    }

    /// Nothing, printed as a dash.
    pub fn missing() -> Self {
        Self { text: "–".into(), emphasis: Emphasis::Muted, ..Self::default() }
    }

    /// The same as the best of its row or column.
    #[must_use]
    pub fn best(self) -> Self {
        Self { emphasis: Emphasis::Best, ..self }
    }

    /// The same as one that matters less.
    #[must_use]
    pub fn muted(self) -> Self {
        Self { emphasis: Emphasis::Muted, ..self }
    }

    /// The same with a raised mark.
    #[must_use]
    pub fn with_mark(self, mark: impl Into<String>) -> Self {
        Self { mark: mark.into(), ..self }
    }

    /// The same with what is shown when the cell is pointed at.
    #[must_use]
    pub fn with_title(self, title: impl Into<String>) -> Self {
        Self { title: title.into(), ..self }
    }

    /// The same, sorted by this value.
    #[must_use]
    pub fn sorted_by(self, value: f64) -> Self {
        Self { value: (!value.is_nan()).then_some(value), ..self }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_digits() {
        let cell = Cell::number(2.0 / 3.0, 3);
        assert_eq!((cell.text.as_str(), cell.title.as_str()), ("0.667", "0.6666666666666666"));
        assert_eq!(Cell::number(0.5, 1).title, "");
        assert_eq!(Cell::number(f64::NAN, 3), Cell::missing());
        assert_eq!(Cell::number(f64::NEG_INFINITY, 3).text, "-∞");
        assert_eq!(Cell::spread(0.25, 0.0625, 2).text, "0.25 ± 0.06");
        assert_eq!(Cell::spread(0.25, f64::NAN, 2).text, "0.25");
        assert_eq!(Cell::spread(0.25, f64::NAN, 2), Cell::number(0.25, 2));
        assert_eq!(Cell::spread(2.5e6, 31.0, 2).text, "2.50e6 ± 31.00");
        assert_eq!(Cell::spread(0.00001, 0.2, 2).text, "0.00 ± 0.20");
        assert_eq!(Cell::short(0.000_012_34, 2).text, "1.23e-5");
        assert_eq!(Cell::short(99_999.0, 2).text, "99999.00");
        assert_eq!(
            (Cell::short(0.0, 2).text.as_str(), Cell::short(f64::INFINITY, 2).text.as_str()),
            ("0.00", "∞")
        );
        assert_eq!(Cell::text("a").sorted_by(f64::NAN).value, None);
    }

    #[test]
    fn letters_of_notes() {
        let letters: Vec<String> = [0, 25, 26, 27, 701, 702].into_iter().map(letter).collect();
        assert_eq!(letters, ["a", "z", "aa", "ab", "zz", "aaa"]);
    }
}
