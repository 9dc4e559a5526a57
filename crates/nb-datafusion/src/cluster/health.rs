//! Whether a scheduler is there and has executors: its own answer, over HTTP at the port of its other
//! services.

use std::time::Duration;

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

/// How a scheduler is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Health {
    /// It has executors.
    Ready,
    /// It has none.
    NoExecutors,
    /// It does not answer.
    Unreachable,
}

/// How long one question may take. A scheduler that is busy planning answers late, not never.
const PATIENCE: Duration = Duration::from_secs(5);

/// Asks the scheduler at `address` (host and port) how it is.
pub(super) async fn health(address: &str) -> Health {
    match timeout(PATIENCE, answer(address)).await {
        Ok(Ok(answer)) if answer.starts_with("HTTP/1.1 503") => Health::NoExecutors,
        Ok(Ok(_)) => Health::Ready,
        Ok(Err(_)) | Err(_) => Health::Unreachable,
    }
}

async fn answer(address: &str) -> std::io::Result<String> {
    let mut stream = TcpStream::connect(address).await?;
    let question = format!("GET /readyz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(question.as_bytes()).await?;
    let mut answer = Vec::new();
    stream.take(4096).read_to_end(&mut answer).await?;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}
