//! Texts by SQL: words, counts and scores are those of `nbayes predict`.

use super::{Bench, Data, Engine, Type};

const COLUMNS: [(&str, Type); 4] =
    [("id", Type::Whole), ("sent", Type::Text), ("the text", Type::Text), ("hour", Type::Whole)];

/// Texts whose words are hard to find.
const HARD: [&str; 12] = [
    "Don't PAY £3.14 for v1.2_beta: U.S.A., e.g. 1,000.5 a:b 1:2 'quoted' it's'",
    "Don\u{2019}t STOP… ÀÉÎ ﾊ カタカナ_x ひら 今天天气 안녕 Привет ГОД ΟΔΟ straße",
    "☺ great☺☺ 👍 ❤\u{FE0F} win❤win",
    "",
    "   ",
    "' . , _ __ a_b _a_ 1_2",
    "FREE free FrEe free!free win win_win WIN",
    "the a an of and you are it",
    "back\\slash [class] (group) $1 ^x| 50%",
    "line\nbreak\ttab",
    "½ done",         // no answer: several characters in place of one
    "👍🏽 cafe\u{301}", // no answer: characters that join those before them
];

/// Rows of the SMS collection, then the hard ones.
fn rows() -> Data {
    let records = super::records(&nb_datasets::load_text().unwrap().to_csv());
    let message = records[0].iter().position(|name| name == "message").unwrap();
    let collected =
        records.iter().skip(1).take(150).map(|record| (record[1 - message].clone(), record[message].clone()));
    let hard = HARD.iter().map(|text| ("spam".to_owned(), (*text).to_owned()));
    let all = collected.chain(hard).enumerate();
    Data::new(
        &COLUMNS,
        all.map(|(id, (label, text))| vec![id.to_string(), label, text, (id * 7 % 24).to_string()]),
    )
}

pub(super) fn are_counted(engine: &dyn Engine) {
    let bench = Bench::new(engine, "mails", &rows());
    let train = ["train", "data.csv", "--label", "sent", "--text", "the text", "--ignore", "id"];
    let models: [&[&str]; 5] = [
        &[],
        &["--plain", "--n-grams", "1-3", "--stop-words", "english", "--min-chars", "2"],
        &["--plain", "--words", "alphanumeric", "--log-tf", "--idf", "--normalize-length", "--n-grams", "2"],
        &["--plain", "--text-model", "complement", "--emoji", "drop", "--ignore", "id,hour"],
        &["--plain", "--normalization", "none", "--smoothing", "0.1", "--max-terms", "50"],
    ];
    let n_hard = HARD.len();
    for options in models {
        bench.nbayes(
            &[&train[..if options.contains(&"id,hour") { 6 } else { 8 }], options, &["-o", "m.nb"]].concat(),
        );
        // Where SQL has no answer, the message tells that.
        let dialect = engine.dialect();
        let predict = ["sql", "--predict", "m.nb", "--dialect", dialect, "--table", "mails", "--id", "id"];
        engine.query(&bench.nbayes(&predict), &bench.folder.path("labels.csv"));
        let labels = super::records(&String::from_utf8(bench.folder.read("labels.csv")).unwrap());
        let mut without: Vec<usize> = labels
            .iter()
            .skip(1)
            .filter(|row| row[1].is_empty())
            .map(|row| row[0].parse().unwrap())
            .collect();
        without.sort_unstable();
        let keeps_accents = options.contains(&"none");
        let all = 150..150 + n_hard;
        let expected: Vec<usize> =
            all.clone().skip(n_hard - 2).filter(|&id| !keeps_accents || id != 160).collect();
        assert_eq!(without, expected, "{dialect}, {options:?}");
        let answered = format!("(SELECT * FROM mails WHERE id < {})", 150 + n_hard - 2);
        bench.predict_rows("m.nb", &answered, "id", |id| id < 150 + n_hard as u64 - 2);
    }
}
