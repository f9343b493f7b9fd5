//! Unified diffs of Git: a numbered list of their files, and one of them.
//!
//! The format is that of <https://git-scm.com/docs/diff-format#generate_patch_text_with_p>. A line is a header
//! only if the hunk before it has as many lines as its own header says, so that a diff in a file does not
//! divide it.

use super::cursor::Cursor;
use super::forge::{self, DIFF, Forge};
use crate::code::code;
use crate::limits;
use crate::service::{Fault, Service};
use crate::text::count;
use crate::value::Fields;
use serde_json::Value;
use std::ops::Range;

/// One file of a diff.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct File {
    /// The path, after the change.
    pub path: String,
    /// The path before the change, if it differs.
    pub from: Option<String>,
    /// What happened: `modified`, `added`, `deleted`, `renamed`, `copied`, with `binary` and the change of the
    /// mode.
    pub status: Status,
    /// The number of lines that were added.
    pub added: u64,
    /// The number of lines that were removed.
    pub removed: u64,
    /// The bytes of the file in the diff.
    pub bytes: Range<usize>,
}

/// What happened to a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// `added`, `deleted`, `renamed`, `copied`, or empty for `modified`.
    change: &'static str,
    is_binary: bool,
    /// The modes before and after, if they differ.
    modes: (Option<String>, Option<String>),
    /// The service did not send the lines of the file.
    is_left_out: bool,
}

impl Status {
    fn text(&self) -> String {
        let change = if self.change.is_empty() {
            "modified"
        } else {
            self.change
        };
        let mut out = change.to_owned();
        if self.is_binary {
            out.push_str(", binary");
        }
        if let (Some(old), Some(new)) = &self.modes {
            out.push_str(&format!(", mode {old} → {new}"));
        }
        if self.is_left_out {
            out.push_str(", without its lines");
        }
        out
    }
}

/// The line that takes the place of the lines of a file that the service does not send.
const LEFT_OUT: &str = "(the service does not send the lines of this file";

/// The last line of a diff that has not all files.
const REST: &str = "(the service does not send the files after this one";

/// Finds the files of a diff. The second value is the number of those after the first 10,000.
pub fn files(diff: &str) -> (Vec<File>, u64) {
    let mut files: Vec<File> = Vec::new();
    let mut more = 0_u64;
    // Lines that the hunk still has: old and new ones.
    let mut left = (0_u64, 0_u64);
    let mut offset = 0_usize;
    for line in diff.split_inclusive('\n') {
        let start = offset;
        offset = offset.saturating_add(line.len());
        let line = line.trim_end_matches(['\n', '\r']);
        if left != (0, 0) && in_hunk(line, &mut left, files.last_mut().filter(|_| more == 0)) {
            continue;
        }
        left = (0, 0);
        if let Some(names) = line.strip_prefix("diff --git ") {
            if files.len() >= limits::DIFF_FILES {
                more = more.saturating_add(1);
                continue;
            }
            if let Some(before) = files.last_mut() {
                before.bytes.end = start;
            }
            files.push(File {
                path: same_name(names),
                bytes: start..diff.len(),
                ..File::default()
            });
        } else if let Some(hunk) = line.strip_prefix("@@ -") {
            left = hunk_lines(hunk).unwrap_or_default();
        } else if more == 0
            && let Some(file) = files.last_mut()
        {
            header(line, file);
        }
    }
    (files, more)
}

/// Counts a line of a hunk. Returns `false` if it cannot be one.
fn in_hunk(line: &str, left: &mut (u64, u64), file: Option<&mut File>) -> bool {
    let (old, new) = match line.as_bytes().first() {
        // Some programs remove the space of an empty line.
        Some(b' ') | None => (1, 1),
        Some(b'-') => (1, 0),
        Some(b'+') => (0, 1),
        Some(b'\\') => (0, 0),
        _ => return false,
    };
    let Some(rest) = left.0.checked_sub(old).zip(left.1.checked_sub(new)) else {
        return false;
    };
    *left = rest;
    if let Some(file) = file {
        match (old, new) {
            (1, 0) => file.removed = file.removed.saturating_add(1),
            (0, 1) => file.added = file.added.saturating_add(1),
            _ => {}
        }
    }
    true
}

