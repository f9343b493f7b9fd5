//! Layout analysis: the content of a page without tags → blocks.
//!
//! ```text
//! document    what is known of the whole document: sizes of headings, words, running heads
//! frame       the directions of the text of a page
//! words       glyphs → words
//! prepared    the content of a page in the frame of its text
//! furniture   running heads, feet and page numbers
//! feet        the numbers at the ends of feet
//! grid        tables with lines around their cells
//! cells       the cells of tables with lines
//! raster      columns of white
//! region      columns and bands over the full width
//! lines       words → lines
//! flow        lines → headings, paragraphs, list items, code and tables
//! breaks      where paragraphs end
//! headings    which lines are headings
//! hanging     terms with their definitions at their side
//! marker      bullets and numbers of list items
//! rows        lines of tables → rows
//! overprint   lines that are printed over tables
//! strips      columns of tables that are close to each other, and lines over a table
//! table       tables without vertical lines
//! extent      the lines that may belong to such a table
//! leaders     leader dots
//! code        lines of code, and their text
//! definitions lists of terms and their definitions
//! notes       footnotes go to their references
//! turned      words of other directions in the cells of tables
//! text        lines → text with formats and links
//! blocks      parts → blocks
//! boxes       filled boxes beside the text
//! continued   tables that go on on the next page
//! order       the words of a line in the order of reading
//! number      conversions between counts and measures
//! vocabulary  hyphens at the ends of lines
//! limits      every limit, with its reason
//! ```

mod blocks;
mod boxes;
mod breaks;
mod cells;
mod code;
mod continued;
mod definitions;
mod document;
mod extent;
mod feet;
mod flow;
mod frame;
mod furniture;
mod grid;
mod hanging;
mod headings;
mod leaders;
mod limits;
mod lines;
mod marker;
mod notes;
mod number;
mod order;
mod overprint;
mod prepared;
mod raster;
mod region;
mod rows;
mod strips;
mod table;
#[cfg(test)]
mod tests;
mod text;
mod turned;
mod vocabulary;
mod words;

use crate::page::PageContent;
pub use breaks::is_open;
pub use document::{Context, Document};
use flow::{Entry, Kind, Part, Scene};
use grid::{Grid, Stroke};
use headings::Class;
use omniread_document::model::Block;
use prepared::Prepared;
use region::{Hints, Piece, What};
use turned::TurnedWords;
pub use vocabulary::keeps_hyphen;

/// The pages before and after a page.
#[derive(Clone, Copy, Debug, Default)]
pub struct Neighbours<'a> {
    /// The page before.
    pub before: Option<&'a PageContent>,
    /// The page after.
    pub after: Option<&'a PageContent>,
}

/// Returns the blocks of a page. `index` is the number of the page, from 0.
pub fn blocks(
    document: &Document,
    index: usize,
    page: &PageContent,
    neighbours: Neighbours<'_>,
) -> Vec<Block> {
    let mut analysis = Analysis::of(document, index, Prepared::of(page));
    let before = neighbours
        .before
        .zip(index.checked_sub(1))
        .filter(|_| analysis.starts_with_terms() || analysis.first_table().is_some())
        .map(|(page, index)| Analysis::of(document, index, Prepared::of(page)));
    if let Some(before) = &before {
        analysis.continue_table(before);
    }
    let mut blocks = blocks::blocks(document, &analysis);
    if let (Some(Block::Table(table)), Some(shape), Some(before)) =
        (blocks.first_mut(), analysis.first_table(), &before)
    {
        continued::header(document, before, &shape, table);
    }
    blocks
}

/// A block that is known before the lines are: a ruled table or an image.
enum Known {
    Grid(Grid),
    Image(usize),
    /// A box, whose parts follow.
    Box,
}

/// The parts of a page in reading order.
struct Analysis {
    page: Prepared,
    known: Vec<Known>,
    parts: Vec<Part>,
}

