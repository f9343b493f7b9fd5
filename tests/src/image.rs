//! Images for the tests, and the checks of every image in a reply.
//!
//! Images that no encoder writes are assembled chunk by chunk.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};
use image::{DynamicImage, ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};
use omniread::{Block, Options, Reply};
use std::io::{Cursor, Write as _};

/// A decoded image of a reply.
#[derive(Debug)]
pub struct Shown {
    /// The MIME type.
    pub mime: String,
    /// The encoded bytes.
    pub bytes: Vec<u8>,
    /// The pixels.
    pub image: DynamicImage,
}

/// Decodes the images of a reply, and checks each of them:
///
/// * Models accept the MIME type, and it is the type of the bytes.
/// * The sides in pixels and the size in bytes are within the limits of `options`.
/// * The whole image can be decoded. A single image has the dimensions in the details of the reply.
pub fn shown(reply: &Reply, options: &Options) -> Vec<Shown> {
    let images = reply.blocks.iter().filter_map(|block| match block {
        Block::Image(media) => Some(media),
        _ => None,
    });
    let shown: Vec<Shown> = images
        .map(|media| {
            let shown = decoded(&media.mime, &media.data);
            let side = shown.image.width().max(shown.image.height());
            assert!(side <= options.image.side, "{side} pixels on a side");
            let most = options.image.bytes as usize;
            assert!(shown.bytes.len() <= most, "{} bytes", shown.bytes.len());
            shown
        })
        .collect();
    if let Some(media) = reply.details.image() {
        assert_eq!(media.payload.is_some(), shown.len() == 1, "{media:?}");
    }
    let given = reply.details.image();
    if let (Some(given), [shown]) = (given.and_then(|media| media.payload.as_ref()), &shown[..]) {
        assert_eq!(given.mime, shown.mime);
        assert_eq!(given.bytes, shown.bytes.len() as u64);
        let stated = given.dimensions.expect("its size");
        let size = (shown.image.width(), shown.image.height());
        // A file that is passed through unchanged may have an EXIF orientation.
        let turned = (size.1, size.0);
        let stated = (stated.width, stated.height);
        assert!(stated == size || given.passthrough && stated == turned);
    }
    shown
}

/// Decodes an image in base64, and checks that models accept its type.
pub fn decoded(mime: &str, data: &str) -> Shown {
    let bytes = STANDARD.decode(data).expect("base64");
    let format = image::guess_format(&bytes).expect("a format");
    assert_eq!(format.to_mime_type(), mime, "the bytes have another type");
    let taken = ["image/png", "image/jpeg", "image/webp", "image/gif"];
    assert!(taken.contains(&mime), "{mime}");
    let image = image::load_from_memory_with_format(&bytes, format).expect("all of it decodes");
    Shown {
        mime: mime.to_owned(),
        bytes,
        image,
    }
}

/// A drawing whose corners have four colours: red and blue at the top, green and black at
/// the bottom.
pub fn drawing(width: u32, height: u32) -> RgbImage {
    RgbImage::from_fn(width, height, |x, y| {
        let (left, top) = (x * 3 < width, y * 3 < height);
        let (right, bottom) = (x * 3 >= width * 2, y * 3 >= height * 2);
        match (left, top, right, bottom) {
            (true, true, ..) => Rgb([230, 20, 20]),
            (_, true, true, _) => Rgb([20, 20, 230]),
            (true, _, _, true) => Rgb([20, 230, 20]),
            (_, _, true, true) => Rgb([0, 0, 0]),
            _ => Rgb([250, 250, 250]),
        }
    })
}

/// A [`drawing`] with a transparent middle.
pub fn clear_drawing(width: u32, height: u32) -> RgbaImage {
    let drawing = drawing(width, height);
    RgbaImage::from_fn(width, height, |x, y| {
        let Rgb([red, green, blue]) = *drawing.get_pixel(x, y);
        let alpha = if red == 250 { 0 } else { 255 };
        Rgba([red, green, blue, alpha])
    })
}

