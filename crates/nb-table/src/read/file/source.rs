//! Input as a stream of decompressed bytes with a name.

use std::{
    fs::File,
    io::{self, Cursor, Read},
    path::Path,
};

#[cfg(feature = "csv")]
use crate::read::file::encoding::{Decoded, Encoding};
use crate::read::{
    FileProblem, ReadError,
    file::recognize::{Binary, START, binary},
};

/// A stream of bytes, and what messages call it.
pub(in crate::read) struct Source<'a> {
    pub(in crate::read) name: String,
    pub(in crate::read) input: Box<dyn Read + Send + 'a>,
    /// The encoding from which the text was decoded.
    #[cfg(feature = "csv")]
    pub(in crate::read) encoding: Encoding,
    /// Whether it began with a byte order mark, which is not among the bytes.
    #[cfg(feature = "csv")]
    pub(in crate::read) has_mark: bool,
    /// Where its lines are in the file, if it was made from something else.
    #[cfg(feature = "csv")]
    pub(in crate::read) counting: Option<crate::read::formats::as_csv::Counting>,
    /// The rows that were left out when it was made from something else.
    #[cfg(feature = "csv")]
    pub(in crate::read) skipped: Option<crate::read::bad_rows::Skipped>,
    /// The files, if each is a row.
    #[cfg(feature = "csv")]
    pub(in crate::read) files: Option<std::sync::Arc<[std::path::PathBuf]>>,
}

impl<'a> Source<'a> {
    /// The text in a file, decompressed.
    pub(in crate::read) fn open(path: &Path) -> Result<Self, ReadError> {
        let name = path.display().to_string();
        let file = File::open(path).map_err(|error| ReadError::io(&name, error))?;
        Self::text(file, &name)
    }

    /// Delimited text that was made from another format.
    #[cfg(feature = "csv")]
    pub(in crate::read) fn converted(
        name: &str,
        input: impl Read + Send + 'a,
        counting: crate::read::formats::as_csv::Counting,
    ) -> Self {
        let (input, counting) = (Box::new(input), Some(counting));
        Self {
            name: name.into(),
            input,
            encoding: Encoding::UTF_8,
            has_mark: false,
            counting,
            skipped: None,
            files: None,
        }
    }

