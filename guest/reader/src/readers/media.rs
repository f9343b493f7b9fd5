//! Pictures and documents that models take as they are.
//!
//! A file is one by its bytes, never by its name, and only if its header is
//! sound: its size in pixels can be told.

use crate::answer::{Dimensions, Format, Media, Withheld};
use crate::limits;
use crate::pages::Input;
use crate::request::Passing;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

const PNG: Format = picture("PNG", "PNG image", "image/png");
const JPEG: Format = picture("JPEG", "JPEG image", "image/jpeg");
const GIF: Format = picture("GIF", "GIF image", "image/gif");
const WEBP: Format = picture("WebP", "WebP image", "image/webp");
const BMP: Format = picture("BMP", "BMP image", "image/bmp");
const PDF: Format = Format {
    name: "PDF",
    long_name: "PDF document",
    mime: "application/pdf",
    picture: false,
};

const fn picture(name: &'static str, long_name: &'static str, mime: &'static str) -> Format {
    Format {
        name,
        long_name,
        mime,
        picture: true,
    }
}

/// The format that first bytes tell. Some begin like text does, so they count
/// only in a file that is none.
fn format(head: &[u8], binary: bool) -> Option<&'static Format> {
    Some(match head {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => &PNG,
        [0xff, 0xd8, 0xff, ..] => &JPEG,
        [
            b'%',
            b'P',
            b'D',
            b'F',
            b'-',
            b'0'..=b'9',
            b'.',
            b'0'..=b'9',
            ..,
        ] => &PDF,
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] if binary => &GIF,
        [
            b'R',
            b'I',
            b'F',
            b'F',
            _,
            _,
            _,
            _,
            b'W',
            b'E',
            b'B',
            b'P',
            ..,
        ] if binary => &WEBP,
        [b'B', b'M', ..] if binary => &BMP,
        _ => return None,
    })
}

/// Whether a file is a document, which is no text even if it looks like it.
pub fn is_document(input: &Input<'_>) -> bool {
    format(input.head(), false) == Some(&PDF)
}

/// Reads a picture or document; `None` if it is neither, or a document where
/// none is taken. `size` is what the filesystem tells, `binary` that it is not
/// text.
///
/// # Errors
/// What is wrong with a file that only begins like a picture.
pub fn read(
    input: &mut Input<'_>,
    size: Option<u64>,
    binary: bool,
    passing: &Passing,
) -> Result<Option<Media>, String> {
    let Some(format) = format(input.head(), binary) else {
        return Ok(None);
    };
    let limit = match (format.picture, passing.document_bytes) {
        (true, _) => passing.picture_bytes,
        (false, Some(limit)) => limit,
        (false, None) => return Ok(None),
    };
    // Of one that is too large only the header is read.
    let too_large = size.is_some_and(|size| size > limit);
    let bytes = input.first(if too_large {
        limits::HEADER_BYTES
    } else {
        limit.saturating_add(1)
    });
    let dimensions = if format.picture {
        dimensions(&bytes, format)
    } else {
        None
    };
    // The header of a large one may lie behind what was read of it.
    if format.picture && dimensions.is_none() && !too_large {
        return Err(format!(
            "it begins like a {}, but is none",
            format.long_name
        ));
    }
    let side = dimensions.map_or(0, |size| size.width.max(size.height));
    let data = if too_large || bytes.len() as u64 > limit {
        Err(Withheld::Bytes(limit))
    } else if format.picture && !passing.pictures.contains(&format.mime) {
        Err(Withheld::Format)
    } else if side > passing.picture_side {
        Err(Withheld::Side(passing.picture_side))
    } else {
        Ok(STANDARD.encode(&bytes))
    };
    Ok(Some(Media {
        format,
        bytes: data.is_ok().then_some(bytes.len() as u64),
        dimensions,
        data,
    }))
}

/// Whether the header of a PNG is one (its specification, section 11.2.1):
/// sides of 31 bits, a depth that goes with its colour type, and methods that
/// exist.
fn is_png_header(bytes: &[u8]) -> bool {
    matches!(
        bytes.get(8..29),
        Some([
            0, 0, 0, 13, b'I', b'H', b'D', b'R',
            0..=0x7f, _, _, _,
            0..=0x7f, _, _, _,
            depth, colour, 0, 0, 0..=1,
        ]) if matches!(
            (*colour, *depth),
            (0, 1 | 2 | 4 | 8 | 16) | (3, 1 | 2 | 4 | 8) | (2 | 4 | 6, 8 | 16)
        )
    )
}

