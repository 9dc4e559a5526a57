//! The types of columns of Parquet and Arrow files.

use std::{fs::File, path::PathBuf, sync::Arc};

use arrow_array::{types::*, *};
use arrow_schema::{DataType, Field};
use nb_io::{
    Kind, Schema,
    read::{Arrow, Csv, KindChoice, Overrides, Reason, TableOptions},
};

use crate::{chunks, dense, only_chunk};

fn temporary(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("nb-io-types-{}-{name}", std::process::id()))
}

/// Columns with a column of labels, as Parquet and as Arrow.
fn files(name: &str, columns: Vec<(&str, ArrayRef)>) -> Vec<PathBuf> {
    let n_rows = columns[0].1.len();
    let labels: ArrayRef =
        Arc::new(StringArray::from_iter_values((0..n_rows).map(|row| ["a", "b"][row % 2])));
    let batch = RecordBatch::try_from_iter(columns.into_iter().chain([("y", labels)])).unwrap();
    let arrow = temporary(&format!("{name}.arrow"));
    let mut writer =
        arrow_ipc::writer::FileWriter::try_new(File::create(&arrow).unwrap(), &batch.schema()).unwrap();
    writer.write(&batch).unwrap();
    writer.finish().unwrap();
    let parquet = temporary(&format!("{name}.parquet"));
    let file = File::create(&parquet).unwrap();
    let Ok(mut writer) = parquet::arrow::ArrowWriter::try_new(file, batch.schema(), None) else {
        return vec![arrow];
    };
    // Parquet has no durations and half floats in all versions.
    if writer.write(&batch).is_err() || writer.close().is_err() {
        return vec![arrow];
    }
    vec![arrow, parquet]
}

/// The reason and the cells of the only column, which must be the same in all files.
fn read(name: &str, column: ArrayRef) -> (Reason, Vec<Option<f64>>) {
    let mut found = Vec::new();
    for path in files(name, vec![("x", column)]) {
        let inferred = Arrow::default().infer(&path, "y", &Overrides::default()).unwrap();
        let chunk = only_chunk(&mut Arrow::default().read(&path, &inferred.schema).unwrap());
        let cells = dense(&chunk.rows).iter().map(|&cell| (!cell.is_nan()).then_some(cell)).collect();
        assert_eq!(inferred.schema, Schema::numeric(["x"], "y"));
        found.push((inferred.columns[0].reason.clone(), cells));
        std::fs::remove_file(path).unwrap();
    }
    assert!(found.iter().all(|(_, cells)| *cells == found[0].1), "{found:?}");
    found.remove(0)
}

/// Columns are judged as those of delimited text.
#[test]
fn columns_that_say_nothing_of_other_rows_are_known() {
    let n_rows = 40_i64;
    let whole =
        |value: fn(i64) -> i64| Arc::new(Int64Array::from_iter_values((0..n_rows).map(value))) as ArrayRef;
    let texts =
        |text: fn(i64) -> String| Arc::new(StringArray::from_iter_values((0..n_rows).map(text))) as ArrayRef;
    let columns = vec![
        ("index", whole(|row| row)),
        ("customer_id", whole(|row| 1000 + row * 37 % 400)),
        ("store_id", whole(|row| row % 3)),
        ("year", whole(|_| 2024)),
        ("ticket", texts(|row| format!("T{row}"))),
        ("country", texts(|_| "NZ".into())),
        ("nothing", Arc::new(Float64Array::from(vec![None::<f64>; 40])) as ArrayRef),
    ];
    for path in files("judged", columns) {
        let inferred = Arrow::default().infer(&path, "y", &Overrides::default()).unwrap();
        let reasons: Vec<String> = inferred.columns.iter().map(|column| column.reason.to_string()).collect();
        assert_eq!(
            reasons,
            [
                "it numbers or names the rows",
                "an identifier, by its name and whole numbers",
                "the file says Int64",
                "all values are 2024",
                "40 different texts in 40 cells, as identifiers are",
                "all values are \"NZ\"",
                "no cell has a value",
            ]
        );
        let overrides = Overrides::default().with("index", KindChoice::Numeric);
        let inferred = Arrow::default().infer(&path, "y", &overrides).unwrap();
        assert_eq!(inferred.columns[0].reason, Reason::Override);
        std::fs::remove_file(path).unwrap();
    }
}

