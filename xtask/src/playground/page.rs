//! The page: its files, the engine and the tables in one text.

use std::{collections::BTreeMap, fs, io::Write, path::Path};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use flate2::{Compression, write::GzEncoder};
use lzma_rust2::{LzmaOptions, LzmaWriter};

use super::{base85, wasm::Programs};

/// The scripts, each after those that it imports from.
const SCRIPTS: [&str; 14] = [
    "dom.js",
    "engine.js",
    "state.js",
    "tables.js",
    "chart.js",
    "cloud.js",
    "plot.js",
    "views.js",
    "scenes.js",
    "page.js",
    "data.js",
    "controls.js",
    "hands.js",
    "main.js",
];

/// The embedded tables.
const TABLES: [&str; 8] =
    ["iris", "wine", "pima", "titanic", "housevotes84", "playtennis", "iir_china", "spam"];

/// The parts of the page.
#[derive(Debug)]
pub(super) struct Page {
    frame: String,
    style: String,
    script: String,
    /// The program that unpacks the rest, and its length.
    unpacker: String,
    n_unpacker: String,
    /// The tables and the engine, packed together, and their length.
    packed: String,
    n_packed: String,
    /// How many of these bytes are the tables.
    n_tables: String,
}

impl Page {
    /// Reads and packs the parts.
    ///
    /// # Errors
    /// What cannot be read.
    pub(super) fn of(folder: &Path, programs: &Programs) -> Result<Self, String> {
        let read = |name: &str| {
            let file = folder.join(name);
            fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))
        };
        let scripts = SCRIPTS.iter().map(|name| read(name)).collect::<Result<Vec<_>, _>>()?;
        let mut tables = BTreeMap::new();
        for name in TABLES {
            let text = nb_datasets::csv(name).map_err(|error| error.to_string())?;
            tables.insert(name, String::from_utf8(text).map_err(|error| error.to_string())?);
        }
        let tables = serde_json::to_vec(&tables).map_err(|error| error.to_string())?;
        let unpacker = zipped(&programs.unpacker).map_err(|error| error.to_string())?;
        let packed =
            packed(&[tables.as_slice(), &programs.engine].concat()).map_err(|error| error.to_string())?;
        Ok(Self {
            frame: read("page.html")?,
            style: dense(&read("style.css")?),
            script: scripts.iter().map(|text| joined(text)).collect(),
            n_unpacker: unpacker.len().to_string(),
            unpacker: base85::encoded(&unpacker),
            n_packed: packed.len().to_string(),
            packed: base85::encoded(&packed),
            n_tables: tables.len().to_string(),
        })
    }

    /// One text, which needs nothing else. Its policy allows this script and this style by their hashes, and
    /// no request.
    pub(super) fn html(&self) -> String {
        let policy = format!(
            "default-src 'none'; script-src 'sha256-{}' 'wasm-unsafe-eval'; style-src 'sha256-{}'; img-src data:; base-uri 'none'; \
             form-action 'none'",
            hash(&self.script),
            hash(&self.style)
        );
        let parts = [
            ("{{policy}}", &policy),
            ("{{style}}", &self.style),
            ("{{n_unpacker}}", &self.n_unpacker),
            ("{{unpacker}}", &self.unpacker),
            ("{{n_packed}}", &self.n_packed),
            ("{{n_tables}}", &self.n_tables),
            ("{{packed}}", &self.packed),
            ("{{script}}", &self.script),
        ];
        parts.iter().fold(self.frame.clone(), |page, (mark, part)| page.replacen(mark, part, 1))
    }
}

/// A module as a part of one module that has them all: without imports, and nothing is exported.
fn joined(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.starts_with("import "));
    let lines = lines.flat_map(|line| [line.strip_prefix("export ").unwrap_or(line), "\n"]);
    dense(&lines.collect::<String>())
}

/// Lines without their indentation, and without those that are comments or empty. No text of the page spans
/// lines.
fn dense(text: &str) -> String {
    let lines = text.lines().map(str::trim_start).filter(|line| !line.is_empty() && !line.starts_with("//"));
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// What browsers can unpack.
fn zipped(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    encoder.finish()
}

/// What the unpacker can unpack.
fn packed(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut options = LzmaOptions::with_preset(9);
    (options.dict_size, options.nice_len, options.lc, options.pb) = (1 << 23, 273, 4, 0);
    let mut writer = LzmaWriter::new_use_header(Vec::new(), &options, Some(bytes.len() as u64))?;
    writer.write_all(bytes)?;
    writer.finish()
}

/// As policies write it.
fn hash(text: &str) -> String {
    let hex = nb_datasets::sha256_hex(text.as_bytes());
    let byte = |place: usize| u8::from_str_radix(&hex[place..place + 2], 16).unwrap_or_default();
    BASE64_STANDARD.encode((0..hex.len()).step_by(2).map(byte).collect::<Vec<u8>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_all_parts_and_allows_nothing_else() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../playground/web");
        let programs = Programs { engine: b"the engine".to_vec(), unpacker: b"the unpacker".to_vec() };
        let html = Page::of(&folder, &programs).unwrap().html();
        assert!(!html.contains("{{"), "a part is missing");
        assert!(html.contains("default-src 'none'") && !html.contains("unsafe-inline"));
        for request in ["http://", "https://", " src=", "@import", "url("] {
            assert!(!html.contains(request), "{request}");
        }
        let script = html.split("<script type=\"module\">").nth(1).unwrap();
        let script = script.split("</script>").next().unwrap();
        assert!(html.contains(&format!("'sha256-{}'", hash(script))));
        assert!(
            !script.contains("innerHTML") && !script.contains("export ") && !script.contains("\nimport ")
        );
    }

    #[test]
    fn what_is_packed_is_unpacked() {
        let bytes = nb_datasets::csv("iris").unwrap();
        let packed = packed(&bytes).unwrap();
        assert!(packed.len() < bytes.len() / 3);
        assert_eq!(playground_unpack::unpacked(&packed), bytes);
        assert!(playground_unpack::unpacked(&packed[..packed.len() / 2]).is_empty());
    }

    #[test]
    fn hashes_are_those_of_policies() {
        // printf %s "x" | openssl dgst -sha256 -binary | base64
        assert_eq!(hash("x"), "LXEWQrcmsEQBYnyp+6wy9chTD7GQPMTbAiWHF5IaSIE=");
    }
}
