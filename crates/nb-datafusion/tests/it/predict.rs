//! Scoring is a query.

use datafusion::arrow::array::{Array, AsArray, Float64Array};
use nb_datafusion::{Models, Wanted, predict_frame, register};

use crate::support::{Rows, Tested, context, failure, model, texts};

#[tokio::test]
async fn answers_are_those_of_the_classifier() -> Tested {
    let rows = Rows::new(700, 5);
    // One partition, so that rows stay in the order of the table.
    let mut context = context(1, 100);
    rows.register(&context, "t", 1, 8);
    let fitted =
        model(&context, r#"SELECT nb_fit_as('{"columns": {"n": "poisson"}}', y, 1, x, z, colour, n) FROM t"#)
            .await?;
    let models = Models::default();
    models.insert("mine", &fitted)?;
    register(&mut context, &models)?;
    let classifier = fitted.classifier()?;
    let cells = rows.cells();
    let labels = texts(&context, "SELECT nb_predict('mine', x, z, colour, n) FROM t").await?;
    assert_eq!(labels, classifier.predict(&cells)?);

    let log_posteriors = classifier.predict_log_proba(&cells)?;
    let posteriors = classifier.predict_proba(&cells)?;
    for (function, expected) in [("nb_log_posterior", &log_posteriors), ("nb_posterior", &posteriors)] {
        for (class, label) in classifier.classes().iter().enumerate() {
            let query = format!("SELECT {function}('mine', '{label}', x, z, colour, n) FROM t");
            let answers = context.sql(&query).await?.collect().await?;
            let answers: Vec<f64> = answers
                .iter()
                .flat_map(|batch| {
                    batch
                        .column(0)
                        .as_any()
                        .downcast_ref::<Float64Array>()
                        .expect("numbers")
                        .values()
                        .to_vec()
                })
                .collect();
            assert_eq!(answers, expected.column(class).to_vec(), "{query}");
        }
    }
    let frame =
        predict_frame(context.table("t").await?, &["w"], &fitted, Wanted { proba: true, log_proba: true })?;
    let batches = frame.collect().await?;
    let names: Vec<_> = batches[0].schema().fields().iter().map(|field| field.name().clone()).collect();
    assert_eq!(
        names,
        ["w", "predicted_y", "p(maybe)", "p(no)", "p(yes)", "log_p(maybe)", "log_p(no)", "log_p(yes)"]
    );
    let mut first = 0;
    for batch in &batches {
        for (column, expected) in [(2, &posteriors), (5, &log_posteriors)] {
            for class in 0..3 {
                let answers =
                    batch.column(column + class).as_any().downcast_ref::<Float64Array>().expect("numbers");
                let own = expected.slice(ndarray::s![first..first + batch.num_rows(), class]);
                assert_eq!(answers.values().to_vec(), own.to_vec());
            }
        }
        assert_eq!(
            batch.column(1).as_string::<i32>().iter().flatten().collect::<Vec<_>>(),
            labels[first..first + batch.num_rows()]
        );
        first += batch.num_rows();
    }
    assert_eq!(first, 700);
    Ok(())
}

#[tokio::test]
async fn explanations_add_up() -> Tested {
    let rows = Rows::new(300, 6);
    let context = context(1, 8192);
    rows.register(&context, "t", 1, 9);
    context.sql("CREATE TABLE m AS SELECT nb_fit(y, x, colour) AS model FROM t").await?;
    let query = "SELECT nb_explain(model, 'yes', 'no', x, colour) AS terms, \
                 nb_log_posterior(model, 'yes', x, colour) - nb_log_posterior(model, 'no', x, colour) AS odds FROM t, m";
    let batches = context.sql(query).await?.collect().await?;
    let mut n_rows = 0;
    for batch in &batches {
        let (lists, odds) = (
            batch.column(0).as_list::<i32>(),
            batch.column(1).as_any().downcast_ref::<Float64Array>().expect("numbers"),
        );
        for row in 0..batch.num_rows() {
            let terms = lists.value(row);
            let terms = terms.as_struct();
            let names: Vec<_> = terms.column(0).as_string::<i32>().iter().collect();
            assert_eq!(names, [None, Some("x"), Some("colour")]);
            let terms = terms.column(1).as_any().downcast_ref::<Float64Array>().expect("numbers");
            let sum: f64 = terms.values().iter().sum();
            assert!(
                (sum - odds.value(row)).abs() < 1e-9 * (1.0 + odds.value(row).abs()),
                "{sum} {}",
                odds.value(row)
            );
            n_rows += 1;
        }
    }
    assert_eq!(n_rows, 300);
    Ok(())
}

#[tokio::test]
async fn every_row_may_have_its_own_model() -> Tested {
    let context = context(2, 16);
    context
        .sql("CREATE TABLE t AS SELECT value % 4 AS customer, CASE WHEN value % 3 = 0 THEN 'a' ELSE 'b' END AS y, \
              value % 3 + (value % 4) * CASE WHEN value % 3 = 0 THEN 10.0 ELSE -10.0 END AS x FROM generate_series(1, 240)")
        .await?;
    context
        .sql("CREATE TABLE models AS SELECT customer, nb_fit(y, x) AS model FROM t GROUP BY customer")
        .await?;
    let own =
        "SELECT y, nb_predict(model, x) AS own, t.customer FROM t JOIN models m ON t.customer = m.customer";
    let wrong =
        texts(&context, &format!("SELECT count(*) FROM ({own}) WHERE y <> own AND customer <> 0")).await?;
    assert_eq!(wrong, ["0"], "customers but the first are easy to tell apart");
    let missing = texts(&context, "SELECT nb_predict(CAST(NULL AS BYTEA), 1.0)").await?;
    assert_eq!(missing, [""], "no model, no answer");
    let empty = texts(&context, "SELECT nb_fit(y, x) IS NULL FROM t WHERE x > 1e9").await?;
    assert_eq!(empty, ["true"], "no rows, no model");
    Ok(())
}

#[tokio::test]
async fn models_come_by_bytes_name_and_file() -> Tested {
    let mut context = context(1, 8192);
    let models = Models::default();
    register(&mut context, &models)?;
    context.sql("CREATE TABLE t AS SELECT * FROM (VALUES ('a', 1.0), ('a', 2.0), ('b', 8.0), ('b', 9.5)) AS t (y, x)").await?;
    let fitted = model(&context, "SELECT nb_fit(y, x) FROM t").await?;
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("it's a model.nb");
    fitted.save(&path)?;
    let path = path.display().to_string().replace('\'', "''");
    assert_eq!(texts(&context, &format!("SELECT nb_predict('{path}', 8.5)")).await?, ["b"]);
    let json = folder.path().join("model.json");
    fitted.save_json(&json)?;
    assert_eq!(texts(&context, &format!("SELECT nb_predict('{}', 8.5)", json.display())).await?, ["b"]);

    let error = failure(&context, "SELECT nb_predict('churn', 8.5)").await;
    assert!(
        error.contains("\"churn\" is neither the name of a registered model nor a model file"),
        "{error}"
    );
    models.insert("churn", &fitted)?;
    assert_eq!(texts(&context, "SELECT nb_predict('churn', 1.5)").await?, ["a"]);
    assert!(models.remove("churn") && !models.remove("churn"));
    let error = failure(&context, "SELECT nb_predict(X'0102', 8.5)").await;
    assert!(error.contains("the model cannot be read: "), "{error}");
    Ok(())
}
