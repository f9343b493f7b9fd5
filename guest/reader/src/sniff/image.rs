//! Formats of images, detected by magic bytes.

use crate::encoding::Encoding;
use crate::path::ends_in;
use crate::world::DecoderFormat;

/// The names and the MIME type of a format of images or attachments.
#[derive(Debug, PartialEq, Eq)]
pub struct MediaFormat {
    /// The short name, such as `PNG`.
    pub name: &'static str,
    /// The name for messages, such as `PNG image`.
    pub long_name: &'static str,
    /// The MIME type.
    pub mime: &'static str,
    /// Whether the format is an image format.
    pub image: bool,
}

/// The format of PDF documents.
pub const PDF: MediaFormat = MediaFormat {
    name: "PDF",
    long_name: "PDF document",
    mime: "application/pdf",
    image: false,
};

/// A format of images.
#[derive(Debug, PartialEq, Eq)]
pub struct ImageFormat {
    /// The names of the format.
    pub media: MediaFormat,
    /// The decoder, if there is one.
    pub decoder: Option<DecoderFormat>,
    /// Whether other data may start with the same magic bytes, so that only a valid header confirms
    /// the format.
    pub weak: bool,
}

const fn named(name: &'static str, long_name: &'static str, mime: &'static str) -> ImageFormat {
    ImageFormat {
        media: MediaFormat {
            name,
            long_name,
            mime,
            image: true,
        },
        decoder: None,
        weak: false,
    }
}

const fn decoded(
    name: &'static str,
    long_name: &'static str,
    mime: &'static str,
    decoder: DecoderFormat,
) -> ImageFormat {
    ImageFormat {
        decoder: Some(decoder),
        ..named(name, long_name, mime)
    }
}

const fn weak(
    name: &'static str,
    long_name: &'static str,
    mime: &'static str,
    decoder: DecoderFormat,
) -> ImageFormat {
    ImageFormat {
        weak: true,
        ..decoded(name, long_name, mime, decoder)
    }
}

const AVIF: ImageFormat = named("AVIF", "AVIF image", "image/avif");
const BMP: ImageFormat = weak("BMP", "BMP image", "image/bmp", DecoderFormat::Bmp);
/// The BMP format, for a file whose header was checked and confirms the format.
const SOUND_BMP: ImageFormat = ImageFormat { weak: false, ..BMP };
const DDS: ImageFormat = decoded("DDS", "DDS image", "image/vnd-ms.dds", DecoderFormat::Dds);
const EXR: ImageFormat = decoded("EXR", "OpenEXR image", "image/x-exr", DecoderFormat::Exr);
const FARBFELD: ImageFormat = decoded(
    "Farbfeld",
    "Farbfeld image",
    "image/x-farbfeld",
    DecoderFormat::Farbfeld,
);
const GIF: ImageFormat = decoded("GIF", "GIF image", "image/gif", DecoderFormat::Gif);
const HDR: ImageFormat = decoded(
    "HDR",
    "Radiance HDR image",
    "image/vnd.radiance",
    DecoderFormat::Hdr,
);
const HEIC: ImageFormat = named("HEIC", "HEIC image", "image/heic");
const ICO: ImageFormat = weak("ICO", "ICO image", "image/x-icon", DecoderFormat::Ico);
const JPEG: ImageFormat = decoded("JPEG", "JPEG image", "image/jpeg", DecoderFormat::Jpeg);
const JPEG_2000: ImageFormat = named("JPEG 2000", "JPEG 2000 image", "image/jp2");
const JPEG_XL: ImageFormat = named("JPEG XL", "JPEG XL image", "image/jxl");
const PNG: ImageFormat = decoded("PNG", "PNG image", "image/png", DecoderFormat::Png);
const PNM: ImageFormat = weak(
    "PNM",
    "PNM image",
    "image/x-portable-anymap",
    DecoderFormat::Pnm,
);
const PSD: ImageFormat = named("PSD", "Photoshop document", "image/vnd.adobe.photoshop");
const QOI: ImageFormat = decoded("QOI", "QOI image", "image/qoi", DecoderFormat::Qoi);
const SVG: ImageFormat = decoded("SVG", "SVG image", "image/svg+xml", DecoderFormat::Svg);
const TGA: ImageFormat = weak("TGA", "Targa image", "image/x-tga", DecoderFormat::Tga);
const TIFF: ImageFormat = decoded("TIFF", "TIFF image", "image/tiff", DecoderFormat::Tiff);
const WEBP: ImageFormat = decoded("WebP", "WebP image", "image/webp", DecoderFormat::Webp);

/// The maximum number of bytes of a text that are decoded to find its first XML element.
const START: usize = 1 << 20;

/// The extensions of Targa files.
const TARGA: [&str; 4] = ["tga", "icb", "vda", "vst"];

