//! Metadata from the header of an image.

use super::chunks::PngHeader;
use super::svg::Drawing;
use super::{chunks, decode, exif, frames, limits};
use image::ExtendedColorType;
use image::metadata::Orientation;
use omniread_image_types::{Error, Format, Frames, ImageFacts};

/// Reads the header of an image. `data` may be only the start of the file.
///
/// # Errors
/// Returns the problem with the header.
pub fn probe(data: &[u8], format: Format) -> Result<ImageFacts, Error> {
    if format == Format::Svg {
        return Ok(Drawing::parse(data, 0)?.facts());
    }
    let frames = frames::count(data, format);
    let (data, format) = decode::chosen(data, format);
    let data = data.as_ref();
    if let Some(header) = chunks::header_of_png(data) {
        return of_png(data, &header, frames);
    }
    let needed = decode::needed(data, format);
    let mut decoder = decode::open(&needed, format)?;
    let (width, height) = decoder.dimensions();
    limits::few_enough(width, height, u64::MAX)?;
    let upright = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let (width, height) = turned(width, height, upright);
    let color = decoder.color_type();
    let notes = match format {
        // The structure of a TIFF file is that of EXIF.
        Format::Tiff => exif::notes(data),
        _ => decoder
            .exif_metadata()
            .ok()
            .flatten()
            .map_or_else(Vec::new, |data| exif::notes(&data)),
    };
    let original = decoder.original_color_type();
    let (channels, alpha) = match format {
        // The decoder always outputs RGBA.
        Format::Gif if !frames::has_transparency(data) => (3, false),
        Format::Jpeg => (
            chunks::of_jpeg(data)
                .channels()
                .unwrap_or(color.channel_count()),
            false,
        ),
        _ if is_cmyk(original) => (4, false),
        _ => (color.channel_count(), color.has_alpha()),
    };
    Ok(ImageFacts {
        width,
        height,
        channels,
        alpha,
        depth: depth(original),
        frames,
        metadata: notes,
    })
}

/// Width and height of an image after the rotation that `orientation` requires.
fn turned(width: u32, height: u32, orientation: Orientation) -> (u32, u32) {
    match orientation {
        Orientation::Rotate90
        | Orientation::Rotate270
        | Orientation::Rotate90FlipH
        | Orientation::Rotate270FlipH => (height, width),
        _ => (width, height),
    }
}

/// The facts about a PNG, read from its chunks without a decoder. The image may be too large to be
/// decoded.
fn of_png(data: &[u8], header: &PngHeader, frames: Frames) -> Result<ImageFacts, Error> {
    limits::few_enough(header.width, header.height, u64::MAX)?;
    let (chunks, _) = chunks::of_png(data);
    let find = |kind: &[u8; 4]| chunks.iter().find(|chunk| &chunk.kind == kind);
    let clear = find(b"tRNS").is_some();
    let exif = find(b"eXIf").map(|chunk| chunk.body);
    let upright = exif
        .and_then(Orientation::from_exif_chunk)
        .unwrap_or(Orientation::NoTransforms);
    let (width, height) = turned(header.width, header.height, upright);
    // Grey, RGB, a palette of RGB, grey and alpha, RGBA.
    let (colours, alpha) = match header.color {
        0 => (1, clear),
        2 | 3 => (3, clear),
        4 => (1, true),
        6 => (3, true),
        _ => {
            return Err(Error::Damaged(
                "its colours are of no known kind".to_owned(),
            ));
        }
    };
    Ok(ImageFacts {
        width,
        height,
        channels: colours + u8::from(alpha),
        alpha,
        depth: header.depth,
        frames,
        metadata: exif.map_or_else(Vec::new, exif::notes),
    })
}

/// Whether the colours are CMYK.
fn is_cmyk(color: ExtendedColorType) -> bool {
    matches!(color, ExtendedColorType::Cmyk8 | ExtendedColorType::Cmyk16)
}

/// The number of bits of each channel in the file.
fn depth(color: ExtendedColorType) -> u8 {
    let channels = u16::from(color.channel_count()).max(1);
    u8::try_from(color.bits_per_pixel() / channels).unwrap_or(8)
}
