//! The arguments of `omniread batch`.

use omniread_batch::limits;
use std::ffi::OsString;
use std::path::PathBuf;

/// The arguments of `omniread batch`.
#[derive(clap::Args, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag of the command line"
)]
pub struct BatchArguments {
    /// The paths to read, or patterns with `*` such as 'src/**/*.rs'. Without one, or for `-`, paths are the lines of standard input
    #[arg(value_name = "PATH|PATTERN")]
    pub paths: Vec<OsString>,

    /// Paths on standard input end in a NUL and not in a line feed, as `find -print0` and `git ls-files -z` print them
    #[arg(short = '0', long)]
    pub null: bool,

    /// Write a row for each member of an archive, in place of one for the archive
    #[arg(long)]
    pub members: bool,

    /// Write a row for each file in a directory and below, in place of one for the directory. Names that start with a dot are left out
    #[arg(short, long)]
    pub recursive: bool,

    /// The number of reads at once, at most 64 [default: one for each core]
    #[arg(short, long, value_name = "N", value_parser = jobs)]
    pub jobs: Option<usize>,

    /// Write rows as reads end, and not in the order of the paths
    #[arg(long)]
    pub unordered: bool,

    /// Write rows to this file, which must not exist, or must be that of the run in `--resume`
    #[arg(short, long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub output: Option<PathBuf>,

    /// Record in this file which paths have a row, and skip those that it records. The same command continues a run that was stopped or killed. It needs `--output` for exactly one row of each path
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub resume: Option<PathBuf>,
}

/// A number of threads.
fn jobs(text: &str) -> Result<usize, String> {
    let most = limits::JOBS;
    text.parse()
        .ok()
        .filter(|jobs| (1..=most).contains(jobs))
        .ok_or_else(|| format!("it is a number from 1 to {most}"))
}
