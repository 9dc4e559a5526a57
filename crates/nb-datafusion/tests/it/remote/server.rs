//! A server on this machine that speaks as much of S3 as reading needs, and gives the same files by plain
//! HTTP.

use std::{
    fmt::Write as _,
    fs,
    io::{self, BufRead, BufReader, Write},
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    sync::Arc,
    thread,
};

/// The key that opens buckets, and what nobody may see.
pub(crate) const KEY: &str = "key-of-the-test";
pub(crate) const SECRET: &str = "secret-of-the-test";

/// The bucket `bucket` is a folder, and so is `/open`, for which nobody has to log in. It answers until the
/// tests end.
pub(crate) struct Server {
    /// `127.0.0.1:port`.
    pub(crate) address: String,
}

/// A request without its body.
struct Request {
    method: String,
    /// Decoded.
    path: String,
    query: Vec<(String, String)>,
    range: Option<String>,
    authorization: String,
}

struct Answer {
    status: &'static str,
    headers: String,
    body: Vec<u8>,
}

impl Server {
    pub(crate) fn start(folder: &Path) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let folder: Arc<Path> = folder.into();
        thread::spawn(move || {
            for connection in listener.incoming() {
                let folder = folder.clone();
                thread::spawn(move || connection.and_then(|connection| serve(&connection, &folder)));
            }
        });
        Self { address }
    }
}

/// Answers all requests of a connection.
fn serve(connection: &TcpStream, folder: &Path) -> io::Result<()> {
    let mut input = BufReader::new(connection);
    while let Some(request) = request(&mut input)? {
        let Answer { status, headers, body } = answer(&request, folder);
        let length = body.len();
        let mut output = io::BufWriter::new(connection);
        write!(output, "HTTP/1.1 {status}\r\nContent-Length: {length}\r\n{headers}\r\n")?;
        if request.method != "HEAD" {
            output.write_all(&body)?;
        }
        output.flush()?;
    }
    Ok(())
}

fn request(input: &mut impl BufRead) -> io::Result<Option<Request>> {
    let mut line = String::new();
    if input.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let mut words = line.split(' ');
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let query = query.split('&').filter_map(|pair| pair.split_once('='));
    let mut request = Request {
        method: method.into(),
        path: decoded(path),
        query: query.map(|(name, value)| (decoded(name), decoded(value))).collect(),
        range: None,
        authorization: String::new(),
    };
    loop {
        let mut line = String::new();
        input.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        match name.to_lowercase().as_str() {
            "range" => request.range = Some(value.trim_start_matches("bytes=").into()),
            "authorization" => request.authorization = value.into(),
            _ => {}
        }
    }
    Ok(Some(request))
}

/// A text in which bytes may be written as `%` and two digits.
fn decoded(text: &str) -> String {
    let mut parts = text.split('%');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        bytes.push(u8::from_str_radix(&part[..2], 16).unwrap());
        bytes.extend(&part.as_bytes()[2..]);
    }
    String::from_utf8(bytes).unwrap()
}

fn answer(request: &Request, folder: &Path) -> Answer {
    let error = |status: &'static str, code: &str| Answer {
        status,
        headers: "Content-Type: application/xml\r\n".into(),
        body: format!("<Error><Code>{code}</Code><SecretKey>{SECRET}</SecretKey></Error>").into(),
    };
    let path = request.path.trim_start_matches('/');
    let (bucket, key) = path.split_once('/').unwrap_or((path, ""));
    match bucket {
        "bucket" if !request.authorization.contains(&format!("Credential={KEY}/")) => {
            return error("403 Forbidden", "AccessDenied");
        }
        "bucket" | "open" => {}
        _ => return error("404 Not Found", "NoSuchBucket"),
    }
    // An address that was signed for reading is for nothing else.
    let is_signed = request.query.iter().any(|(name, _)| name == "signature");
    if !matches!(request.method.as_str(), "GET" | "HEAD") || (is_signed && request.method == "HEAD") {
        return error("405 Method Not Allowed", "MethodNotAllowed");
    }
    if request.query.iter().any(|(name, _)| name == "list-type") {
        return Answer { status: "200 OK", headers: String::new(), body: list(request, folder).into() };
    }
    let Ok(bytes) = fs::read(folder.join(key)) else { return error("404 Not Found", "NoSuchKey") };
    let mut headers = "Last-Modified: Mon, 01 Jan 2024 00:00:00 GMT\r\nETag: \"1\"\r\n".to_owned();
    let Some(range) = &request.range else { return Answer { status: "200 OK", headers, body: bytes } };
    let (first, last) = range.split_once('-').unwrap();
    let (first, end) = match (first.parse::<usize>(), last.parse::<usize>()) {
        (Ok(first), last) => (first, last.map_or(bytes.len(), |last| bytes.len().min(last + 1))),
        (Err(_), last) => (bytes.len().saturating_sub(last.unwrap()), bytes.len()),
    };
    write!(headers, "Content-Range: bytes {first}-{}/{}\r\n", end - 1, bytes.len()).unwrap();
    Answer { status: "206 Partial Content", headers, body: bytes[first..end].into() }
}

/// A page of two files at most, as `ListObjectsV2` gives it.
fn list(request: &Request, folder: &Path) -> String {
    let of =
        |name: &str| request.query.iter().find(|(of, _)| of == name).map_or("", |(_, value)| value.as_str());
    let (prefix, delimiter, start) = (of("prefix"), of("delimiter"), of("continuation-token"));
    let mut keys = Vec::new();
    collect(folder, folder, &mut keys);
    keys.retain(|key| key.starts_with(prefix) && key.as_str() > start);
    keys.sort();
    let mut page = String::from("<ListBucketResult>");
    let mut folders = Vec::new();
    let is_truncated = keys.len() > 2;
    keys.truncate(2);
    for key in &keys {
        if let (false, Some(place)) = (delimiter.is_empty(), key[prefix.len()..].find(delimiter)) {
            folders.push(&key[..=prefix.len() + place]);
            continue;
        }
        let size =
            fs::metadata(folder.join(key)).map_or(0, |file| if file.is_file() { file.len() } else { 0 });
        let modified = "<LastModified>2024-01-01T00:00:00.000Z</LastModified>";
        write!(page, "<Contents><Key>{key}</Key><Size>{size}</Size>{modified}</Contents>").unwrap();
    }
    folders.dedup();
    for folder in folders {
        write!(page, "<CommonPrefixes><Prefix>{folder}</Prefix></CommonPrefixes>").unwrap();
    }
    if let (true, Some(last)) = (is_truncated, keys.last()) {
        write!(page, "<NextContinuationToken>{last}</NextContinuationToken>").unwrap();
    }
    write!(page, "<IsTruncated>{is_truncated}</IsTruncated></ListBucketResult>").unwrap();
    page
}

/// The keys of all files, and one that ends in `/` for each folder, as consoles make them.
fn collect(root: &Path, folder: &Path, keys: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path: PathBuf = entry.unwrap().path();
        let key = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            keys.push(format!("{key}/"));
            collect(root, &path, keys);
        } else {
            keys.push(key);
        }
    }
}