/// The numbers of lines in `1,3 +1,4 @@`.
fn hunk_lines(text: &str) -> Option<(u64, u64)> {
    let (old, rest) = text.split_once(" +")?;
    let (new, _) = rest.split_once(" @@")?;
    let lines = |range: &str| match range.split_once(',') {
        Some((_, lines)) => lines.parse().ok(),
        None => range.parse::<u64>().ok().map(|_| 1),
    };
    Some((lines(old)?, lines(new)?))
}

fn header(line: &str, file: &mut File) {
    let mut from = |path: &str| file.from = Some(unquoted(path));
    if let Some(path) = line.strip_prefix("rename from ") {
        from(path);
        file.status.change = "renamed";
    } else if let Some(path) = line.strip_prefix("copy from ") {
        from(path);
        file.status.change = "copied";
    } else if let Some(path) = line
        .strip_prefix("rename to ")
        .or_else(|| line.strip_prefix("copy to "))
    {
        file.path = unquoted(path);
    } else if line.starts_with("new file mode ") {
        file.status.change = "added";
    } else if line.starts_with("deleted file mode ") {
        file.status.change = "deleted";
    } else if let Some(mode) = line.strip_prefix("old mode ") {
        file.status.modes.0 = Some(crate::text::line(mode, 12));
    } else if let Some(mode) = line.strip_prefix("new mode ") {
        file.status.modes.1 = Some(crate::text::line(mode, 12));
    } else if line.starts_with("Binary files ") || line == "GIT binary patch" {
        file.status.is_binary = true;
    } else if line.starts_with(LEFT_OUT) {
        file.status.is_left_out = true;
    } else if let Some(path) = line
        .strip_prefix("+++ ")
        .or_else(|| line.strip_prefix("--- "))
    {
        // A tab ends the name of a file with spaces.
        let path = unquoted(path.trim_end_matches('\t'));
        let name = path.strip_prefix("a/").or_else(|| path.strip_prefix("b/"));
        if let Some(name) = name {
            name.clone_into(&mut file.path);
        }
    }
}

/// The name in `a/NAME b/NAME`. If both names differ, later lines have them.
fn same_name(names: &str) -> String {
    if names.ends_with('"') {
        let second = names
            .rfind(" \"b/")
            .and_then(|at| names.get(at.saturating_add(1)..));
        let name = unquoted(second.unwrap_or(names));
        return name.strip_prefix("b/").unwrap_or(&name).to_owned();
    }
    let half = names.len().saturating_sub(1) / 2;
    let halves = (names.get(..half), names.get(half.saturating_add(1)..));
    if let (Some(old), Some(new)) = halves
        && let (Some(old), Some(new)) = (old.strip_prefix("a/"), new.strip_prefix("b/"))
        && old == new
    {
        return old.to_owned();
    }
    let last = names.rsplit_once(" b/").map_or(names, |(_, name)| name);
    last.to_owned()
}

