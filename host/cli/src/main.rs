//! The command line of omniread.

use std::process::ExitCode;

fn main() -> ExitCode {
    omniread_cli::main()
}
