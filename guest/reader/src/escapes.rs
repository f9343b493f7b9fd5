//! Escape sequences that make hidden and misleading characters visible.
//!
//! A character is written as `⟨U+202E⟩`, an undecodable byte as `⟨xFF⟩`. Characters that
//! ordinary text needs are not escaped: a single joiner, soft hyphen or variation
//! selector. In a run of several, each is escaped, because a run has no visible effect.

use std::fmt::Write as _;

/// The number of escaped characters and bytes on a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EscapeCounts {
    /// Bytes that are not valid in the encoding.
    pub invalid: u64,
    /// Control characters.
    pub control: u64,
    /// Invisible characters.
    pub hidden: u64,
    /// Characters that reorder the text around them.
    pub bidi: u64,
}

/// The reason why a character is escaped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum HiddenClass {
    Control,
    Hidden,
    Bidi,
    /// The character is harmless alone, such as a joiner. It is escaped only in a run of such
    /// characters.
    Soft,
}

/// The reason why a character is escaped, or `None` if it is not escaped. The reasons follow the
/// general categories Cc, Cf and Zs of Unicode, and UTR #36 and UTS #39 for misleading characters.
fn hidden_class(c: char) -> Option<HiddenClass> {
    Some(match c {
        '\t' => return None,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' => HiddenClass::Control,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            HiddenClass::Bidi
        }
        '\u{ad}'
        | '\u{34f}'
        | '\u{180b}'..='\u{180d}'
        | '\u{200c}'
        | '\u{200d}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{e0100}'..='\u{e01ef}' => HiddenClass::Soft,
        '\u{115f}'
        | '\u{1160}'
        | '\u{17b4}'
        | '\u{17b5}'
        | '\u{180e}'
        | '\u{200b}'
        | '\u{2060}'..='\u{2065}'
        | '\u{206a}'..='\u{206f}'
        | '\u{3164}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}'
        | '\u{fffe}'
        | '\u{ffff}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e00ff}'
        | '\u{e01f0}'..='\u{e0fff}' => HiddenClass::Hidden,
        _ => return None,
    })
}

/// Whether a text in UTF-8 contains characters that may have to be escaped.
pub fn needs_escapes(text: &[u8]) -> bool {
    any_byte(text, |b| (b < b' ' && b != b'\t') || b >= 0x7f)
}

/// Whether `test` is true for any byte.
pub fn any_byte(bytes: &[u8], test: impl Fn(u8) -> bool) -> bool {
    // Without an early exit inside a chunk, the compiler can vectorize the test.
    let any = |chunk: &[u8]| chunk.iter().fold(false, |found, b| found | test(*b));
    bytes.chunks(64).any(any)
}

/// Whether a byte is not ASCII, or starts an escape sequence.
#[expect(
    clippy::needless_bitwise_bool,
    reason = "without branches, a search for one is vectorised"
)]
pub fn is_foreign(byte: u8) -> bool {
    (byte >= 0x80) | (byte == 0x1b)
}

/// The offset of the first byte for which `test` is true.
pub fn first_byte(bytes: &[u8], test: impl Fn(u8) -> bool) -> Option<usize> {
    let mut offset = 0usize;
    for block in bytes.chunks(512) {
        if any_byte(block, &test) {
            let found = block.iter().position(|byte| test(*byte))?;
            return Some(offset.saturating_add(found));
        }
        offset = offset.saturating_add(block.len());
    }
    None
}

/// Writes text with hidden characters replaced by escape sequences. The text may be written in
/// pieces: a run of soft characters, such as joiners, may continue in the next piece.
#[derive(Clone, Debug, Default)]
pub struct Marker {
    /// A soft character that is not written yet, and whether it is part of a run.
    soft: Option<(char, bool)>,
}

