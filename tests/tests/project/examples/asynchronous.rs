//! The example `async` of the library.

#[path = "../../../../host/examples/async.rs"]
mod example;

use example::read;
use omniread::resources::{Provider, Resource, ResourceError};
use omniread::{Network, Reader};
use omniread_tests::project;
use omniread_tests::web::{Page, Site};
use std::error::Error;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::runtime::Builder;

#[test]
fn async_read_returns_a_reply() -> Result<(), Box<dyn Error>> {
    let reader = Reader::builder().root(project()).build()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().build()?;
    // A token that was dropped with its future does not affect other reads.
    for (path, text) in [
        ("LICENSE-MIT:1", "MIT License"),
        ("LICENSE-MIT:3", "Copyright"),
    ] {
        let reply = runtime.block_on(read(&reader.session(), path.to_owned()))?;
        assert!(reply.text().contains(text), "{path}");
    }
    Ok(())
}

/// The runtime of the caller has no drivers, and ends before the connections of the reader.
#[test]
fn async_read_of_an_address_needs_no_driver_of_the_runtime() -> Result<(), Box<dyn Error>> {
    let long = "a line of the server\n".repeat(50_000);
    let site = Site::new().page("/short", Page::text("a line of the server\n"));
    let server = site.page("/long", Page::text(&long)).serve();
    let network = Network::default().allow(server.authority().parse()?);
    let reader = Reader::builder().network(network).build()?;
    for path in ["/short", "/long", "/short"] {
        for mut runtime in [Builder::new_multi_thread(), Builder::new_current_thread()] {
            let runtime = runtime.build()?;
            let reply = runtime.block_on(read(&reader.session(), server.url(path)))?;
            assert!(reply.text().contains("a line of the server"), "{path}");
        }
    }
    assert_eq!(server.connections(), 1);
    Ok(())
}

/// A provider that reports that it was called, and waits until the test ends it.
struct Waiting {
    called: Sender<()>,
    end: Mutex<Receiver<()>>,
    ended: Arc<AtomicBool>,
}

impl Provider for Waiting {
    fn scheme(&self) -> &'static str {
        "waiting"
    }

    fn open(&self, _: &str) -> Result<Resource, ResourceError> {
        let _ = self.called.send(());
        // The time is a guard against a hang.
        let _ = self
            .end
            .lock()
            .unwrap()
            .recv_timeout(Duration::from_mins(1));
        self.ended.store(true, Ordering::SeqCst);
        Err(ResourceError::NotFound(Vec::new()))
    }
}

#[test]
fn async_read_whose_future_is_dropped_ends() -> Result<(), Box<dyn Error>> {
    let (called, calls) = mpsc::channel();
    let (end, ends) = mpsc::channel();
    let ended = Arc::new(AtomicBool::new(false));
    let provider = Waiting {
        called,
        end: Mutex::new(ends),
        ended: Arc::clone(&ended),
    };
    let reader = Reader::builder().provider(provider).timeout(None).build()?;
    let session = reader.session();
    let runtime = tokio::runtime::Builder::new_multi_thread().build()?;
    let task = runtime.spawn(async move { read(&session, "waiting://x".to_owned()).await });
    calls.recv()?;
    // This drops the future.
    task.abort();
    // This waits for the thread of the read, which does not wait for the provider any longer.
    drop(runtime);
    assert!(!ended.load(Ordering::SeqCst));
    drop(end);
    Ok(())
}
