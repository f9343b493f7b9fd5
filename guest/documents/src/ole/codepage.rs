//! Text of 8-bit code pages of Windows.

use encoding_rs::Encoding;

/// Decodes text of a code page, such as 1252. An unknown page is decoded as 1252.
pub fn decode(bytes: &[u8], page: u16) -> String {
    if page == 1200 {
        return utf16(bytes);
    }
    let (text, _) = encoding(page).decode_without_bom_handling(bytes);
    text.into_owned()
}

/// Returns the encoding of a code page. An unknown page has that of 1252.
pub fn encoding(page: u16) -> &'static Encoding {
    use encoding_rs as all;
    match page {
        866 => all::IBM866,
        874 => all::WINDOWS_874,
        932 => all::SHIFT_JIS,
        936 => all::GBK,
        949 | 51_949 => all::EUC_KR,
        950 => all::BIG5,
        1250 => all::WINDOWS_1250,
        1251 => all::WINDOWS_1251,
        1253 => all::WINDOWS_1253,
        1254 => all::WINDOWS_1254,
        1255 => all::WINDOWS_1255,
        1256 => all::WINDOWS_1256,
        1257 => all::WINDOWS_1257,
        1258 => all::WINDOWS_1258,
        10_000 => all::MACINTOSH,
        10_007 => all::X_MAC_CYRILLIC,
        20_866 => all::KOI8_R,
        20_932 | 51_932 => all::EUC_JP,
        21_866 => all::KOI8_U,
        28_592 => all::ISO_8859_2,
        28_593 => all::ISO_8859_3,
        28_594 => all::ISO_8859_4,
        28_595 => all::ISO_8859_5,
        28_596 => all::ISO_8859_6,
        28_597 => all::ISO_8859_7,
        28_598 | 38_598 => all::ISO_8859_8,
        28_603 => all::ISO_8859_13,
        28_605 => all::ISO_8859_15,
        50_220..=50_222 => all::ISO_2022_JP,
        54_936 => all::GB18030,
        65_001 => all::UTF_8,
        _ => all::WINDOWS_1252,
    }
}

/// Returns the code page of a character set of a font ([MS-WMF] 2.1.1.5), such as 204 for Cyrillic.
pub fn of_charset(charset: u8) -> Option<u16> {
    Some(match charset {
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
        _ => return None,
    })
}

/// Returns the code page of a language ([MS-LCID]), such as 1251 for Russian.
pub fn of_language(language: u16) -> u16 {
    match language & 0x3ff {
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
    }
}

/// Decodes UTF-16 with the low byte first. A part of a pair becomes a replacement character.
pub fn utf16(bytes: &[u8]) -> String {
    let (units, _) = bytes.as_chunks::<2>();
    char::decode_utf16(units.iter().copied().map(u16::from_le_bytes))
        .map(|found| found.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect()
}
