//! Files that say which rows are tested in which fold.

use std::{collections::BTreeMap, path::Path};

use anyhow::{Context, Result, anyhow, bail};
use nb_compare::{Design, Folds, Splits, Table};

use super::cells::Cells;
use crate::output::{Cell, ColumnType, RowWriter, Screen, quoted_list};

/// More repeats than anybody has, and few enough to be counted in memory.
const MOST_REPEATS: usize = 100_000;

/// The columns of a file of splits.
struct Columns {
    names: Vec<String>,
    row: usize,
    fold: usize,
    repeat: Option<usize>,
    kind: Option<usize>,
    /// The data set, in files of predictions.
    set: Option<usize>,
    /// The sample, in splits of learning curves.
    sample: Option<usize>,
}

/// A row of a file of splits.
struct Line {
    row: usize,
    repeat: usize,
    fold: usize,
    is_test: bool,
}

/// The splits of a file for a table of this name and number of rows, by repeat. Of a file of predictions for
/// several data sets they are those of this name.
pub(super) fn read(path: &str, (name, n_rows): (&str, usize), screen: Screen) -> Result<Vec<Folds>> {
    let lines = lines(path, name, screen)?;
    folds(&lines, n_rows).with_context(|| path.to_owned())
}

fn folds(lines: &[(usize, Line)], n_rows: usize) -> Result<Vec<Folds>> {
    let mut repeats: Vec<Folds> = Vec::new();
    // The rows that are trained on, by repeat and fold, if the file names them.
    let mut trained: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
    for (number, line) in lines {
        let Line { row, repeat, fold, is_test } = *line;
        if row >= n_rows {
            bail!("row {number}: there is no row {row} of the data, which has {n_rows}, counted from 0");
        }
        if fold >= n_rows || repeat >= MOST_REPEATS {
            bail!("row {number}: there cannot be fold {fold} of repeat {repeat} of {n_rows} rows");
        }
        if !is_test {
            trained.entry((repeat, fold)).or_default().push(row);
            continue;
        }
        if repeat >= repeats.len() {
            repeats.resize(repeat + 1, Folds { of_row: vec![None; n_rows], n_folds: 0 });
        }
        let folds = &mut repeats[repeat];
        folds.n_folds = folds.n_folds.max(fold + 1);
        // Predictions of several variants test a row in the same fold.
        if let Some(other) = folds.of_row[row].replace(fold).filter(|&other| other != fold) {
            bail!(
                "row {number}: row {row} of the data is tested twice in repeat {repeat}, in folds {other} and {fold}"
            );
        }
    }
    for ((repeat, fold), rows) in trained {
        let tested = repeats.get(repeat).map(|folds| folds.test(fold)).unwrap_or_default();
        let mut is_there = vec![false; n_rows];
        for row in rows.into_iter().chain(tested) {
            if std::mem::replace(&mut is_there[row], true) {
                bail!(
                    "repeat {repeat}, fold {fold}: row {row} of the data is there twice, or is trained on and tested"
                );
            }
        }
        if let Some(row) = is_there.iter().position(|is_there| !is_there) {
            bail!(
                "repeat {repeat}, fold {fold}: row {row} of the data is neither trained on nor tested; splits that leave rows \
                 out, as those of learning curves, are not supported"
            );
        }
    }
    Ok(repeats)
}

fn lines(path: &str, name: &str, screen: Screen) -> Result<Vec<(usize, Line)>> {
    let file = Cells::open(path)?;
    let columns = Columns::find(&file.columns).with_context(|| path.to_owned())?;
    let (mut lines, mut of_others) = (Vec::new(), Vec::new());
    let mut sample: Option<String> = None;
    file.each(&columns.names, screen, |number, cells| {
        let whole = |place: usize| {
            whole_number(cells[place])
                .with_context(|| format!("{path}, row {number}, column {:?}", columns.names[place]))
        };
        if let Some(place) = columns.sample {
            let cell = cells[place];
            let first = sample.get_or_insert_with(|| cell.to_owned());
            if first != cell {
                bail!(
                    "{path}, row {number}: these are splits of a learning curve, where each sample (column {:?}, here {first:?} and \
                     {cell:?}) is trained on more rows than the one before; `--experiment learning-curve` draws such curves with splits \
                     of its own, and a comparison needs the splits of a task of cross-validation or hold-out",
                    columns.names[place]
                );
            }
        }
        let is_test = match columns.kind.map(|place| cells[place]) {
            None => true,
            Some(kind) if kind.eq_ignore_ascii_case("test") => true,
            Some(kind) if kind.eq_ignore_ascii_case("train") => false,
            Some(kind) => bail!("{path}, row {number}: {kind:?} is neither TRAIN nor TEST"),
        };
        let repeat = columns.repeat.map_or(Ok(0), whole)?;
        let is_other = columns.set.is_some_and(|place| cells[place] != name);
        let to = if is_other { &mut of_others } else { &mut lines };
        to.push((number, Line { row: whole(columns.row)?, repeat, fold: whole(columns.fold)?, is_test }));
        Ok(())
    })?;
    // The set may have had another name.
    Ok(if lines.is_empty() { of_others } else { lines })
}

