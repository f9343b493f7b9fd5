//! Tables between horizontal lines of one width, which are over the head, below it, and at the end, and tables with
//! one line, which is below the head.
//!
//! The lines tell where the table starts and ends, so that less white than elsewhere shows its columns:
//! they may be closer to each other than the words of a sentence that is justified.

use super::draft::{Around, Found};
use super::gaps;
use super::lines::{self, Cell, Line};
use super::runs::{self, Band};
use super::strokes::{self, Stroke};
use super::words::Word;
use super::{limits, sections, spans, table, tables};
use crate::extremes::Extremes as _;
use crate::page::Rect;

/// The least length of the lines, in sizes of running text.
const LENGTH: f32 = 5.0;

/// The difference of the ends of the lines of a table in points.
const SAME_END: f32 = 1.5;

/// The least number of lines of a table.
const LINES: usize = 3;

/// The distance of two lines in points up to which they are a double line.
const DOUBLE: f32 = 4.0;

/// The part of the font size by which text may be outside of the lines.
const OUTSIDE: f32 = 0.5;

/// The distances of the first baseline from the line above it, and of the last one from the line below it, in font
/// sizes.
const BELOW_LINE: f32 = 2.2;
const ABOVE_LINE: f32 = 1.6;

/// The distance in which a row may be outside of the lines, and the distance of its lines, in font sizes.
const OPEN: f32 = 7.0;
const STEP: f32 = 1.35;

/// The height of the rows below a head in font sizes: more than a page. The part of the width of the table from which a
/// line with one cell is text below it.
const BODY: f32 = 200.0;
const WIDE: f32 = 0.7;

/// The depth of letters below their baseline in font sizes.
const DEPTH: f32 = 0.25;

/// The least number of rows with several cells, and of columns of a table whose head is not in columns.
const ROWS: usize = 2;
const COLUMNS: usize = 3;

/// The part of the lines that have several cells at least.
const PART: usize = 6;

/// The greatest number of lines of a cell. Text with more is in columns of a page.
const TALLEST: usize = 14;

/// A table between lines.
pub struct Framed {
    /// Its place.
    pub rect: Rect,
    /// The table.
    pub found: Found,
    /// The lines of its text.
    pub lines: Vec<Line>,
}

/// Finds tables between the horizontal lines of a page, and takes their words. `work` counts comparisons.
pub fn tables(
    (across, edges): (&[Stroke], &[Stroke]),
    words: &mut [Word],
    taken: &mut [bool],
    body: f32,
    work: &std::cell::Cell<usize>,
) -> Vec<Framed> {
    let mut strokes = strokes::merged(across.to_vec());
    strokes.retain(|it| it.end - it.start > LENGTH * body);
    if strokes.is_empty() || strokes.len() > limits::FRAMES {
        return Vec::new();
    }
    let mut order: Vec<usize> = (0..words.len())
        .filter(|it| !taken.get(*it).copied().unwrap_or(true))
        .collect();
    order.sort_by(|a, b| y_of(words, *a).total_cmp(&y_of(words, *b)));
    let gap = gaps::gap(words);
    let mut page = Page {
        words,
        order,
        edges,
        body,
        gap,
        work,
    };
    let mut out = Vec::new();
    while let Some(first) = strokes.first().copied() {
        let near = |a: f32, b: f32| (a - b).abs() < SAME_END;
        let (same, rest): (Vec<Stroke>, Vec<Stroke>) = strokes
            .into_iter()
            .partition(|it| near(it.start, first.start) && near(it.end, first.end));
        strokes = rest;
        let heights: Vec<f32> = same.iter().map(|it| it.at).collect();
        for (framed, words) in page.between((first.start, first.end), &heights) {
            for index in words {
                if let Some(taken) = taken.get_mut(index) {
                    *taken = true;
                }
            }
            out.push(framed);
        }
    }
    out
}

fn y_of(words: &[Word], index: usize) -> f32 {
    words.get(index).map_or(0.0, |it| it.y)
}

/// What is known of a page.
struct Page<'a> {
    words: &'a mut [Word],
    /// The words that are in no table, from the top.
    order: Vec<usize>,
    /// Horizontal lines and the edges of fills.
    edges: &'a [Stroke],
    body: f32,
    /// The white between two words of different cells in font sizes.
    gap: f32,
    work: &'a std::cell::Cell<usize>,
}