/// The size that the header of a picture tells, unless it is not sound.
fn dimensions(bytes: &[u8], format: &Format) -> Option<Dimensions> {
    use imagesize::ImageType;
    let kind = match imagesize::image_type(bytes).ok()? {
        ImageType::Png => &PNG,
        ImageType::Jpeg => &JPEG,
        ImageType::Gif => &GIF,
        ImageType::Webp => &WEBP,
        ImageType::Bmp => &BMP,
        _ => return None,
    };
    if format == &PNG && !is_png_header(bytes) {
        return None;
    }
    let size = imagesize::blob_size(bytes)
        .ok()
        .filter(|size| kind == format && size.width > 0 && size.height > 0)?;
    let height = u32::try_from(size.height).ok()?;
    Some(Dimensions {
        width: u32::try_from(size.width).ok()?,
        // A height below zero is that of a picture stored from the top down.
        height: if format == &BMP {
            height.cast_signed().unsigned_abs()
        } else {
            height
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::Bytes;
    use proptest::prelude::*;

    const PASSING: Passing = Passing {
        picture_bytes: 10_000,
        picture_side: 8000,
        pictures: &["image/png", "image/jpeg", "image/gif", "image/webp"],
        document_bytes: Some(10_000),
    };

    fn read_all(bytes: Vec<u8>) -> Result<Option<Media>, String> {
        let size = bytes.len() as u64;
        let mut source = Bytes::new(bytes);
        let mut input = Input::new(&mut source, Some(size)).unwrap();
        read(&mut input, Some(size), true, &PASSING)
    }

    const PNG_HEADER: &[u8] =
        b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\x04\xb0\0\0\x03\x20\x08\x02\0\0\0";

    #[test]
    fn headers_tell_the_size() {
        for (header, name, width, height) in [
            (PNG_HEADER, "PNG", 1200, 800),
            (b"GIF89a\x02\x00\x03\x00\0\0\0", "GIF", 2, 3),
            (
                b"\xff\xd8\xff\xc0\0\x11\x08\0\x03\0\x02\x03\x01\x11\0\x02\x11\0\x03\x11\0",
                "JPEG",
                2,
                3,
            ),
            (
                b"RIFF\x1a\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x01\0\0\x02\0\0",
                "WebP",
                2,
                3,
            ),
        ] {
            let media = read_all(header.to_vec()).unwrap().unwrap();
            assert_eq!(media.format.name, name);
            assert_eq!(media.dimensions, Some(Dimensions { width, height }));
            assert_eq!(media.data, Ok(STANDARD.encode(header)));
        }
        assert!(read_all(PNG_HEADER[..20].to_vec()).is_err());
    }

    #[test]
    fn what_does_not_fit_is_withheld() {
        let mut large = PNG_HEADER.to_vec();
        large.resize(10_001, 0);
        let media = read_all(large).unwrap().unwrap();
        assert_eq!(media.data, Err(Withheld::Bytes(10_000)));
        assert!(media.dimensions.is_some());
        let mut wide = PNG_HEADER.to_vec();
        wide[17] = 1;
        let media = read_all(wide).unwrap().unwrap();
        assert_eq!(media.data, Err(Withheld::Side(8000)));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn no_header_is_too_damaged(
            start in prop::sample::select(vec![
                &PNG_HEADER[..16],
                &b"\xff\xd8\xff\xe0"[..],
                b"\xff\xd8\xff\xe1\0\x10Exif\0\0",
                b"GIF89a",
                b"RIFF\x1a\0\0\0WEBPVP8 ",
                b"RIFF\x1a\0\0\0WEBPVP8L",
                b"RIFF\x1a\0\0\0WEBPVP8X",
                b"BM",
                b"%PDF-",
            ]),
            rest in prop::collection::vec(prop_oneof![Just(0xffu8), Just(0), any::<u8>()], 0..300),
        ) {
            let _ = read_all([start, &rest].concat());
        }
    }
}
