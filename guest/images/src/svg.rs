//! Rendering of SVG. Nothing outside the file is loaded, and scripts are not executed.

use super::decode::decode;
use super::pixels::Pixels;
use super::{limits, markup, resize};
use dejavu::{sans, sans_mono};
use omniread_image_types::{Error, Format, Frames, ImageFacts};
use resvg::tiny_skia::{Color, Pixmap, Transform};
use resvg::usvg::{self, ImageHrefResolver, ImageKind, Node, Options, Tree, fontdb};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// A parsed SVG.
pub struct Drawing {
    tree: Tree,
    /// Width in whole pixels.
    width: u32,
    /// Height in whole pixels.
    height: u32,
    /// The number of `foreignObject` elements. They contain HTML, which is not drawn.
    html: usize,
    /// The number of embedded or linked images that are not drawn.
    left_out: usize,
}

impl Drawing {
    /// Parses an SVG. `pixels` is the maximum number of pixels of all embedded images
    /// together.
    ///
    /// # Errors
    /// Returns the reason why the SVG cannot be drawn.
    pub fn parse(data: &[u8], pixels: u64) -> Result<Self, Error> {
        if data.len() > limits::SVG_BYTES {
            return Err(Error::Exhausted("bytes".to_owned()));
        }
        let html = markup::scan(data)?.html;
        let (tree, left_out) = tree(data, pixels)?;
        let (width, height) = pixels_of(&tree)?;
        Ok(Self {
            tree,
            width,
            height,
            html,
            left_out,
        })
    }

    /// The facts about the SVG, such as its width and height.
    pub fn facts(&self) -> ImageFacts {
        ImageFacts {
            width: self.width,
            height: self.height,
            channels: 4,
            alpha: true,
            depth: 8,
            frames: Frames {
                count: 1,
                more: false,
            },
            metadata: Vec::new(),
        }
    }

    /// Draws the SVG so that its longer side has at most `side` pixels. Returns the pixels, and
    /// notes about content that could not be drawn correctly.
    ///
    /// # Errors
    /// Fails if there is not enough memory.
    pub fn draw(&self, side: u32) -> Result<(Pixels, Vec<String>), Error> {
        let long = self.width.max(self.height);
        let drawn = long.max(limits::DRAWN_SIDE).min(side);
        let (width, height) = resize::scaled(self.width, self.height, drawn);
        let mut pixmap =
            Pixmap::new(width, height).ok_or_else(|| Error::Exhausted("memory".to_owned()))?;
        pixmap.fill(Color::WHITE);
        let size = self.tree.size();
        #[expect(clippy::cast_precision_loss, reason = "sides have few digits")]
        let (x, y) = (width as f32 / size.width(), height as f32 / size.height());
        let scale = Transform::from_scale(x, y);
        resvg::render(&self.tree, scale, &mut pixmap.as_mut());
        let pixels = Pixels {
            width,
            height,
            channels: 4,
            data: pixmap.take(),
        };
        Ok((pixels, self.notes()))
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = vec!["transparent parts are drawn on white".to_owned()];
        for (what, count) in [
            ("not drawn: HTML in `foreignObject`", self.html),
            (
                "not drawn: images that are linked, damaged or too large",
                self.left_out,
            ),
            (
                "drawn as boxes, for want of a font: characters",
                missing_glyphs(&self.tree),
            ),
        ] {
            if count > 0 {
                notes.push(format!("{what} ({count})"));
            }
        }
        notes
    }
}

/// Width and height of an SVG in whole pixels.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "sides are positive, and bounded"
)]
fn pixels_of(tree: &Tree) -> Result<(u32, u32), Error> {
    let size = tree.size();
    if size.width().max(size.height()) > limits::SVG_SIDE {
        return Err(Error::Exhausted("pixels on a side".to_owned()));
    }
    let side = |length: f32| (length.round() as u32).max(1);
    Ok((side(size.width()), side(size.height())))
}

/// Parses an SVG. Returns the tree to draw, and the number of images that are not drawn.
fn tree(data: &[u8], pixels: u64) -> Result<(Tree, usize), Error> {
    let left_out = AtomicUsize::new(0);
    let shown = AtomicUsize::new(0);
    let budget = AtomicU64::new(pixels);
    let embedded = |_: &str, data: Arc<Vec<u8>>, _: &Options<'_>| {
        let few = shown.fetch_add(1, Ordering::Relaxed) < limits::SVG_IMAGES;
        let kind = if few {
            embedded_kind(&data, &budget)
        } else {
            None
        };
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
        usvg::Error::ParsingFailed(usvg::roxmltree::Error::NodesLimitReached) => {
            Error::Exhausted("elements".to_owned())
        }
        error => Error::Damaged(error.to_string()),
    })?;
    drop(options);
    Ok((tree, left_out.into_inner()))
}

/// A function that wraps the bytes of an image in the type that the renderer expects.
type Wrap = fn(Arc<Vec<u8>>) -> ImageKind;

/// The wrapper for an embedded image. `None` if the image is damaged, has an unknown format, or has
/// more pixels than `budget`, from which its pixels are subtracted.
fn embedded_kind(data: &[u8], budget: &AtomicU64) -> Option<Wrap> {
    let (format, kind): (_, Wrap) = match data {
        [0x89, b'P', b'N', b'G', ..] => (Format::Png, ImageKind::PNG),
        [0xff, 0xd8, ..] => (Format::Jpeg, ImageKind::JPEG),
        [b'G', b'I', b'F', ..] => (Format::Gif, ImageKind::GIF),
        [b'R', b'I', b'F', b'F', ..] => (Format::Webp, ImageKind::WEBP),
        _ => return None,
    };
    // The renderer omits a damaged image without an error.
    let decoded = decode(data, format, budget.load(Ordering::Relaxed)).ok()?;
    budget.fetch_sub(decoded.pixels.count(), Ordering::Relaxed);
    decoded.damage.is_none().then_some(kind)
}

/// The built-in fonts, which are used instead of every font that an SVG requests.
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

/// The number of characters for which no font has a glyph.
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
