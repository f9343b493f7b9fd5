//! One line onto a page: from a column, as far as there is room.

use super::decode::Piece;
use crate::visible::Marks;
use crate::visible::{Marker, needs_marks};
use std::ops::ControlFlow;

/// What a line may take up, and from where it is wanted.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// Characters before the first wanted one.
    pub skip: u64,
    /// Characters, if they are limited.
    pub chars: Option<u64>,
    /// Bytes.
    pub bytes: u64,
    /// The text exactly as it is, its ending included.
    pub raw: bool,
    /// No more than those bytes, even if not one column fits.
    pub strict: bool,
}

/// Why a line was cut, and the column that comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// It has more characters than are shown of a line.
    Chars(u64),
    /// It has more bytes than there was room for.
    Bytes(u64),
}

impl Cut {
    /// The column that comes next.
    pub fn column(self) -> u64 {
        match self {
            Self::Chars(column) | Self::Bytes(column) => column,
        }
    }
}

/// What is shown of a line in UTF-8 with its ending, if all of it has room and
/// nothing in it is to be marked, as of most lines: it needs no writer.
fn plain(line: &[u8], room: Room) -> Option<&str> {
    let body = line.strip_suffix(b"\n")?;
    let body = body.strip_suffix(b"\r").unwrap_or(body);
    let shown = if room.raw { line } else { body };
    let long = room.chars.is_some_and(|chars| body.len() as u64 > chars);
    if room.skip > 0 || long || shown.len() as u64 > room.bytes {
        return None;
    }
    let shown = str::from_utf8(shown).ok()?;
    let exact = room.raw && room.chars.is_none();
    (exact || !needs_marks(shown.get(..body.len())?)).then_some(shown)
}

/// Writes the pieces of a line onto a page.
pub struct LineWriter<'p> {
    out: &'p mut String,
    marks: &'p mut Marks,
    marker: Marker,
    room: Room,
    start: usize,
    /// Characters of the line that were taken, the skipped ones included.
    taken: u64,
    /// A carriage return that may be part of the line's end.
    pending_cr: bool,
    cut: Option<Cut>,
    /// The line's own end was seen.
    pub ended: bool,
}

impl<'p> LineWriter<'p> {
    /// A writer at the end of `out`.
    pub fn new(out: &'p mut String, marks: &'p mut Marks, room: Room) -> Self {
        let start = out.len();
        Self {
            out,
            marks,
            marker: Marker::default(),
            room,
            start,
            taken: 0,
            pending_cr: false,
            cut: None,
            ended: false,
        }
    }

    /// Takes a line as a whole, if that is all there is to do with it; whether it
    /// was.
    pub fn whole(&mut self, line: &[u8]) -> bool {
        let text = plain(line, self.room);
        self.out.push_str(text.unwrap_or_default());
        self.ended = text.is_some();
        self.ended
    }

    /// Takes a piece; breaks when there is no room for more.
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

    /// Takes characters that are no line end.
    fn content(&mut self, text: &str) -> ControlFlow<()> {
        let text = self.skip(text);
        let fast = if self.room.raw {
            self.room.chars.is_none()
        } else {
            !needs_marks(text)
        };
        if fast && self.fits(text) {
            self.marker.flush(self.out, self.marks);
            self.taken = self.taken.saturating_add(count(text));
            self.out.push_str(text);
            return ControlFlow::Continue(());
        }
        for c in text.chars() {
            self.char(c)?;
        }
        ControlFlow::Continue(())
    }

    /// What is left of a text behind the columns that are not wanted.
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

    /// Whether a text that takes up its own bytes fits as a whole.
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

    /// Counts a carriage return that turned out to be content.
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

    /// Writes one column, unless there is no room for it.
    fn put(&mut self, write: impl FnOnce(&mut Self)) -> ControlFlow<()> {
        if self.taken < self.room.skip {
            self.taken = self.taken.saturating_add(1);
            return ControlFlow::Continue(());
        }
        let shown = self.taken.saturating_sub(self.room.skip);
        let next = self.taken.saturating_add(1);
        if self.room.chars.is_some_and(|limit| shown >= limit) {
            // What waits was counted, so it is shown.
            self.marker.flush(self.out, self.marks);
            self.cut = Some(Cut::Chars(next));
            return ControlFlow::Break(());
        }
        let before = (self.out.len(), *self.marks, self.marker.clone());
        write(self);
        let used = self.out.len().saturating_sub(self.start) as u64;
        // Unless room is strict the first column is always shown: every page
        // makes progress.
        if used > self.room.bytes && (shown > 0 || self.room.strict) {
            self.out.truncate(before.0);
            (*self.marks, self.marker) = (before.1, before.2);
            self.marker.flush(self.out, self.marks);
            self.cut = Some(Cut::Bytes(next));
            return ControlFlow::Break(());
        }
        self.taken = next;
        ControlFlow::Continue(())
    }

    /// Ends the line; how it was cut, if it was.
    pub fn finish(mut self) -> Option<Cut> {
        if self.cut.is_none() {
            // A carriage return before the end of the text is content.
            let _ = self.release_cr();
        }
        if self.cut.is_none() {
            self.marker.flush(self.out, self.marks);
        }
        self.cut
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
        let (mut out, mut marks) = (String::new(), Marks::default());
        let mut writer = LineWriter::new(&mut out, &mut marks, room);
        for piece in pieces {
            if writer.piece(Piece::Text(piece)).is_break() {
                break;
            }
        }
        let ended = writer.ended;
        let cut = writer.finish();
        (out, cut, ended)
    }

    const ALL: Room = Room {
        skip: 0,
        chars: None,
        bytes: 1000,
        raw: false,
        strict: false,
    };

    proptest! {
        #[test]
        fn plain_lines_are_as_they_would_be_written(body in "[a-c\t\r\u{1b}\u{7f}ñ\u{200b}]{0,6}", skip in 0u64..2, chars in prop::option::of(0u64..6), bytes in 0u64..8, raw: bool, strict: bool) {
            let room = Room { skip, chars, bytes, raw, strict };
            for ending in ["\n", "\r\n", ""] {
                let line = format!("{body}{ending}");
                if let Some(text) = plain(line.as_bytes(), room) {
                    prop_assert_eq!(written(&[&line], room), (text.to_owned(), None, true));
                }
            }
        }
    }

    #[test]
    fn endings_are_told_from_content() {
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
    fn a_line_is_cut_between_characters() {
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
    fn strict_room_holds_line_ends_and_first_columns() {
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
    fn nothing_is_lost_at_a_cut() {
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
    fn columns_are_skipped_across_pieces() {
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
