//! Images: an engine decodes, scales and re-encodes them, or validates them so that their bytes
//! are returned unchanged.
//!
//! The format is detected from the content, never from the file name alone.

use super::image_budget::Left;
use crate::answer::{Dimensions, Media, NotShown, Payload};
use crate::encoding;
use crate::limits;
use crate::pages::Input;
use crate::request::{ImageLimits, ImageMode, ImageSize};
use crate::sniff::{ImageFormat, MediaFormat};
use crate::units;
use crate::world::{
    DecoderFormat, Encoding, Encodings, Image, ImageBounds, ImageError, ImageFacts, World,
};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::borrow::Cow;

/// The image that is read.
#[derive(Clone, Copy)]
pub struct Wanted {
    /// The detected format.
    pub kind: &'static ImageFormat,
    /// The encoding of the file if the format is a text format, such as SVG.
    pub text: Option<encoding::Encoding>,
    /// The way in which the image is returned.
    pub images: ImageMode,
    /// The size in which it is shown.
    pub size: ImageSize,
    /// What is left of the budget of the session.
    pub left: Left,
}

/// Reads an image. `size` is the size in bytes that the filesystem reports. If an image cannot be shown,
/// the result is not an error, and its payload has the reason.
///
/// # Errors
/// Fails with a note if the file is not a valid image, and its format was detected from magic bytes
/// that other data may start with too.
pub fn read(
    input: &mut Input<'_>,
    size: Option<u64>,
    wanted: Wanted,
    world: &mut dyn World,
    notes: &mut Vec<String>,
) -> Result<Media, String> {
    let Wanted { text, images, .. } = wanted;
    let limit = match images {
        ImageMode::Passthrough { bytes, .. } if wanted.size != ImageSize::Half => bytes,
        ImageMode::Passthrough { .. } | ImageMode::Resize(_) | ImageMode::Describe => {
            limits::IMAGE_BYTES
        }
    };
    // Only the header of an image that is too large is read.
    let too_large = size.is_some_and(|size| size > limit);
    let bytes = input.first(if too_large {
        limits::HEADER_BYTES
    } else {
        limit.saturating_add(1)
    });
    let too_large = too_large || bytes.len() as u64 > limit;
    let bytes = match text {
        Some(encoding) => encoding.decoded(&bytes, true),
        None => Cow::Borrowed(&*bytes),
    };
    let exceeded = too_large.then_some(limit);
    let mut media = of_bytes(&bytes, wanted, exceeded, world, notes)?;
    if too_large {
        media.bytes = size;
    }
    Ok(media)
}

/// Reads an image from its bytes. If the image is larger than the limit on its size, `exceeded` is
/// this limit in bytes, and `bytes` has only the start of the image.
///
/// # Errors
/// Fails as [`read`] does.
pub fn of_bytes(
    bytes: &[u8],
    wanted: Wanted,
    exceeded: Option<u64>,
    world: &mut dyn World,
    notes: &mut Vec<String>,
) -> Result<Media, String> {
    let Wanted { kind, size, .. } = wanted;
    let is_half = size == ImageSize::Half;
    let images = match kind.decoder {
        Some(decoder) if is_half => {
            let facts = world.probe_image(bytes, decoder);
            halved(wanted.images, facts.ok().as_ref(), decoder)
        }
        _ => wanted.images,
    };
    let format = &kind.media;
    let mut media = Media {
        format,
        bytes: Some(bytes.len() as u64),
        facts: None,
        payload: Err(NotShown::Undecoded(
            "there is no decoder for this format; convert it to PNG, for example with ImageMagick"
                .to_owned(),
        )),
    };
    let not_shown = not_shown(images, exceeded, format);
    let Some(decoder) = kind.decoder else {
        if let Some(why @ NotShown::Format) = not_shown {
            media.payload = Err(why);
        }
        return Ok(media);
    };
    if wanted.left.is_limited()
        && not_shown.is_none()
        && let Ok(facts) = world.probe_image(bytes, decoder)
        && let Some(over) =
            shown_size(&facts, decoder, images).and_then(|size| wanted.left.refuses(size.tokens()))
    {
        media.facts = Some(facts);
        media.payload = Err(NotShown::Budget(over));
        return Ok(media);
    }
    // Transcoding returns the facts as well. Otherwise they are requested separately.
    if let (ImageMode::Resize(fit), None) = (images, &not_shown) {
        match world.transcode_image(bytes, decoder, bounds(fit)) {
            Ok(fitted) => {
                notes.extend(fitted.notes);
                media.facts = Some(fitted.facts);
                let payload = match fitted.reencoded {
                    Some(reencoded) => encoded(&reencoded),
                    None => unchanged(bytes, &media),
                };
                media.payload = Ok(Payload { is_half, ..payload });
                return Ok(media);
            }
            Err(error) => media.payload = Err(NotShown::Undecoded(error.to_string())),
        }
    }
    match world.probe_image(bytes, decoder) {
        Ok(facts) => media.facts = Some(facts),
        Err(ImageError::Damaged(error)) if kind.weak => {
            let name = units::with_article(format.long_name);
            return Err(format!(
                "the header looks like {name}, but the file is invalid: {error}"
            ));
        }
        // The reason in `not_shown` takes precedence.
        Err(_) if not_shown.is_some() => {}
        Err(error) => {
            media.payload = Err(NotShown::Undecoded(error.to_string()));
            return Ok(media);
        }
    }
    if let Some(why) = not_shown {
        media.payload = Err(why);
        return Ok(media);
    }
    let side = media.size().map_or(0, |size| size.width.max(size.height));
    match images {
        ImageMode::Passthrough { side: most, .. } if side > most => {
            media.payload = Err(NotShown::Side(most));
        }
        ImageMode::Passthrough { .. } => {
            media.payload = world
                .validate_image(bytes, decoder, limits::IMAGE_PIXELS)
                .map(|()| unchanged(bytes, &media))
                .map_err(|error| NotShown::Undecoded(error.to_string()));
        }
        // The error of transcoding is in `payload` already.
        ImageMode::Resize(_) | ImageMode::Describe => {}
    }
    Ok(media)
}

