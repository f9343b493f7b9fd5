//! Details of images and attachments.

use serde::Serialize;
use wasmtime::component::{ComponentType, Lift};

/// Details of an image.
#[derive(Clone, Debug, PartialEq, Eq, ComponentType, Lift, Serialize)]
#[component(record)]
#[non_exhaustive]
pub struct ImageDetails {
    /// The format, detected from the first bytes, such as `PNG image`.
    pub format: String,
    /// The MIME type of the file.
    pub mime: String,
    /// The width and height that the header states, after rotation to the EXIF orientation.
    pub dimensions: Option<Dimensions>,
    /// Other facts from the header.
    pub header: Option<ImageHeader>,
    /// Facts about the image in the reply. `None` if the image is not in the reply, because it
    /// cannot be decoded, exceeds a limit of the dialect in bytes or pixels, has a format that
    /// models do not accept, or was only described.
    pub payload: Option<Payload>,
    /// The tokens that the image in the reply costs a language model, as an estimate by the rule that
    /// Anthropic publishes for its models of high resolution: one for each 28 × 28 pixels, at most 4784. Those
    /// that it would cost if it is not shown because of the budget of the session. `None` for other images that are
    /// not shown.
    pub tokens: Option<u64>,
    /// The tokens at half the width and height. A path that ends in `:half` shows the image so.
    #[component(name = "tokens-at-half")]
    pub tokens_at_half: Option<u64>,
}

/// Facts from the header of an image, except its width and height.
#[derive(Clone, Debug, PartialEq, Eq, ComponentType, Lift, Serialize)]
#[component(record)]
#[non_exhaustive]
pub struct ImageHeader {
    /// The number of channels, including the alpha channel.
    pub channels: u8,
    /// Whether the image has an alpha channel.
    pub alpha: bool,
    /// Bits per channel in the file; in an image with a palette, bits per palette index.
    pub depth: u8,
    /// The number of frames or pages, or of images in an icon. Only one of them is shown.
    pub frames: u32,
    /// EXIF metadata by name: `camera`, `taken`, `orientation`, `location`, `software`,
    /// `description`, `copyright`.
    #[serde(serialize_with = "super::sorted")]
    pub metadata: Vec<(String, String)>,
}

/// Width and height of an image, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ComponentType, Lift, Serialize)]
#[component(record)]
pub struct Dimensions {
    /// Pixels from left to right.
    pub width: u32,
    /// Pixels from top to bottom.
    pub height: u32,
}

/// Details of a file that is passed to the model unchanged.
#[derive(Clone, Debug, PartialEq, Eq, ComponentType, Lift, Serialize)]
#[component(record)]
#[non_exhaustive]
pub struct AttachmentDetails {
    /// The format, detected from the first bytes, such as `PDF document`.
    pub format: String,
    /// The MIME type of the file.
    pub mime: String,
    /// Facts about the file in the reply. `None` if the file is not in the reply, because it
    /// exceeds the limit of the dialect in bytes.
    pub payload: Option<Payload>,
}

/// Facts about the image or attachment that a block contains.
#[derive(Clone, Debug, PartialEq, Eq, ComponentType, Lift, Serialize)]
#[component(record)]
#[non_exhaustive]
pub struct Payload {
    /// The MIME type, as in the block.
    pub mime: String,
    /// The size in bytes, before it is encoded in base64.
    pub bytes: u64,
    /// The width and height of an image, if known.
    pub dimensions: Option<Dimensions>,
    /// Whether the block contains the unchanged file. If false, the image was decoded, resized,
    /// rotated to its EXIF orientation and encoded again.
    pub passthrough: bool,
}
