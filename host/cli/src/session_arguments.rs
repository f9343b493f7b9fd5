//! The arguments of `omniread session`.

use clap::Subcommand;
use std::path::PathBuf;

/// What to do with a session.
#[derive(Subcommand, Clone, Debug)]
pub enum SessionAction {
    /// List the files of which lines were shown, and whether they have changed
    List,
    /// Print the lines of a file as they were shown
    Show {
        /// The file
        #[arg(value_name = "PATH")]
        path: PathBuf,
    },
    /// Print which of the lines that were shown have changed since
    Diff {
        /// The file
        #[arg(value_name = "PATH")]
        path: PathBuf,
    },
    /// Say that the conversation was compacted: with the option `repeat`, all replies are shown again. Print the number of the new generation
    Compacted,
    /// Remove everything that the session keeps
    Clear,
}
