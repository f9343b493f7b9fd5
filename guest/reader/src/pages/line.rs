//! Writes one line onto a page, from a column, up to the limits of characters and bytes.

use super::decode::Piece;
use super::tokens::LineTokens;
use crate::escapes::EscapeCounts;
use crate::escapes::{Marker, needs_escapes};
use omniread_tokens::estimate;
use std::ops::ControlFlow;

/// The limits for one line on a page, and the column from which the line is written.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// The number of characters to skip at the start of the line.
    pub skip: u64,
    /// The maximum number of characters, if limited.
    pub chars: Option<u64>,
    /// The maximum number of bytes.
    pub bytes: u64,
    /// The maximum number of tokens, if limited. At least one column is always written.
    pub tokens: Option<u64>,
    /// Whether to write the exact text, including its line ending.
    pub raw: bool,
    /// Whether `bytes` also limits the first written column. Otherwise at least one column is
    /// always written.
    pub strict: bool,
}

/// The reason why a line was cut, and the first column that is not shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// The line has more characters than the limit.
    Chars(u64),
    /// The line has more bytes than the limit.
    Bytes(u64),
    /// The line has more tokens than the limit.
    Tokens(u64),
}

impl Cut {
    /// The first column that is not shown.
    pub fn column(self) -> u64 {
        match self {
            Self::Chars(column) | Self::Bytes(column) | Self::Tokens(column) => column,
        }
    }
}

/// The result of writing a line onto a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// How the line was cut, if it was.
    pub cut: Option<Cut>,
    /// The number of columns of the line, if all of them were skipped.
    pub length: Option<u64>,
}

/// The text that a page shows for a complete UTF-8 line. Returns `None` if a part of the line must
/// be skipped, cut or escaped. This is the fast path: most lines need no [`LineWriter`].
pub fn plain(line: &[u8], room: Room) -> Option<&str> {
    let body = line.strip_suffix(b"\n")?;
    let body = body.strip_suffix(b"\r").unwrap_or(body);
    let shown = if room.raw { line } else { body };
    let long = room.chars.is_some_and(|chars| body.len() as u64 > chars);
    if room.skip > 0 || long || shown.len() as u64 > room.bytes {
        return None;
    }
    let exact = room.raw && room.chars.is_none();
    if !exact && needs_escapes(body) {
        return None;
    }
    let shown = str::from_utf8(shown).ok()?;
    let fits = room.tokens.is_none_or(|tokens| estimate(shown) <= tokens);
    fits.then_some(shown)
}

/// Writes the decoded pieces of a line onto a page.
pub struct LineWriter<'p> {
    out: &'p mut String,
    marks: &'p mut EscapeCounts,
    marker: Marker,
    room: Room,
    tokens: Option<LineTokens>,
    start: usize,
    /// The number of characters processed, including skipped ones.
    taken: u64,
    /// Whether the last character was a carriage return, which may be part of the line ending.
    pending_cr: bool,
    cut: Option<Cut>,
    /// Whether the line ending was processed.
    pub ended: bool,
}

impl<'p> LineWriter<'p> {
    /// Creates a writer that appends one line to `out`, and counts its escaped characters in
    /// `marks`.
    pub fn new(out: &'p mut String, marks: &'p mut EscapeCounts, room: Room) -> Self {
        let start = out.len();
        Self {
            out,
            marks,
            marker: Marker::default(),
            room,
            tokens: room.tokens.map(|tokens| LineTokens::new(tokens, start)),
            start,
            taken: 0,
            pending_cr: false,
            cut: None,
            ended: false,
        }
    }

    /// Writes a piece. Returns [`ControlFlow::Break`] if a limit is reached.
    pub fn piece(&mut self, piece: Piece<'_>) -> ControlFlow<()> {
        match piece {
            Piece::Text(text) => self.text(text),
            Piece::Invalid(bytes) => {
                self.release_cr()?;
                self.invalid(bytes)
            }
        }
    }