impl ImageFormat {
    /// Detects the format of an image from its first bytes, as the specifications of the
    /// formats define them. Some magic bytes may also start a text, so they apply only to
    /// files that are not text (`binary`). Targa has no magic bytes, so its extension is
    /// checked too.
    pub fn of(head: &[u8], binary: bool, name: &str) -> Option<&'static Self> {
        match head {
            [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => return Some(&PNG),
            [0xff, 0xd8, 0xff, ..] => return Some(&JPEG),
            [0x76, 0x2f, 0x31, 0x01, ..] => return Some(&EXR),
            // The header is text, and the pixels may contain no zeros.
            _ if head.starts_with(b"#?RADIANCE\n") || head.starts_with(b"#?RGBE\n") => {
                return Some(&HDR);
            }
            [b'P', b'4'..=b'7', rest @ ..] if is_pnm(rest) => return Some(&PNM),
            // WebP data may contain no zeros either.
            [b'R', b'I', b'F', b'F', _, _, _, _, rest @ ..] if rest.starts_with(b"WEBPVP8") => {
                return Some(&WEBP);
            }
            _ if !binary => return None,
            _ => {}
        }
        Some(match head {
            [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => &GIF,
            [b'R', b'I', b'F', b'F', _, _, _, _, rest @ ..] if rest.starts_with(b"WEBP") => &WEBP,
            [b'I', b'I', 42 | 43, 0, ..] | [b'M', b'M', 0, 42 | 43, ..] => &TIFF,
            [b'q', b'o', b'i', b'f', ..] => &QOI,
            [b'D', b'D', b'S', b' ', 124, 0, 0, 0, ..] => &DDS,
            [b'8', b'B', b'P', b'S', 0, 1 | 2, ..] => &PSD,
            // A bare codestream, or a container.
            [0xff, 0x0a, ..] | [0, 0, 0, 12, b'J', b'X', b'L', b' ', ..] => &JPEG_XL,
            [0xff, 0x4f, 0xff, 0x51, ..] | [0, 0, 0, 12, b'j', b'P', b' ', b' ', ..] => &JPEG_2000,
            [_, _, _, _, b'f', b't', b'y', b'p', brand @ ..] => return of_brand(brand),
            // The second header starts with its length, which must be a known one.
            [
                b'B',
                b'M',
                _,
                _,
                _,
                _,
                _,
                _,
                _,
                _,
                _,
                _,
                _,
                _,
                12 | 16 | 40 | 52 | 56 | 64 | 108 | 124,
                0,
                0,
                0,
                ..,
            ] => {
                if is_bitmap(head) {
                    &SOUND_BMP
                } else {
                    &BMP
                }
            }
            [b'P', b'F' | b'f', rest @ ..] if is_pnm(rest) => &PNM,
            // The number of icons, and the reserved byte of the first icon, which is 0 or 255.
            [0, 0, 1, 0, 1..=u8::MAX, 0, _, _, _, 0 | u8::MAX, ..] => &ICO,
            _ if head.starts_with(b"farbfeld") => &FARBFELD,
            _ if ends_in(name, &TARGA) && is_targa(head) => &TGA,
            _ => return None,
        })
    }

    /// Detects the format of an image that is written as text, such as SVG. `encoding` is the
    /// encoding of this text.
    pub fn of_text(head: &[u8], encoding: Encoding) -> Option<&'static Self> {
        // Most texts start with another character, so the check is cheap. White space and
        // the zeros of UTF-16 are skipped. EF starts a byte order mark.
        let mark = usize::try_from(encoding.bom_len).unwrap_or(0);
        let mut start = head.get(mark..)?.iter();
        let first = start.find(|byte| !byte.is_ascii_whitespace() && **byte != 0);
        if !matches!(first, Some(b'<' | b'P' | 0xef)) {
            return None;
        }
        let head = if encoding.valid {
            head
        } else {
            head.get(..START).unwrap_or(head)
        };
        of_text(&encoding.decoded(head, false))
    }
}

/// Whether a bitmap header has one plane and a valid number of bits per pixel. Both
/// fields follow the width and height, which have 16 bits in the oldest header and 32
/// bits in all others.
fn is_bitmap(head: &[u8]) -> bool {
    let fields = match head.get(14) {
        Some(12) => head.get(22..),
        _ => head.get(26..),
    };
    matches!(fields, Some([1, 0, 1 | 2 | 4 | 8 | 16 | 24 | 32, 0, ..]))
}

/// The image format that a brand indicates. A brand is the identifier in the first box of an ISO
/// base media file (ISO/IEC 14496-12).
fn of_brand(brand: &[u8]) -> Option<&'static ImageFormat> {
    match brand {
        [b'a', b'v', b'i', b'f' | b's', ..] => Some(&AVIF),
        [b'h', b'e', b'i' | b'v', b'c' | b'x' | b'm' | b's', ..]
        | [b'm', b'i' | b's', b'f', b'1', ..] => Some(&HEIC),
        _ => None,
    }
}

/// Whether the bytes after the magic number of a portable map (PNM) are valid: white space, and
/// then the first character of a number, a comment or the name of a field.
fn is_pnm(rest: &[u8]) -> bool {
    let is_space = |byte: &u8| byte.is_ascii_whitespace();
    let next = rest.iter().find(|byte| !is_space(byte));
    rest.first().is_some_and(is_space)
        && next.is_some_and(|byte| byte.is_ascii_digit() || matches!(byte, b'#' | b'W' | b'H'))
}

