//! What cannot be learnt from, or answered, is said by name.

use crate::support::{Tested, context, failure};

#[tokio::test]
async fn what_cannot_be_learnt_from_is_refused_by_name() -> Tested {
    let context = context(2, 8192);
    context
        .sql("CREATE TABLE t AS SELECT * FROM (VALUES ('a', 1.0, 'u', 1, 9007199254740993), ('b', 2.0, 'v', 2, 2), \
              (NULL, 3.0, 'w', 3, 3)) AS t (y, x, s, w, id)")
        .await?;
    context.sql("CREATE TABLE ok AS SELECT * FROM t WHERE y IS NOT NULL").await?;
    for (query, said) in [
        (
            "SELECT nb_fit(y, x) FROM t",
            "a row has no label (NULL); leave such rows out with WHERE label IS NOT NULL",
        ),
        ("SELECT nb_fit(y) FROM t", "nb_fit(label, feature, ...) needs at least 2 arguments"),
        (
            "SELECT nb_fit(x / 4, w) FROM t",
            "0.25 cannot be a label or a category, which are texts, whole numbers",
        ),
        ("SELECT nb_fit(DATE '2026-01-01', w) FROM t", "the label has the type Date32; labels are texts"),
        (
            "SELECT nb_fit(y, x, DATE '2026-01-01') FROM t",
            "a feature has the type Date32, which is neither a number nor a text",
        ),
        (
            "SELECT nb_fit(y, id) FROM ok",
            "column \"id\" has the whole number 9007199254740993, which no double is equal to",
        ),
        ("SELECT nb_fit(y, x, x) FROM ok", "the name \"x\" is duplicated in the schema"),
        ("SELECT nb_fit(y, x / 0.0) FROM ok", "is infinite; clip or drop the row"),
        ("SELECT nb_fit_weighted(y, s, x) FROM ok", "the weight has the type Utf8, which is no number"),
        ("SELECT nb_fit_weighted(y, -1, x) FROM ok", "weight"),
        ("SELECT nb_fit_weighted(y, NULLIF(w, 2), x) FROM ok", "a weight is NULL; leave such rows out"),
        ("SELECT nb_fit_as('normal', y, 1, x) FROM ok", "there is no family \"normal\"; there are: gaussian"),
        (
            "SELECT nb_fit_as('{\"columns\": {\"q\": \"poisson\"}}', y, 1, x) FROM ok",
            "the design names the column \"q\", which is not among the features: x",
        ),
        ("SELECT nb_fit_as(s, y, 1, x) FROM ok", "the first argument of nb_fit_as, is a constant"),
        ("SELECT nb_fit_as('poisson', y, 1, s) FROM ok", "column \"s\" has the type"),
        ("SELECT nb_fit_as('multinomial', y, 1, 0 - x) FROM ok", "is negative; counts start at 0"),
        ("SELECT nb_fit_as('{\"missing_is_error\": true}', y, 1, NULLIF(x, 2)) FROM ok", "is missing"),
        ("SELECT nb_fit(DISTINCT y, x) FROM ok", "DISTINCT is not possible with nb_fit"),
        ("SELECT nb_fit_weighted(y, NULL, x) FROM ok", "a weight is NULL; leave such rows out"),
        ("SELECT nb_merge(s) FROM ok", "nb_merge takes one column of models, which are binary"),
        ("SELECT nb_merge(X'00') FROM ok", "a stored model cannot be read"),
        (
            "SELECT nb_merge(m) FROM (SELECT nb_fit(y, x) AS m FROM ok UNION ALL SELECT nb_fit(y, w) FROM ok)",
            "column 0 is \"x, numeric\" in one schema and \"w, numeric\" in the other",
        ),
    ] {
        let error = failure(&context, query).await;
        assert!(error.contains(said), "{query}\n{error}");
    }
    Ok(())
}

#[tokio::test]
async fn what_cannot_be_answered_is_refused_by_name() -> Tested {
    let context = context(1, 8192);
    context.sql("CREATE TABLE t AS SELECT * FROM (VALUES ('a', 1.0, 'u'), ('b', 2.0, 'v'), ('b', 4.0, 'u')) AS t (y, x, s)").await?;
    context.sql("CREATE TABLE m AS SELECT nb_fit(y, x, s) AS model FROM t").await?;
    for (answer, said) in [
        ("nb_predict(model)", "nb_predict(model, feature, ...) needs more arguments"),
        ("nb_explain(model, 'a', x, s)", "the model has no class \"1\"; it has a, b"),
        ("nb_predict(model, x)", "there are 1 features, but the model has 2"),
        (
            "nb_predict(model, s, x)",
            "feature 1 is the column \"s\", which is feature 2 of the model; give them in its order: x, s",
        ),
        ("nb_posterior(model, 'c', x, s)", "the model has no class \"c\"; it has a, b"),
        ("nb_predict(x, x, s)", "the model, the first argument of nb_predict, has the type Float64"),
        ("nb_predict(s, x, s)", "a column of names of models cannot be used"),
        ("nb_predict(model, 1e300, s)", "column \"x\": "),
        ("nb_predict(model, s || 'q', s)", "column \"x\" has the type Utf8"),
    ] {
        let error = failure(&context, &format!("SELECT {answer} FROM t, m")).await;
        assert!(error.contains(said), "{answer}\n{error}");
    }
    Ok(())
}
