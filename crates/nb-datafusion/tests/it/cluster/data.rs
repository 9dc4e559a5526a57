//! 400,000 rows as Parquet and as CSV, in many batches and files, written for each run, and the models that
//! nb-core makes of them.

use std::{
    fs::File,
    io::{BufWriter, Write},
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

use datafusion::{
    arrow::{
        array::{ArrayRef, Float64Array, StringArray},
        datatypes::DataType,
        record_batch::RecordBatch,
    },
    parquet::{arrow::ArrowWriter, basic::Compression, file::properties::WriterProperties},
};
use nb_datafusion::Design;
use nb_io::Model;
use ndarray::Array2;

/// Data files and their model.
#[derive(Debug)]
pub(crate) struct Data {
    /// A pattern that all files fit.
    pub(crate) pattern: String,
    /// The files.
    pub(crate) files: Vec<PathBuf>,
    /// What a model file of them holds.
    pub(crate) model: Vec<u8>,
}

const CLASSES: [&str; 3] = ["a", "b", "c"];
const N_FILES: u64 = 8;
const N_BATCHES: u64 = 10;
const BATCH: usize = 5_000;

/// SplitMix64: Steele, Lea and Flood (2014), "Fast splittable pseudorandom number generators", figure 19.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// 400,000 rows in eight files of five row groups each: x1 about 1e9, where one pass over doubles would lose
/// digits.
pub(crate) fn parquet() -> &'static Data {
    static DATA: OnceLock<Data> = OnceLock::new();
    DATA.get_or_init(|| {
        let folder = folder("parquet");
        let mut model = template(3);
        let mut files = Vec::new();
        for file in 0..N_FILES {
            let path = folder.join(format!("{file}.parquet"));
            let mut random = Random(file);
            let mut writer: Option<ArrowWriter<File>> = None;
            for _ in 0..N_BATCHES {
                let batch = batch(&mut random, BATCH, &mut model);
                let writer = writer.get_or_insert_with(|| parquet_writer(&path, &batch));
                writer.write(&batch).unwrap();
            }
            writer.unwrap().close().unwrap();
            files.push(path);
        }
        Data {
            pattern: folder.join("*.parquet").display().to_string(),
            files,
            model: model.to_bytes().unwrap(),
        }
    })
}

/// 400,000 rows of one number in eight files.
pub(crate) fn csv() -> &'static Data {
    static DATA: OnceLock<Data> = OnceLock::new();
    DATA.get_or_init(|| {
        let folder = folder("csv");
        let mut model = template(1);
        let mut files = Vec::new();
        for file in 0..N_FILES {
            let path = folder.join(format!("{file}.csv"));
            let mut writer = BufWriter::new(File::create(&path).unwrap());
            writeln!(writer, "y,x1").unwrap();
            let mut random = Random(100 + file);
            for _ in 0..N_BATCHES {
                let mut labels = Vec::with_capacity(BATCH);
                let mut rows = Array2::zeros((BATCH, 1));
                for row in &mut rows {
                    let number = random.next();
                    let (thousandths, label) = (number >> 44, CLASSES[(number % 3) as usize]);
                    writeln!(writer, "{label},{}.{:03}", thousandths / 1000, thousandths % 1000).unwrap();
                    *row = thousandths as f64 / 1000.0;
                    labels.push(label.to_owned());
                }
                model.update(&rows, &labels).unwrap();
            }
            writer.flush().unwrap();
            files.push(path);
        }
        Data { pattern: folder.join("*.csv").display().to_string(), files, model: model.to_bytes().unwrap() }
    })
}

/// This many rows of this many columns as a Parquet file, and their model.
pub(crate) fn wide(n_rows: usize, n_columns: usize) -> Data {
    let path = folder("wide").join(format!("{n_columns}.parquet"));
    let mut random = Random(n_columns as u64);
    let rows = Array2::from_shape_simple_fn((n_rows, n_columns), || 1e6 * random.unit());
    let labels: Vec<String> = (0..n_rows).map(|row| CLASSES[row % 3].to_owned()).collect();
    let mut model = template(n_columns);
    model.update(&rows, &labels).unwrap();
    let columns = rows.columns().into_iter().enumerate().map(|(place, column)| {
        let cells: ArrayRef = Arc::new(Float64Array::from_iter_values(column.iter().copied()));
        (format!("x{}", place + 1), cells)
    });
    let labels: ArrayRef = Arc::new(StringArray::from(labels));
    let batch = RecordBatch::try_from_iter([("y".to_owned(), labels)].into_iter().chain(columns)).unwrap();
    let mut writer = parquet_writer(&path, &batch);
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    Data { pattern: path.display().to_string(), files: vec![path], model: model.to_bytes().unwrap() }
}

/// A model without rows for columns x1, x2, and so on.
fn template(n_columns: usize) -> Model {
    let names: Vec<String> = (1..=n_columns).map(|place| format!("x{place}")).collect();
    let columns: Vec<_> = names.iter().map(|name| (name.as_str(), &DataType::Float64)).collect();
    Design::default().template("y", &columns).unwrap()
}

/// Some rows, which the model learns from, too.
fn batch(random: &mut Random, n_rows: usize, model: &mut Model) -> RecordBatch {
    let mut labels = Vec::with_capacity(n_rows);
    let mut rows = Array2::zeros((n_rows, 3));
    for mut row in rows.rows_mut() {
        let class = (random.next() % 3) as usize;
        row[0] = 1e9 + random.unit() + class as f64;
        row[1] = random.unit() - 0.5;
        row[2] = random.unit() * random.unit() * 1e-3;
        labels.push(CLASSES[class].to_owned());
    }
    model.update(&rows, &labels).unwrap();
    let column = |place: usize| -> ArrayRef {
        Arc::new(Float64Array::from_iter_values(rows.column(place).iter().copied()))
    };
    let labels: ArrayRef = Arc::new(StringArray::from(labels));
    RecordBatch::try_from_iter([("y", labels), ("x1", column(0)), ("x2", column(1)), ("x3", column(2))])
        .unwrap()
}

fn parquet_writer(path: &Path, batch: &RecordBatch) -> ArrowWriter<File> {
    let properties = WriterProperties::builder()
        .set_compression(Compression::UNCOMPRESSED)
        .set_dictionary_enabled(false)
        .set_max_row_group_row_count(Some(2 * BATCH))
        .build();
    ArrowWriter::try_new(File::create(path).unwrap(), batch.schema(), Some(properties)).unwrap()
}

/// A folder below the build's own for temporary files, so that there is one copy of the data and not one for
/// each run.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cluster").join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}