/// Truth values are the categories that they are in delimited text; a column of numbers has them as 0 and 1.
#[test]
fn truth_values_are_categories() {
    let flags = || Arc::new(BooleanArray::from(vec![Some(true), Some(false), None, Some(true)])) as ArrayRef;
    let csv = "x,y\nTrue,a\nFalse,b\n,a\nTrue,b\n";
    let of_csv = Csv::default().infer_from(|| Ok(csv.as_bytes()), "t", "y", &Overrides::default()).unwrap();
    for path in files("flags", vec![("x", flags())]) {
        let inferred = Arrow::default().infer(&path, "y", &Overrides::default()).unwrap();
        assert_eq!(inferred.schema, of_csv.schema);
        let cells = |schema: &Schema| {
            let chunk = only_chunk(&mut Arrow::default().read(&path, schema).unwrap());
            dense(&chunk.rows).iter().map(|&cell| (!cell.is_nan()).then_some(cell)).collect::<Vec<_>>()
        };
        let expected = [Some(1.0), Some(0.0), None, Some(1.0)];
        assert_eq!(cells(&inferred.schema), expected);
        assert_eq!(cells(&Schema::numeric(["x"], "y")), expected);
        std::fs::remove_file(path).unwrap();
    }
}

#[test]
fn decimals_are_the_nearest_doubles() {
    let cells = |digits: &[i128], scale: i8| {
        let array = Decimal128Array::from(digits.to_vec()).with_precision_and_scale(38, scale).unwrap();
        read("decimal", Arc::new(array)).1.into_iter().flatten().collect::<Vec<_>>()
    };
    assert_eq!(cells(&[1, -3, 7], 1), [0.1, -0.3, 0.7]);
    let large = (1 << 53) + 1;
    assert_eq!(
        cells(&[large, large + 2, -large], 0),
        [9_007_199_254_740_992.0, 9_007_199_254_740_996.0, -9_007_199_254_740_992.0]
    );
    // The middle between two doubles and a little more, which a division of doubles would lose.
    assert_eq!(cells(&[large * 10_i128.pow(20) + 1, 1], 20), [9_007_199_254_740_994.0, 1e-20]);
    assert_eq!(cells(&[5, 12], 38), [5e-38, 1.2e-37]);

    let thousands = Decimal128Array::from(vec![Some(12), None]).with_precision_and_scale(9, -3).unwrap();
    let path = &files("negative", vec![("x", Arc::new(thousands))])[0];
    let inferred = Arrow::default().infer(path, "y", &Overrides::default()).unwrap();
    let chunk = only_chunk(&mut Arrow::default().read(path, &inferred.schema).unwrap());
    assert_eq!(dense(&chunk.rows)[[0, 0]], 12_000.0);
    assert!(dense(&chunk.rows)[[1, 0]].is_nan());

    let small = Decimal32Array::from(vec![Some(105), None]).with_precision_and_scale(9, 2).unwrap();
    assert_eq!(read("decimal32", Arc::new(small)).1, [Some(1.05), None]);
    let middle = Decimal64Array::from(vec![Some(105), None]).with_precision_and_scale(18, 3).unwrap();
    assert_eq!(read("decimal64", Arc::new(middle)).1, [Some(0.105), None]);
    let wide = i256("123456789012345678901234567890123456789012345678901234567890");
    let wide = Decimal256Array::from(vec![wide]).with_precision_and_scale(76, 50).unwrap();
    assert_eq!(read("decimal256", Arc::new(wide)).1, [Some(1_234_567_890.123_456_8)]);
}

fn i256(digits: &str) -> <Decimal256Type as ArrowPrimitiveType>::Native {
    digits.parse().unwrap()
}

#[test]
fn dates_and_times_are_days() {
    let dates: [(&str, ArrayRef); 6] = [
        ("date32", Arc::new(Date32Array::from(vec![Some(19_727), None, Some(-1)]))),
        ("date64", Arc::new(Date64Array::from(vec![Some(19_727 * 86_400_000), None, Some(-86_400_000)]))),
        ("seconds", Arc::new(TimestampSecondArray::from(vec![Some(19_727 * 86_400), None, Some(-86_400)]))),
        (
            "millis",
            Arc::new(
                TimestampMillisecondArray::from(vec![Some(19_727 * 86_400_000), None, Some(-86_400_000)])
                    .with_timezone("Europe/Berlin"),
            ),
        ),
        (
            "micros",
            Arc::new(
                TimestampMicrosecondArray::from(vec![
                    Some(19_727 * 86_400_000_000),
                    None,
                    Some(-86_400_000_000),
                ])
                .with_timezone("+02:00"),
            ),
        ),
        (
            "nanos",
            Arc::new(TimestampNanosecondArray::from(vec![
                Some(19_727 * 86_400_000_000_000),
                None,
                Some(-86_400_000_000_000),
            ])),
        ),
    ];
    for (name, array) in dates {
        assert_eq!(read(name, array), (Reason::Dates, vec![Some(19_727.0), None, Some(-1.0)]), "{name}");
    }
    let fraction = TimestampNanosecondArray::from(vec![1 << 62]);
    assert_eq!(read("fraction", Arc::new(fraction)).1, [Some(53_375.995_583_650_32)]);
    let times: [(&str, ArrayRef); 4] = [
        ("time32 s", Arc::new(Time32SecondArray::from(vec![43_200]))),
        ("time32 ms", Arc::new(Time32MillisecondArray::from(vec![43_200_000]))),
        ("time64 us", Arc::new(Time64MicrosecondArray::from(vec![43_200_000_000]))),
        ("time64 ns", Arc::new(Time64NanosecondArray::from(vec![43_200_000_000_000]))),
    ];
    for (name, array) in times {
        let (reason, cells) = read(name, array);
        assert!(matches!(reason, Reason::Type(_)), "{reason}");
        assert_eq!(cells, [Some(0.5)], "{name}");
    }
    assert_eq!(
        read("duration", Arc::new(DurationMillisecondArray::from(vec![Some(129_600_000), None]))).1,
        [Some(1.5), None]
    );
}

