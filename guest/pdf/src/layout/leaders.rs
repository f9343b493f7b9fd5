//! Leader dots, such as those of a table of contents.

use super::lines::Line;
use super::words::Word;

/// Whether a line has leader dots before a page number, such as the lines of a table of contents.
pub fn is_leader(words: &[Word], line: &Line) -> bool {
    let words = || line.words.iter().filter_map(|it| words.get(*it));
    let single = words().filter(|it| it.text == ".").count();
    // Few dots are leaders if they are all that is before the last word.
    let before = line.words.len().saturating_sub(4);
    let few = !line.rtl && before > 0 && words().skip(before).take(3).all(|it| it.text == ".");
    let dots = single >= 5 || few || words().any(|it| leader(&it.text).is_some());
    let number = |text: &str| {
        let text = text.trim_start_matches('.');
        let roman = |it: char| matches!(it, 'i' | 'v' | 'x' | 'l');
        !text.is_empty()
            && text.len() <= 6
            && (text.bytes().all(|it| it.is_ascii_digit() || it == b'-')
                || text.chars().all(roman)
                || text.chars().count() <= 4)
    };
    let last = if line.rtl {
        words().next()
    } else {
        words().next_back()
    };
    dots && last.is_some_and(|it| number(&it.text) || leader(&it.text).is_some())
}

/// The text before leader dots at the end of a word. `None` if it has none.
pub fn leader(text: &str) -> Option<&str> {
    let start = text.trim_end_matches(['.', '·', '…']);
    let dots = text.get(start.len()..).unwrap_or_default();
    let ellipses = dots.contains('…');
    (dots.chars().count() >= 5 || ellipses && dots.chars().count() >= 2).then_some(start)
}
