//! Standard input, and the pipes that a shell passes to a command as paths: `<(command)`.

use omniread::errors::SpecialFile;
use omniread::{Failure, Reason};
use std::fs::File;
use std::sync::Arc;

/// What a path on the command line names, besides files in the roots.
pub enum Named {
    /// Standard input: the path that begins with `-`.
    Stdin(String),
    /// A pipe that this process has inherited, and the path that begins with `-`.
    Pipe(Arc<File>, String),
    /// A descriptor of this process that is not a pipe.
    NotPipe,
}

/// The directories with the descriptors of this process.
const DESCRIPTORS: [&str; 3] = ["/dev/fd/", "/proc/self/fd/", "/proc/thread-self/fd/"];

/// Whether a path is `-` for standard input, followed by a selector or query.
pub fn is_dash_with_selector(path: &str) -> bool {
    path.starts_with("-:") || (path.starts_with("-?") && path.contains('='))
}

/// Whether a path is `-` for standard input, or for a pipe that is read like it.
pub fn is_dash(path: &str) -> bool {
    path == "-" || is_dash_with_selector(path)
}

/// What a path names, if it is standard input or another descriptor of this process.
///
/// Only pipes are read through their number. A program may leave files and sockets open for its
/// children by mistake, and these are not in the roots.
pub fn named(path: &str) -> Option<Named> {
    if is_dash(path) {
        return Some(Named::Stdin(path.to_owned()));
    }
    let (number, rest) = descriptor(path)?;
    let dash = format!("-{rest}");
    if number == 0 {
        return Some(Named::Stdin(dash));
    }
    let pipe = pipe(&format!("/dev/fd/{number}"));
    Some(pipe.map_or(Named::NotPipe, |pipe| Named::Pipe(Arc::new(pipe), dash)))
}

/// The number of the descriptor that a path names, and the selector after it.
fn descriptor(path: &str) -> Option<(u32, &str)> {
    let (number, rest) = match path.strip_prefix("/dev/stdin") {
        Some(rest) => ("0", rest),
        None => {
            let name = DESCRIPTORS
                .iter()
                .find_map(|start| path.strip_prefix(start))?;
            name.split_at(name.find([':', '?']).unwrap_or(name.len()))
        }
    };
    let is_suffix = rest.is_empty() || rest.starts_with([':', '?']);
    let is_number = number.bytes().all(|digit| digit.is_ascii_digit());
    let number = number.parse().ok().filter(|_| is_suffix && is_number)?;
    Some((number, rest))
}

/// Opens a pipe. Reads of it do not block. `None` if the path is not a pipe.
#[cfg(unix)]
fn pipe(path: &str) -> Option<File> {
    use rustix::fs::{FileType, Mode, OFlags, open, stat};
    let kind = FileType::from_raw_mode(stat(path).ok()?.st_mode);
    if kind != FileType::Fifo {
        return None;
    }
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    Some(open(path, flags, Mode::empty()).ok()?.into())
}

#[cfg(not(unix))]
fn pipe(_: &str) -> Option<File> {
    None
}

/// The failure of a path that names a descriptor of this process.
pub fn not_a_pipe(path: &str) -> Failure {
    let message = format!("`{path}` is not a pipe");
    let hint = "redirect it to standard input, and read `-`";
    let mut failure = Failure::new(Reason::SpecialFile(SpecialFile::Other), message);
    failure.text = format!("{}\nhint: {hint}", failure.message);
    failure.hint = Some(hint.to_owned());
    failure
}

/// Whether standard input is read if the command line names no path: if it is a file, a pipe or a
/// socket. Other input, such as a terminal or `/dev/null`, is that of a program which has none.
#[cfg(unix)]
pub fn is_given() -> bool {
    use rustix::fs::{FileType, fstat};
    let kind = fstat(std::io::stdin()).map(|stat| FileType::from_raw_mode(stat.st_mode));
    matches!(
        kind,
        Ok(FileType::RegularFile | FileType::Fifo | FileType::Socket)
    )
}

#[cfg(not(unix))]
pub fn is_given() -> bool {
    use std::io::IsTerminal as _;
    !std::io::stdin().is_terminal()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptors_are_named_by_their_number() {
        for (path, expected) in [
            ("/dev/stdin", Some((0, ""))),
            ("/dev/stdin:5-9", Some((0, ":5-9"))),
            ("/dev/fd/0", Some((0, ""))),
            ("/dev/fd/63:raw", Some((63, ":raw"))),
            ("/dev/fd/12?q=SELECT 1", Some((12, "?q=SELECT 1"))),
            ("/proc/self/fd/11", Some((11, ""))),
            ("/dev/stdin2", None),
            ("/dev/stdin/x", None),
            ("/dev/fd/", None),
            ("/dev/fd/+1", None),
            ("/dev/fd/3/x", None),
            ("/dev/fd/99999999999", None),
            ("/proc/1/fd/0", None),
            ("dev/fd/0", None),
        ] {
            assert_eq!(descriptor(path), expected, "{path}");
        }
    }
}
