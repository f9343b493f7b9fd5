//! Images: decoded, made to fit and encoded again by an engine, or handed out
//! as they are once it has decoded them.
//!
//! A file is one by its bytes, never by its name alone.

use crate::answer::{Dimensions, Given, Media, Withheld};
use crate::encoding;
use crate::limits;
use crate::pages::Input;
use crate::request::{Fit, Images};
use crate::sniff::{ImageFormat, MediaFormat};
use crate::world::{Encoding, Encodings, Image, ImageBounds, ImageError, World};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::borrow::Cow;

/// Reads an image of a format that its first bytes tell. `size` is what the
/// filesystem says, `text` the encoding of one that is written as text.
///
/// # Errors
/// Why it is none, of a format whose first bytes do not tell for sure.
pub fn read(
    input: &mut Input<'_>,
    size: Option<u64>,
    text: Option<encoding::Encoding>,
    kind: &'static ImageFormat,
    images: Images,
    world: &mut dyn World,
    notes: &mut Vec<String>,
) -> Result<Media, String> {
    let limit = match images {
        Images::Untouched { bytes, .. } => bytes,
        Images::Fitted(_) | Images::Described => limits::IMAGE_BYTES,
    };
    // Of one that is too large only the header is read.
    let too_large = size.is_some_and(|size| size > limit);
    let bytes = input.first(if too_large {
        limits::HEADER_BYTES
    } else {
        limit.saturating_add(1)
    });
    let too_large = too_large || bytes.len() as u64 > limit;
    let bytes = match text {
        Some(encoding) => encoding.decoded(&bytes, true),
        None => Cow::Borrowed(bytes.as_slice()),
    };
    let mut media = of_bytes(
        &bytes,
        kind,
        images,
        too_large.then_some(limit),
        world,
        notes,
    )?;
    if too_large {
        media.bytes = size;
    }
    Ok(media)
}

/// Reads an image of which these are the bytes, or the first of them if it has
/// more than `exceeded`.
///
/// # Errors
/// As of [`read`].
pub fn of_bytes(
    bytes: &[u8],
    kind: &'static ImageFormat,
    images: Images,
    exceeded: Option<u64>,
    world: &mut dyn World,
    notes: &mut Vec<String>,
) -> Result<Media, String> {
    let format = &kind.media;
    let mut media = Media {
        format,
        bytes: Some(bytes.len() as u64),
        facts: None,
        given: Err(Withheld::Undecoded(
            "there is no decoder for it here".to_owned(),
        )),
    };
    let withheld = withheld(images, exceeded, format);
    let Some(decoder) = kind.decoder else {
        if let Some(why @ Withheld::Format) = withheld {
            media.given = Err(why);
        }
        return Ok(media);
    };
    // The facts come with what fits; of all else they are asked for alone.
    if let (Images::Fitted(fit), None) = (images, &withheld) {
        match world.fit(bytes, decoder, bounds(fit)) {
            Ok(fitted) => {
                notes.extend(fitted.notes);
                media.facts = Some(fitted.facts);
                media.given = Ok(match fitted.made {
                    Some(made) => encoded(&made),
                    None => as_it_is(bytes, &media),
                });
                return Ok(media);
            }
            Err(error) => media.given = Err(Withheld::Undecoded(error.to_string())),
        }
    }
    match world.examine(bytes, decoder) {
        Ok(facts) => media.facts = Some(facts),
        Err(ImageError::Damaged(words)) if kind.weak => {
            let name = format.long_name;
            return Err(format!("it begins as {name}s do, but is none: {words}"));
        }
        // That is told first.
        Err(_) if withheld.is_some() => {}
        Err(error) => {
            media.given = Err(Withheld::Undecoded(error.to_string()));
            return Ok(media);
        }
    }
    if let Some(why) = withheld {
        media.given = Err(why);
        return Ok(media);
    }
    let side = media.size().map_or(0, |size| size.width.max(size.height));
    match images {
        Images::Untouched { side: most, .. } if side > most => {
            media.given = Err(Withheld::Side(most));
        }
        Images::Untouched { .. } => {
            media.given = world
                .verify(bytes, decoder, limits::IMAGE_PIXELS)
                .map(|()| as_it_is(bytes, &media))
                .map_err(|error| Withheld::Undecoded(error.to_string()));
        }
        // Why it could not be made to fit was kept above.
        Images::Fitted(_) | Images::Described => {}
    }
    Ok(media)
}

/// Why an image is not shown, so far as that is known without looking at it.
fn withheld(images: Images, exceeded: Option<u64>, format: &MediaFormat) -> Option<Withheld> {
    match (images, exceeded) {
        (Images::Described, _) => Some(Withheld::Described),
        (Images::Untouched { mimes, .. }, _) if !mimes.contains(&format.mime) => {
            Some(Withheld::Format)
        }
        (_, Some(limit)) => Some(Withheld::Bytes(limit)),
        (_, None) => None,
    }
}

fn as_it_is(bytes: &[u8], media: &Media) -> Given {
    Given {
        mime: media.format.mime,
        data: STANDARD.encode(bytes),
        bytes: bytes.len() as u64,
        size: media.size(),
        untouched: true,
    }
}

fn bounds(fit: Fit) -> ImageBounds {
    ImageBounds {
        side: fit.side,
        bytes: fit.bytes,
        pixels: limits::IMAGE_PIXELS,
        encodings: Encodings::MODELS,
    }
}

fn encoded(image: &Image) -> Given {
    Given {
        mime: match image.encoding {
            Encoding::Jpeg => "image/jpeg",
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
        untouched: false,
    }
}
