//! Data files as the readers of `nb-io` take them: as bytes or as record batches, for which a thread waits.

use std::{
    fs::File,
    io::{self, BufReader, Read},
};

use anyhow::Result;
use datafusion::{
    arrow::{array::RecordBatchReader, datatypes::SchemaRef, error::ArrowError, record_batch::RecordBatch},
    error::DataFusionError,
    prelude::{DataFrame, SessionContext},
};
use futures::{
    AsyncRead, AsyncReadExt, StreamExt, TryStreamExt,
    stream::{self, BoxStream},
};
use object_store::ObjectStoreExt;
use tokio::runtime::Handle;

use super::{files::Location, tables::Table};

/// Opens files for threads that may wait.
#[derive(Clone)]
pub(crate) struct Opener {
    context: SessionContext,
    runtime: Handle,
}

impl Opener {
    /// For files of which the context knows the stores. Has to be made within the runtime.
    pub(crate) fn new(context: &SessionContext) -> Self {
        let mut state = context.state();
        // Several threads for one file would change the order of its rows.
        state.config_mut().options_mut().execution.target_partitions = 1;
        Self { context: SessionContext::new_with_state(state), runtime: Handle::current() }
    }

    /// The bytes of a file.
    pub(crate) fn bytes(&self, location: &Location) -> io::Result<Box<dyn Read + Send>> {
        if let Location::Path(path) = location {
            return Ok(Box::new(File::open(path)?));
        }
        let url = location.url().map_err(io::Error::other)?;
        let store = self.context.runtime_env().object_store(&url).map_err(io::Error::other)?;
        let answer = self.runtime.block_on(store.get(url.prefix())).map_err(io::Error::other)?;
        let input = answer.into_stream().map_err(io::Error::other).into_async_read();
        Ok(Box::new(BufReader::with_capacity(1 << 16, Waiting { input, runtime: self.runtime.clone() })))
    }

    /// The rows of a file of a table, in its order: what is called gives all of them each time.
    pub(crate) fn batches(&self, table: &Table, location: &Location) -> Result<impl Fn() -> Batches + use<>> {
        let frame = self.context.read_table(table.provider(&[location])?)?;
        let runtime = self.runtime.clone();
        Ok(move || Batches::new(frame.clone(), runtime.clone()))
    }
}

/// A stream of bytes for which a thread waits.
struct Waiting<R> {
    input: R,
    runtime: Handle,
}

impl<R: AsyncRead + Unpin> Read for Waiting<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.runtime.block_on(self.input.read(bytes))
    }
}

/// Record batches for which a thread waits.
pub(crate) struct Batches {
    schema: SchemaRef,
    rows: BoxStream<'static, Result<RecordBatch, DataFusionError>>,
    runtime: Handle,
}

impl Batches {
    fn new(frame: DataFrame, runtime: Handle) -> Self {
        let schema = frame.schema().inner().clone();
        let rows = stream::once(frame.execute_stream()).try_flatten().boxed();
        Self { schema, rows, runtime }
    }
}

impl Iterator for Batches {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = self.runtime.block_on(self.rows.next())?;
        Some(batch.map_err(|error| ArrowError::ExternalError(Box::new(error))))
    }
}

impl RecordBatchReader for Batches {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}
