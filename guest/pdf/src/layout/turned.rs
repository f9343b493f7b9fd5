//! Words of other directions in the cells of ruled tables, such as heads of columns that are turned by 90°.
//!
//! They belong to their cells. The other words of their direction are a text of its own.

use super::lines;
use super::prepared::Prepared;
use crate::page::Rect;

/// A word of another direction.
#[derive(Clone, Copy, Debug)]
pub struct Turned {
    /// The place in the frame of the page.
    pub rect: Rect,
    /// The index that the word gets in the words of the page.
    pub index: usize,
    /// The number of its line.
    line: usize,
    /// The direction and the index of the word in it.
    source: (usize, usize),
    /// Whether a cell has it.
    pub taken: bool,
}

impl Turned {
    /// The middle of the word, from above.
    fn middle(&self) -> f32 {
        0.5 * (self.rect.y0 + self.rect.y1)
    }

    /// The middle of the word.
    pub fn point(&self) -> (f32, f32) {
        (0.5 * (self.rect.x0 + self.rect.x1), self.middle())
    }
}

/// The words of the other directions of a page.
#[derive(Clone, Debug, Default)]
pub struct TurnedWords {
    /// Sorted from the top.
    words: Vec<Turned>,
}

impl TurnedWords {
    /// The words of a page.
    pub fn of(page: &mut Prepared) -> Self {
        let mut out: Vec<Turned> = Vec::new();
        let mut number: usize = 0;
        let first = page.words.len();
        for (direction, other) in page.others.iter_mut().enumerate() {
            let all = (0..other.words.len()).collect();
            for line in lines::lines(&mut other.words, all) {
                number = number.saturating_add(1);
                for index in line.words {
                    let Some(word) = other.words.get(index) else {
                        continue;
                    };
                    let rect = Rect {
                        x0: word.x0,
                        y0: word.top(),
                        x1: word.x1,
                        y1: word.bottom(),
                    };
                    out.push(Turned {
                        rect: page.turn.rect(&other.turn.back(&rect)),
                        index: first.saturating_add(out.len()),
                        line: number,
                        source: (direction, index),
                        taken: false,
                    });
                }
            }
        }
        out.sort_by(|a, b| a.middle().total_cmp(&b.middle()));
        Self { words: out }
    }

    /// Takes the words inside of a rectangle. Returns the lines of each cell, by the words' indices.
    /// `cell_at` returns the number of the cell at a position.
    pub fn take(
        &mut self,
        rect: &Rect,
        cell_at: impl Fn(f32, f32) -> Option<usize>,
    ) -> Vec<(usize, Vec<usize>)> {
        let first = self.words.partition_point(|it| it.middle() < rect.y0);
        let mut found: Vec<(usize, usize, usize)> = Vec::new();
        for word in self.words.iter_mut().skip(first) {
            let (x, y) = word.point();
            if y > rect.y1 {
                break;
            }
            if word.taken || !rect.contains(x, y) {
                continue;
            }
            if let Some(cell) = cell_at(x, y) {
                word.taken = true;
                found.push((word.index, word.line, cell));
            }
        }
        // The order of reading in their direction.
        found.sort_unstable();
        found
            .chunk_by(|a, b| a.1 == b.1 && a.2 == b.2)
            .filter_map(|it| {
                let cell = it.first()?.2;
                Some((cell, it.iter().map(|it| it.0).collect()))
            })
            .collect()
    }

    /// Moves the words that were taken to the words of the page.
    pub fn place(mut self, page: &mut Prepared, taken: &mut Vec<bool>) {
        if !self.words.iter().any(|it| it.taken) {
            return;
        }
        self.words.sort_by_key(|it| it.index);
        for turned in &self.words {
            let (direction, index) = turned.source;
            let source = page.others.get(direction);
            let word = source.and_then(|it| it.words.get(index)).cloned();
            page.words.push(word.unwrap_or_default());
            taken.push(true);
        }
        let mut gone: Vec<(usize, usize)> = self
            .words
            .iter()
            .filter(|it| it.taken)
            .map(|it| it.source)
            .collect();
        gone.sort_unstable();
        for (direction, other) in page.others.iter_mut().enumerate() {
            let words = std::mem::take(&mut other.words);
            other.words = words
                .into_iter()
                .enumerate()
                .filter(|(index, _)| gone.binary_search(&(direction, *index)).is_err())
                .map(|it| it.1)
                .collect();
        }
        page.others.retain(|it| !it.words.is_empty());
    }
}