/// The mode in which an image is shown at half the size. Its bytes are not returned unchanged.
fn halved(images: ImageMode, facts: Option<&ImageFacts>, decoder: DecoderFormat) -> ImageMode {
    let (most, bytes) = match images {
        ImageMode::Resize(fit) => (fit.side, fit.bytes),
        ImageMode::Passthrough { side, others, .. } => (side, others.bytes),
        ImageMode::Describe => return images,
    };
    let side = facts.map_or(most, |facts| shown_side(facts, decoder, most));
    ImageMode::Resize(ImageLimits {
        side: (side / 2).max(1),
        bytes,
    })
}

/// The size in which an image is shown, before it is encoded: a limit on its bytes may make it smaller. `None` if
/// images are described.
fn shown_size(facts: &ImageFacts, decoder: DecoderFormat, images: ImageMode) -> Option<Dimensions> {
    let (width, height) = (facts.width, facts.height);
    let ImageMode::Resize(fit) = images else {
        let passes = matches!(images, ImageMode::Passthrough { .. });
        return passes.then_some(Dimensions { width, height });
    };
    let (long, shown) = (
        u64::from(width.max(height).max(1)),
        u64::from(shown_side(facts, decoder, fit.side)),
    );
    let scaled = |length: u32| {
        let product = u64::from(length)
            .saturating_mul(shown)
            .saturating_add(long / 2);
        let scaled = product.checked_div(long).unwrap_or(0);
        u32::try_from(scaled).unwrap_or(u32::MAX).max(1)
    };
    Some(Dimensions {
        width: scaled(width),
        height: scaled(height),
    })
}

/// The length of the longer side of an image that is shown with at most `most` pixels on a side.
fn shown_side(facts: &ImageFacts, decoder: DecoderFormat, most: u32) -> u32 {
    let long = facts.width.max(facts.height);
    let drawn = match decoder {
        DecoderFormat::Svg => long.max(limits::DRAWN_SIDE),
        _ => long,
    };
    drawn.min(most)
}

/// The reason for which an image is not shown, if it is known before the image is decoded.
fn not_shown(images: ImageMode, exceeded: Option<u64>, format: &MediaFormat) -> Option<NotShown> {
    match (images, exceeded) {
        (ImageMode::Describe, _) => Some(NotShown::Described),
        (ImageMode::Passthrough { mimes, .. }, _) if !mimes.contains(&format.mime) => {
            Some(NotShown::Format)
        }
        (_, Some(limit)) => Some(NotShown::Bytes(limit)),
        (_, None) => None,
    }
}

fn unchanged(bytes: &[u8], media: &Media) -> Payload {
    Payload {
        mime: media.format.mime,
        data: STANDARD.encode(bytes),
        bytes: bytes.len() as u64,
        size: media.size(),
        passthrough: true,
        is_half: false,
    }
}

fn bounds(fit: ImageLimits) -> ImageBounds {
    ImageBounds {
        side: fit.side,
        bytes: fit.bytes,
        pixels: limits::IMAGE_PIXELS,
        encodings: Encodings::MODELS,
    }
}

fn encoded(image: &Image) -> Payload {
    Payload {
        mime: match image.encoding {
            Encoding::Jpeg => "image/jpeg",
            // The reader never asks for pixels or sixels.
            Encoding::Pixels => "application/octet-stream",
            Encoding::Png => "image/png",
            Encoding::Sixel => "image/x-sixel",
            Encoding::Webp => "image/webp",
        },
        data: STANDARD.encode(&image.data),
        bytes: image.data.len() as u64,
        size: Some(Dimensions {
            width: image.width,
            height: image.height,
        }),
        passthrough: false,
        is_half: false,
    }
}
