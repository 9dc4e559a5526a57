//! Columns of counts that were weighted: numbers from 0 that need not be whole.

use crate::folder::Folder;

const ROWS: &str = "w1,w2,y\n0.5,1.25,a\n0,2,b\n1.5,0.125,a\n0.25,3,b\n";

#[test]
fn weighted_counts_are_read_from_tables() {
    let folder = Folder::new();
    folder.write("a.csv", ROWS);
    folder.write("a.svm", "a 1:0.5 2:1.25\nb 2:2\na 1:1.5 2:0.125\nb 1:0.25 2:3\n");
    for family in ["multinomial", "complement"] {
        folder.ok(&format!("train a.csv --label y --{family} w1,w2 -o c.nb"));
        folder.ok(&format!("train a.svm --{family} x1,x2 -o s.nb"));
        let numbers = |text: String| text.split_once('\n').unwrap().1.to_owned();
        assert_eq!(
            numbers(folder.ok("predict c.nb a.csv --proba")),
            numbers(folder.ok("predict s.nb a.svm --proba"))
        );
        // Updating and forgetting are exact, as for counts.
        let before = folder.read("c.nb");
        folder.ok("update c.nb a.csv");
        folder.ok("forget c.nb a.csv");
        assert_eq!(folder.read("c.nb"), before);
    }
}

#[test]
fn typed_columns_may_have_fractions() {
    let folder = Folder::new();
    folder.write("a.csv", ROWS);
    folder.ok("train a.csv --label y --gaussian w1,w2 -o g.nb");
    for file in ["p.parquet", "p.jsonl", "p.csv"] {
        // Probabilities are numbers from 0, their logarithms are negative.
        folder.ok(&format!("predict g.nb a.csv --id y --proba -o {file}"));
        for family in ["multinomial", "complement"] {
            let options = format!("--label y --ignore predicted_y --{family} p(?)");
            folder.ok(&format!("train {file} {options} -o {family}.nb"));
            let json = folder.ok(&format!("convert {family}.nb {family}.json"));
            let json =
                format!("{json}{}", String::from_utf8(folder.read(&format!("{family}.json"))).unwrap());
            assert!(json.to_lowercase().contains("numeric"), "{json}");
        }
        folder.ok(&format!("predict g.nb a.csv --id y --log-proba -o {file}"));
        let error =
            folder.fails(1, &format!("train {file} --label y --ignore predicted_y --multinomial log_p(?)"));
        assert!(error.contains("column \"log_p(a)\": \"-") && error.contains("\" is negative; "), "{error}");
    }
}

#[test]
fn whole_counts_are_counts() {
    let folder = Folder::new();
    folder.write("whole.csv", "w1,w2,y\n5,1,a\n0,2,b\n1,0.0,a\n2,3,b\n");
    folder.write("more.csv", "w1,w2,y\n5,1.5,a\n");
    folder.ok("train whole.csv --label y --multinomial w1,w2 -o m.json");
    let json = String::from_utf8(folder.read("m.json")).unwrap();
    assert!(
        json.to_lowercase().contains("\"count\"") && !json.to_lowercase().contains("\"numeric\""),
        "{json}"
    );
    let error = folder.fails(1, "update m.json more.csv");
    assert!(error.contains("more.csv, line 2, column \"w2\": \"1.5\" is not a count"), "{error}");
    // In one of several files there are fractions.
    folder.ok("train whole.csv more.csv --label y --multinomial w1,w2 -o both.nb");
    folder.ok("train more.csv whole.csv --label y --multinomial w1,w2 -o turned.nb");
    let probabilities = |model: &str| folder.ok(&format!("predict {model} more.csv --proba"));
    assert_eq!(probabilities("both.nb"), probabilities("turned.nb"));
}

#[test]
fn negative_numbers_are_refused_by_name() {
    let folder = Folder::new();
    folder.write("a.csv", format!("{ROWS}0.5,-0.25,a\n"));
    for family in ["multinomial", "complement"] {
        let error = folder.fails(1, &format!("train a.csv --label y --{family} w1,w2"));
        assert_eq!(
            error,
            "nbayes: a.csv, line 6, column \"w2\": \"-0.25\" is negative; the numbers of this column are counts or \
             weights of terms, from 0\n"
        );
        let error = folder.fails(1, &format!("train a.csv --label y --all {family}"));
        assert!(error.contains("a.csv, line 6, column \"w2\": -0.25 is negative"), "{error}");
    }
    // Predicting, too.
    folder.write("good.csv", ROWS);
    folder.ok("train good.csv --label y --multinomial w1,w2 -o m.nb");
    let error = folder.fails(1, "predict m.nb a.csv");
    assert!(error.contains("a.csv, line 6, column \"w2\": -0.25"), "{error}");
}

#[test]
fn rates_need_whole_counts() {
    let folder = Folder::new();
    folder.write("a.csv", ROWS);
    for family in ["poisson", "negative-binomial"] {
        let error = folder.fails(1, &format!("train a.csv --label y --{family} w1,w2"));
        assert!(error.contains("a.csv, line 2, column \"w1\": \"0.5\" is not a count"), "{error}");
    }
}
