//! Mails and texts as rows.

use std::path::PathBuf;

use nb_core::Rows;
use nb_table::{
    Kind, Schema,
    read::{
        BadRows, DocumentKind, Documents, Inferred, KindChoice, Labels, NewLevels, Overrides, Place,
        ReadChunks, ReadError, SkippedRows, TableOptions,
    },
};
use proptest::prelude::*;
use tempfile::TempDir;

use crate::mutations;

/// Cells of all columns, row by row, and where the rows are.
type Cells = Vec<(Vec<String>, Place)>;

/// Reads all cells as they are.
fn table(kind: DocumentKind, bad_rows: BadRows) -> TableOptions {
    let columns = kind.columns().iter().map(|&name| name.to_owned()).collect();
    TableOptions::default()
        .with_ids(columns)
        .with_labels(Labels::Ignore)
        .with_places(true)
        .with_bad_rows(bad_rows)
}

/// No column that must be a number.
fn schema(kind: DocumentKind) -> Schema {
    let mut schema = Schema::numeric([kind.columns()[0]], "\0");
    schema.columns[0].kind = Kind::Categorical { levels: Vec::new() };
    schema
}

fn cells(reader: &mut dyn ReadChunks) -> Result<(Cells, Option<SkippedRows>), ReadError> {
    let mut cells = Vec::new();
    while let Some(chunk) = reader.next_chunk()? {
        for row in 0..chunk.rows.n_rows() {
            let of_row = chunk.ids.iter().map(|column| column[row].clone()).collect();
            cells.push((of_row, chunk.places[row]));
        }
    }
    Ok((cells, reader.skipped_rows()))
}

/// A stream, whose rows may be skipped.
fn stream(
    kind: DocumentKind,
    bytes: &[u8],
    bad_rows: BadRows,
) -> Result<(Cells, Option<SkippedRows>), ReadError> {
    let table = table(kind, bad_rows).with_new_levels(NewLevels::Missing);
    let mut reader = Documents::new(kind).with_table(table).read_from(bytes, "box/in.mbox", &schema(kind))?;
    cells(&mut reader)
}

/// The cells of a mail: from, subject, date, attachments, text.
fn mail(bytes: impl AsRef<[u8]>) -> [String; 5] {
    let (mut cells, _) = stream(DocumentKind::Mail, bytes.as_ref(), BadRows::Error).unwrap();
    assert_eq!(cells.len(), 1, "{cells:?}");
    let mut cells = cells.remove(0).0;
    assert_eq!(cells.pop().unwrap(), "box");
    cells.try_into().unwrap()
}

fn text_of(bytes: impl AsRef<[u8]>) -> String {
    mail(bytes)[4].clone()
}

/// A folder with these files, and their paths in the order in which they are given.
fn folder(files: &[(&str, &[u8])]) -> (TempDir, Vec<PathBuf>) {
    let folder = tempfile::tempdir().unwrap();
    let paths = files.iter().map(|(name, bytes)| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, bytes).unwrap();
        path
    });
    let paths = paths.collect();
    (folder, paths)
}

fn files(
    kind: DocumentKind,
    paths: &[PathBuf],
    bad_rows: BadRows,
) -> Result<(Cells, Option<SkippedRows>), ReadError> {
    let table = table(kind, bad_rows).with_new_levels(NewLevels::Missing);
    cells(&mut Documents::new(kind).with_table(table).read(paths, "mails", &schema(kind))?)
}

#[test]
fn headers_and_bodies_are_decoded() {
    let expected = ["anna@example.org", "Grüße, \"Anna\"", "2026-01-31T12:30:00+01:00", "0", "Schöne Grüße"];
    for (encoding, body) in [
        (
            "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable",
            &b"Sch=C3=B6ne Gr=C3=\n=BC=C3=9Fe"[..],
        ),
        (
            "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64",
            b"U2Now7ZuZSBHcsO8w59l\n",
        ),
        (
            "Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: 8bit",
            b"Sch\xF6ne Gr\xFC\xDFe\n",
        ),
        ("Content-Type: text/plain; charset=windows-1252", b"Sch\xF6ne Gr\xFC\xDFe"),
        ("MIME-Version: 1.0", "Schöne Grüße".as_bytes()),
    ] {
        let header = "From: \"Anna\" <anna@example.org>\nSubject: =?iso-8859-1?Q?Gr=FC=DFe,?=\n =?utf-8?B?ICJBbm5hIg==?=\n\
                      Date: Sat, 31 Jan 2026 12:30:00 +0100\n";
        let with = |line_end: &str| {
            let header = format!("{header}{encoding}\n\n").replace('\n', line_end);
            [header.as_bytes(), body].concat()
        };
        assert_eq!(mail(with("\n")), expected, "{encoding}");
        assert_eq!(mail(with("\r\n")), expected, "{encoding}");
    }
}

