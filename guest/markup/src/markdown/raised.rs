//! Raised and lowered text: `10^4` and `x_i`.
//!
//! Without a mark, the digits of a power would continue the number before it. Other raised text is a
//! mark of a note or the end of an ordinal number, or has HTML tags around it.

use super::Renderer;
use super::line::Line;
use crate::dom::{Document, Id, Tag};
use crate::limits;

/// The form of a raised or lowered text.
#[derive(Debug, PartialEq, Eq)]
enum Form {
    /// Text with `^` or `_` before it.
    Marked(String),
    /// Text that continues the text before it.
    Joined(String),
    /// Text that needs HTML tags.
    Tagged,
}

impl Renderer<'_> {
    /// Adds a raised or lowered text to a line.
    pub fn raised(&mut self, id: Id, tag: Tag, line: &mut Line) {
        let (start, end) = match tag {
            Tag::Sup => ("<sup>", "</sup>"),
            _ => ("<sub>", "</sub>"),
        };
        if self.is_note_mark(id, tag) {
            self.inlines(id, line);
            return;
        }
        let form = if self.is_simple(id) && !is_numerator(self.document, id, tag) {
            form_of(self.document, id, tag, line.last())
        } else {
            Form::Tagged
        };
        match form {
            Form::Marked(text) => line.exactly(&text),
            Form::Joined(text) => line.words(&text),
            Form::Tagged => {
                line.open(start);
                self.inlines(id, line);
                line.close(end);
            }
        }
    }

    /// Whether a raised text is the mark of a note: a short link, or text in square brackets.
    fn is_note_mark(&self, id: Id, tag: Tag) -> bool {
        if tag != Tag::Sup {
            return false;
        }
        let mut text = String::new();
        self.document.raw_text(id, &mut text);
        let text = text.trim();
        let mut nodes = self.document.subtree(id).take(limits::RAISED_NODES);
        (text.starts_with('[') && text.ends_with(']'))
            || (text.chars().count() <= limits::LABEL_CHARS
                && nodes.any(|id| self.document.is(id, Tag::A)))
    }

    /// Whether an element has text only, perhaps with a format.
    fn is_simple(&self, id: Id) -> bool {
        let mut nodes = self.document.subtree(id).skip(1);
        nodes.all(|id| match self.document.tag(id) {
            None => true,
            Some(
                Tag::I
                | Tag::Em
                | Tag::B
                | Tag::Strong
                | Tag::Span
                | Tag::Var
                | Tag::Small
                | Tag::Font
                | Tag::Cite,
            ) => !self.is_dropped(id),
            Some(_) => false,
        })
    }
}

/// Appends a raised or lowered text to code, in which there are no tags.
pub fn append_to_code(document: &Document, id: Id, tag: Tag, out: &mut String) {
    let before = out.chars().next_back();
    match form_of(document, id, tag, before) {
        Form::Marked(text) | Form::Joined(text) => out.push_str(&text),
        Form::Tagged => {
            let mut text = String::new();
            document.raw_text(id, &mut text);
            if !text.trim().is_empty() && before.is_some_and(ends_base) {
                out.push(mark(tag));
                out.push('(');
                out.push_str(text.trim());
                out.push(')');
            } else {
                out.push_str(&text);
            }
        }
    }
}

fn form_of(document: &Document, id: Id, tag: Tag, before: Option<char>) -> Form {
    let mut text = String::new();
    document.raw_text(id, &mut text);
    let after = document.next_sibling(id).and_then(|next| {
        let mut after = String::new();
        document.raw_text(next, &mut after);
        after.chars().next()
    });
    form(text.trim(), tag, before, after)
}

/// The form of a text between two characters.
fn form(text: &str, tag: Tag, before: Option<char>, after: Option<char>) -> Form {
    if text.is_empty() {
        return Form::Joined(String::new());
    }
    if tag == Tag::Sup {
        let sign = match text {
            "TM" | "tm" | "™" => Some("™"),
            "SM" | "℠" => Some("℠"),
            "®" | "©" => Some(text),
            _ => None,
        };
        let ordinal = || is_ordinal(text) && before.is_some_and(|before| before.is_ascii_digit());
        if let Some(joined) = sign.or_else(|| ordinal().then_some(text)) {
            return Form::Joined(joined.to_owned());
        }
    }
    let is_part = |c: char| {
        c.is_alphanumeric() || matches!(c, '+' | '-' | '−' | '–' | '.' | ',' | '/' | '=' | '′')
    };
    if !before.is_some_and(ends_base)
        || text.chars().count() > limits::RAISED_CHARS
        || !text.chars().all(is_part)
    {
        return Form::Tagged;
    }
    let digits = text.trim_start_matches(['+', '-', '−', '–']);
    let is_single = !digits.is_empty() && digits.chars().all(char::is_alphanumeric);
    let continues = after.is_some_and(char::is_alphanumeric) && text.chars().count() > 1;
    let mark = mark(tag);
    Form::Marked(if is_single && !continues {
        format!("{mark}{text}")
    } else {
        format!("{mark}({text})")
    })
}

fn mark(tag: Tag) -> char {
    match tag {
        Tag::Sup => '^',
        _ => '_',
    }
}

/// Whether a character may be the end of what a raised text belongs to.
fn ends_base(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, ')' | ']' | '}' | '′')
}

/// Whether a raised text ends an ordinal number, in English or a Romance language.
fn is_ordinal(text: &str) -> bool {
    let ends = [
        "st", "nd", "rd", "th", "er", "re", "e", "ème", "o", "a", "º", "ª",
    ];
    ends.contains(&text)
}

/// Whether a raised text is the numerator of a fraction: a slash and a lowered text follow.
fn is_numerator(document: &Document, id: Id, tag: Tag) -> bool {
    let slash = document.next_sibling(id).filter(|_| tag == Tag::Sup);
    slash.is_some_and(|slash| {
        let is_slash = document
            .text(slash)
            .is_some_and(|text| matches!(text.trim(), "/" | "⁄"));
        let next = document.next_sibling(slash);
        is_slash && next.is_some_and(|next| document.is(next, Tag::Sub))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn form_depends_on_the_text_before_and_after() {
        let marked = |text: &str| Form::Marked(text.to_owned());
        let joined = |text: &str| Form::Joined(text.to_owned());
        for (text, tag, before, after, expected) in [
            ("4", Tag::Sup, Some('0'), None, marked("^4")),
            ("-12", Tag::Sup, Some('0'), Some(' '), marked("^-12")),
            ("12", Tag::Sup, Some('0'), Some('m'), marked("^(12)")),
            ("n+1", Tag::Sup, Some('x'), None, marked("^(n+1)")),
            ("2", Tag::Sub, Some('H'), Some('O'), marked("_2")),
            ("i", Tag::Sub, Some(')'), None, marked("_i")),
            ("th", Tag::Sup, Some('9'), None, joined("th")),
            ("th", Tag::Sup, Some('x'), None, marked("^th")),
            ("TM", Tag::Sup, Some('x'), None, joined("™")),
            ("2", Tag::Sup, None, None, Form::Tagged),
            ("see below", Tag::Sup, Some('x'), None, Form::Tagged),
        ] {
            assert_eq!(form(text, tag, before, after), expected, "{text}");
        }
    }
}
