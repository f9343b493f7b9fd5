//! Text with formats, links and escapes → Markdown.
//!
//! Escapes are written only where a character would be markup.

use super::escape::{self, TypedLists};
use crate::model::{Inline, Style};

/// The block of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Context {
    /// A paragraph, which may have several lines.
    Paragraph,
    /// A heading. It has one line, and is bold without markup.
    Heading,
    /// A cell of a table. Its line ends are `<br>`.
    Cell,
}

/// A text with one format, or finished Markdown.
enum Piece {
    Text(String, Style),
    Raw(String),
    Break,
}

/// Writes a paragraph.
pub fn render(content: &[Inline], context: Context) -> String {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut rest = content.iter().peekable();
    while let Some(piece) = rest.next() {
        match piece {
            Inline::Text { text, style } => push_text(&mut pieces, text, *style, context),
            Inline::Link { url, content } => {
                // Programs split a link where the format changes.
                let mut content = content.clone();
                while let Some(Inline::Link {
                    url: next,
                    content: more,
                }) = rest.peek()
                {
                    if next != url {
                        break;
                    }
                    content.extend_from_slice(more);
                    rest.next();
                }
                push_link(&mut pieces, url, &content, context);
            }
            Inline::Image { alt, number } => {
                let alt = alternative_text(alt);
                pieces.push(Piece::Raw(format!("![{alt}](image:{number})")));
            }
            Inline::LinkedImage { alt, url } => {
                let (alt, url) = (alternative_text(alt), destination(url));
                pieces.push(Piece::Raw(format!("![{alt}]({url})")));
            }
            Inline::Break => pieces.push(Piece::Break),
            Inline::Math { latex, display } => {
                let latex = math(latex.trim(), context);
                if !latex.is_empty() {
                    let sign = if *display && context == Context::Paragraph {
                        "$$"
                    } else {
                        "$"
                    };
                    pieces.push(Piece::Raw(format!("{sign}{latex}{sign}")));
                }
            }
            Inline::Note(label) => {
                // The mark of a note has brackets of its own.
                if is_bracket(pieces.last(), &["(", "["])
                    && let Some(Inline::Text { text, style }) = rest.peek()
                    && is_raised_bracket(text, *style, &[")", "]"])
                {
                    pieces.pop();
                    rest.next();
                }
                pieces.push(Piece::Raw(format!("[^{label}]")));
            }
            Inline::CheckBox(checked) => {
                let sign = if *checked { "[x]" } else { "[ ]" };
                pieces.push(Piece::Raw(sign.to_owned()));
            }
        }
    }
    finish(&write(&pieces), context)
}

/// Returns whether a piece is one of these brackets, above the line.
fn is_bracket(piece: Option<&Piece>, brackets: &[&str]) -> bool {
    match piece {
        Some(Piece::Text(text, style)) => is_raised_bracket(text, *style, brackets),
        _ => false,
    }
}

/// Returns whether a text is one of these brackets, above the line.
fn is_raised_bracket(text: &str, style: Style, brackets: &[&str]) -> bool {
    style.has(Style::SUP) && brackets.contains(&text.trim())
}

/// Writes the alternative text of an image in one line.
fn alternative_text(alt: &str) -> String {
    let alt = alt.split_whitespace().collect::<Vec<_>>().join(" ");
    let alt = escape::inline(&alt, None, None);
    alt.replace('[', "\\[").replace(']', "\\]")
}

/// Returns a formula in which no sign ends a cell.
pub fn math(latex: &str, context: Context) -> String {
    if context != Context::Cell || !latex.contains('|') {
        return latex.to_owned();
    }
    let latex = latex.replace("\\|", "\\Vert ").replace('|', "\\vert ");
    latex.trim_end().to_owned()
}

/// Adds a text to the pieces, and joins it with a text of the same format.
fn push_text(pieces: &mut Vec<Piece>, text: &str, style: Style, context: Context) {
    let style = if context == Context::Heading {
        style.without(Style::BOLD)
    } else {
        style
    };
    if !text.is_ascii() && text.contains(is_invisible) {
        let text: String = text.chars().filter(|char| !is_invisible(*char)).collect();
        return push_text(pieces, &text, style, context);
    }
    if text.is_empty() {
        return;
    }
    if let Some(Piece::Text(last, own)) = pieces.last_mut()
        && *own == style
    {
        last.push_str(text);
        return;
    }
    pieces.push(Piece::Text(text.to_owned(), style));
}

