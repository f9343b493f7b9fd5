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
/// a lossless encoding or, for a photograph or a former JPEG, a JPEG if that is smaller. Of a large
/// image, a sample decides which one is smaller. The next
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
    let candidates = candidates(&pixels, kind, qualities, encodings);
    if candidates.len() > 1 && pixels.count() > limits::SAMPLED_PIXELS {
        for candidate in ordered(&pixels, &candidates)? {
            if let Some(image) = Some(candidate.encode(&pixels)?).filter(fits) {
                return Ok(image);
            }
        }
    } else {
        let mut all = Vec::new();
        for candidate in &candidates {
            all.push(candidate.encode(&pixels)?);
        }
        let best = all.into_iter().min_by_key(|image| image.data.len());
        if let Some(best) = best.filter(fits) {
            return Ok(best);
        }
    }
    // The first quality at full size was already tried.
    let is_tried = matches!(candidates.first(), Some(Candidate::Jpeg(_)));
    let mut passed = usize::from(is_tried);
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

/// An encoding at full size that is tried first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Candidate {
    /// With this quality.
    Jpeg(u8),
    /// With this effort.
    Png(CompressionType),
    /// Without loss.
    Webp,
}

impl Candidate {
    fn encode(self, pixels: &Pixels) -> Result<Image, Error> {
        match self {
            Self::Jpeg(quality) => jpeg(pixels, quality),
            Self::Png(effort) => png(pixels, effort),
            Self::Webp => webp(pixels),
        }
    }
}

/// The encodings that are tried at full size. Of those with the same size, the first one is used.
fn candidates(
    pixels: &Pixels,
    kind: Kind,
    qualities: &[u8],
    encodings: Encodings,
) -> Vec<Candidate> {
    let mut out = Vec::new();
    if let (Kind::Photograph | Kind::FormerJpeg, [quality, ..]) = (kind, qualities)
        && encodings.jpeg
        && !pixels.has_alpha()
    {
        out.push(Candidate::Jpeg(*quality));
        if kind == Kind::Photograph && pixels.count() > limits::LOSSLESS_PHOTOGRAPH_PIXELS {
            return out;
        }
    }
    out.extend(exact(pixels, encodings));
    out
}

/// The lossless encodings that are allowed.
fn exact(pixels: &Pixels, encodings: Encodings) -> impl Iterator<Item = Candidate> {
    let effort = if pixels.count() <= limits::SMALL_PIXELS {
        CompressionType::Default
    } else {
        CompressionType::Fast
    };
    let png = encodings.png.then_some(Candidate::Png(effort));
    png.into_iter()
        .chain(encodings.webp.then_some(Candidate::Webp))
}

/// Orders encodings by the size of a sample of the image.
fn ordered(pixels: &Pixels, candidates: &[Candidate]) -> Result<Vec<Candidate>, Error> {
    let sample = sample(pixels);
    let mut sizes = Vec::new();
    for candidate in candidates {
        sizes.push((candidate.encode(&sample)?.data.len(), *candidate));
    }
    sizes.sort_by_key(|it| it.0);
    Ok(sizes.into_iter().map(|it| it.1).collect())
}

/// Bands of rows from the whole image.
fn sample(pixels: &Pixels) -> Pixels {
    let row = pixels.width as usize * pixels.channels;
    let data: Vec<u8> = pixels
        .data
        .chunks(row * limits::SAMPLE_STEP)
        .flat_map(|rows| rows.get(..row * limits::SAMPLE_ROWS).unwrap_or(rows))
        .copied()
        .collect();
    Pixels {
        width: pixels.width,
        height: u32::try_from(data.len() / row.max(1)).unwrap_or(pixels.height),
        channels: pixels.channels,
        data,
    }
}

/// Encodes as PNG and as WebP, as far as they are allowed, and returns the smaller result. `None`
/// if neither is allowed.
fn lossless(pixels: &Pixels, encodings: Encodings) -> Result<Option<Image>, Error> {
    let mut all = Vec::new();
    for candidate in exact(pixels, encodings) {
        all.push(candidate.encode(pixels)?);
    }
    Ok(all.into_iter().min_by_key(|image| image.data.len()))
}

fn color(pixels: &Pixels) -> ExtendedColorType {
    match pixels.channels {
        1 => ExtendedColorType::L8,
        2 => ExtendedColorType::La8,
        3 => ExtendedColorType::Rgb8,
        _ => ExtendedColorType::Rgba8,
    }
}

fn failed(error: &image::ImageError) -> Error {
    Error::Failed(error.to_string())
}

fn webp(pixels: &Pixels) -> Result<Image, Error> {
    let mut data = Vec::new();
    WebPEncoder::new_lossless(&mut data)
        .encode(&pixels.data, pixels.width, pixels.height, color(pixels))
        .map_err(|error| failed(&error))?;
    Ok(image(pixels, Encoding::Webp, data))
}

fn png(pixels: &Pixels, effort: CompressionType) -> Result<Image, Error> {
    let mut data = Vec::new();
    PngEncoder::new_with_quality(&mut data, effort, FilterType::Adaptive)
        .write_image(&pixels.data, pixels.width, pixels.height, color(pixels))
        .map_err(|error| failed(&error))?;
    Ok(image(pixels, Encoding::Png, data))
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

#[cfg(test)]
mod tests {
    use super::*;

    /// An image with noise in most rows, or with areas.
    fn pixels(width: u32, height: u32, noise: bool) -> Pixels {
        let mut state = 3_u32;
        let mut data = Vec::new();
        for row in 0..height {
            for column in 0..width {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let value = if noise {
                    state >> 24
                } else {
                    row / 40 + column / 50
                };
                let value = u8::try_from(value).unwrap();
                data.extend([value, value / 2, 7]);
            }
        }
        Pixels {
            width,
            height,
            channels: 3,
            data,
        }
    }

    #[test]
    fn sample_has_an_eighth_of_the_rows() {
        let image = pixels(60, 400, true);
        let sample = sample(&image);
        assert_eq!((sample.width, sample.height), (60, 64));
        assert_eq!(sample.data.len(), 60 * 64 * 3);
        assert_eq!(sample.data[..180 * 16], image.data[..180 * 16]);
        assert_eq!(
            sample.data[180 * 16..180 * 17],
            image.data[180 * 128..180 * 129]
        );
    }

    #[test]
    fn sample_chooses_the_smallest_encoding_of_a_large_image() {
        let encodings = Encodings {
            jpeg: true,
            pixels: false,
            png: true,
            sixel: false,
            webp: true,
        };
        for noise in [false, true] {
            let image = pixels(700, 500, noise);
            let qualities = limits::DRAWING_QUALITIES;
            let all = candidates(&image, Kind::FormerJpeg, qualities, encodings);
            assert_eq!(all.len(), 3);
            let first = *ordered(&image, &all).unwrap().first().unwrap();
            let size = |it: &Candidate| it.encode(&image).unwrap().data.len();
            let least = all.iter().map(size).min().unwrap();
            assert_eq!(size(&first), least);
            assert_eq!(matches!(first, Candidate::Jpeg(_)), noise);
        }
    }
}
