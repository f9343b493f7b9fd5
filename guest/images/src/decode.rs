//! Decoding to eight bits for each channel.

use super::pixels::Pixels;
use super::{bmp, chunks, limits, profile, strict};
use image::error::{ImageError, LimitErrorKind};
use image::metadata::Orientation;
use image::{ColorType, ImageDecoder, ImageFormat, ImageReader, Limits};
use omniread_image_types::{Error, Format};
use std::borrow::Cow;
use std::io::Cursor;

/// An image that was decoded.
pub struct Decoded {
    /// Its pixels, as they are stored.
    pub pixels: Pixels,
    /// How they are to be turned.
    pub orientation: Orientation,
    /// The colours that its numbers mean, if that is told.
    pub profile: Option<Vec<u8>>,
    /// Why only a part of it could be decoded.
    pub damage: Option<String>,
    /// What could not be shown as it is meant.
    pub notes: Vec<String>,
}

/// The format as the decoder knows it; SVG is none of its.
fn kind(format: Format) -> Option<ImageFormat> {
    Some(match format {
        Format::Bmp => ImageFormat::Bmp,
        Format::Dds => ImageFormat::Dds,
        Format::Exr => ImageFormat::OpenExr,
        Format::Farbfeld => ImageFormat::Farbfeld,
        Format::Gif => ImageFormat::Gif,
        Format::Hdr => ImageFormat::Hdr,
        Format::Ico => ImageFormat::Ico,
        Format::Jpeg => ImageFormat::Jpeg,
        Format::Png => ImageFormat::Png,
        Format::Pnm => ImageFormat::Pnm,
        Format::Qoi => ImageFormat::Qoi,
        Format::Tga => ImageFormat::Tga,
        Format::Tiff => ImageFormat::Tiff,
        Format::Webp => ImageFormat::WebP,
        Format::Svg => return None,
    })
}

/// The image of a file that holds several of which one is a file of its own:
/// the largest of an icon.
pub fn chosen(data: &[u8], format: Format) -> (Cow<'_, [u8]>, Format) {
    let icon = Some(data).filter(|_| format == Format::Ico);
    match icon.and_then(chunks::largest_of_icon) {
        Some((_, image)) if chunks::is_png(image) => (Cow::Borrowed(image), Format::Png),
        // The decoder would take the one of the most colours.
        Some((entry, image)) => (Cow::Owned(chunks::icon_of(entry, image)), format),
        None => (Cow::Borrowed(data), format),
    }
}

/// The file without what its decoder does not need, or with a header that it
/// knows.
pub fn needed(data: &[u8], format: Format) -> Cow<'_, [u8]> {
    match format {
        Format::Bmp => bmp::known(data),
        Format::Png => Cow::Owned(chunks::needed_of_png(data)),
        _ => Cow::Borrowed(data),
    }
}

/// A decoder that has read the header.
///
/// # Errors
/// What is wrong with that.
pub fn open(data: &[u8], format: Format) -> Result<Box<dyn ImageDecoder + '_>, Error> {
    let kind = kind(format).ok_or_else(|| Error::Unsupported("SVG".to_owned()))?;
    let mut reader = ImageReader::with_format(Cursor::new(data), kind);
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(limits::DECODER_BYTES);
    reader.limits(limits);
    Ok(Box::new(
        reader.into_decoder().map_err(|failed| error(&failed))?,
    ))
}

/// Decodes an image of at most this many pixels, as far as that is possible.
///
/// # Errors
/// Why there is nothing of it.
pub fn decode(data: &[u8], format: Format, pixels: u64) -> Result<Decoded, Error> {
    let (data, format) = chosen(data, format);
    let data = data.as_ref();
    if let Some(header) = chunks::header_of_png(data) {
        limits::few_enough(header.width, header.height, pixels)?;
    }
    let needed = needed(data, format);
    let mut decoder = open(&needed, format)?;
    let (width, height) = decoder.dimensions();
    limits::few_enough(width, height, pixels)?;
    let color = decoder.color_type();
    let bytes = decoder.total_bytes();
    let bytes = usize::try_from(bytes)
        .ok()
        .filter(|_| bytes <= limits::DECODED_BYTES)
        .ok_or_else(|| Error::Exhausted("memory".to_owned()))?;
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let profile = profile::of(data, &mut *decoder);
    let mut notes = Vec::new();
    let strict = (format == Format::Jpeg).then(|| strict::jpeg(data));
    let damage = match strict {
        Some(Ok(pixels)) => {
            return Ok(Decoded {
                pixels,
                orientation,
                profile,
                damage: None,
                notes,
            });
        }
        // What is not there is left grey.
        Some(Err(Error::Damaged(words))) => Some(words),
        Some(Err(_)) | None => None,
    };
    let mut buffer = vec![0; bytes];
    let damage = match decoder.read_image_boxed(&mut buffer) {
        Ok(()) => damage,
        // Rows that were decoded are there, the others are black or clear; of 16
        // bits they are not in order yet.
        Err(failed) if color.bytes_per_pixel() == color.channel_count() && is_begun(&buffer) => {
            Some(words(&failed))
        }
        Err(failed) => return Err(error(&failed)),
    };
    let pixels = Pixels {
        width,
        height,
        channels: usize::from(color.channel_count()),
        data: narrow(buffer, color, format, &mut notes)?,
    };
    Ok(Decoded {
        pixels: if format == Format::Tiff && has_multiplied_alpha(data) {
            pixels.unmultiplied()
        } else {
            pixels
        },
        orientation,
        profile,
        damage,
        notes,
    })
}

