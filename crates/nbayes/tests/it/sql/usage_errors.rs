//! Impossible calls, and impossible results.

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

#[test]
fn results_with_groups_are_imported_with_their_column() {
    let folder = Folder::new();
    folder.write("schema.toml", "label = \"y\"\n[columns]\nx = \"poisson\"\n");
    let header = "class,kind,feature,category,n_rows,weight,missing,refused,shift,sum,sum_of_squares";
    let rows = [
        "a,class,,,2,2,,0,,,",
        "a,feature,x,,2,,0,0,0,4,",
        "b,class,,,1,1,,0,,,",
        "b,feature,x,,1,,0,0,0,9,",
    ];
    let of_groups = |groups: &[&str]| {
        let rows = groups.iter().flat_map(|group| rows.iter().map(move |row| format!("{group},{row}\n")));
        format!("nb_group,{header}\n{}", rows.collect::<String>())
    };
    folder.write("plain.csv", format!("{header}\n{}\n", rows.join("\n")));
    folder.write("groups.csv", of_groups(&["a/b", "..", ""]));
    let import = "import-stats groups.csv --schema schema.toml -o models";
    assert!(folder.fails(2, import).contains("--group-by COLUMN"));
    let import = format!("{import} --group-by shop");
    folder.ok(&import);
    for name in ["shop=a%2Fb", "shop=..", "shop="] {
        assert!(folder.ok(&format!("inspect models/{name}.nb")).contains("label y, 3 rows"), "{name}");
    }
    let plain = "import-stats plain.csv --schema schema.toml -o other --group-by shop";
    assert!(folder.fails(1, plain).contains("no column \"nb_group\""));
    // Of a group that gives no model nothing is written, nor of the others.
    folder
        .write("groups.csv", of_groups(&["first", "second"]).replace("second,b,feature,x,,1,,0,0,0,9,", ""));
    let broken = "import-stats groups.csv --schema schema.toml -o other --group-by shop";
    let error = folder.fails(1, broken);
    assert!(error.contains("group \"second\": there is no row for column \"x\" in class \"b\""), "{error}");
    assert!(!folder.path("other").exists());
    assert!(
        folder
            .fails(1, "sql --fit schema.toml --dialect duckdb --group-by x")
            .contains("\"x\" is duplicated")
    );
}
