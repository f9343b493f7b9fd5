//! A unified diff of two texts.

use crate::limits;
use imara_diff::{Algorithm, Diff as Lines, InternedInput};
use std::fmt::Write as _;

/// The difference of two texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Diff {
    /// They are equal.
    Equal,
    /// They are not text, and differ.
    Binary,
    /// One is longer than the limit [`limits::DIFF_BYTES`], and they differ.
    Long,
    /// A unified diff, with the number of lines that were added and removed.
    Text {
        /// The lines of the diff, with headers `---` and `+++`.
        text: String,
        /// The number of lines that only the second text has.
        added: u64,
        /// The number of lines that only the first text has.
        removed: u64,
    },
}

/// Compares two texts line by line. `old_name` and `new_name` are for the headers.
pub fn unified(old: &[u8], new: &[u8], old_name: &str, new_name: &str) -> Diff {
    if old == new {
        return Diff::Equal;
    }
    // Git decides by the same number of bytes.
    let is_binary = |bytes: &[u8]| bytes.iter().take(8000).any(|byte| *byte == 0);
    if is_binary(old) || is_binary(new) {
        return Diff::Binary;
    }
    if old.len().max(new.len()) > limits::DIFF_BYTES {
        return Diff::Long;
    }
    let old = lines(old);
    let new = lines(new);
    let mut input = InternedInput::default();
    input.update_before(old.iter().copied());
    input.update_after(new.iter().copied());
    let mut compared = Lines::compute(Algorithm::Histogram, &input);
    compared.postprocess_no_heuristic(&input);
    let changes: Vec<Change> = compared
        .hunks()
        .map(|hunk| Change {
            old: (hunk.before.start, hunk.before.end),
            new: (hunk.after.start, hunk.after.end),
        })
        .collect();
    let mut text = format!("--- {old_name}\n+++ {new_name}\n");
    let mut rest = changes.as_slice();
    while let Some(count) = group(rest) {
        let (hunk, after) = rest.split_at_checked(count).unwrap_or((rest, &[]));
        write_hunk(hunk, &old, &new, &mut text);
        rest = after;
    }
    Diff::Text {
        text,
        added: compared.count_additions().into(),
        removed: compared.count_removals().into(),
    }
}

/// A run of lines of the old text, and the run of lines of the new text that replaces it.
#[derive(Clone, Copy)]
struct Change {
    old: (u32, u32),
    new: (u32, u32),
}

/// The lines of a text, with their ends.
fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|byte| *byte == b'\n').collect()
}

/// The number of changes that are shown together, because few unchanged lines are between them.
fn group(changes: &[Change]) -> Option<usize> {
    changes.first()?;
    let near = |pair: &[Change]| match pair {
        [one, other] => {
            let between = other.old.0.saturating_sub(one.old.1);
            between <= limits::DIFF_CONTEXT.saturating_mul(2)
        }
        _ => false,
    };
    let more = changes.windows(2).take_while(|pair| near(pair)).count();
    Some(more.saturating_add(1))
}

fn write_hunk(changes: &[Change], old: &[&[u8]], new: &[&[u8]], text: &mut String) {
    let (Some(first), Some(last)) = (changes.first(), changes.last()) else {
        return;
    };
    let context = limits::DIFF_CONTEXT;
    let before = first.old.0.min(context);
    let count = u32::try_from(old.len()).unwrap_or(u32::MAX);
    let after = count.saturating_sub(last.old.1).min(context);
    let range = |start: u32, end: u32| {
        let start = start.saturating_sub(before);
        let length = end.saturating_add(after).saturating_sub(start);
        // An empty range is after the line that it names.
        let line = start.saturating_add(u32::from(length > 0));
        match length {
            1 => line.to_string(),
            length => format!("{line},{length}"),
        }
    };
    let _ = writeln!(
        text,
        "@@ -{} +{} @@",
        range(first.old.0, last.old.1),
        range(first.new.0, last.new.1)
    );
    let mut at = first.old.0.saturating_sub(before);
    for change in changes {
        write_lines(' ', old, (at, change.old.0), text);
        write_lines('-', old, change.old, text);
        write_lines('+', new, change.new, text);
        at = change.old.1;
    }
    write_lines(' ', old, (at, at.saturating_add(after)), text);
}

fn write_lines(sign: char, lines: &[&[u8]], (start, end): (u32, u32), text: &mut String) {
    let range = start as usize..end as usize;
    for line in lines.get(range).unwrap_or_default() {
        text.push(sign);
        let line = String::from_utf8_lossy(line);
        text.push_str(&line);
        if !line.ends_with('\n') {
            text.push_str("\n\\ No newline at end of file\n");
        }
    }
}