    /// A stream decompressed, as its first bytes say; refused if they say that it is no text.
    fn decompressed(
        input: impl Read + Send + 'a,
        name: &str,
    ) -> Result<Box<dyn Read + Send + 'a>, ReadError> {
        let refuse = |problem| Err(ReadError::of_file(name, problem));
        let io = |error| ReadError::io(name, error);
        let (start, input) = peek(input, 6).map_err(io)?;
        let (input, is_compressed): (Box<dyn Read + Send + 'a>, _) = match decompressed(&start, input) {
            Compressed::No(input) => (Box::new(input), false),
            Compressed::Yes(input) => (input.map_err(io)?, true),
            Compressed::Unknown(format) => return refuse(FileProblem::Compression { format }),
        };
        let (start, input) = peek(input, START).map_err(io)?;
        match binary(&start) {
            None => {}
            Some(Binary::Read(_, what)) => {
                let remedy = if is_compressed { "decompress it" } else { "have it read as one" };
                return refuse(FileProblem::Container { what, remedy });
            }
            Some(Binary::Refused(what, remedy)) => return refuse(FileProblem::Container { what, remedy }),
        }
        Ok(Box::new(input))
    }

    /// The text in a file, decompressed and decoded: from the encoding that its first bytes tell, unless
    /// another is given.
    #[cfg(feature = "csv")]
    pub(in crate::read) fn open_in(path: &Path, encoding: Option<Encoding>) -> Result<Self, ReadError> {
        let name = path.display().to_string();
        let file = File::open(path).map_err(|error| ReadError::io(&name, error))?;
        Self::text_in(file, &name, encoding)
    }

    /// The same of a stream.
    #[cfg(feature = "csv")]
    pub(in crate::read) fn text_in(
        input: impl Read + Send + 'a,
        name: &str,
        encoding: Option<Encoding>,
    ) -> Result<Self, ReadError> {
        const ENOUGH: usize = 1 << 16;
        const MOST: usize = 1 << 20;
        let (mut input, mut failure) = (Self::decompressed(input, name)?, None);
        let mut start = Vec::new();
        for most in [ENOUGH, MOST - ENOUGH] {
            if start.is_ascii() && failure.is_none() {
                failure = input.by_ref().take(most as u64).read_to_end(&mut start).err();
            }
        }
        let detected = Encoding::of(&start);
        let Some(encoding) = encoding.or(detected.map(|(encoding, _)| encoding)) else {
            let (what, remedy) = ("a binary file of an unknown format", "export the table as CSV or Parquet");
            return Err(ReadError::of_file(name, FileProblem::Container { what, remedy }));
        };
        // The mark of another encoding than the given one is text.
        let mark = detected.filter(|&(detected, _)| detected == encoding).map_or(0, |(_, mark)| mark);
        let start = start.split_off(mark);
        let bytes = Cursor::new(start).chain(Failure(failure)).chain(input);
        let input: Box<dyn Read + Send + 'a> =
            if encoding.is_utf8() { Box::new(bytes) } else { Box::new(Decoded::new(bytes, encoding)) };
        Ok(Self {
            name: name.into(),
            input,
            encoding,
            has_mark: mark > 0,
            counting: None,
            skipped: None,
            files: None,
        })
    }

    /// The text in a stream, decompressed and without a byte order mark.
    pub(in crate::read) fn text(input: impl Read + Send + 'a, name: &str) -> Result<Self, ReadError> {
        let refuse = |problem| Err(ReadError::of_file(name, problem));
        let io = |error| ReadError::io(name, error);
        let (start, mut input) = peek(Self::decompressed(input, name)?, 3).map_err(io)?;
        match start[..] {
            [0xEF, 0xBB, 0xBF, ..] => drop(read_up_to(&mut input, 3).map_err(io)?),
            [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => {
                return refuse(FileProblem::Encoding { encoding: "UTF-16" });
            }
            _ => {}
        }
        Ok(Self {
            name: name.into(),
            input: Box::new(input),
            #[cfg(feature = "csv")]
            counting: None,
            #[cfg(feature = "csv")]
            skipped: None,
            #[cfg(feature = "csv")]
            files: None,
            #[cfg(feature = "csv")]
            has_mark: false,
            #[cfg(feature = "csv")]
            encoding: Encoding::UTF_8,
        })
    }
}

/// A stream that may be compressed.
pub(in crate::read) enum Compressed<'a, R> {
    No(R),
    Yes(io::Result<Box<dyn Read + Send + 'a>>),
    /// By a format that this build cannot decompress.
    Unknown(&'static str),
}

/// The decompressed stream, as its first bytes say.
pub(in crate::read) fn decompressed<'a, R: Read + Send + 'a>(start: &[u8], input: R) -> Compressed<'a, R> {
    let (format, decompressed) = match start {
        [0x1F, 0x8B, ..] => ("gzip", gunzip(input).map(Ok)),
        [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, ..] | [b'B', b'Z', b'h', b'1'..=b'9', 0x17, 0x72, ..] => {
            ("bzip2", bunzip2(input).map(Ok))
        }
        [0xFD, b'7', b'z', b'X', b'Z', 0, ..] => ("xz", unxz(input).map(Ok)),
        [0x28, 0xB5, 0x2F, 0xFD, ..] => ("zstd", unzstd(input)),
        _ => return Compressed::No(input),
    };
    decompressed.map_or(Compressed::Unknown(format), Compressed::Yes)
}