/// Whether the first bytes are a plausible Targa header, in which the colour map type, the image
/// type, the width, the height and the bits per pixel have valid values.
fn is_targa(head: &[u8]) -> bool {
    matches!(
        head,
        [
            _,
            0 | 1,
            1 | 2 | 3 | 9 | 10 | 11,
            _,
            _,
            _,
            _,
            _,
            _,
            _,
            _,
            _,
            w0,
            w1,
            h0,
            h1,
            8 | 15 | 16 | 24 | 32,
            ..
        ] if (*w0 | *w1) > 0 && (*h0 | *h1) > 0
    )
}

/// Detects the format of an image in UTF-8 text.
fn of_text(head: &[u8]) -> Option<&'static ImageFormat> {
    match head {
        [b'P', b'1'..=b'3', rest @ ..] if is_pnm(rest) => Some(&PNM),
        _ if is_svg(head) => Some(&SVG),
        _ => None,
    }
}

/// Whether the first element of a text is `svg`. Declarations and comments before it are
/// skipped.
fn is_svg(head: &[u8]) -> bool {
    let mut rest = head.strip_prefix("\u{feff}".as_bytes()).unwrap_or(head);
    loop {
        rest = rest.trim_ascii_start();
        let (open, end): (usize, &[u8]) = match rest {
            [b'<', b'?', ..] => (2, b"?>"),
            [b'<', b'!', b'-', b'-', ..] => (4, b"-->"),
            [b'<', b'!', ..] => {
                rest = after_doctype(rest);
                continue;
            }
            [b'<', element @ ..] => {
                let name = element
                    .split(|byte| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/'))
                    .next();
                return name.is_some_and(|name| name == b"svg" || name.ends_with(b":svg"));
            }
            _ => return false,
        };
        let content = rest.get(open..).unwrap_or_default();
        match memchr::memmem::find(content, end) {
            Some(at) => {
                rest = content
                    .get(at.saturating_add(end.len())..)
                    .unwrap_or_default();
            }
            None => return false,
        }
    }
}

/// The text after the document type declaration that `text` starts with. The declaration may
/// contain entities in brackets.
fn after_doctype(text: &[u8]) -> &[u8] {
    let mut inside = false;
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'[' => inside = true,
            b']' => inside = false,
            b'>' if !inside => return text.get(at.saturating_add(1)..).unwrap_or_default(),
            _ => {}
        }
    }
    &[]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn svg_is_detected_by_first_element() {
        for text in [
            "<svg xmlns='x'/>",
            "\u{feff}<?xml version='1.0'?>\n<!-- <html> -->\n<svg>",
            "<!DOCTYPE svg [<!ENTITY a '<b>'>]>\n<svg:svg >",
        ] {
            assert_eq!(of_text(text.as_bytes()), Some(&SVG), "{text}");
        }
        assert_eq!(of_text(b"<s:svg xmlns:s='x'>"), Some(&SVG));
        for text in ["", "<svgx>", "<html><svg>", "<!-- <svg>", "svg", "<?xml"] {
            assert_eq!(of_text(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn images_are_detected_by_magic_bytes() {
        assert_eq!(ImageFormat::of(b"\xff\xd8\xff\xe0", true, ""), Some(&JPEG));
        assert_eq!(ImageFormat::of(b"GIF89a", true, ""), Some(&GIF));
        assert_eq!(ImageFormat::of(b"GIF89a is a format", false, ""), None);
        assert_eq!(
            ImageFormat::of(b"\0\0\0\x20ftypheic", true, ""),
            Some(&HEIC)
        );
        assert_eq!(ImageFormat::of(b"\0\0\0\x20ftypisom", true, ""), None);
        let targa = b"\0\0\x02\0\0\0\0\0\0\0\0\0\x01\0\x01\0\x18\0";
        assert_eq!(ImageFormat::of(targa, true, "a/b.TGA"), Some(&TGA));
        assert_eq!(ImageFormat::of(targa, true, "a/b.bin"), None);
        assert_eq!(ImageFormat::of(b"P6\n2 1\n255\n", false, ""), Some(&PNM));
        assert_eq!(ImageFormat::of(b"P6 is a format", false, ""), None);
        assert_eq!(
            ImageFormat::of(b"BM0123456789ab\x28\0\0\0", true, ""),
            Some(&BMP)
        );
        assert_eq!(ImageFormat::of(b"BM0123456789ab\x29\0\0\0", true, ""), None);
        let sound = b"BM0123456789ab\x28\0\0\0wwwwhhhh\x01\0\x08\0";
        assert_eq!(ImageFormat::of(sound, true, ""), Some(&SOUND_BMP));
        let oldest = b"BM0123456789ab\x0c\0\0\0wwhh\x01\0\x18\0";
        assert_eq!(ImageFormat::of(oldest, true, ""), Some(&SOUND_BMP));
    }
}
