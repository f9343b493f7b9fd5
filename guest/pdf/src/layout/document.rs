//! What is known of a whole document.

use super::furniture::Furniture;
use super::lines::Line;
use super::number;
use super::parts::Class;
use super::sizes;
use super::text::squeezed;
use super::vocabulary::Vocabulary;
use super::words::Word;
use crate::extremes::Extremes as _;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::Bound;

/// The maximum number of entries of the outline that are looked for. Books have some thousand.
const OUTLINE: usize = 10_000;

/// What is derived once from a sample of the pages: sizes of headings, running heads, words.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Document {
    /// The size of running text in points.
    pub body: f32,
    /// The looks of headings, from the first level.
    pub levels: Vec<Class>,
    /// The words.
    pub vocabulary: Vocabulary,
    /// Running heads, feet and page numbers.
    pub furniture: Furniture,
    /// The middle of the white between two columns.
    pub gutter: Option<f32>,
    /// Sizes in which much text is written, in quarters of a point.
    pub common: Vec<usize>,
    /// The leftmost position where lines of running text start, in points. `None` without such lines.
    pub text_left: Option<f32>,
    /// Whether headings are at the side of all text.
    pub side_headings: bool,
    /// The leftmost position where lines start, in points.
    pub left: f32,
    /// Whether lines of slanted text are headings.
    pub slanted_headings: bool,
    /// Whether all text is in the font of a typewriter, so that the font is not a sign of code.
    pub typewritten: bool,
    /// The titles of the outline with their levels, without white space and in lower case.
    #[serde(skip)]
    pub outline: BTreeMap<String, u8>,
    /// The characters with which titles of the outline start: a bit for each of ASCII, and the first bit for all
    /// others.
    #[serde(skip)]
    pub starts: u128,
}

/// What the analysis of a page asked of the document that is known only after the pages of the sample were analysed.
/// In the sample, all answers are those of [`Document::answers_as_in_sample`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Asked {
    /// Whether slanted lines are headings.
    pub slanted: bool,
    /// Whether headings are at the side of all text.
    pub side: bool,
    /// Whether a heading is heavy and large.
    pub heavy: bool,
}

impl Document {
    /// Adds the titles of the outline with their levels.
    pub fn add_titles<'t>(&mut self, outline: impl Iterator<Item = (u8, &'t str)>) {
        for (level, title) in outline.take(OUTLINE) {
            self.add_title(title, level);
        }
    }

    /// Adds a title of the outline.
    fn add_title(&mut self, title: &str, level: u8) {
        let title = squeezed(title);
        self.starts |= title.chars().next().map_or(0, start);
        self.outline.entry(title).or_insert(level);
    }

    /// Whether a heading is heavy and large.
    pub fn has_heavy_headings(&self) -> bool {
        let heavy = |it: &Class| it.bold && it.size > sizes::LARGE * self.body;
        self.levels.iter().any(heavy)
    }

    /// Whether the answers to what the analysis of a page asked are the same as in the sample, so that an analysis of
    /// the sample is that of the document.
    pub fn answers_as_in_sample(&self, asked: Asked) -> bool {
        (!asked.slanted || self.slanted_headings)
            && (!asked.side || !self.side_headings)
            && (!asked.heavy || !self.has_heavy_headings())
    }

    /// Whether a line of these words may be a title of the outline. Lines from the right are not compared.
    pub fn may_list<'w>(&self, mut words: impl Iterator<Item = &'w Word> + Clone) -> bool {
        if self.outline.is_empty() {
            return false;
        }
        let has_text = |it: &&Word| it.text.contains(char::is_alphanumeric);
        words.clone().any(|it| it.rtl) || words.find(has_text).is_some_and(|it| self.may_start(it))
    }

    /// Whether a title of the outline starts with the text of a word.
    fn may_start(&self, word: &Word) -> bool {
        let first = word.text.chars().find(|it| it.is_alphanumeric());
        let first = first.and_then(|it| it.to_lowercase().next());
        if first.is_none_or(|it| self.starts & start(it) == 0) {
            return false;
        }
        let text = squeezed(&word.text);
        let from = (Bound::Included(text.as_str()), Bound::Unbounded);
        let next = self.outline.range::<str, _>(from).next();
        next.is_some_and(|it| it.0.starts_with(&text))
    }

    /// Whether a line of a page with these words may be a heading: some are large, heavy or slanted, or start as a
    /// title of the outline does.
    pub fn may_have_headings(&self, words: &[Word]) -> bool {
        let large = sizes::LARGE * self.body;
        words.iter().any(|it| {
            it.face.bold || it.face.italic || it.size > large || self.may_list(std::iter::once(it))
        })
    }

    /// Keeps running heads, feet and page numbers as text.
    pub fn keep_furniture(&mut self) {
        self.furniture = Furniture::default();
    }

    /// Whether much text has a size.
    pub fn is_common(&self, size: f32) -> bool {
        self.common.contains(&quarters(size))
    }

    /// Whether lines of running text start where a line starts, or to the left of it. Lines from the right
    /// are not compared.
    pub fn has_text_at(&self, line: &Line) -> bool {
        line.rtl
            || self
                .text_left
                .is_some_and(|it| it <= (line.x0 + 1.0).round())
    }

    /// The level of a heading, from 1.
    pub fn level(&self, class: &Class) -> u8 {
        let at = self.levels.iter().position(|it| !comes_before(it, class));
        let at = at.unwrap_or(self.levels.len().max(1).saturating_sub(1));
        u8::try_from(at.saturating_add(1)).unwrap_or(6).min(6)
    }
}