/// A gradient with noise, so that most neighbouring pixels differ, as in a photograph.
pub fn photograph(width: u32, height: u32) -> RgbImage {
    let mut state = 1u32;
    RgbImage::from_fn(width, height, |x, y| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let noise = state >> 28;
        let channel = |value: u32| u8::try_from((value + noise) % 256).expect("a byte");
        Rgb([
            channel(x * 200 / width),
            channel(y * 200 / height),
            channel(100),
        ])
    })
}

/// The name of the colour in a [`drawing`] to which the colour of a pixel is similar.
pub fn colour(image: &DynamicImage, x: u32, y: u32) -> &'static str {
    let Rgb([red, green, blue]) = *image.to_rgb8().get_pixel(x, y);
    match (red > 128, green > 128, blue > 128) {
        (true, false, false) => "red",
        (false, false, true) => "blue",
        (false, true, false) => "green",
        (false, false, false) => "black",
        _ => "white",
    }
}

/// The names of the colours of the corners: the top ones from left to right, then the bottom ones.
pub fn corners(image: &DynamicImage) -> [&'static str; 4] {
    let (right, bottom) = (image.width() - 3, image.height() - 3);
    [(2, 2), (right, 2), (2, bottom), (right, bottom)].map(|(x, y)| colour(image, x, y))
}

/// The colours of the corners of an upright [`drawing`], in the order of [`corners`].
pub const CORNERS: [&str; 4] = ["red", "blue", "green", "black"];

/// Encodes an image in a format that the crate `image` writes.
pub fn encoded(image: impl Into<DynamicImage>, format: ImageFormat) -> Vec<u8> {
    let mut out = Cursor::new(Vec::new());
    image
        .into()
        .write_to(&mut out, format)
        .expect("an encoder for it");
    out.into_inner()
}

/// A chunk of a PNG.
pub fn chunk(kind: &[u8; 4], body: &[u8]) -> Vec<u8> {
    let mut crc = Crc::new();
    crc.update(kind);
    crc.update(body);
    let length = u32::try_from(body.len()).expect("a short chunk");
    let mut out = length.to_be_bytes().to_vec();
    out.extend_from_slice(kind);
    out.extend_from_slice(body);
    out.extend_from_slice(&crc.sum().to_be_bytes());
    out
}

/// The signature and the header of a PNG.
///
/// `depth` is the number of bits of a channel, `color` is the colour type.
pub fn png_start(width: u32, height: u32, depth: u8, color: u8, interlaced: bool) -> Vec<u8> {
    let mut body = [width.to_be_bytes(), height.to_be_bytes()].concat();
    body.extend([depth, color, 0, 0, u8::from(interlaced)]);
    let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
    out.extend(chunk(b"IHDR", &body));
    out
}

/// A PNG that consists of `start` (its signature and header), `chunks`, and `rows`. Each row starts
/// with its filter byte.
pub fn png_of(start: Vec<u8>, chunks: &[Vec<u8>], rows: &[u8]) -> Vec<u8> {
    let mut out = start;
    out.extend(chunks.concat());
    out.extend(chunk(b"IDAT", &zlib(rows)));
    out.extend(chunk(b"IEND", b""));
    out
}

/// A PNG whose pixels are all zero. `row` is the size of one row in bytes, without its filter byte.
pub fn flat_png(width: u32, height: u32, depth: u8, color: u8, row: usize) -> Vec<u8> {
    let mut out = png_start(width, height, depth, color, false);
    out.extend(chunk(b"IDAT", &zeros((row + 1) * height as usize)));
    out.extend(chunk(b"IEND", b""));
    out
}

/// A PNG with a chunk inserted after its header.
pub fn with_chunk(png: &[u8], kind: &[u8; 4], body: &[u8]) -> Vec<u8> {
    // The signature has 8 bytes, and the chunk of the header has 25.
    let (start, rest) = png.split_at(8 + 25);
    [start, &chunk(kind, body), rest].concat()
}

/// A JPEG with a segment inserted after its start marker.
pub fn with_segment(jpeg: &[u8], marker: u8, body: &[u8]) -> Vec<u8> {
    let (start, rest) = jpeg.split_at(2);
    let length = u16::try_from(body.len() + 2).expect("a short segment");
    let head = [0xff, marker];
    [start, &head, &length.to_be_bytes(), body, rest].concat()
}

