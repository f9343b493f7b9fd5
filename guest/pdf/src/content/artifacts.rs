//! Artifacts that are text of the page. Programs mark running heads, page numbers and backgrounds as
//! artifacts (ISO 32000-2, 14.8.2.2), but also the labels of forms and of values. This is the only place that
//! decides: text that is still an artifact after it is left out.

use super::visible::Show;
use crate::limits;
use crate::page::{Direction, Glyph, PageContent, Rect};
use std::ops::Range;

/// The distance of baselines of text on one line in font sizes, and the greatest quotient of their sizes.
const ON_LINE: f32 = 0.15;
const SIZES: f32 = 1.6;

/// The distance of positions in points below which they are equal.
const SAME: f32 = 0.01;

/// The maximum number of glyphs that are compared with a run.
const COMPARED: usize = 64;

/// The part of the page between its edges.
const BODY: Range<f32> = 0.12..0.88;

/// The number of glyphs in the body from which artifacts are text if they are a quarter of the page.
const MANY: usize = 40;

/// Glyphs of artifacts that follow each other on one line.
struct Run {
    start: usize,
    end: usize,
    rect: Rect,
    size: f32,
}

/// Keeps the artifacts that are text of the page, as text. `widgets` are the rectangles of the form fields.
pub fn keep(page: &mut PageContent, widgets: &[Rect], show: Show) {
    let count = |artifact: bool| {
        let glyphs = page.glyphs.iter();
        glyphs
            .filter(|it| it.artifact == artifact && !it.text.is_blank())
            .count()
    };
    let artifacts = count(true);
    if artifacts == 0 {
        return;
    }
    let own = count(false);
    let body = BODY.start * page.height..BODY.end * page.height;
    let is_inner =
        |it: &Glyph| it.artifact && it.direction != Direction::Other && body.contains(&it.y);
    let inner = page
        .glyphs
        .iter()
        .filter(|it| is_inner(it) && !it.text.is_blank())
        .count();
    let all = own.saturating_add(artifacts);
    if own == 0 || inner >= MANY && inner.saturating_mul(4) >= all {
        for glyph in &mut page.glyphs {
            glyph.artifact &= own > 0 && !is_inner(glyph);
        }
        page.labels = inner;
    }
    let in_body = |run: &Run| body.contains(&run.rect.y1);
    let runs = runs(&page.glyphs);
    let lines = Lines::of(&page.glyphs);
    let mut checks = limits::COVER_CHECKS;
    let kept: Vec<&Run> = runs
        .iter()
        .filter(|run| {
            let in_body = in_body(run);
            if in_body && !widgets.is_empty() {
                return true;
            }
            if !has_letters(page.glyphs.get(run.start..run.end).unwrap_or_default()) {
                // A number beside a line.
                return false;
            }
            checks = checks.saturating_sub(widgets.len());
            checks > 0 && widgets.iter().any(|widget| is_label(run, widget)) || lines.has(run)
        })
        .collect();
    let labels = kept.iter().map(|run| run.end.saturating_sub(run.start));
    page.labels = labels.fold(page.labels, usize::saturating_add);
    let kept: Vec<(usize, usize)> = kept.iter().map(|run| (run.start, run.end)).collect();
    for (start, end) in kept {
        for glyph in page.glyphs.get_mut(start..end).into_iter().flatten() {
            glyph.artifact = false;
        }
    }
    if show == Show::All {
        for glyph in &mut page.glyphs {
            glyph.artifact = false;
        }
    }
}

fn runs(glyphs: &[Glyph]) -> Vec<Run> {
    let mut out: Vec<Run> = Vec::new();
    for (place, glyph) in glyphs.iter().enumerate() {
        // Text in other directions beside the page, and watermarks, are no text of it.
        if !glyph.artifact || glyph.direction != Direction::Right {
            continue;
        }
        let end = place.saturating_add(1);
        let rect = Rect {
            x0: glyph.x0,
            y0: glyph.y - glyph.size,
            x1: glyph.x1,
            y1: glyph.y,
        };
        match out.last_mut() {
            Some(run)
                if run.end == place
                    && (run.rect.y1 - glyph.y).abs() < 0.3 * glyph.size
                    && (glyph.x0 - run.rect.x1).abs() < glyph.size =>
            {
                run.end = end;
                run.rect = run.rect.around(&rect);
            }
            _ => out.push(Run {
                start: place,
                end,
                rect,
                size: glyph.size,
            }),
        }
    }
    out
}

fn has_letters(glyphs: &[Glyph]) -> bool {
    glyphs
        .iter()
        .any(|it| it.text.first().is_some_and(char::is_alphabetic))
}

/// Whether a text is beside a form field, or right above it.
fn is_label(run: &Run, widget: &Rect) -> bool {
    let beside = run.rect.y1 > widget.y0 && run.rect.y0 < widget.y1;
    let above = run.rect.y1 <= widget.y0 + 1.0
        && run.rect.y1 > widget.y0 - 1.5 * run.size
        && run.rect.x0 < widget.x1
        && run.rect.x1 > widget.x0;
    beside || above
}

/// The lines of the text of a page that is no artifact.
struct Lines {
    /// The baseline and the size of glyphs, by the baseline.
    glyphs: Vec<(f32, f32)>,
}

impl Lines {
    fn of(glyphs: &[Glyph]) -> Self {
        let mut glyphs: Vec<(f32, f32)> = glyphs
            .iter()
            .filter(|it| !it.artifact && it.direction == Direction::Right && !it.text.is_blank())
            .map(|it| (it.y, it.size))
            .collect();
        glyphs.sort_by(|a, b| a.0.total_cmp(&b.0));
        glyphs.dedup_by(|next, last| (next.0 - last.0).abs() < SAME && next.1 <= last.1);
        Self { glyphs }
    }

    /// Whether text of about the same size is on the line of a run.
    fn has(&self, run: &Run) -> bool {
        let near = ON_LINE * run.size;
        let first = self.glyphs.partition_point(|it| it.0 < run.rect.y1 - near);
        let mut line = self
            .glyphs
            .iter()
            .skip(first)
            .take(COMPARED)
            .take_while(|it| it.0 <= run.rect.y1 + near);
        line.any(|it| run.size < SIZES * it.1 && it.1 < SIZES * run.size)
    }
}