/// Whether the colours of a TIFF are multiplied by its alpha, which its extra
/// samples tell (TIFF 6.0, section 18).
fn has_multiplied_alpha(data: &[u8]) -> bool {
    let decoder = tiff::decoder::Decoder::new(Cursor::new(data));
    let samples = decoder.and_then(|mut decoder| {
        decoder.find_tag_unsigned_vec::<u16>(tiff::tags::Tag::ExtraSamples)
    });
    matches!(samples.ok().flatten().as_deref(), Some([1]))
}

/// Whether something was decoded.
fn is_begun(data: &[u8]) -> bool {
    data.iter().any(|byte| *byte != 0)
}

/// Channels of eight bits, of those of any size.
fn narrow(
    mut data: Vec<u8>,
    color: ColorType,
    format: Format,
    notes: &mut Vec<String>,
) -> Result<Vec<u8>, Error> {
    match color {
        ColorType::L8 | ColorType::La8 | ColorType::Rgb8 | ColorType::Rgba8 => {}
        ColorType::L16 | ColorType::La16 | ColorType::Rgb16 | ColorType::Rgba16 => {
            shrink(&mut data, |bytes| {
                let value = u32::from(u16::from_ne_bytes(bytes));
                // Of 257 equal steps.
                u8::try_from((value + 128) / 257).unwrap_or(u8::MAX)
            });
        }
        ColorType::Rgb32F | ColorType::Rgba32F => {
            // These hold light, the others what a screen is sent.
            let linear = matches!(format, Format::Exr | Format::Hdr);
            let alpha = color.has_alpha();
            let mut channel = 0u8;
            let mut clipped = false;
            shrink(&mut data, |bytes| {
                let value = f32::from_ne_bytes(bytes);
                let is_alpha = alpha && channel == 3;
                channel = (channel + 1) % color.channel_count();
                clipped |= value > 1.0 && !is_alpha;
                if linear && !is_alpha {
                    byte(encoded(value))
                } else {
                    byte(value)
                }
            });
            if clipped {
                notes.push("what is brighter than white is shown white".to_owned());
            }
        }
        other => return Err(Error::Unsupported(format!("pixels of type {other:?}"))),
    }
    Ok(data)
}

/// Replaces values of N bytes by one byte, in place.
fn shrink<const N: usize>(data: &mut Vec<u8>, mut narrow: impl FnMut([u8; N]) -> u8) {
    let mut kept = 0;
    while let Some(value) = data
        .get(kept * N..)
        .and_then(|rest| rest.first_chunk::<N>())
    {
        let value = narrow(*value);
        if let Some(out) = data.get_mut(kept) {
            *out = value;
        }
        kept += 1;
    }
    data.truncate(kept);
}

/// Light as screens are sent it (IEC 61966-2-1).
fn encoded(light: f32) -> f32 {
    if light <= 0.003_130_8 {
        light * 12.92
    } else {
        1.055 * light.powf(1.0 / 2.4) - 0.055
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the value was clamped; what is no number is 0"
)]
fn byte(value: f32) -> u8 {
    (value.clamp(0.0, 1.0) * 255.0 + 0.5) as u8
}

/// The words of a decoder for what it met.
fn words(error: &ImageError) -> String {
    match error {
        ImageError::Decoding(error) => {
            let source = std::error::Error::source(error);
            let words = source.map_or_else(|| error.to_string(), ToString::to_string);
            // What follows is for those who mend the decoder.
            if words.starts_with("CRC error") {
                return "a sum is not that of its data".to_owned();
            }
            words
        }
        ImageError::IoError(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            "it ends too early".to_owned()
        }
        other => other.to_string(),
    }
}

pub fn error(failed: &ImageError) -> Error {
    match failed {
        ImageError::Unsupported(what) => Error::Unsupported(what.to_string()),
        ImageError::Limits(limit) if matches!(limit.kind(), LimitErrorKind::InsufficientMemory) => {
            Error::Exhausted("memory".to_owned())
        }
        _ => Error::Damaged(words(failed)),
    }
}
