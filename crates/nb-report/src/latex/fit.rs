//! How a table fits a page: the size of its letters, the widths of its columns, and into how many parts it is
//! divided.
//!
//! Widths are those of Computer Modern in points, and a little more, so that a table that is said to fit
//! does.

use crate::{Cell, Emphasis, Kind, Table, number};

/// The width of a line, and the height of the text, of the class `article`.
pub(super) const LINE: f64 = 345.0;
const PAGE: f64 = 550.0;

/// A size of letters: its command, how wide letters are beside those of ten points, the distance of lines,
/// and half the distance of columns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Size {
    pub(super) command: &'static str,
    scale: f64,
    line: f64,
    pub(super) gap: f64,
}

/// The sizes, from the usual one on.
const SIZES: [Size; 3] = [
    Size { command: "", scale: 1.0, line: 12.0, gap: 6.0 },
    Size { command: "\\small", scale: 0.93, line: 11.0, gap: 4.0 },
    Size { command: "\\footnotesize", scale: 0.86, line: 9.5, gap: 3.0 },
];

/// A column of a part.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Place {
    /// Its number in the table.
    pub(super) column: usize,
    /// How wide it is, in points.
    pub(super) width: f64,
    /// Whether its cells have several lines.
    pub(super) is_wrapped: bool,
}

/// How a table is set.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Layout {
    pub(super) size: Size,
    /// The columns of each part.
    pub(super) parts: Vec<Vec<Place>>,
    /// Whether it is too high for a page, which it then begins and ends anywhere on.
    pub(super) is_long: bool,
}

/// The layout of a table: in the largest letters in which its lines fit; else with columns of words that have
/// several lines; else in parts that have its first columns of words in common.
pub(super) fn layout(table: &Table) -> Layout {
    let all: Vec<usize> = (0..table.columns.len()).collect();
    let whole = SIZES.iter().find_map(|size| Some((*size, natural(table, &all, *size)?)));
    let smallest = SIZES[SIZES.len() - 1];
    let whole = whole.or_else(|| Some((smallest, wrapped(table, &all, smallest)?)));
    let (size, parts) = match whole {
        Some((size, places)) => (size, vec![places]),
        None => (smallest, divided(table, smallest)),
    };
    let height = parts.iter().map(|part| height(table, part, size)).sum::<f64>() + height_of_words(table);
    Layout { size, parts, is_long: height > PAGE }
}

/// The columns with the widths of their lines, if these fit.
fn natural(table: &Table, columns: &[usize], size: Size) -> Option<Vec<Place>> {
    let place = |&column: &usize| Place { column, width: widest(table, column, size), is_wrapped: false };
    let places: Vec<Place> = columns.iter().map(place).collect();
    fits(&places, size).then_some(places)
}

/// The columns with lines that are broken where words are, if they fit: each has the room of its longest
/// word, and of what is left as much as its longest line asks for.
fn wrapped(table: &Table, columns: &[usize], size: Size) -> Option<Vec<Place>> {
    let mut places: Vec<Place> = Vec::new();
    let mut asked = Vec::new();
    for &column in columns {
        let (least, most) = (narrowest(table, column, size), widest(table, column, size));
        places.push(Place { column, width: least, is_wrapped: most > least });
        asked.push(most - least);
    }
    let left = LINE - width(&places, size);
    if left < 0.0 {
        return None;
    }
    let all: f64 = asked.iter().sum();
    for (place, asked) in places.iter_mut().zip(asked) {
        place.width += asked * (left / all).min(1.0);
        place.is_wrapped &= left < all;
    }
    Some(places)
}

/// Parts of about as many columns each, behind the columns that say what a row is.
fn divided(table: &Table, size: Size) -> Vec<Vec<Place>> {
    let (n_columns, n_keys) = (table.columns.len(), n_keys(table, size));
    let (keys, others): (Vec<usize>, Vec<usize>) = (0..n_columns).partition(|&column| column < n_keys);
    let set = |columns: &[usize]| natural(table, columns, size).or_else(|| wrapped(table, columns, size));
    for n_parts in 2..=others.len() {
        let part = |others: &[usize]| set(&[&keys, others].concat());
        if let Some(parts) = others.chunks(others.len().div_ceil(n_parts)).map(part).collect() {
            return parts;
        }
    }
    // Two columns that are too wide for a line by themselves.
    let forced = |column: usize| Place { column, width: LINE / 2.0 - size.gap, is_wrapped: true };
    (1..n_columns.max(2))
        .map(|column| (0..n_columns.min(2)).map(|place| forced(place * column)).collect())
        .collect()
}

