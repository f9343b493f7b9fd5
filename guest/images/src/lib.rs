//! Images: their metadata, and their conversion for models.
//!
//! ```text
//! probe      a header → facts                    facts, frames, exif
//! validate   the whole file → can it be decoded  strict, decode
//! transcode  decode → resize → rotate → encode   decode, svg, pixels, resize, encode
//!            or the unchanged file               passthrough, strict, entropy
//! ```
//!
//! This crate is a plain library, and an engine component when it is built for
//! wasm32-wasip2. It has no access to files or the network. The caller must limit the
//! memory and time that a decoder does not limit itself.

#![cfg_attr(
    not(test),
    warn(
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::unwrap_used,
    )
)]

#[cfg(target_family = "wasm")]
mod bindings;
mod bmp;
mod chunks;
#[cfg(target_family = "wasm")]
mod component;
mod container;
mod decode;
mod encode;
mod entropy;
mod exif;
mod facts;
mod frames;
mod limits;
mod markup;
mod passthrough;
mod pixels;
mod profile;
mod resize;
mod sixel;
mod strict;
mod svg;

pub use facts::probe;
pub use omniread_image_types::{
    Bounds, Encoding, Encodings, Error, Format, Frames, Image, ImageFacts, Transcoded,
};

use decode::decode;
use encode::{Kind, encode};
use svg::Drawing;

/// Checks that an image can be decoded completely, with all frames of an animation, and that it has
/// at most `pixels` pixels. For an SVG, `pixels` is the maximum for all embedded images together,
/// and larger ones are left out.
///
/// # Errors
/// Returns the reason why the image cannot be decoded completely.
pub fn validate(data: &[u8], format: Format, pixels: u64) -> Result<(), Error> {
    if format == Format::Svg {
        return Drawing::parse(data, pixels)?
            .draw(limits::DRAWN_SIDE)
            .map(|_| ());
    }
    if let Some(sound) = strict::check(data, format, pixels) {
        return sound;
    }
    match decode(data, format, pixels)?.damage {
        Some(damage) => Err(Error::Damaged(damage)),
        None => Ok(()),
    }
}

/// Transcodes an image so that it is within `bounds`: decodes it, resizes it, rotates it upright
/// and encodes it. A file that is within `bounds` already, and contains nothing but a valid image,
/// is not encoded again.
///
/// # Errors
/// Returns the reason why the image cannot be shown.
pub fn transcode(data: &[u8], format: Format, bounds: Bounds) -> Result<Transcoded, Error> {
    if format == Format::Svg {
        let drawing = Drawing::parse(data, bounds.pixels)?;
        let (pixels, mut notes) = drawing.draw(bounds.side)?;
        let encoded = encode(pixels, Kind::Drawing, bounds, &mut notes)?;
        return Ok(Transcoded {
            facts: drawing.facts(),
            reencoded: Some(encoded),
            notes,
        });
    }
    let facts = probe(data, format)?;
    limits::few_enough(facts.width, facts.height, bounds.pixels)?;
    if passthrough::is_possible(data, format, bounds) {
        return Ok(Transcoded {
            facts,
            reencoded: None,
            notes: Vec::new(),
        });
    }
    let decoded = decode(data, format, bounds.pixels)?;
    let mut notes = decoded.notes;
    if let Some(damage) = decoded.damage {
        notes.push(format!(
            "damaged, so only the readable part is shown: {damage}"
        ));
    }
    let kind = match (decoded.pixels.is_photograph(), format) {
        (true, _) => Kind::Photograph,
        (false, Format::Jpeg) => Kind::FormerJpeg,
        (false, _) => Kind::Drawing,
    };
    let mut pixels = resize::within(decoded.pixels, bounds.side)?;
    if let Some(profile) = decoded.profile {
        pixels = profile::applied(pixels, &profile, &mut notes);
    }
    let pixels = pixels.turned(decoded.orientation);
    let encoded = encode(pixels, kind, bounds, &mut notes)?;
    Ok(Transcoded {
        facts,
        reencoded: Some(encoded),
        notes,
    })
}
