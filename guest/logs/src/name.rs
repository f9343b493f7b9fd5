//! What the name of a file says about its content.

/// What a name says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// The file is a log.
    Log,
    /// The content decides.
    Perhaps,
    /// The file is something else, such as a table.
    Other,
}

/// Extensions of files that may be logs.
const PERHAPS: [&str; 18] = [
    "txt",
    "text",
    "out",
    "err",
    "stdout",
    "stderr",
    "output",
    "console",
    "trace",
    "jsonl",
    "ndjson",
    "jsonlines",
    "json",
    "export",
    "journal",
    "info",
    "warn",
    "error",
];

/// Ends of names that a program adds to an old log.
const OLD: [&str; 6] = ["old", "bak", "prev", "previous", "gz", "last"];

/// Names of files that do not end in `.log`, and are lists of changes.
const CHANGES: [&str; 3] = ["change-log", "change_log", "changes.log"];

/// What the name of a file says. It may include directories, and numbers or dates of old logs: `a.log.1`,
/// `a.log-20240102`.
pub fn named(name: &str) -> Named {
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let name = name.to_ascii_lowercase();
    let mut base = name.as_str();
    // `a.log.2024-01-02.1`, `a.log-20240102.old`
    for _ in 0..3 {
        let Some((before, last)) = base.rsplit_once(['.', '-']) else {
            break;
        };
        let is_number = !last.is_empty()
            && last
                .bytes()
                .all(|byte| matches!(byte, b'0'..=b'9' | b'_' | b'-' | b't'));
        if before.is_empty() || !(is_number || OLD.contains(&last)) {
            break;
        }
        base = before;
    }
    if CHANGES.contains(&base) {
        return Named::Perhaps;
    }
    let is_log = ["log", "logs"].iter().any(|log| {
        base == *log
            || base
                .strip_suffix(log)
                .is_some_and(|rest| rest.ends_with(['.', '_', '-']))
    });
    if is_log || base == "catalina.out" || base == "nohup.out" {
        return Named::Log;
    }
    match base.rsplit_once('.') {
        None => Named::Perhaps,
        Some((_, extension)) if PERHAPS.contains(&extension) => Named::Perhaps,
        // `app.log.host1` may be a log, and `app.log.py` a source file.
        Some(_) if name.contains(".log.") => Named::Perhaps,
        Some(_) => Named::Other,
    }
}
