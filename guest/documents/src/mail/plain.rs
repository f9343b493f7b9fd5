//! Plain text of mails: flowed lines (RFC 3676), and files that are encoded in the text.

use crate::limits;
use crate::mime::transfer;
use memchr::memmem;
use std::ops::Range;

/// A file in a text, encoded as lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Embedded {
    /// The place of its lines in the text.
    pub place: Range<usize>,
    /// Its name as written.
    pub name: String,
    /// Whether it is yEnc. Otherwise, it is uuencode.
    pub is_yenc: bool,
}

impl Embedded {
    /// Decodes the file.
    pub fn decoded(&self, text: &[u8]) -> Vec<u8> {
        let lines = text.get(self.place.clone()).unwrap_or_default();
        if self.is_yenc {
            transfer::yenc(lines)
        } else {
            transfer::uuencode(lines)
        }
    }
}

/// Finds the files that are encoded in a text.
pub fn embedded(text: &[u8]) -> Vec<Embedded> {
    let mut out = Vec::new();
    find(text, b"begin ", b"\nend", false, &mut out);
    find(text, b"=ybegin ", b"\n=yend", true, &mut out);
    out.sort_by_key(|found| found.place.start);
    let mut end = 0;
    out.retain(|found| {
        let is_after = found.place.start >= end;
        if is_after {
            end = found.place.end;
        }
        is_after
    });
    out
}

fn find(text: &[u8], first: &[u8], last: &[u8], is_yenc: bool, out: &mut Vec<Embedded>) {
    let finder = memmem::Finder::new(first);
    let mut at = 0;
    while let Some(found) = text.get(at..).and_then(|rest| finder.find(rest)) {
        let start = at.saturating_add(found);
        at = start.saturating_add(first.len());
        if out.len() >= limits::ATTACHMENTS {
            return;
        }
        let is_line = start
            .checked_sub(1)
            .is_none_or(|before| text.get(before) == Some(&b'\n'));
        let rest = text.get(start..).unwrap_or_default();
        let line_end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let line = String::from_utf8_lossy(rest.get(..line_end).unwrap_or_default());
        let name = if is_yenc {
            yenc_name(&line)
        } else {
            uuencode_name(&line)
        };
        let Some(name) = name.filter(|_| is_line) else {
            continue;
        };
        let Some(length) = memmem::find(rest, last) else {
            return;
        };
        let tail = rest.get(length.saturating_add(1)..).unwrap_or_default();
        let last_line = memchr::memchr(b'\n', tail).unwrap_or(tail.len());
        if !is_yenc && !is_uuencode(rest.get(line_end..length).unwrap_or_default()) {
            continue;
        }
        let end = start
            .saturating_add(length)
            .saturating_add(1)
            .saturating_add(last_line);
        out.push(Embedded {
            place: start..end,
            name,
            is_yenc,
        });
        at = end;
    }
}

/// The name in `begin 644 name`.
fn uuencode_name(line: &str) -> Option<String> {
    let (mode, name) = line.strip_prefix("begin ")?.trim().split_once(' ')?;
    let is_mode = (3..=4).contains(&mode.len()) && mode.bytes().all(|byte| byte.is_ascii_digit());
    is_mode.then(|| name.trim().to_owned())
}

/// The name in `=ybegin line=128 size=3 name=file`.
fn yenc_name(line: &str) -> Option<String> {
    let (_, name) = line.split_once(" name=")?;
    line.contains(" size=").then(|| name.trim().to_owned())
}

/// Whether the first lines have the lengths that uuencode gives them.
fn is_uuencode(lines: &[u8]) -> bool {
    let lines = lines
        .split(|byte| *byte == b'\n')
        .map(<[u8]>::trim_ascii_end);
    let mut lines = lines.filter(|line| !line.is_empty()).take(4);
    lines.all(|line| {
        let first = line.first().copied().unwrap_or_default();
        let length = usize::from(first.wrapping_sub(0x20) & 0x3f);
        let expected = length.div_ceil(3).saturating_mul(4).saturating_add(1);
        // Spaces at the end may be lost, and a check sum may follow.
        (0x20..=0x60).contains(&first)
            && line.len() <= expected.saturating_add(2)
            && line.len().saturating_add(4) >= expected
    })
}

