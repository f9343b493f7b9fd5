//! The size of the terminal, and whether this process may use it.

use std::env;
use std::io::{self, IsTerminal as _};
use terminal_size::{Height, Width, terminal_size_of};

/// The number of columns of a terminal that does not report its size, as in most programs.
const COLUMNS: usize = 80;

/// The number of columns of output that is aligned, but is not written to a terminal. Wider tables are rare, and the
/// size of an aligned table is the product of its width and its rows.
const FILE_COLUMNS: usize = 1000;

/// The number of columns of aligned output that is not written to a terminal: the value of the variable
/// `COLUMNS`, or as many as most tables need.
pub fn file_columns() -> usize {
    of_variable("COLUMNS").unwrap_or(FILE_COLUMNS)
}

/// The number of columns of the terminal to which standard output is written: the value of the
/// variable `COLUMNS`, or the size that the terminal reports.
pub fn columns() -> usize {
    of_variable("COLUMNS")
        .or_else(|| size().map(|(columns, _)| columns))
        .unwrap_or(COLUMNS)
}

/// The number of lines of the terminal to which standard output is written: the value of the
/// variable `LINES`, or the size that the terminal reports. `None` if it reports none.
pub fn lines() -> Option<usize> {
    of_variable("LINES").or_else(|| size().map(|(_, lines)| lines))
}

/// The number of columns of the terminal to which standard error is written.
pub fn error_columns() -> usize {
    let size = terminal_size_of(io::stderr());
    of_variable("COLUMNS")
        .or_else(|| size.map(|(Width(columns), _)| columns.into()))
        .unwrap_or(COLUMNS)
}

/// Whether messages that are removed again can be shown on standard error.
pub fn shows_progress() -> bool {
    io::stderr().is_terminal() && !is_dumb()
}

/// Whether the terminal understands no control sequences.
pub fn is_dumb() -> bool {
    env::var_os("TERM").is_none_or(|term| term.is_empty() || term == "dumb")
}

fn size() -> Option<(usize, usize)> {
    let (Width(columns), Height(lines)) = terminal_size_of(io::stdout())?;
    Some((columns.into(), lines.into()))
}

fn of_variable(name: &str) -> Option<usize> {
    let value: Option<usize> = env::var(name).ok()?.trim().parse().ok();
    value.filter(|value| *value > 0)
}

/// Whether this process is a background job of its terminal, which would be stopped if it read from
/// the terminal.
#[cfg(unix)]
pub fn is_background() -> bool {
    use rustix::process::getpgrp;
    use rustix::termios::tcgetpgrp;
    let tty = std::fs::File::open("/dev/tty");
    tty.is_ok_and(|tty| tcgetpgrp(&tty).ok() != Some(getpgrp()))
}

/// Whether this process is a background job of its terminal.
#[cfg(not(unix))]
pub fn is_background() -> bool {
    false
}
