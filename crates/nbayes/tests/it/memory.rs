//! A small model file cannot take much memory unasked.

use crate::folder::Folder;

#[test]
fn memory_is_bounded_and_can_be_raised() {
    let folder = Folder::new();
    folder.write("mails.csv", "text,label\nfree prize,spam\nsee you,ham\n");
    folder.ok("train mails.csv --label label --text text --hash 1048576 -o model.nb");
    assert!(folder.read("model.nb").len() < 4096);
    folder.ok("predict model.nb mails.csv");
    let error = folder.fails(1, "predict model.nb mails.csv --max-memory 16MiB");
    assert!(error.contains("bytes of memory, more than the limit of 16777216"), "{error}");
    assert!(error.contains("use --max-memory"), "{error}");
    folder.ok("predict model.nb mails.csv --max-memory 1GB");
    assert!(folder.fails(2, "predict model.nb mails.csv --max-memory much").contains("such as 4GiB"));
}

#[test]
fn models_keep_the_format_of_their_name() {
    let folder = Folder::new();
    folder.write("rows.csv", "x,y\n1,a\n2,b\n");
    folder.ok("train rows.csv --label y -o model.json --plain");
    assert!(folder.read("model.json").starts_with(b"{"));
    folder.ok("update model.json rows.csv");
    assert!(folder.read("model.json").starts_with(b"{"));
    folder.ok("train rows.csv rows.csv --label y -o twice.json --plain");
    assert_eq!(folder.read("model.json"), folder.read("twice.json"));
}
