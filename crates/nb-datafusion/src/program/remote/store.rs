//! A store that tells what is wrong in words for the user, and does not wait for ever.

use std::fmt;

use async_trait::async_trait;
use futures::{
    StreamExt,
    stream::{self, BoxStream},
};
use object_store::{
    CopyOptions, Error, GetOptions, GetResult, GetResultPayload, ListResult, MultipartUpload, ObjectMeta,
    ObjectStore, PutMultipartOptions, PutOptions, PutPayload, PutResult, Result, path::Path,
};
use tokio::time::timeout;

use super::site::{PATIENCE, Site};

/// A store of a site. It is only read from.
#[derive(Debug)]
pub(super) struct RemoteStore {
    site: Site,
    store: Box<dyn ObjectStore>,
}

impl RemoteStore {
    pub(super) fn new(site: Site, store: Box<dyn ObjectStore>) -> Self {
        Self { site, store }
    }

    async fn answer<T>(&self, key: &str, answer: impl Future<Output = Result<T>>) -> Result<T> {
        match timeout(PATIENCE, answer).await {
            Ok(answer) => answer.map_err(|error| self.site.explained(key, &error)),
            Err(_) => Err(self.site.silent(key)),
        }
    }

    /// The parts of a long answer.
    fn answers<T: Send + 'static>(
        &self,
        key: &str,
        answers: BoxStream<'static, Result<T>>,
    ) -> BoxStream<'static, Result<T>> {
        let (site, key) = (self.site.clone(), String::from(key));
        let next = move |answers: Option<BoxStream<'static, Result<T>>>| {
            let (site, key) = (site.clone(), key.clone());
            async move {
                let mut answers = answers?;
                match timeout(PATIENCE, answers.next()).await {
                    Ok(None) => None,
                    Ok(Some(Ok(part))) => Some((Ok(part), Some(answers))),
                    Ok(Some(Err(error))) => Some((Err(site.explained(&key, &error)), None)),
                    Err(_) => Some((Err(site.silent(&key)), None)),
                }
            }
        };
        stream::unfold(Some(answers), next).boxed()
    }
}

impl fmt::Display for RemoteStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.site.name(""))
    }
}

#[async_trait]
impl ObjectStore for RemoteStore {
    async fn get_opts(&self, location: &Path, options: GetOptions) -> Result<GetResult> {
        let key = location.as_ref();
        let is_of_head = options.head;
        let mut result = self.answer(key, self.store.get_opts(location, options)).await;
        if is_of_head && result.is_err() && self.site.is_signed() {
            // What was signed for reading is not for questions. The first byte tells the size, too.
            let first = GetOptions { range: Some((0..1).into()), ..GetOptions::default() };
            result = self.answer(key, self.store.get_opts(location, first)).await;
        }
        let mut result = result?;
        if let GetResultPayload::Stream(parts) = result.payload {
            result.payload = GetResultPayload::Stream(self.answers(key, parts));
        }
        Ok(result)
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        self.answers(prefix.map_or("", Path::as_ref), self.store.list(prefix))
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Result<ListResult> {
        self.answer(prefix.map_or("", Path::as_ref), self.store.list_with_delimiter(prefix)).await
    }

    async fn put_opts(&self, _: &Path, _: PutPayload, _: PutOptions) -> Result<PutResult> {
        Err(self.read_only("put_opts"))
    }

    async fn put_multipart_opts(&self, _: &Path, _: PutMultipartOptions) -> Result<Box<dyn MultipartUpload>> {
        Err(self.read_only("put_multipart_opts"))
    }

    fn delete_stream(&self, _: BoxStream<'static, Result<Path>>) -> BoxStream<'static, Result<Path>> {
        stream::iter([Err(self.read_only("delete_stream"))]).boxed()
    }

    async fn copy_opts(&self, _: &Path, _: &Path, _: CopyOptions) -> Result<()> {
        Err(self.read_only("copy_opts"))
    }
}

impl RemoteStore {
    fn read_only(&self, operation: &str) -> Error {
        Error::NotImplemented { operation: operation.into(), implementer: self.to_string() }
    }
}