/// Joins flowed lines. `deletes_space` is the parameter `DelSp`.
///
/// Lines of less quotation have an empty line before them. In Markdown, they would continue the paragraph
/// of the deeper quotation otherwise.
pub fn flowed(text: &str, deletes_space: bool) -> String {
    let mut out = String::with_capacity(text.len());
    // The depth of quotation of the open line.
    let mut open = None;
    // The depth of the line before, if it has a text.
    let mut before = 0;
    for line in text.lines() {
        let content = line.trim_start_matches('>');
        let depth = line.len().saturating_sub(content.len());
        let content = content.strip_prefix(' ').unwrap_or(content);
        let is_signature = content == "-- ";
        let joins = open == Some(depth) && !is_signature;
        if !joins {
            if open.is_some() {
                end_line(&mut out);
            }
            if depth < before && !content.is_empty() {
                out.extend(std::iter::repeat_n('>', depth));
                out.push('\n');
            }
            out.extend(std::iter::repeat_n('>', depth));
            if depth > 0 {
                out.push(' ');
            }
        }
        before = if content.is_empty() { 0 } else { depth };
        let is_soft = content.ends_with(' ') && !is_signature;
        let content = match content.strip_suffix(' ') {
            Some(shorter) if is_soft && deletes_space => shorter,
            _ => content,
        };
        out.push_str(content);
        if is_soft {
            open = Some(depth);
        } else {
            open = None;
            out.push('\n');
        }
    }
    if open.is_some() {
        end_line(&mut out);
    }
    out
}

/// Ends an open line, which has a space at its end.
fn end_line(out: &mut String) {
    out.truncate(out.trim_end_matches(' ').len());
    out.push('\n');
}

/// Writes a text with `\n` as line ends, without control characters, spaces at the ends of lines,
/// empty lines at its start and end, and repeated empty lines.
pub fn tidy(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut blank = 0_usize;
    for line in text.split('\n') {
        let line = line.trim_end();
        if line.is_empty() {
            blank = blank.saturating_add(1);
            continue;
        }
        if !out.is_empty() {
            out.extend(std::iter::repeat_n('\n', blank.min(1).saturating_add(1)));
        }
        blank = 0;
        let is_shown = |char: char| char == '\t' || !char.is_control();
        if line.chars().all(is_shown) {
            out.push_str(line);
        } else {
            // A line end of old Macs is one as well.
            out.extend(line.chars().filter_map(|char| match char {
                '\r' => Some('\n'),
                _ => is_shown(char).then_some(char),
            }));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flowed_lines_are_joined() {
        let text = "one \ntwo\n\n> a \n> b\n>> c \n> d\n-- \nname \n-- \n";
        assert_eq!(
            flowed(text, false),
            "one two\n\n> a b\n>> c\n>\n> d\n\n-- \nname\n-- \n"
        );
        assert_eq!(
            flowed("> a\n> \nb\n\n>> c\n", false),
            "> a\n> \nb\n\n>> c\n"
        );
        assert_eq!(flowed("漢 \n字", true), "漢字\n");
        assert_eq!(flowed(" >x \ny", false), ">x y\n");
    }

    #[test]
    fn encoded_files_are_found() {
        let text = b"Hi\nbegin 644 cat file.txt\n#0V%T\n`\nend\nbye\n=ybegin line=128 size=1 name=y\nk\n=yend size=1\n";
        let found = embedded(text);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].name, "cat file.txt");
        assert_eq!(found[0].decoded(text), b"Cat");
        assert_eq!(
            (found[1].name.as_str(), found[1].decoded(text)),
            ("y", b"A".to_vec())
        );
        assert_eq!(&text[found[0].place.end..][..4], b"\nbye");
    }

    #[test]
    fn text_about_files_is_text() {
        assert_eq!(
            embedded(b"begin 644 x\nThis is no file, but a sentence.\nend\n"),
            []
        );
        assert_eq!(embedded(b"begin 644 x\n#0V%T\n"), []);
        assert_eq!(embedded(&b"begin 644 x\n".repeat(10_000)), []);
    }

    #[test]
    fn tidy_text() {
        assert_eq!(tidy("\r\n a \r\n\r\n\r\n\r\nb\0\x1b\tc\r\n"), " a\n\nb\tc");
    }
}
