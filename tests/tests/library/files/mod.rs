//! Hostile and unusual files, directories and paths.
//!
//! Ids such as FS-3 number the classes of hostile input.

#![cfg(unix)]
#[cfg(target_os = "linux")]
mod races;
mod roots;
mod special;

use omniread::{Dialect, Options, Reason};
use omniread_tests::Workspace;
use std::time::{Duration, Instant};

const CANARY: &str = "the canary sings";

/// The time after which a test treats a read as hung. A busy machine does not need as long.
const HANG: Duration = Duration::from_mins(10);

fn failed(workspace: &Workspace, path: &str) -> Reason {
    let started = Instant::now();
    let failure = workspace.session().read(path).expect_err(path);
    assert!(
        !failure.text.contains(CANARY),
        "{path} revealed the contents of a forbidden file"
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
