//! Reads a path from asynchronous code, for at most five seconds: `cargo run --release --example async -- README.md`
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "an example of a program"
)]

use omniread::{CancelToken, Failure, Reader, Reply, Session};
use std::error::Error;
use std::time::Duration;

/// Cancels a read when it is dropped.
struct Cancel(CancelToken);

impl Drop for Cancel {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// Reads a path where blocking is allowed. If the caller drops the future, for example at a timeout, the
/// read ends.
pub async fn read(session: &Session, path: String) -> Result<Reply, Failure> {
    let token = CancelToken::new();
    let session = session.with_cancel(&token);
    let _cancel = Cancel(token);
    let read = tokio::task::spawn_blocking(move || session.read(path));
    read.await.expect("a read does not panic")
}

#[allow(dead_code, reason = "a test calls `read`")]
fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    let session = Reader::builder().root(".").build()?.session();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_time()
        .build()?;
    runtime.block_on(async {
        match tokio::time::timeout(Duration::from_secs(5), read(&session, path)).await {
            Ok(Ok(reply)) => println!("{}", reply.text()),
            Ok(Err(failure)) => eprintln!("{failure:#}"),
            Err(_) => eprintln!("the read took more than five seconds"),
        }
    });
    Ok(())
}