    fn text(&mut self, text: &str) -> ControlFlow<()> {
        let (body, ending) = match text.strip_suffix('\n') {
            Some(body) => match body.strip_suffix('\r') {
                Some(body) => (body, "\r\n"),
                None => (body, "\n"),
            },
            None => match text.strip_suffix('\r') {
                Some(body) => (body, "\r"),
                None => (text, ""),
            },
        };
        let joins = self.pending_cr && body.is_empty() && ending == "\n";
        if !joins {
            self.release_cr()?;
        }
        self.content(body)?;
        match ending {
            "" => {}
            "\r" => self.pending_cr = true,
            ending => {
                let ending = if joins { "\r\n" } else { ending };
                self.pending_cr = false;
                if self.room.raw {
                    let used = self.out.len().saturating_add(ending.len());
                    let used = used.saturating_sub(self.start) as u64;
                    if used > self.room.bytes && self.room.strict {
                        self.cut = Some(Cut::Bytes(self.taken.saturating_add(1)));
                        return ControlFlow::Break(());
                    }
                    self.out.push_str(ending);
                }
                self.ended = true;
            }
        }
        ControlFlow::Continue(())
    }

    /// Writes characters that are not part of a line ending.
    fn content(&mut self, text: &str) -> ControlFlow<()> {
        let text = self.skip(text);
        let fast = if self.room.raw {
            self.room.chars.is_none()
        } else {
            !needs_escapes(text.as_bytes())
        };
        if fast && self.fits(text) {
            let before = (self.out.len(), *self.marks, self.marker.clone());
            self.marker.flush(self.out, self.marks);
            self.out.push_str(text);
            if (self.tokens.as_mut()).is_none_or(|tokens| tokens.fits(self.out)) {
                self.taken = self.taken.saturating_add(count(text));
                return ControlFlow::Continue(());
            }
            // The line is cut at one of these characters.
            self.out.truncate(before.0);
            (*self.marks, self.marker) = (before.1, before.2);
        }
        let text = if fast { self.start(text) } else { text };
        for c in text.chars() {
            self.char(c)?;
        }
        ControlFlow::Continue(())
    }

