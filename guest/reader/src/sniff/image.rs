//! Formats of images, by their first bytes.

use crate::encoding::Encoding;
use crate::path::ends_in;
use crate::world::DecoderFormat;

/// The names of a format of images or attachments.
#[derive(Debug, PartialEq, Eq)]
pub struct MediaFormat {
    /// Its short name: `PNG`.
    pub name: &'static str,
    /// The same in a sentence: `PNG image`.
    pub long_name: &'static str,
    /// Its MIME type.
    pub mime: &'static str,
    /// It is a format of images.
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
    /// Its names.
    pub media: MediaFormat,
    /// What decodes it, if anything does.
    pub decoder: Option<DecoderFormat>,
    /// Its first bytes may be those of something else: only a header that is
    /// sound tells.
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
/// One whose header leaves no doubt, whether it can be decoded or not.
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

/// Bytes of a text that has to be decoded in which the first element is looked for.
const START: usize = 1 << 20;

/// The endings of names of Targa files.
const TARGA: [&str; 4] = ["tga", "icb", "vda", "vst"];

impl ImageFormat {
    /// The format of an image by its first bytes, from the specifications of the
    /// formats. The first bytes of some may start a text as well, so these count
    /// only in a file that is not text (`binary`). Targa has no magic number, so
    /// its extension is checked too.
    pub fn of(head: &[u8], binary: bool, name: &str) -> Option<&'static Self> {
        match head {
            [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => return Some(&PNG),
            [0xff, 0xd8, 0xff, ..] => return Some(&JPEG),
            [0x76, 0x2f, 0x31, 0x01, ..] => return Some(&EXR),
            // Its header is text, and what follows may be without zeros.
            _ if head.starts_with(b"#?RADIANCE\n") || head.starts_with(b"#?RGBE\n") => {
                return Some(&HDR);
            }
            [b'P', b'4'..=b'7', rest @ ..] if is_pnm(rest) => return Some(&PNM),
            // Which may be without zeros as well.
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
            // The stream alone, or in a container.
            [0xff, 0x0a, ..] | [0, 0, 0, 12, b'J', b'X', b'L', b' ', ..] => &JPEG_XL,
            [0xff, 0x4f, 0xff, 0x51, ..] | [0, 0, 0, 12, b'j', b'P', b' ', b' ', ..] => &JPEG_2000,
            [_, _, _, _, b'f', b't', b'y', b'p', brand @ ..] => return of_brand(brand),
            // What follows the first fourteen bytes begins with its length, of which
            // there are these.
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
            // How many there are, and a byte of the first that is zero.
            [0, 0, 1, 0, 1..=u8::MAX, 0, _, _, _, 0 | u8::MAX, ..] => &ICO,
            _ if head.starts_with(b"farbfeld") => &FARBFELD,
            _ if ends_in(name, &TARGA) && is_targa(head) => &TGA,
            _ => return None,
        })
    }

    /// The format of an image that is written as text in this encoding.
    pub fn of_text(head: &[u8], encoding: Encoding) -> Option<&'static Self> {
        // Most texts start with another character, and cost nothing more. White
        // space and the zeros of UTF-16 are passed over; EF starts a byte order mark.
        let mark = usize::try_from(encoding.mark).unwrap_or(0);
        let mut start = head.get(mark..)?.iter();
        let first = start.find(|byte| !byte.is_ascii_whitespace() && **byte != 0);
        if !matches!(first, Some(b'<' | b'P' | 0xef)) {
            return None;
        }
        let head = if encoding.sound {
            head
        } else {
            head.get(..START).unwrap_or(head)
        };
        of_text(&encoding.decoded(head, false))
    }
}

/// Whether the header of a bitmap has one plane and as many bits of a pixel as
/// there may be. Both follow sides of 16 bits in the oldest header, and of 32 in
/// all others.
fn is_bitmap(head: &[u8]) -> bool {
    let fields = match head.get(14) {
        Some(12) => head.get(22..),
        _ => head.get(26..),
    };
    matches!(fields, Some([1, 0, 1 | 2 | 4 | 8 | 16 | 24 | 32, 0, ..]))
}

/// The formats of images in the container of MPEG-4 (ISO/IEC 14496-12).
fn of_brand(brand: &[u8]) -> Option<&'static ImageFormat> {
    match brand {
        [b'a', b'v', b'i', b'f' | b's', ..] => Some(&AVIF),
        [b'h', b'e', b'i' | b'v', b'c' | b'x' | b'm' | b's', ..]
        | [b'm', b'i' | b's', b'f', b'1', ..] => Some(&HEIC),
        _ => None,
    }
}

/// Whether the first line of a portable map goes on as it should: with a number,
/// a remark, or the name of one.
fn is_pnm(rest: &[u8]) -> bool {
    let blank = |byte: &u8| byte.is_ascii_whitespace();
    let next = rest.iter().find(|byte| !blank(byte));
    rest.first().is_some_and(blank)
        && next.is_some_and(|byte| byte.is_ascii_digit() || matches!(byte, b'#' | b'W' | b'H'))
}

/// Whether the numbers of a header go together: a colour map or none, a type
/// that exists, sides, and bits of a pixel.
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

/// The same of a text in UTF-8.
fn of_text(head: &[u8]) -> Option<&'static ImageFormat> {
    match head {
        [b'P', b'1'..=b'3', rest @ ..] if is_pnm(rest) => Some(&PNM),
        _ if is_svg(head) => Some(&SVG),
        _ => None,
    }
}

/// Whether the first element of a text is that of an SVG, behind declarations
/// and remarks.
fn is_svg(head: &[u8]) -> bool {
    let mut rest = head.strip_prefix("\u{feff}".as_bytes()).unwrap_or(head);
    loop {
        rest = rest.trim_ascii_start();
        let (open, end): (usize, &[u8]) = match rest {
            [b'<', b'?', ..] => (2, b"?>"),
            [b'<', b'!', b'-', b'-', ..] => (4, b"-->"),
            [b'<', b'!', ..] => {
                rest = behind_doctype(rest);
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
        let behind = rest.get(open..).unwrap_or_default();
        match memchr::memmem::find(behind, end) {
            Some(at) => {
                rest = behind
                    .get(at.saturating_add(end.len())..)
                    .unwrap_or_default();
            }
            None => return false,
        }
    }
}

/// What follows a document type, which may declare entities in brackets.
fn behind_doctype(text: &[u8]) -> &[u8] {
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
    fn the_first_element_tells_an_svg() {
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
    fn first_bytes_tell_an_image() {
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
