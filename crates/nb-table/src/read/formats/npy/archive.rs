//! Archives of arrays: `.npz` files, which are ZIP files of `.npy` files.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, BufReader, Read, Seek, SeekFrom},
    path::Path,
};

use flate2::bufread::DeflateDecoder;
use zip::{CompressionMethod, ZipArchive, result::ZipError};

use super::{array::NpyArray, array::read_array, header::Header};
use crate::{
    Limits,
    read::{FileProblem, ReadError},
};

/// All arrays of a `.npz` file by name, if together they take no more memory than the limit.
///
/// # Errors
/// [`ReadError`] names what is wrong with the file. Arrays of Python objects are refused: they could run
/// code.
pub fn read_npz(path: impl AsRef<Path>, limits: Limits) -> Result<BTreeMap<String, NpyArray>, ReadError> {
    let name = path.as_ref().display().to_string();
    let file = File::open(path).map_err(|error| ReadError::io(&name, error))?;
    read_npz_from(BufReader::new(file), &name, limits)
}

/// All arrays of a stream in the format of `.npz` files by name. Messages call it `name`.
///
/// # Errors
/// [`ReadError`] names what is wrong with the stream.
pub fn read_npz_from(
    input: impl Read + Seek,
    name: &str,
    limits: Limits,
) -> Result<BTreeMap<String, NpyArray>, ReadError> {
    let mut archive = ZipArchive::new(input).map_err(|error| refuse(name, error))?;
    let mut left = limits;
    let mut arrays = BTreeMap::new();
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).map_err(|error| refuse(name, error))?;
        let array = entry.name().map_err(|error| refuse(name, error))?.into_owned();
        let array = array.strip_suffix(".npy").unwrap_or(&array).to_owned();
        let header = Header::read(&mut entry, name, &array)?;
        let values = read_array(&mut entry, &header, name, &array, left)?;
        let taken = header.n_elements().unwrap_or(0).saturating_mul(header.dtype.size_in_memory());
        left.max_bytes = left.max_bytes.saturating_sub(taken as u64);
        arrays.insert(array, values);
    }
    Ok(arrays)
}

/// The bytes of one array of an archive, as a stream that owns the archive.
pub(super) struct Entry<R> {
    bytes: Decoder<R>,
    checksum: crc32fast::Hasher,
    expected: u32,
}

enum Decoder<R> {
    Stored(io::Take<R>),
    Deflated(DeflateDecoder<BufReader<io::Take<R>>>),
}

/// The names of the arrays of an archive.
pub(super) fn names<R: Read + Seek>(archive: &ZipArchive<R>) -> Vec<String> {
    let names = archive.file_names().filter_map(Result::ok);
    names.map(|name| name.strip_suffix(".npy").unwrap_or(&name).to_owned()).collect()
}

/// The position of an array in an archive: that of this name, or of the only one whose name differs from it
/// in capitals.
pub(super) fn index_of<R: Read + Seek>(archive: &ZipArchive<R>, array: &str) -> Option<usize> {
    let exact = |array: &str| {
        archive.index_for_name(&format!("{array}.npy")).or_else(|| archive.index_for_name(array))
    };
    exact(array).or_else(|| {
        let names = names(archive);
        let mut alike = names.iter().filter(|name| name.eq_ignore_ascii_case(array));
        let found = exact(alike.next()?);
        if alike.next().is_some() { None } else { found }
    })
}

/// The error that an array is not in an archive.
pub(super) fn missing<R: Read + Seek>(archive: &ZipArchive<R>, file: &str, array: &str) -> ReadError {
    let found = names(archive);
    ReadError::of_file(file, FileProblem::MissingArray { name: array.into(), found })
}

impl<R: Read + Seek> Entry<R> {
    pub(super) fn open(mut archive: ZipArchive<R>, file: &str, index: usize) -> Result<Self, ReadError> {
        let entry = archive.by_index_raw(index).map_err(|error| refuse(file, error))?;
        let (start, size) = (entry.data_start().unwrap_or(0), entry.compressed_size());
        let (expected, compression) = (entry.crc32(), entry.compression());
        if entry.encrypted() {
            return Err(refuse(file, ZipError::UnsupportedArchive("it is encrypted")));
        }
        drop(entry);
        let mut input = archive.into_inner();
        input.seek(SeekFrom::Start(start)).map_err(|error| ReadError::io(file, error))?;
        let bytes = match compression {
            CompressionMethod::Stored => Decoder::Stored(input.take(size)),
            CompressionMethod::Deflated => {
                Decoder::Deflated(DeflateDecoder::new(BufReader::new(input.take(size))))
            }
            _ => return Err(refuse(file, ZipError::UnsupportedArchive("its compression is not deflate"))),
        };
        Ok(Self { bytes, checksum: crc32fast::Hasher::new(), expected })
    }
}

impl<R: Read> Read for Entry<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let n_bytes = match &mut self.bytes {
            Decoder::Stored(bytes) => bytes.read(out)?,
            Decoder::Deflated(bytes) => bytes.read(out)?,
        };
        self.checksum.update(&out[..n_bytes]);
        if n_bytes == 0 && !out.is_empty() && self.checksum.clone().finalize() != self.expected {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the checksum of an array is wrong"));
        }
        Ok(n_bytes)
    }
}

/// The error of a ZIP file that cannot be used.
pub(super) fn refuse(file: &str, error: ZipError) -> ReadError {
    match error {
        ZipError::Io(error) => ReadError::io(file, error),
        error => ReadError::of_file(file, FileProblem::Format { format: "npz", reason: error.to_string() }),
    }
}
