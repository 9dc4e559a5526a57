//! The payload of a file while it is read: piece by piece, each piece added to the checksum and decoded while
//! it is in the cache, so that a file is never in memory as a whole.

use std::io::{Error, ErrorKind, Read};

use super::LoadProblem;

/// Enough to make calls of the system cheap, and little enough to stay in the cache.
const PIECE: usize = 1 << 17;

/// What decoders by hand say that is wrong.
pub(super) type Decoded<T> = Result<T, &'static str>;
const ENDS_EARLY: &str = "the bytes end early";

/// The bytes of a payload that have not been decoded yet.
pub(super) struct Payload<'a> {
    source: &'a mut dyn Read,
    /// The piece: what is decoded, what is not, and room.
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// How many bytes are still in the source.
    unread: u64,
    hasher: crc32fast::Hasher,
    checksum: u32,
    failure: Option<Error>,
}

impl<'a> Payload<'a> {
    /// The next `length` bytes of the source, whose checksum, with what `hasher` has seen before, must be
    /// `checksum`.
    pub(super) fn new(
        source: &'a mut dyn Read,
        length: u64,
        hasher: crc32fast::Hasher,
        checksum: u32,
    ) -> Self {
        let buffer = vec![0; usize::try_from(length).map_or(PIECE, |length| length.min(PIECE))];
        Self { source, buffer, start: 0, end: 0, unread: length, hasher, checksum, failure: None }
    }

    /// How many bytes are left.
    pub(super) fn left(&self) -> u64 {
        self.unread + (self.end - self.start) as u64
    }

    /// Reads what is left, and says whether all bytes came as they were written.
    pub(super) fn finish(mut self) -> Result<(), LoadProblem> {
        while self.unread > 0 && self.failure.is_none() {
            self.start = self.end;
            let _ = self.fill(1);
        }
        match self.failure {
            Some(error) => Err(LoadProblem::Io(error)),
            None if self.hasher.finalize() == self.checksum => Ok(()),
            None => Err(LoadProblem::Checksum),
        }
    }

    /// Sees to it that there are `wanted` bytes in the buffer, which has room for them.
    #[inline(always)]
    fn fill(&mut self, wanted: usize) -> Decoded<()> {
        if self.end - self.start >= wanted { Ok(()) } else { self.read_piece(wanted) }
    }