/// A name without the quotes and escapes of Git (`core.quotePath`): `"\303\244"` is `ä`.
fn unquoted(text: &str) -> String {
    let Some(inner) = text
        .strip_prefix('"')
        .and_then(|text| text.strip_suffix('"'))
    else {
        return text.to_owned();
    };
    let mut out = Vec::new();
    let mut bytes = inner.bytes().peekable();
    while let Some(byte) = bytes.next() {
        if byte != b'\\' {
            out.push(byte);
            continue;
        }
        let escaped = bytes.next().unwrap_or(b'\\');
        out.push(match escaped {
            b'a' => 7,
            b'b' => 8,
            b't' => b'\t',
            b'n' => b'\n',
            b'v' => 11,
            b'f' => 12,
            b'r' => b'\r',
            b'0'..=b'7' => {
                let mut value = u32::from(escaped.saturating_sub(b'0'));
                for _ in 0..2 {
                    let Some(digit) = bytes.next_if(|byte| (b'0'..=b'7').contains(byte)) else {
                        break;
                    };
                    value = value
                        .saturating_mul(8)
                        .saturating_add(u32::from(digit.saturating_sub(b'0')));
                }
                u8::try_from(value & 0xff).unwrap_or(b'?')
            }
            other => other,
        });
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// A numbered list of the files of a diff, in Markdown. `base` is the path of the list, such as `pr://12/diff`:
/// the path of a file is `pr://12/diff/3`.
pub fn listing(diff: &str, base: &str) -> String {
    let (files, more) = files(diff);
    let base = base.trim_end_matches('/');
    let sum = |of: fn(&File) -> u64| files.iter().map(of).fold(0, u64::saturating_add);
    let (added, removed) = (sum(|file| file.added), sum(|file| file.removed));
    let total = more.saturating_add(files.len() as u64);
    if total == 0 {
        return "# Changed files: none\n".to_owned();
    }
    let mut out = format!(
        "# Changed files: {}, +{added} -{removed}\n\n",
        count(total, "file")
    );
    for (file, number) in files.iter().zip(1_u64..) {
        let path = code(&file.path);
        let from = file
            .from
            .as_ref()
            .map_or_else(String::new, |from| format!(" from {}", code(from)));
        let File { added, removed, .. } = file;
        let status = file.status.text();
        out.push_str(&format!(
            "{number}. {path} {status}{from}, +{added} -{removed}: `{base}/{number}`\n"
        ));
    }
    if more > 0 {
        let first = (files.len() as u64).saturating_add(1);
        out.push_str(&format!(
            "\n{} from {first} on: `{base}/all`\n",
            count(more, "more file")
        ));
    }
    let rest = diff
        .lines()
        .next_back()
        .filter(|line| line.starts_with(REST));
    out.extend(rest.map(|rest| format!("\n{rest}\n")));
    out.push_str(&format!("\nAll files: `{base}/all`\n"));
    out
}

/// The part of a diff that is about a file, from 1.
///
/// # Errors
/// Fails with the number of files if there is no such file.
pub fn file(diff: &str, number: u64) -> Result<&str, u64> {
    let (files, more) = files(diff);
    let index = number
        .checked_sub(1)
        .and_then(|index| usize::try_from(index).ok());
    let total = more.saturating_add(files.len() as u64);
    let file = index.and_then(|index| files.get(index)).ok_or(total)?;
    diff.get(file.bytes.clone()).ok_or(total)
}

/// The diff of a pull request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diff {
    /// The text of the diff.
    pub text: String,
    /// What differs from the diff that Git writes.
    pub notes: Vec<String>,
}

/// Requests the diff of a pull request. A diff that is too large for the API or for the reader is joined from its
/// files.
///
/// The replies are those of <https://docs.github.com/en/rest/pulls/pulls#get-a-pull-request> with the media type
/// `diff`, and of <https://docs.github.com/en/rest/pulls/pulls#list-pull-requests-files>.
///
/// # Errors
/// Fails if the API does not answer, or if it answers with something else.
pub fn diff_text(service: &mut dyn Service, forge: &Forge, number: u64) -> Result<Diff, Fault> {
    let url = forge.api(&format!("/pulls/{number}"));
    match forge::get(service, &url, DIFF) {
        Ok(reply) => {
            let text = reply.text();
            let start = text.trim_start();
            if start.is_empty() || start.starts_with("diff --git ") {
                Ok(Diff {
                    text,
                    notes: Vec::new(),
                })
            } else {
                let mime = reply.mime.as_deref().unwrap_or("an unknown type");
                Err(Fault::Wrong(format!(
                    "{} instead of a diff",
                    crate::text::line(mime, 60)
                )))
            }
        }
        Err(Fault::Failed(406 | 422)) => {
            let why = "the service does not send a diff of this size";
            Ok(joined(why, from_files(service, &url)?))
        }
        Err(fault @ Fault::TooLarge(_)) => {
            Ok(joined(&fault.to_string(), from_files(service, &url)?))
        }
        Err(fault) => Err(fault),
    }
}

/// A diff that was joined from its files. `why` is why it is not that of the service.
fn joined(why: &str, text: String) -> Diff {
    let note = format!(
        "{why}, so the diff is joined from the list of files, which has no changes of modes and no lines of large files"
    );
    Diff {
        text,
        notes: vec![note],
    }
}

/// Joins a diff from the files of a pull request.
fn from_files(service: &mut dyn Service, url: &str) -> Result<String, Fault> {
    let mut out = String::new();
    let mut cursor = Cursor::new(100);
    for _ in 0..limits::DIFF_PAGES {
        let at = format!("{url}/files?{}", cursor.query());
        let (files, has_next) = match forge::list(service, &at) {
            Ok(list) => list,
            Err(Fault::TooLarge(_)) if cursor.shrink() => continue,
            Err(fault) if out.is_empty() => return Err(fault),
            Err(fault) => {
                out.push_str(&format!("{REST}: {at}: {fault})\n"));
                return Ok(out);
            }
        };
        for file in &files {
            out.push_str(&file_diff(file));
        }
        if !has_next || files.is_empty() {
            return Ok(out);
        }
        cursor.next();
        if out.len() > limits::DIFF_BYTES {
            break;
        }
    }
    out.push_str(&format!("{REST}: {url}/files?per_page=100)\n"));
    Ok(out)
}

/// The diff of one file, from the fields of <https://docs.github.com/en/rest/commits/commits#get-a-commit>.
pub(super) fn file_diff(file: &Value) -> String {
    let text = |path: &str| file.at(path).and_then(Value::as_str).map(quoted);
    let path = text("filename").unwrap_or_else(|| "unknown".to_owned());
    let from = text("previous_filename").unwrap_or_else(|| path.clone());
    let (old, new) = (prefixed("a/", &from), prefixed("b/", &path));
    let mut out = format!("diff --git {old} {new}\n");
    let status = file.line("status").unwrap_or_default();
    let (mut left, mut right) = (old.as_str(), new.as_str());
    match status.as_str() {
        "added" => {
            out.push_str("new file mode 100644\n");
            left = "/dev/null";
        }
        "removed" => {
            out.push_str("deleted file mode 100644\n");
            right = "/dev/null";
        }
        "renamed" => out.push_str(&format!("rename from {from}\nrename to {path}\n")),
        "copied" => out.push_str(&format!("copy from {from}\ncopy to {path}\n")),
        _ => {}
    }
    let changes = file.number("changes").unwrap_or(0);
    match file.at("patch").and_then(Value::as_str) {
        Some(patch) => out.push_str(&format!(
            "--- {left}\n+++ {right}\n{}\n",
            patch.trim_end_matches('\n')
        )),
        None if changes == 0 && matches!(status.as_str(), "renamed" | "copied") => {}
        None => {
            let number = |field: &str| file.number(field).unwrap_or(0);
            let (added, removed) = (number("additions"), number("deletions"));
            out.push_str(&format!(
                "{LEFT_OUT}, which is binary or has too many: +{added} -{removed})\n"
            ));
        }
    }
    out
}

/// A name without line breaks. Git quotes names with such characters.
fn quoted(name: &str) -> String {
    if !name.contains(|c: char| c.is_control() || matches!(c, '"' | '\\')) {
        return name.to_owned();
    }
    let mut out = String::from("\"");
    for c in name.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => {
                let mut buffer = [0; 4];
                for byte in c.encode_utf8(&mut buffer).bytes() {
                    out.push_str(&format!("\\{byte:03o}"));
                }
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A name with the prefix of its side, which is inside of the quotes.
fn prefixed(prefix: &str, name: &str) -> String {
    match name.strip_prefix('"') {
        Some(rest) => format!("\"{prefix}{rest}"),
        None => format!("{prefix}{name}"),
    }
}
