//! The content of a page → its parts in reading order.

use super::document::{Asked, Document};
use super::draft::Found;
use super::edges::{self, Edge, Id};
use super::flow::{self, Entry};
use super::grid::{self, Grid};
use super::head::Head;
use super::lines::{self, Line};
use super::parts::{Kind, Part};
use super::pieces::{Hints, Piece, What};
use super::prepared::Prepared;
use super::region::Uncut;
use super::scene::Scene;
use super::turned::TurnedWords;
use super::words::Word;
use super::{boxes, definitions, framed, limits, notes, region, resumed, sizes, typewriter};
use crate::page::Rect;
use std::cell::Cell;

/// A block that is known before the lines are: a ruled table or an image.
pub enum Known {
    /// A ruled table.
    Grid(Grid),
    /// An image, by its position in the list of the page.
    Image(usize),
    /// A box, whose parts follow.
    Box,
    /// A table between horizontal lines, with the lines of its text.
    Framed(Found, Vec<Line>),
}

/// The parts of a page in reading order.
pub struct Analysis {
    /// The content of the page.
    pub page: Prepared,
    /// The blocks that are known.
    pub known: Vec<Known>,
    /// The parts.
    pub parts: Vec<Part>,
    /// Running heads, feet and page numbers, which are not in the parts.
    pub heads: Vec<Head>,
    /// What the lines at the edges have in common with those of other pages.
    pub lines: Vec<Id>,
    /// What it asked of the document.
    pub asked: Asked,
}

/// A page that can be analysed.
pub struct Ready {
    /// The content of the page.
    pub page: Prepared,
    /// The lines at its edges.
    pub edges: Vec<Edge>,
    /// What is known not to be in columns.
    pub uncut: Option<Uncut>,
}

impl Ready {
    /// Finds the lines at the edges of a page.
    pub fn of(page: Prepared) -> Self {
        Self {
            edges: edges::edges(&page),
            page,
            uncut: None,
        }
    }
}

impl Analysis {
    /// Analyses a page. `index` is the number of the page, from 0.
    pub fn of(document: &Document, index: usize, mut page: Prepared) -> Self {
        if document.typewritten {
            typewriter::prepare(&mut page);
        }
        Self::with(document, index, Ready::of(page))
    }

    /// As [`Analysis::of`], for a page that is ready.
    pub fn with(document: &Document, index: usize, ready: Ready) -> Self {
        let Ready {
            mut page,
            edges,
            uncut,
        } = ready;
        let mut taken = vec![false; page.words.len()];
        let (heads, edge_lines) = document.furniture.remove(index, &edges, &mut taken);
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
        let work = Cell::new(limits::TABLE_WORK);
        let asked = Cell::new(Asked::default());
        let edges = page.edges();
        let framed = framed::tables(
            (&page.across, &edges),
            &mut page.words,
            &mut taken,
            document.body,
            &work,
        );
        for table in framed {
            pieces.push(block_piece(&table.rect, known.len()));
            known.push(Known::Framed(table.found, table.lines));
        }
        for (index, image) in page.images.iter().enumerate() {
            pieces.push(block_piece(&image.rect, known.len()));
            known.push(Known::Image(index));
        }
        for (index, word) in page.words.iter().enumerate() {
            if !taken.get(index).copied().unwrap_or(true) {
                pieces.push(Piece::word(index, word));
            }
        }
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
        let mut parts: Vec<Part> = Vec::new();
        let mut rest: Vec<Vec<Piece>> = region::regions(pieces, &hints, uncut.as_ref());
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
                asked: &asked,
            };
            let from = parts.len();
            let mut next = flow::parts(&scene, entries);
            for part in &mut next {
                if let Kind::Block(index) = part.kind
                    && let Some(Known::Framed(found, lines)) = known.get_mut(index)
                {
                    part.kind = Kind::Table(std::mem::take(found));
                    part.lines = std::mem::take(lines);
                }
            }
            let mut next = next.into_iter();
            if let Some(first) = next.next() {
                resumed::join(&page.words, &mut parts, first);
            }
            parts.extend(next);
            // The boxes of the region follow it.
            for part in parts.iter().skip(from) {
                if let Kind::Block(index) = part.kind
                    && let Some(at) = inner.iter().position(|it| it.0 == index)
                {
                    let (_, own) = inner.remove(at);
                    let mut regions = region::regions(own, &hints, None);
                    regions.reverse();
                    rest.extend(regions);
                }
            }
        }
        let parts = notes::place(&page.words, definitions::expanded(parts));
        Self {
            page,
            known,
            parts,
            heads,
            lines: edge_lines,
            asked: asked.get(),
        }
    }
}

/// The size of text in points that is used as the size of a block.
const BLOCK_SIZE: f32 = 10.0;

/// The part of the font size from the baseline of a line up to its middle.
const MIDDLE: f32 = 0.3;

/// The distance of lines up to which they may be of one paragraph, in font sizes. The usual one is 1.2.
const STEP: f32 = 1.5;

/// The distance of their starts, in font sizes.
const SAME_START: f32 = 0.5;

fn block_piece(rect: &Rect, index: usize) -> Piece {
    Piece {
        x0: rect.x0,
        x1: rect.x1,
        top: rect.y0,
        bottom: rect.y1,
        y: rect.y0,
        size: BLOCK_SIZE,
        chars: 0,
        bold: false,
        lower: false,
        what: What::Block(index),
    }
}

/// The lines and the blocks of a region, from the top.
fn entries(words: &mut [Word], region: Vec<Piece>, known: &[Known]) -> Vec<Entry> {
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
            it.0 < line.y - MIDDLE * line.size && !(close && image && it.1 > line.y)
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
fn are_close(last: &Line, line: &Line) -> bool {
    let near = sizes::SAME * line.size;
    line.y - last.y < STEP * line.size
        && (last.size - line.size).abs() < near
        && last.bold == line.bold
        && (last.x0 - line.x0).abs() < SAME_START * line.size
}
