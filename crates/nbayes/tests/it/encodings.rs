//! Tables in other encodings than UTF-8.

use crate::folder::Folder;

const TABLE: &str = "größe,art\n1.5,süß\n2.5,sauer\n1.75,süß\n2.25,sauer\n";

fn latin1(text: &str) -> Vec<u8> {
    text.chars().map(|letter| u8::try_from(u32::from(letter)).unwrap()).collect()
}

#[test]
fn encodings_are_told_and_said() {
    let folder = Folder::new();
    folder.write("plain.csv", TABLE);
    folder.ok("train plain.csv --label art");
    let excel = format!("\u{FEFF}{}", TABLE.replace(',', "\t"));
    let excel: Vec<u8> = excel.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (name, bytes, note) in [
        ("latin.csv", latin1(TABLE), "encoding windows-1252"),
        ("excel.txt", excel, "encoding UTF-16LE, delimiter \"\\t\""),
    ] {
        folder.write(name, bytes);
        let run = folder.nbayes(&format!("train {name} --label art -o other.nb"));
        assert_eq!((run.code, run.stderr), (0, format!("{name}: {note}\n")));
        assert_eq!(folder.read("other.nb"), folder.read("plain.nb"), "{name}");
        assert_eq!(folder.ok(&format!("predict plain.nb {name}")), folder.ok("predict plain.nb plain.csv"));
    }
}

#[test]
fn bytes_that_are_not_text_are_refused() {
    let folder = Folder::new();
    let bytes: Vec<u8> = (0..2000_u32).map(|place| (place.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    folder.write("noise.csv", bytes);
    let error = folder.fails(1, "train noise.csv --label y");
    let expected =
        "noise.csv: this is a binary file of an unknown format; export the table as CSV or Parquet";
    assert_eq!(error, format!("nbayes: {expected}\n"));
}

#[test]
fn an_encoding_can_be_named() {
    let folder = Folder::new();
    folder.write("plain.csv", TABLE);
    folder.write("latin.csv", latin1(TABLE));
    folder.ok("train plain.csv --label art");
    let run = folder.nbayes("train latin.csv --label art --encoding latin1 -o named.nb");
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert_eq!(
        folder.ok("predict named.nb latin.csv --proba"),
        folder.ok("predict plain.nb plain.csv --proba")
    );
    let error = folder.fails(1, "train latin.csv --label art --encoding utf-8 -o x.nb");
    assert!(error.contains("is not UTF-8; name the encoding"), "{error}");
    let error = folder.fails(2, "train latin.csv --label art --encoding klingon -o x.nb");
    assert!(error.contains("no encoding \"klingon\""), "{error}");
    // The first megabyte says nothing of what comes after it.
    let late = [b"x,y\n", "1,a\n2,b\n1,b\n".repeat(100_000).as_bytes(), &latin1("3,ü\n")].concat();
    folder.write("late.csv", late);
    let error = folder.fails(1, "train late.csv --label y");
    assert!(error.contains("late.csv, line 300002") && error.contains("name the encoding"), "{error}");
    folder.ok("train late.csv --label y --encoding windows-1252");
}

#[test]
fn quotes_in_text_with_tabs_are_characters_if_they_do_not_close() {
    let folder = Folder::new();
    let rows = [("ham", "\"See you"), ("spam", "free \"prize\""), ("ham", "later\""), ("spam", "win now")];
    let tsv: Vec<String> = rows.iter().map(|(label, text)| format!("{label}\t{text}\n")).collect();
    folder.write("sms.tsv", format!("label\ttext\n{}", tsv.concat()));
    let run = folder.nbayes("train sms.tsv --label label --text text");
    assert!(run.stdout.contains("4 rows") && run.stdout.contains("ham (2), spam (2)"), "{}", run.stdout);
    assert_eq!(run.stderr, "sms.tsv: quotes are characters (--quoting on if they are around fields)\n");
    let run = folder.nbayes("train sms.tsv --label label --text text --quoting on -o on.nb");
    assert!(run.stdout.contains("3 rows"), "{}", run.stdout);
    // As Excel writes them: quotes are doubled, and fields end with their quotes.
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let tsv: Vec<String> =
        rows.iter().map(|(label, text)| format!("{label}\t{}\r\n", quoted(text))).collect();
    folder.write("excel.tsv", format!("label\ttext\r\n{}", tsv.concat()));
    let run = folder.nbayes("train excel.tsv --label label --text text");
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert_eq!(folder.read("excel.nb"), folder.read("sms.nb"));
}
