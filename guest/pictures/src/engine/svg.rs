//! Drawing SVG. Nothing outside it is loaded, and no script runs.

use super::pixels::Pixels;
use super::{facts, limits, resize};
use crate::Error;
use dejavu::{sans, sans_mono};
use resvg::tiny_skia::{Color, Pixmap, Transform};
use resvg::usvg::{self, ImageHrefResolver, ImageKind, Node, Options, Tree, fontdb};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// Width and height of an SVG in pixels.
///
/// # Errors
/// Why it cannot be drawn.
pub fn size(data: &[u8]) -> Result<(u32, u32), Error> {
    let (tree, _) = parse(data, 0)?;
    Ok(pixels_of(&tree))
}

/// Draws an SVG so that its longer side has at most `side` pixels, and says what
/// could not be drawn as it is meant. `pixels` is what pictures in it may have
/// in all.
///
/// # Errors
/// Why it cannot be drawn.
pub fn draw(data: &[u8], pixels: u64, side: u32) -> Result<(Pixels, Vec<String>), Error> {
    let (tree, left_out) = parse(data, pixels)?;
    let (width, height) = pixels_of(&tree);
    let long = width.max(height);
    let drawn = long.max(limits::DRAWN_SIDE).min(side);
    let (width, height) = resize::scaled(width, height, drawn);
    let mut pixmap =
        Pixmap::new(width, height).ok_or_else(|| Error::Exhausted("memory".to_owned()))?;
    pixmap.fill(Color::WHITE);
    let size = tree.size();
    #[expect(clippy::cast_precision_loss, reason = "sides have few digits")]
    let (x, y) = (width as f32 / size.width(), height as f32 / size.height());
    resvg::render(&tree, Transform::from_scale(x, y), &mut pixmap.as_mut());
    let mut notes = vec!["drawn on white".to_owned()];
    if left_out > 0 {
        notes.push(format!(
            "{left_out} linked or unreadable pictures in it are left out"
        ));
    }
    let missing = missing_glyphs(&tree);
    if missing > 0 {
        notes.push(format!(
            "{missing} characters of it have no glyph here and are drawn as boxes"
        ));
    }
    let pixels = Pixels {
        width,
        height,
        channels: 4,
        data: pixmap.take(),
    };
    // It was painted white all over.
    Ok((pixels.without_idle_alpha(), notes))
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "sides are positive, and what is too large ends at the largest number"
)]
fn pixels_of(tree: &Tree) -> (u32, u32) {
    let size = tree.size();
    let side = |length: f32| (length.round() as u32).max(1);
    (side(size.width()), side(size.height()))
}

/// Parses an SVG; the number is that of pictures in it that are left out.
fn parse(data: &[u8], pixels: u64) -> Result<(Tree, usize), Error> {
    if data.len() > limits::SVG_BYTES {
        return Err(Error::Exhausted("bytes".to_owned()));
    }
    check(data)?;
    let left_out = AtomicUsize::new(0);
    let shown = AtomicUsize::new(0);
    let budget = AtomicU64::new(pixels);
    let embedded = |mime: &str, data: Arc<Vec<u8>>, _: &Options<'_>| {
        let kind = embedded_kind(mime, &data, &budget)
            .filter(|_| shown.fetch_add(1, Ordering::Relaxed) < limits::SVG_PICTURES);
        if kind.is_none() {
            left_out.fetch_add(1, Ordering::Relaxed);
        }
        kind.map(|kind| kind(data))
    };
    let linked = |_: &str, _: &Options<'_>| {
        left_out.fetch_add(1, Ordering::Relaxed);
        None
    };
    let options = Options {
        image_href_resolver: ImageHrefResolver {
            resolve_data: Box::new(embedded),
            resolve_string: Box::new(linked),
        },
        font_family: "sans-serif".to_owned(),
        fontdb: Arc::new(fonts()),
        ..Options::default()
    };
    let tree = Tree::from_data(data, &options).map_err(|error| match error {
        usvg::Error::ElementsLimitReached => Error::Exhausted("elements".to_owned()),
        error => Error::Damaged(error.to_string()),
    })?;
    drop(options);
    Ok((tree, left_out.into_inner()))
}

/// Refuses what would take more stack or time than it is worth, by its tags
/// alone: how many there are, and how deep they lie.
fn check(data: &[u8]) -> Result<(), Error> {
    let (mut elements, mut depth) = (0usize, 0usize);
    let mut rest = data;
    while let Some(at) = rest.iter().position(|byte| *byte == b'<') {
        rest = rest.get(at + 1..).unwrap_or_default();
        match rest.first() {
            Some(b'/') => depth = depth.saturating_sub(1),
            Some(b'!' | b'?') => {}
            _ => {
                elements += 1;
                let end = rest.iter().position(|byte| *byte == b'>').unwrap_or(0);
                let closed = end.checked_sub(1).and_then(|at| rest.get(at)) == Some(&b'/');
                depth += usize::from(!closed);
            }
        }
        if elements > limits::SVG_ELEMENTS {
            return Err(Error::Exhausted("elements".to_owned()));
        }
        if depth > limits::SVG_DEPTH {
            return Err(Error::Exhausted("levels".to_owned()));
        }
    }
    Ok(())
}

/// What a picture in an SVG is drawn as, if it can be.
fn embedded_kind(
    mime: &str,
    data: &[u8],
    budget: &AtomicU64,
) -> Option<fn(Arc<Vec<u8>>) -> ImageKind> {
    let (format, kind): (_, fn(Arc<Vec<u8>>) -> ImageKind) = match (mime, data) {
        (_, [0x89, b'P', b'N', b'G', ..]) => (crate::Format::Png, ImageKind::PNG),
        (_, [0xff, 0xd8, ..]) => (crate::Format::Jpeg, ImageKind::JPEG),
        (_, [b'G', b'I', b'F', ..]) => (crate::Format::Gif, ImageKind::GIF),
        (_, [b'R', b'I', b'F', b'F', ..]) => (crate::Format::Webp, ImageKind::WEBP),
        _ => return None,
    };
    let facts = facts::examine(data, format).ok()?;
    let pixels = u64::from(facts.width) * u64::from(facts.height);
    let left = budget.load(Ordering::Relaxed).checked_sub(pixels)?;
    budget.store(left, Ordering::Relaxed);
    Some(kind)
}

/// The fonts that there are, for any that is asked for.
fn fonts() -> fontdb::Database {
    let mut fonts = fontdb::Database::new();
    for font in [sans::regular(), sans::bold(), sans_mono::regular()] {
        fonts.load_font_source(fontdb::Source::Binary(Arc::new(font)));
    }
    let sans = "DejaVu Sans";
    fonts.set_serif_family(sans);
    fonts.set_sans_serif_family(sans);
    fonts.set_cursive_family(sans);
    fonts.set_fantasy_family(sans);
    fonts.set_monospace_family("DejaVu Sans Mono");
    fonts
}

/// Characters of texts for which no font has a glyph.
fn missing_glyphs(tree: &Tree) -> usize {
    let mut missing = 0;
    let mut groups = vec![tree.root()];
    while let Some(group) = groups.pop() {
        for node in group.children() {
            match node {
                Node::Group(group) => groups.push(group),
                Node::Text(text) => {
                    let glyphs = text
                        .layouted()
                        .iter()
                        .flat_map(|span| &span.positioned_glyphs);
                    missing += glyphs.filter(|glyph| glyph.id.0 == 0).count();
                }
                Node::Path(_) | Node::Image(_) => {}
            }
        }
    }
    missing
}
