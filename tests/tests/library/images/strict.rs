//! Passthrough checks: a file is passed through only if strict decoders accept it.
//!
//! The last tests are of images whose first bytes look like text, and of unusual bitmaps.

use super::{is_passed_through, plain_png, read_image, read_text, seen};
use image::{DynamicImage, ImageFormat};
use omniread::{Dialect, Session};
use omniread_tests::Workspace;
use omniread_tests::image::{
    CORNERS, clear_drawing, corners, drawing, encoded, photograph, riff_chunk, webp, webp_pixels,
    with_chunk,
};

/// Whether a dialect passes an image file to the model unchanged.
///
/// If it does not, checks that the reply states the format and that the file is damaged.
fn passes(session: &Session, dialect: Dialect, name: &str, format: &str) -> bool {
    let (reply, shown) =
        seen(session, dialect, name).unwrap_or_else(|failure| panic!("{name}: {}", failure.text));
    if shown.is_empty() {
        let text = reply.text();
        assert!(
            text.contains(format) && text.contains("damaged"),
            "{name}: {text}"
        );
        return false;
    }
    assert!(is_passed_through(&reply), "{name}");
    true
}

/// The three bytes of a 24-bit little-endian number.
fn three(number: u32) -> Vec<u8> {
    number.to_le_bytes()[..3].to_vec()
}

/// The content of the extended header (`VP8X`) of a WebP file, with these flags, and with this
/// width and height in pixels.
fn canvas(flags: u8, width: u32, height: u32) -> Vec<u8> {
    [vec![flags, 0, 0, 0], three(width - 1), three(height - 1)].concat()
}

/// The content of a frame (`ANMF`) of an animated WebP file. `place` is the position of its upper
/// left corner in pixels, and `chunks` contains its image data.
fn frame(place: (u32, u32), width: u32, height: u32, chunks: &[u8]) -> Vec<u8> {
    let fields = [place.0 / 2, place.1 / 2, width - 1, height - 1, 100];
    let mut out: Vec<u8> = fields.into_iter().flat_map(three).collect();
    out.push(0);
    out.extend(chunks);
    out
}

/// Valid WebP files, each with a description.
fn sound_webps() -> Vec<(&'static str, Vec<u8>)> {
    let plain = encoded(clear_drawing(60, 40), ImageFormat::WebP);
    let pixels = webp_pixels(&plain).to_vec();
    let image = riff_chunk(b"VP8L", &pixels);
    let still = canvas(0x10, 60, 40);
    let moving = canvas(0x12, 64, 48);
    let first = frame((4, 8), 60, 40, &image);
    vec![
        ("simple", plain.clone()),
        ("followed by other bytes", [&plain[..], b"more"].concat()),
        ("extended", webp(&[(b"VP8X", &still), (b"VP8L", &pixels)])),
        (
            "with what is not known",
            webp(&[
                (b"VP8X", &still),
                (b"what", b"x"),
                (b"VP8L", &pixels),
                (b"else", b""),
            ]),
        ),
        (
            "moving",
            webp(&[
                (b"VP8X", &moving),
                (b"ANIM", &[0; 6]),
                (b"ANMF", &first),
                (b"ANMF", &first),
            ]),
        ),
    ]
}

