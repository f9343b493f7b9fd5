//! Some of the glyphs of a page.

use crate::inline::{self, Options, Piece};
use crate::page::{Glyph, PageContent};
use omniread_document::model::{Block, Style, is_blank};
use std::borrow::Cow;

/// The lines of a page in the order of drawing.
pub fn lines(page: &PageContent) -> Vec<Block> {
    let glyphs: Vec<&Glyph> = page.glyphs.iter().collect();
    let pieces = |line: &[&Glyph]| {
        let pieces: Vec<Piece<'_>> = line
            .iter()
            .map(|glyph| Piece::Glyph {
                glyph: Cow::Owned((*glyph).clone()),
                style: Style::default(),
                link: None,
            })
            .collect();
        inline::inlines(page, &pieces, Options::default())
    };
    let lines = glyphs.chunk_by(|last, next| !inline::is_new_line(last, next));
    lines
        .map(pieces)
        .filter(|line| !is_blank(line))
        .map(Block::Paragraph)
        .collect()
}

/// A page with only some of its glyphs, and without lines and images.
pub fn only(page: &PageContent, places: &[usize]) -> PageContent {
    PageContent {
        width: page.width,
        height: page.height,
        glyphs: places
            .iter()
            .filter_map(|place| page.glyphs.get(*place).cloned())
            .collect(),
        fonts: page.fonts.clone(),
        links: page.links.clone(),
        ..PageContent::default()
    }
}

/// The artifacts of a page, as text. `None` if it has none.
pub fn artifacts(page: &PageContent) -> Option<PageContent> {
    let places: Vec<usize> = page
        .glyphs
        .iter()
        .enumerate()
        .filter(|(_, glyph)| glyph.artifact)
        .map(|it| it.0)
        .collect();
    if places.is_empty() {
        return None;
    }
    let mut out = only(page, &places);
    for glyph in &mut out.glyphs {
        glyph.artifact = false;
    }
    Some(out)
}
