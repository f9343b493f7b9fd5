//! Check whether a file can be passed to a model unchanged: it contains nothing but the
//! image, and it follows the specification.

use super::chunks::{SCAN, header_of_png, of_jpeg, of_png, of_webp};
use super::strict;
use omniread_image_types::{Bounds, Format};

/// Whether a file can be passed to a model unchanged, because it is a plain image within `bounds`.
/// A plain image has eight bits per channel, and no animation, text, colour profile or EXIF data.
/// Nothing follows its end, and every decoder that follows the specification can decode it.
pub fn is_possible(data: &[u8], format: Format, bounds: Bounds) -> bool {
    let Bounds {
        encodings, side, ..
    } = bounds;
    if data.len() as u64 > u64::from(bounds.bytes) {
        return false;
    }
    match format {
        Format::Png => encodings.png && is_plain_png(data, side) && strict::png(data).is_ok(),
        Format::Jpeg => encodings.jpeg && is_plain_jpeg(data, side) && strict::is_jpeg(data),
        Format::Webp => encodings.webp && is_plain_webp(data) && strict::webp(data, side).is_ok(),
        _ => false,
    }
}

/// Whether a PNG has eight bits per channel, no palette, and sides of at most `side` pixels. Its
/// only chunks are a header, adjacent data chunks, an end, and chunks of valid lengths for colours
/// and resolution (PNG specification, section 11).
fn is_plain_png(data: &[u8], side: u32) -> bool {
    let (chunks, rest) = of_png(data);
    let Some(header) = header_of_png(data) else {
        return false;
    };
    // Grey, RGB or RGBA.
    let plain = header.depth == 8 && matches!(header.color, 0 | 2 | 6);
    // The kind of the last chunk: 0 none, 1 header, 2 colour, 3 data, 4 end.
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

/// Whether a JPEG has sides of at most `most` pixels, and only frame headers, tables, scans, and
/// the short JFIF and Adobe headers.
fn is_plain_jpeg(data: &[u8], most: u32) -> bool {
    let jpeg = of_jpeg(data);
    let side = |high: u8, low: u8| u32::from(u16::from_be_bytes([high, low]));
    let mut scans = 0;
    let plain = jpeg.segments.iter().all(|segment| match segment.marker {
        // Baseline, extended or progressive, with 8 bits, height, width and the number of
        // channels.
        0xc0..=0xc2 => matches!(
            *segment.body,
            [8, h0, h1, w0, w1, 1 | 3, ..] if side(h0, h1).max(side(w0, w1)) <= most
        ),
        SCAN => {
            scans += 1;
            true
        }
        // Tables and restart intervals.
        0xc4 | 0xdb | 0xdd => true,
        // JFIF without a thumbnail: the version, the density, and a thumbnail size of
        // zero.
        0xe0 => matches!(
            segment.body,
            [b'J', b'F', b'I', b'F', 0, _, _, _, _, _, _, _, 0, 0]
        ),
        // The colour transform in Adobe's segment.
        0xee => segment.body.starts_with(b"Adobe") && segment.body.len() == 12,
        _ => false,
    });
    // Some decoders handle channels that are stored one after the other incorrectly.
    plain && scans > 0 && !jpeg.is_planar() && !jpeg.gaps && jpeg.rest == Some(&[])
}

/// Whether a WebP contains only an image: one image chunk and, in the extended format, a header
/// without flags before it.
fn is_plain_webp(data: &[u8]) -> bool {
    let canvas = |body: &[u8]| matches!(*body, [0, 0, 0, 0, _, _, _, _, _, _]);
    let image = |kind: &[u8; 4]| kind == b"VP8 " || kind == b"VP8L";
    of_webp(data).is_some_and(|chunks| match chunks.as_slice() {
        [(kind, _)] => image(kind),
        [(extended, body), (kind, _)] => extended == b"VP8X" && canvas(body) && image(kind),
        _ => false,
    })
}
