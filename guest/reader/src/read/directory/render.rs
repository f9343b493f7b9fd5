//! The text of a listing.

use super::item::{Item, Row};
use crate::escapes::escape_invisible;
use crate::failure::SpecialFile;
use crate::limits;
use crate::units::{age, bytes};
use crate::world::{FileType, Time};
use std::borrow::Cow;

/// The text at the end of the line of a directory whose entries are not listed.
const UNLISTED: &str = "  (not listed)";

/// Formats the tree as text. The name column is as wide as the longest name. `shown` is the number of lines that a page
/// may show. Most of the lines after them are empty, because they are only counted.
pub fn render(rows: &[Row], now: Time, shown: u64) -> String {
    let mut out = String::from(".\n");
    if rows.is_empty() {
        out.push_str("(empty directory)\n");
    }
    let width = rows.iter().map(|row| width(row, 1)).max().unwrap_or(0);
    // Sizes and ages take about thirty bytes.
    let lines: usize = rows.iter().map(lines).sum();
    // Of a longer text, not all lines are counted.
    let longest = width.saturating_add(30).saturating_mul(4);
    let targets = rows.iter().map(targets).sum::<usize>().saturating_mul(8);
    let most = lines.saturating_mul(longest).saturating_add(targets);
    let is_counted = (most as u64) < limits::WHOLE_BYTES;
    // The first line shows the directory itself.
    let mut left = match usize::try_from(shown.saturating_sub(1)) {
        Ok(shown) if is_counted => shown.min(lines),
        _ => lines,
    };
    out.reserve(left.saturating_mul(width.saturating_add(30)));
    for row in rows {
        write_row(row, 1, (width, now), &mut left, &mut out);
    }
    out
}

/// The number of lines of a row with those below it.
fn lines(row: &Row) -> usize {
    match row {
        Row::More(_) => 1,
        Row::Item(item) => item.children.len().saturating_add(1),
    }
}

/// The number of bytes of the targets of the symlinks of a row and of those below it, which escape sequences make up to
/// eight times as long.
fn targets(row: &Row) -> usize {
    match row {
        Row::More(_) => 0,
        Row::Item(item) => {
            let own = item.target.as_ref().map_or(0, String::len);
            item.children
                .iter()
                .map(targets)
                .sum::<usize>()
                .saturating_add(own)
        }
    }
}

/// The number of characters of the longest name of a row and of those below it, with indents.
fn width(row: &Row, depth: usize) -> usize {
    let indent = depth
        .saturating_mul(INDENT.len())
        .saturating_add(BULLET.len());
    match row {
        Row::More(count) => more_label(*count).chars().count().saturating_add(indent),
        Row::Item(item) => {
            let slash = usize::from(item.is_directory());
            let own = shown_name(item).chars().count();
            let own = own.saturating_add(slash).saturating_add(indent);
            let below = item.children.iter();
            let below = below.map(|child| width(child, depth.saturating_add(1)));
            below.max().unwrap_or(0).max(own)
        }
    }
}

/// The name of an entry as it is shown.
fn shown_name(item: &Item) -> Cow<'_, str> {
    // Most names have no characters that may need an escape sequence.
    if item.name.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        Cow::Borrowed(&item.name)
    } else {
        Cow::Owned(escape_invisible(&item.name))
    }
}

/// The indent of one level of the tree.
const INDENT: &str = "  ";

/// The mark before each entry.
const BULLET: &str = "- ";

fn more_label(count: u64) -> String {
    format!("… {count} more")
}

/// Writes the lines of a row, which is at the depth `depth`, and of the rows below it. `left` is the number of further
/// lines that may be shown.
fn write_row(
    row: &Row,
    depth: usize,
    (width, now): (usize, Time),
    left: &mut usize,
    out: &mut String,
) {
    let is_shown = *left > 0;
    *left = left.saturating_sub(1);
    if let Row::Item(item) = row
        && !is_shown
        // The targets of symlinks may be long.
        && item.target.is_none()
    {
        out.push('\n');
        for child in &item.children {
            write_row(child, depth.saturating_add(1), (width, now), left, out);
        }
        return;
    }
    for _ in 0..depth {
        out.push_str(INDENT);
    }
    out.push_str(BULLET);
    let item = match row {
        Row::More(count) => {
            out.push_str(&more_label(*count));
            out.push('\n');
            return;
        }
        Row::Item(item) => item,
    };
    let name = shown_name(item);
    out.push_str(&name);
    if item.is_directory() {
        out.push('/');
    }
    if let Some(target) = &item.target {
        out.push_str(" -> ");
        out.push_str(&escape_invisible(target));
    } else {
        let used = depth
            .saturating_mul(INDENT.len())
            .saturating_add(BULLET.len())
            .saturating_add(name.chars().count())
            .saturating_add(usize::from(item.is_directory()));
        let size = match item.file_type {
            FileType::Special(special) => Some(Cow::Borrowed(short(special))),
            _ => item.size().map(|size| Cow::Owned(bytes(size))),
        };
        let modified = item.stat.and_then(|stat| stat.modified);
        let age = modified.map(|time| age(now.seconds.saturating_sub(time.seconds)));
        let column = width.saturating_add(2).saturating_sub(used);
        // The line does not end in spaces.
        if let Some(size) = &size {
            pad(
                column.saturating_add(8usize.saturating_sub(size.len())),
                out,
            );
            out.push_str(size);
        }
        if let Some(age) = age {
            let blank = column.saturating_add(8);
            pad(
                if size.is_some() {
                    2
                } else {
                    blank.saturating_add(2)
                },
                out,
            );
            out.push_str(&age);
        }
        if size.is_none() && modified.is_none() {
            let end = out.trim_end().len();
            out.truncate(end);
        }
        if item.unlisted {
            out.push_str(UNLISTED);
        }
    }
    out.push('\n');
    for child in &item.children {
        write_row(child, depth.saturating_add(1), (width, now), left, out);
    }
}

/// Writes a number of spaces.
fn pad(mut count: usize, out: &mut String) {
    const SPACES: &str = "                                                                ";
    while count > 0 {
        let now = count.min(SPACES.len());
        out.push_str(SPACES.get(..now).unwrap_or_default());
        count = count.saturating_sub(now);
    }
}

fn short(special: SpecialFile) -> &'static str {
    match special {
        SpecialFile::Pipe => "pipe",
        SpecialFile::Socket => "socket",
        SpecialFile::Device => "device",
        SpecialFile::Other => "special",
    }
}
