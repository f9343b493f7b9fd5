//! A page as an image.
//!
//! ```text
//! size      the size of the image
//! survey    what drawing the page will cost
//! headers   the sizes that compressed images declare
//! values    the values of form fields that have no appearance
//! markup    comments that have no appearance
//! png       pixels → a PNG file
//! ```
//!
//! `hayro` draws the page as a viewer does: with its annotations and the values of form fields, without
//! layers that are off, upright, and cut to its crop box (ISO 32000-2, 14.11.2).

mod headers;
mod markup;
mod png;
mod size;
mod survey;
#[cfg(test)]
mod tests;
mod values;

use crate::file::File;
use hayro::hayro_interpret::InterpreterSettings;
use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::vello_cpu::{self, Pixmap, RasterizerSettings, RenderContext, TargetInit};
use hayro::{RenderCache, RenderSettings, render_into};
use hayro_syntax::Pdf;
use hayro_syntax::page::Page;
use omniread_document::Error;
use size::Size;

/// Draws a page on white paper. `index` is from 0. The longer side has at most `longest` pixels, the image
/// at most `pixels`. Returns a PNG file, or `None` if there is no such page.
///
/// # Errors
/// Fails if the page has no area, or if drawing it would exceed a limit.
pub fn image(
    file: &File,
    index: usize,
    longest: u32,
    pixels: u64,
) -> Result<Option<Vec<u8>>, Error> {
    let Some(page) = file.pdf().pages().get(index) else {
        return Ok(None);
    };
    let (width, height) = page.render_dimensions();
    let Some(mut size) = Size::fit(width, height, longest, pixels) else {
        return Err(Error::Unsupported("a page without an area".to_owned()));
    };
    if let Err(stop) = survey::survey(file, page, size) {
        // A quarter of the pixels may stay within the limit.
        let smaller = Size::fit(width, height, longest, size.pixels() / 4);
        let Some(smaller) = smaller.filter(|_| stop.by_size) else {
            return Err(stop.into());
        };
        size = smaller;
        survey::survey(file, page, size)?;
    }
    let pixels = draw(file, page, size);
    png::file(pixels.data_as_u8_slice(), size.width, size.height).map(Some)
}

/// Draws a page.
fn draw(file: &File, page: &Page<'_>, size: Size) -> Pixmap {
    let mut context = RenderContext::new(size.width, size.height);
    add(page, page, size, &mut context);
    if let Some(values) = values::file(file, page)
        && let Ok(values) = Pdf::new(values)
        && let Some(over) = values.pages().first()
    {
        add(over, page, size, &mut context);
    }
    context.flush();
    let mut pixels = Pixmap::new(size.width, size.height);
    context.render_with(
        &mut pixels,
        &mut vello_cpu::Resources::default(),
        RasterizerSettings {
            target_init: TargetInit::Clear(WHITE),
            ..RasterizerSettings::default()
        },
    );
    pixels
}

/// Adds the content of a page at the place of another page, which has the same size.
fn add(content: &Page<'_>, page: &Page<'_>, size: Size, context: &mut RenderContext) {
    let settings = RenderSettings {
        // The programs of fonts move points to whole pixels. They make small text sharper, not more
        // legible, and they are loops that the font controls.
        hinting: false,
        ..RenderSettings::default()
    };
    render_into(
        content,
        &RenderCache::new(),
        &InterpreterSettings::default(),
        &settings,
        context,
        size.place(page),
    );
}