    /// Writes the characters at the start of `text` that are within the limits in any case. `text` needs no escape
    /// sequences. Returns its rest.
    fn start<'t>(&mut self, text: &'t str) -> &'t str {
        if self.tokens.is_some() || !text.is_ascii() {
            return text;
        }
        let shown = self.taken.saturating_sub(self.room.skip);
        let chars = self.room.chars.unwrap_or(u64::MAX).saturating_sub(shown);
        self.marker.flush(self.out, self.marks);
        let used = self.out.len().saturating_sub(self.start) as u64;
        let fitting = chars.min(self.room.bytes.saturating_sub(used));
        let fitting = usize::try_from(fitting).unwrap_or(usize::MAX);
        let (written, rest) = text.split_at_checked(fitting).unwrap_or((text, ""));
        self.out.push_str(written);
        self.taken = self.taken.saturating_add(written.len() as u64);
        rest
    }

    /// Returns `text` without the characters at its start that are to be skipped.
    fn skip<'t>(&mut self, text: &'t str) -> &'t str {
        let wanted =
            usize::try_from(self.room.skip.saturating_sub(self.taken)).unwrap_or(usize::MAX);
        if wanted == 0 {
            return text;
        }
        let skipped = if text.is_ascii() {
            wanted.min(text.len())
        } else {
            text.char_indices()
                .nth(wanted)
                .map_or(text.len(), |(at, _)| at)
        };
        let (before, rest) = text.split_at_checked(skipped).unwrap_or((text, ""));
        self.taken = self.taken.saturating_add(count(before));
        rest
    }

    /// Whether `text`, which needs no escape sequences, fits into the limits as a whole.
    fn fits(&self, text: &str) -> bool {
        let length = text.len() as u64;
        let shown = self.taken.saturating_sub(self.room.skip);
        let chars = self
            .room
            .chars
            .is_none_or(|limit| shown.saturating_add(length) <= limit);
        let used = self.out.len().saturating_sub(self.start) as u64;
        chars && used.saturating_add(length) <= self.room.bytes
    }

    /// Writes the pending carriage return, if there is one. It is not part of a line ending.
    fn release_cr(&mut self) -> ControlFlow<()> {
        if std::mem::take(&mut self.pending_cr) {
            self.char('\r')
        } else {
            ControlFlow::Continue(())
        }
    }

    fn char(&mut self, c: char) -> ControlFlow<()> {
        self.put(|writer| {
            if writer.room.raw {
                writer.out.push(c);
            } else {
                writer.marker.push(c, writer.out, writer.marks);
            }
        })
    }

    fn invalid(&mut self, bytes: &[u8]) -> ControlFlow<()> {
        self.put(|writer| {
            if writer.room.raw {
                writer.out.push(char::REPLACEMENT_CHARACTER);
                writer.marks.invalid = writer.marks.invalid.saturating_add(bytes.len() as u64);
            } else {
                writer.marker.invalid(bytes, writer.out, writer.marks);
            }
        })
    }

    /// Writes one column with the function `write`, or skips it if it is before the first column to
    /// write. Cuts the line if a limit leaves no room for the column.
    fn put(&mut self, write: impl FnOnce(&mut Self)) -> ControlFlow<()> {
        if self.taken < self.room.skip {
            self.taken = self.taken.saturating_add(1);
            return ControlFlow::Continue(());
        }
        let shown = self.taken.saturating_sub(self.room.skip);
        let next = self.taken.saturating_add(1);
        if self.room.chars.is_some_and(|limit| shown >= limit) {
            // Pending characters were counted, so they are shown.
            self.marker.flush(self.out, self.marks);
            self.cut = Some(Cut::Chars(next));
            return ControlFlow::Break(());
        }
        let before = (self.out.len(), *self.marks, self.marker.clone());
        write(self);
        let used = self.out.len().saturating_sub(self.start) as u64;
        // Unless the limit is strict, the first column is always shown, so that every page
        // makes progress.
        let cut = if used > self.room.bytes && (shown > 0 || self.room.strict) {
            Some(Cut::Bytes(next))
        } else {
            let over = |tokens: &mut LineTokens| !tokens.fits(self.out);
            let over = shown > 0 && self.tokens.as_mut().is_some_and(over);
            over.then_some(Cut::Tokens(next))
        };
        if cut.is_some() {
            self.out.truncate(before.0);
            (*self.marks, self.marker) = (before.1, before.2);
            self.marker.flush(self.out, self.marks);
            self.cut = cut;
            return ControlFlow::Break(());
        }
        self.taken = next;
        ControlFlow::Continue(())
    }

    /// Ends the line. Returns how it was written.
    pub fn finish(mut self) -> Written {
        if self.cut.is_none() {
            // A carriage return before the end of the text is content.
            let _ = self.release_cr();
        }
        if self.cut.is_none() {
            self.marker.flush(self.out, self.marks);
        }
        let skipped_all = self.room.skip > 0 && self.taken <= self.room.skip && self.cut.is_none();
        Written {
            cut: self.cut,
            length: skipped_all.then_some(self.taken),
        }
    }
}

