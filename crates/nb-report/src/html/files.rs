//! Files inside the file: compressed blocks that the script unpacks.

use std::io::{Read as _, Write as _};

use flate2::{Compression, read::ZlibDecoder, write::ZlibEncoder};

/// The most bytes that a page is unpacked to.
const LARGEST: u64 = 1 << 32;

/// Files, packed at the end of the page: for each a line with its number of bytes, media type and name,
/// separated by tabs, then its bytes; all of them compressed by zlib (RFC 1950), in base 64.
#[derive(Debug, Default)]
pub(super) struct Files {
    content: Vec<u8>,
    n_files: usize,
}

impl Files {
    /// Adds a file; its number, counted from 0.
    pub(super) fn add(&mut self, name: &str, media_type: &str, bytes: &[u8]) -> usize {
        let plain = |text: &str| text.replace(char::is_control, " ");
        let head = format!("{}\t{}\t{}\n", bytes.len(), plain(media_type), plain(name));
        self.content.extend(head.bytes());
        self.content.extend(bytes);
        self.n_files += 1;
        self.n_files - 1
    }

    /// The block with this id; empty if there are no files.
    pub(super) fn finish(&self, id: &str) -> String {
        if self.n_files == 0 {
            return String::new();
        }
        let mut packed = ZlibEncoder::new(Vec::new(), Compression::best());
        // Writing to memory does not fail.
        let packed = packed.write_all(&self.content).and_then(|()| packed.finish()).unwrap_or_default();
        format!("<script type=\"application/octet-stream\" id=\"{id}\">{}</script>\n", base64(&packed))
    }
}

/// The block of the files that a page offers for saving.
pub(super) const SAVED: &str = "nb-files";

/// The text of a file that a page made by [`Document::to_html`](crate::Document::to_html) offers for saving;
/// `None` if the page has no such file, or it is no text.
///
/// ```
/// use nb_report::{Document, Download, Section};
///
/// let mut document = Document::new("A report");
/// let mut section = Section::new("raw", "Raw results");
/// section.push(Download {
///     file_name: "results.json".into(),
///     media_type: "application/json".into(),
///     bytes: b"{\"n\": 3}".to_vec(),
///     label: "all of it".into(),
/// });
/// document.push(section);
/// let page = document.to_html()?;
/// assert_eq!(nb_report::saved_text(&page, "results.json").as_deref(), Some("{\"n\": 3}"));
/// assert_eq!(nb_report::saved_text(&page, "other.json"), None);
/// # Ok::<(), nb_report::DocumentError>(())
/// ```
pub fn saved_text(page: &str, file_name: &str) -> Option<String> {
    let (_, block) = page.rsplit_once(&format!("id=\"{SAVED}\">"))?;
    let packed = from_base64(block.split_once("</script>")?.0)?;
    let mut content = Vec::new();
    ZlibDecoder::new(&packed[..]).take(LARGEST).read_to_end(&mut content).ok()?;
    let mut rest = content.as_slice();
    loop {
        let end = rest.iter().position(|byte| *byte == b'\n')?;
        let (head, files) = (std::str::from_utf8(&rest[..end]).ok()?, &rest[end + 1..]);
        let mut fields = head.splitn(3, '\t');
        let length: usize = fields.next()?.parse().ok()?;
        let name = fields.nth(1)?;
        let bytes = files.get(..length)?;
        if name == file_name {
            return String::from_utf8(bytes.to_vec()).ok();
        }
        rest = &files[length..];
    }
}

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Base 64 with padding (RFC 4648, section 4).
fn base64(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let octet = |i: usize| u32::from(chunk.get(i).copied().unwrap_or(0));
        let bits = octet(0) << 16 | octet(1) << 8 | octet(2);
        for digit in 0..4 {
            let shown = digit <= chunk.len();
            let place = (bits >> (18 - 6 * digit)) & 63;
            text.push(if shown { char::from(DIGITS[place as usize]) } else { '=' });
        }
    }
    text
}

/// The bytes of [`base64`]; `None` if the text is none.
fn from_base64(text: &str) -> Option<Vec<u8>> {
    let digits = text.trim_end_matches('=').as_bytes();
    let mut bytes = Vec::with_capacity(digits.len() / 4 * 3 + 2);
    for chunk in digits.chunks(4) {
        let mut bits = 0_u32;
        for i in 0..4 {
            let digit =
                chunk.get(i).map_or(Some(0), |digit| DIGITS.iter().position(|known| known == digit))?;
            bits = bits << 6 | u32::try_from(digit).ok()?;
        }
        let [_, octets @ ..] = bits.to_be_bytes();
        bytes.extend(octets.iter().take(chunk.len() - 1));
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_of_rfc_4648() {
        // Section 10.
        let vectors = [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")];
        for (text, expected) in vectors {
            assert_eq!(base64(text.as_bytes()), expected);
            assert_eq!(from_base64(expected).as_deref(), Some(text.as_bytes()));
        }
        assert_eq!(base64(&[0xfb, 0xff, 0xfe]), "+//+");
        assert_eq!(from_base64("+//+"), Some(vec![0xfb, 0xff, 0xfe]));
        assert_eq!(from_base64("a-b"), None);
    }

    #[test]
    fn files_are_read_as_they_were_added() {
        let mut files = Files::default();
        assert_eq!(files.finish(SAVED), "");
        assert_eq!(files.add("a.json", "application/json", br#"{"a": "</script><!--"}"#), 0);
        assert_eq!(files.add("<b>\t.txt", "text/plain", b"one\ntwo\n"), 1);
        assert_eq!(files.add("c.bin", "application/octet-stream", &[0xff, 0]), 2);
        assert_eq!(files.add("d.txt", "text/plain", b""), 3);
        let block = files.finish(SAVED);
        assert_eq!(block.matches('<').count(), 2);
        let read = |name| saved_text(&block, name);
        assert_eq!(read("a.json").as_deref(), Some(r#"{"a": "</script><!--"}"#));
        assert_eq!(read("<b> .txt").as_deref(), Some("one\ntwo\n"));
        assert_eq!((read("c.bin"), read("d.txt"), read("e")), (None, Some(String::new()), None));
        assert_eq!(saved_text("<p>", "a.json"), None);
        assert_eq!(saved_text(&block.replace("script>\n", ""), "a.json"), None);
        assert_eq!(saved_text("<script id=\"nb-files\">AAAA</script>", "a.json"), None);
    }
}
