//! The same bits, however the rows are spread.

use nb_core::{Blocks, Categorical, Categories, Gaussian, Missing, Poisson, Prior};
use nb_io::{Column, Family, Kind, Model, Schema};

use crate::support::{Rows, Tested, context, failure, model, texts};

/// The design of the model of all columns.
const DESIGN: &str = r#"{"columns": {"n": "poisson"}}"#;

/// The model of all columns, made by nb-core in one piece.
fn reference(rows: &Rows, weighted: bool) -> Result<Model, Box<dyn std::error::Error>> {
    let missing = Missing::Skip;
    let levels = ["blue", "green", "red", "ultramarine"].map(String::from).to_vec();
    let column = |name: &str, kind: Kind| Column { name: name.into(), kind };
    let schema = Schema {
        columns: vec![
            column("x", Kind::Numeric),
            column("z", Kind::Numeric),
            column("colour", Kind::Categorical { levels }),
            column("n", Kind::Count),
        ],
        label: "y".into(),
    };
    let categories = Categories::Declared(vec![4]);
    let unseen = nb_core::Unseen::Ignore;
    let family = Blocks::default()
        .with_same([0, 1], Family::Gaussian(Gaussian { missing, ..Gaussian::default() }))
        .with_same(
            [2],
            Family::Categorical(Categorical { categories, missing, unseen, ..Categorical::default() }),
        )
        .with_same([3], Family::Poisson(Poisson { missing, ..Poisson::default() }));
    let mut model = Model::new(schema, Family::Blocks(family), Prior::Empirical)?;
    if weighted {
        model.update_weighted(&rows.cells(), &rows.labels, &rows.weights)?;
    } else {
        model.update(&rows.cells(), &rows.labels)?;
    }
    Ok(model)
}

#[tokio::test]
async fn any_partitioning_gives_the_bytes_of_one_process() -> Tested {
    let rows = Rows::new(3000, 1);
    let (plain, weighted) = (reference(&rows, false)?.to_bytes()?, reference(&rows, true)?.to_bytes()?);
    for (partitions, batch_size) in [(1, 8192), (2, 100), (3, 1), (8, 1000)] {
        let context = context(partitions, batch_size);
        rows.register(&context, "t", partitions, 7 + partitions as u64);
        let query = format!("SELECT nb_fit_as('{DESIGN}', y, 1, x, z, colour, n) FROM t");
        assert!(model(&context, &query).await?.to_bytes()? == plain, "{partitions} partitions");
        let query = format!("SELECT nb_fit_as('{DESIGN}', y, w, x, z, colour, n) FROM t");
        assert!(model(&context, &query).await?.to_bytes()? == weighted, "{partitions} partitions, weighted");
    }
    Ok(())
}

#[tokio::test]
async fn models_of_groups_merge_to_that_of_all() -> Tested {
    let rows = Rows::new(2000, 2);
    let context = context(4, 128);
    rows.register(&context, "t", 4, 3);
    let fit = format!("nb_fit_as('{DESIGN}', y, w, x, z, colour, n)");
    let groups =
        texts(&context, &format!("SELECT count(*) FROM (SELECT {fit} FROM t GROUP BY colour, n)")).await?;
    assert_eq!(groups, ["40"], "8 counts and none, 4 colours and none: as many as there are");
    let merged = model(
        &context,
        &format!("SELECT nb_merge(m) FROM (SELECT {fit} AS m FROM t WHERE colour IS NOT NULL GROUP BY colour, n % 3)"),
    )
    .await?;
    let whole = model(&context, &format!("SELECT {fit} FROM t WHERE colour IS NOT NULL")).await?;
    assert!(merged == whole);
    Ok(())
}

