//! Inline text of the model → a line.

use super::escape::TypedLists;
use super::line::{Context, Line};
use super::raised::{self, Form, Level};
use crate::limits;
use crate::model::{Inline, Style};
use memchr::memchr;
use std::borrow::Cow;

/// A part of a paragraph. Texts of one format are one part.
enum Piece<'c> {
    Text(Cow<'c, str>, Style),
    /// An empty field of a form.
    Field,
    Link(&'c str, Vec<Piece<'c>>),
    Other(&'c Inline),
}

/// Writes a paragraph.
pub fn render(content: &[Inline], context: Context) -> String {
    let mut line = line(context);
    push(content, &mut line);
    line.take()
}

/// An empty line of a document. People type the lists of documents.
pub fn line(context: Context) -> Line {
    Line::new(context, TypedLists::Lists)
}

/// Adds inline text to a line.
pub fn push(content: &[Inline], line: &mut Line) {
    let mut pieces = Vec::new();
    collect(content, &mut pieces);
    write(&with_fields(pieces), line);
}

fn collect<'c>(content: &'c [Inline], pieces: &mut Vec<Piece<'c>>) {
    let mut rest = content.iter().peekable();
    while let Some(piece) = rest.next() {
        match piece {
            Inline::Text { text, style } => push_text(pieces, text, *style),
            Inline::Link { url, content } => {
                let mut inner = Vec::new();
                collect(content, &mut inner);
                // Programs split a link where the format changes.
                while let Some(Inline::Link { url: next, content }) = rest.peek()
                    && next == url
                {
                    collect(content, &mut inner);
                    rest.next();
                }
                pieces.push(Piece::Link(url.trim(), with_fields(inner)));
            }
            Inline::Note(_) => {
                // The mark of a note has brackets of its own.
                if let Some(Piece::Text(text, style)) = pieces.last()
                    && is_raised_bracket(text, *style, &["(", "["])
                    && let Some(Inline::Text { text, style }) = rest.peek()
                    && is_raised_bracket(text, *style, &[")", "]"])
                {
                    pieces.pop();
                    rest.next();
                }
                pieces.push(Piece::Other(piece));
            }
            _ => pieces.push(Piece::Other(piece)),
        }
    }
}

/// Returns whether a text is one of these brackets, above the line.
fn is_raised_bracket(text: &str, style: Style, brackets: &[&str]) -> bool {
    style.has(Style::SUP) && brackets.contains(&text.trim())
}

/// The spaces that Word shows in the place of an empty field of a form.
const EMPTY_FIELD: &str = "\u{2002}\u{2002}\u{2002}\u{2002}\u{2002}";

/// Adds a text to the pieces, and joins it with a text of the same format.
fn push_text<'c>(pieces: &mut Vec<Piece<'c>>, text: &'c str, style: Style) {
    match pieces.last_mut() {
        _ if text.is_empty() => {}
        Some(Piece::Text(last, own)) if *own == style => last.to_mut().push_str(text),
        _ => pieces.push(Piece::Text(Cow::Borrowed(text), style)),
    }
}

/// The pieces with the empty fields of forms, which texts contain as spaces.
fn with_fields(pieces: Vec<Piece<'_>>) -> Vec<Piece<'_>> {
    let has_field = |piece: &Piece<'_>| match piece {
        // The first byte of such a space is found faster than the spaces are.
        Piece::Text(text, _) => {
            memchr(0xe2, text.as_bytes()).is_some() && text.contains(EMPTY_FIELD)
        }
        _ => false,
    };
    if !pieces.iter().any(has_field) {
        return pieces;
    }
    let mut out = Vec::with_capacity(pieces.len());
    for piece in pieces {
        match piece {
            Piece::Text(text, style) if text.contains(EMPTY_FIELD) => {
                for (number, part) in text.split(EMPTY_FIELD).enumerate() {
                    if number > 0 {
                        out.push(Piece::Field);
                    }
                    if !part.is_empty() {
                        out.push(Piece::Text(Cow::Owned(part.to_owned()), style));
                    }
                }
            }
            piece => out.push(piece),
        }
    }
    out
}

/// The formats with marks, from the outermost, and their marks.
const MARKS: [(Style, &str, &str); 5] = [
    (Style::BOLD, "**", "**"),
    (Style::ITALIC, "*", "*"),
    (Style::STRIKE, "~~", "~~"),
    (Style::SUB, "<sub>", "</sub>"),
    (Style::SUP, "<sup>", "</sup>"),
];

