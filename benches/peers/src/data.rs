//! The data sets: made once from fixed seeds, written as raw little-endian files that every contender reads.

use std::{
    fmt::Write as _,
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use benches::SplitMix;
use serde::{Deserialize, Serialize};

/// What the cells of a data set are, and so which families can take it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Cells {
    /// Real numbers in double precision.
    F64,
    /// The same numbers rounded to single precision.
    F32,
    /// Counts of events, every cell stored, in double precision.
    Counts,
    /// Counts in compressed sparse rows: 32-bit positions, values in double precision.
    Sparse,
    /// Sparse rows in which every stored value is one.
    Binary,
    /// Category codes in double precision.
    Codes,
    /// Category codes as bytes.
    Bytes,
}

/// What a data set is; stored beside it as JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Meta {
    /// The name of the data set, which is the stem of its files.
    pub(crate) name: String,
    /// What the cells are.
    pub(crate) cells: Cells,
    /// The number of rows.
    pub(crate) rows: usize,
    /// The number of columns.
    pub(crate) columns: usize,
    /// The number of classes, labelled from 0.
    pub(crate) classes: usize,
    /// The number of stored cells.
    pub(crate) stored: usize,
    /// The bytes of the feature arrays, without labels.
    pub(crate) bytes: usize,
}