/// A WebP file of these chunks.
pub fn webp(chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
    let mut body = b"WEBP".to_vec();
    for (kind, content) in chunks {
        body.extend(riff_chunk(kind, content));
    }
    riff_chunk(b"RIFF", &body)
}

/// A chunk of a RIFF file.
pub fn riff_chunk(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let length = u32::try_from(content.len()).expect("a short chunk");
    let mut out = [kind.as_slice(), &length.to_le_bytes(), content].concat();
    out.resize(out.len().next_multiple_of(2), 0);
    out
}

/// The pixel data of a lossless WebP that the crate `image` wrote.
pub fn webp_pixels(webp: &[u8]) -> &[u8] {
    assert_eq!(&webp[12..16], b"VP8L");
    let length = u32::from_le_bytes(webp[16..20].try_into().expect("four bytes"));
    &webp[20..20 + length as usize]
}

/// Compresses bytes with zlib.
pub fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("a vector grows");
    encoder.finish().expect("a vector grows")
}

/// Compresses `count` zero bytes with zlib.
pub fn zeros(count: usize) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    let block = vec![0; 1 << 20];
    let mut left = count;
    while left > 0 {
        let take = left.min(block.len());
        encoder.write_all(&block[..take]).expect("a vector grows");
        left -= take;
    }
    encoder.finish().expect("a vector grows")
}

/// A value of an EXIF field.
#[derive(Clone, Debug)]
pub enum Noted {
    /// A text.
    Text(&'static str),
    /// A 16-bit number.
    Short(u16),
    /// Fractions, each as its numerator and denominator.
    Fractions(Vec<(u32, u32)>),
    /// A nested directory: the tag and value of each of its fields.
    Directory(Vec<(u16, Noted)>),
}

/// A block of EXIF data with these fields, each as its tag and value.
pub fn exif(notes: &[(u16, Noted)]) -> Vec<u8> {
    let mut out = b"II*\0\x08\0\0\0".to_vec();
    out.extend(directory(notes, 8));
    out
}

/// A block of EXIF data that contains only an orientation.
pub fn turned(orientation: u16) -> Vec<u8> {
    exif(&[(274, Noted::Short(orientation))])
}

fn directory(notes: &[(u16, Noted)], at: u32) -> Vec<u8> {
    let short = |length: usize| u32::try_from(length).expect("few notes");
    let mut out = u16::try_from(notes.len())
        .expect("few notes")
        .to_le_bytes()
        .to_vec();
    let mut overflow = Vec::new();
    // A count, twelve bytes for each field, and the offset of the next directory.
    let end = at + 2 + 12 * short(notes.len()) + 4;
    for (tag, note) in notes {
        let place = end + short(overflow.len());
        let (kind, count, bytes) = match note {
            Noted::Text(text) => {
                let bytes = [text.as_bytes(), b"\0"].concat();
                (2u16, short(bytes.len()), bytes)
            }
            Noted::Short(value) => (3, 1, value.to_le_bytes().to_vec()),
            Noted::Fractions(fractions) => {
                let bytes = fractions
                    .iter()
                    .flat_map(|(over, under)| [over.to_le_bytes(), under.to_le_bytes()])
                    .flatten()
                    .collect();
                (5, short(fractions.len()), bytes)
            }
            Noted::Directory(notes) => {
                let inner = directory(notes, place);
                overflow.extend(inner);
                (4, 1, place.to_le_bytes().to_vec())
            }
        };
        out.extend(tag.to_le_bytes());
        out.extend(kind.to_le_bytes());
        out.extend(count.to_le_bytes());
        if bytes.len() <= 4 {
            let mut inline = bytes;
            inline.resize(4, 0);
            out.extend(inline);
        } else {
            out.extend(place.to_le_bytes());
            overflow.extend(bytes);
        }
        overflow.resize(overflow.len().next_multiple_of(2), 0);
    }
    out.extend([0; 4]);
    out.extend(overflow);
    out
}
