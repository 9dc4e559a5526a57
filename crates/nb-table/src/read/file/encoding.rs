//! Text in other encodings than UTF-8.

use std::{
    fmt,
    io::{self, Read},
    str::FromStr,
};

use encoding_rs::{Decoder, DecoderResult};

/// The encoding of a text file, by a name of the WHATWG Encoding Standard, such as `utf-8`, `utf-16le`,
/// `windows-1252`, `latin1` (the same), `iso-8859-15`, `shift_jis` or `gbk`.
///
/// ```
/// use nb_table::read::Encoding;
///
/// assert_eq!("latin1".parse::<Encoding>()?, "CP1252".parse()?);
/// assert_eq!("cp1252".parse::<Encoding>()?.to_string(), "windows-1252");
/// assert!("latin-99".parse::<Encoding>().is_err());
/// # Ok::<(), nb_table::read::UnknownEncoding>(())
/// ```
///
/// Where the encoding of a file is not given, it is the one that its byte order mark names; UTF-16 if every
/// other byte is zero; else UTF-8 if the first megabyte is; and else what the frequencies of its bytes
/// suggest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoding(pub(in crate::read) &'static encoding_rs::Encoding);

/// A name that no encoding has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no encoding {name:?}; it can be utf-8, utf-16le, utf-16be, windows-1252, iso-8859-15, shift_jis, gbk, ..."
)]
pub struct UnknownEncoding {
    name: String,
}

impl FromStr for Encoding {
    type Err = UnknownEncoding;

    fn from_str(name: &str) -> Result<Self, UnknownEncoding> {
        let lower = name.trim().to_ascii_lowercase();
        // Python and Java say cp1252 and cp932.
        let code_page = lower.strip_prefix("cp").filter(|number| number.starts_with("125"));
        let label = code_page.map_or(lower.clone(), |number| format!("windows-{number}"));
        let found = encoding_rs::Encoding::for_label(label.as_bytes());
        let found = found.or_else(|| encoding_rs::Encoding::for_label(label.replace('-', "").as_bytes()));
        found.map(Self).ok_or_else(|| UnknownEncoding { name: name.into() })
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name())
    }
}

impl Encoding {
    pub(in crate::read) const UTF_8: Self = Self(encoding_rs::UTF_8);

    /// Whether bytes need no decoding.
    pub(in crate::read) fn is_utf8(self) -> bool {
        self == Self::UTF_8
    }

    /// The encoding that the first bytes of a file tell, and how long its byte order mark is. `None` if they
    /// are not text: not Unicode, and with control characters.
    pub(in crate::read) fn of(start: &[u8]) -> Option<(Self, usize)> {
        if let Some((encoding, length)) = encoding_rs::Encoding::for_bom(start) {
            return Some((Self(encoding), length));
        }
        if let Some(encoding) = utf16(start) {
            return Some((encoding, 0));
        }
        // The last character may be cut.
        let is_wrong = |error: std::str::Utf8Error| error.error_len().is_some();
        if !std::str::from_utf8(start).is_err_and(is_wrong) {
            return Some((Self::UTF_8, 0));
        }
        // Form feeds are in old reports, and 1A ends files of DOS.
        let is_control = |byte: &u8| byte.is_ascii_control() && !b"\t\n\r\x0C\x1A".contains(byte);
        if start.iter().any(is_control) {
            return None;
        }
        let mut detector = chardetng::EncodingDetector::new(chardetng::Iso2022JpDetection::Deny);
        detector.feed(start, false);
        Some((Self(detector.guess(None, chardetng::Utf8Detection::Deny)), 0))
    }
}

/// UTF-16, if nearly all of the first characters are below U+0100.
fn utf16(start: &[u8]) -> Option<Encoding> {
    const FEWEST: usize = 4;
    let pairs = || start.chunks_exact(2).take(256);
    let n_pairs = pairs().len();
    let is_most = |n: usize| n_pairs >= FEWEST && 10 * n >= 9 * n_pairs;
    let n_high = |place: usize| pairs().filter(|pair| pair[place] == 0 && pair[1 - place] != 0).count();
    if is_most(n_high(1)) {
        Some(Encoding(encoding_rs::UTF_16LE))
    } else {
        is_most(n_high(0)).then_some(Encoding(encoding_rs::UTF_16BE))
    }
}

/// Decodes a stream to UTF-8.
pub(in crate::read) struct Decoded<R> {
    input: R,
    decoder: Decoder,
    encoding: Encoding,
    bytes: Box<[u8]>,
    /// The bytes that were read and are not decoded yet.
    place: std::ops::Range<usize>,
    text: String,
    /// How much of the text was handed out.
    taken: usize,
    ended: bool,
}