/// Name, cells, rows, columns, classes.
type Shape = (&'static str, Cells, usize, usize, usize);

const SHAPES: &[Shape] = &[
    ("G1", Cells::F64, 1_000_000, 30, 2),
    ("G2", Cells::F64, 200_000, 100, 10),
    ("G2f", Cells::F32, 200_000, 100, 10),
    ("G3", Cells::F64, 150, 4, 3),
    ("G4", Cells::F64, 2_000, 20_000, 5),
    ("M1", Cells::Counts, 100_000, 1_000, 20),
    ("M2", Cells::Sparse, 100_000, 100_000, 20),
    ("M2b", Cells::Binary, 100_000, 100_000, 20),
    ("C1", Cells::Codes, 1_000_000, 20, 5),
    ("C1u", Cells::Bytes, 1_000_000, 20, 5),
];

/// Categories of a column of category codes.
pub(crate) const CATEGORIES: usize = 16;

/// One term of a sparse row in this many is drawn from those that its class prefers.
const CLASS_TERMS: usize = 37;

/// Terms drawn for a sparse row; those drawn twice are stored once.
const TERMS: usize = 100;

/// Writes the data sets that are not there yet, and the CSV file of G1.
///
/// `quick` makes a twentieth of the rows of all that have more than a thousand.
pub(crate) fn generate(folder: &Path, names: &[String], quick: bool) -> io::Result<()> {
    // Data that another version of this file made are no good; without its description a data set is made
    // again.
    let (stamp, source) = (folder.join("made-by.txt"), include_str!("data.rs"));
    if !fs::read_to_string(&stamp).is_ok_and(|made_by| made_by == source) {
        for (name, ..) in SHAPES {
            fs::remove_file(folder.join(format!("{name}.json"))).ok();
        }
        fs::remove_file(folder.join("G1.csv")).ok();
    }
    fs::create_dir_all(folder)?;
    fs::write(stamp, source)?;
    for &(name, cells, rows, columns, classes) in SHAPES {
        let rows = if quick && rows > 1000 { rows / 20 } else { rows };
        let wanted = names.is_empty() || names.iter().any(|wanted| wanted == name);
        if wanted && !folder.join(format!("{name}.json")).exists() {
            let mut meta =
                Meta { name: name.into(), cells, rows, columns, classes, stored: rows * columns, bytes: 0 };
            write(folder, &mut meta)?;
            fs::write(folder.join(format!("{name}.json")), serde_json::to_string(&meta)?)?;
        }
    }
    if names.iter().any(|name| name == "csv") && !folder.join("G1.csv").exists() {
        write_csv(folder)?;
    }
    Ok(())
}

/// The file of an array of a data set.
pub(crate) fn file(folder: &Path, name: &str, array: &str) -> PathBuf {
    folder.join(format!("{name}.{array}"))
}

/// How far a class is from the others in a column, in `[0, 1)`.
fn effects(meta: &Meta) -> Vec<f64> {
    let mut random = SplitMix::new(7);
    (0..meta.classes * meta.columns).map(|_| random.uniform()).collect()
}

fn write(folder: &Path, meta: &mut Meta) -> io::Result<()> {
    let mut random = SplitMix::new(1);
    let labels: Vec<usize> = (0..meta.rows).map(|_| (random.bits() % meta.classes as u64) as usize).collect();
    let mut y = Sink::create(folder, meta, "y")?;
    for &label in &labels {
        y.put((label as i64).to_le_bytes())?;
    }
    y.finish()?;
    if matches!(meta.cells, Cells::Sparse | Cells::Binary) {
        return write_sparse(folder, meta, &labels, &mut random);
    }
    let effects = effects(meta);
    // Wider rows get smaller differences, so that no data set is trivial to separate.
    let difference = 4.5 / (meta.columns as f64).sqrt();
    let mut x = Sink::create(folder, meta, "x")?;
    for label in labels {
        for effect in &effects[label * meta.columns..(label + 1) * meta.columns] {
            match meta.cells {
                Cells::F64 => x.put((effect * difference + random.normal()).to_le_bytes())?,
                Cells::F32 => x.put(((effect * difference + random.normal()) as f32).to_le_bytes())?,
                Cells::Counts => {
                    let count = (random.uniform().powi(4) * (3.0 + 0.5 * effect)).floor();
                    x.put(count.to_le_bytes())?;
                }
                _ => {
                    let code = random.uniform().powf(1.0 + 0.6 * effect) * CATEGORIES as f64;
                    match meta.cells {
                        Cells::Bytes => x.put([code as u8])?,
                        _ => x.put(code.floor().to_le_bytes())?,
                    }
                }
            }
        }
    }
    meta.bytes = x.finish()?;
    Ok(())
}

/// Documents: most terms are drawn from all, rarer ones having larger numbers, and a few from those that the
/// class prefers.
fn write_sparse(folder: &Path, meta: &mut Meta, labels: &[usize], random: &mut SplitMix) -> io::Result<()> {
    let (mut indptr, mut indices) =
        (Sink::create(folder, meta, "indptr")?, Sink::create(folder, meta, "indices")?);
    let mut values = Sink::create(folder, meta, "values")?;
    indptr.put(0_i32.to_le_bytes())?;
    meta.stored = 0;
    let n_columns = meta.columns as f64;
    for &label in labels {
        let mut terms: Vec<i32> = (0..TERMS)
            .map(|term| {
                let u = random.uniform();
                let position = if term % CLASS_TERMS == 0 {
                    (label as f64 + u) / meta.classes as f64
                } else {
                    u.powi(3)
                };
                (position * n_columns) as i32
            })
            .collect();
        terms.sort_unstable();
        terms.dedup();
        for term in &terms {
            indices.put(term.to_le_bytes())?;
            let count = 1.0 + (random.bits() % 3) as f64;
            values.put(if meta.cells == Cells::Binary { 1.0 } else { count }.to_le_bytes())?;
        }
        meta.stored += terms.len();
        indptr.put((meta.stored as i32).to_le_bytes())?;
    }
    meta.bytes = indptr.finish()? + indices.finish()? + values.finish()?;
    Ok(())
}

/// G1 as text with six decimals, the label last.
fn write_csv(folder: &Path) -> io::Result<()> {
    let data = crate::arrays::Data::read(folder, "G1")?;
    let crate::arrays::Table::F64(x) = &data.table else {
        return Err(io::Error::other("G1 is not in double precision"));
    };
    // Renamed when complete, so that an existing file is whole.
    let unfinished = folder.join("G1.csv.part");
    let mut out = BufWriter::new(File::create(&unfinished)?);
    for column in 0..x.ncols() {
        write!(out, "x{},", column + 1)?;
    }
    writeln!(out, "label")?;
    let mut line = String::new();
    for (row, label) in x.rows().into_iter().zip(&data.y) {
        line.clear();
        for value in row {
            write!(line, "{value:.6},").map_err(io::Error::other)?;
        }
        writeln!(out, "{line}c{label}")?;
    }
    out.flush()?;
    fs::rename(unfinished, folder.join("G1.csv"))
}

/// A file that counts its bytes.
struct Sink {
    out: BufWriter<File>,
    bytes: usize,
}

impl Sink {
    fn create(folder: &Path, meta: &Meta, array: &str) -> io::Result<Self> {
        let out = BufWriter::with_capacity(1 << 20, File::create(file(folder, &meta.name, array))?);
        Ok(Self { out, bytes: 0 })
    }

    fn put<const N: usize>(&mut self, bytes: [u8; N]) -> io::Result<()> {
        self.bytes += N;
        self.out.write_all(&bytes)
    }

    fn finish(mut self) -> io::Result<usize> {
        self.out.flush()?;
        Ok(self.bytes)
    }
}
