//! Every number that bounds the work on an image, with its reason. How many
//! pixels are decoded and what an image has to fit into is up to whoever asks.

use omniread_image_types::Error;

/// Bytes of decoded pixels: 40 million of them at four bytes, half as many at
/// eight. With the file and what is made of it an instance stays below
/// 400 MiB.
pub const DECODED_BYTES: u64 = 176 << 20;

/// Bytes that a decoder may take besides.
pub const DECODER_BYTES: u64 = 256 << 20;

/// Times the pixels of an image that those of all its frames may have, where
/// all of them are decoded.
pub const FRAME_FACTOR: u64 = 10;

/// Bytes that are unpacked at a time, of what is only looked through.
pub const INFLATE_BYTES: usize = 64 << 10;

/// Frames or pages that are counted.
pub const FRAMES: u32 = 10_000;

/// Bytes of a profile or of notes of a camera that are looked at; what is
/// larger is left out.
pub const METADATA_BYTES: usize = 4 << 20;

/// Characters of a value that a camera noted.
pub const VALUE_CHARS: usize = 200;

/// Bytes of an SVG that is drawn.
pub const SVG_BYTES: usize = 8 << 20;

/// Elements of an SVG that is drawn: maps have some ten thousand.
pub const SVG_ELEMENTS: usize = 200_000;

/// Levels of elements in an SVG that is drawn: drawing programs reach some
/// tens, and each takes stack.
pub const SVG_DEPTH: usize = 200;

/// Pixels on a side that an SVG may say it has: it is drawn smaller.
pub const SVG_SIDE: f32 = 1_000_000.0;

/// Pixels of the longer side to which a small SVG is drawn: as it has no size
/// of its own, it is drawn large enough to be looked at.
pub const DRAWN_SIDE: u32 = 512;

/// Images in an SVG that are drawn.
pub const SVG_IMAGES: usize = 64;

/// Share of pixels that equal their neighbour, in percent, below which a
/// image counts as a photograph: screen shots have 60 and more, photographs
/// seldom 20.
pub const PHOTOGRAPH_PERCENT: u64 = 35;

/// Colours that an image has at least to count as a photograph: palettes have
/// no more than this.
pub const PHOTOGRAPH_COLOURS: usize = 257;

/// Pixels of an image that never counts as a photograph: without loss it takes
/// some kilobytes.
pub const ICON_PIXELS: u64 = 128 * 128;

/// Pixels of a photograph for which it is tried whether it is smaller without
/// loss: among larger ones none is.
pub const TRIED_PIXELS: u64 = 128 * 1024;

/// Pixels of an image for which PNG is tried at its best: that takes 10 times
/// as long as the usual way, which is some milliseconds for so few.
pub const SMALL_PIXELS: u64 = 64 * 1024;

/// Qualities of JPEG that are tried for photographs, best first.
pub const PHOTOGRAPH_QUALITIES: &[u8] = &[85, 75, 60];

/// The same for drawings, in which letters fray sooner. From 90 on colours have
/// the resolution of the image.
pub const DRAWING_QUALITIES: &[u8] = &[92, 90, 80, 65];

/// Pixels of the longer side below which an image is not made smaller to save
/// bytes.
pub const LEAST_SIDE: u32 = 64;

/// Checks that an image has pixels, and no more than this.
///
/// # Errors
/// If it has none, or more.
pub fn few_enough(width: u32, height: u32, pixels: u64) -> Result<(), Error> {
    match u64::from(width) * u64::from(height) {
        0 => Err(Error::Damaged("it has no pixels".to_owned())),
        count if count > pixels => Err(Error::Pixels(count)),
        _ => Ok(()),
    }
}
