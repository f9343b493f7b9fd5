//! Request and result types of the images engine. The reader and the engine share them
//! without a dependency on each other.

use std::fmt;

/// An image format that the images engine decodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Windows bitmap.
    Bmp,
    /// DDS (`DirectDraw` Surface).
    Dds,
    /// `OpenEXR`.
    Exr,
    /// Farbfeld.
    Farbfeld,
    /// GIF. Only the first frame is used.
    Gif,
    /// Radiance HDR.
    Hdr,
    /// Windows icon. Only the largest image of the file is used.
    Ico,
    /// JPEG.
    Jpeg,
    /// PNG. Of an animated PNG, only the default image is used.
    Png,
    /// PBM, PGM, PPM, PAM, PFM.
    Pnm,
    /// QOI.
    Qoi,
    /// SVG, which is rendered to pixels.
    Svg,
    /// Targa.
    Tga,
    /// TIFF. Only the first page is used.
    Tiff,
    /// WebP. Only the first frame is used.
    Webp,
}

/// The limits within which an image is transcoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Maximum length in pixels of the longer side of the result.
    pub side: u32,
    /// Maximum size in bytes of the encoded result, unless it is Sixel or pixels.
    pub bytes: u32,
    /// Maximum number of pixels of the source image. For an SVG, it is the maximum for all embedded
    /// images together.
    pub pixels: u64,
    /// The encodings that the result may have.
    pub encodings: Encodings,
}

/// The set of encodings that a transcoded image may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct Encodings {
    /// Whether baseline JPEG is allowed.
    pub jpeg: bool,
    /// Whether the result is pixels without any encoding. If it is, no other encoding is tried.
    pub pixels: bool,
    /// Whether PNG is allowed.
    pub png: bool,
    /// Whether Sixel, the graphics format of terminals, is used. If it is, no other encoding is
    /// tried.
    pub sixel: bool,
    /// Whether lossless WebP is allowed.
    pub webp: bool,
}

impl Encodings {
    /// The encodings that language models accept.
    pub const MODELS: Self = Self {
        jpeg: true,
        pixels: false,
        png: true,
        sixel: false,
        webp: true,
    };
}

/// The encoding of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Baseline JPEG.
    Jpeg,
    /// Pixels without any encoding: four bytes each (red, green, blue, alpha), row by row from the
    /// top.
    Pixels,
    /// PNG.
    Png,
    /// Sixel, the graphics format of terminals.
    Sixel,
    /// Lossless WebP.
    Webp,
}

/// An encoded image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// The encoding of `data`.
    pub encoding: Encoding,
    /// The encoded bytes.
    pub data: Vec<u8>,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
}

/// The result of a transcoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transcoded {
    /// Facts from the header of the source image.
    pub facts: ImageFacts,
    /// The newly encoded image. `None` if the source file can be used unchanged.
    pub reencoded: Option<Image>,
    /// Notes about damage, and about content that could not be shown correctly.
    pub notes: Vec<String>,
}

/// The reason why an image cannot be read, checked or transcoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The file is damaged, or does not have the stated format. Contains a description of the
    /// problem.
    Damaged(String),
    /// The file uses a feature that the decoder does not support. Contains the name of the feature.
    Unsupported(String),
    /// The image, or the sum of its frames, has more pixels than the limit allows. Contains the
    /// number of pixels that were counted.
    Pixels(u64),
    /// A resource limit was exceeded, or the image cannot be made small enough. Contains the name
    /// of the resource, such as `memory`.
    Exhausted(String),
    /// The engine failed, or the host has none. Contains the error message.
    Failed(String),
    /// The component has no image engine. Contains the name of the file of the component that has one.
    Missing(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Damaged(message) => write!(f, "the file is damaged: {message}"),
            Self::Unsupported(what) => write!(f, "{what} is not supported"),
            Self::Pixels(count) => write!(f, "it has {count} pixels, more than the limit"),
            Self::Exhausted(what) if what == "time" => {
                f.write_str("it needs more time than the limit, which `--timeout` raises")
            }
            Self::Exhausted(what) => write!(f, "it needs more {what} than the limit"),
            Self::Failed(why) => write!(f, "the image engine failed: {why}"),
            Self::Missing(file) => {
                write!(f, "this component has no image engine; use `{file}`")
            }
        }
    }
}

impl std::error::Error for Error {}

/// The number of frames or pages of an image file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frames {
    /// The number of frames or pages that were found in the file.
    pub count: u32,
    /// Whether there may be further frames or pages, because counting stopped at a limit or at
    /// damage.
    pub more: bool,
}

/// Facts from the header of an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageFacts {
    /// Width in pixels of the upright image, which is rotated as its EXIF orientation requires.
    pub width: u32,
    /// Height in pixels of the upright image, which is rotated as its EXIF orientation requires.
    pub height: u32,
    /// Number of channels, including the alpha channel.
    pub channels: u8,
    /// Whether there is an alpha channel.
    pub alpha: bool,
    /// Number of bits of each channel in the file, or of each palette index.
    pub depth: u8,
    /// The number of frames or pages.
    pub frames: Frames,
    /// Selected EXIF fields, each as a name and a value.
    pub metadata: Vec<(String, String)>,
}