/// Adds a link to the pieces. White space at its ends is outside.
fn push_link(pieces: &mut Vec<Piece>, url: &str, content: &[Inline], context: Context) {
    let plain = crate::model::plain_text(content);
    let text = render(content, context);
    if text.is_empty() {
        push_text(pieces, &plain, Style::default(), context);
        return;
    }
    if plain.starts_with(char::is_whitespace) {
        push_text(pieces, " ", Style::default(), context);
    }
    let url = url.trim();
    let shown = plain.trim();
    let simple = url.starts_with("http://") || url.starts_with("https://");
    if url.is_empty() {
        pieces.push(Piece::Raw(text));
    } else if shown == url && simple && !url.contains(['<', '>', ' ']) {
        pieces.push(Piece::Raw(format!("<{url}>")));
    } else if url.strip_prefix("mailto:") == Some(shown) && !shown.contains(['<', '>', ' ']) {
        pieces.push(Piece::Raw(format!("<{shown}>")));
    } else {
        pieces.push(Piece::Raw(format!("[{text}]({})", destination(url))));
    }
    if plain.ends_with(char::is_whitespace) {
        push_text(pieces, " ", Style::default(), context);
    }
}

/// Writes the address of a link.
fn destination(url: &str) -> String {
    let mut out = String::with_capacity(url.len());
    for char in url.chars() {
        match char {
            '(' => out.push_str("%28"),
            ')' => out.push_str("%29"),
            '<' => out.push_str("%3C"),
            '>' => out.push_str("%3E"),
            char if char.is_whitespace() => out.push_str("%20"),
            char if char.is_control() => {}
            char => out.push(char),
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

/// Splits texts so that white space at their ends is separate. Its format is the one that the texts
/// on both sides have in common, because marks do not work next to white space.
fn separated(pieces: &[Piece]) -> Vec<(&str, Option<Style>)> {
    let mut out: Vec<(&str, Option<Style>)> = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Text(text, style) => {
                let core = text.trim();
                if core.is_empty() {
                    out.push((text, Some(Style::default())));
                    continue;
                }
                let start = text.len().saturating_sub(text.trim_start().len());
                let end = text.trim_end().len();
                for (part, style) in [
                    (text.get(..start), Style::default()),
                    (Some(core), *style),
                    (text.get(end..), Style::default()),
                ] {
                    if let Some(part) = part.filter(|part| !part.is_empty()) {
                        out.push((part, Some(style)));
                    }
                }
            }
            Piece::Raw(text) => out.push((text, None)),
            Piece::Break => out.push(("\n", None)),
        }
    }
    let mut before = None;
    let mut common = Vec::with_capacity(out.len());
    for (text, style) in &out {
        if !text.trim().is_empty() {
            before = *style;
        } else if style.is_none() {
            before = None;
        }
        common.push(before);
    }
    let mut after = None;
    for ((text, style), before) in out.iter_mut().zip(common).rev() {
        if !text.trim().is_empty() {
            after = *style;
        } else if let (Some(own), Some(before), Some(after)) = (style.as_mut(), before, after) {
            *own = before.common(after).without(Style::CODE);
        } else if style.is_none() {
            after = None;
        }
    }
    out
}

/// Writes the pieces with their marks.
fn write(pieces: &[Piece]) -> String {
    let pieces = separated(pieces);
    let mut out = String::new();
    let mut open: Vec<usize> = Vec::new();
    for (index, (text, style)) in pieces.iter().enumerate() {
        let Some(style) = style else {
            close(&mut out, &mut open, Style::default());
            out.push_str(text);
            continue;
        };
        let length = out.len();
        close(&mut out, &mut open, *style);
        let closed = out.len() != length && out.ends_with('*');
        for (mark, (format, sign, _)) in MARKS.iter().enumerate() {
            // `**a***b*` has no clear meaning.
            let ambiguous = closed && sign.starts_with('*');
            if style.has(*format) && !open.contains(&mark) && !ambiguous {
                out.push_str(sign);
                open.push(mark);
            }
        }
        if style.has(Style::CODE) && !text.trim().is_empty() {
            out.push_str(&code_span(text));
            continue;
        }
        let neighbour = |at: Option<usize>| pieces.get(at?);
        let before = neighbour(index.checked_sub(1)).and_then(|(text, _)| text.chars().next_back());
        let after = neighbour(index.checked_add(1)).and_then(|(text, _)| text.chars().next());
        // An asterisk next to a mark would be a part of the mark.
        let marked = style.has(Style::BOLD) || style.has(Style::ITALIC);
        let mark = |sign: bool, usual: Option<char>| if marked && sign { Some('*') } else { usual };
        let before = mark(text.starts_with('*'), before);
        let after = mark(text.ends_with('*'), after);
        out.push_str(&escape::inline(text, before, after));
    }
    close(&mut out, &mut open, Style::default());
    out
}

/// Closes the marks of formats that the next text does not have.
fn close(out: &mut String, open: &mut Vec<usize>, next: Style) {
    let is_kept = |mark: &usize| {
        MARKS
            .get(*mark)
            .is_some_and(|(format, ..)| next.has(*format))
    };
    while !open.iter().all(is_kept) {
        let Some(mark) = open.pop() else { return };
        if let Some((_, _, sign)) = MARKS.get(mark) {
            out.push_str(sign);
        }
    }
}

/// Returns the length of the longest sequence of backticks.
pub fn longest_ticks(text: &str) -> usize {
    let parts = text.split(|char| char != '`');
    parts.map(str::len).max().unwrap_or_default()
}

/// Writes code inside a paragraph.
pub fn code_span(text: &str) -> String {
    let ticks = "`".repeat(longest_ticks(text).saturating_add(1));
    let space = if text.starts_with('`') || text.ends_with('`') {
        " "
    } else {
        ""
    };
    format!("{ticks}{space}{text}{space}{ticks}")
}

/// The spaces that Word shows in the place of an empty field of a form.
const EMPTY_FIELD: &str = "\u{2002}\u{2002}\u{2002}\u{2002}\u{2002}";

/// Writes a paragraph with single spaces, and escapes the starts of its lines.
fn finish(text: &str, context: Context) -> String {
    if !text.is_ascii() && text.contains(EMPTY_FIELD) {
        return finish(&text.replace(EMPTY_FIELD, " _____ "), context);
    }
    let mut out = String::with_capacity(text.len());
    for line in text.split('\n') {
        let start = out.len();
        let mut words = line.trim().split(is_space).filter(|word| !word.is_empty());
        let Some(first) = words.next() else {
            continue;
        };
        if start > 0 {
            out.push_str(match context {
                Context::Paragraph => "  \n",
                Context::Heading => " ",
                Context::Cell => "<br>",
            });
        }
        let line_start = out.len();
        out.push_str(first);
        for word in words {
            out.push(' ');
            out.push_str(word);
        }
        let written = out.get(line_start..).unwrap_or_default();
        if context == Context::Paragraph
            && let Some(at) = if start > 0 && written == "-" {
                // A hyphen after a line would make it a heading.
                Some(0)
            } else {
                escape::block_start(written, TypedLists::Lists)
            }
        {
            out.insert(line_start.saturating_add(at), '\\');
        }
    }
    if context == Context::Cell && out.contains('|') {
        return out.replace('|', "\\|");
    }
    out
}

/// Returns whether a character is not shown: a possible end of a line, a mark of the byte order, or a
/// mark of the direction of its neighbours. Searches do not find words with such characters. Other
/// hidden characters, and overrides of directions, which can hide text, are kept, so that the reader
/// reports them.
fn is_invisible(char: char) -> bool {
    matches!(
        char,
        '\u{ad}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{feff}'
    )
}

/// Returns whether a character is shown as a space.
fn is_space(char: char) -> bool {
    // Searches are for usual spaces. The wide space of Chinese and Japanese is kept.
    matches!(
        char,
        ' ' | '\t' | '\r' | '\u{b}' | '\u{c}' | '\u{a0}' | '\u{2000}'
            ..='\u{200a}' | '\u{2028}' | '\u{2029}' | '\u{202f}' | '\u{205f}'
    )
}
