//! Pictures: what they are, and how a model gets them.
//!
//! ```text
//! examine   a header → facts                    facts, frames, exif
//! verify    all of it → whether it decodes      decode
//! fit       decode → resize → upright → encode  decode, svg, pixels, resize, encode
//!           or the file as it is                own
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

pub use facts::{Facts, Frames, examine};

use decode::decode;
use std::fmt;

/// A format that is decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Windows bitmap.
    Bmp,
    /// DirectDraw surface.
    Dds,
    /// OpenEXR.
    Exr,
    /// Farbfeld.
    Farbfeld,
    /// GIF; the first frame counts.
    Gif,
    /// Radiance.
    Hdr,
    /// Windows icon; the largest one counts.
    Ico,
    /// JPEG.
    Jpeg,
    /// PNG; of an animated one the still picture counts.
    Png,
    /// PBM, PGM, PPM, PAM, PFM.
    Pnm,
    /// QOI.
    Qoi,
    /// SVG, which is drawn.
    Svg,
    /// Targa.
    Tga,
    /// TIFF; the first page counts.
    Tiff,
    /// WebP; the first frame counts.
    Webp,
}

/// What a picture has to fit into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Pixels of the longer side.
    pub side: u32,
    /// Bytes.
    pub bytes: u32,
    /// Pixels that are decoded at most.
    pub pixels: u64,
    /// What it may be encoded as.
    pub encodings: Encodings,
}

/// What a picture may be encoded as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct Encodings {
    /// Baseline JPEG.
    pub jpeg: bool,
    /// PNG.
    pub png: bool,
    /// The graphics of terminals that DEC made; no other encoding is tried.
    pub sixel: bool,
    /// Lossless WebP.
    pub webp: bool,
}

impl Encodings {
    /// What models take.
    pub const MODELS: Self = Self {
        jpeg: true,
        png: true,
        sixel: false,
        webp: true,
    };
}

/// What a picture was encoded as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Baseline JPEG.
    Jpeg,
    /// PNG.
    Png,
    /// The graphics of terminals that DEC made.
    Sixel,
    /// Lossless WebP.
    Webp,
}

/// A picture that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// What it is encoded as.
    pub encoding: Encoding,
    /// Its bytes.
    pub data: Vec<u8>,
    /// Pixels from left to right.
    pub width: u32,
    /// Pixels from top to bottom.
    pub height: u32,
}

/// How a picture fits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fitted {
    /// The picture; `None` if the file does as it is.
    pub made: Option<Picture>,
    /// Damage, and what could not be shown as it is meant.
    pub notes: Vec<String>,
}

/// Why there is no picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// It is damaged, or none. Holds the decoder's words.
    Damaged(String),
    /// It uses what the decoder does not know. Holds what.
    Unsupported(String),
    /// It has this many pixels, which is more than are decoded.
    Pixels(u64),
    /// It would take more memory than it may, or cannot be made small enough.
    /// Holds of what.
    Exhausted(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Damaged(words) => write!(f, "damaged: {words}"),
            Self::Unsupported(what) => write!(f, "not supported: {what}"),
            Self::Pixels(count) => write!(f, "{count} pixels are more than are decoded"),
            Self::Exhausted(what) => write!(f, "it takes more {what} than it may"),
        }
    }
}

impl std::error::Error for Error {}

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