impl Page<'_> {
    /// The tables between lines of one width at some heights, with their words.
    fn between(&mut self, sides: (f32, f32), heights: &[f32]) -> Vec<(Framed, Vec<usize>)> {
        let mut runs: Vec<Vec<Band>> = vec![Vec::new()];
        for pair in heights.windows(2) {
            let [top, bottom] = pair else { continue };
            match self.band(sides, (*top, *bottom)) {
                Some(band) if band.words.is_empty() => {}
                Some(band) => {
                    if let Some(run) = runs.last_mut() {
                        run.push(band);
                    }
                }
                None => runs.push(Vec::new()),
            }
        }
        let runs: Vec<Vec<Band>> = runs
            .into_iter()
            .flat_map(|it| runs::split(self.words, self.gap, it))
            .collect();
        let least = LINES.saturating_sub(1);
        let mut out = Vec::new();
        for run in runs {
            // Text before or after the table may be between lines of its width.
            let mut rest = run.as_slice();
            while rest.len() >= least {
                let found = (least..=rest.len())
                    .rev()
                    .take(limits::FRAME_BANDS)
                    .find_map(|count| Some((count, self.open(rest.get(..count)?, sides)?)));
                let (count, found) = found.map_or((1, None), |it| (it.0, Some(it.1)));
                out.extend(found);
                rest = rest.get(count..).unwrap_or_default();
            }
        }
        for at in heights {
            let within = |it: &(Framed, Vec<usize>)| it.0.rect.y0 <= *at && *at <= it.0.rect.y1;
            if !out.iter().any(within) {
                let next = heights.iter().find(|it| **it > *at + DOUBLE).copied();
                out.extend(self.headed(sides, (*at, next)));
            }
        }
        out
    }

    /// The table of a head over a line, and of the rows below it. `next` is the height of the next line.
    fn headed(
        &mut self,
        sides: (f32, f32),
        (at, next): (f32, Option<f32>),
    ) -> Option<(Framed, Vec<usize>)> {
        let last = self
            .order
            .partition_point(|it| y_of(self.words, *it) <= at)
            .checked_sub(1)?;
        let size = self.words.get(*self.order.get(last)?)?.size;
        let (x0, x1) = (sides.0 - OUTSIDE * size, sides.1 + OUTSIDE * size);
        let lines_of = |page: &mut Self, top: f32, bottom: f32| -> Vec<Line> {
            let from = page
                .order
                .partition_point(|it| y_of(page.words, *it) <= top);
            let to = page
                .order
                .partition_point(|it| y_of(page.words, *it) < bottom);
            let near = page.order.get(from..to).unwrap_or_default().iter().copied();
            let inside = |it: &usize| {
                page.words
                    .get(*it)
                    .is_some_and(|it| it.x1 > x0 && it.x0 < x1)
            };
            let words = near.filter(inside).collect();
            lines::lines(page.words, words)
        };
        let mut heads = lines_of(self, at - OPEN * size, at);
        for line in &mut heads {
            line.cells = gaps::cells(self.words, line, self.gap);
        }
        let first = spans::heads(&heads, self.edges, sides);
        let mut heads = heads.split_off(first);
        let head = heads.pop().filter(|it| at - it.y < ABOVE_LINE * size)?;
        let rest = self.work.get().checked_sub(self.order.len());
        self.work.set(rest.unwrap_or_default());
        rest?;
        let columns: Vec<(f32, f32)> = head.cells.iter().map(|it| (it.x0, it.x1)).collect();
        let starts = (head.x0 - sides.0).abs() < BELOW_LINE * size && head.x1 <= x1;
        if columns.len() < 2 || !starts {
            return None;
        }
        let mut body = Band {
            top: at,
            bottom: at,
            words: Vec::new(),
        };
        let mut y = at;
        for line in lines_of(self, at, at + BODY * size) {
            let cells = gaps::cells(self.words, &line, self.gap);
            let through = |it: &Cell| gaps::hits(&columns, it) > 1;
            let below = next.is_some_and(|it| it < line.y);
            let alone =
                cells.len() < 2 && (below || line.x1 - line.x0 > WIDE * (sides.1 - sides.0));
            if line.y - y > BELOW_LINE * size
                || line.x0 < x0
                || line.x1 > x1
                || alone
                || cells.iter().any(through)
            {
                break;
            }
            y = line.y;
            body.bottom = y + DEPTH * size;
            body.words.extend(line.words);
        }
        heads.push(head);
        let head = Band {
            top: heads.first().map_or(at, |it| it.y - it.size),
            bottom: at,
            words: heads.iter().flat_map(|it| it.words.clone()).collect(),
        };
        let found = self.table(&[&head, &body], sides)?;
        let several = |it: &&Line| it.cells.len() >= 2;
        let rows = found.lines.iter().filter(several).count();
        if rows <= ROWS || found.found.columns.len() != columns.len() {
            return None;
        }
        let words = [head.words, body.words].concat();
        Some((found, words))
    }

    /// The words between two lines. `None` if they are no part of a table.
    fn band(&self, (x0, x1): (f32, f32), (top, bottom): (f32, f32)) -> Option<Band> {
        let from = self
            .order
            .partition_point(|it| y_of(self.words, *it) <= top);
        let to = self
            .order
            .partition_point(|it| y_of(self.words, *it) < bottom);
        let mut out = Band {
            top,
            bottom,
            words: Vec::new(),
        };
        let (mut first, mut last): (Option<&Word>, Option<&Word>) = (None, None);
        for index in self.order.get(from..to).unwrap_or_default() {
            let Some(word) = self.words.get(*index) else {
                continue;
            };
            let slack = OUTSIDE * word.size;
            if word.x1 < x0 - slack || word.x0 > x1 + slack {
                continue;
            }
            if word.x0 < x0 - slack || word.x1 > x1 + slack {
                return None;
            }
            first = first.or(Some(word));
            last = Some(word);
            out.words.push(*index);
        }
        let (Some(first), Some(last)) = (first, last) else {
            return (bottom - top < DOUBLE).then_some(out);
        };
        let near =
            first.y - top < BELOW_LINE * first.size && bottom - last.y < ABOVE_LINE * last.size;
        near.then_some(out)
    }

    /// The table of some bands, with its words. The first and the last row may be outside of the lines.
    fn open(&mut self, bands: &[Band], sides: (f32, f32)) -> Option<(Framed, Vec<usize>)> {
        let mut all: Vec<&Band> = bands.iter().collect();
        let mut out = self.table(&all, sides)?;
        let (top, bottom) = (bands.first()?.top, bands.last()?.bottom);
        let above = self.outside(sides, (top, -1.0), &out);
        let below = self.outside(sides, (bottom, 1.0), &out);
        if let Some(above) = &above {
            all.insert(0, above);
        }
        all.extend(below.as_ref());
        if all.len() > bands.len()
            && let Some(more) = self.table(&all, sides)
            && more.found.columns.len() == out.found.columns.len()
        {
            out = more;
        } else {
            all = bands.iter().collect();
        }
        let words = all.iter().flat_map(|it| it.words.iter().copied()).collect();
        Some((out, words))
    }

    /// The row outside of the lines of a table, at the first or the last of them.
    fn outside(
        &mut self,
        sides: (f32, f32),
        (at, way): (f32, f32),
        table: &Framed,
    ) -> Option<Band> {
        let size = table.lines.first()?.size;
        let far = at + way * size * OPEN;
        let (top, bottom) = (at.lesser(far), at.greater(far));
        let (x0, x1) = sides;
        let from = self
            .order
            .partition_point(|it| y_of(self.words, *it) <= top);
        let to = self
            .order
            .partition_point(|it| y_of(self.words, *it) < bottom);
        let inside = |it: &usize| {
            let word = self.words.get(*it);
            word.is_some_and(|it| it.x1 > x0 && it.x0 < x1)
        };
        let near = self.order.get(from..to).unwrap_or_default();
        let words: Vec<usize> = near.iter().copied().filter(inside).collect();
        let mut lines = lines::lines(self.words, words);
        if way < 0.0 {
            lines.reverse();
        }
        let mut last = at;
        let mut band = Band {
            top: at,
            bottom: at,
            words: Vec::new(),
        };
        let mut several = false;
        for line in lines {
            let step = (line.y - last) * way;
            let most = match (band.words.is_empty(), way < 0.0) {
                (true, true) => ABOVE_LINE,
                (true, false) => BELOW_LINE,
                (false, _) => STEP,
            };
            if step > most * line.size || line.x0 < x0 - OUTSIDE * line.size {
                break;
            }
            let cells = gaps::cells(self.words, &line, self.gap);
            let columns = |it: &Cell| gaps::hits(&table.found.columns, it);
            if cells.iter().any(|it| columns(it) > 1) || line.x1 > x1 + OUTSIDE * line.size {
                break;
            }
            let known = table.lines.as_slice();
            let alone = way > 0.0 && line.bold && cells.len() < 2;
            if alone
                || self.is_ruled(sides, (last.lesser(line.y), last.greater(line.y)))
                || sections::is_heading_by(self.words, (&line, &cells), known)
            {
                break;
            }
            let own = table.found.columns.iter();
            let own = own.filter(|column| cells.iter().any(|it| gaps::hits(&[**column], it) > 0));
            let own = own.count();
            several |= own >= 2 && own.saturating_mul(2) >= table.found.columns.len();
            last = line.y;
            if way < 0.0 {
                band.top = line.y - line.size;
            } else {
                band.bottom = line.y + DEPTH * line.size;
            }
            band.words.extend(line.words);
        }
        several.then_some(band)
    }

    /// Whether a line as wide as the table is between two heights.
    fn is_ruled(&self, sides: (f32, f32), (top, bottom): (f32, f32)) -> bool {
        let from = self.edges.partition_point(|it| it.at < top + DOUBLE);
        let edges = self.edges.get(from..).unwrap_or_default().iter();
        edges
            .take_while(|it| it.at < bottom)
            .any(|it| it.start < sides.0 + SAME_END && it.end > sides.1 - SAME_END)
    }

    /// The table of some bands.
    fn table(&mut self, bands: &[&Band], sides: (f32, f32)) -> Option<Framed> {
        let mut lines: Vec<Line> = Vec::new();
        let mut starts: Vec<bool> = Vec::new();
        let mut counts: Vec<usize> = Vec::new();
        for band in bands {
            let own = lines::lines(self.words, band.words.clone());
            counts.push(own.len());
            starts.extend((0..own.len()).map(|it| it == 0));
            lines.extend(own);
        }
        let head = counts.first().copied().unwrap_or_default();
        for line in &mut lines {
            line.cells = gaps::cells(self.words, line, self.gap);
        }
        let mut breaks = tables::edges_above(&lines, self.edges);
        for (edge, start) in breaks.iter_mut().zip(starts) {
            *edge |= start;
        }
        let around = Around {
            words: self.words,
            breaks: &breaks,
            edges: self.edges,
            body: self.body,
            sides,
            work: self.work,
        };
        let count = lines.iter().map(|it| it.cells.len()).sum::<usize>();
        if !around.charge(count.saturating_mul(4)) {
            return None;
        }
        let columns = gaps::columns(&lines, head)?;
        for line in &mut lines {
            line.cells = gaps::split(self.words, line, &columns);
        }
        // The line below a heading is no line of a table.
        let mut rest = lines.as_slice();
        for count in counts {
            let (own, next) = rest.split_at_checked(count)?;
            let headed = sections::ends_with_heading(self.words, own)
                || own
                    .iter()
                    .any(|it| sections::is_heading_by(self.words, (it, &it.cells), &lines));
            if headed || gaps::is_text(own, &columns) {
                return None;
            }
            rest = next;
        }
        let found = table::framed(&lines, columns, &around)?;
        let several = |it: &&Line| it.cells.len() >= 2;
        let multi = lines.iter().filter(several).count();
        let in_columns = lines.iter().take(head).any(|it| several(&it));
        let mut cells = found.rows.iter().flatten();
        if multi < ROWS
            || multi.saturating_mul(PART) < lines.len()
            || !in_columns && found.columns.len() < COLUMNS
            || cells.any(|it| it.lines.len() > TALLEST)
        {
            return None;
        }
        Some(Framed {
            rect: Rect {
                x0: sides.0,
                y0: bands.first()?.top,
                x1: sides.1,
                y1: bands.last()?.bottom,
            },
            found,
            lines,
        })
    }
}
