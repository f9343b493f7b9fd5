//! Decoding to eight bits per channel.

use super::pixels::Pixels;
use super::{bmp, chunks, limits, profile, strict};
use image::error::{ImageError, ImageFormatHint, LimitErrorKind, UnsupportedErrorKind};
use image::metadata::Orientation;
use image::{ColorType, ExtendedColorType, ImageDecoder, ImageFormat, ImageReader, Limits};
use omniread_image_types::{Error, Format};
use std::borrow::Cow;
use std::io::Cursor;

/// A decoded image.
pub struct Decoded {
    /// The pixels, before rotation.
    pub pixels: Pixels,
    /// The rotation that makes the image upright.
    pub orientation: Orientation,
    /// The ICC colour profile, if there is one.
    pub profile: Option<Vec<u8>>,
    /// A description of the damage, if only a part of the image could be decoded.
    pub damage: Option<String>,
    /// Notes about features that could not be shown.
    pub notes: Vec<String>,
}

/// The name of a format in the `image` crate. `None` for SVG.
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

/// Chooses the image of a file that is decoded. For an icon, it is the largest image, which may be
/// a PNG. Other files are returned whole. Also returns the format of the chosen image.
pub fn chosen(data: &[u8], format: Format) -> (Cow<'_, [u8]>, Format) {
    let icon = Some(data).filter(|_| format == Format::Ico);
    match icon.and_then(chunks::largest_of_icon) {
        Some((_, image)) if chunks::is_png(image) => (Cow::Borrowed(image), Format::Png),
        // The decoder would choose the image with the most colours.
        Some((entry, image)) => (Cow::Owned(chunks::icon_of(entry, image)), format),
        None => (Cow::Borrowed(data), format),
    }
}

/// Adapts a file to its decoder: chunks of a PNG that the decoder does not need are removed, and a
/// header of a BMP is replaced by one that the decoder supports. Other files are unchanged.
pub fn needed(data: &[u8], format: Format) -> Cow<'_, [u8]> {
    match format {
        Format::Bmp => bmp::known(data),
        Format::Png => Cow::Owned(chunks::needed_of_png(data)),
        _ => Cow::Borrowed(data),
    }
}

/// Creates a decoder and reads the header.
///
/// # Errors
/// Returns the problem with the header.
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

/// Decodes an image, or as much as possible of a damaged one.
///
/// # Errors
/// Fails if the image has more than `pixels` pixels, or if nothing could be decoded.
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
        // The decoder fills the missing part with grey.
        Some(Err(Error::Damaged(message))) => Some(message),
        Some(Err(_)) | None => None,
    };
    let mut buffer = vec![0; bytes];
    let damage = match decoder.read_image_boxed(&mut buffer) {
        Ok(()) => damage,
        // Decoded rows are complete, and the other rows are black or transparent. Rows of
        // 16 bits are excluded, because their bytes are not yet in native order.
        Err(failed) if color.bytes_per_pixel() == color.channel_count() && is_begun(&buffer) => {
            Some(message(&failed))
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

/// Whether the colours of a TIFF are multiplied by its alpha channel. The field `ExtraSamples`
/// states this (TIFF 6.0, section 18).
fn has_multiplied_alpha(data: &[u8]) -> bool {
    let decoder = tiff::decoder::Decoder::new(Cursor::new(data));
    let samples = decoder.and_then(|mut decoder| {
        decoder.find_tag_unsigned_vec::<u16>(tiff::tags::Tag::ExtraSamples)
    });
    matches!(samples.ok().flatten().as_deref(), Some([1]))
}

/// Whether the decoder wrote any pixels into `data`, which was filled with zeros.
fn is_begun(data: &[u8]) -> bool {
    data.iter().any(|byte| *byte != 0)
}

/// Converts channels of 16 bits, or of 32-bit floating point, to eight bits. Channels of eight bits
/// are unchanged. Adds a note if values are clipped.
///
/// # Errors
/// Fails if the pixels have another type.
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
                // 65535 is 257 times 255.
                u8::try_from((value + 128) / 257).unwrap_or(u8::MAX)
            });
        }
        ColorType::Rgb32F | ColorType::Rgba32F => {
            // EXR and HDR store linear light, the other formats store sRGB values.
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
                notes.push("values brighter than white are shown as white".to_owned());
            }
        }
        other => return Err(Error::Unsupported(format!("the pixel type {other:?}"))),
    }
    Ok(data)
}

/// Replaces each value of N bytes by the byte that `narrow` returns for it, in place.
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

/// Encodes linear light as sRGB (IEC 61966-2-1).
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
    reason = "the value was clamped; NaN becomes 0"
)]
fn byte(value: f32) -> u8 {
    (value.clamp(0.0, 1.0) * 255.0 + 0.5) as u8
}

/// The message of a decoder error, without parts that only developers of the decoder understand.
fn message(error: &ImageError) -> String {
    match error {
        ImageError::Decoding(error) => {
            let source = std::error::Error::source(error);
            let message = source.map_or_else(|| error.to_string(), ToString::to_string);
            // The rest of the message is for developers of the decoder.
            if message.starts_with("CRC error") {
                return "a checksum does not match its data".to_owned();
            }
            chunk_named(&message).unwrap_or(message)
        }
        ImageError::IoError(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            "it ends too early".to_owned()
        }
        other => other.to_string(),
    }
}

/// Replaces the debug form of a PNG chunk type, `ChunkType { type: tEXt, … }`, by the name of the
/// type. `None` if the message does not contain this form.
fn chunk_named(message: &str) -> Option<String> {
    let (before, rest) = message.split_once("ChunkType { type: ")?;
    let (name, rest) = rest.split_once(',')?;
    let (_, after) = rest.split_once('}')?;
    Some(format!("{before}`{}`{after}", name.trim()))
}

/// The name of a feature from a message such as `Planar TIFF with CMYK is not supported`. The
/// caller adds the verb.
fn without_verb(feature: &str) -> &str {
    let feature = feature.trim_end_matches('.');
    [" is not supported", " is unsupported", " are not supported"]
        .iter()
        .find_map(|verb| feature.strip_suffix(verb))
        .unwrap_or(feature)
}

/// Converts an error of the `image` crate to an error of this engine.
pub fn error(failed: &ImageError) -> Error {
    match failed {
        ImageError::Unsupported(what) => {
            let format = match what.format_hint() {
                ImageFormatHint::Exact(format) => format!("{format:?}").to_uppercase(),
                _ => "an image".to_owned(),
            };
            Error::Unsupported(match what.kind() {
                UnsupportedErrorKind::Color(ExtendedColorType::Unknown(bits)) => {
                    format!("{format} with colours of {bits} bits, such as YCbCr,")
                }
                UnsupportedErrorKind::Color(color) => format!("{format} with colours {color:?}"),
                UnsupportedErrorKind::GenericFeature(feature) => {
                    format!("{format} with {}", without_verb(&feature))
                }
                _ => format,
            })
        }
        ImageError::Limits(limit) if matches!(limit.kind(), LimitErrorKind::InsufficientMemory) => {
            Error::Exhausted("memory".to_owned())
        }
        _ => Error::Damaged(message(failed)),
    }
}