impl Marker {
    /// Writes a character, escaped if necessary.
    pub fn push(&mut self, c: char, out: &mut String, marks: &mut EscapeCounts) {
        let kind = hidden_class(c);
        if kind == Some(HiddenClass::Soft) {
            // Emoji contain a variation selector before a joiner.
            let run = self.soft.is_some_and(|(before, _)| {
                !(c == '\u{200d}' && matches!(before, '\u{fe00}'..='\u{fe0f}'))
            });
            if let Some((before, in_run)) = self.soft.take() {
                if run || in_run {
                    write_mark(before, out);
                    marks.hidden = marks.hidden.saturating_add(1);
                } else {
                    out.push(before);
                }
            }
            self.soft = Some((c, run));
            return;
        }
        self.flush(out, marks);
        let count = match kind {
            None | Some(HiddenClass::Soft) => {
                out.push(c);
                return;
            }
            Some(HiddenClass::Control) => &mut marks.control,
            Some(HiddenClass::Hidden) => &mut marks.hidden,
            Some(HiddenClass::Bidi) => &mut marks.bidi,
        };
        *count = count.saturating_add(1);
        write_mark(c, out);
    }

    /// Writes undecodable bytes as escape sequences.
    pub fn invalid(&mut self, bytes: &[u8], out: &mut String, marks: &mut EscapeCounts) {
        self.flush(out, marks);
        for byte in bytes {
            let _ = write!(out, "⟨x{byte:02X}⟩");
        }
        marks.invalid = marks.invalid.saturating_add(bytes.len() as u64);
    }

    /// Writes the soft character that is not written yet, if there is one. Callers call this at the
    /// end of each line.
    pub fn flush(&mut self, out: &mut String, marks: &mut EscapeCounts) {
        match self.soft.take() {
            Some((c, true)) => {
                write_mark(c, out);
                marks.hidden = marks.hidden.saturating_add(1);
            }
            Some((c, false)) => out.push(c),
            None => {}
        }
    }
}

fn write_mark(c: char, out: &mut String) {
    let _ = write!(out, "⟨U+{:04X}⟩", u32::from(c));
}

/// Replaces the hidden and control characters of a short text, such as a name, by escape sequences.
pub fn escape_invisible(text: &str) -> String {
    // A tab in a name is as misleading as a line ending.
    escape(text, true)
}

/// Replaces the hidden and control characters of a line by escape sequences, as a page does. Tabs stay.
pub fn escape_line(line: &str) -> String {
    escape(line, false)
}

fn escape(text: &str, tabs: bool) -> String {
    if !needs_escapes(text.as_bytes()) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut marker = Marker::default();
    let mut marks = EscapeCounts::default();
    for c in text.chars() {
        if c == '\t' && tabs {
            marker.flush(&mut out, &mut marks);
            write_mark(c, &mut out);
        } else if c == '\t' {
            marker.flush(&mut out, &mut marks);
            out.push(c);
        } else {
            marker.push(c, &mut out, &mut marks);
        }
    }
    marker.flush(&mut out, &mut marks);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_are_escaped() {
        for (text, shown) in [
            ("a\u{202e}b", "a⟨U+202E⟩b"),
            ("\u{1b}[31m", "⟨U+001B⟩[31m"),
            ("a\u{200b}b", "a⟨U+200B⟩b"),
            ("x\u{e0041}", "x⟨U+E0041⟩"),
            ("a\u{85}\u{2028}", "a⟨U+0085⟩⟨U+2028⟩"),
            ("a\u{200d}\u{200c}b", "a⟨U+200D⟩⟨U+200C⟩b"),
            ("a\u{fe01}\u{fe02}\u{fe03}", "a⟨U+FE01⟩⟨U+FE02⟩⟨U+FE03⟩"),
            ("a\nb\tc", "a⟨U+000A⟩b⟨U+0009⟩c"),
        ] {
            assert_eq!(escape_invisible(text), shown);
        }
    }

    #[test]
    fn single_joiners_and_selectors_are_not_escaped() {
        for text in [
            "co\u{ad}operate",
            "👩\u{200d}💻",
            "❤\u{fe0f}\u{200d}🔥",
            "می\u{200c}خواهم",
            "naïve – “quoted”",
            "한국어",
            "1\u{fe0f}\u{20e3}",
        ] {
            assert_eq!(escape_invisible(text), text);
        }
    }
}
