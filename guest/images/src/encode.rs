//! Encoding of an image within a number of bytes.

use super::pixels::Pixels;
use super::{limits, resize, sixel};
use image::ExtendedColorType;
use image::ImageEncoder as _;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::codecs::webp::WebPEncoder;
use jpeg_encoder::{ColorType, Encoder};
use omniread_image_types::{Bounds, Encoding, Encodings, Error, Image};

/// The kind of an image's content. It decides when JPEG is tried, and with which qualities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A photograph, in which JPEG artefacts are not visible.
    Photograph,
    /// Letters, lines and areas, in which JPEG artefacts are visible.
    Drawing,
    /// A drawing that was decoded from a JPEG. Another JPEG encoding loses little.
    FormerJpeg,
}

/// Encodes an image in at most `bounds.bytes` bytes; Sixel and pixels have no such limit. The first attempt is
/// a lossless encoding or, for a photograph or a former JPEG, a JPEG if that is smaller. The next
/// attempts are JPEGs of decreasing quality, and then images with fewer pixels.
///
/// # Errors
/// Fails if even a very small image does not fit, or if no encoding is allowed.
pub fn encode(
    pixels: Pixels,
    kind: Kind,
    bounds: Bounds,
    notes: &mut Vec<String>,
) -> Result<Image, Error> {
    let Bounds { encodings, .. } = bounds;
    if encodings.pixels {
        return Ok(image(&pixels, Encoding::Pixels, rgba(&pixels)));
    }
    if encodings.sixel {
        let sixels = sixel::encode(&rgba(&pixels), pixels.width as usize);
        return Ok(image(&pixels, Encoding::Sixel, sixels.into_bytes()));
    }
    let mut pixels = pixels.without_idle_alpha();
    let fits = |image: &Image| image.data.len() <= bounds.bytes as usize;
    let qualities = match kind {
        Kind::Photograph => limits::PHOTOGRAPH_QUALITIES,
        Kind::Drawing | Kind::FormerJpeg => limits::DRAWING_QUALITIES,
    };
    let lossy = match (kind, qualities) {
        (Kind::Photograph | Kind::FormerJpeg, [quality, ..])
            if encodings.jpeg && !pixels.has_alpha() =>
        {
            Some(jpeg(&pixels, *quality)?)
        }
        _ => None,
    };
    let large = kind == Kind::Photograph && pixels.count() > limits::LOSSLESS_PHOTOGRAPH_PIXELS;
    let exact = match lossy {
        Some(_) if large => None,
        _ => lossless(&pixels, encodings)?,
    };
    // The first quality at full size was already tried.
    let mut passed = usize::from(lossy.is_some());
    let best = smaller(lossy, exact);
    if let Some(best) = best.filter(fits) {
        return Ok(best);
    }
    if encodings.jpeg && pixels.has_alpha() {
        pixels = pixels.on_white();
        notes.push("drawn on white, because the image with transparency is too large".to_owned());
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

/// The length in pixels to which the longer side of an image is reduced, so that its encoding
/// shrinks from `least` to `bytes` bytes. Assumes that each pixel uses as many bytes as before. The
/// result is at most three quarters of the current length.
fn smaller_side(pixels: &Pixels, bytes: u32, least: usize) -> u32 {
    let long = pixels.width.max(pixels.height);
    let share = u64::from(bytes) * 1_000_000 / (least as u64).max(1);
    let thousandths = share.isqrt() * 95 / 100;
    let side = u64::from(long) * thousandths.min(750) / 1000;
    u32::try_from(side).unwrap_or(long)
}

/// The smaller of two encoded images, or the only one that is not `None`.
fn smaller(one: Option<Image>, other: Option<Image>) -> Option<Image> {
    one.into_iter()
        .chain(other)
        .min_by_key(|image| image.data.len())
}

/// Encodes as PNG and as WebP, as far as they are allowed, and returns the smaller result. `None`
/// if neither is allowed.
fn lossless(pixels: &Pixels, encodings: Encodings) -> Result<Option<Image>, Error> {
    let color = match pixels.channels {
        1 => ExtendedColorType::L8,
        2 => ExtendedColorType::La8,
        3 => ExtendedColorType::Rgb8,
        _ => ExtendedColorType::Rgba8,
    };
    let failed = |error: image::ImageError| Error::Failed(error.to_string());
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

/// The pixels with four bytes each: red, green, blue and alpha.
fn rgba(pixels: &Pixels) -> Vec<u8> {
    pixels
        .data
        .chunks_exact(pixels.channels)
        .flat_map(|pixel| match *pixel {
            [grey] => [grey, grey, grey, u8::MAX],
            [grey, alpha] => [grey, grey, grey, alpha],
            [red, green, blue] => [red, green, blue, u8::MAX],
            [red, green, blue, alpha] => [red, green, blue, alpha],
            _ => [0; 4],
        })
        .collect()
}

/// Encodes as JPEG. The image has no alpha channel, and `quality` is at most 100.
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
    // Optimized Huffman tables would make the encoder write the channels one after the
    // other, which some decoders handle incorrectly.
    Encoder::new(&mut data, quality)
        .encode(
            &pixels.data,
            side(pixels.width)?,
            side(pixels.height)?,
            color,
        )
        .map_err(|error| Error::Failed(error.to_string()))?;
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
