//! Leader dots in texts: they lead the eye to the next column or to a page number, and are no text.

use omniread_document::model::{Inline, plain_text};

/// The least number of dots that lead to the next column. An ellipsis has three, and a full stop may precede it.
pub const LEADER_DOTS: usize = 5;

/// The number of bytes up to which text after leader dots is a page number, such as `xviii` or `A-12`.
const NUMBER: usize = 8;

/// The text before leader dots at the end of a word. `None` if it has none.
pub fn leader(text: &str) -> Option<&str> {
    if !text.ends_with(is_dot) {
        return None;
    }
    let start = text.trim_end_matches(is_dot);
    let dots = text.get(start.len()..).unwrap_or_default();
    let ellipses = dots.contains('…');
    (dots.chars().count() >= 5 || ellipses && dots.chars().count() >= 2).then_some(start)
}

/// Removes leader dots at the end of the text of a cell: they lead to the next column.
pub fn trim(content: &mut [Inline]) {
    let Some(Inline::Text { text, .. }) = content.last_mut() else {
        return;
    };
    let start = text.trim_end_matches(|it: char| is_dot(it) || it.is_whitespace());
    let tail = text.get(start.len()..).unwrap_or_default();
    let spaced = tail.split_whitespace().count();
    let dots = tail.chars().filter(|it| is_dot(*it)).count();
    // An ellipsis of three dots, also with spaces, is text.
    if dots >= LEADER_DOTS && (spaced >= 2 || leader(tail).is_some()) && !start.is_empty() {
        text.truncate(start.len());
    }
}

/// Replaces the leader dots before a page number, such as those of a table of contents, with an ellipsis.
pub fn shorten(content: &mut [Inline]) {
    shorten_before(content, "");
}

/// As [`shorten`], for content that a text follows.
fn shorten_before(content: &mut [Inline], after: &str) {
    for at in 0..content.len() {
        let Some((own, rest)) = content.get_mut(at..).and_then(<[Inline]>::split_first_mut) else {
            return;
        };
        if !has_dots(own) {
            continue;
        }
        let tail = tail(rest, after);
        match own {
            Inline::Text { text, .. } => {
                if let Some(short) = shortened(text, &tail) {
                    *text = short;
                }
            }
            Inline::Link { content, .. } => shorten_before(content, &tail),
            _ => {}
        }
    }
}

/// Whether a piece of text may have leader dots.
fn has_dots(piece: &Inline) -> bool {
    match piece {
        Inline::Text { text, .. } => text.chars().filter(|it| is_dot(*it)).count() >= LEADER_DOTS,
        Inline::Link { content, .. } => content.iter().any(has_dots),
        _ => false,
    }
}

/// The start of the text that follows on a line. It is too long for a page number if it is cut.
fn tail(rest: &[Inline], after: &str) -> String {
    let mut out = String::new();
    for piece in rest {
        if matches!(piece, Inline::Break) || out.len() > NUMBER {
            return out;
        }
        out.push_str(&plain_text(std::slice::from_ref(piece)));
    }
    out.push_str(after);
    out
}

pub fn is_dot(character: char) -> bool {
    matches!(character, '.' | '·' | '…')
}

/// A text with an ellipsis in place of its last leader dots, if only a page number follows them. `tail` is the text
/// after it.
fn shortened(text: &str, tail: &str) -> Option<String> {
    let end = text.rfind(is_dot).filter(|_| tail.len() <= NUMBER)?;
    let head = text.get(..end)?;
    let start = head.trim_end_matches(|it: char| is_dot(it) || it.is_whitespace());
    let dots = text.get(start.len()..)?;
    let count = dots.chars().filter(|it| is_dot(*it)).count();
    let number = dots.trim_start_matches(|it: char| is_dot(it) || it.is_whitespace());
    let page = format!("{number}{tail}");
    let page = page.trim();
    let is_page = (1..=NUMBER).contains(&page.len()) && !page.contains(char::is_whitespace);
    let space = if tail.starts_with(char::is_whitespace) {
        ""
    } else {
        " "
    };
    (count >= LEADER_DOTS && is_page && !start.is_empty())
        .then(|| format!("{start} …{space}{number}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trimmed(text: &str) -> String {
        let mut content = vec![Inline::plain(text.to_owned())];
        trim(&mut content);
        omniread_document::model::plain_text(&content)
    }

    #[test]
    fn leader_dots_before_a_page_number_are_an_ellipsis() {
        let short = |content: Vec<Inline>| {
            let mut content = content;
            shorten(&mut content);
            plain_text(&content)
        };
        let text = |text: &str| Inline::plain(text.to_owned());
        assert_eq!(
            short(vec![text("1 Overview ......... 6")]),
            "1 Overview … 6"
        );
        assert_eq!(
            short(vec![text("Parts . . . . . . "), text("xii")]),
            "Parts … xii"
        );
        let link = Inline::Link {
            url: "#p6".to_owned(),
            content: vec![text("2 Model ........"), text(" 8")],
        };
        assert_eq!(short(vec![link]), "2 Model … 8");
        for same in [
            "Name: .......... Date: ..........",
            "wait ..... what happens next",
            "v1.2.3 4",
            "...... 5",
        ] {
            assert_eq!(short(vec![text(same)]), same);
        }
        assert_eq!(
            short(vec![text("A ...... 1"), Inline::Break, text("B ...... 2")]),
            "A … 1\nB … 2"
        );
    }

    #[test]
    fn leader_dots_of_a_cell_are_left_out_and_other_dots_stay() {
        assert_eq!(trimmed("Total. . . . . . ."), "Total");
        assert_eq!(trimmed("0.99 .................."), "0.99");
        assert_eq!(trimmed("Delaware ········"), "Delaware");
        for text in [
            "and so on...",
            "and so on . . .",
            "v. 1.",
            ". . . . . .",
            "etc....",
        ] {
            assert_eq!(trimmed(text), text);
        }
    }
}