#[test]
fn of_several_parts_the_texts_are_read() {
    let part = |header: &str, body: &str| format!("--b\r\n{header}\r\n\r\n{body}\r\n");
    let html = part("Content-Type: text/html", "<p>As <b>HTML</b> &amp; more</p><script>x</script>");
    let plain = part("Content-Type: text/plain", "As text");
    let pdf = part("Content-Type: application/pdf\r\nContent-Transfer-Encoding: base64", "AAAA");
    let attached = part("Content-Type: text/plain\r\nContent-Disposition: attachment; filename=a.txt", "No");
    let nested = part("Content-Type: message/rfc822", "Subject: inner\r\n\r\nNo");
    for (kind, parts, expected) in [
        ("alternative", html.clone() + &plain, ("As text", "0")),
        ("alternative", html.clone(), ("As HTML & more", "0")),
        ("mixed", plain.clone() + &pdf + &attached + &nested, ("As text", "3")),
        ("mixed", plain.clone() + &part("Content-Type: text/plain", "A footer"), ("As text\nA footer", "0")),
        ("related", html.clone() + &part("Content-Type: image/png", "AAAA"), ("As HTML & more", "1")),
        ("mixed", String::new(), ("", "0")),
    ] {
        for end in ["--b--\r\nAn epilogue", ""] {
            let header = format!("Subject: x\r\nContent-Type: multipart/{kind}; boundary=\"b\"\r\n\r\n");
            let [_, _, _, attachments, text] = mail(header + "A preamble\r\n" + &parts + end);
            if parts.is_empty() {
                // Without parts there is what was written.
                assert!(text.starts_with("A preamble"), "{text}");
                continue;
            }
            assert_eq!((&*text, &*attachments), expected, "{kind}");
        }
    }
    let inner = "Content-Type: multipart/alternative; boundary=c\n\n--c\n\nInner\n--c\nContent-Type: text/html\n\n<i>Inner</i>\n--c--";
    let nested = format!(
        "Subject: x\nContent-Type: multipart/mixed; boundary=b\n\n--b\n{inner}\n--b\n\nOuter\n--b--\n"
    );
    assert_eq!(text_of(nested), "Inner\nOuter");
}

#[test]
fn what_a_mail_lacks_is_empty() {
    assert_eq!(mail("Subject: nothing else\n\n"), ["", "nothing else", "", "0", ""]);
    assert_eq!(mail("Subject: no blank line"), ["", "no blank line", "", "0", ""]);
    assert_eq!(mail("Date: on Tuesday\nX: y\n\n")[2], "");
    assert_eq!(mail("Date: Sat, 31 Feb 2026 12:30:00 +0100\n\n")[2], "");
    assert_eq!(text_of("Content-Type: text/html\n\nOnly <b>HTML</b>"), "Only HTML");
    assert_eq!(text_of("Subject: x\nContent-Type: text/plain; charset=unknown\n\nabc"), "abc");
}

#[test]
fn the_mails_of_an_mbox_have_their_lines() {
    let mbox = "From a@b Thu Jan  1 00:00:00 2026\nSubject: one\n\n> a quote\nFrom the start\n>From here\n>>From there\n\n\
                From c@d Thu Jan  1 00:00:00 2026\nSubject: two\n\n\nFrom e@f\nSubject: three\n";
    let expected =
        [("one", "> a quote\nFrom the start\nFrom here\n>From there", 1), ("two", "", 9), ("three", "", 13)];
    let with_ends = |end: &str| mbox.replace('\n', end);
    for mbox in [mbox.to_owned(), with_ends("\r\n"), format!("\n\n{mbox}")] {
        let (cells, _) = stream(DocumentKind::Mail, mbox.as_bytes(), BadRows::Error).unwrap();
        let first = u64::from(mbox.starts_with('\n')) * 2;
        let found: Vec<(String, String, Place)> = cells
            .into_iter()
            .map(|(cells, place)| (cells[1].clone(), cells[4].replace("\r\n", "\n"), place))
            .collect();
        let expected = expected
            .map(|(subject, text, line)| (subject.to_owned(), text.to_owned(), Place::Line(first + line)));
        assert_eq!(found, expected);
    }
}

