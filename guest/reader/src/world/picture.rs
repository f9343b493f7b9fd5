//! Pictures, as an engine decodes them.

use crate::limits;
use std::fmt;

/// A format that is decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureFormat {
    /// Windows bitmap.
    Bmp,
    /// DirectDraw surface.
    Dds,
    /// OpenEXR.
    Exr,
    /// Farbfeld.
    Farbfeld,
    /// GIF.
    Gif,
    /// Radiance.
    Hdr,
    /// Windows icon.
    Ico,
    /// JPEG.
    Jpeg,
    /// PNG.
    Png,
    /// PBM, PGM, PPM, PAM.
    Pnm,
    /// QOI.
    Qoi,
    /// SVG.
    Svg,
    /// Targa.
    Tga,
    /// TIFF.
    Tiff,
    /// WebP.
    Webp,
}

/// How many frames or pages there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frames {
    /// How many were found, at least one.
    pub count: u32,
    /// There may be more.
    pub more: bool,
}

/// What the header of a picture tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Its size, upright.
    pub size: Dimensions,
    /// Channels, alpha among them.
    pub channels: u8,
    /// Whether one of them is alpha.
    pub alpha: bool,
    /// Bits of each channel in the file.
    pub depth: u8,
    /// Frames or pages.
    pub frames: Frames,
    /// What a camera noted: names and values.
    pub notes: Vec<(String, String)>,
}

/// Width and height of a picture, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dimensions {
    /// Pixels from left to right.
    pub width: u32,
    /// Pixels from top to bottom.
    pub height: u32,
}

/// What a picture has to fit into to be shown to a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fit {
    /// Pixels of the longer side.
    pub side: u32,
    /// Bytes.
    pub bytes: u32,
}

impl Fit {
    /// What is shown unless an option says otherwise.
    pub const DEFAULT: Self = Self {
        side: limits::IMAGE_SIDE,
        bytes: limits::IMAGE_BYTES,
    };
}

/// A picture that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Its MIME type.
    pub mime: &'static str,
    /// Its bytes.
    pub data: Vec<u8>,
    /// Its size.
    pub size: Dimensions,
}

/// How a picture fits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fitted {
    /// The picture; `None` if the file does as it is.
    pub made: Option<Picture>,
    /// Damage, and what could not be shown as it is meant.
    pub notes: Vec<String>,
}

/// Why there is no picture. What it holds are the words of the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PictureError {
    /// It is damaged, or none.
    Damaged(String),
    /// It uses what the decoder does not know.
    Unsupported(String),
    /// It has this many pixels, more than are decoded.
    Pixels(u64),
    /// It takes more than it may: `memory`, `time`, `elements`, …
    Exhausted(String),
    /// The engine failed.
    Failed(String),
}

impl PictureError {
    /// The error of a world that has no engine.
    pub fn no_engine() -> Self {
        Self::Failed("there is no engine for pictures here".to_owned())
    }
}

impl fmt::Display for PictureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Damaged(words) => write!(f, "it is damaged: {words}"),
            Self::Unsupported(what) => write!(f, "it is not decoded: {what}"),
            Self::Pixels(count) => write!(f, "it has {count} pixels, more than are decoded"),
            Self::Exhausted(what) => write!(f, "decoding it takes more {what} than it may"),
            Self::Failed(why) => write!(f, "the decoder failed: {why}"),
        }
    }
}
