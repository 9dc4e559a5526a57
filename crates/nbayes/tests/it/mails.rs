//! Mails and texts in folders: each is a row, and the folder may be the label.

use crate::folder::Folder;

/// The subject and the text of a mail. Those of even numbers are wanted.
fn mail(number: usize) -> (String, String) {
    let words: [[&str; 4]; 2] =
        [["meeting", "report", "lunch", "review"], ["prize", "money", "click", "offer"]];
    let words = words[number % 2];
    let word = |place: usize| words[(number / 2 + place) % 4];
    let text = format!("this is about the {} and a {} of number {number}, please read", word(1), word(2));
    (format!("some {} here {number}", word(0)), text)
}

fn kind(number: usize) -> &'static str {
    ["ham", "spam"][number % 2]
}

fn eml(number: usize) -> String {
    let (subject, text) = mail(number);
    format!("From: p{}@example.org\nSubject: {subject}\n\n{text}\n", number % 3)
}

fn write(folder: &Folder, name: &str, content: impl AsRef<[u8]>) {
    std::fs::create_dir_all(folder.path(name).parent().unwrap()).unwrap();
    folder.write(name, content);
}

/// Mails in files and subfolders.
fn with_mails(folder: &Folder, root: &str, numbers: std::ops::Range<usize>) {
    for number in numbers {
        write(folder, &format!("{root}/{}/{number:02}.eml", kind(number)), eml(number));
    }
}

#[test]
fn mails_make_the_model_of_a_table_of_their_cells() {
    let folder = Folder::new();
    with_mails(&folder, "files", 0..40);
    let row = |number: usize| {
        let (subject, text) = mail(number);
        format!("p{}@example.org,{subject},,0,\"{text}\",{}\n", number % 3, kind(number))
    };
    let header = "from,subject,date,attachments,text,folder\n";
    folder.write("table.csv", (0..40).map(row).fold(header.to_owned(), |all, row| all + &row));
    for number in 0..40 {
        let path = folder.path(&format!("boxes/{}/in.mbox", kind(number)));
        let before = std::fs::read_to_string(path).unwrap_or_default();
        let mails = format!("{before}From x\n{}\n", eml(number));
        write(&folder, &format!("boxes/{}/in.mbox", kind(number)), mails);
        write(
            &folder,
            &format!("dirs/{}/cur/17180000{number:02}.M1.host.org:2,S", kind(number)),
            eml(number),
        );
    }
    folder.ok("train table.csv --label folder -o table.nb");
    let expected = folder.read("table.nb");
    for (files, note) in [
        ("files", "40 mails of files\n"),
        ("files/*/*.eml", "40 mails for 'files/*/*.eml'\n"),
        ("files/ham files/spam", "20 mails of files/ham\n20 mails of files/spam\n"),
        ("boxes", "2 files of boxes\n"),
        ("dirs", "40 mails of dirs\n"),
    ] {
        let run = folder.nbayes(&format!("train {files} --label folder -o m.nb"));
        assert_eq!((run.code, run.stderr.as_str()), (0, note), "{}", run.stdout);
        assert_eq!(folder.read("m.nb"), expected, "{files}");
    }
    folder.ok("train table.csv --label folder --ignore subject --categorical text -o table.nb");
    folder.ok("train files --label folder --ignore subject --categorical text -o m.nb");
    assert_eq!(folder.read("m.nb"), folder.read("table.nb"));
    let schema = folder.ok("schema files --label folder");
    for line in ["\"subject\"", "\"text\""] {
        let at = schema.find(line).unwrap_or_else(|| panic!("{line}: {schema}"));
        assert!(schema[at..].lines().take(3).any(|line| line.contains("text")), "{schema}");
    }
}