#[tokio::test]
async fn rows_leave_a_window_without_a_trace() -> Tested {
    let context = context(1, 64);
    let windows = "SELECT nb_fit(y, x) OVER (ORDER BY k ROWS BETWEEN 9 PRECEDING AND CURRENT ROW) AS m, k \
                   FROM (SELECT value AS k, CASE WHEN value % 3 = 0 THEN 'a' ELSE 'b' END AS y, 1e9 + value / 7.0 AS x \
                   FROM generate_series(1, 300))";
    for k in [10, 57, 300] {
        let window = model(&context, &format!("SELECT m FROM ({windows}) WHERE k = {k}")).await?;
        let alone = model(
            &context,
            &format!(
                "SELECT nb_fit(y, x) FROM (SELECT CASE WHEN value % 3 = 0 THEN 'a' ELSE 'b' END AS y, \
                 1e9 + value / 7.0 AS x FROM generate_series({}, {k}))",
                k - 9
            ),
        )
        .await?;
        assert!(window == alone, "{k}");
    }
    Ok(())
}

#[tokio::test]
async fn categories_do_not_leave_a_window() -> Tested {
    let context = context(1, 64);
    let window = "OVER (ORDER BY value ROWS BETWEEN 2 PRECEDING AND CURRENT ROW)";
    let table = "(SELECT value, 'a' AS y, CAST(value AS VARCHAR) AS c FROM generate_series(1, 9))";
    let error = failure(&context, &format!("SELECT nb_fit(y, c) {window} FROM {table}")).await;
    assert!(error.contains("column \"c\" has categories, which cannot be forgotten"), "{error}");
    Ok(())
}

#[tokio::test]
async fn a_group_without_categories_merges_with_others() -> Tested {
    let context = context(3, 2);
    context
        .sql("CREATE TABLE t AS SELECT * FROM (VALUES (1, 'a', 'u', 1.0), (1, 'b', 'v', 2.0), (2, 'a', NULL, 3.0), \
              (2, 'b', NULL, 4.0), (3, 'b', 'w', 5.0)) AS t (g, y, c, x)")
        .await?;
    let groups = "(SELECT g, nb_fit(y, c, x) AS m FROM t GROUP BY g)";
    let whole = model(&context, "SELECT nb_fit(y, c, x) FROM t").await?.to_bytes()?;
    for order in ["g", "g DESC", "g % 2"] {
        let merged =
            model(&context, &format!("SELECT nb_merge(m) FROM (SELECT m FROM {groups} ORDER BY {order})"))
                .await?;
        assert!(merged.to_bytes()? == whole, "{order}");
    }
    let error = failure(&context, &format!("SELECT nb_predict(m, 'u', 1.0) FROM {groups} WHERE g = 2")).await;
    assert!(error.contains("the model cannot be fitted"), "{error}");
    Ok(())
}

#[tokio::test]
async fn expressions_have_the_names_of_their_places() -> Tested {
    let context = context(2, 8);
    context.sql("CREATE TABLE t AS SELECT 'a' AS y, 4.0 AS x, 9.0 AS id").await?;
    let fitted = model(&context, "SELECT nb_fit(y, sqrt(x), id, sqrt(id)) AS m, sum(sqrt(x)) FROM t").await?;
    let names: Vec<_> = fitted.schema().columns.iter().map(|column| column.name.as_str()).collect();
    assert_eq!(names, ["x1", "id", "x3"]);
    Ok(())
}

#[tokio::test]
async fn an_offset_of_a_billion_costs_no_digit() -> Tested {
    let context = context(4, 1000);
    // Ten thousand numbers around 1e9 whose variance is that of -1 and 1 in turns: exactly 1.
    let table = "(SELECT 'a' AS y, 1e9 + CASE WHEN value % 2 = 0 THEN 1 ELSE -1 END AS x FROM generate_series(1, 10000))";
    let model = model(&context, &format!("SELECT nb_fit(y, x) FROM {table}")).await?;
    let classifier = model.classifier()?;
    let nb_io::FittedFamily::Gaussian(gaussian) = classifier.likelihood() else { panic!("not Gaussian") };
    assert_eq!((gaussian.means()[(0, 0)], gaussian.variances()[(0, 0)]), (1e9, 1.0));
    Ok(())
}
