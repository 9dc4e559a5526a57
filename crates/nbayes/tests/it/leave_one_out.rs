//! Leave-one-out: each row is judged as by a model that was trained without it.

use crate::folder::Folder;

/// The mean log-loss and the accuracy by models that are trained once for each row, without it.
fn brute_force(folder: &Folder, csv: &str, options: &str) -> (f64, f64) {
    let (head, body) = csv.split_once('\n').unwrap();
    let rows: Vec<&str> = body.lines().collect();
    let (mut loss, mut right) = (0.0, 0.0);
    for (place, row) in rows.iter().enumerate() {
        let others: Vec<&str> =
            rows.iter().enumerate().filter(|(other, _)| *other != place).map(|(_, row)| *row).collect();
        folder.write("others.csv", format!("{head}\n{}\n", others.join("\n")));
        folder.write("one.csv", format!("{head}\n{row}\n"));
        folder.ok(&format!("train others.csv --plain --label y {options} -o others.nb --quiet"));
        let out = folder.ok("predict others.nb one.csv --log-proba --quiet");
        let records: Vec<Vec<&str>> = out.lines().map(|line| line.split(',').collect()).collect();
        let label = row.rsplit(',').next().unwrap();
        let column = records[0].iter().position(|name| *name == format!("log_p({label})")).unwrap();
        loss -= records[1][column].parse::<f64>().unwrap();
        right += f64::from(u8::from(records[1][0] == label));
    }
    (loss / rows.len() as f64, right / rows.len() as f64)
}

#[test]
fn it_is_that_of_training_without_each_row() {
    let folder = Folder::new();
    let rows = (0..24).map(|row: usize| {
        let (x, c) = ((row * 7 % 11) as f64 + 0.5 * (row % 2) as f64, ["u", "v", "w"][row * row % 3]);
        format!("{x},{c},{}\n", ["a", "b"][row % 2])
    });
    let csv = format!("x,c,y\n{}", rows.collect::<String>());
    folder.write("d.csv", &csv);
    for options in ["--gaussian x --categorical c", "--gaussian x --ignore c --prior uniform"] {
        folder.ok(&format!("train d.csv --plain --label y {options} -o m.nb --quiet"));
        let before = folder.read("m.nb");
        let (loss, accuracy) = brute_force(&folder, &csv, options);
        let out = folder.ok("evaluate m.nb d.csv --leave-one-out --json");
        let out: serde_json::Value = serde_json::from_str(&out).unwrap();
        let number = |name: &str| out[name].as_f64().unwrap();
        assert!((number("log_loss") - loss).abs() < 1e-12 * loss, "{} {loss}", number("log_loss"));
        assert!((number("accuracy") - accuracy).abs() < 1e-12);
        assert_eq!(folder.read("m.nb"), before);
        assert!(
            folder
                .ok("evaluate m.nb d.csv --leave-one-out")
                .starts_with("24 rows, each judged by the model without it")
        );
    }
    folder.write("e.csv", "x,c,y\n1e9,u,a\n");
    let error = folder.fails(1, "evaluate m.nb e.csv --leave-one-out");
    assert!(error.contains("e.csv, line 2: it is not among the rows"), "{error}");
}
