//! Lines → the text of a paragraph, with formats and links.

use super::lines::Line;
use super::marker;
use super::number;
use super::order;
use super::vocabulary::{Joint, Vocabulary, joint};
use super::words::{Rise, Word, space_between};
use crate::{leaders, script};
use omniread_document::model::{Inline, Style};
use std::rc::Rc;

/// What the composition of text needs.
#[derive(Clone, Copy, Debug)]
pub struct Ink<'a> {
    /// The words of the page.
    pub words: &'a [Word],
    /// The words of the document and of the page.
    pub known: &'a [&'a Vocabulary],
    /// The addresses of the links.
    pub links: &'a [Option<Rc<str>>],
}

/// A piece of text with one format.
struct Piece {
    text: String,
    style: Style,
    link: u32,
}

/// Returns the text of lines. `plain` leaves out bold and italic, such as in headings.
pub fn compose(ink: &Ink<'_>, lines: &[&[usize]], plain: bool) -> Vec<Inline> {
    let mut pieces: Vec<Piece> = Vec::new();
    for line in lines {
        for (place, part) in order::parts(ink.words, line).iter().enumerate() {
            let style = style(&part.word, plain);
            let glue = if place == 0 {
                line_end(&mut pieces, &part.word, ink.known)
            } else {
                part.space
            };
            push(&mut pieces, glue, &part.word, style);
        }
    }
    inlines(pieces, ink.links)
}

/// Returns the lines of a table of contents, with an ellipsis in place of the leader dots.
pub fn contents(ink: &Ink<'_>, lines: &[&[usize]]) -> Vec<Inline> {
    let mut out: Vec<Inline> = Vec::new();
    // Whether the title of an entry goes on in the next line.
    let mut open = false;
    for line in lines {
        let goes_on = std::mem::take(&mut open);
        if !goes_on && !out.is_empty() {
            out.push(Inline::Break);
        }
        let mut led = false;
        let mut words: Vec<Word> = Vec::new();
        let mut dots = false;
        for word in order::words(ink.words, line)
            .iter()
            .filter_map(|it| ink.words.get(*it))
        {
            let mut word = word.clone();
            let length = leaders::leader(&word.text).map(str::len);
            word.text.truncate(length.unwrap_or(word.text.len()));
            let is_dot = word.text == ".";
            if !is_dot && !word.text.is_empty() {
                led = std::mem::take(&mut dots);
                words.push(word);
            }
            // The dots are after the text of their word.
            dots |= is_dot || length.is_some();
        }
        let end = words.len().saturating_sub(1);
        let has_page = led
            || words
                .last()
                .is_some_and(|it| marker::page(&it.text).is_some());
        open = !has_page && !dots;
        for (index, word) in words.iter().enumerate() {
            let number = index == end && has_page && (index > 0 || led);
            let follows = index > 0 || goes_on;
            let before = match (number, follows) {
                (true, true) => " … ",
                (true, false) => "… ",
                (false, true) => " ",
                (false, false) => "",
            };
            out.push(Inline::plain(format!("{before}{}", word.text)));
        }
    }
    out
}

/// Returns the text of lines without formats.
pub fn plain(words: &[Word], lines: &[&[usize]]) -> String {
    let ink = Ink {
        words,
        known: &[],
        links: &[],
    };
    omniread_document::model::plain_text(&compose(&ink, lines, true))
}

fn style(word: &Word, plain: bool) -> Style {
    let mut style = Style::default();
    if word.face.bold && !plain {
        style = style.with(Style::BOLD);
    }
    if word.face.italic && !plain {
        style = style.with(Style::ITALIC);
    }
    if word.face.mono {
        style = Style::CODE;
    }
    match word.rise {
        Rise::Super => style.with(Style::SUP),
        Rise::Sub => style.with(Style::SUB),
        Rise::None => style,
    }
}

/// Adds a word, and the space before it.
fn push(pieces: &mut Vec<Piece>, space: bool, word: &Word, style: Style) {
    if let Some(last) = pieces.last_mut() {
        if last.style == style && last.link == word.link {
            if space {
                last.text.push(' ');
            }
            last.text.push_str(&word.text);
            return;
        }
        if space {
            // The space has the format that both have.
            let common = last.style.common(style);
            if common == last.style || common == style && last.link != word.link {
                last.text.push(' ');
            } else if common == style {
                pieces.push(Piece {
                    text: format!(" {}", word.text),
                    style,
                    link: word.link,
                });
                return;
            } else {
                pieces.push(Piece {
                    text: " ".to_owned(),
                    style: common,
                    link: 0,
                });
            }
        }
    }
    pieces.push(Piece {
        text: word.text.clone(),
        style,
        link: word.link,
    });
}

/// Joins the end of a line with the next line. Returns whether there is a space.
fn line_end(pieces: &mut [Piece], word: &Word, known: &[&Vocabulary]) -> bool {
    let Some(last) = pieces.last_mut() else {
        return false;
    };
    let (Some(end), Some(start)) = (last.text.chars().next_back(), word.text.chars().next()) else {
        return true;
    };
    if script::is_unspaced(end) && script::is_unspaced(start) {
        return false;
    }
    // Options of code start with hyphens.
    let option = |it: &str| it.rsplit(' ').next().is_some_and(|it| it.starts_with('-'));
    if end == '-' && last.style == Style::CODE && word.face.mono && option(&last.text) {
        return false;
    }
    if script::is_hyphen(end) && word.rise == Rise::None {
        match joint(&last.text, &word.text, known) {
            Joint::Join => {
                last.text.pop();
                return false;
            }
            Joint::Keep => return false,
            Joint::Space => {}
        }
    }
    let token = last.text.rsplit(' ').next().unwrap_or_default();
    let address = token.contains("://") && (end == '/' || end == '=' || end == '&' || end == '_');
    let dash = end == '—' && token.chars().count() > 1;
    !(address || dash)
}

fn inlines(pieces: Vec<Piece>, links: &[Option<Rc<str>>]) -> Vec<Inline> {
    let mut out = Vec::with_capacity(pieces.len());
    for piece in pieces {
        // Soft hyphens inside of a line are not shown.
        let text = if piece.text.contains('\u{ad}') {
            piece.text.replace('\u{ad}', "")
        } else {
            piece.text
        };
        if text.is_empty() {
            continue;
        }
        let url = (piece.link as usize)
            .checked_sub(1)
            .and_then(|it| links.get(it))
            .and_then(Option::as_ref);
        let inline = Inline::Text {
            text,
            style: piece.style,
        };
        match url {
            Some(url) => out.push(Inline::Link {
                url: url.to_string(),
                content: vec![inline],
            }),
            None => out.push(inline),
        }
    }
    out
}

/// The text of a line of code: the gaps between words are spaces.
pub fn code_line(words: &[Word], line: &Line, left: f32, advance: f32) -> String {
    let mut out = String::new();
    let mut edge = left;
    let mut before: Option<&Word> = None;
    for word in line.words.iter().filter_map(|it| words.get(*it)) {
        let count = number::count(((word.x0 - edge) / advance).round().clamp(0.0, 200.0));
        let least = usize::from(before.is_some_and(|it| space_between(it, word)));
        out.extend(std::iter::repeat_n(' ', count.max(least)));
        out.push_str(&word.text.replace('\u{ad}', "-"));
        edge = word.x1;
        before = Some(word);
    }
    out
}

/// A title without white space, in lower case.
pub fn squeezed(title: &str) -> String {
    title
        .chars()
        .filter(|it| it.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .take(200)
        .collect()
}
