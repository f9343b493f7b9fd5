//! Whether a file can go to a model as it is: nothing in it but the image, and
//! that by the rules.

use super::chunks::{SCAN, header_of_png, of_jpeg, of_png, of_webp};
use super::strict;
use omniread_image_types::{Bounds, Format};

/// Whether a file holds a plain image inside the bounds: eight bits for each
/// channel, no animation, no text, profile or notes of a camera, nothing behind
/// its end, and every decoder that keeps to the rules decodes it.
pub fn goes(data: &[u8], format: Format, bounds: Bounds) -> bool {
    let Bounds {
        encodings, side, ..
    } = bounds;
    if data.len() as u64 > u64::from(bounds.bytes) {
        return false;
    }
    match format {
        Format::Png => encodings.png && is_plain_png(data, side) && strict::png(data).is_ok(),
        Format::Jpeg => encodings.jpeg && is_plain_jpeg(data, side) && strict::jpeg(data).is_ok(),
        Format::Webp => encodings.webp && is_plain_webp(data) && strict::webp(data, side).is_ok(),
        _ => false,
    }
}

/// Whether a PNG has a header, chunks of data without others between them, and
/// an end, and besides only what tells how its colours look on a screen, each of
/// the length that it has (its specification, section 11).
fn is_plain_png(data: &[u8], side: u32) -> bool {
    let (chunks, rest) = of_png(data);
    let Some(header) = header_of_png(data) else {
        return false;
    };
    // Grey, RGB or RGBA.
    let plain = header.depth == 8 && matches!(header.color, 0 | 2 | 6);
    // What stood last: nothing, the header, what tells of colours, data, the end.
    let mut last = 0;
    let ordered = chunks.iter().all(|chunk| {
        let (place, sound) = match (&chunk.kind, chunk.body.len()) {
            (b"IHDR", 13) => (1, last == 0),
            (b"sRGB", 1) | (b"gAMA", 4) | (b"cHRM", 32) | (b"pHYs", 9) => {
                (2, last == 1 || last == 2)
            }
            (b"IDAT", _) => (3, (1..=3).contains(&last)),
            (b"IEND", 0) => (4, last == 3),
            _ => return false,
        };
        last = place;
        sound
    });
    plain && ordered && last == 4 && rest.is_empty() && header.width.max(header.height) <= side
}

/// Whether a JPEG has frames, tables and scans alone.
fn is_plain_jpeg(data: &[u8], most: u32) -> bool {
    let jpeg = of_jpeg(data);
    let side = |high: u8, low: u8| u32::from(u16::from_be_bytes([high, low]));
    let mut scans = 0;
    let plain = jpeg.segments.iter().all(|segment| match segment.marker {
        // Baseline, extended or progressive: a depth, two sides, and how many
        // channels.
        0xc0..=0xc2 => matches!(
            *segment.body,
            [8, h0, h1, w0, w1, 1 | 3, ..] if side(h0, h1).max(side(w0, w1)) <= most
        ),
        SCAN => {
            scans += 1;
            true
        }
        // Tables, and where scans start again.
        0xc4 | 0xdb | 0xdd => true,
        // JFIF without a thumbnail: a version, a density, and the sides of that.
        0xe0 => matches!(
            segment.body,
            [b'J', b'F', b'I', b'F', 0, _, _, _, _, _, _, _, 0, 0]
        ),
        // The colours that Adobe's programs use.
        0xee => segment.body.starts_with(b"Adobe") && segment.body.len() == 12,
        _ => false,
    });
    // One whose channels come one after the other some decoders get wrong.
    plain && scans > 0 && !jpeg.is_planar() && !jpeg.gaps && jpeg.rest == Some(&[])
}

/// Whether a WebP is the image alone: one chunk of data, and of the extended
/// form at most the size of the canvas.
fn is_plain_webp(data: &[u8]) -> bool {
    let canvas = |body: &[u8]| matches!(*body, [0, 0, 0, 0, _, _, _, _, _, _]);
    let image = |kind: &[u8; 4]| kind == b"VP8 " || kind == b"VP8L";
    of_webp(data).is_some_and(|chunks| match chunks.as_slice() {
        [(kind, _)] => image(kind),
        [(extended, body), (kind, _)] => extended == b"VP8X" && canvas(body) && image(kind),
        _ => false,
    })
}
