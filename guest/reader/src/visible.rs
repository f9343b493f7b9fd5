//! Characters that a reader would not see or be misled by, made visible.
//!
//! A character is written as `⟨U+202E⟩`, an undecodable byte as `⟨xFF⟩`. What
//! ordinary text needs stays as it is: a single joiner, soft hyphen or
//! variation selector. A run of them carries nothing a person could see, so
//! each of a run is shown.

use std::fmt::Write as _;

/// Characters and bytes that would mislead, as counted on a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// Bytes that are not valid in the encoding.
    pub invalid: u64,
    /// Control characters.
    pub control: u64,
    /// Characters without a shape.
    pub hidden: u64,
    /// Characters that reorder the text around them.
    pub bidi: u64,
}

/// What is wrong with a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    Control,
    Hidden,
    Bidi,
    /// Harmless alone, hidden in a run.
    Soft,
}

/// The classes follow the general categories Cc, Cf and Zs of Unicode, and
/// UTR #36 and UTS #39 for what misleads.
fn mark(c: char) -> Option<Mark> {
    Some(match c {
        '\t' => return None,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' => Mark::Control,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            Mark::Bidi
        }
        '\u{ad}'
        | '\u{34f}'
        | '\u{180b}'..='\u{180d}'
        | '\u{200c}'
        | '\u{200d}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{e0100}'..='\u{e01ef}' => Mark::Soft,
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
        | '\u{e01f0}'..='\u{e0fff}' => Mark::Hidden,
        _ => return None,
    })
}

/// Whether a text holds anything that may have to be made visible.
pub fn needs_marks(text: &str) -> bool {
    any_byte(text.as_bytes(), |b| (b < b' ' && b != b'\t') || b >= 0x7f)
}

/// Whether a test holds for any of these bytes.
pub fn any_byte(bytes: &[u8], test: impl Fn(u8) -> bool) -> bool {
    // Without an exit inside a chunk the compiler looks at many bytes at once.
    let any = |chunk: &[u8]| chunk.iter().fold(false, |found, b| found | test(*b));
    bytes.chunks(64).any(any)
}

/// Writes text with its marks, across pieces.
#[derive(Clone, Debug, Default)]
pub struct Marker {
    /// A soft character that waits for what follows, and whether it is part of
    /// a run already.
    soft: Option<(char, bool)>,
}

impl Marker {
    /// Writes a character.
    pub fn push(&mut self, c: char, out: &mut String, marks: &mut Marks) {
        let kind = mark(c);
        if kind == Some(Mark::Soft) {
            // A variation selector before a joiner is how emoji are built.
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
            None | Some(Mark::Soft) => {
                out.push(c);
                return;
            }
            Some(Mark::Control) => &mut marks.control,
            Some(Mark::Hidden) => &mut marks.hidden,
            Some(Mark::Bidi) => &mut marks.bidi,
        };
        *count = count.saturating_add(1);
        write_mark(c, out);
    }

    /// Writes undecodable bytes.
    pub fn invalid(&mut self, bytes: &[u8], out: &mut String, marks: &mut Marks) {
        self.flush(out, marks);
        for byte in bytes {
            let _ = write!(out, "⟨x{byte:02X}⟩");
        }
        marks.invalid = marks.invalid.saturating_add(bytes.len() as u64);
    }

    /// Writes what waits; to be called at the end of a line.
    pub fn flush(&mut self, out: &mut String, marks: &mut Marks) {
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

/// A short text, such as a name, with its marks.
pub fn visible(text: &str) -> String {
    if !needs_marks(text) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut marker = Marker::default();
    let mut marks = Marks::default();
    for c in text.chars() {
        // In a name a tab is as misleading as a line end.
        if c == '\t' {
            marker.flush(&mut out, &mut marks);
            write_mark(c, &mut out);
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
    fn what_misleads_is_shown() {
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
            assert_eq!(visible(text), shown);
        }
    }

    #[test]
    fn what_ordinary_text_needs_stays() {
        for text in [
            "co\u{ad}operate",
            "👩\u{200d}💻",
            "❤\u{fe0f}\u{200d}🔥",
            "می\u{200c}خواهم",
            "naïve – “quoted”",
            "한국어",
            "1\u{fe0f}\u{20e3}",
        ] {
            assert_eq!(visible(text), text);
        }
    }
}
