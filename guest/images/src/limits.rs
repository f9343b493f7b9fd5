//! The limits of the work on an image, each with its reason. The caller decides how many
//! pixels are decoded, and the bounds of the result.

use omniread_image_types::Error;

/// Maximum size in bytes of the decoded pixels: enough for 40 million pixels of four bytes, or half
/// as many of eight. With the file and the result, an instance of the engine stays below 400 MiB.
pub const DECODED_BYTES: u64 = 176 << 20;

/// Maximum memory in bytes that a decoder may use in addition to the decoded pixels.
pub const DECODER_BYTES: u64 = 256 << 20;

/// Maximum number of pixels of all frames together, as a multiple of the maximum number of pixels
/// of one image. Applies if all frames are decoded.
pub const FRAME_FACTOR: u64 = 10;

/// Size in bytes of the buffer for data that is decompressed only to be checked.
pub const INFLATE_BYTES: usize = 64 << 10;

/// Maximum number of frames or pages that are counted or decoded.
pub const FRAMES: u32 = 10_000;

/// Maximum size in bytes of a colour profile or of EXIF data. Larger ones are ignored.
pub const METADATA_BYTES: usize = 4 << 20;

/// Maximum number of characters that are returned of the value of an EXIF field.
pub const VALUE_CHARS: usize = 200;

/// Maximum size in bytes of an SVG.
pub const SVG_BYTES: usize = 8 << 20;

/// Maximum number of elements of an SVG. Maps have about ten thousand.
pub const SVG_ELEMENTS: usize = 200_000;

/// Maximum depth of nested elements in an SVG. Files of drawing programs have a few dozen levels,
/// and each level uses stack memory.
pub const SVG_DEPTH: usize = 200;

/// Maximum width and height in pixels that an SVG may state. The SVG is drawn with fewer pixels.
pub const SVG_SIDE: f32 = 1_000_000.0;

/// Minimum length in pixels of the longer side of a drawn SVG. An SVG can be scaled, so a
/// small one is drawn large enough to be legible.
pub const DRAWN_SIDE: u32 = 512;

/// Maximum number of embedded images that are drawn in an SVG. Further ones are left out.
pub const SVG_IMAGES: usize = 64;

/// An image is treated as a photograph only if less than this percentage of its pixels equal their
/// left neighbours. In screenshots, 60 percent and more are equal, in photographs seldom 20.
pub const PHOTOGRAPH_PERCENT: u64 = 35;

/// Minimum number of different colours of an image that is treated as a photograph, unless it is
/// grey. Palettes have at most 256 colours.
pub const PHOTOGRAPH_COLOURS: usize = 257;

/// An image is treated as a photograph, too, if less than one of this number of its pixels is at an edge, as in a
/// gradient. A line of text has hundreds of such pixels.
pub const SMOOTH_PAIRS: u64 = 20_000;

/// Maximum difference of a channel between a pixel and its left neighbour that is not an edge.
pub const SMOOTH_STEP: u8 = 8;

/// An image of at most this number of pixels is never treated as a photograph. Its lossless
/// encoding has only a few kilobytes.
pub const ICON_PIXELS: u64 = 128 * 128;

/// Maximum number of pixels of a photograph for which lossless encodings are tried. For larger
/// photographs, they are never smaller than a JPEG.
pub const LOSSLESS_PHOTOGRAPH_PIXELS: u64 = 128 * 1024;

/// Maximum number of pixels of an image that is encoded in each way that is allowed, of which the smallest result is
/// used. Of larger images, a sample is.
pub const SAMPLED_PIXELS: u64 = 256 * 1024;

/// Number of rows of a band of the sample. A block of JPEG has as many.
pub const SAMPLE_ROWS: usize = 16;

/// Number of rows from one band of the sample to the next, so that the sample is an eighth of the image.
pub const SAMPLE_STEP: usize = 128;

/// Maximum number of pixels of an image for which the slower of two levels of PNG compression is
/// used. It takes 10 times as long as the fast level, which takes a few milliseconds for such an
/// image.
pub const SMALL_PIXELS: u64 = 64 * 1024;

/// JPEG qualities for photographs, best first.
pub const PHOTOGRAPH_QUALITIES: &[u8] = &[85, 75, 60];

/// JPEG qualities for drawings, best first: higher than for photographs, because artefacts are more
/// visible in letters. From 90 on, colours have the full resolution.
pub const DRAWING_QUALITIES: &[u8] = &[92, 90, 80, 65];

/// Minimum length in pixels of the longer side to which an image is scaled down to save
/// bytes.
pub const LEAST_SIDE: u32 = 64;

/// Checks that an image has at least one pixel and at most `pixels` pixels.
///
/// # Errors
/// Fails if the image has no pixels, or too many.
pub fn few_enough(width: u32, height: u32, pixels: u64) -> Result<(), Error> {
    match u64::from(width) * u64::from(height) {
        0 => Err(Error::Damaged("it has no pixels".to_owned())),
        count if count > pixels => Err(Error::Pixels(count)),
        _ => Ok(()),
    }
}
