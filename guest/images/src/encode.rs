//! Encoding an image within a number of bytes.

use super::pixels::Pixels;
use super::{limits, resize};
use image::ExtendedColorType;
use image::ImageEncoder as _;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::codecs::webp::WebPEncoder;
use jpeg_encoder::{ColorType, Encoder};
use omniread_image_types::{Bounds, Encoding, Encodings, Error, Image};

/// What an image is of, which tells how it may lose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Of the world: JPEG loses nothing that is seen.
    Photograph,
    /// Of letters, lines and areas, which JPEG frays.
    Drawing,
    /// The same as JPEG has left it, so that it loses little more.
    Frayed,
}

/// Encodes an image: lossless if it fits so, unless it is a photograph, or was a
/// JPEG, and smaller as JPEG; then as JPEG of falling quality; then smaller.
///
/// # Errors
/// If even a very small one does not fit, or no encoding may be used.
pub fn encode(
    pixels: Pixels,
    kind: Kind,
    bounds: Bounds,
    notes: &mut Vec<String>,
) -> Result<Image, Error> {
    let Bounds { encodings, .. } = bounds;
    if encodings.sixel {
        return sixel(&pixels);
    }
    let mut pixels = pixels.without_idle_alpha();
    let fits = |image: &Image| image.data.len() <= bounds.bytes as usize;
    let qualities = match kind {
        Kind::Photograph => limits::PHOTOGRAPH_QUALITIES,
        Kind::Drawing | Kind::Frayed => limits::DRAWING_QUALITIES,
    };
    let lossy = match (kind, qualities) {
        (Kind::Photograph | Kind::Frayed, [quality, ..])
            if encodings.jpeg && !pixels.has_alpha() =>
        {
            Some(jpeg(&pixels, *quality)?)
        }
        _ => None,
    };
    let large = kind == Kind::Photograph && pixels.count() > limits::TRIED_PIXELS;
    let exact = match lossy {
        Some(_) if large => None,
        _ => lossless(&pixels, encodings)?,
    };
    // The best quality of the whole was tried.
    let mut passed = usize::from(lossy.is_some());
    let best = smaller(lossy, exact);
    if let Some(best) = best.filter(fits) {
        return Ok(best);
    }
    if encodings.jpeg && pixels.has_alpha() {
        pixels = pixels.on_white();
        notes.push("what shows through is white: with it there are too many bytes".to_owned());
    }
    loop {
        let mut least = usize::MAX;
        let mut tried = |image: Image| {
            least = image.data.len();
            Some(image).filter(fits)
        };
        if encodings.jpeg {
            for quality in qualities.iter().skip(std::mem::take(&mut passed)) {
                if let Some(lossy) = tried(jpeg(&pixels, *quality)?) {
                    return Ok(lossy);
                }
            }
        } else if let Some(exact) = lossless(&pixels, encodings)?.and_then(tried) {
            return Ok(exact);
        }
        let side = smaller_side(&pixels, bounds.bytes, least);
        if side < limits::LEAST_SIDE {
            return Err(Error::Exhausted("bytes".to_owned()));
        }
        pixels = resize::within(pixels, side)?;
    }
}

/// The longer side of an image that should have `bytes` instead of `least`, if
/// each pixel takes as many: at most three quarters of what it is.
fn smaller_side(pixels: &Pixels, bytes: u32, least: usize) -> u32 {
    let long = pixels.width.max(pixels.height);
    let share = u64::from(bytes) * 1_000_000 / (least as u64).max(1);
    let thousandths = share.isqrt() * 95 / 100;
    let side = u64::from(long) * thousandths.min(750) / 1000;
    u32::try_from(side).unwrap_or(long)
}

/// The smaller one of those that there are.
fn smaller(one: Option<Image>, other: Option<Image>) -> Option<Image> {
    one.into_iter()
        .chain(other)
        .min_by_key(|image| image.data.len())
}

/// As PNG or WebP, whichever may be used and is smaller.
fn lossless(pixels: &Pixels, encodings: Encodings) -> Result<Option<Image>, Error> {
    let color = match pixels.channels {
        1 => ExtendedColorType::L8,
        2 => ExtendedColorType::La8,
        3 => ExtendedColorType::Rgb8,
        _ => ExtendedColorType::Rgba8,
    };
    let failed = |error: image::ImageError| Error::Unsupported(error.to_string());
    let (mut webp, mut png) = (None, None);
    if encodings.webp {
        let mut data = Vec::new();
        WebPEncoder::new_lossless(&mut data)
            .encode(&pixels.data, pixels.width, pixels.height, color)
            .map_err(failed)?;
        webp = Some(image(pixels, Encoding::Webp, data));
    }
    if encodings.png {
        let effort = if pixels.count() <= limits::SMALL_PIXELS {
            CompressionType::Default
        } else {
            CompressionType::Fast
        };
        let mut data = Vec::new();
        PngEncoder::new_with_quality(&mut data, effort, FilterType::Adaptive)
            .write_image(&pixels.data, pixels.width, pixels.height, color)
            .map_err(failed)?;
        png = Some(image(pixels, Encoding::Png, data));
    }
    Ok(smaller(png, webp))
}

/// As the graphics of terminals, in 256 colours.
fn sixel(pixels: &Pixels) -> Result<Image, Error> {
    let rgba: Vec<u8> = pixels
        .data
        .chunks_exact(pixels.channels)
        .flat_map(|pixel| match *pixel {
            [grey] => [grey, grey, grey, u8::MAX],
            [grey, alpha] => [grey, grey, grey, alpha],
            [red, green, blue] => [red, green, blue, u8::MAX],
            [red, green, blue, alpha] => [red, green, blue, alpha],
            _ => [0; 4],
        })
        .collect();
    let (width, height) = (pixels.width as usize, pixels.height as usize);
    let options = icy_sixel::EncodeOptions::default();
    let data = icy_sixel::sixel_encode(&rgba, width, height, &options)
        .map_err(|error| Error::Unsupported(error.to_string()))?;
    Ok(image(pixels, Encoding::Sixel, data.into_bytes()))
}

/// As JPEG of a quality up to 100; there is no alpha.
fn jpeg(pixels: &Pixels, quality: u8) -> Result<Image, Error> {
    let color = if pixels.channels == 1 {
        ColorType::Luma
    } else {
        ColorType::Rgb
    };
    let side = |length: u32| {
        u16::try_from(length).map_err(|_| Error::Exhausted("pixels on a side".to_owned()))
    };
    let mut data = Vec::new();
    // With tables of its own it would write the channels one after the other,
    // which some decoders get wrong.
    Encoder::new(&mut data, quality)
        .encode(
            &pixels.data,
            side(pixels.width)?,
            side(pixels.height)?,
            color,
        )
        .map_err(|error| Error::Unsupported(error.to_string()))?;
    Ok(image(pixels, Encoding::Jpeg, data))
}

fn image(pixels: &Pixels, encoding: Encoding, data: Vec<u8>) -> Image {
    Image {
        encoding,
        data,
        width: pixels.width,
        height: pixels.height,
    }
}
