//! Features in lists, and tables with one line per cell.

use nb_core::{Multinomial, Prior};
use nb_datafusion::{Long, fit_long};
use nb_io::{Family, Model, Schema};

use crate::support::{Numbers, Tested, context, failure, model, texts};

/// A model without rows, in which `terms` are counted.
fn template(terms: &[&str]) -> Result<Model, nb_io::ModelError> {
    Model::new(
        Schema::numeric(terms.iter().copied(), "y"),
        Family::Multinomial(Multinomial::default()),
        Prior::Empirical,
    )
}

fn hex(model: &Model) -> Result<String, nb_io::SaveError> {
    let bytes = model.to_bytes()?;
    Ok(bytes.iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}")))
}

#[tokio::test]
async fn a_list_is_as_good_as_columns() -> Tested {
    let context = context(3, 7);
    context
        .sql("CREATE TABLE t AS SELECT CASE WHEN value % 2 = 0 THEN 'a' ELSE 'b' END AS y, value / 8.0 AS x1, \
              1e9 + value AS x2, CASE WHEN value % 5 = 0 THEN NULL ELSE value * 3.0 END AS x3 FROM generate_series(1, 100)")
        .await?;
    let columns = model(&context, "SELECT nb_fit(y, x1, x2, x3) FROM t").await?;
    for list in [
        "[x1, x2, x3]",
        "arrow_cast([x1, x2, x3], 'FixedSizeList(3, Float64)')",
        "arrow_cast([x1, x2, x3], 'LargeList(Float64)')",
    ] {
        let lists =
            model(&context, &format!("SELECT nb_fit(y, f) FROM (SELECT y, {list} AS f FROM t)")).await?;
        assert!(lists.stats() == columns.stats(), "{list}");
        assert_eq!(lists.schema().columns[2].name, "f[3]");
    }
    let error =
        failure(&context, "SELECT nb_fit(y, CASE WHEN x1 > 1 THEN [x1] ELSE [x1, x2] END) FROM t").await;
    assert!(error.contains("a list of features has 1 numbers instead of 2"), "{error}");
    Ok(())
}

#[tokio::test]
async fn sparse_lists_name_features_or_count_them() -> Tested {
    let context = context(2, 2);
    let empty = template(&["free", "see", "you"])?;
    let fit = |features: &str| {
        format!("SELECT nb_fit_as(X'{}', y, 1, {features}, n) FROM t", hex(&empty).expect("bytes"))
    };
    context
        .sql(
            "CREATE TABLE t AS SELECT * FROM (VALUES ('spam', ['free', 'you'], [0, 2], [2.0, 1.0]), \
              ('ham', ['you', 'see'], [2, 1], [1.0, 4.0]), ('ham', [], [], [])) AS t (y, words, places, n)",
        )
        .await?;
    let words = model(&context, &fit("words")).await?;
    let places = model(&context, &fit("places")).await?;
    assert!(words == places);
    let mut alone = empty.clone();
    let labels = ["spam", "ham", "ham"].map(String::from);
    alone.update(&ndarray::array![[2.0, 0.0, 1.0], [0.0, 4.0, 1.0], [0.0, 0.0, 0.0]], &labels)?;
    assert_eq!(words.to_bytes()?, alone.to_bytes()?);

    let predicted =
        texts(&context, &format!("SELECT nb_predict(X'{}', ['free'], [3.0])", hex(&words)?)).await?;
    assert_eq!(predicted, ["spam"]);
    for (features, said) in [
        ("['free', 'free']", "feature \"free\" twice, with 1 and with 2"),
        ("['free', 'prize']", "the model has no feature \"prize\""),
        ("[0, 3]", "there is no feature 3; the model has those from 0 to 2"),
        ("['free']", "a row has 1 features and 2 numbers"),
        ("['free', NULL]", "a list of features has a NULL in it"),
    ] {
        let query = format!("SELECT nb_predict(X'{}', {features}, [1.0, 2.0])", hex(&words)?);
        let error = failure(&context, &query).await;
        assert!(error.contains(said), "{error}");
    }
    Ok(())
}

