//! Inline images (ISO 32000-2, 8.9.7), whose ends the library looks for.
//!
//! The data of an inline image has no length, and may contain the operator `EI` that ends it. The library
//! looks at the rest of the content for each candidate, and reads operators after it, which may be other
//! inline images. Content of a few kilobytes can make this search last for years. [`is_cheap`] says whether
//! it ends soon. Other content is divided into [`Pieces`], in which it does. They are found in linear time.

use crate::limits;
use memchr::memmem;

/// Whether the library finds the ends of all inline images of some content soon. It does not depend on
/// what the content means: each occurrence of `BI` or `EI` starts at most one search to its end.
pub fn is_cheap(bytes: &[u8]) -> bool {
    work(bytes).is_some_and(|work| work <= limits::IMAGE_SEARCH_BYTES)
}

/// The maximum number of bytes that the library searches in some content. `None` if it may be a number of
/// which the exponent grows with the content.
fn work(bytes: &[u8]) -> Option<usize> {
    let mut starts = memmem::find_iter(bytes, b"BI").peekable();
    if starts.peek().is_none() {
        return Some(0);
    }
    let mut ends = memmem::find_iter(bytes, b"EI").peekable();
    let (mut searches, mut nested) = (0_usize, 0_usize);
    while starts.next().is_some() {
        let next = starts.peek().copied().unwrap_or(bytes.len());
        let mut own = 0_usize;
        while ends.next_if(|end| *end < next).is_some() {
            own = own.saturating_add(1);
        }
        searches = searches.saturating_add(own).saturating_add(1);
        // Between two candidates, the library reads operators, and the inline images among them.
        if own > 1 {
            nested = nested.saturating_add(1);
        }
    }
    (nested <= limits::NESTED_IMAGE_SEARCHES).then(|| searches.saturating_mul(bytes.len()))
}

/// A part of content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'b> {
    /// Whole operators, or an inline image, which the library reads soon.
    Content(&'b [u8]),
    /// An inline image without an end.
    Unended,
    /// Content that the library does not read soon.
    Unread,
}

/// The pieces of content.
pub struct Pieces<'b> {
    lexer: Lexer<'b>,
    /// The first byte of the next piece.
    start: usize,
    /// Whether no `EI` ends an image any more.
    unended: bool,
    /// The number of bytes that the library may still search.
    left: usize,
    /// The piece after the one that was returned.
    next: Option<Piece<'b>>,
}

impl<'b> Pieces<'b> {
    /// Divides content.
    pub fn new(bytes: &'b [u8]) -> Self {
        Self {
            lexer: Lexer::new(bytes),
            start: 0,
            unended: false,
            left: limits::IMAGE_SEARCH_BYTES,
            next: None,
        }
    }

    /// Ends the piece before the byte `end`.
    fn cut(&mut self, end: usize) -> Piece<'b> {
        let piece = self.lexer.bytes.get(self.start..end).unwrap_or_default();
        self.start = end;
        match work(piece).and_then(|work| self.left.checked_sub(work)) {
            Some(left) => {
                self.left = left;
                Piece::Content(piece)
            }
            None => Piece::Unread,
        }
    }

    /// The place after the inline image whose data starts at `data`, if it has an end.
    fn end(&mut self, data: usize) -> Option<usize> {
        if self.unended {
            return None;
        }
        let end = end_of(self.lexer.bytes, data);
        // A later image has no end either.
        self.unended = end.is_none();
        end
    }

    /// The next piece, or an empty one.
    fn piece(&mut self) -> Option<Piece<'b>> {
        if let Some(piece) = self.next.take() {
            return Some(piece);
        }
        while let Some(token) = self.lexer.token() {
            if token.bytes == b"BI"
                && let Some(data) = self.lexer.data_of_image()
            {
                let before = self.cut(token.start);
                if let Some(end) = self.end(data) {
                    self.lexer.at = end;
                    self.next = Some(self.cut(end));
                } else {
                    self.lexer.at = data;
                    self.start = data;
                    self.next = Some(Piece::Unended);
                }
                return Some(before);
            }
            let end = self.lexer.at;
            if token.is_operator() && end.saturating_sub(self.start) >= limits::PIECE_BYTES {
                return Some(self.cut(end));
            }
        }
        let end = self.lexer.bytes.len();
        (self.start < end).then(|| self.cut(end))
    }
}

