//! Whether a file can go to a model as it is: nothing in it but the picture.

use super::chunks::{of_jpeg, of_png, of_webp};
use super::pixels::Pixels;
use crate::{Bounds, Format};

/// Whether a file, which was decoded to `pixels` without damage, holds a plain
/// picture inside the bounds: eight bits for each channel, no animation, no
/// text, profile or notes of a camera, and nothing behind its end.
pub fn is_plain(data: &[u8], format: Format, pixels: &Pixels, bounds: Bounds) -> bool {
    let fits = data.len() as u64 <= u64::from(bounds.bytes);
    fits && pixels.width.max(pixels.height) <= bounds.side
        && match format {
            Format::Png => bounds.encodings.png && is_plain_png(data),
            Format::Jpeg => bounds.encodings.jpeg && is_plain_jpeg(data),
            Format::Webp => bounds.encodings.webp && is_plain_webp(data),
            _ => false,
        }
}

fn is_plain_png(data: &[u8]) -> bool {
    let (chunks, rest) = of_png(data);
    rest.is_empty()
        && chunks.iter().all(|chunk| match &chunk.kind {
            // Depth and colour type: grey, RGB or RGBA.
            b"IHDR" => matches!(chunk.body.get(8..10), Some([8, 0 | 2 | 6])),
            b"IDAT" | b"IEND" | b"sRGB" | b"gAMA" | b"cHRM" | b"pHYs" | b"sBIT" | b"bKGD" => true,
            _ => false,
        })
}

fn is_plain_jpeg(data: &[u8]) -> bool {
    let (segments, rest) = of_jpeg(data);
    rest == Some(&[])
        && segments.iter().all(|segment| match segment.marker {
            // Baseline, extended or progressive: a depth, two sides, and how
            // many channels.
            0xc0..=0xc2 => matches!(segment.body, [8, _, _, _, _, 1 | 3, ..]),
            // Tables, and where scans start and restart.
            0xc4 | 0xda | 0xdb | 0xdd => true,
            // JFIF without a thumbnail: a version, a density, and the sides of
            // that.
            0xe0 => matches!(
                segment.body,
                [b'J', b'F', b'I', b'F', 0, _, _, _, _, _, _, _, 0, 0]
            ),
            // The colours that Adobe's programs use.
            0xee => segment.body.starts_with(b"Adobe"),
            _ => false,
        })
}

fn is_plain_webp(data: &[u8]) -> bool {
    of_webp(data).is_some_and(|chunks| {
        chunks
            .iter()
            .all(|(kind, _)| matches!(kind, b"VP8 " | b"VP8L" | b"VP8X" | b"ALPH"))
    })
}
