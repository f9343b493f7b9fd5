//! Excerpts: the first and last lines of a text that is too long to be shown.

use super::draft::Draft;
use crate::limits;
use crate::units;
use memchr::{memchr, memchr_iter, memrchr, memrchr_iter};

/// Appends `text` to `draft`, without its middle if it is too long. `lines` is the maximum number
/// of lines that are kept before the middle. `cell` is the number of the notebook cell that
/// contains the full text.
pub fn write(text: &str, lines: usize, cell: u64, draft: &mut Draft) {
    let head = head(text, lines);
    let rest = text.get(head..).unwrap_or_default();
    let tail = tail(rest);
    let (Some(head), Some((middle, tail))) = (text.get(..head), rest.split_at_checked(tail)) else {
        return draft.lines(text);
    };
    if middle.is_empty() {
        return draft.lines(text);
    }
    if !head.is_empty() {
        draft.lines(head.strip_suffix('\n').unwrap_or(head));
    }
    let whole = (head.is_empty() || head.ends_with('\n')) && middle.ends_with('\n');
    draft.lines(&left_out(middle, whole, cell));
    draft.cut = true;
    draft.lines(tail);
}

/// The number of bytes before the omitted middle of `text`: those of its first lines, at most
/// `lines`. Only a line that is too long is split.
fn head(text: &str, lines: usize) -> usize {
    let Some(last) = lines.checked_sub(1) else {
        return 0;
    };
    let end = memchr_iter(b'\n', text.as_bytes()).nth(last);
    let end = end.map_or(text.len(), |end| end.saturating_add(1));
    if end <= limits::EXCERPT_BYTES {
        return end;
    }
    let end = text.floor_char_boundary(limits::EXCERPT_BYTES);
    let window = text.as_bytes().get(..end).unwrap_or_default();
    memrchr(b'\n', window)
        .map(|at| at.saturating_add(1))
        .filter(|line| *line > end / 2)
        .unwrap_or(end)
}

/// The offset in bytes of the last lines of `text`, which are kept after the omitted middle.
fn tail(text: &str) -> usize {
    let lines = limits::EXCERPT_LINES.saturating_sub(1);
    let start = memrchr_iter(b'\n', text.as_bytes()).nth(lines);
    let start = start.map_or(0, |at| at.saturating_add(1));
    let least = text.len().saturating_sub(limits::EXCERPT_BYTES);
    if start >= least {
        return start;
    }
    let start = text.ceil_char_boundary(least);
    let window = text.as_bytes().get(start..).unwrap_or_default();
    memchr(b'\n', window)
        .filter(|at| *at < limits::EXCERPT_BYTES / 2)
        .map_or(start, |at| start.saturating_add(at).saturating_add(1))
}

/// The notice that replaces the omitted `text`. `whole` states whether only whole lines are
/// omitted. `cell` is the number of the cell that shows them.
fn left_out(text: &str, whole: bool, cell: u64) -> String {
    let lines = memchr_iter(b'\n', text.as_bytes()).count() as u64;
    let bytes = units::bytes(text.len() as u64);
    let what = match lines {
        0 => return format!("[… {bytes} of a line left out; read :cell:{cell} to see it]"),
        1 if whole => return format!("[… 1 line, {bytes} left out; read :cell:{cell} to see it]"),
        lines if whole => lines,
        lines => lines.saturating_add(1),
    };
    let lines = units::thousands(what);
    format!("[… {lines} lines, {bytes} left out; read :cell:{cell} to see them]")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excerpt(text: &str, lines: usize) -> String {
        let mut draft = Draft::default();
        write(text, lines, 3, &mut draft);
        draft.text
    }

    fn numbered(lines: usize) -> String {
        let lines: Vec<String> = (1..=lines).map(|line| format!("line {line}")).collect();
        lines.join("\n")
    }

    #[test]
    fn short_texts_are_unchanged() {
        for text in [
            "",
            "a",
            &numbered(40),
            &"x".repeat(2 * limits::EXCERPT_BYTES),
        ] {
            assert_eq!(excerpt(text, 20), format!("\n{text}"));
        }
    }

    #[test]
    fn middle_of_long_text_is_omitted() {
        let shown = excerpt(&numbered(1274), 20);
        assert!(shown.starts_with("\nline 1\n"));
        assert!(shown.contains(
            "\nline 20\n[… 1,234 lines, 11.0KB left out; read :cell:3 to see them]\nline 1255\n"
        ));
        assert!(shown.ends_with("\nline 1274"));
        let shown = excerpt(&numbered(41), 20);
        assert!(shown.contains("\n[… 1 line, 8B left out; read :cell:3 to see it]\nline 22\n"));
        let shown = excerpt(&numbered(25), 0);
        assert!(
            shown.starts_with("\n[… 5 lines, 35B left out; read :cell:3 to see them]\nline 6\n")
        );
    }

    #[test]
    fn long_lines_are_cut_between_characters() {
        let shown = excerpt(&"ü".repeat(10_000), 20);
        assert!(shown.contains("\n[… 11.5KB of a line left out; read :cell:3 to see it]\n"));
        assert!(shown.len() < 2 * limits::EXCERPT_BYTES + 100);
        let text = format!("{}\n{}", "a".repeat(10_000), "b".repeat(10_000));
        assert!(excerpt(&text, 20).contains("[… 2 lines, 11.5KB left out"));
    }
}
