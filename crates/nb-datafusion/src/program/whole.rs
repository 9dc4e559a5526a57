//! Whether files are whole, as far as that can be seen.

use anyhow::{Context, Result, bail};
use datafusion::execution::runtime_env::RuntimeEnv;
use object_store::ObjectStoreExt;

use super::files::{FileKind, Location};

/// The first and the last four bytes of a Parquet file.
const PARQUET: &[u8] = b"PAR1";

/// The first bytes of an Avro file.
const AVRO: &[u8] = b"Obj\x01";

/// How much of an Avro file most of their headers are in.
const HEADER: u64 = 1 << 16;

/// Refuses a file that was cut, or is not finished, if its kind has an end.
pub(crate) async fn check_whole(kind: FileKind, location: &Location, runtime: &RuntimeEnv) -> Result<()> {
    let is_whole = match kind {
        FileKind::Parquet => is_whole_parquet(location, runtime).await,
        FileKind::Avro => is_whole_avro(location, runtime).await,
        FileKind::Text { .. } | FileKind::Json { .. } => return Ok(()),
    };
    let name = if kind == FileKind::Avro { "Avro" } else { "Parquet" };
    match is_whole.with_context(|| format!("cannot read {location}"))? {
        Some(true) => Ok(()),
        Some(false) => bail!("{location} is cut: it does not end as {name} files do"),
        None => bail!("{location} is no {name} file"),
    }
}

/// Whether there is a footer; nothing if it is another file. The engine's reader takes the length of the
/// footer as it stands.
async fn is_whole_parquet(location: &Location, runtime: &RuntimeEnv) -> Result<Option<bool>> {
    let url = location.url()?;
    let (store, path) = (runtime.object_store(&url)?, url.prefix());
    let size = store.head(path).await?.size;
    // Magic, the length of the footer, and magic again.
    if size < 12 {
        return Ok(None);
    }
    let ends = store.get_ranges(path, &[0..4, size - 8..size]).await?;
    let [start, end] = &ends[..] else { return Ok(None) };
    let footer = end.first_chunk().map_or(u32::MAX, |length| u32::from_le_bytes(*length));
    let is_whole = end.ends_with(PARQUET) && u64::from(footer) + 12 <= size;
    Ok((start == PARQUET).then_some(is_whole))
}

/// Whether the end is that of a block; nothing if it is another file. The engine's reader takes any end for
/// that of the last whole block.
async fn is_whole_avro(location: &Location, runtime: &RuntimeEnv) -> Result<Option<bool>> {
    let url = location.url()?;
    let (store, path) = (runtime.object_store(&url)?, url.prefix());
    let size = store.head(path).await?.size;
    if size == 0 {
        return Ok(None);
    }
    let mut start = store.get_range(path, 0..size.min(HEADER)).await?;
    if !start.starts_with(AVRO) {
        return Ok(None);
    }
    if marker(&start).is_none() && size > HEADER {
        start = store.get_range(path, 0..size).await?;
    }
    let Some(marker) = marker(&start) else { return Ok(Some(false)) };
    Ok(Some(store.get_range(path, size - 16..size).await? == marker))
}

/// The 16 bytes behind the header of an Avro file, which are behind each of its blocks, too: Apache Avro 1.12
/// specification, object container files.
fn marker(file: &[u8]) -> Option<&[u8]> {
    let mut rest = file.strip_prefix(AVRO)?;
    loop {
        // Pairs of a key and a value, in groups; those with a negative count have their size before them.
        let n_pairs = long(&mut rest)?;
        match n_pairs {
            0 => return rest.get(..16),
            ..0 => _ = long(&mut rest)?,
            1.. => {}
        }
        for _ in 0..n_pairs.unsigned_abs() {
            for _ in 0..2 {
                let length = usize::try_from(long(&mut rest)?).ok()?;
                rest = rest.get(length..)?;
            }
        }
    }
}

/// The next number: seven bits a byte, the lowest first, of which the last is the sign.
fn long(bytes: &mut &[u8]) -> Option<i64> {
    let mut number = 0_u64;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some((number >> 1).cast_signed() ^ -(number & 1).cast_signed());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{super::files::Files, *};

    async fn problem(name: &str, bytes: &[u8]) -> Option<String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        let found = Files::find(&[path.display().to_string()], true, &RuntimeEnv::default()).await;
        found.err().map(|error| error.to_string())
    }

    #[tokio::test]
    async fn a_cut_parquet_file_is_named() {
        for (bytes, expected) in [
            (&b"PAR1 and so on, and"[..], "t.parquet is cut"),
            (b"PAR1xxxxPAR1", "t.parquet is cut"),
            (b"P", "t.parquet is no Parquet file"),
            (b"Obj1xxxx\0\0\0\0PAR1", "t.parquet is no Parquet file"),
        ] {
            let problem = problem("t.parquet", bytes).await.unwrap();
            assert!(problem.contains(expected), "{problem}");
        }
        assert_eq!(problem("t.parquet", b"PAR1\0\0\0\0PAR1").await, None);
    }

    #[tokio::test]
    async fn a_cut_avro_file_is_named() {
        // A group of one pair, a group of a negative count with its size, no more, and the marker.
        let mut file = AVRO.to_vec();
        file.extend(b"\x02\x02k\x04vv\x01\x08\x02l\x02w\0");
        file.extend(b"0123456789abcdef");
        let header = file.len();
        file.extend(b"\x02\x06row");
        file.extend(b"0123456789abcdef");
        for length in 0..=file.len() {
            let problem = problem("t.avro", &file[..length]).await;
            let expected = match length {
                0..4 => Some("t.avro is no Avro file"),
                _ if length == header || length == file.len() => None,
                _ => Some("t.avro is cut"),
            };
            assert_eq!(problem.is_some(), expected.is_some(), "{length}: {problem:?}");
            assert!(expected.is_none_or(|expected| problem.unwrap().contains(expected)), "{length}");
        }
    }
}
