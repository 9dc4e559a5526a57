//! Every family, and every type of column.

use std::sync::Arc;

use datafusion::{
    arrow::{
        array::{
            ArrayRef, BooleanArray, Decimal128Array, DictionaryArray, Float32Array, Int16Array,
            LargeStringArray, StringArray, StringViewArray, UInt64Array,
        },
        datatypes::Int32Type,
        record_batch::RecordBatch,
    },
    prelude::SessionContext,
};
use nb_core::{NaiveBayes, Prior, description::Columns};
use nb_datafusion::{Design, fit, fit_frame, template};
use nb_io::{Family, Registry};

use crate::support::{Rows, Tested, context, model};

#[tokio::test]
async fn every_family_has_the_bits_of_one_process() -> Tested {
    let rows = Rows::new(500, 3);
    let context = context(3, 50);
    rows.register(&context, "t", 3, 5);
    let registry = Registry::default();
    for family in registry.descriptions().filter(|family| family.columns != Columns::Categories) {
        let family = family.name;
        let fitted = model(&context, &format!("SELECT nb_fit_as('{family}', y, w, n) FROM t")).await?;
        let design: Design = family.parse()?;
        let mut alone = design.template("y", &[("n", &datafusion::arrow::datatypes::DataType::Float64)])?;
        let cells = rows.cells();
        alone.update_weighted(&cells.select(ndarray::Axis(1), &[3]), &rows.labels, &rows.weights)?;
        assert!(fitted == alone, "{family}");
        assert_eq!(fitted.to_bytes()?, alone.to_bytes()?, "{family}");
    }
    Ok(())
}

#[tokio::test]
async fn from_rust_as_in_sql() -> Tested {
    let rows = Rows::new(500, 4);
    let context = context(2, 100);
    rows.register(&context, "t", 2, 6);
    let in_sql =
        model(&context, r#"SELECT nb_fit_as('{"columns": {"n": "poisson"}}', y, 1, x, z, colour, n) FROM t"#)
            .await?;
    let naive_bayes = NaiveBayes { model: in_sql.family().clone(), prior: Prior::Empirical };
    let from_rust = fit(&context, "t", "y", &["x", "z", "colour", "n"], &naive_bayes).await?;
    assert_eq!(from_rust.to_bytes()?, in_sql.to_bytes()?);

    let weighted = model(&context, "SELECT nb_fit_weighted(y, w, x, colour) FROM t").await?;
    let naive_bayes = NaiveBayes { model: weighted.family().clone(), prior: Prior::Uniform };
    let frame = context.table("t").await?;
    let empty = template(frame.schema(), "y", &["x", "colour"], &naive_bayes)?;
    let from_rust = fit_frame(frame, Some("w"), &empty).await?;
    assert_eq!(from_rust.prior(), &Prior::Uniform);
    assert!(from_rust.stats() == weighted.stats());
    Ok(())
}

#[tokio::test]
async fn every_type_of_column_says_the_same() -> Tested {
    let context = context(2, 3);
    let labels = ["1", "2", "2", "1", "2"];
    let of_labels: [(&str, ArrayRef); 6] = [
        ("utf8", Arc::new(StringArray::from(labels.to_vec()))),
        ("large", Arc::new(LargeStringArray::from(labels.to_vec()))),
        ("view", Arc::new(StringViewArray::from(labels.to_vec()))),
        ("dictionary", Arc::new(labels.into_iter().collect::<DictionaryArray<Int32Type>>())),
        ("int16", Arc::new(Int16Array::from(vec![1, 2, 2, 1, 2]))),
        ("uint64", Arc::new(UInt64Array::from(vec![1, 2, 2, 1, 2]))),
    ];
    let of_numbers: [(&str, ArrayRef); 4] = [
        ("float32", Arc::new(Float32Array::from(vec![0.5, 1.0, 0.0, 1.5, 2.0]))),
        (
            "decimal",
            Arc::new(Decimal128Array::from(vec![50, 100, 0, 150, 200]).with_precision_and_scale(10, 2)?),
        ),
        ("flag", Arc::new(BooleanArray::from(vec![true, false, true, true, false]))),
        ("category", Arc::new(Int16Array::from(vec![7, 8, 7, 7, 8]))),
    ];
    let batch = RecordBatch::try_from_iter(of_labels.clone().into_iter().chain(of_numbers))?;
    context.register_batch("t", batch)?;
    let mut models = Vec::new();
    for (name, _) in of_labels {
        let design = r#"{"columns": {"category": "categorical"}}"#;
        let query =
            format!("SELECT nb_fit_as('{design}', {name} , 1, float32, decimal, flag, category) FROM t");
        let model = model(&context, &query).await?;
        let Family::Blocks(blocks) = model.family() else { panic!("{:?}", model.family()) };
        assert_eq!(blocks.iter().map(|(own, _)| own.len()).collect::<Vec<_>>(), [2, 1, 1]);
        assert_eq!(model.stats().classes().collect::<Vec<_>>(), ["1", "2"]);
        models.push(model);
    }
    assert!(models.windows(2).all(|pair| pair[0].stats() == pair[1].stats()));
    let sums: Vec<f64> = models[0].stats().class_sums().map(|parts| parts[0].get(1).to_f64()).collect();
    assert_eq!(sums, [2.0, 3.0], "decimals are numbers");
    Ok(())
}

#[tokio::test]
async fn texts_are_counted_by_the_vocabulary_of_the_design() -> Tested {
    use nb_core::{Blocks, Gaussian, Missing, Multinomial};
    use nb_io::{Column, Kind, Model, Schema, TextOptions, text::Text};

    let context: SessionContext = context(2, 1);
    let texts = ["free prize", "see you", "free free", "you see me"];
    context
        .sql(
            "CREATE TABLE mails AS SELECT * FROM (VALUES ('spam', 'free prize', 3.0), ('ham', 'see you', 1.0), \
             ('spam', 'free free', 4.0), ('ham', 'you see me', CAST(NULL AS DOUBLE))) AS mails (kind, body, n)",
        )
        .await?;
    let text = Text::learn(&texts[..3], &TextOptions::default())?;
    let terms = text.terms.len();
    let schema = Schema {
        columns: vec![
            Column { name: "n".into(), kind: Kind::Numeric },
            Column { name: "body".into(), kind: Kind::Text(text.clone().into()) },
        ],
        label: "kind".into(),
    };
    let family = Blocks::default()
        .with_same([0], Family::Gaussian(Gaussian { missing: Missing::Skip, ..Gaussian::default() }))
        .with_same(1..=terms, Family::Multinomial(Multinomial::default()));
    let empty = Model::new(schema, Family::Blocks(family), Prior::Empirical)?;
    let fitted = fit_frame(context.table("mails").await?, None, &empty).await?;
    let counts = |class: usize| -> Vec<f64> {
        let parts: Vec<_> = fitted.stats().class_sums().collect();
        (0..terms).map(|term| parts[class][3].get(term).to_f64()).collect()
    };
    // free, prize, see, you: ham comes first.
    assert_eq!((counts(0), counts(1)), (vec![0.0, 0.0, 2.0, 2.0], vec![3.0, 1.0, 0.0, 0.0]));
    Ok(())
}