impl<R: Read> Decoded<R> {
    pub(in crate::read) fn new(input: R, encoding: Encoding) -> Self {
        Self {
            input,
            decoder: encoding.0.new_decoder_without_bom_handling(),
            encoding,
            bytes: vec![0; 1 << 16].into(),
            place: 0..0,
            text: String::with_capacity(1 << 17),
            taken: 0,
            ended: false,
        }
    }

    /// Decodes the next bytes into the empty text.
    fn fill(&mut self) -> io::Result<()> {
        self.text.clear();
        self.taken = 0;
        while self.text.is_empty() && !(self.ended && self.place.is_empty()) {
            if self.place.is_empty() {
                let n_bytes = self.input.read(&mut self.bytes)?;
                self.place = 0..n_bytes;
                self.ended = n_bytes == 0;
            }
            let bytes = &self.bytes[self.place.clone()];
            let (result, n_read) =
                self.decoder.decode_to_string_without_replacement(bytes, &mut self.text, self.ended);
            self.place.start += n_read;
            if let DecoderResult::Malformed(..) = result {
                let problem =
                    format!("it has bytes that are not {}; name the encoding of the file", self.encoding);
                return Err(io::Error::new(io::ErrorKind::InvalidData, problem));
            }
        }
        Ok(())
    }
}

impl<R: Read> Read for Decoded<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.taken == self.text.len() {
            self.fill()?;
        }
        let n_bytes = bytes.len().min(self.text.len() - self.taken);
        bytes[..n_bytes].copy_from_slice(&self.text.as_bytes()[self.taken..self.taken + n_bytes]);
        self.taken += n_bytes;
        Ok(n_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hands out one byte at a time.
    struct Slow<'a>(&'a [u8]);

    impl Read for Slow<'_> {
        fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
            self.0.read(&mut bytes[..1])
        }
    }

    const TEXT: &str = "größe,länge,art\n1.5,2,süß\n2.5,3,sauer\n";

    fn decoded(bytes: &[u8]) -> (String, String) {
        let (encoding, length) = Encoding::of(bytes).unwrap();
        let mut text = String::new();
        Decoded::new(&bytes[length..], encoding).read_to_string(&mut text).unwrap();
        (text, encoding.to_string())
    }

    fn utf16(to_bytes: fn(u16) -> [u8; 2], mark: bool) -> Vec<u8> {
        let units = mark.then_some(0xFEFF).into_iter().chain(TEXT.encode_utf16());
        units.flat_map(to_bytes).collect()
    }

    #[test]
    fn encodings_are_told_from_the_first_bytes() {
        let latin1: Vec<u8> = TEXT.chars().map(|letter| u8::try_from(u32::from(letter)).unwrap()).collect();
        for (bytes, name) in [
            (TEXT.as_bytes().to_vec(), "UTF-8"),
            ([b"\xEF\xBB\xBF", TEXT.as_bytes()].concat(), "UTF-8"),
            (utf16(u16::to_le_bytes, true), "UTF-16LE"),
            (utf16(u16::to_be_bytes, true), "UTF-16BE"),
            (utf16(u16::to_le_bytes, false), "UTF-16LE"),
            (utf16(u16::to_be_bytes, false), "UTF-16BE"),
            (latin1, "windows-1252"),
        ] {
            assert_eq!(decoded(&bytes), (TEXT.into(), name.into()));
        }
        // A character that is cut at the end of what is looked at.
        assert_eq!(Encoding::of(&TEXT.as_bytes()[..3]).unwrap().0.to_string(), "UTF-8");
        assert_eq!(Encoding::of(b"").unwrap().0.to_string(), "UTF-8");
        assert_eq!(Encoding::of(b"x,y\n\x03\xE9\x7F\xC0"), None);
    }

    #[test]
    fn malformed_bytes_are_an_error() {
        let mut bytes = utf16(u16::to_le_bytes, true);
        bytes.extend([0x00, 0xD8, 0x41, 0x00]);
        let encoding = Encoding::of(&bytes).unwrap().0;
        let error = Decoded::new(&bytes[2..], encoding).read_to_string(&mut String::new()).unwrap_err();
        assert_eq!(error.to_string(), "it has bytes that are not UTF-16LE; name the encoding of the file");
        // One byte at a time, and cut in the middle of a character.
        let (bytes, mut text) = (utf16(u16::to_be_bytes, false), String::new());
        Decoded::new(Slow(&bytes), Encoding::of(&bytes).unwrap().0).read_to_string(&mut text).unwrap();
        assert_eq!(text, TEXT);
        assert!(
            Decoded::new(&bytes[..7], Encoding::of(&bytes).unwrap().0).read_to_string(&mut text).is_err()
        );
    }
}
