//! `omniread session`: what a session keeps, and what has changed since.

use super::output::{self, Output};
use super::session_arguments::SessionAction;
use omniread::files::{Changes, Hunk, Snapshot, Staleness};
use omniread::sessions::{StoreError, StoreLimits};
use omniread::{Failure, Reader, Session};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// The session of a command line. Without a directory, it ends with the process. If `for_reads` is true, it does so
/// too if the system does not let it use the directory: reads go on without.
///
/// # Errors
/// Fails if the directory cannot be used.
pub fn open(
    reader: &Reader,
    (directory, for_reads): (Option<&Path>, bool),
    limits: StoreLimits,
) -> Result<Session, StoreError> {
    let Some(directory) = directory else {
        return Ok(reader.session());
    };
    let opened = match Session::open(reader, directory, limits) {
        Err(error @ (StoreError::Path { .. } | StoreError::Busy(_))) if for_reads => {
            output::print_message(&format!(
                "warning: nothing is kept of what is shown: {error}"
            ));
            return Ok(reader.session());
        }
        opened => opened?,
    };
    if let Some(aside) = &opened.set_aside {
        output::print_message(&format!(
            "warning: the session in `{}` could not be used and starts empty: {}; it was renamed to `{}`",
            directory.display(),
            aside.reason,
            aside.path.display()
        ));
    }
    if opened.is_in_root {
        output::print_message(&format!(
            "warning: the session in `{}` is where files are read, so that reads of it are denied; name a directory outside with `--session`",
            directory.display()
        ));
    }
    Ok(opened.session)
}

/// Runs the command. Returns whether it has found what it was asked for.
///
/// # Errors
/// Fails if the output cannot be written.
pub fn run(action: &SessionAction, session: &Session, out: &mut Output) -> io::Result<bool> {
    match action {
        SessionAction::List => list(session, out).map(|()| true),
        SessionAction::Show { path } => show(path, session, out),
        SessionAction::Diff { path } => diff(path, session, out),
        SessionAction::Compacted => match session.start_generation() {
            Ok(generation) => {
                out.line(&generation.to_string())?;
                out.flush().map(|()| true)
            }
            Err(error) => Ok(refused(&error)),
        },
        // It needs no session: see `without`.
        SessionAction::Clear => Ok(true),
    }
}

/// Runs the command as far as it needs no session. `None` if it needs one.
pub fn without(action: &SessionAction, directory: &Path) -> Option<bool> {
    let none = || {
        let directory = directory.display();
        output::print_message(&format!("there is no session in `{directory}`"));
        Some(false)
    };
    match action {
        SessionAction::Compacted => None,
        SessionAction::Clear => match Session::erase(directory) {
            Ok(true) => Some(true),
            Ok(false) => none(),
            Err(error) => Some(refused(&error)),
        },
        _ if Session::exists(directory) => None,
        _ => none(),
    }
}

/// Prints an error of the session. Returns that the command has failed.
fn refused(error: &StoreError) -> bool {
    output::print_message(&error.to_string());
    false
}

/// Prints a warning if the session does not keep what was shown, once for each process.
#[derive(Debug)]
pub struct Losses {
    directory: Option<PathBuf>,
    is_reported: AtomicBool,
}

impl Losses {
    pub fn new(directory: Option<&Path>) -> Self {
        Self {
            directory: directory.map(Path::to_owned),
            is_reported: AtomicBool::new(false),
        }
    }

    /// Prints the warning, if writes were dropped since the start of the process.
    pub fn report(&self, session: &Session) {
        let Some(directory) = &self.directory else {
            return;
        };
        let dropped = session.dropped();
        let reason = match dropped {
            _ if dropped.writes() == 0 => return,
            _ if dropped.full > 0 => "the disk is full",
            _ if dropped.read_only > 0 => "it is read-only",
            _ if dropped.busy > 0 => "other processes use it",
            _ if dropped.damaged > 0 => "its file is damaged",
            _ => "the system reports an error",
        };
        if !self.is_reported.swap(true, Ordering::Relaxed) {
            output::print_message(&format!(
                "warning: the session in `{}` does not have all that was shown: {reason}",
                directory.display()
            ));
        }
    }
}

fn list(session: &Session, out: &mut Output) -> io::Result<()> {
    for file in session.shown_files() {
        let state = session.stale_file(&file).name();
        let tag = file
            .tag
            .as_ref()
            .map_or_else(String::new, |tag| format!("#{tag}"));
        out.line(&format!("{state:8}{}{tag}", escaped(&file.path)))?;
    }
    let hidden = session.hidden_files();
    if hidden > 0 {
        out.line(&format!(
            "[{hidden} not listed: they may not be read any more]"
        ))?;
    }
    out.flush()
}

