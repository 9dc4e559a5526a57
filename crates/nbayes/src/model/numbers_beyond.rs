//! Numbers beyond the ranges of training, in words.

use nb_io::{Beyond, BeyondRanges};

use crate::output::{Screen, counted, short};

/// Names the columns with numbers that training did not have: all binary ones, and the others where chance
/// does not explain them. `weight` is that of the rows of the model.
pub(crate) fn note_beyond(beyond: &BeyondRanges, weight: f64, screen: Screen) {
    const MOST: usize = 5;
    let mut columns = beyond.finish();
    columns.retain(|column| column.is_notable(weight));
    columns.sort_by_key(|column| std::cmp::Reverse(column.n_beyond));
    for column in columns.iter().take(MOST) {
        screen.note(&words(column));
    }
    if columns.len() > MOST {
        let more = counted(columns.len() - MOST, "more column has", "more columns have");
        screen.note(&format!("... and {more} numbers beyond those of training"));
    }
}

fn words(column: &Beyond) -> String {
    let Beyond { column: name, range: [low, high], n_cells, n_beyond, least, greatest, .. } = column;
    let found = if least == greatest {
        short(*least)
    } else {
        format!("from {} to {}", short(*least), short(*greatest))
    };
    if column.is_binary {
        let values = counted(*n_beyond, "value is", "values are");
        return format!(
            "column {name:?}: {values} neither 0 nor 1 ({found}), and count by whether they are above the threshold; if the \
             column is not binary any more, train on all rows instead"
        );
    }
    let (low, high) = (short(*low), short(*high));
    let cells = counted(*n_cells, "number", "numbers");
    let are = if *n_beyond == 1 { "is" } else { "are" };
    let hint = if 2 * n_beyond > *n_cells { "; is the unit the same?" } else { "" };
    format!(
        "column {name:?}: {n_beyond} of {cells} {are} beyond those of training, {low} to {high}: {found}{hint}"
    )
}