impl<'b> Iterator for Pieces<'b> {
    type Item = Piece<'b>;

    fn next(&mut self) -> Option<Piece<'b>> {
        loop {
            let piece = self.piece()?;
            if piece != Piece::Content(&[]) {
                return Some(piece);
            }
        }
    }
}

/// The number of bytes that the library searches to find the ends of the inline images of some content, as
/// an estimate.
pub fn estimate(bytes: &[u8]) -> u64 {
    if is_cheap(bytes) {
        return 0;
    }
    let mut lexer = Lexer::new(bytes);
    let mut all = 0_u64;
    // The start, the candidates and the end of the last image.
    let mut last: Option<(usize, usize, usize)> = None;
    let mut nested = 0_u32;
    let mut is_text = false;
    // The candidates for the end of an image without one, and of those after it at most.
    let mut unended: Option<usize> = None;
    let length =
        |from: usize, to: usize| u64::try_from(to.saturating_sub(from)).unwrap_or(u64::MAX);
    let mut add = |last: Option<(usize, usize, usize)>, is_text: bool, to: usize| {
        let Some((start, candidates, end)) = last else {
            return;
        };
        let after = bytes.get(end..to).unwrap_or_default();
        let again = !is_text && memmem::find(after, b"EI").is_some();
        nested = if again { nested.saturating_add(1) } else { 0 };
        let times = 1_u64.checked_shl(nested).unwrap_or(u64::MAX);
        let times = times.saturating_mul(u64::try_from(candidates).unwrap_or(u64::MAX));
        all = all.saturating_add(length(start, to).saturating_mul(times));
    };
    while let Some(token) = lexer.token() {
        is_text |= matches!(token.bytes, b"Tj" | b"TJ" | b"'" | b"\"");
        if token.bytes != b"BI" {
            continue;
        }
        let Some(data) = lexer.data_of_image() else {
            // The library reads the rest as its entries.
            add(Some((token.start, 1, bytes.len())), true, bytes.len());
            continue;
        };
        add(last.take(), is_text, token.start);
        is_text = false;
        let end = match unended {
            Some(_) => None,
            None => end_of(bytes, data),
        };
        let Some(end) = end else {
            let rest = bytes.get(data..).unwrap_or_default();
            let candidates =
                *unended.get_or_insert_with(|| memmem::find_iter(rest, b"EI").count().max(1));
            lexer.at = data;
            last = Some((token.start, candidates, bytes.len()));
            add(last.take(), true, bytes.len());
            continue;
        };
        let own = bytes.get(data..end).unwrap_or_default();
        last = Some((token.start, memmem::find_iter(own, b"EI").count(), end));
        lexer.at = end;
    }
    add(last, is_text, bytes.len());
    all
}

/// The place after the `EI` that ends an image whose data starts at `data`.
fn end_of(bytes: &[u8], data: usize) -> Option<usize> {
    let rest = bytes.get(data..)?;
    let ends = memmem::find_iter(rest, b"EI").map(|at| at.saturating_add(2));
    ends.filter(|end| rest.get(*end).is_none_or(|byte| is_space(*byte)))
        .find(|end| is_content(rest.get(*end..).unwrap_or_default()))
        .map(|end| data.saturating_add(end))
}

/// Whether bytes may be content, and not the data of an image. Other programs look at as many.
fn is_content(bytes: &[u8]) -> bool {
    const LOOKED_AT: usize = 16;
    let mut near = bytes.iter().take(LOOKED_AT);
    near.all(|byte| is_space(*byte) || (b' '..=b'~').contains(byte))
}