/// A text with escape sequences for control characters, which could forge a line or change the terminal.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() && c != '\t' {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
}

/// The snapshots of a file, the newest first: those of a path as the list has it, or else of a path as it is typed
/// for reads.
fn kept(path: &Path, session: &Session) -> Result<Vec<Snapshot>, Failure> {
    let snapshots = session.snapshots(path);
    if !snapshots.is_empty() {
        return Ok(snapshots);
    }
    Ok(session.snapshots(session.current(path, false)?.resolved_path))
}

fn show(path: &Path, session: &Session, out: &mut Output) -> io::Result<bool> {
    let snapshots = match kept(path, session) {
        Ok(snapshots) => snapshots,
        Err(failure) => return Ok(failed(&failure)),
    };
    let Some((newest, older)) = snapshots.split_first() else {
        return Ok(nothing(path));
    };
    if newest.shown.is_empty() {
        out.line("[no lines of the file are kept]")?;
    }
    print_lines(newest, out)?;
    let mut seen = newest.shown.clone();
    for snapshot in older {
        let is_seen = |range: &(i64, i64)| {
            seen.iter()
                .any(|newer| newer.0 <= range.0 && range.1 <= newer.1)
        };
        // Lines that were shown again since are those of the newer version.
        if !snapshot.shown.iter().all(is_seen) {
            out.line("[before the file changed]")?;
            print_lines(snapshot, out)?;
        }
        seen.extend(&snapshot.shown);
    }
    out.flush().map(|()| true)
}

/// Prints the lines of a snapshot, as they were shown.
fn print_lines(snapshot: &Snapshot, out: &mut Output) -> io::Result<()> {
    for (index, ((first, _), text)) in snapshot.shown.iter().zip(&snapshot.text).enumerate() {
        if index > 0 {
            out.line("…")?;
        }
        for (line, number) in text.split('\n').zip(*first..) {
            out.line(&format!("{number}:{}", escaped(line)))?;
        }
    }
    Ok(())
}

fn diff(path: &Path, session: &Session, out: &mut Output) -> io::Result<bool> {
    let changes = match session.changes(path) {
        Ok(changes) => changes,
        Err(failure) => return Ok(failed(&failure)),
    };
    match changes.staleness {
        Staleness::Unread => return Ok(nothing(path)),
        Staleness::Changed => {}
        other => {
            out.line(state(other))?;
            return out.flush().map(|()| true);
        }
    }
    for hunk in &changes.hunks {
        print(hunk, out)?;
    }
    out.line(summary(&changes))?;
    out.flush().map(|()| true)
}

/// The line that says what is known about a file.
fn state(staleness: Staleness) -> &'static str {
    match staleness {
        Staleness::Same => "[the file is unchanged]",
        Staleness::Touched => "[the file was touched; its content is unchanged]",
        Staleness::Gone => "[the file does not exist any more]",
        _ => "[nothing is known about the file]",
    }
}

/// The line after the changes.
fn summary(changes: &Changes) -> &'static str {
    match (changes.hunks.is_empty(), changes.is_complete) {
        (true, true) => "[the file has changed, but not in the lines that were shown]",
        (true, false) => "[the file has changed; the lines that were shown cannot be compared]",
        (false, true) => "[the file has changed]",
        (false, false) => "[the file has changed; not all lines that were shown could be compared]",
    }
}

/// Prints changed lines: `-` and the number and text as they were shown, `+` and those that are there now.
fn print(hunk: &Hunk, out: &mut Output) -> io::Result<()> {
    for (line, number) in hunk.old.iter().zip(hunk.old_first..) {
        out.line(&format!("-{number}:{}", escaped(line)))?;
    }
    for (line, number) in hunk.new.iter().zip(hunk.new_first..) {
        out.line(&format!("+{number}:{}", escaped(line)))?;
    }
    Ok(())
}

/// Prints a failure. Returns that nothing was found.
fn failed(failure: &Failure) -> bool {
    output::print_message(&format!("{failure:#}"));
    false
}

/// Says that no lines of a file were shown. Returns that nothing was found.
fn nothing(path: &Path) -> bool {
    let path = path.display();
    output::print_message(&format!(
        "no lines of `{path}` were shown in this session\nhint: read it with the same `--session`"
    ));
    false
}
