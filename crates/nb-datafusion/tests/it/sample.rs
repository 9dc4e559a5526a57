//! Samples of tables.

use datafusion::{
    arrow::{array::AsArray, datatypes::Int64Type, record_batch::RecordBatch},
    prelude::{DataFrame, SessionContext, col, lit},
};
use nb_datafusion::{Models, Sampling, register, sample_frame};

fn context() -> SessionContext {
    let mut context = SessionContext::new();
    register(&mut context, &Models::default()).unwrap();
    context
}

/// 50,000 rows with few distinct cells. One row in a thousand has the class c.
async fn table(context: &SessionContext) -> DataFrame {
    let sql = "SELECT CASE WHEN x % 1000 = 7 THEN 'c' WHEN x % 2 = 0 THEN 'a' ELSE 'b' END AS y, nullif(x % 3, 1) AS x \
               FROM (SELECT unnest(range(50000)) AS x)";
    context.sql(sql).await.unwrap()
}

fn numbers(batches: &[RecordBatch], column: usize) -> Vec<i64> {
    let numbers = |batch: &RecordBatch| batch.column(column).as_primitive::<Int64Type>().values().to_vec();
    batches.iter().flat_map(numbers).collect()
}

#[tokio::test]
async fn a_share_of_the_rows_is_drawn_and_about_a_hundred_of_each_class() {
    let context = context();
    let counts = Sampling::query(table(&context).await, "y").unwrap().collect().await.unwrap();
    let sampling = Sampling::new(&counts, 2000).unwrap();
    assert_eq!(sampling.n_rows(), 50_000);
    let sample = sample_frame(table(&context).await, "y", &sampling).unwrap();
    let drawn = Sampling::query(sample.clone(), "y").unwrap().sort_by(vec![col("y")]);
    let [a, b, c] = numbers(&drawn.unwrap().collect().await.unwrap(), 1)[..] else { panic!("three classes") };
    assert!((800..1100).contains(&a) && (800..1100).contains(&b) && c == 50, "{a} {b} {c}");
    // Rows that are the same are drawn as often as others.
    let zero = sample.clone().filter(col("x").eq(lit(0))).unwrap();
    let share = zero.count().await.unwrap() as f64 / (a + b + c) as f64;
    assert!((0.28..0.39).contains(&share), "{share}");
}

#[tokio::test]
async fn the_same_table_has_the_same_sample_and_a_small_one_has_all_rows() {
    let context = context();
    let counts = Sampling::query(table(&context).await, "y").unwrap().collect().await.unwrap();
    let drawn = async |most_rows: usize| {
        let sampling = Sampling::new(&counts, most_rows).unwrap();
        let sample = sample_frame(table(&context).await, "y", &sampling).unwrap();
        let sample = sample.sort_by(vec![col("y"), col("x")]);
        sample.unwrap().collect().await.unwrap()
    };
    let n_rows = |batches: &[RecordBatch]| batches.iter().map(RecordBatch::num_rows).sum::<usize>();
    let (one, other) = (drawn(1000).await, drawn(1000).await);
    assert_eq!(n_rows(&one), n_rows(&other));
    assert_eq!(one, other);
    assert_eq!(n_rows(&drawn(50_000).await), 50_000);
}

#[tokio::test]
async fn what_is_no_share_is_refused() {
    let context = context();
    for call in ["nb_sample(0.5)", "nb_sample('half', 1)", "nb_sample()"] {
        let frame = context.sql(&format!("SELECT {call}")).await;
        let error = match frame {
            Ok(frame) => frame.collect().await.unwrap_err(),
            Err(error) => error,
        };
        assert!(error.to_string().contains("nb_sample"), "{call}: {error}");
    }
    let frame = table(&context).await;
    assert!(Sampling::query(frame, "z").is_err());
}
