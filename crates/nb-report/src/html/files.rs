//! Files inside the file: blocks of data that the script saves.

use std::fmt::Write as _;

use crate::escape;

/// Blocks of data, written at the end of the page.
#[derive(Debug, Default)]
pub(super) struct Files {
    blocks: Vec<String>,
}

impl Files {
    /// Adds a file; the id by which the page saves it.
    ///
    /// Browsers refuse long `data:` addresses, so files are data blocks: JSON as it is, so that programs and people
    /// can read it in the page; other text as a JSON string; the rest as a JSON string in base64.
    pub(super) fn add(&mut self, name: &str, media_type: &str, bytes: &[u8]) -> String {
        let id = format!("nb-file-{}", self.blocks.len() + 1);
        let is_json = media_type == "application/json" || media_type.ends_with("+json");
        let (form, content) = match std::str::from_utf8(bytes) {
            // In JSON a `<` can only be in a string.
            Ok(text) if is_json => ("json", text.replace('<', "\\u003c")),
            Ok(text) => ("text", escape::json(text)),
            Err(_) => ("base64", escape::json(&base64(bytes))),
        };
        let (name, media_type) = (escape::html(name), escape::html(media_type));
        self.blocks.push(format!(
            "<script type=\"application/json\" id=\"{id}\" data-name=\"{name}\" data-type=\"{media_type}\" \
             data-form=\"{form}\">{content}</script>\n"
        ));
        id
    }

    pub(super) fn finish(&self) -> String {
        self.blocks.concat()
    }
}

/// The text of a JSON file that a page made by [`Document::to_html`](crate::Document::to_html) offers for saving; `None` if the page
/// has no such file.
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
/// assert_eq!(nb_report::saved_json(&page, "results.json"), Some("{\"n\": 3}"));
/// assert_eq!(nb_report::saved_json(&page, "other.json"), None);
/// # Ok::<(), nb_report::DocumentError>(())
/// ```
pub fn saved_json<'a>(page: &'a str, file_name: &str) -> Option<&'a str> {
    let name = format!("data-name=\"{}\"", escape::html(file_name));
    page.split("<script type=\"application/json\" id=").skip(1).find_map(|block| {
        let (head, rest) = block.split_once('>')?;
        let (content, _) = rest.split_once("</script>")?;
        (head.contains(&name) && head.contains("data-form=\"json\"")).then_some(content)
    })
}

/// Base 64 with padding (RFC 4648, section 4).
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let octet = |i: usize| u32::from(chunk.get(i).copied().unwrap_or(0));
        let bits = octet(0) << 16 | octet(1) << 8 | octet(2);
        for digit in 0..4 {
            let shown = digit <= chunk.len();
            let place = (bits >> (18 - 6 * digit)) & 63;
            let _ = write!(text, "{}", if shown { char::from(DIGITS[place as usize]) } else { '=' });
        }
    }
    text
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
        }
        assert_eq!(base64(&[0xfb, 0xff, 0xfe]), "+//+");
    }

    #[test]
    fn no_file_ends_its_block() {
        let mut files = Files::default();
        files.add("a.json", "application/json", br#"{"a": "</script><!--"}"#);
        files.add("<b>.txt", "text/plain", b"</script>\"");
        files.add("c.bin", "application/octet-stream", &[0xff, 0]);
        assert_eq!(
            files.finish(),
            concat!(
                r#"<script type="application/json" id="nb-file-1" data-name="a.json" data-type="application/json" data-form="json">{"a": "\u003c/script>\u003c!--"}</script>"#,
                "\n",
                r#"<script type="application/json" id="nb-file-2" data-name="&lt;b&gt;.txt" data-type="text/plain" data-form="text">"\u003c/script>\""</script>"#,
                "\n",
                r#"<script type="application/json" id="nb-file-3" data-name="c.bin" data-type="application/octet-stream" data-form="base64">"/wA="</script>"#,
                "\n"
            )
        );
    }
}
