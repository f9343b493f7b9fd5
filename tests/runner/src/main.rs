//! Runs `cargo test --release --workspace --exclude omniread-node --exclude omniread-python --no-fail-fast`, and prints one line
//! with the sum of the results of all test programs. The alias `cargo test-all` in `.cargo/config.toml`
//! calls it. Its arguments are passed on.

mod results;

use results::Results;
use std::env;
use std::ffi::OsString;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::process::{Command, ExitCode, Stdio};

/// The arguments of cargo. Without `--no-fail-fast`, the test programs after the first failure would
/// not run. The packages for Node and Python have their own tests, and cargo would compile `PyO3` and `napi` for none.
const ARGUMENTS: [&str; 8] = [
    "test",
    "--release",
    "--workspace",
    "--exclude",
    "omniread-node",
    "--exclude",
    "omniread-python",
    "--no-fail-fast",
];

/// Whether `cargo run` set an environment variable to a fact of this package. The build script of ring runs
/// again when one of them changes, and then cargo compiles ring, rustls and the program again.
fn describes_runner(name: &str) -> bool {
    name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_")
}

fn main() -> io::Result<ExitCode> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut tests = Command::new(cargo);
    tests.args(ARGUMENTS).args(env::args_os().skip(1));
    for (name, _) in env::vars_os() {
        if name.to_str().is_some_and(describes_runner) {
            tests.env_remove(name);
        }
    }
    let mut tests = tests.stdout(Stdio::piped()).spawn()?;
    let mut results = Results::default();
    let mut out = io::stdout();
    if let Some(stdout) = tests.stdout.take() {
        let mut lines = BufReader::new(stdout);
        let mut line = Vec::new();
        while lines.read_until(b'\n', &mut line)? > 0 {
            out.write_all(&line)?;
            out.flush()?;
            results.add(&String::from_utf8_lossy(&line));
            line.clear();
        }
    }
    let status = tests.wait()?;
    for name in results.failures() {
        writeln!(out, "failed: {name}")?;
    }
    writeln!(out, "{}", results.summary(status.success()))?;
    Ok(match status.code() {
        Some(code) => ExitCode::from(u8::try_from(code).unwrap_or(1)),
        None => ExitCode::FAILURE,
    })
}