/// Identifiers, labels and categories are what people read.
#[test]
fn dates_and_decimals_have_texts() {
    let day: ArrayRef = Arc::new(Date32Array::from(vec![19_727, 0]));
    let at: ArrayRef = Arc::new(TimestampMillisecondArray::from(vec![1500, -1]).with_timezone("UTC"));
    let price: ArrayRef =
        Arc::new(Decimal128Array::from(vec![1050, -5]).with_precision_and_scale(10, 3).unwrap());
    let path = &files("texts", vec![("day", day), ("at", at), ("price", price)])[1];
    let overrides = ["at", "price"]
        .into_iter()
        .fold(Overrides::default(), |overrides, name| overrides.with(name, KindChoice::Categorical));
    let inferred = Arrow::default().infer(path, "y", &overrides).unwrap();
    let levels = |levels: [&str; 2]| Kind::Categorical { levels: levels.map(String::from).into() };
    assert_eq!(
        inferred.schema.columns[1].kind,
        levels(["1969-12-31T23:59:59.999Z", "1970-01-01T00:00:01.5Z"])
    );
    assert_eq!(inferred.schema.columns[2].kind, levels(["-0.005", "1.05"]));
    let table = TableOptions::default().with_ids(vec!["day".into()]);
    let chunk = only_chunk(&mut Arrow::default().with_table(table).read(path, &inferred.schema).unwrap());
    assert_eq!(chunk.ids, [["2024-01-05", "1970-01-01"]]);
    let labelled = Arrow::default().read(path, &Schema::numeric(["price"], "day")).unwrap();
    assert_eq!(only_chunk(&mut { labelled }).labels.unwrap(), ["2024-01-05", "1970-01-01"]);
}

#[test]
fn other_types_are_numbers_and_texts() {
    let half = Float16Array::from(vec![Some(half(0x3E00)), None]);
    assert_eq!(read("half", Arc::new(half)).1, [Some(1.5), None]);
    assert_eq!(read("null", Arc::new(NullArray::new(2))).1, [None, None]);
    assert_eq!(
        read("u64", Arc::new(UInt64Array::from(vec![1 << 53, 3]))).1,
        [Some(9_007_199_254_740_992.0), Some(3.0)]
    );
    let keys = Int8Array::from(vec![Some(1), None, Some(0)]);
    let numbers: ArrayRef =
        Arc::new(DictionaryArray::new(keys.clone(), Arc::new(Float64Array::from(vec![0.5, 2.5]))));
    assert_eq!(read("numbers", numbers).1, [Some(2.5), None, Some(0.5)]);
    let days: ArrayRef =
        Arc::new(DictionaryArray::new(keys.clone(), Arc::new(Date32Array::from(vec![3, 4]))));
    assert_eq!(read("days", days), (Reason::Dates, vec![Some(4.0), None, Some(3.0)]));
    let texts: [ArrayRef; 3] = [
        Arc::new(StringViewArray::from(vec![Some("red"), None, Some("blue")])),
        Arc::new(LargeStringArray::from(vec![Some("red"), None, Some("blue")])),
        Arc::new(DictionaryArray::new(keys, Arc::new(LargeStringArray::from(vec!["blue", "red"])))),
    ];
    for array in texts {
        for path in files("colours", vec![("x", array)]) {
            let inferred = Arrow::default().infer(&path, "y", &Overrides::default()).unwrap();
            let levels = ["blue", "red"].map(String::from).into();
            assert_eq!(inferred.columns[0].kind, Kind::Categorical { levels });
        }
    }
}

fn half(bits: u16) -> <Float16Type as ArrowPrimitiveType>::Native {
    <Float16Type as ArrowPrimitiveType>::Native::from_bits(bits)
}

