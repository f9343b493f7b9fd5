//! The long-lived processes: `omniread serve` and `omniread mcp`.

mod hostile;
mod http;
mod limits;
mod log;
mod mcp;
mod metrics;
mod people;
mod privacy;
mod roots;
mod serve;
mod sessions;
mod skills;

use omniread_tests::{Cli, Workspace};

fn cli(workspace: &Workspace) -> Cli {
    Cli::new(env!("CARGO_BIN_EXE_omniread-under-test"), workspace.path())
}

/// Creates the sparse file `endless` of 1 TiB: a read of a late line does not end by itself.
fn endless(workspace: &Workspace) {
    workspace.file("endless", "line\n".repeat(4000));
    let path = workspace.path().join("endless");
    let file = std::fs::File::options().write(true).open(path).unwrap();
    file.set_len(1 << 40).unwrap();
}

/// The path of a line of `endless` that is not reached.
const ENDLESS: &str = "endless:99999999";
