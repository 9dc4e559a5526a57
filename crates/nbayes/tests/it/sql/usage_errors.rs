//! Calls that cannot be meant, and results that cannot be right.

use crate::folder::Folder;

#[test]
fn calls_that_cannot_be_meant() {
    let folder = Folder::new();
    folder.write("schema.toml", "label = \"y\"\n[columns]\nx = \"gaussian\"\n");
    assert!(folder.fails(2, "sql --fit schema.toml").contains("--dialect"));
    assert!(folder.fails(2, "sql --dialect duckdb").contains("--fit"));
    folder.fails(2, "sql --fit schema.toml --dialect duckdb --id x");
    folder.write("text.toml", "label = \"y\"\n[columns]\nx = \"text\"\n");
    assert!(folder.fails(1, "sql --fit text.toml --dialect duckdb").contains("\"x\" is free text"));
    folder.write("none.toml", "label = \"y\"\n[columns]\nx = \"ignore\"\n");
    assert!(folder.fails(1, "sql --fit none.toml --dialect duckdb").contains("no columns"));
    folder.write("unlabelled.toml", "[columns]\nx = \"gaussian\"\n");
    assert!(folder.fails(1, "sql --fit unlabelled.toml --dialect duckdb").contains("has no label"));
    folder.ok("train @sms -o sms.nb");
    assert!(folder.fails(1, "sql --predict sms.nb --dialect spark").contains("nbayes predict"));
}

#[test]
fn columns_are_in_the_order_of_the_schema_file() {
    let folder = Folder::new();
    folder.write(
        "schema.toml",
        "label = \"y\"\n[columns]\nz = \"gaussian\"\na = \"poisson\"\nm = \"gaussian\"\n",
    );
    let query = folder.ok("sql --fit schema.toml --dialect spark");
    let place = |name: &str| query.find(&format!("`{name}`")).unwrap();
    assert!(place("z") < place("a") && place("a") < place("m"));
}