fn count(text: &str) -> u64 {
    text.chars().count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn written(pieces: &[&str], room: Room) -> (String, Option<Cut>, bool) {
        let (mut out, mut marks) = (String::new(), EscapeCounts::default());
        let mut writer = LineWriter::new(&mut out, &mut marks, room);
        for piece in pieces {
            if writer.piece(Piece::Text(piece)).is_break() {
                break;
            }
        }
        let ended = writer.ended;
        let cut = writer.finish().cut;
        (out, cut, ended)
    }

    const ALL: Room = Room {
        skip: 0,
        chars: None,
        bytes: 1000,
        tokens: None,
        raw: false,
        strict: false,
    };

    proptest! {
        #[test]
        fn fast_path_writes_the_same_as_the_writer(body in "[a-c\t\r\u{1b}\u{7f}ñ\u{200b}]{0,6}", skip in 0u64..2, chars in prop::option::of(0u64..6), bytes in 0u64..8, tokens in prop::option::of(0u64..8), raw: bool, strict: bool) {
            let room = Room { skip, chars, bytes, tokens, raw, strict };
            for ending in ["\n", "\r\n", ""] {
                let line = format!("{body}{ending}");
                if let Some(text) = plain(line.as_bytes(), room) {
                    prop_assert_eq!(written(&[&line], room), (text.to_owned(), None, true));
                }
            }
        }
    }

    proptest! {
        #[test]
        fn line_does_not_depend_on_its_pieces(body in "[a-c\t\r]{0,4}[a-f]{0,30}", skip in 0u64..4, chars in prop::option::of(0u64..30), bytes in 0u64..40, raw: bool, strict: bool) {
            let room = Room { skip, chars, bytes, tokens: None, raw, strict };
            let line = format!("{body}\n");
            let columns: Vec<String> = line.chars().map(String::from).collect();
            let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
            prop_assert_eq!(written(&[&line], room), written(&columns, room));
        }
    }

    #[test]
    fn carriage_return_before_line_feed_is_the_line_ending() {
        let raw = Room { raw: true, ..ALL };
        for (pieces, shown, exact) in [
            (&["ab\n"][..], "ab", "ab\n"),
            (&["ab\r\n"], "ab", "ab\r\n"),
            (&["ab\r", "\n"], "ab", "ab\r\n"),
            (&["ab\r", "c\n"], "ab⟨U+000D⟩c", "ab\rc\n"),
            (&["ab\r", "\r\n"], "ab⟨U+000D⟩", "ab\r\r\n"),
        ] {
            assert_eq!(
                written(pieces, ALL),
                (shown.into(), None, true),
                "{pieces:?}"
            );
            assert_eq!(
                written(pieces, raw),
                (exact.into(), None, true),
                "{pieces:?}"
            );
        }
        assert_eq!(written(&["ab\r"], ALL), ("ab⟨U+000D⟩".into(), None, false));
    }

    #[test]
    fn line_is_cut_between_characters() {
        let chars = |n| Room {
            chars: Some(n),
            ..ALL
        };
        assert_eq!(
            written(&["añb", "c\n"], chars(3)),
            ("añb".into(), Some(Cut::Chars(4)), false)
        );
        assert_eq!(written(&["añb\n"], chars(3)), ("añb".into(), None, true));
        let bytes = |n| Room {
            bytes: n,
            raw: true,
            ..ALL
        };
        assert_eq!(
            written(&["ñññ\n"], bytes(5)),
            ("ññ".into(), Some(Cut::Bytes(3)), false)
        );
        assert_eq!(
            written(&["😀b\n"], bytes(1)),
            ("😀".into(), Some(Cut::Bytes(2)), false)
        );
    }

    #[test]
    fn strict_limit_applies_to_line_ends_and_first_columns() {
        let strict = |bytes| Room {
            bytes,
            raw: true,
            strict: true,
            ..ALL
        };
        for (pieces, room, shown, cut) in [
            (&["ab\r\n"][..], 4, "ab\r\n", None),
            (&["ab\r\n"], 3, "ab", Some(Cut::Bytes(3))),
            (&["ab\r", "\n"], 3, "ab", Some(Cut::Bytes(3))),
            (&["ab\n"], 1, "a", Some(Cut::Bytes(2))),
            (&["€\n"], 2, "", Some(Cut::Bytes(1))),
            (&["\n"], 0, "", Some(Cut::Bytes(1))),
        ] {
            let (text, found, ended) = written(pieces, strict(room));
            assert_eq!((text.as_str(), found), (shown, cut), "{pieces:?} {room}");
            assert_eq!(ended, cut.is_none(), "{pieces:?} {room}");
        }
    }

    #[test]
    fn pending_characters_are_shown_at_a_cut() {
        let room = Room {
            chars: Some(3),
            ..ALL
        };
        assert_eq!(written(&["ab\u{ad}cd\n"], room).0, "ab\u{ad}");
        let room = Room { bytes: 4, ..ALL };
        assert_eq!(
            written(&["ab\u{ad}cd\n"], room),
            ("ab\u{ad}".into(), Some(Cut::Bytes(4)), false)
        );
    }

    #[test]
    fn skipped_columns_span_pieces() {
        for skip in 0..6u64 {
            let room = Room { skip, ..ALL };
            let expected: String = "añ\rcd"
                .chars()
                .skip(usize::try_from(skip).unwrap())
                .collect();
            let (text, cut, ended) = written(&["añ", "\r", "c", "d\r\n"], room);
            assert_eq!(text, expected.replace('\r', "⟨U+000D⟩"), "{skip}");
            assert_eq!((cut, ended), (None, true));
        }
    }
}