/// The first bytes of a stream, and the stream with them still in it. What keeps it from being read behind
/// them is said when they have been read.
pub(in crate::read) fn peek<R: Read>(
    mut input: R,
    n_bytes: usize,
) -> io::Result<(Vec<u8>, impl Read + use<R>)> {
    let mut start = Vec::with_capacity(n_bytes);
    let failure = (&mut input).take(n_bytes as u64).read_to_end(&mut start).err();
    match failure {
        Some(error) if start.is_empty() => Err(error),
        failure => Ok((start.clone(), Cursor::new(start).chain(Failure(failure)).chain(input))),
    }
}

/// An error to come, once: what was read before it is handed out first.
#[derive(Debug)]
pub(in crate::read) struct Failure(pub(in crate::read) Option<io::Error>);

impl Read for Failure {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

fn read_up_to(input: &mut impl Read, n_bytes: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(n_bytes);
    input.take(n_bytes as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(feature = "gzip")]
#[expect(clippy::unnecessary_wraps, reason = "without the feature there is no decompressor")]
fn gunzip<'a>(input: impl Read + Send + 'a) -> Option<Box<dyn Read + Send + 'a>> {
    // A gzip file may have several members, one after the other.
    Some(Box::new(flate2::bufread::MultiGzDecoder::new(io::BufReader::new(input))))
}

#[cfg(not(feature = "gzip"))]
fn gunzip<'a>(_: impl Read + Send + 'a) -> Option<Box<dyn Read + Send + 'a>> {
    None
}

#[cfg(feature = "bzip2")]
#[expect(clippy::unnecessary_wraps, reason = "without the feature there is no decompressor")]
fn bunzip2<'a>(input: impl Read + Send + 'a) -> Option<Box<dyn Read + Send + 'a>> {
    // Files that were compressed in parallel have several streams, one after the other.
    Some(Box::new(bzip2::bufread::MultiBzDecoder::new(io::BufReader::new(input))))
}

#[cfg(not(feature = "bzip2"))]
fn bunzip2<'a>(_: impl Read + Send + 'a) -> Option<Box<dyn Read + Send + 'a>> {
    None
}

#[cfg(feature = "xz")]
#[expect(clippy::unnecessary_wraps, reason = "without the feature there is no decompressor")]
fn unxz<'a>(input: impl Read + Send + 'a) -> Option<Box<dyn Read + Send + 'a>> {
    Some(Box::new(Xz(lzma_rust2::XzReader::new_mem_limit(io::BufReader::new(input), true, XZ_MEMORY >> 10))))
}

/// The most bytes that decoding xz may take: twice what `xz -9` needs.
#[cfg(feature = "xz")]
const XZ_MEMORY: u32 = 1 << 27;

/// A decoder whose errors say what to do.
#[cfg(feature = "xz")]
struct Xz<R: Read>(lzma_rust2::XzReader<R>);

#[cfg(feature = "xz")]
impl<R: Read> Read for Xz<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.0.read(bytes).map_err(|error| match error.kind() {
            io::ErrorKind::OutOfMemory => io::Error::other(format!(
                "decompressing it takes more than {} MiB of memory; compress it again with xz -9 or less",
                XZ_MEMORY >> 20
            )),
            _ => error,
        })
    }
}

#[cfg(not(feature = "xz"))]
fn unxz<'a>(_: impl Read + Send + 'a) -> Option<Box<dyn Read + Send + 'a>> {
    None
}

#[cfg(feature = "zstd")]
#[expect(clippy::unnecessary_wraps, reason = "without the feature there is no decompressor")]
fn unzstd<'a>(input: impl Read + Send + 'a) -> Option<io::Result<Box<dyn Read + Send + 'a>>> {
    // The decoder refuses windows of more than 128 MiB, so that its memory is bounded.
    let decoder = zstd::stream::read::Decoder::with_buffer(io::BufReader::new(input));
    Some(decoder.map(|decoder| Box::new(decoder) as _))
}

#[cfg(not(feature = "zstd"))]
fn unzstd<'a>(_: impl Read + Send + 'a) -> Option<io::Result<Box<dyn Read + Send + 'a>>> {
    None
}