/// The bit of a character with which a title of the outline starts.
fn start(character: char) -> u128 {
    let place = u32::from(character);
    1_u128.checked_shl(place).unwrap_or(1)
}

/// A size in quarters of a point.
pub fn quarters(size: f32) -> usize {
    number::count((size.clamp(0.0, 1000.0) * 4.0).round())
}

/// The order of looks: larger, then heavier, then the number with less parts.
fn comes_before(a: &Class, b: &Class) -> bool {
    let near = sizes::tolerance(a.size.greater(b.size));
    if (a.size - b.size).abs() > near {
        return a.size > b.size;
    }
    if a.bold != b.bold {
        return a.bold;
    }
    if a.italic != b.italic {
        return b.italic;
    }
    a.depth.max(1) < b.depth.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(text: &str) -> Word {
        Word {
            text: text.to_owned(),
            size: 10.0,
            chars: text.chars().count(),
            ..Word::default()
        }
    }

    fn document(titles: &[&str]) -> Document {
        let mut out = Document {
            body: 10.0,
            ..Document::default()
        };
        for title in titles {
            out.add_title(title, 1);
        }
        out
    }

    #[test]
    fn lines_may_be_titles_whose_start_they_have() {
        let document = document(&["Part 1", "Über uns", "2. End"]);
        for text in ["Part", "(P", "über", "2.", "2"] {
            assert!(document.may_list([word(text)].iter()), "{text}");
        }
        for text in ["Parts", "1", "uns", "…", "ü2"] {
            assert!(!document.may_list([word(text)].iter()), "{text}");
        }
        // Signs before the text are left out, and lines from the right are not compared.
        assert!(document.may_list([word("•"), word("part"), word("of")].iter()));
        let from_right = Word {
            rtl: true,
            ..word("x")
        };
        assert!(document.may_list([word("x"), from_right].iter()));
    }

    #[test]
    fn pages_of_plain_text_have_no_headings() {
        let document = document(&["Part 1"]);
        let plain = [word("some"), word("text")];
        assert!(!document.may_have_headings(&plain));
        let mut others = [word("large"), word("bold"), word("slanted"), word("part")];
        others[0].size = 11.0;
        others[1].face.bold = true;
        others[2].face.italic = true;
        for other in others {
            let text = other.text.clone();
            assert!(document.may_have_headings(&[word("some"), other]), "{text}");
        }
    }

    #[test]
    fn answers_of_the_sample_are_compared() {
        let mut document = document(&[]);
        let asked = |slanted, side, heavy| Asked {
            slanted,
            side,
            heavy,
        };
        document.slanted_headings = true;
        assert!(document.answers_as_in_sample(asked(true, true, true)));
        document.slanted_headings = false;
        document.side_headings = true;
        document.levels.push(Class {
            size: 16.0,
            bold: true,
            italic: false,
            depth: 0,
        });
        assert!(document.answers_as_in_sample(Asked::default()));
        for asked in [
            asked(true, false, false),
            asked(false, true, false),
            asked(false, false, true),
        ] {
            assert!(!document.answers_as_in_sample(asked), "{asked:?}");
        }
    }
}