/// The first columns of words, in three fifths of a line: the first column at least.
fn n_keys(table: &Table, size: Size) -> usize {
    let mut left = 0.6 * LINE;
    let is_key = |&column: &usize| {
        left -= widest(table, column, size) + 2.0 * size.gap;
        table.columns[column].kind == Kind::Text && left >= 0.0
    };
    (0..table.columns.len()).take_while(is_key).count().max(1)
}

fn fits(places: &[Place], size: Size) -> bool {
    width(places, size) <= LINE
}

fn width(places: &[Place], size: Size) -> f64 {
    let gaps = 2.0 * size.gap * places.len().saturating_sub(1) as f64;
    gaps + places.iter().map(|place| place.width).sum::<f64>()
}

/// About how high a part is.
fn height(table: &Table, part: &[Place], size: Size) -> f64 {
    let lines = |row: &Vec<Cell>| {
        let of_cell = |place: &Place| {
            let width = cell_width(&row[place.column], size, text_width);
            if place.is_wrapped { (1.2 * width / place.width).ceil().max(1.0) } else { 1.0 }
        };
        part.iter().map(of_cell).fold(1.0, f64::max)
    };
    let n_lines: f64 = table.rows.iter().chain(&table.footer).map(lines).sum();
    size.line * (n_lines + 4.0)
}

/// About how high caption and notes are.
fn height_of_words(table: &Table) -> f64 {
    let [usual, .., smallest] = SIZES;
    let of_columns = table.column_notes().into_iter().map(|(_, note)| note);
    let notes = of_columns.chain(table.notes.iter().map(String::as_str));
    let high = |text: &str, size: Size| size.line * (1.0 + (text_width(text, size) / LINE).ceil());
    high(&table.caption, usual) + notes.map(|note| high(note, smallest)).sum::<f64>()
}

/// The longest line of a column of words; of a column of numbers its longest number, and words of its title
/// are set below one another.
fn widest(table: &Table, column: usize, size: Size) -> f64 {
    let head = &table.columns[column];
    match head.kind {
        Kind::Text => text_width(&head.title, size).max(widest_cell(table, column, size, text_width)),
        Kind::Number => narrowest(table, column, size),
    }
}

/// The longest word of a column of words; of a column of numbers its longest number or word of its title.
fn narrowest(table: &Table, column: usize, size: Size) -> f64 {
    let head = &table.columns[column];
    let of_title = longest_word(&head.title, size);
    of_title.max(match head.kind {
        Kind::Text => widest_cell(table, column, size, longest_word),
        Kind::Number => widest_cell(table, column, size, text_width),
    })
}

/// The widest cell of a column, by a width of its text.
fn widest_cell(table: &Table, column: usize, size: Size, of_text: fn(&str, Size) -> f64) -> f64 {
    let rows = table.rows.iter().chain(&table.footer);
    rows.map(|row| cell_width(&row[column], size, of_text)).fold(0.0, f64::max)
}

fn cell_width(cell: &Cell, size: Size, of_text: fn(&str, Size) -> f64) -> f64 {
    const BOLD: f64 = 1.16;
    let text = of_text(&number::for_eyes(&cell.text), size);
    let text = if cell.emphasis == Emphasis::Best { BOLD * text } else { text };
    text + 0.75 * text_width(&cell.mark, size)
}

fn longest_word(text: &str, size: Size) -> f64 {
    text.split(' ').flat_map(pieces).map(|piece| text_width(&piece, size)).fold(0.0, f64::max)
}

/// The lines of a title in a column of this width.
pub(super) fn title_lines(title: &str, width: f64, size: Size) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in title.split_whitespace() {
        match lines.last_mut() {
            Some(line) if text_width(&format!("{line} {word}"), size) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.into()),
        }
    }
    lines
}

