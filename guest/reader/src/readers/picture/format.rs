//! Which bytes are a picture.

use crate::answer::Format;
use crate::path::ends_in;
use crate::world::PictureFormat;

/// A format of pictures.
#[derive(Debug, PartialEq, Eq)]
pub struct Kind {
    /// What it is called.
    pub format: Format,
    /// What decodes it, if anything does.
    pub decoder: Option<PictureFormat>,
    /// Its first bytes may be those of something else: only a header that is
    /// sound tells.
    pub weak: bool,
}

const fn named(name: &'static str, long_name: &'static str, mime: &'static str) -> Kind {
    Kind {
        format: Format {
            name,
            long_name,
            mime,
            picture: true,
        },
        decoder: None,
        weak: false,
    }
}

const fn decoded(
    name: &'static str,
    long_name: &'static str,
    mime: &'static str,
    decoder: PictureFormat,
) -> Kind {
    Kind {
        decoder: Some(decoder),
        ..named(name, long_name, mime)
    }
}

const fn weak(
    name: &'static str,
    long_name: &'static str,
    mime: &'static str,
    decoder: PictureFormat,
) -> Kind {
    Kind {
        weak: true,
        ..decoded(name, long_name, mime, decoder)
    }
}

const AVIF: Kind = named("AVIF", "AVIF image", "image/avif");
const BMP: Kind = weak("BMP", "BMP image", "image/bmp", PictureFormat::Bmp);
/// One whose header leaves no doubt, whether it can be decoded or not.
const SOUND_BMP: Kind = Kind { weak: false, ..BMP };
const DDS: Kind = decoded("DDS", "DDS image", "image/vnd-ms.dds", PictureFormat::Dds);
const EXR: Kind = decoded("EXR", "OpenEXR image", "image/x-exr", PictureFormat::Exr);
const FARBFELD: Kind = decoded(
    "Farbfeld",
    "Farbfeld image",
    "image/x-farbfeld",
    PictureFormat::Farbfeld,
);
const GIF: Kind = decoded("GIF", "GIF image", "image/gif", PictureFormat::Gif);
const HDR: Kind = decoded(
    "HDR",
    "Radiance HDR image",
    "image/vnd.radiance",
    PictureFormat::Hdr,
);
const HEIC: Kind = named("HEIC", "HEIC image", "image/heic");
const ICO: Kind = weak("ICO", "ICO image", "image/x-icon", PictureFormat::Ico);
const JPEG: Kind = decoded("JPEG", "JPEG image", "image/jpeg", PictureFormat::Jpeg);
const JPEG_2000: Kind = named("JPEG 2000", "JPEG 2000 image", "image/jp2");
const JPEG_XL: Kind = named("JPEG XL", "JPEG XL image", "image/jxl");
const PNG: Kind = decoded("PNG", "PNG image", "image/png", PictureFormat::Png);
const PNM: Kind = weak(
    "PNM",
    "PNM image",
    "image/x-portable-anymap",
    PictureFormat::Pnm,
);
const PSD: Kind = named("PSD", "Photoshop document", "image/vnd.adobe.photoshop");
const QOI: Kind = decoded("QOI", "QOI image", "image/qoi", PictureFormat::Qoi);
const SVG: Kind = decoded("SVG", "SVG image", "image/svg+xml", PictureFormat::Svg);
const TGA: Kind = weak("TGA", "Targa image", "image/x-tga", PictureFormat::Tga);
const TIFF: Kind = decoded("TIFF", "TIFF image", "image/tiff", PictureFormat::Tiff);
const WEBP: Kind = decoded("WebP", "WebP image", "image/webp", PictureFormat::Webp);

/// The endings of names of Targa files.
const TARGA: [&str; 4] = ["tga", "icb", "vda", "vst"];

/// The format that first bytes tell, by the specifications of the formats. Some
/// begin like text does, so they count only in a file that is none. Only Targa
/// has nothing to tell it by, so `name` has to tell it as well.
pub fn of(head: &[u8], binary: bool, name: &str) -> Option<&'static Kind> {
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

/// The formats of pictures in the container of MPEG-4 (ISO/IEC 14496-12).
fn of_brand(brand: &[u8]) -> Option<&'static Kind> {
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

/// The format of a picture that is written as text.
pub fn of_text(head: &[u8]) -> Option<&'static Kind> {
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
    fn first_bytes_tell_a_picture() {
        assert_eq!(of(b"\xff\xd8\xff\xe0", true, ""), Some(&JPEG));
        assert_eq!(of(b"GIF89a", true, ""), Some(&GIF));
        assert_eq!(of(b"GIF89a is a format", false, ""), None);
        assert_eq!(of(b"\0\0\0\x20ftypheic", true, ""), Some(&HEIC));
        assert_eq!(of(b"\0\0\0\x20ftypisom", true, ""), None);
        let targa = b"\0\0\x02\0\0\0\0\0\0\0\0\0\x01\0\x01\0\x18\0";
        assert_eq!(of(targa, true, "a/b.TGA"), Some(&TGA));
        assert_eq!(of(targa, true, "a/b.bin"), None);
        assert_eq!(of(b"P6\n2 1\n255\n", false, ""), Some(&PNM));
        assert_eq!(of(b"P6 is a format", false, ""), None);
        assert_eq!(of(b"BM0123456789ab\x28\0\0\0", true, ""), Some(&BMP));
        assert_eq!(of(b"BM0123456789ab\x29\0\0\0", true, ""), None);
        let sound = b"BM0123456789ab\x28\0\0\0wwwwhhhh\x01\0\x08\0";
        assert_eq!(of(sound, true, ""), Some(&SOUND_BMP));
        let oldest = b"BM0123456789ab\x0c\0\0\0wwhh\x01\0\x18\0";
        assert_eq!(of(oldest, true, ""), Some(&SOUND_BMP));
    }
}