/// WebP files that libwebp refuses as damaged, each with a description.
fn false_webps() -> Vec<(&'static str, Vec<u8>)> {
    let plain = encoded(clear_drawing(60, 40), ImageFormat::WebP);
    let pixels = webp_pixels(&plain).to_vec();
    let image = riff_chunk(b"VP8L", &pixels);
    let with = |at: usize, value: u32| {
        let mut file = plain.clone();
        file[at..at + 4].copy_from_slice(&value.to_le_bytes());
        file
    };
    let size = |at: usize| u32::from_le_bytes(plain[at..at + 4].try_into().unwrap());
    let still = canvas(0x10, 60, 40);
    let moving = canvas(0x12, 64, 48);
    let begin: (&[u8; 4], &[u8]) = (b"ANIM", &[0; 6]);
    let first = frame((4, 8), 60, 40, &image);
    let extended = |header: &[u8]| webp(&[(b"VP8X", header), (b"VP8L", &pixels)]);
    let mut long = still.clone();
    long.push(0);
    vec![
        ("file of more bytes", with(4, size(4) + 2)),
        ("file of all bytes", with(4, u32::MAX)),
        ("file of fewer bytes", with(4, size(4) - 4)),
        ("file of a header", with(4, 4)),
        ("file of nothing", with(4, 0)),
        ("chunk of more bytes", with(16, size(16) + 100)),
        ("chunk of all bytes", with(16, u32::MAX - 1)),
        ("header of other length", extended(&long)),
        ("header of unknown flags", extended(&canvas(0x51, 60, 40))),
        ("canvas that is larger", extended(&canvas(0x10, 61, 40))),
        ("canvas that is smaller", extended(&canvas(0x10, 60, 39))),
        (
            "two images",
            webp(&[(b"VP8X", &still), (b"VP8L", &pixels), (b"VP8L", &pixels)]),
        ),
        (
            "alpha beside an image that has its own",
            webp(&[(b"VP8X", &still), (b"ALPH", b"\0\0"), (b"VP8L", &pixels)]),
        ),
        ("no image", webp(&[(b"VP8X", &still)])),
        (
            "frames that are denied",
            webp(&[(b"VP8X", &still), begin, (b"ANMF", &first)]),
        ),
        (
            "a frame first",
            webp(&[(b"VP8X", &moving), (b"ANMF", &first), begin]),
        ),
        (
            "a frame outside",
            webp(&[
                (b"VP8X", &moving),
                begin,
                (b"ANMF", &frame((6, 8), 60, 40, &image)),
            ]),
        ),
        (
            "a frame of another size",
            webp(&[
                (b"VP8X", &moving),
                begin,
                (b"ANMF", &frame((4, 8), 58, 40, &image)),
            ]),
        ),
        (
            "an image beside frames",
            webp(&[
                (b"VP8X", &moving),
                begin,
                (b"ANMF", &first),
                (b"VP8L", &pixels),
            ]),
        ),
        ("no frames", webp(&[(b"VP8X", &moving), begin])),
        (
            "a frame of a header",
            webp(&[(b"VP8X", &moving), begin, (b"ANMF", &first[..16])]),
        ),
    ]
}

#[test]
fn invalid_webp_containers_are_not_passed_through() {
    let workspace = Workspace::new();
    let session = workspace.session();
    for (what, file) in sound_webps() {
        workspace.file("a.webp", &file);
        assert!(
            passes(&session, Dialect::Gateway, "a.webp", "WebP image"),
            "{what}"
        );
    }
    for (what, file) in false_webps() {
        workspace.file("a.webp", &file);
        for dialect in [Dialect::Gateway, Dialect::Gemini] {
            assert!(
                !passes(&session, dialect, "a.webp", "WebP image"),
                "{dialect:?}: {what}"
            );
        }
        // omp does not pass the file through either.
        let (reply, shown) = seen(&session, Dialect::Omp, "a.webp").unwrap();
        assert_eq!(reply.details.kind.name(), "image", "{what}");
        if !shown.is_empty() {
            assert!(!is_passed_through(&reply), "{what}");
        }
    }
}

#[test]
fn invalid_image_files_are_not_passed_through() {
    let workspace = Workspace::new();
    let session = workspace.session();
    let png = plain_png();
    let gif = encoded(drawing(60, 40), ImageFormat::Gif);
    let jpeg = encoded(drawing(60, 40), ImageFormat::Jpeg);
    let noted = with_chunk(&png, b"gAMA", &[0, 0, 0xb1, 0x8f]);
    // The signature has 8 bytes, the header 25, and this chunk 16.
    let mut wrong = noted.clone();
    wrong[8 + 25 + 15] ^= 1;
    let mut header = png.clone();
    header[8 + 24] ^= 1;
    for (what, name, format, sound, file) in [
        ("sound", "a.png", "PNG image", true, noted),
        ("sound", "a.gif", "GIF image", true, gif.clone()),
        ("sound", "a.jpg", "JPEG image", true, jpeg.clone()),
        ("a wrong sum", "a.png", "PNG image", false, wrong),
        (
            "a wrong sum of the header",
            "a.png",
            "PNG image",
            false,
            header,
        ),
        (
            "an unknown chunk that is needed",
            "a.png",
            "PNG image",
            false,
            with_chunk(&png, b"NEED", b"x"),
        ),
        (
            "no end",
            "a.png",
            "PNG image",
            false,
            png[..png.len() - 12].to_vec(),
        ),
        (
            "no end",
            "a.gif",
            "GIF image",
            false,
            gif[..gif.len() - 1].to_vec(),
        ),
        (
            "no end",
            "a.jpg",
            "JPEG image",
            false,
            jpeg[..jpeg.len() - 2].to_vec(),
        ),
    ] {
        workspace.file(name, file);
        for dialect in [Dialect::Gateway, Dialect::Gemini] {
            let passed = passes(&session, dialect, name, format);
            assert_eq!(passed, sound, "{dialect:?}: {name}, {what}");
        }
    }
}

