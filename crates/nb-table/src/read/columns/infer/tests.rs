//! What is inferred of columns with more categories than can be kept.

use super::*;
use crate::read::{Reason, TableOptions};

/// What is inferred of cells of a column, of which at most 30 categories are kept.
fn infer(cells: &[String], overrides: &Overrides) -> Result<Inferred, CellProblem> {
    let (header, options) = (["x".to_owned(), "y".to_owned()], TableOptions::default());
    let columns = Columns::to_learn("t.csv", &header, "y", overrides, &options).unwrap();
    let mut profiles = Profiles::new(&header, &columns, overrides, |_| false).unwrap();
    profiles.most_levels = 30;
    let missing = Missing::of_text(&options);
    loop {
        for (line, cell) in (2..).zip(cells) {
            profiles.look(0, cell, || line, &missing)?;
            profiles.end_row();
        }
        if !profiles.needs_another_pass().unwrap() {
            return Ok(profiles.finish("y").unwrap());
        }
    }
}

#[test]
fn more_texts_than_can_be_kept_are_left_out() {
    let reason = |cells: &[String]| infer(cells, &Overrides::default()).unwrap().columns[0].reason.clone();
    let cells = |n: usize, name: fn(usize) -> String| (0..n).map(name).collect::<Vec<_>>();
    let all_different = |row: usize| format!("u{row}x");
    assert!(matches!(reason(&cells(30, all_different)), Reason::ManyCategories { distinct: 30, .. }));
    let too_many = Reason::TooManyCategories { limit: 30 };
    assert_eq!(reason(&cells(31, all_different)), too_many);
    assert_eq!(reason(&cells(500, all_different)), too_many);
    // Also where each comes again, where numbers are among them, and among codes.
    assert_eq!(reason(&cells(500, |row| format!("u{}x", row / 5))), too_many);
    assert_eq!(
        reason(&cells(500, |row| if row < 200 { row.to_string() } else { format!("u{row}x") })),
        too_many
    );
    assert_eq!(reason(&cells(500, |row| format!("{:05}", row * 7 % 500))), too_many);
    // Texts are read as such.
    let words = cells(500, |row| format!("a text with words {row}"));
    assert!(matches!(reason(&words), Reason::FreeText { .. }));
    // Columns whose kind is chosen keep their error.
    let chosen = Overrides::default().with("x", KindChoice::Categorical);
    assert_eq!(infer(&cells(31, all_different), &chosen), Err(CellProblem::TooManyLevels { limit: 30 }));
}
