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
mod own;
mod pixels;
mod resize;
mod svg;

pub use facts::examine;

use crate::{Bounds, Error, Fitted, Format};
use decode::decode;

/// Decodes a picture of at most `pixels` to see whether it can be.
///
/// # Errors
/// Why it cannot, also for one of which only a part can.
pub fn verify(data: &[u8], format: Format, pixels: u64) -> Result<(), Error> {
    if format == Format::Svg {
        return svg::draw(data, pixels, limits::DRAWN_SIDE).map(|_| ());
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
    if format == Format::Svg {
        let (pixels, mut notes) = svg::draw(data, bounds.pixels, bounds.side)?;
        let made = encode::encode(pixels, encode::Kind::Drawing, bounds, &mut notes)?;
        return Ok(Fitted {
            made: Some(made),
            notes,
        });
    }
    let decoded = decode(data, format, bounds.pixels)?;
    let mut notes: Vec<String> = decoded.damage.iter().cloned().collect();
    notes.extend(decoded.notes);
    if notes.is_empty() && own::is_plain(data, format, &decoded.pixels, bounds) {
        return Ok(Fitted { made: None, notes });
    }
    let lossy = format == Format::Jpeg;
    let smaller = resize::within(decoded.pixels, bounds.side)?;
    let upright = smaller.turned(decoded.orientation);
    let kind = if lossy || upright.is_photograph() {
        encode::Kind::Photograph
    } else {
        encode::Kind::Drawing
    };
    let made = encode::encode(upright, kind, bounds, &mut notes)?;
    Ok(Fitted {
        made: Some(made),
        notes,
    })
}
