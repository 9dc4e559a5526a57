//! Priors for labels of any name, as an option and in schema files.

use crate::folder::Folder;

#[test]
fn labels_with_commas_have_priors() {
    let folder = Folder::new();
    folder.write(
        "a.csv",
        "x,y\n1,\"a,b\"\n2,\"a,b\"\n3,c=d\n4,c=d\n5,\"say \"\"no\"\"\"\n6,\"say \"\"no\"\"\"\n",
    );
    let train = |prior: &str, output: &str| {
        let words = ["train", "a.csv", "--label", "y", "-o", output, "--prior", prior].map(String::from);
        folder.nbayes_with_words(&words, "")
    };
    let run = train("\"a,b\"=0.5,c=d=0.25,\"say \"\"no\"\"\"=0.25", "option.nb");
    assert_eq!(run.code, 0, "{}", run.stderr);
    let json: serde_json::Value = serde_json::from_str(&folder.ok("inspect option.nb --json")).unwrap();
    let classes = json["classes"].as_array().unwrap();
    let priors: Vec<_> = classes
        .iter()
        .map(|class| (class["label"].as_str().unwrap(), class["prior"].as_f64().unwrap()))
        .collect();
    assert_eq!(priors, [("a,b", 0.5), ("c=d", 0.25), ("say \"no\"", 0.25)]);
    folder.write(
        "a.toml",
        "label = \"y\"\n[prior]\n\"a,b\" = 0.5\n\"c=d\" = 0.25\n'say \"no\"' = 0.25\n[columns]\nx = \"gaussian\"\n",
    );
    folder.ok("train a.csv --schema a.toml -o schema.nb");
    assert_eq!(folder.read("schema.nb"), folder.read("option.nb"));
    // The option goes before the file.
    folder.ok("train a.csv --schema a.toml --prior uniform -o uniform.nb");
    folder.ok("train a.csv --label y --prior uniform -o expected.nb");
    assert_eq!(folder.read("uniform.nb"), folder.read("expected.nb"));
    let error = train("a,b=0.5,c=d=0.5", "none.nb");
    assert_eq!(error.code, 2);
    assert!(error.stderr.contains("quote a label that has a comma"), "{}", error.stderr);
    let error = train("\"a,b\"=1", "none.nb");
    assert!(error.stderr.contains("no probability for the class \"c=d\""), "{}", error.stderr);
    let error = train("z=1", "none.nb");
    assert!(error.stderr.contains("the classes are \"a,b\", \"c=d\", "), "{}", error.stderr);
}
