//! Leader dots, such as those of a table of contents.

use super::lines::Line;
use super::words::Word;
use crate::leaders::leader;

/// Whether a line has leader dots before a page number, such as the lines of a table of contents.
pub fn is_leader(words: &[Word], line: &Line) -> bool {
    let Some(last) = line.words.iter().rposition(|it| has_dots(words, *it)) else {
        return false;
    };
    // A table has values in several columns after the dots.
    if !line.rtl && columns_after(line, last) > 1 {
        return false;
    }
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

/// Whether a word is a dot, or has leader dots.
fn has_dots(words: &[Word], index: usize) -> bool {
    words.get(index).is_some_and(|it| is_dots(&it.text))
}

/// Whether a word is nothing but leader dots, or ends with them.
pub fn is_dots(text: &str) -> bool {
    text == "." || leader(text).is_some()
}

/// The number of cells after the last leader dots of a line.
fn columns_after(line: &Line, last: usize) -> usize {
    let cells = line
        .cells
        .iter()
        .filter(|it| it.end > last.saturating_add(1));
    cells.count()
}
