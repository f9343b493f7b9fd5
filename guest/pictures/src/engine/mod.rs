//! What decodes, draws and encodes.

#[cfg(target_family = "wasm")]
mod bindings;
mod chunks;
#[cfg(target_family = "wasm")]
mod component;
mod decode;
mod encode;
mod exif;
mod facts;
mod frames;
mod limits;
mod markup;
mod own;
mod pixels;
mod resize;
mod strict;
mod svg;

pub use facts::examine;

use crate::{Bounds, Error, Fitted, Format};
use decode::decode;
use encode::{Kind, encode};

/// Decodes a picture of at most `pixels` to see whether it can be, all frames of
/// it.
///
/// # Errors
/// Why it cannot, also for one of which only a part can.
pub fn verify(data: &[u8], format: Format, pixels: u64) -> Result<(), Error> {
    if format == Format::Svg {
        return svg::draw(data, pixels, limits::DRAWN_SIDE).map(|_| ());
    }
    if let Some(sound) = strict::check(data, format, pixels) {
        return sound;
    }
    match decode(data, format, pixels)?.damage {
        Some(damage) => Err(Error::Damaged(damage)),
        None => Ok(()),
    }
}

/// Makes a picture fit: decoded, made smaller, turned upright and encoded
/// again, or left as it is if that is safe.
///
/// # Errors
/// Why there is nothing to show.
pub fn fit(data: &[u8], format: Format, bounds: Bounds) -> Result<Fitted, Error> {
    if own::goes(data, format, bounds) {
        return Ok(Fitted {
            made: None,
            notes: Vec::new(),
        });
    }
    let mut notes = Vec::new();
    let (pixels, kind) = if format == Format::Svg {
        let (pixels, said) = svg::draw(data, bounds.pixels, bounds.side)?;
        notes.extend(said);
        (pixels, Kind::Drawing)
    } else {
        let decoded = decode(data, format, bounds.pixels)?;
        notes.extend(decoded.damage);
        notes.extend(decoded.notes);
        let kind = if format == Format::Jpeg || decoded.pixels.is_photograph() {
            Kind::Photograph
        } else {
            Kind::Drawing
        };
        let smaller = resize::within(decoded.pixels, bounds.side)?;
        (smaller.turned(decoded.orientation), kind)
    };
    let made = encode(pixels, kind, bounds, &mut notes)?;
    Ok(Fitted {
        made: Some(made),
        notes,
    })
}
