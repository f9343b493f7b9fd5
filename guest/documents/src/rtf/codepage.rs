//! Code pages: bytes → text.

use crate::docx::symbols;
use encoding_rs::{
    BIG5, EUC_KR, Encoding, GB18030, GBK, IBM866, ISO_8859_2, ISO_8859_5, KOI8_R, KOI8_U,
    MACINTOSH, SHIFT_JIS, UTF_8, WINDOWS_874, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252,
    WINDOWS_1253, WINDOWS_1254, WINDOWS_1255, WINDOWS_1256, WINDOWS_1257, WINDOWS_1258,
};

/// A code page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CodePage {
    /// An encoding of the WHATWG standard.
    Encoding(&'static Encoding),
    /// A code page of DOS: its characters from 128.
    Dos(&'static str),
    /// The font has symbols in place of letters.
    Symbol,
}

/// The code page of texts that specify none.
pub const DEFAULT: CodePage = CodePage::Encoding(WINDOWS_1252);

impl CodePage {
    /// Returns a code page by its number. `None` if it is not known.
    pub fn numbered(number: i32) -> Option<Self> {
        Some(Self::Encoding(match number {
            437 => return Some(Self::Dos(DOS_437)),
            850 | 858 => return Some(Self::Dos(DOS_850)),
            866 => IBM866,
            874 => WINDOWS_874,
            932 => SHIFT_JIS,
            936 => GBK,
            949 | 1361 => EUC_KR,
            950 => BIG5,
            1250 => WINDOWS_1250,
            1251 => WINDOWS_1251,
            1252 | 28591 => WINDOWS_1252,
            1253 => WINDOWS_1253,
            1254 => WINDOWS_1254,
            1255 => WINDOWS_1255,
            1256 => WINDOWS_1256,
            1257 => WINDOWS_1257,
            1258 => WINDOWS_1258,
            10000 => MACINTOSH,
            20866 => KOI8_R,
            21866 => KOI8_U,
            28592 => ISO_8859_2,
            28595 => ISO_8859_5,
            54936 => GB18030,
            65001 => UTF_8,
            _ => return None,
        }))
    }

    /// Returns the code page of a font by its `\fcharset`. `None` if the font has that of the
    /// document.
    pub fn of_charset(charset: i32) -> Option<Self> {
        Self::numbered(match charset {
            0 => 1252,
            2 => return Some(Self::Symbol),
            77 => 10000,
            128 => 932,
            129 | 130 => 949,
            134 => 936,
            136 => 950,
            161 => 1253,
            162 => 1254,
            163 => 1258,
            177 => 1255,
            178 => 1256,
            186 => 1257,
            204 => 1251,
            222 => 874,
            238 => 1250,
            254 => 437,
            255 => 850,
            _ => return None,
        })
    }

    /// Decodes bytes. `font` is the name of the font, which matters only for symbols.
    pub fn decode(self, bytes: &[u8], font: &str, out: &mut String) {
        match self {
            Self::Encoding(encoding) => match str::from_utf8(bytes) {
                Ok(text) if bytes.is_ascii() => out.push_str(text),
                _ => out.push_str(&encoding.decode_without_bom_handling(bytes).0),
            },
            Self::Dos(high) => {
                for byte in bytes {
                    match usize::from(*byte).checked_sub(128) {
                        Some(place) => out.extend(high.chars().nth(place)),
                        None => out.push(char::from(*byte)),
                    }
                }
            }
            Self::Symbol => {
                let code = |byte: &u8| symbols::symbol(font, u32::from(*byte));
                out.extend(bytes.iter().filter_map(code));
            }
        }
    }
}

/// The characters from 128 of the code page 437.
const DOS_437: &str = concat!(
    "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒ",
    "áíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐",
    "└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀",
    "αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}",
);

/// The characters from 128 of the code page 850.
const DOS_850: &str = concat!(
    "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒ",
    "áíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐",
    "└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀",
    "ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{ad}±‗¾¶§÷¸°¨·¹³²■\u{a0}",
);
