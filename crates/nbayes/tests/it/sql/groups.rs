//! A model for each value of a column, from one query.

use std::collections::BTreeSet;

use super::{
    Bench, Engine,
    data::{MIXED_SCHEMA, mixed},
    records,
};

/// Each model is that of the rows of its group alone, to the last bit.
pub(super) fn have_the_models_of_their_rows(engine: &dyn Engine) {
    let bench = Bench::new(engine, "t", &mixed(600));
    let schema = MIXED_SCHEMA.replace("\"it's\" = \"categorical\"\n", "");
    let schema = schema.replace("flag = \"bernoulli\"", "flag = \"categorical\"");
    bench.folder.write("schema.toml", &schema);
    let dialect = engine.dialect();
    let quoted = if dialect == "spark" { "`it's`" } else { "\"it's\"" };
    let sums = |table: &str| {
        let fit =
            ["sql", "--fit", "schema.toml", "--dialect", dialect, "--group-by", "it's", "--table", table];
        bench.engine.query(&bench.nbayes(&fit), &bench.folder.path("result.csv"));
    };
    sums(&format!("(SELECT * FROM t WHERE {quoted} IS NOT NULL)"));
    let import =
        ["import-stats", "result.csv", "--schema", "schema.toml", "--group-by", "it's", "-o", "models"];
    let said = bench.nbayes(&import);
    assert!(said.contains("5 models, one for each it's\nwrote models"), "{said}");

    let rows = records(&String::from_utf8(bench.folder.read("data.csv")).unwrap());
    let place = rows[0].iter().position(|name| name == "it's").unwrap();
    let groups: BTreeSet<&String> =
        rows[1..].iter().map(|row| &row[place]).filter(|g| !g.is_empty()).collect();
    assert_eq!(groups.len(), 5);
    for group in groups {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let kept = rows[1..].iter().filter(|row| row[place] == *group);
        [&rows[0]].into_iter().chain(kept).for_each(|row| writer.write_record(row).unwrap());
        bench.folder.write("data.csv", String::from_utf8(writer.into_inner().unwrap()).unwrap());
        let name = group
            .replace('\'', "%27")
            .replace('"', "%22")
            .replace('\\', "%5C")
            .replace('{', "%7B")
            .replace('}', "%7D");
        let by_sql = bench.model(&format!("models/it%27s={name}.nb"));
        assert_eq!(by_sql, bench.by_rows("rows.nb", &[]), "{dialect}, {group}");
    }

    sums("t");
    let error = bench.folder.nbayes_with_words(&import.map(String::from), "");
    assert_eq!(error.code, 1);
    assert!(error.stderr.contains("rows of the table without a value of \"it's\""), "{}", error.stderr);
    assert!(error.stderr.contains("leave them out"), "{}", error.stderr);
}
