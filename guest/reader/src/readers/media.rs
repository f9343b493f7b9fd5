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
        [b'%', b'P', b'D', b'F', b'-', ..] => &PDF,
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
        let size = dimensions(&bytes, format);
        Some(size.ok_or_else(|| format!("it begins like a {}, but is none", format.long_name))?)
    } else {
        None
    };
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
        dimensions,
        data,
    }))
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
    let size = imagesize::blob_size(bytes)
        .ok()
        .filter(|size| kind == format && size.width > 0 && size.height > 0)?;
    Some(Dimensions {
        width: u32::try_from(size.width).ok()?,
        height: u32::try_from(size.height).ok()?,
    })
}