#[tokio::test]
async fn lines_of_cells_are_put_together_to_rows() -> Tested {
    const N_ROWS: u64 = 300;
    let context = context(4, 64);
    let terms: Vec<String> = (0..50).map(|term| format!("term {term:02}")).collect();
    let terms: Vec<&str> = terms.iter().map(String::as_str).collect();
    let empty = template(&terms)?;
    let (mut numbers, mut cells, mut of_rows) = (Numbers(9), Vec::new(), Vec::new());
    let mut table = ndarray::Array2::zeros((N_ROWS as usize, terms.len()));
    for row in 0..N_ROWS {
        of_rows.push(format!("({row}, {}, {})", row % 3, 0.25 * (1 + row % 4) as f64));
        // Row 0 has no cells.
        for _ in 0..row.min(8) {
            let (term, count) = (numbers.below(50) as usize, (1 + numbers.below(4)) as f64);
            if table[(row as usize, term)] == 0.0 {
                table[(row as usize, term)] = count;
                cells.push(format!(
                    "({row}, {}, {}, '{}', {count:?})",
                    row % 3,
                    0.25 * (1 + row % 4) as f64,
                    terms[term]
                ));
            }
        }
    }
    // Lines of one row far from one another.
    cells.sort_by_key(|cell| cell.chars().rev().collect::<String>());
    context
        .sql(&format!(
            "CREATE TABLE cells AS SELECT * FROM (VALUES {}) AS t (doc, kind, w, word, n)",
            cells.join(", ")
        ))
        .await?;
    context
        .sql(&format!(
            "CREATE TABLE docs AS SELECT * FROM (VALUES {}) AS t (doc, kind, w)",
            of_rows.join(", ")
        ))
        .await?;
    let labels: Vec<String> = (0..N_ROWS).map(|row| (row % 3).to_string()).collect();
    let weights: Vec<f64> = (0..N_ROWS).map(|row| 0.25 * (1 + row % 4) as f64).collect();
    let long = Long { row: "doc", feature: "word", value: "n", label: "kind", weight: None };

    let mut alone = empty.clone();
    alone.update(&table, &labels)?;
    let fitted =
        fit_long(context.table("cells").await?, Some(context.table("docs").await?), long, &empty).await?;
    assert_eq!(fitted.to_bytes()?, alone.to_bytes()?);

    let mut alone = empty.clone();
    alone.update_weighted(&table, &labels, &weights)?;
    let weighted = Long { weight: Some("w"), ..long };
    let fitted =
        fit_long(context.table("cells").await?, Some(context.table("docs").await?), weighted, &empty).await?;
    assert_eq!(fitted.to_bytes()?, alone.to_bytes()?);

    // Without a table of labels, row 0 is not there.
    let mut alone = empty.clone();
    alone.update(&table.slice(ndarray::s![1.., ..]), &labels[1..])?;
    let fitted = fit_long(context.table("cells").await?, None, long, &empty).await?;
    assert_eq!(fitted.to_bytes()?, alone.to_bytes()?);
    Ok(())
}

#[tokio::test]
async fn lines_that_contradict_one_another_are_refused() -> Tested {
    let context = context(2, 64);
    let empty = template(&["a", "b"])?;
    let long = Long { row: "doc", feature: "word", value: "n", label: "kind", weight: None };
    for (cells, labels, said) in [
        (
            "(1, 'x', 'a', 1.0), (1, 'y', 'b', 1.0)",
            None,
            "row 1 has the label or weight x in one line and y in another",
        ),
        ("(1, 'x', 'a', 1.0), (1, 'x', 'a', 2.0)", None, "a row has feature \"a\" twice, with 1 and with 2"),
        ("(NULL, 'x', 'a', 1.0), (1, 'x', 'a', 2.0)", None, "does not say to which row it belongs"),
        ("(1, 'x', 'a', 1.0), (2, 'x', 'a', 2.0)", Some("(1, 'x')"), "or this row has no label"),
        (
            "(1, 'x', 'a', 1.0)",
            Some("(1, 'x'), (1, 'z')"),
            "row 1 has the label or weight x in one line and z in another",
        ),
        ("(1, 'x', 'a', 1.0)", Some("(1, CAST(NULL AS VARCHAR))"), "a row has no label (NULL)"),
        ("(1, 'x', 'a', -1.0)", None, "column \"a\" of a row with the label \"x\": -1 is negative"),
    ] {
        let cells = context.sql(&format!("SELECT * FROM (VALUES {cells}) AS t (doc, kind, word, n)")).await?;
        let labels = match labels {
            Some(labels) => {
                Some(context.sql(&format!("SELECT * FROM (VALUES {labels}) AS t (doc, kind)")).await?)
            }
            None => None,
        };
        // The cells' own labels would stand beside those of the other table.
        let cells = if labels.is_some() { cells.drop_columns(&["kind"])? } else { cells };
        let error = fit_long(cells, labels, long, &empty).await.expect_err(said).to_string();
        assert!(error.contains(said), "{error}");
    }
    Ok(())
}

#[tokio::test]
async fn lists_have_no_categories() -> Tested {
    let context = context(1, 64);
    context.sql("CREATE TABLE t AS SELECT 'a' AS y, [1, 2] AS f").await?;
    let error = failure(&context, "SELECT nb_fit_as('categorical', y, 1, f) FROM t").await;
    assert!(error.contains("column \"f[1]\" has categories, but features in lists are numbers"), "{error}");
    let error = failure(&context, "SELECT nb_fit(y, f, f) FROM t").await;
    assert!(error.contains("need a model without rows as their design"), "{error}");
    Ok(())
}
