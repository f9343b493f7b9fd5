//! Characters of symbol fonts.

use memchr::memchr;

/// Returns the character that a code of a symbol font shows. `None` if it is not known.
pub fn symbol(font: &str, code: u32) -> Option<char> {
    // Symbol fonts use a private area, in which the last byte is the code.
    let is_private = (0xf000..=0xf0ff).contains(&code);
    let code = if is_private { code & 0xff } else { code };
    let font = font.to_ascii_lowercase();
    // Programs write the bullet of the font Symbol without the font.
    let bullet = || (is_private && code == 0xb7).then_some('•');
    let found = listed(&font, code).or_else(bullet);
    let is_symbols = font.contains("dings");
    let plain = || char::from_u32(code).filter(|char| !char.is_control());
    found.or_else(|| if is_symbols { Some('•') } else { plain() })
}

/// Returns whether a code is one of a symbol font: it is in their private area, or the font is one of them
/// and the code one byte.
pub fn is_symbol(font: &str, code: u32) -> bool {
    let font = font.to_ascii_lowercase();
    let is_symbols = font == "symbol" || font.contains("dings");
    (0xf000..=0xf0ff).contains(&code) || is_symbols && code <= 0xff
}

/// Replaces the characters of the private area in a text.
pub fn replaced(font: &str, text: &str) -> String {
    // The first byte of these characters in UTF-8 is found faster than they are.
    if memchr(0xef, text.as_bytes()).is_none() || !text.contains(is_private) {
        return text.to_owned();
    }
    let known = |char: char| match char {
        _ if is_private(char) => symbol(font, char.into()).unwrap_or(char),
        _ => char,
    };
    text.chars().map(known).collect()
}

/// Replaces all characters of a text that a font draws as symbols: those of the private area, and letters
/// and signs in a symbol font.
pub fn drawn(font: &str, text: &str) -> String {
    let font = font.to_ascii_lowercase();
    let is_symbols = font == "symbol" || font.contains("dings");
    if !is_symbols {
        return replaced(&font, text);
    }
    let known = |char: char| match char {
        _ if is_private(char) => symbol(&font, char.into()).unwrap_or(char),
        // Letters above may be text in another font, which the program shows instead.
        '!'..='~' => listed(&font, char.into()).unwrap_or(char),
        '\u{80}'..='\u{ff}' if font != "symbol" => listed(&font, char.into()).unwrap_or(char),
        _ => char,
    };
    text.chars().map(known).collect()
}

fn is_private(char: char) -> bool {
    ('\u{f020}'..='\u{f0ff}').contains(&char)
}

/// Returns the character at a code of a symbol font.
fn listed(font: &str, code: u32) -> Option<char> {
    match font {
        "symbol" => symbol_font(code),
        "wingdings" => pairs(WINGDINGS, code),
        "wingdings 2" => pairs(WINGDINGS_2, code),
        "wingdings 3" => pairs(WINGDINGS_3, code),
        "webdings" | "zapfdingbats" => pairs(WEBDINGS, code),
        _ => None,
    }
}

fn pairs(list: &[(u32, char)], code: u32) -> Option<char> {
    let (_, char) = list.iter().find(|(own, _)| *own == code)?;
    Some(*char)
}

fn symbol_font(code: u32) -> Option<char> {
    const UPPER: &str = "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ";
    const LOWER: &str = "αβχδεφγηιϕκλμνοπθρστυϖωξψζ";
    const HIGH: &str = "ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…|—↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊⟨®©™∑";
    let at = |list: &str, first: u32| {
        let place = usize::try_from(code.checked_sub(first)?).ok()?;
        list.chars().nth(place)
    };
    match code {
        0x41..=0x5a => at(UPPER, 0x41),
        0x61..=0x7a => at(LOWER, 0x61),
        0xa1..=0xe5 => at(HIGH, 0xa1),
        0x22 => Some('∀'),
        0x24 => Some('∃'),
        0x27 => Some('∋'),
        0x2a => Some('∗'),
        0x2d => Some('−'),
        0x40 => Some('≅'),
        0x5c => Some('∴'),
        0x5e => Some('⊥'),
        0x7e => Some('∼'),
        0xf1 => Some('⟩'),
        0xf2 => Some('∫'),
        _ => None,
    }
}

const WINGDINGS: &[(u32, char)] = &[
    (0x22, '✂'),
    (0x28, '☎'),
    (0x2a, '✉'),
    (0x33, '📄'),
    (0x36, '⌛'),
    (0x45, '☜'),
    (0x46, '☞'),
    (0x4a, '☺'),
    (0x4c, '☹'),
    (0x6c, '●'),
    (0x6d, '❍'),
    (0x6e, '■'),
    (0x6f, '☐'),
    (0x71, '❑'),
    (0x72, '❒'),
    (0x75, '◆'),
    (0x76, '❖'),
    (0x78, '☒'),
    (0x9e, '·'),
    (0x9f, '•'),
    (0xa7, '▪'),
    (0xa8, '☐'),
    (0xd8, '➢'),
    (0xdf, '←'),
    (0xe0, '→'),
    (0xe1, '↑'),
    (0xe2, '↓'),
    (0xe8, '➔'),
    (0xef, '⇦'),
    (0xf0, '⇨'),
    (0xfb, '✗'),
    (0xfc, '✓'),
    (0xfd, '☒'),
    (0xfe, '☑'),
];

const WINGDINGS_2: &[(u32, char)] = &[
    (0x4f, '✗'),
    (0x50, '✓'),
    (0x51, '☒'),
    (0x52, '☑'),
    (0x53, '☒'),
    (0x54, '☒'),
    (0x97, '•'),
    (0xa2, '■'),
    (0xa3, '☐'),
];

const WINGDINGS_3: &[(u32, char)] = &[
    (0x7d, '▶'),
    (0x66, '←'),
    (0x67, '→'),
    (0x68, '↑'),
    (0x69, '↓'),
];

const WEBDINGS: &[(u32, char)] = &[
    (0x61, '✓'),
    (0x63, '☐'),
    (0x72, '✗'),
    (0x34, '▶'),
    (0x3d, '■'),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_in_a_symbol_font_are_its_signs() {
        assert_eq!(drawn("Symbol", "abS 12 \u{f053}é"), "αβΣ 12 Σé");
        assert_eq!(drawn("Wingdings", "ü J ?"), "✓ ☺ ?");
        assert_eq!(drawn("Arial", "abS\u{f0b7}"), "abS•");
        assert_eq!(replaced("Wingdings", "ü\u{f0fc}"), "ü✓");
    }
}
