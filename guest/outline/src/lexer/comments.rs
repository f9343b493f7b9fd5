//! Comments, lines of a preprocessor, and markers of merge conflicts.

use super::{Comment, Lexer};
use crate::lexis::{Block, LexFeature};
use memchr::{memchr, memmem};

impl Lexer<'_> {
    /// Whether a line that marks a merge conflict begins at the current position: `<<<<<<< name`,
    /// `=======`. `sign` is the byte at this position.
    pub(super) fn begins_conflict(&self, sign: u8) -> bool {
        let first = self.fresh && self.at == self.line_start;
        if !first || !matches!(sign, b'<' | b'=' | b'>' | b'|') {
            return false;
        }
        let rest = self.rest();
        let signs = rest
            .iter()
            .take(8)
            .take_while(|byte| **byte == sign)
            .count();
        signs == 7 && rest.get(7).is_none_or(u8::is_ascii_whitespace)
    }

    /// Whether the `#` at the current position begins a preprocessor directive.
    pub(super) fn begins_directive(&self) -> bool {
        let is = |word: &&str| {
            let rest = self.rest().get(1..).unwrap_or_default();
            rest.starts_with(word.as_bytes())
        };
        self.lexis.has(LexFeature::Preprocessor)
            || (self.lexis.has(LexFeature::Conditions)
                && [
                    "if ", "ifdef ", "ifndef ", "else", "endif", "warning", "error", "define ",
                    "include ", "undef ",
                ]
                .iter()
                .any(is))
            || (self.lexis.has(LexFeature::Conditions) && self.marks_line())
    }

    /// Whether the `#` at the current position begins a line marker: `# 12 "name"`. A line marker
    /// names the source file and the line number of the code after it.
    fn marks_line(&self) -> bool {
        let after = self.rest().get(1..).unwrap_or_default();
        let number = after.strip_prefix(b" ").unwrap_or(after);
        number.first().is_some_and(u8::is_ascii_digit)
    }

    /// The offset at which the preprocessor directive at the current position ends. A backslash at
    /// the end of a line continues the directive on the next line. A comment that does not end on
    /// its line ends the directive.
    pub(super) fn directive_end(&self) -> usize {
        let continues = |line: &[u8]| line.strip_suffix(b"\r").unwrap_or(line).ends_with(b"\\");
        let Some((from, end)) = self.last_line(continues) else {
            return self.bytes.len();
        };
        let line = self.bytes.get(from..end).unwrap_or_default();
        // The lexer skips a comment that does not end on this line.
        opened_comment(line).map_or(end, |open| from.saturating_add(open))
    }

    /// The offsets of the start and the end of the first line, from the current position on, for
    /// which `continues` returns false. Returns `None` if no such line ends with a line feed.
    fn last_line(&self, continues: impl Fn(&[u8]) -> bool) -> Option<(usize, usize)> {
        let mut from = self.at;
        loop {
            let rest = self.bytes.get(from..)?;
            let length = memchr(b'\n', rest)?;
            let end = from.saturating_add(length);
            if !continues(rest.get(..length)?) {
                return Some((from, end));
            }
            from = end.saturating_add(1);
        }
    }

    /// Skips the comment at the current position. Returns false if no comment begins there.
    pub(super) fn comment(&mut self) -> bool {
        let rest = self.rest();
        let begins = |open: &&&str| rest.starts_with(open.as_bytes());
        let block = self.lexis.block_comments.iter().find(|block| {
            rest.starts_with(block.open.as_bytes())
                && (!block.at_line_start || self.line_start == self.at)
        });
        let end = if let Some(block) = block {
            self.block_end(block)
        } else if let Some(open) = self.lexis.line_comments.iter().find(begins) {
            if !self.begins_line_comment(rest) {
                return false;
            }
            self.long_comment(open.len())
                .unwrap_or_else(|| self.comment_end())
        } else {
            return false;
        };
        let own = self.fresh;
        let (start, first) = (self.at, self.line);
        let led = self.lead >= self.line_start && self.lead < start;
        if own && !led && rest.first() == Some(&b'/') {
            self.lead = start;
        }
        self.skip_to(end);
        if own {
            match self.comments.last_mut() {
                Some(run) if run.last.saturating_add(1) == first => run.last = self.line,
                _ => self.comments.push(Comment {
                    start,
                    first,
                    last: self.line,
                }),
            }
        }
        true
    }

    /// Whether the comment sign at the current position begins a comment. In some languages this
    /// depends on the characters around the sign.
    pub(super) fn begins_line_comment(&self, rest: &[u8]) -> bool {
        let sharp = rest.first() == Some(&b'#');
        if sharp && self.lexis.has(LexFeature::Spaced) && !self.fresh {
            let before = self.at.checked_sub(1).and_then(|at| self.bytes.get(at));
            return before.is_some_and(|byte| {
                byte.is_ascii_whitespace()
                    || matches!(byte, b';' | b'(' | b')' | b'{' | b'&' | b'|' | b',')
            });
        }
        // `url(//name)` contains no comment.
        if rest.first() == Some(&b'/') && self.lexis.has(LexFeature::Spaced) && !self.fresh {
            let before = self.at.checked_sub(1).and_then(|at| self.bytes.get(at));
            return before.is_some_and(|byte| {
                byte.is_ascii_whitespace() || matches!(byte, b';' | b'{' | b'}')
            });
        }
        // `#[Attribute]` is not a comment.
        !(sharp && self.lexis.has(LexFeature::PhpTags) && rest.get(1) == Some(&b'['))
    }

    /// The offset of the end of the line comment at the current position.
    pub(super) fn comment_end(&self) -> usize {
        // In C, a backslash at the end continues the comment on the next line.
        let end = if self.lexis.has(LexFeature::Preprocessor) {
            let continues = |line: &[u8]| line.trim_ascii_end().ends_with(b"\\");
            let last = self.last_line(continues);
            last.map_or(self.bytes.len(), |(_, end)| end)
        } else {
            self.line_end()
        };
        if !self.lexis.has(LexFeature::PhpTags) {
            return end;
        }
        let line = self.bytes.get(self.at..end).unwrap_or_default();
        memmem::find(line, b"?>").map_or(end, |length| self.at.saturating_add(length))
    }

    /// The offset after the block comment at the current position. A comment without a closing sign
    /// ends at the end of its first line.
    pub(super) fn block_end(&mut self, block: &Block) -> usize {
        let end = if self.searches() {
            self.closed(block)
        } else {
            None
        };
        end.unwrap_or_else(|| {
            self.unended.get_or_insert(self.line);
            self.open_ended.set(true);
            self.line_end()
        })
    }

    /// The offset after the block comment at the current position. Returns `None` if the comment
    /// has no end.
    pub(super) fn closed(&self, block: &Block) -> Option<usize> {
        let (open, close) = (block.open.as_bytes(), block.close.as_bytes());
        let mut at = self.at.saturating_add(open.len());
        let mut depth = 1u32;
        let find = memmem::Finder::new(close);
        let mut first = None;
        loop {
            let rest = self.bytes.get(at..).unwrap_or_default();
            let Some(found) = find.find(rest) else {
                self.waste(self.bytes.len().saturating_sub(self.at));
                // `=head` needs no end. If a nested comment lacks an end, the first closing sign
                // ends the whole comment.
                return first.or(block.at_line_start.then_some(self.bytes.len()));
            };
            let inside = rest.get(..found).unwrap_or_default();
            let end = at.saturating_add(found).saturating_add(close.len());
            if block.at_line_start {
                let line_start = end.saturating_sub(close.len());
                if line_start == 0 || self.bytes.get(line_start.saturating_sub(1)) == Some(&b'\n') {
                    let rest = self.bytes.get(end..).unwrap_or_default();
                    let length = memchr(b'\n', rest).unwrap_or(rest.len());
                    return Some(end.saturating_add(length));
                }
                at = end;
                continue;
            }
            if block.nested {
                let opened = memmem::find_iter(inside, open).count();
                depth = depth.saturating_add(u32::try_from(opened).unwrap_or(u32::MAX));
            } else if self.opens_again(inside, open) {
                return None;
            }
            depth = depth.saturating_sub(1);
            if depth == 0 {
                return Some(end);
            }
            first = first.or(Some(end));
            at = end;
        }
    }

    /// Whether another comment begins inside a comment, as the first text on a line. The closing
    /// sign after `inside` then belongs to the other comment, so the end of the outer comment is
    /// missing.
    pub(super) fn opens_again(&self, inside: &[u8], open: &[u8]) -> bool {
        let again = memmem::find(inside, open).is_some_and(|at| {
            let before = inside.get(..at).unwrap_or_default().trim_ascii_end();
            let spaces = inside.get(before.len()..at).unwrap_or_default();
            spaces.contains(&b'\n')
        });
        if again {
            self.waste(inside.len());
        }
        again
    }
}

/// The offset in a line of code at which a `/*` comment begins that does not end on this line.
/// Returns `None` if there is no such comment.
fn opened_comment(line: &[u8]) -> Option<usize> {
    let mut quote = None;
    let mut bytes = line.iter().copied().enumerate().peekable();
    while let Some((at, byte)) = bytes.next() {
        let next = bytes.peek().map(|(_, byte)| *byte);
        match (quote, byte, next) {
            (_, b'\\', _) => drop(bytes.next()),
            (Some(open), byte, _) => quote = Some(open).filter(|open| *open != byte),
            (None, b'"' | b'\'', _) => quote = Some(byte),
            (None, b'/', Some(b'/')) => return None,
            (None, b'/', Some(b'*')) => {
                let inside = line.get(at.saturating_add(2)..).unwrap_or_default();
                let length = memmem::find(inside, b"*/");
                let Some(length) = length else {
                    return Some(at);
                };
                for _ in 0..length.saturating_add(3) {
                    bytes.next();
                }
            }
            _ => {}
        }
    }
    None
}