#[test]
fn mails_are_predicted_from_folders_mboxes_and_pipes() {
    let folder = Folder::new();
    with_mails(&folder, "train", 0..40);
    with_mails(&folder, "new", 40..44);
    folder.ok("train train --label folder -o m.nb");
    let evaluated = folder.ok("evaluate m.nb new");
    let accuracy = evaluated.lines().find_map(|line| line.trim().strip_prefix("accuracy")).unwrap();
    assert_eq!(accuracy.split_whitespace().next(), Some("1"), "{evaluated}");
    let files = folder.ok("predict m.nb new --quiet");
    let mbox: String = [40, 42, 41, 43].map(|number| format!("From x\n{}\n", eml(number))).concat();
    folder.write("new.mbox", &mbox);
    assert_eq!(folder.ok("predict m.nb new.mbox --quiet"), files);
    assert_eq!(folder.nbayes_with("predict m.nb - --quiet", mbox).stdout, files);
    let one = folder.nbayes_with("predict m.nb - --quiet", eml(41)).stdout;
    assert_eq!(one.lines().count(), 2, "{one}");
    assert!(one.contains("spam"), "{one}");
    let explained = folder.ok("explain m.nb new/spam/41.eml --row 1");
    assert!(explained.contains("spam"), "{explained}");
    assert_eq!(folder.ok("explain m.nb new/spam --row 1"), explained);

    folder.ok("update m.nb new -o more.nb");
    folder.ok("forget more.nb new/ham/40.eml new/ham/42.eml");
    folder.ok("forget more.nb new/spam -o back.nb");
    assert_eq!(folder.read("back.nb"), folder.read("m.nb"));
}

#[test]
fn mails_are_held_out_by_their_names() {
    let folder = Folder::new();
    with_mails(&folder, "train", 0..50);
    let held_out = folder.ok("train train --label folder -o m.nb --test-fraction 0.2 --json");
    assert!(held_out.contains("\"rows\": 40") || held_out.contains("\"rows\":40"), "{held_out}");
    let error = folder.fails(2, "split train --test 0.2 --label folder");
    assert!(error.contains("train"), "{error}");
}

#[test]
fn what_is_no_mail_is_named_or_skipped() {
    let folder = Folder::new();
    with_mails(&folder, "train", 0..40);
    folder.ok("train train --label folder -o m.nb");
    folder.write("train/ham/05.eml", "a,b\n1,2\n");
    let error = folder.fails(1, "train train --label folder -o bad.nb");
    assert!(error.contains("train/ham/05.eml: not a mail: it begins with \"a,b\""), "{error}");
    let run = folder.nbayes("train train --label folder -o skipped.nb --bad-rows skip");
    let note = "train: 1 of 41 rows is skipped: train/ham/05.eml: not a mail: it begins with \"a,b\", and a mail begins with \
                fields such as \"From: anna@example.org\"\n";
    assert!(run.code == 0 && run.stderr.contains(note), "{}", run.stderr);
    assert_eq!(folder.read("skipped.nb"), folder.read("m.nb"));
    let predicted = folder.nbayes("predict m.nb train --bad-rows skip").stdout;
    assert_eq!(predicted.lines().count(), 42, "{predicted}");
}

#[test]
fn texts_are_rows_and_tables_are_tables() {
    let folder = Folder::new();
    for number in 0..40 {
        let (_, text) = mail(number);
        write(&folder, &format!("texts/{}/{number}.txt", kind(number)), text);
        write(&folder, &format!("tables/{number}.txt"), format!("x,y\n{},{}\n", number % 7, kind(number)));
    }
    let run = folder.nbayes("train texts --label folder -o m.nb");
    let note = "40 texts of texts; each is a row (`--format csv` reads tables)\n";
    assert_eq!((run.code, run.stderr.as_str()), (0, note), "{}", run.stdout);
    assert!(folder.ok("predict m.nb texts/spam/1.txt --format text --quiet").contains("spam"));
    folder.ok("train tables --label y --format csv -o t.nb");
    let error = folder.fails(1, "train tables --label y -o t.nb");
    assert!(
        error.contains("column \"y\" not found; the file has 2 columns: \"text\", \"folder\""),
        "{error}"
    );
}

#[test]
fn missing_labels_have_the_name_of_their_file() {
    let folder = Folder::new();
    with_mails(&folder, "train", 0..40);
    folder.write("train/ham/90.eml", "Subject: nobody wrote this\n\nText\n");
    let error = folder.fails(1, "train train --label from --unlabeled error -o m.nb");
    assert!(error.contains("train/ham/90.eml, column \"from\": \"\" is a missing label"), "{error}");
}
