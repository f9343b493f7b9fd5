//! Code pages of Windows and of DOS: bytes → text.
//!
//! The numbers of Windows are those of the crate `codepage`, and the tables of DOS those of `oem_cp`.

use encoding_rs::{Encoding, UTF_16LE, WINDOWS_1252};
use oem_cp::code_table as dos;

/// A code page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CodePage {
    /// An encoding of the WHATWG standard.
    Web(&'static Encoding),
    /// A code page of DOS: its characters from 128.
    Dos(&'static [char; 128]),
}

/// The code page of texts that specify none.
pub const DEFAULT: CodePage = CodePage::Web(WINDOWS_1252);

impl CodePage {
    /// Returns a code page by its number, such as 1252. `None` if it is not known.
    pub fn numbered(number: u16) -> Option<Self> {
        Some(Self::Dos(match number {
            437 => &dos::DECODING_TABLE_CP437,
            720 => &dos::DECODING_TABLE_CP720,
            737 => &dos::DECODING_TABLE_CP737,
            775 => &dos::DECODING_TABLE_CP775,
            850 => &dos::DECODING_TABLE_CP850,
            852 => &dos::DECODING_TABLE_CP852,
            855 => &dos::DECODING_TABLE_CP855,
            858 => &dos::DECODING_TABLE_CP858,
            860 => &dos::DECODING_TABLE_CP860,
            861 => &dos::DECODING_TABLE_CP861,
            862 => &dos::DECODING_TABLE_CP862,
            863 => &dos::DECODING_TABLE_CP863,
            865 => &dos::DECODING_TABLE_CP865,
            869 => &dos::DECODING_TABLE_CP869,
            51_932 => return Some(Self::Web(encoding_rs::EUC_JP)),
            _ => return codepage::to_encoding(number).map(Self::Web),
        }))
    }

    /// Returns a code page by its number. An unknown page is that of texts that specify none.
    pub fn or_default(number: u16) -> Self {
        Self::numbered(number).unwrap_or(DEFAULT)
    }

    /// Whether each character is one byte.
    pub fn is_single_byte(self) -> bool {
        match self {
            Self::Web(encoding) => encoding.is_single_byte(),
            Self::Dos(_) => true,
        }
    }

    /// Returns the code page of a character set of a font ([MS-WMF] 2.1.1.5), such as 204 for
    /// Cyrillic. `None` if it is not known, or if the font has symbols.
    pub fn of_charset(charset: u8) -> Option<Self> {
        Self::numbered(match charset {
            0 => 1252,
            77 => 10_000,
            128 => 932,
            129 => 949,
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

    /// Returns the code page of a language ([MS-LCID]), such as that of Cyrillic for Russian.
    pub fn of_language(language: u16) -> Self {
        let number = match language & 0x3ff {
            0x01 | 0x20 | 0x29 => 1256,
            0x02 | 0x19 | 0x22 | 0x23 | 0x2f => 1251,
            0x04 if matches!(language, 0x0404 | 0x0c04 | 0x1404) => 950,
            0x04 => 936,
            0x05 | 0x0e | 0x15 | 0x18 | 0x1a | 0x1b | 0x1c | 0x24 => 1250,
            0x08 => 1253,
            0x0d => 1255,
            0x11 => 932,
            0x12 => 949,
            0x1e => 874,
            0x1f => 1254,
            0x25..=0x27 => 1257,
            0x2a => 1258,
            _ => 1252,
        };
        Self::or_default(number)
    }

    /// Appends the text of bytes to `out`.
    pub fn decode(self, bytes: &[u8], out: &mut String) {
        match self {
            Self::Web(encoding) if encoding == UTF_16LE => out.push_str(&utf16(bytes)),
            Self::Web(encoding) => out.push_str(&encoding.decode_without_bom_handling(bytes).0),
            Self::Dos(upper) => out.extend(bytes.iter().map(|byte| {
                let place = usize::from(*byte).checked_sub(128);
                place.map_or(char::from(*byte), |place| {
                    upper.get(place).copied().unwrap_or_default()
                })
            })),
        }
    }

    /// The text of bytes.
    pub fn decoded(self, bytes: &[u8]) -> String {
        let mut out = String::with_capacity(bytes.len());
        self.decode(bytes, &mut out);
        out
    }
}

/// Decodes UTF-16 with the low byte first. A part of a pair becomes a replacement character.
pub fn utf16(bytes: &[u8]) -> String {
    let (units, _) = bytes.as_chunks::<2>();
    let (text, _) = UTF_16LE.decode_without_bom_handling(units.as_flattened());
    text.into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(bytes: &[u8], page: u16) -> Option<String> {
        Some(CodePage::numbered(page)?.decoded(bytes))
    }

    #[test]
    fn pages_have_their_characters() {
        for (bytes, page, expected) in [
            (b"\x93a\x94".as_slice(), 1252, "“a”"),
            (b"\xcf\xf0", 1251, "Пр"),
            (b"\x83e", 932, "テ"),
            (b"a\0\xe9\0", 1200, "aé"),
            (b"a\0b", 1200, "a"),
            (b"x\x84\xe1\xff", 437, "xäß\u{a0}"),
            (b"\xd5", 858, "€"),
            (b"\xa5", 852, "ą"),
            (b"\xa1", 855, "А"),
            (b"\x8f", 866, "П"),
            (b"\x80", 737, "Α"),
        ] {
            assert_eq!(decoded(bytes, page).as_deref(), Some(expected), "{page}");
        }
        assert_eq!(decoded(b"a", 999), None);
    }

    #[test]
    fn fonts_and_languages_have_pages() {
        let cyrillic = Some(CodePage::Web(encoding_rs::WINDOWS_1251));
        assert_eq!(CodePage::of_charset(204), cyrillic);
        assert_eq!(Some(CodePage::of_language(0x0419)), cyrillic);
        assert_eq!(CodePage::of_charset(2), None);
        assert_eq!(CodePage::of_language(0x0409), DEFAULT);
    }

    #[test]
    fn utf16_with_damage_is_decoded() {
        assert_eq!(utf16(b"a\0\x3d\xd8b\0c"), "a\u{fffd}b");
    }
}