#[test]
fn subjects_and_bodies_are_texts_if_they_have_words() {
    let infer = |mbox: &str, overrides: &Overrides| {
        let mails = Documents::new(DocumentKind::Mail);
        mails.infer_from(|| Ok(mbox.as_bytes()), "box/in.mbox", "folder", overrides).unwrap()
    };
    let reason = |inferred: &Inferred, name: &str| {
        let column = inferred.columns.iter().find(|column| column.column == name).unwrap();
        column.reason.to_string()
    };
    let mbox = "From a\nSubject: some words\nDate: Sat, 31 Jan 2026 12:30:00 +0100\n\nmore words\n\nFrom b\n\
                Subject: words\nDate: Sat, 31 Jan 2026 13:30:00 +0100\n\n";
    let inferred = infer(mbox, &Overrides::default());
    assert_eq!(reason(&inferred, "subject"), "the file says text");
    assert_eq!(inferred.schema.n_features(), 1 + 2 + 1 + 1 + 2);
    assert_eq!(reason(&inferred, "date"), "its cells are dates");

    let categorical = Overrides::default().with("subject", KindChoice::Categorical);
    let inferred = infer(mbox, &categorical);
    assert!(
        matches!(&inferred.schema.columns[1].kind, Kind::Categorical { levels } if levels == &["some words", "words"])
    );

    let inferred = infer("From a\nSubject: ?\n\n\n", &Overrides::default());
    assert_eq!(reason(&inferred, "text"), "no cell has a value");
    assert_eq!(reason(&inferred, "subject"), "no cell is a number");
}

#[test]
fn an_mbox_may_be_compressed() {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    std::io::Write::write_all(&mut gzip, b"From a\nSubject: one\n\nText\n").unwrap();
    assert_eq!(mail(gzip.finish().unwrap())[4], "Text");
}

#[test]
fn files_are_rows_with_the_names_of_their_folders() {
    let (_folder, paths) = folder(&[
        ("ham/1.eml", b"Subject: one\n\nText"),
        ("m/ham/cur/1718000000.M1.host:2,S", b"Subject: two\n\n"),
        (
            "spam/0001.bfc8d64d12b325ff",
            b"From a@b Thu Aug 22 12:36:23 2002\nReceived: x\nSubject: three\n\nHi\n\nFrom now on",
        ),
    ]);
    let (cells, _) = files(DocumentKind::Mail, &paths, BadRows::Error).unwrap();
    let found: Vec<[&str; 3]> = cells.iter().map(|(cells, _)| [&*cells[1], &*cells[4], &*cells[5]]).collect();
    assert_eq!(found, [["one", "Text", "ham"], ["two", "", "ham"], ["three", "Hi\n\nFrom now on", "spam"]]);
    let places: Vec<Place> = cells.iter().map(|(_, place)| *place).collect();
    assert_eq!(places, [1, 2, 3].map(Place::Document));

    let (_folder, paths) =
        folder(&[("a/1.txt", b"One\n"), ("b/2.txt", b"caf\xE9 noir et d'autres choses, d\xE9j\xE0 vues")]);
    let (cells, _) = files(DocumentKind::Text, &paths, BadRows::Error).unwrap();
    let cells: Vec<Vec<String>> = cells.into_iter().map(|(cells, _)| cells).collect();
    assert_eq!(cells, [["One", "a"], ["café noir et d'autres choses, déjà vues", "b"]]);
}

#[test]
fn what_is_no_mail_is_refused_or_skipped() {
    let (folder, paths) = folder(&[
        ("ham/1.eml", b"Subject: one\n\nText"),
        ("ham/2.eml", b"x,y\n1,2\n"),
        ("ham/3.eml", b"%PDF-1.7\n"),
        ("ham/4.eml", b""),
        ("ham/5.eml", b"Subject: two\n\n"),
    ]);
    let error = files(DocumentKind::Mail, &paths, BadRows::Error).unwrap_err().to_string();
    let name = folder.path().display();
    assert_eq!(
        error,
        format!(
            "{name}/ham/2.eml: not a mail: it begins with \"x,y\", and a mail begins with fields such as \"From: \
             anna@example.org\"; remove it, or have bad rows skipped"
        )
    );
    let (cells, skipped) = files(DocumentKind::Mail, &paths, BadRows::Skip).unwrap();
    let skipped = skipped.unwrap();
    assert_eq!((cells.len(), skipped.count(), skipped.n_rows), (2, 3, 5));
    assert_eq!(cells[1].1, Place::Document(5));
    let first: Vec<String> = skipped.first.iter().map(ToString::to_string).collect();
    assert_eq!(first[1], format!("{name}/ham/3.eml: this is a PDF document"));
    assert!(
        first[2].starts_with(&format!("{name}/ham/4.eml: not a mail: it begins with \"\"")),
        "{}",
        first[2]
    );

    let mbox = "From a\nSubject: one\n\n\nFrom now on this is text\n\nFrom b\nSubject: two\n\n";
    let error = stream(DocumentKind::Mail, mbox.as_bytes(), BadRows::Error).unwrap_err().to_string();
    assert!(error.starts_with("box/in.mbox, line 5: not a mail: it begins with \"\""), "{error}");
    let (cells, skipped) = stream(DocumentKind::Mail, mbox.as_bytes(), BadRows::Skip).unwrap();
    assert_eq!((cells[1].1, skipped.unwrap().places), (Place::Line(7), vec![Place::Line(5)]));
}