fn is_space(byte: u8) -> bool {
    matches!(byte, 0 | b'\t' | b'\n' | 0x0c | b'\r' | b' ')
}

fn is_delimiter(byte: u8) -> bool {
    matches!(
        byte,
        b'(' | b')' | b'<' | b'>' | b'[' | b']' | b'{' | b'}' | b'/' | b'%'
    )
}

/// An operator or a number outside of arrays and dictionaries.
#[derive(Clone, Copy, Debug)]
struct Token<'b> {
    start: usize,
    bytes: &'b [u8],
}

impl Token<'_> {
    /// Whether it is an operator, after which no operand is left.
    fn is_operator(&self) -> bool {
        self.bytes.first().is_some_and(u8::is_ascii_alphabetic)
            && !matches!(self.bytes, b"true" | b"false" | b"null")
            || matches!(self.bytes, b"'" | b"\"")
    }
}

/// Finds the operators of content.
struct Lexer<'b> {
    bytes: &'b [u8],
    at: usize,
    /// How many arrays and dictionaries are around the place.
    depth: usize,
}

impl<'b> Lexer<'b> {
    fn new(bytes: &'b [u8]) -> Self {
        Self {
            bytes,
            at: 0,
            depth: 0,
        }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn forward(&mut self, bytes: usize) {
        self.at = self.at.saturating_add(bytes);
    }

    /// The next token.
    fn token(&mut self) -> Option<Token<'b>> {
        loop {
            match self.peek()? {
                b'(' => self.string(),
                b'%' => self.skip(|byte| !matches!(byte, b'\n' | b'\r')),
                b'<' | b'[' => {
                    let is_dict = self.bytes.get(self.at..)?.starts_with(b"<<");
                    if self.peek() == Some(b'<') && !is_dict {
                        self.skip(|byte| byte != b'>');
                    } else {
                        self.depth = self.depth.saturating_add(1);
                        self.forward(usize::from(is_dict));
                    }
                    self.forward(1);
                }
                b'>' | b']' => {
                    let is_dict = self.bytes.get(self.at..)?.starts_with(b">>");
                    self.forward(if is_dict { 2 } else { 1 });
                    self.depth = self.depth.saturating_sub(1);
                }
                b'/' => {
                    self.forward(1);
                    self.skip(|byte| !is_space(byte) && !is_delimiter(byte));
                }
                byte if is_space(byte) || is_delimiter(byte) => self.forward(1),
                _ => {
                    let start = self.at;
                    self.skip(|byte| !is_space(byte) && !is_delimiter(byte));
                    if self.depth == 0 {
                        let bytes = self.bytes.get(start..self.at)?;
                        return Some(Token { start, bytes });
                    }
                }
            }
        }
    }

    /// Skips bytes with a property.
    fn skip(&mut self, is: impl Fn(u8) -> bool) {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let end = rest.iter().position(|byte| !is(*byte));
        self.forward(end.unwrap_or(rest.len()));
    }

    /// Skips a string in parentheses.
    fn string(&mut self) {
        let mut depth = 0_usize;
        while let Some(byte) = self.peek() {
            self.forward(1);
            match byte {
                b'\\' => self.forward(1),
                b'(' => depth = depth.saturating_add(1),
                b')' => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return;
            }
        }
    }