/// Writes the pieces with their marks. White space between two texts has the formats of both, because marks
/// do not work next to white space.
fn write(pieces: &[Piece<'_>], line: &mut Line) {
    let mut open: Vec<usize> = Vec::new();
    let mut rest = pieces.iter();
    let mut raised = None;
    while let Some(piece) = rest.next() {
        let style = match piece {
            Piece::Text(text, _) if text.trim().is_empty() => {
                line.words(text);
                continue;
            }
            Piece::Text(_, style) => *style,
            Piece::Field => next_style(rest.as_slice()),
            Piece::Link(..) | Piece::Other(_) => Style::default(),
        };
        let last = std::mem::replace(&mut raised, level(style));
        if let (Piece::Text(text, _), Some(level)) = (piece, raised)
            // A part of a longer one that has several formats.
            && last != raised
        {
            // The tags are not needed if the text has another form.
            let rest = rest.as_slice();
            let formats = style.without(Style::SUB).without(Style::SUP);
            close(line, &mut open, formats);
            if push_raised(text, level, rest, line) {
                continue;
            }
        }
        close(line, &mut open, style);
        if !matches!(piece, Piece::Field) {
            for (mark, (format, sign, _)) in MARKS.iter().enumerate() {
                if style.has(*format) && !open.contains(&mark) {
                    line.open(sign);
                    open.push(mark);
                }
            }
        }
        match piece {
            Piece::Text(text, style) if style.has(Style::CODE) => line.code(text),
            Piece::Text(text, _) => line.words_before(text, Some(first_char(rest.as_slice()))),
            Piece::Field => line.words(" _____ "),
            Piece::Link("", content) => write(content, line),
            Piece::Link(url, content) => {
                line.open("[");
                write(content, line);
                line.close_link(url);
            }
            Piece::Other(piece) => write_other(piece, line),
        }
    }
    close(line, &mut open, Style::default());
}

/// Whether a text is raised or lowered and not code.
fn level(style: Style) -> Option<Level> {
    if style.has(Style::CODE) {
        None
    } else if style.has(Style::SUP) {
        Some(Level::Raised)
    } else {
        style.has(Style::SUB).then_some(Level::Lowered)
    }
}

/// Adds a raised or lowered text, if it needs no tags. Returns whether it was added.
fn push_raised(text: &str, level: Level, rest: &[Piece<'_>], line: &mut Line) -> bool {
    if let [Piece::Text(_, next), ..] = rest
        && self::level(*next) == Some(level)
    {
        return false;
    }
    // The numerator of a fraction.
    if let [Piece::Text(slash, _), Piece::Text(_, next), ..] = rest
        && matches!(slash.trim(), "/" | "⁄")
        && next.has(Style::SUB)
    {
        return false;
    }
    let before = if text.starts_with(char::is_whitespace) {
        ""
    } else {
        line.before_word()
    };
    let after = text.chars().next_back().filter(|last| last.is_whitespace());
    let after = after.unwrap_or_else(|| first_char(rest));
    match raised::form(text.trim(), level, before, Some(after)) {
        Form::Marked(form) => line.exactly(&form),
        Form::Joined(form) => line.words(&form),
        Form::Tagged => return false,
    }
    if after.is_whitespace() {
        line.space();
    }
    true
}

fn write_other(piece: &Inline, line: &mut Line) {
    match piece {
        Inline::Image { alt, number } => line.image(alt, &format!("image:{number}")),
        Inline::LinkedImage { alt, url } => line.image(alt, url),
        Inline::Break => line.line_break(),
        Inline::Math { latex, display } => line.formula(latex, *display),
        Inline::Note(label) => line.note(label),
        Inline::CheckBox(is_checked) => line.check_box(*is_checked),
        Inline::Text { .. } | Inline::Link { .. } => {}
    }
}

/// The format of the next text that is not blank. It has none if another piece precedes it.
fn next_style(rest: &[Piece<'_>]) -> Style {
    let mut rest = rest.iter().take(limits::FIELD_PIECES);
    let next = rest.find(|piece| match piece {
        Piece::Text(text, _) => !text.trim().is_empty(),
        Piece::Field => false,
        Piece::Link(..) | Piece::Other(_) => true,
    });
    match next {
        Some(Piece::Text(_, style)) => *style,
        _ => Style::default(),
    }
}

/// The character after a text. It is a line feed at the end of the block.
fn first_char(rest: &[Piece<'_>]) -> char {
    match rest.first() {
        Some(Piece::Text(text, _)) => text.chars().next().unwrap_or('\n'),
        Some(Piece::Field | Piece::Other(Inline::Break)) => ' ',
        Some(Piece::Other(Inline::Math { .. })) => '$',
        Some(Piece::Other(Inline::Image { .. } | Inline::LinkedImage { .. })) => '!',
        Some(Piece::Link(..) | Piece::Other(_)) => '[',
        None => '\n',
    }
}

/// Closes the marks of formats that the next text does not have.
fn close(line: &mut Line, open: &mut Vec<usize>, next: Style) {
    let is_kept = |mark: &usize| {
        MARKS
            .get(*mark)
            .is_some_and(|(format, ..)| next.has(*format))
    };
    while !open.iter().all(is_kept) {
        let Some(mark) = open.pop() else { return };
        if let Some((_, _, sign)) = MARKS.get(mark) {
            line.close(sign);
        }
    }
}
