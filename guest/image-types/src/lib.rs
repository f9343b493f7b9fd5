//! The types of requests to the engine for images, and of its answers. The reader and
//! the engine share them, and neither contains the other.

use std::fmt;

/// A format that is decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Windows bitmap.
    Bmp,
    /// DDS, of `DirectDraw`.
    Dds,
    /// `OpenEXR`.
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
    /// PNG; of an animated one the still image counts.
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

/// What an image has to fit into.
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

/// What an image may be encoded as.
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

/// What an image was encoded as.
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

/// An image that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// What it is encoded as.
    pub encoding: Encoding,
    /// Its bytes.
    pub data: Vec<u8>,
    /// Pixels from left to right.
    pub width: u32,
    /// Pixels from top to bottom.
    pub height: u32,
}

/// How an image fits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fitted {
    /// What its header tells.
    pub facts: Facts,
    /// The image; `None` if the file does as it is.
    pub made: Option<Image>,
    /// Damage, and what could not be shown as it is meant.
    pub notes: Vec<String>,
}

/// Why there is no image.
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
    /// The decoder failed. Holds what is known.
    Failed(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Damaged(words) => write!(f, "it is damaged: {words}"),
            Self::Unsupported(what) => write!(f, "it is not decoded: {what}"),
            Self::Pixels(count) => write!(f, "it has {count} pixels, more than are decoded"),
            Self::Exhausted(what) => write!(f, "it takes more {what} than it may"),
            Self::Failed(why) => write!(f, "the decoder failed: {why}"),
        }
    }
}

impl std::error::Error for Error {}

/// How many frames or pages there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frames {
    /// How many were found.
    pub count: u32,
    /// There may be more: counting stopped, or met damage.
    pub more: bool,
}

/// What the header of an image tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Pixels from left to right, upright.
    pub width: u32,
    /// Pixels from top to bottom, upright.
    pub height: u32,
    /// Channels, alpha among them.
    pub channels: u8,
    /// Whether one of them is alpha.
    pub alpha: bool,
    /// Bits of each channel in the file; of a palette those of a colour's
    /// number.
    pub depth: u8,
    /// Frames or pages.
    pub frames: Frames,
    /// What a camera noted, by name.
    pub notes: Vec<(String, String)>,
}
