//! The command line, built where the tests can find it.

use std::process::ExitCode;

fn main() -> ExitCode {
    omniread::cli::main()
}
