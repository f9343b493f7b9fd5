//! The command line, as a binary that the tests can run.

use std::process::ExitCode;

fn main() -> ExitCode {
    omniread_cli::main()
}