#[test]
fn what_is_too_long_is_refused_or_skipped() {
    let mbox = format!("From a\nSubject: one\n\n{}\n\nFrom b\nSubject: two\n", "word ".repeat(100));
    let read = |bad_rows| {
        let table = table(DocumentKind::Mail, bad_rows).with_new_levels(NewLevels::Missing);
        let mails = Documents::new(DocumentKind::Mail).with_max_bytes(100).with_table(table);
        cells(&mut mails.read_from(mbox.as_bytes(), "in.mbox", &schema(DocumentKind::Mail)).unwrap())
    };
    assert!(
        read(BadRows::Error)
            .unwrap_err()
            .to_string()
            .starts_with("in.mbox, line 1: longer than the limit of 100")
    );
    let (cells, skipped) = read(BadRows::Skip).unwrap();
    assert_eq!((cells.len(), skipped.unwrap().count()), (1, 1));
}

/// Mails within mails and parts within parts need neither stack nor time that grow with their number.
#[test]
fn nesting_has_no_depth() {
    let messages = "Content-Type: message/rfc822\n\n".repeat(100_000);
    assert_eq!(mail(messages)[3], "1");
    let part = |level| format!("Content-Type: multipart/mixed; boundary=b{level}\n\n--b{level}\n");
    let parts: Vec<String> = (0..20_000).map(part).collect();
    assert_eq!(mail(parts.concat())[3], "1");
}

/// All that may be in a mail, to be damaged.
const MAIL: &[u8] = b"From a@b Thu Jan  1 00:00:00 2026\r\nFrom: =?utf-8?q?A=C3=A9?= <a@b.org>\r\nSubject: =?gb2312?B?1tDOxA==?=\r\n\
    Date: Sat, 31 Jan 2026 12:30:00 +0100\r\nContent-Type: multipart/mixed; boundary=\"b\"; x*0*=utf-8'en'%C3%A9\r\n\r\n\
    --b\r\nContent-Type: multipart/alternative; boundary=c\r\n\r\n--c\r\nContent-Type: text/plain; charset=utf-7\r\n\
    Content-Transfer-Encoding: quoted-printable\r\n\r\na=C3=A9=\r\n+AOk-\r\n--c\r\nContent-Type: text/html\r\n\r\n\
    <!-- x --><p>&eacute;&#233;<br>\xE9</p>\r\n--c--\r\n--b\r\nContent-Type: message/rfc822\r\n\
    Content-Transfer-Encoding: base64\r\n\r\nU3ViamVjdDogeA0KDQo=\r\n--b--\r\n\r\n>From x\r\n\r\nFrom b\r\nSubject: y\r\n\r\n";

fn any_bytes_give_rows_or_an_error(bytes: &[u8]) {
    for kind in [DocumentKind::Mail, DocumentKind::Text] {
        let strict = stream(kind, bytes, BadRows::Error);
        let lax = stream(kind, bytes, BadRows::Skip);
        if let (Ok((strict, _)), Ok((lax, skipped))) = (&strict, &lax) {
            assert_eq!((strict, skipped.as_ref().unwrap().count()), (lax, 0));
        }
    }
}

#[test]
fn damaged_mails_give_rows_or_an_error() {
    mutations::of(MAIL, 2000, any_bytes_give_rows_or_an_error);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn hostile_bytes_give_rows_or_an_error(
        pieces in proptest::collection::vec(
            prop_oneof![
                proptest::collection::vec(any::<u8>(), 0..40),
                proptest::sample::select(vec![
                    "From x\n", "Subject: ", "\n\n", "\r\n", "--b\n", "--b--", "Content-Type: text/html; charset=", "utf-16",
                    "Content-Type: multipart/alternative; boundary=b\n", "Content-Transfer-Encoding: base64\n", "=?utf-8?b?", "?=",
                    "=?x?q?", "Content-Type: message/rfc822\n\n", "Date: ", "<!--", "&#x", ">From ", ",\"", ";", "\t", "(", "\\",
                ]).prop_map(|text| text.as_bytes().to_vec()),
            ],
            0..30,
        ),
    ) {
        any_bytes_give_rows_or_an_error(&pieces.concat());
    }
}
