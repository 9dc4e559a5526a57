//! Files of the scheduler's machine, of which a missing one is an error.
//!
//! A table of DataFusion that names a file which does not exist has no rows. The client has seen the files of
//! its query, so that on the scheduler one that is missing means another file system, and an answer without
//! its rows would be wrong.

use std::fmt;

use async_trait::async_trait;
use futures::stream::BoxStream;
use object_store::{
    CopyOptions, Error, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta, ObjectStore,
    PutMultipartOptions, PutOptions, PutPayload, PutResult, Result, local::LocalFileSystem, path::Path,
};

/// The file system of this machine, that requested files have to be in.
#[derive(Debug, Default)]
pub(super) struct Present(LocalFileSystem);

/// A file is not there.
#[derive(Debug, thiserror::Error)]
#[error(
    "the scheduler finds no file /{path}; every path must mean the same file to the client, the scheduler and all executors"
)]
struct Absent {
    path: String,
}

impl fmt::Display for Present {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[async_trait]
impl ObjectStore for Present {
    async fn get_opts(&self, location: &Path, options: GetOptions) -> Result<GetResult> {
        self.0.get_opts(location, options).await.map_err(|error| match error {
            Error::NotFound { path: _, source: _ } => {
                Error::Generic { store: "files", source: Box::new(Absent { path: location.to_string() }) }
            }
            error => error,
        })
    }

    async fn put_opts(&self, location: &Path, payload: PutPayload, options: PutOptions) -> Result<PutResult> {
        self.0.put_opts(location, payload, options).await
    }

    async fn put_multipart_opts(
        &self,
        location: &Path,
        options: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        self.0.put_multipart_opts(location, options).await
    }

    fn delete_stream(&self, locations: BoxStream<'static, Result<Path>>) -> BoxStream<'static, Result<Path>> {
        self.0.delete_stream(locations)
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        self.0.list(prefix)
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Result<ListResult> {
        self.0.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, from: &Path, to: &Path, options: CopyOptions) -> Result<()> {
        self.0.copy_opts(from, to, options).await
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use datafusion::{
        datasource::object_store::ObjectStoreUrl,
        prelude::{CsvReadOptions, SessionContext},
    };
    use url::Url;

    use super::*;

    /// The engine's own file system finds no rows in a file that is not there.
    #[tokio::test]
    async fn a_missing_file_is_an_error() -> datafusion::error::Result<()> {
        let folder = tempfile::tempdir()?;
        let [here, gone] =
            ["here.csv", "gone.csv"].map(|name| folder.path().join(name).display().to_string());
        for path in [&here, &gone] {
            std::fs::write(path, "x\n1\n")?;
        }
        let files: Url = AsRef::<Url>::as_ref(&ObjectStoreUrl::local_filesystem()).clone();
        for present in [false, true] {
            let context = SessionContext::new();
            if present {
                context.register_object_store(&files, Arc::new(Present::default()));
            }
            std::fs::write(&gone, "x\n1\n")?;
            let frame = context.read_csv(vec![here.as_str(), gone.as_str()], CsvReadOptions::new()).await?;
            assert_eq!(frame.clone().count().await?, 2);
            std::fs::remove_file(&gone)?;
            match frame.count().await {
                Ok(n_rows) => assert!(!present && n_rows == 1, "{n_rows}"),
                Err(error) => assert!(present && error.to_string().contains("gone.csv"), "{error}"),
            }
        }
        Ok(())
    }
}