    /// The place of the data of an inline image, after its `BI`. `None` if it has no `ID` soon; the place of
    /// the lexer is as before then.
    fn data_of_image(&mut self) -> Option<usize> {
        /// The number of bytes of the entries of an image. They have some names and numbers, and seldom a
        /// palette.
        const ENTRIES_BYTES: usize = 4096;
        let end = self.at.saturating_add(ENTRIES_BYTES).min(self.bytes.len());
        let mut inner = Lexer {
            bytes: self.bytes.get(..end)?,
            at: self.at,
            depth: 0,
        };
        while let Some(token) = inner.token() {
            match token.bytes {
                b"ID" => return Some(inner.at.saturating_add(1).min(self.bytes.len())),
                b"BI" | b"EI" => return None,
                _ => {}
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hayro_syntax::content::TypedIter;
    use hayro_syntax::content::ops::TypedInstruction as Op;

    fn pieces(bytes: &[u8]) -> Vec<String> {
        let piece = |piece: Piece<'_>| match piece {
            Piece::Content(bytes) => String::from_utf8_lossy(bytes).into_owned(),
            other => format!("{other:?}"),
        };
        Pieces::new(bytes).map(piece).collect()
    }

    #[test]
    fn image_is_a_piece_of_its_own() {
        let content =
            b"q (BI ID EI\\) ) Tj BI /W 1 /CS [/I BI] ID EI\xff EI (x) Tj BI /W 2 ID \xffEI\nQ";
        assert_eq!(
            pieces(content),
            [
                "q (BI ID EI\\) ) Tj ",
                "BI /W 1 /CS [/I BI] ID EI\u{fffd} EI",
                " (x) Tj ",
                "BI /W 2 ID \u{fffd}EI",
                "\nQ"
            ]
        );
    }

    #[test]
    fn image_without_an_end_is_left_out() {
        assert_eq!(
            pieces(b"q BI /W 1 ID x BI ID y (text) Tj EI\xffQ"),
            ["q ", "Unended", "x ", "Unended", "y (text) Tj EI\u{fffd}Q"]
        );
        // Without `ID`, it is no image.
        assert_eq!(pieces(b"BI /W 1 EI Q"), ["BI /W 1 EI Q"]);
    }

    #[test]
    fn usual_content_is_cheap() {
        let image = b"q 1 0 0 1 0 0 cm BI /W 1 /H 1 ID \x00\xff\nEI Q (EINE) Tj ";
        let content = image.repeat(8);
        assert!(is_cheap(&content));
        assert_eq!(estimate(&content), 0);
        assert!(is_cheap(&vec![b' '; 1 << 20]));
    }

    #[test]
    fn search_that_never_ends_is_not_cheap() {
        for part in [
            "BI /W 1 ID ",
            "BI ID a EI b EI ",
            "BI ID EI \u{e9} ",
            "BI /A ",
            "EI \u{e9}",
            "(BI ID ",
        ] {
            let content = format!("BI /W 1 ID {}", part.repeat(60_000));
            assert!(!is_cheap(content.as_bytes()), "{part}");
            let pieces = Pieces::new(content.as_bytes());
            let contents = pieces.filter_map(|piece| match piece {
                Piece::Content(bytes) => Some(work(bytes).unwrap()),
                _ => None,
            });
            assert!(
                contents.sum::<usize>() <= limits::IMAGE_SEARCH_BYTES,
                "{part}"
            );
            // A string without an end ends the content.
            assert!(
                estimate(content.as_bytes()) > 1 << 32 || part.starts_with('('),
                "{part}"
            );
        }
    }

    #[test]
    fn pieces_have_the_operators_of_the_content() {
        let part = b"q (BI) Tj [(a) -20 (BI EI)] TJ BI /W 1 /H 1 ID \xff\nEI Q 1 0 0 1 BI0 ";
        let content = part.repeat(2000);
        let count = |bytes: &[u8]| {
            let mut operators = TypedIter::new(bytes);
            let (mut texts, mut images) = (0, 0);
            while let Some(operator) = operators.next() {
                match operator {
                    Op::ShowText(_) | Op::ShowTexts(_) => texts += 1,
                    Op::InlineImage(_) => images += 1,
                    _ => {}
                }
            }
            (texts, images)
        };
        assert_eq!(count(&content), (4000, 2000));
        let mut all = (0, 0);
        for piece in Pieces::new(&content) {
            let Piece::Content(bytes) = piece else {
                panic!("{piece:?}");
            };
            let (texts, images) = count(bytes);
            all = (all.0 + texts, all.1 + images);
        }
        assert_eq!(all, (4000, 2000));
    }
}
