//! What the header of a picture tells.

use super::{decode, exif, frames, svg};
use crate::{Error, Facts, Format};
use image::ExtendedColorType;
use image::metadata::Orientation;

/// Reads the header of a picture. The data may be the first part of it.
///
/// # Errors
/// What is wrong with the header.
pub fn examine(data: &[u8], format: Format) -> Result<Facts, Error> {
    if format == Format::Svg {
        let (width, height) = svg::size(data)?;
        return Ok(Facts {
            width,
            height,
            channels: 4,
            alpha: true,
            depth: 8,
            frames: frames::count(data, format),
            notes: Vec::new(),
        });
    }
    let frames = frames::count(data, format);
    let (data, format) = decode::chosen(data, format);
    let needed = decode::needed(data, format);
    let mut decoder = decode::open(&needed, format)?;
    let (width, height) = decoder.dimensions();
    if width == 0 || height == 0 {
        return Err(Error::Damaged("it has no pixels".to_owned()));
    }
    let upright = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let lying = matches!(
        upright,
        Orientation::Rotate90
            | Orientation::Rotate270
            | Orientation::Rotate90FlipH
            | Orientation::Rotate270FlipH
    );
    let (width, height) = if lying {
        (height, width)
    } else {
        (width, height)
    };
    let color = decoder.color_type();
    let notes = match format {
        // Its own structure is that of the notes.
        Format::Tiff => exif::notes(data),
        _ => decoder
            .exif_metadata()
            .ok()
            .flatten()
            .map_or_else(Vec::new, |data| exif::notes(&data)),
    };
    Ok(Facts {
        width,
        height,
        channels: color.channel_count(),
        alpha: color.has_alpha(),
        depth: depth(data, format, decoder.original_color_type()),
        frames,
        notes,
    })
}

/// Bits of each channel as the file has them.
fn depth(data: &[u8], format: Format, color: ExtendedColorType) -> u8 {
    match format {
        // The header of a PNG says so behind its signature, the first chunk's
        // length and type, and two sides.
        Format::Png => data.get(24).copied().unwrap_or(8),
        _ => {
            let channels = u16::from(color.channel_count()).max(1);
            u8::try_from(color.bits_per_pixel() / channels).unwrap_or(8)
        }
    }
}
