//! Reading on a thread of its own changes nothing.

use nb_table::{
    Kind, Schema,
    read::{BadRows, Chunk, Csv, NewLevels, ReadAhead, ReadChunks, ReadError, TableOptions, Unlabeled},
};

/// A chunk for each row, with all that the reader says of itself behind each.
fn course(reader: &mut dyn ReadChunks) -> Vec<(Result<Option<Chunk>, String>, String)> {
    let mut course = Vec::new();
    loop {
        let chunk = reader.next_chunk().map_err(|error| error.to_string());
        let said = format!(
            "{:?} {:?} {:?} {:?} {}",
            reader.schema(),
            reader.unlabeled_rows(),
            reader.skipped_rows(),
            reader.repeated_header(),
            reader.name()
        );
        let is_last = matches!(chunk, Ok(None));
        course.push((chunk, said));
        if is_last {
            return course;
        }
    }
}

#[test]
fn chunks_and_what_is_said_of_them_are_the_same() {
    let mut schema = Schema::numeric(["length", "colour"], "species");
    schema.columns[1].kind = Kind::Categorical { levels: vec!["red".into()] };
    let table = TableOptions::default()
        .with_chunk_rows(1)
        .with_new_levels(NewLevels::Intern)
        .with_unlabeled(Unlabeled::Skip);
    for (bad_rows, n_course) in [(BadRows::Skip, 5), (BadRows::Error, 4)] {
        let csv = Csv::default().with_table(table.clone().with_bad_rows(bad_rows));
        let text = "length,colour,species\n1,red,a\nlength,colour,species\n2,blue,b\n3,red,\nlong,red,a\n4,green,a\n5,red,b\n";
        let read = || csv.read_from(text.as_bytes(), "flowers", &schema).unwrap();
        let there = course(&mut read());
        assert_eq!(there.len(), n_course, "{there:#?}");
        assert_eq!(course(&mut ReadAhead::new(read())), there);
    }
}

#[test]
fn a_reader_that_is_dropped_ends_its_thread() {
    let (text, schema) = ("x,y\n1,a\n".to_owned() + &"2,b\n".repeat(1000), Schema::numeric(["x"], "y"));
    let csv = Csv::default().with_table(TableOptions::default().with_chunk_rows(1));
    let (sender, ended) = std::sync::mpsc::channel::<()>();
    let input = Dropped { text: std::io::Cursor::new(text), _sender: sender };
    let mut reader = ReadAhead::new(csv.read_from(input, "flowers", &schema).unwrap());
    reader.next_chunk().unwrap();
    drop(reader);
    assert_eq!(ended.recv(), Err(std::sync::mpsc::RecvError));
}

/// Bytes whose channel closes when they are dropped.
struct Dropped {
    text: std::io::Cursor<String>,
    _sender: std::sync::mpsc::Sender<()>,
}

impl std::io::Read for Dropped {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.text.read(buffer)
    }
}

#[test]
#[should_panic(expected = "of the reader")]
fn a_panic_of_the_reader_is_one_of_the_caller() {
    struct Panics(Schema);
    impl ReadChunks for Panics {
        fn next_chunk(&mut self) -> Result<Option<Chunk>, ReadError> {
            panic!("of the reader");
        }
        fn schema(&self) -> &Schema {
            &self.0
        }
        fn name(&self) -> &'static str {
            "panics"
        }
    }
    drop(ReadAhead::new(Panics(Schema::numeric(["x"], "y"))).next_chunk());
}