/// The first bytes of some images are also valid text in UTF-16. Such a file is detected as an
/// image.
#[test]
fn image_magic_takes_precedence_over_utf16() {
    let workspace = Workspace::new();
    let session = workspace.session();
    let noise = photograph(300, 200);
    for number in 0..60u32 {
        let (width, height) = (33 + number * 3, 40 + number);
        let (left, top) = (number % 50, number % 31);
        let part = image::imageops::crop_imm(&noise, left, top, width, height).to_image();
        workspace.file("a.gif", encoded(DynamicImage::from(part), ImageFormat::Gif));
        let kind = session.read("a.gif").unwrap().details.kind;
        assert_eq!(kind.name(), "image", "GIF of {width}x{height}");
    }
    // This WebP header has no zero bytes, and the rest is Chinese text in UTF-16.
    let mut lie = b"RIFF\x56\x4e\x0b\x4eWEBPVP8 \x00\x4e\x8c\x4e".to_vec();
    let text = "我能吞下玻璃而不伤身体。\n下一行 ok\n".repeat(20);
    lie.extend(text.encode_utf16().flat_map(u16::to_le_bytes));
    workspace.file("a.webp", lie);
    let rendered = read_text(&session, "a.webp");
    assert!(
        rendered.contains("WebP image") && rendered.contains("not shown"),
        "{rendered}"
    );
}

/// A BMP of [`drawing`], which has five colours.
///
/// `header` is the length of the header in bytes, `bits` the number of bits of a pixel, `stated`
/// the number of colours that the header states, and `colours` the number of colours in the
/// palette.
fn bitmap(header: u32, bits: u16, stated: u32, colours: u32) -> Vec<u8> {
    let image = drawing(60, 40);
    let palette = [
        [230, 20, 20],
        [20, 20, 230],
        [20, 230, 20],
        [0, 0, 0],
        [250, 250, 250],
    ];
    let entry = if header == 12 { 3 } else { 4 };
    let offset = 14 + header + colours * entry;
    let row = (60 * u32::from(bits)).div_ceil(32) * 4;
    let mut file = b"BM".to_vec();
    file.extend((offset + row * 40).to_le_bytes());
    file.extend([0; 4]);
    file.extend(offset.to_le_bytes());
    file.extend(header.to_le_bytes());
    if header == 12 {
        file.extend([60, 0, 40, 0, 1, 0]);
    } else {
        file.extend([60, 0, 0, 0, 40, 0, 0, 0, 1, 0]);
    }
    file.extend(bits.to_le_bytes());
    if header > 16 {
        // No compression, then sizes, and the number of colours.
        for field in [0, row * 40, 2835, 2835, stated, 0] {
            file.extend(field.to_le_bytes());
        }
    }
    file.resize(14 + header as usize, 0);
    for number in 0..colours as usize {
        let [red, green, blue] = palette.get(number).copied().unwrap_or([7; 3]);
        file.extend(&[blue, green, red, 0][..entry as usize]);
    }
    for y in (0..40).rev() {
        let mut line = vec![0u8; row as usize];
        for x in 0..60usize {
            let pixel = image.get_pixel(u32::try_from(x).unwrap(), y).0;
            let number = palette.iter().position(|colour| *colour == pixel).unwrap();
            let number = u8::try_from(number).unwrap();
            match bits {
                8 => line[x] = number,
                _ => line[x / 2] |= number << (4 - x % 2 * 4),
            }
        }
        file.extend(line);
    }
    file
}

/// Bitmaps are shown even if the palette has fewer or more colours than the bits of a pixel can
/// select, and if the header is that of OS/2.
#[test]
fn bmp_with_unusual_palette_or_header_is_shown() {
    let workspace = Workspace::new();
    let session = workspace.session();
    for (header, bits, stated, colours) in [
        (40, 8, 0, 256),
        (40, 8, 5, 5),
        (40, 4, 5, 5),
        (40, 8, 300, 300),
        (40, 4, 256, 256),
        (40, 8, 0x0100_0000, 256),
        (12, 8, 0, 256),
        (12, 8, 0, 5),
        (12, 4, 0, 16),
        (16, 8, 0, 256),
        (16, 4, 0, 16),
        (64, 8, 0, 256),
        (64, 8, 5, 5),
        (64, 4, 300, 300),
        (108, 8, 300, 300),
        (124, 4, 5, 5),
    ] {
        let what = format!("{header} {bits} {stated} {colours}");
        workspace.file("a.bmp", bitmap(header, bits, stated, colours));
        let (reply, shown) = read_image(&session, "a.bmp");
        assert_eq!(corners(&shown.image), CORNERS, "{what}");
        let text = reply.text();
        assert!(
            text.contains("BMP image, 60x40") && !text.contains("damaged"),
            "{what}: {text}"
        );
    }
    // A bitmap with an unknown compression is still an image.
    let mut other = bitmap(40, 8, 0, 256);
    other[30] = 9;
    workspace.file("a.bmp", other);
    let rendered = read_text(&session, "a.bmp");
    assert!(
        rendered.contains("BMP image") && rendered.contains("not shown"),
        "{rendered}"
    );
}
