//! Images: what they are, and how a model gets them.
//!
//! ```text
//! examine   a header → facts                    facts, frames, exif
//! verify    all of it → whether it decodes      strict, decode
//! fit       decode → resize → upright → encode  decode, svg, pixels, resize, encode
//!           or the file as it is                own, strict
//! ```
//!
//! A plain library, and an engine component when built for wasm32-wasip2. It
//! reaches nothing: bytes go in, bytes come out. What a decoder does not bound
//! itself, memory and time, is bounded by whoever runs it.

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
mod exif;
mod facts;
mod frames;
mod limits;
mod markup;
mod own;
mod pixels;
mod profile;
mod resize;
mod strict;
mod svg;

pub use facts::examine;
pub use omniread_image_types::{
    Bounds, Encoding, Encodings, Error, Facts, Fitted, Format, Frames, Image,
};

use decode::decode;
use encode::{Kind, encode};
use svg::Drawing;

/// Decodes an image of at most `pixels` to see whether it can be, all frames of
/// it.
///
/// # Errors
/// Why it cannot, also for one of which only a part can.
pub fn verify(data: &[u8], format: Format, pixels: u64) -> Result<(), Error> {
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

/// Makes an image fit: decoded, made smaller, turned upright and encoded
/// again, or left as it is if that is safe.
///
/// # Errors
/// Why there is nothing to show.
pub fn fit(data: &[u8], format: Format, bounds: Bounds) -> Result<Fitted, Error> {
    if format == Format::Svg {
        let drawing = Drawing::parse(data, bounds.pixels)?;
        let (pixels, mut notes) = drawing.draw(bounds.side)?;
        let made = encode(pixels, Kind::Drawing, bounds, &mut notes)?;
        return Ok(Fitted {
            facts: drawing.facts(),
            made: Some(made),
            notes,
        });
    }
    let facts = examine(data, format)?;
    limits::few_enough(facts.width, facts.height, bounds.pixels)?;
    if own::goes(data, format, bounds) {
        return Ok(Fitted {
            facts,
            made: None,
            notes: Vec::new(),
        });
    }
    let decoded = decode(data, format, bounds.pixels)?;
    let mut notes = decoded.notes;
    if let Some(damage) = decoded.damage {
        notes.push(format!(
            "it is damaged, and shown as far as it goes: {damage}"
        ));
    }
    let kind = match (decoded.pixels.is_photograph(), format) {
        (true, _) => Kind::Photograph,
        (false, Format::Jpeg) => Kind::Frayed,
        (false, _) => Kind::Drawing,
    };
    let mut pixels = resize::within(decoded.pixels, bounds.side)?;
    if let Some(profile) = decoded.profile {
        pixels = profile::applied(pixels, &profile, &mut notes);
    }
    let pixels = pixels.turned(decoded.orientation);
    let made = encode(pixels, kind, bounds, &mut notes)?;
    Ok(Fitted {
        facts,
        made: Some(made),
        notes,
    })
}
