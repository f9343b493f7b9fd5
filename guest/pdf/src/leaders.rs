//! Leader dots in texts: they lead the eye to the next column or to a page number, and are no text.

use omniread_document::model::Inline;

/// The least number of dots that lead to the next column. An ellipsis has three, and a full stop may precede it.
const LEADER_DOTS: usize = 5;

/// The text before leader dots at the end of a word. `None` if it has none.
pub fn leader(text: &str) -> Option<&str> {
    let start = text.trim_end_matches(['.', '·', '…']);
    let dots = text.get(start.len()..).unwrap_or_default();
    let ellipses = dots.contains('…');
    (dots.chars().count() >= 5 || ellipses && dots.chars().count() >= 2).then_some(start)
}

/// Removes leader dots at the end of the text of a cell: they lead to the next column.
pub fn trim(content: &mut [Inline]) {
    let Some(Inline::Text { text, .. }) = content.last_mut() else {
        return;
    };
    let is_dot = |it: char| matches!(it, '.' | '·' | '…');
    let start = text.trim_end_matches(|it: char| is_dot(it) || it.is_whitespace());
    let tail = text.get(start.len()..).unwrap_or_default();
    let spaced = tail.split_whitespace().count();
    let dots = tail.chars().filter(|it| is_dot(*it)).count();
    // An ellipsis of three dots, also with spaces, is text.
    if dots >= LEADER_DOTS && (spaced >= 2 || leader(tail).is_some()) && !start.is_empty() {
        text.truncate(start.len());
    }
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
