//! Files in stores: what addresses such as `s3://bucket/folder/*.parquet` stand for.

mod error;
mod site;
mod store;

use std::path::PathBuf;

use anyhow::{Context, Result};
use datafusion::{datasource::listing::ListingTableUrl, execution::runtime_env::RuntimeEnv};
use futures::TryStreamExt;
use nb_io::read::FoundFiles;
use object_store::{ObjectMeta, ObjectStore, ObjectStoreExt, path::Path};
use url::Url;

use super::{failure::usage, files::Location};
pub(crate) use error::RemoteError;
use site::{Kind, Site};

/// The files that an address stands for; none if it is of a kind that is not read.
///
/// What holds them is registered, so that the engine finds it. In buckets, names, folders and patterns are
/// what they are to `nbayes` on this machine; other servers list no files, so that each has to be named.
pub(crate) async fn find(address: &str, runtime: &RuntimeEnv) -> Result<Option<Vec<Location>>> {
    let (scheme, rest) = address.split_once("://").unwrap_or((address, ""));
    let scheme = scheme.to_ascii_lowercase();
    let kind = match scheme.as_str() {
        "s3" | "s3a" => Kind::Amazon,
        "gs" => Kind::Google,
        "http" | "https" => return on_server(address, runtime).await.map(Some),
        _ => return Ok(None),
    };
    let (bucket, key) = rest.split_once('/').unwrap_or((rest, ""));
    let root = Url::parse(&format!("{scheme}://{bucket}/")).ok().filter(Url::has_host);
    let root =
        root.ok_or_else(|| usage(format!("{address:?} names no bucket, as in {scheme}://bucket/file")))?;
    let site = Site::new(kind, root);
    let store = site.store(runtime).await?;
    let keys = keys(&site, key, store.as_ref()).await?;
    keys.iter().map(|key| site.location(key)).collect::<Result<_>>().map(Some)
}

/// The file of a server, by its whole address.
async fn on_server(address: &str, runtime: &RuntimeEnv) -> Result<Vec<Location>> {
    let full =
        Url::parse(address).map_err(|error| usage(format!("an HTTP address is not valid: {error}")))?;
    let url = site::without_secrets(&full);
    if url.path().contains('*') || url.path().ends_with('/') {
        return Err(usage(format!(
            "{url}: HTTP servers do not list their files; name each file by its address"
        )));
    }
    let store = Site::new(Kind::Web, full).store(runtime).await?;
    let (name, url) = (url.to_string(), ListingTableUrl::try_new(url, None)?);
    store.head(url.prefix()).await?;
    Ok(vec![Location::Address { name, url: url.into() }])
}

/// The keys of a bucket that a key, a folder or a pattern stands for.
async fn keys(site: &Site, key: &str, store: &dyn ObjectStore) -> Result<Vec<String>> {
    let path = |key: &str| {
        let key = key.strip_suffix('/').unwrap_or(key);
        Path::parse(key).map_err(|error| usage(format!("{}: {error}", site.name(key))))
    };
    let wildcard = key.find(['*', '?', '[']);
    let mut missing = None;
    if wildcard.is_none() && !key.is_empty() && !key.ends_with('/') {
        match store.head(&path(key)?).await {
            Ok(_) => return Ok(vec![key.into()]),
            // It may be a folder.
            Err(error) if RemoteError::of(&error).is_some_and(RemoteError::is_missing) => {
                missing = Some(error);
            }
            Err(error) => return Err(error.into()),
        }
    }
    let (folder, has_subfolders) = match wildcard {
        Some(place) => {
            (key[..place].rfind('/').map_or("", |slash| &key[..slash]), key[place..].contains('/'))
        }
        None => (key, true),
    };
    let folder = path(folder)?;
    let files: Vec<ObjectMeta> = if has_subfolders {
        store.list(Some(&folder)).try_collect().await?
    } else {
        store.list_with_delimiter(Some(&folder)).await?.objects
    };
    // What stands for a folder is no file.
    let files = files.iter().filter(|file| file.size > 0 || file.location.extension().is_some());
    let files: Vec<_> = files.map(|file| site.name(file.location.as_ref()).into()).collect();
    if let (Some(missing), true) = (missing, files.is_empty()) {
        return Err(missing.into());
    }
    let found = FoundFiles::among(&site.name(key), files).map_err(|error| usage(error.to_string()))?;
    let key_of = |path: &PathBuf| {
        let key = path.to_str().and_then(|name| name.strip_prefix(&site.name("")));
        key.map(String::from).with_context(|| format!("{} is not in {}", path.display(), site.name("")))
    };
    found.paths().iter().map(key_of).collect()
}