/// A number of a file of splits or answers: also one that is written as 3.0.
pub(super) fn whole_number(text: &str) -> Result<usize> {
    let whole = text.strip_suffix(".0").unwrap_or(text).parse::<usize>();
    whole.map_err(|_| anyhow!("{text:?} is no whole number from 0"))
}

/// Writes which row is tested in which fold, as [`read`] reads it and other programs need it to be tested on
/// the same splits.
pub(super) fn write(design: &Design, tables: &[Table], path: &Path) -> Result<()> {
    let columns = [
        ("set", ColumnType::Text),
        ("repeat", ColumnType::Whole),
        ("fold", ColumnType::Whole),
        ("row", ColumnType::Whole),
        ("label", ColumnType::Text),
    ];
    let columns = columns.map(|(name, kind)| (name.to_owned(), kind));
    let mut writer = RowWriter::new(Some(path), false, &columns)?;
    let number = |number: usize| Cell::Number(number as f64);
    for table in tables {
        for repeat in 0..Splits::new(design.plan, table).repeats {
            let folds = design.plan.folds(table, design.seed, repeat)?;
            let tested = folds.of_row.iter().enumerate().filter_map(|(row, fold)| Some((row, (*fold)?)));
            let rows = tested.map(|(row, fold)| {
                let label = &table.classes[table.labels[row]];
                let [set, label] = [&table.name, label].map(|text| Cell::Text(text.clone()));
                vec![set, number(repeat), number(fold), number(row), label]
            });
            writer.write(&rows.collect::<Vec<_>>())?;
        }
    }
    writer.finish()
}

impl Columns {
    fn find(all: &[String]) -> Result<Self> {
        let mut names = Vec::new();
        let mut place = |known: &[&str]| {
            let name = all.iter().find(|name| known.iter().any(|known| name.eq_ignore_ascii_case(known)))?;
            names.push(name.clone());
            Some(names.len() - 1)
        };
        let row = place(&["row", "rowid", "row_id"]);
        let fold = place(&["fold"]);
        let (repeat, kind, set) = (place(&["repeat"]), place(&["type"]), place(&["set"]));
        let sample = place(&["sample"]);
        let (Some(row), Some(fold)) = (row, fold) else {
            bail!(
                "a file of splits has columns `row` (or `rowid`) and `fold`; this one has {}",
                quoted_list(all)
            );
        };
        Ok(Self { names, row, fold, repeat, kind, set, sample })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(row: usize, fold: usize, is_test: bool) -> (usize, Line) {
        (row + 1, Line { row, repeat: 0, fold, is_test })
    }

    #[test]
    fn rows_are_trained_on_or_tested() {
        let whole = [line(0, 0, true), line(1, 0, false), line(0, 1, false), line(1, 1, true)];
        assert_eq!(folds(&whole, 2).unwrap(), [Folds { of_row: vec![Some(0), Some(1)], n_folds: 2 }]);
        let message = |lines: &[(usize, Line)], n_rows| folds(lines, n_rows).unwrap_err().to_string();
        assert!(message(&whole, 3).contains("row 2 of the data is neither trained on nor tested"));
        assert!(message(&whole, 1).contains("there is no row 1 of the data"));
        let same = [line(0, 0, true), line(0, 0, true), line(1, 1, true)];
        assert_eq!(folds(&same, 2).unwrap(), folds(&whole, 2).unwrap());
        let twice = [line(0, 0, true), line(0, 1, true)];
        assert!(
            message(&twice, 2).contains("row 0 of the data is tested twice in repeat 0, in folds 0 and 1")
        );
        let both = [line(0, 0, true), line(0, 0, false), line(1, 0, false)];
        assert!(message(&both, 2).contains("row 0 of the data is there twice, or is trained on and tested"));
    }
}
