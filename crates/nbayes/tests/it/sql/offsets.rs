//! What rounding in the engine takes from variances of numbers far from zero: the table of `docs/sql.md`.

use super::{Bench, Data, Engine, Type, checks::difference, data::Numbers};

/// The mean of numbers with a standard deviation of one; the largest relative error of a variance with the
/// shift, and the least that plain sums show (a test that finds none tests nothing).
const BOUNDS: [(f64, f64, f64); 3] = [(1e6, 3e-14, 1e-6), (1e9, 3e-14, 1.0), (1e12, 3e-14, 1e6)];

/// The variance of all rows together is so large that the usual floor, a share of it, would hide the classes'
/// own.
const FLOOR: [&str; 2] = ["--variance-floor", "0"];

#[expect(clippy::print_stdout, reason = "the numbers of docs/sql.md, for `--nocapture`")]
pub(super) fn keep_their_digits(engine: &dyn Engine) {
    for (offset, with_shift, without) in BOUNDS {
        let mut numbers = Numbers::new(13);
        let rows = (0..10_000).map(|id: usize| {
            // Two classes are as far from one another as from zero, and two are near to each other.
            let (class, mean) =
                [("a", offset), ("b", -offset), ("c", offset + 1.0)][numbers.below(3) as usize];
            vec![id.to_string(), class.to_owned(), (mean + numbers.normal()).to_string()]
        });
        let columns = [("id", Type::Whole), ("y", Type::Text), ("x", Type::Real)];
        let bench = Bench::new(engine, "t", &Data::new(&columns, rows));
        bench.folder.write("schema.toml", "label = \"y\"\n[columns]\nx = \"gaussian\"\nid = \"ignore\"\n");
        let by_rows = bench.by_rows("rows.nb", &FLOOR);
        let (_, shifted) = difference(&bench.by_sql("sql.nb", "t", &FLOOR), &by_rows);
        bench.predict("rows.nb", "t", "id");
        bench.sums("t", "none");
        let run = bench
            .folder
            .nbayes("import-stats result.csv --schema schema.toml -o plain.nb --variance-floor 0");
        assert_eq!(run.code, 0, "{}", run.stderr);
        let (_, plain) = difference(&bench.model("plain.nb"), &by_rows);
        println!("{}, mean {offset:e}: {shifted:.0e} with the shift, {plain:.0e} without", engine.dialect());
        assert!(shifted < with_shift, "{}, {offset:e}: {shifted:e}", engine.dialect());
        assert!(plain > without, "{}, {offset:e}: {plain:e}", engine.dialect());
        assert!(run.stderr.contains("digits in the engine's rounding"), "{}", run.stderr);
    }
}
