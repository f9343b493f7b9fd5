//! The titles of a page, which may recur as running heads.

use super::lines;
use super::prepared::Prepared;
use super::text;
use super::text::squeezed;
use super::words::Word;

/// The size of a line of the first page above which it is a title of the document.
const LARGE: f32 = 1.2;

/// The maximum number of words of such lines.
const WORDS: usize = 200;

/// The least number of bytes of a title that recurs. Shorter ones are in other lines by chance.
pub const LEAST_BYTES: usize = 3;

/// The titles of a page: large lines.
pub fn of_page(page: &Prepared, body: f32) -> Vec<String> {
    let mut words: Vec<Word> = page
        .words
        .iter()
        .filter(|it| it.size > LARGE * body)
        .take(WORDS)
        .cloned()
        .collect();
    let all: Vec<usize> = (0..words.len()).collect();
    let lines = lines::lines(&mut words, all);
    let mut out: Vec<String> = lines
        .iter()
        .map(|it| squeezed(&text::plain(&words, &[&it.words])))
        .collect();
    // A title of two lines.
    if let [a, b, ..] = lines.as_slice() {
        out.push(squeezed(&text::plain(&words, &[&a.words, &b.words])));
    }
    out.retain(|it| it.len() >= LEAST_BYTES);
    out
}
