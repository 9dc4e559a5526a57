//! Reading on its own thread.

use std::{
    panic::resume_unwind,
    sync::{
        Arc,
        mpsc::{Receiver, sync_channel},
    },
    thread::{self, JoinHandle},
};

#[cfg(feature = "csv")]
use super::RepeatedHeader;
use super::{Chunk, ReadChunks, ReadError, SkippedRows, UnlabeledRows};
use crate::Schema;

/// A reader on its own thread, which reads the next chunks while the caller works with one: the same chunks,
/// in the same order. Two chunks are in memory at a time. The thread ends with the file, or at the next chunk
/// once this is dropped.
///
/// ```
/// use nb_table::{Schema, read::{Csv, ReadAhead, ReadChunks}};
///
/// let text = "length,species\n1.5,a\n2.5,b\n".as_bytes();
/// let mut reader = ReadAhead::new(Csv::default().read_from(text, "flowers", &Schema::numeric(["length"], "species"))?);
/// assert_eq!(reader.next_chunk()?.unwrap().labels.unwrap(), ["a", "b"]);
/// assert_eq!(reader.next_chunk()?, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ReadAhead {
    name: String,
    chunks: Receiver<Ahead>,
    thread: Option<JoinHandle<()>>,
    /// What the reader said of itself behind the last chunk.
    state: State,
}

/// A chunk, and what the reader says of itself behind it.
#[derive(Debug)]
struct Ahead {
    chunk: Result<Option<Chunk>, ReadError>,
    state: State,
}

#[derive(Debug)]
struct State {
    schema: Arc<Schema>,
    unlabeled_rows: Option<UnlabeledRows>,
    skipped_rows: Option<SkippedRows>,
    #[cfg(feature = "csv")]
    repeated_header: Option<RepeatedHeader>,
}

impl State {
    /// The state of a reader whose schema was this one.
    fn of(reader: &impl ReadChunks, before: &Arc<Schema>) -> Self {
        let schema =
            if **before == *reader.schema() { before.clone() } else { Arc::new(reader.schema().clone()) };
        Self {
            schema,
            unlabeled_rows: reader.unlabeled_rows().cloned(),
            skipped_rows: reader.skipped_rows(),
            #[cfg(feature = "csv")]
            repeated_header: reader.repeated_header(),
        }
    }
}

impl ReadAhead {
    /// Starts to read.
    pub fn new<R: ReadChunks + Send + 'static>(mut reader: R) -> Self {
        // A chunk waits in the hands of the reader until it is taken.
        let (sender, chunks) = sync_channel(0);
        let name = reader.name().to_owned();
        let state = State::of(&reader, &Arc::new(reader.schema().clone()));
        let mut schema = state.schema.clone();
        let thread = thread::spawn(move || {
            loop {
                let chunk = reader.next_chunk();
                let is_last = !matches!(chunk, Ok(Some(_)));
                let state = State::of(&reader, &schema);
                schema = state.schema.clone();
                if sender.send(Ahead { chunk, state }).is_err() || is_last {
                    return;
                }
            }
        });
        Self { name, chunks, thread: Some(thread), state }
    }
}

impl ReadChunks for ReadAhead {
    fn next_chunk(&mut self) -> Result<Option<Chunk>, ReadError> {
        if let Ok(ahead) = self.chunks.recv() {
            self.state = ahead.state;
            return ahead.chunk;
        }
        match self.thread.take().map(JoinHandle::join) {
            Some(Err(panic)) => resume_unwind(panic),
            _ => Ok(None),
        }
    }

    fn schema(&self) -> &Schema {
        &self.state.schema
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn unlabeled_rows(&self) -> Option<&UnlabeledRows> {
        self.state.unlabeled_rows.as_ref()
    }

    fn skipped_rows(&self) -> Option<SkippedRows> {
        self.state.skipped_rows.clone()
    }

    #[cfg(feature = "csv")]
    fn repeated_header(&self) -> Option<RepeatedHeader> {
        self.state.repeated_header
    }
}