/// The pieces of a word between which a line may end: of one that is longer than words are, such as an
/// address or a checksum.
pub(super) fn pieces(word: &str) -> Vec<String> {
    const LONG: usize = 16;
    const PIECE: usize = 8;
    let letters: Vec<char> = word.chars().collect();
    let size = if letters.len() > LONG { PIECE } else { LONG };
    letters.chunks(size).map(|piece| piece.iter().collect()).collect()
}

/// About how wide a text is: a little more than in Computer Modern.
fn text_width(text: &str, size: Size) -> f64 {
    let of_letter = |c: char| match c {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '!' | '\'' | '|' => 2.8,
        ' ' | 'f' | 't' | 'r' | 's' | '(' | ')' | '-' | '[' | ']' => 4.0,
        'm' | 'M' | 'W' | '%' | '±' | '−' | '×' | '≈' | '≤' | '≥' | '→' => 10.3,
        'w' | '+' | '=' | '<' | '>' | '&' | '@' | '∞' | '•' | '▲' | '▼' | '—' => 10.0,
        c if c.is_ascii_uppercase() => 7.9,
        c if c.is_ascii_digit() => 5.0,
        c if c.is_ascii() => 5.6,
        c if c < '\u{250}' => 7.9,
        _ => 10.0,
    };
    1.02 * size.scale * text.chars().map(of_letter).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Column;

    fn table(n_columns: usize, cell: &str) -> Table {
        let columns =
            (0..n_columns).map(|i| if i == 0 { Column::text("set") } else { Column::number("one two") });
        let mut table = Table::new("", columns);
        table.push((0..n_columns).map(|_| Cell::text(cell)));
        table
    }

    #[test]
    fn wide_tables_are_set_smaller_then_divided() {
        let columns = |n| {
            let layout = layout(&table(n, "0.1234 ± 0.1234"));
            (layout.size.command, layout.parts.iter().map(Vec::len).collect::<Vec<_>>())
        };
        assert_eq!(columns(3), ("", vec![3]));
        assert_eq!(columns(4).1, [4]);
        assert_eq!(columns(7), ("\\footnotesize", vec![4, 4]));
        assert_eq!(columns(14), ("\\footnotesize", vec![5, 5, 5, 2]));
        for n in 1..40 {
            let layout = layout(&table(n, "0.1234 ± 0.1234"));
            let mut others: Vec<usize> =
                layout.parts.iter().flat_map(|part| part[1..].iter().map(|place| place.column)).collect();
            assert!(layout.parts.iter().all(|part| part[0].column == 0 && fits(part, layout.size)));
            others.dedup();
            assert_eq!(others, (1..n).collect::<Vec<_>>());
        }
    }

    #[test]
    fn words_are_set_in_lines() {
        let mut sources = Table::new("", ["set", "source", "checksum"].map(Column::text));
        let source = "a sentence that is about as long as the names of papers are ".repeat(3);
        sources.push([Cell::text("iris"), Cell::text(source), Cell::text("0123456789abcdef".repeat(4))]);
        let layout = layout(&sources);
        let [part] = &layout.parts[..] else { panic!("{layout:?}") };
        assert_eq!(part.iter().map(|place| place.is_wrapped).collect::<Vec<_>>(), [false, true, true]);
        assert!(fits(part, layout.size) && width(part, layout.size) > 0.95 * LINE && !layout.is_long);
        for _ in 0..30 {
            sources.push(sources.rows[0].clone());
        }
        assert!(super::layout(&sources).is_long);
        // A single column that fits nowhere.
        let mut wide = Table::new("", [Column::number("n")]);
        wide.push([Cell::text("9".repeat(200))]);
        assert_eq!(super::layout(&wide).parts[0].len(), 1);
        assert_eq!(super::layout(&Table::default()).parts.len(), 1);
    }

    #[test]
    fn long_words_have_pieces() {
        assert_eq!(pieces("accuracy"), ["accuracy"]);
        assert_eq!(pieces("0123456789abcdefg"), ["01234567", "89abcdef", "g"]);
        assert_eq!(title_lines("one two three", 45.0, SIZES[0]), ["one two", "three"]);
    }
}