    #[cold]
    fn read_piece(&mut self, wanted: usize) -> Decoded<()> {
        if self.left() < wanted as u64 {
            return Err(ENDS_EARLY);
        }
        self.buffer.copy_within(self.start..self.end, 0);
        (self.start, self.end) = (0, self.end - self.start);
        while self.end < wanted && self.failure.is_none() {
            let room = self.buffer.len() - self.end;
            let room = usize::try_from(self.unread).map_or(room, |unread| unread.min(room));
            match self.source.read(&mut self.buffer[self.end..self.end + room]) {
                Ok(0) => self.failure = Some(ErrorKind::UnexpectedEof.into()),
                Ok(length) => {
                    self.hasher.update(&self.buffer[self.end..self.end + length]);
                    self.end += length;
                    self.unread -= length as u64;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => self.failure = Some(error),
            }
        }
        if self.failure.is_none() { Ok(()) } else { Err(ENDS_EARLY) }
    }

    /// The next few bytes.
    #[inline]
    pub(super) fn array<const N: usize>(&mut self) -> Decoded<[u8; N]> {
        self.fill(N)?;
        let (taken, _) = self.buffer[self.start..self.end].split_first_chunk().ok_or(ENDS_EARLY)?;
        self.start += N;
        Ok(*taken)
    }

    /// How many of something follow, each of at least `size` bytes, which must be there.
    pub(super) fn length(&mut self, size: u64) -> Decoded<usize> {
        let length = u64::from_le_bytes(self.array()?);
        if length > self.left() / size {
            return Err(ENDS_EARLY);
        }
        usize::try_from(length).map_err(|_| ENDS_EARLY)
    }

    /// A text.
    #[inline]
    pub(super) fn string(&mut self) -> Decoded<String> {
        const NOT_UTF_8: &str = "a text is not UTF-8";
        let length = self.length(1)?;
        if length > self.buffer.len() {
            let mut text = vec![0; length];
            self.copy_to(&mut text)?;
            return String::from_utf8(text).map_err(|_| NOT_UTF_8);
        }
        self.fill(length)?;
        let text = std::str::from_utf8(&self.buffer[self.start..self.start + length]);
        self.start += length;
        text.map(String::from).map_err(|_| NOT_UTF_8)
    }

    /// A block of doubles.
    pub(super) fn doubles(&mut self) -> Decoded<Vec<f64>> {
        let mut rest = self.length(1)?;
        if !rest.is_multiple_of(8) {
            return Err("doubles do not have eight bytes each");
        }
        let mut values = Vec::with_capacity(rest / 8);
        while rest > 0 {
            self.fill(8)?;
            let (doubles, _) = self.buffer[self.start..self.end.min(self.start + rest)].as_chunks::<8>();
            values.extend(doubles.iter().map(|&bytes| f64::from_le_bytes(bytes)));
            self.start += 8 * doubles.len();
            rest -= 8 * doubles.len();
        }
        Ok(values)
    }

    /// The next bytes, as many as there is room for.
    pub(super) fn copy_to(&mut self, mut bytes: &mut [u8]) -> Decoded<()> {
        while !bytes.is_empty() {
            self.fill(1)?;
            let length = bytes.len().min(self.end - self.start);
            let (now, later) = bytes.split_at_mut(length);
            now.copy_from_slice(&self.buffer[self.start..self.start + length]);
            self.start += length;
            bytes = later;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A source that is interrupted before each read, and gives a few bytes at a time.
    struct Slow<'a> {
        bytes: &'a [u8],
        interrupted: bool,
    }

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            self.interrupted = !self.interrupted;
            if self.interrupted {
                return Err(ErrorKind::Interrupted.into());
            }
            let length = buffer.len().min(9973);
            self.bytes.read(&mut buffer[..length])
        }
    }

    /// A text that is longer than a piece, and doubles that lie across the ends of pieces.
    fn example() -> (String, Vec<f64>, Vec<u8>) {
        let text = "naïve ".repeat(PIECE / 4);
        let doubles: Vec<f64> = (0..PIECE).map(|place| place as f64 / 3.0).collect();
        let mut bytes = (text.len() as u64).to_le_bytes().to_vec();
        bytes.extend(text.as_bytes());
        bytes.extend((8 * doubles.len() as u64).to_le_bytes());
        bytes.extend(doubles.iter().flat_map(|value| value.to_le_bytes()));
        (text, doubles, bytes)
    }

    #[test]
    fn pieces_of_any_length_give_the_same() {
        let (text, doubles, bytes) = example();
        let length = bytes.len() as u64;
        let checksum = crc32fast::hash(&bytes);
        for wrong in [0, 1] {
            let mut source = Slow { bytes: &bytes, interrupted: false };
            let mut payload = Payload::new(&mut source, length, crc32fast::Hasher::new(), checksum ^ wrong);
            assert_eq!(payload.string().as_ref(), Ok(&text));
            assert_eq!(payload.doubles().as_ref(), Ok(&doubles));
            assert_eq!((payload.left(), payload.array::<1>()), (0, Err(ENDS_EARLY)));
            match payload.finish() {
                Ok(()) => assert_eq!(wrong, 0),
                Err(error) => assert!(wrong == 1 && matches!(error, LoadProblem::Checksum), "{error}"),
            }
        }
    }

    #[test]
    fn what_was_not_decoded_is_in_the_checksum_and_a_file_that_shrinks_is_noticed() {
        let (_, _, bytes) = example();
        for (kept, is_whole) in [(bytes.len(), true), (bytes.len() - 1, false)] {
            let mut source = &bytes[..kept];
            let checksum = crc32fast::hash(&bytes);
            let payload = Payload::new(&mut source, bytes.len() as u64, crc32fast::Hasher::new(), checksum);
            let finished = payload.finish();
            assert_eq!(finished.is_ok(), is_whole);
            if let Err(error) = finished {
                assert!(matches!(error, LoadProblem::Io(_)), "{error}");
            }
        }
    }
}