impl Analysis {
    fn of(document: &Document, index: usize, mut page: Prepared) -> Self {
        let mut taken = vec![false; page.words.len()];
        document.furniture.remove(index, &page, &mut taken);
        let mut known: Vec<Known> = Vec::new();
        let mut pieces: Vec<Piece> = Vec::new();
        let mut turned = TurnedWords::of(&mut page);
        let grids = grid::grids(
            page.across.clone(),
            page.down.clone(),
            &page.words,
            &mut turned,
            &mut taken,
        );
        turned.place(&mut page, &mut taken);
        for grid in grids {
            pieces.push(block_piece(&grid.rect, known.len()));
            known.push(Known::Grid(grid));
        }
        for (rect, number) in &page.images {
            pieces.push(block_piece(rect, known.len()));
            known.push(Known::Image(*number));
        }
        for (index, word) in page.words.iter().enumerate() {
            if !taken.get(index).copied().unwrap_or(true) {
                pieces.push(Piece::word(index, word));
            }
        }
        let edges = edges(&page);
        let hints = Hints {
            body: document.body,
            gutter: document.gutter,
            edges: &edges,
        };
        let mut inner: Vec<(usize, Vec<Piece>)> = Vec::new();
        for (rect, own) in boxes::boxes(&page.fills, &mut pieces, document.body) {
            inner.push((known.len(), own));
            pieces.push(block_piece(&rect, known.len()));
            known.push(Known::Box);
        }
        let labels = notes::labels(&page.words);
        let work = std::cell::Cell::new(limits::TABLE_WORK);
        let mut parts: Vec<Part> = Vec::new();
        let mut rest: Vec<Vec<Piece>> = region::regions(pieces, &hints);
        rest.reverse();
        while let Some(region) = rest.pop() {
            let entries = entries(&mut page.words, region, &known);
            let scene = Scene {
                words: &page.words,
                body: document.body,
                edges: &edges,
                labels: &labels,
                document,
                work: &work,
            };
            let from = parts.len();
            let mut next = flow::parts(&scene, entries).into_iter();
            if let Some(first) = next.next() {
                blocks::join(&page.words, &mut parts, first);
            }
            parts.extend(next);
            // The boxes of the region follow it.
            for part in parts.iter().skip(from) {
                if let Kind::Block(index) = part.kind
                    && let Some(at) = inner.iter().position(|it| it.0 == index)
                {
                    let (_, own) = inner.remove(at);
                    let mut regions = region::regions(own, &hints);
                    regions.reverse();
                    rest.extend(regions);
                }
            }
        }
        let parts = notes::place(&page.words, definitions::expanded(parts));
        Self { page, known, parts }
    }
}

fn block_piece(rect: &crate::page::Rect, index: usize) -> Piece {
    Piece {
        x0: rect.x0,
        x1: rect.x1,
        top: rect.y0,
        bottom: rect.y1,
        y: rect.y0,
        size: 10.0,
        chars: 0,
        bold: false,
        lower: false,
        what: What::Block(index),
    }
}

/// The lines and the blocks of a region, from the top.
fn entries(words: &mut [words::Word], region: Vec<Piece>, known: &[Known]) -> Vec<Entry> {
    let mut indices = Vec::new();
    // The upper side, the lower side, and the index.
    let mut blocks: Vec<(f32, f32, usize)> = Vec::new();
    for piece in region {
        match piece.what {
            What::Word(index) => indices.push(index),
            // Boxes follow the text at their side.
            What::Block(index) => match known.get(index) {
                Some(Known::Box) => blocks.push((f32::MAX, f32::MAX, index)),
                _ => blocks.push((piece.top, piece.bottom, index)),
            },
        }
    }
    blocks.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut blocks = blocks.into_iter().peekable();
    let mut out = Vec::new();
    for line in lines::lines(words, indices) {
        if flow::is_blank(words, &line) {
            continue;
        }
        // An image beside or below the text is not between two lines that are close.
        let close = matches!(out.last(), Some(Entry::Line(last)) if are_close(last, &line));
        let before = |it: &(f32, f32, usize)| {
            let image = matches!(known.get(it.2), Some(Known::Image(_)));
            it.0 < line.y - 0.3 * line.size && !(close && image && it.1 > line.y)
        };
        while let Some((.., index)) = blocks.next_if(before) {
            out.push(Entry::Block(index));
        }
        out.push(Entry::Line(line));
    }
    out.extend(blocks.map(|it| Entry::Block(it.2)));
    out
}

/// Whether two lines may be of one paragraph.
fn are_close(last: &lines::Line, line: &lines::Line) -> bool {
    let near = 0.04 * line.size;
    line.y - last.y < 1.5 * line.size
        && (last.size - line.size).abs() < near
        && last.bold == line.bold
        && (last.x0 - line.x0).abs() < 0.5 * line.size
}

/// Horizontal lines and the upper and lower edges of fills, sorted by the position.
fn edges(page: &Prepared) -> Vec<Stroke> {
    let mut out = page.across.clone();
    for fill in &page.fills {
        for at in [fill.y0, fill.y1] {
            out.push(Stroke {
                at,
                start: fill.x0,
                end: fill.x1,
            });
        }
    }
    grid::merged(out)
}

/// The looks of the headings of a page, and whether they are at the side of all text.
fn heading_classes(document: &Document, index: usize, page: Prepared) -> Vec<(Class, bool)> {
    let analysis = Analysis::of(document, index, page);
    analysis
        .parts
        .iter()
        .filter_map(|it| match it.kind {
            Kind::Heading(class) => Some((class, !document.has_text_at(it.lines.first()?))),
            _ => None,
        })
        .collect()
}

/// The middle of the white between two columns of a page.
fn page_gutter(document: &Document, index: usize, page: &Prepared) -> Option<f32> {
    let mut taken = vec![false; page.words.len()];
    document.furniture.remove(index, page, &mut taken);
    let pieces: Vec<Piece> = page
        .words
        .iter()
        .enumerate()
        .filter(|(index, _)| !taken.get(*index).copied().unwrap_or(true))
        .map(|(index, word)| Piece::word(index, word))
        .collect();
    let edges = edges(page);
    let hints = Hints {
        body: document.body,
        gutter: None,
        edges: &edges,
    };
    region::main_gutter(&pieces, &hints)
}