/// Lists with an element that is missing and a row without a list, with a slice of them and as every type of
/// list.
#[test]
fn lists_of_numbers_are_columns() {
    let floats = |rows: [Option<[Option<f32>; 2]>; 3]| rows.map(|row| row.map(Vec::from));
    let rows = floats([Some([Some(1.5), Some(2.0)]), None, Some([Some(3.0), None])]);
    let fixed = FixedSizeListArray::from_iter_primitive::<Float32Type, _, _>(rows.clone(), 2);
    let before = [Some(vec![Some(9.0), Some(9.0)])];
    let sliced = before.into_iter().chain(rows.clone());
    let sliced = FixedSizeListArray::from_iter_primitive::<Float32Type, _, _>(sliced, 2);
    let arrays: [ArrayRef; 4] = [
        Arc::new(fixed),
        Arc::new(sliced.slice(1, 3)),
        Arc::new(ListArray::from_iter_primitive::<Float32Type, _, _>(rows.clone())),
        Arc::new(LargeListArray::from_iter_primitive::<Float32Type, _, _>(rows)),
    ];
    for (place, list) in arrays.into_iter().enumerate() {
        let n: ArrayRef = Arc::new(Int32Array::from(vec![1, 2, 4]));
        let columns = vec![("n", n), ("emb", list)];
        for path in files(&format!("lists-{place}"), columns) {
            let inferred = Arrow::default().infer(&path, "y", &Overrides::default()).unwrap();
            assert_eq!(inferred.schema, Schema::numeric(["n", "emb[0]", "emb[1]"], "y"));
            let chunk = only_chunk(&mut Arrow::default().read(&path, &inferred.schema).unwrap());
            let nan = f64::NAN;
            let expected = ndarray::array![[1.0, 1.5, 2.0], [2.0, nan, nan], [4.0, 3.0, nan]];
            crate::assert_same(dense(&chunk.rows), &expected);
            assert_eq!(chunk.labels.unwrap(), ["a", "b", "a"]);
            // Elements can be chosen, in any order.
            let some = Schema::numeric(["emb[1]", "n"], "y");
            let chunk = only_chunk(&mut Arrow::default().read(&path, &some).unwrap());
            let expected = ndarray::array![[2.0, 1.0], [nan, 2.0], [nan, 4.0]];
            crate::assert_same(dense(&chunk.rows), &expected);
            std::fs::remove_file(path).unwrap();
        }
    }
}

#[test]
fn lists_of_other_lengths_and_of_texts_are_refused() {
    let rows = [3, 3, 2].map(|length| Some((0..length).map(Some).collect::<Vec<_>>()));
    let list: ArrayRef = Arc::new(ListArray::from_iter_primitive::<Int32Type, _, _>(rows));
    for path in files("ragged", vec![("emb", list)]) {
        let error = Arrow::default().infer(&path, "y", &Overrides::default()).unwrap_err().to_string();
        assert!(error.contains(", row 2, column \"emb\": \"[0, 1]\" has 2 elements"), "{error}");
        assert!(error.contains("the first list of the column has 3"), "{error}");
    }
    let field = Arc::new(Field::new("item", DataType::Utf8, true));
    let values: ArrayRef = Arc::new(StringArray::from(vec!["a", "b", "c", "d"]));
    let list: ArrayRef = Arc::new(FixedSizeListArray::new(field, 2, values, None));
    let path = &files("list", vec![("words", list)])[0];
    let error = Arrow::default().infer(path, "y", &Overrides::default()).unwrap_err().to_string();
    assert!(error.contains("column \"words\" has lists (FixedSizeList("), "{error}");
    assert!(error.ends_with("make a column of each element, or ignore the column"), "{error}");
}

#[test]
fn codecs_of_parquet() {
    use parquet::basic::{BrotliLevel, Compression, GzipLevel, ZstdLevel};
    let codecs = [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::GZIP(GzipLevel::default()),
        Compression::BROTLI(BrotliLevel::default()),
        Compression::LZ4,
        Compression::LZ4_RAW,
        Compression::ZSTD(ZstdLevel::default()),
    ];
    let length: ArrayRef = Arc::new((0..1000).map(|row| Some(f64::from(row % 7))).collect::<Float64Array>());
    let class: ArrayRef = Arc::new(StringArray::from_iter_values((0..1000).map(|row| ["a", "b"][row % 2])));
    let batch = RecordBatch::try_from_iter([("length", length), ("y", class)]).unwrap();
    for codec in codecs {
        let path = temporary("codec.parquet");
        let properties =
            parquet::file::properties::WriterProperties::builder().set_compression(codec).build();
        let file = File::create(&path).unwrap();
        let mut writer =
            parquet::arrow::ArrowWriter::try_new(file, batch.schema(), Some(properties)).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
        let mut reader = Arrow::default().read(&path, &Schema::numeric(["length"], "y")).unwrap();
        let n_rows: usize = chunks(&mut reader).unwrap().iter().map(|chunk| dense(&chunk.rows).nrows()).sum();
        assert_eq!(n_rows, 1000, "{codec}");
        std::fs::remove_file(path).unwrap();
    }
}
