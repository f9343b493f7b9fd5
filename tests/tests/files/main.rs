//! Files and paths that mean harm, or are just odd. The numbers are those of
//! the project's catalogue of threats: each test says what it holds.

#![cfg(unix)]
#![allow(missing_docs, reason = "a test")]

mod odd;
#[cfg(target_os = "linux")]
mod races;
mod roots;

use omniread::{Dialect, Options, Reason};
use omniread_tests::Workspace;
use std::time::{Duration, Instant};

const CANARY: &str = "the canary sings";

/// Ten times what a read may take; a guard against hangs, no measurement.
const HANG: Duration = Duration::from_secs(100);

fn failed(workspace: &Workspace, path: &str) -> Reason {
    let started = Instant::now();
    let failure = workspace.session().read(path).expect_err(path);
    assert!(
        !failure.text.contains(CANARY),
        "{path} showed what is outside"
    );
    assert!(started.elapsed() < HANG, "{path} hung");
    failure.reason
}

fn text(workspace: &Workspace, path: &str) -> String {
    let options = Options {
        hashlines: false,
        ..Options::default()
    };
    let reply = workspace.session().read_as(path, Dialect::Omp, &options);
    reply
        .unwrap_or_else(|failure| panic!("{path}: {}", failure.message))
        .text()
}
