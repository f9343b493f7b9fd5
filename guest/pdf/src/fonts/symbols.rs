//! Characters that fonts of signs have in the private area of Unicode.
//!
//! Windows maps the codes of such fonts to U+F000 to U+F0FF. Office programs use them for bullets and
//! check marks.

use crate::page::Text;

/// The usual character for a private one. `name` is the name of the font.
pub fn usual(private: char, name: &str) -> Option<Text> {
    let code = u8::try_from(u32::from(private).checked_sub(0xf000)?).ok()?;
    let lower = name.to_ascii_lowercase();
    let character = if lower.contains("wingdings") {
        wingdings(code)?
    } else if lower.contains("symbol") {
        symbol(code)?
    } else if lower.contains("dingbats") || lower.contains("webdings") {
        return None;
    } else {
        match code {
            0xb7 => '•',
            0xa7 => '▪',
            0xd8 => '➢',
            0xfc => '✓',
            // Fonts without a map for Unicode have their codes there.
            0x20..=0x7e => char::from(code),
            _ => return None,
        }
    };
    Some(Text::One(character))
}

fn wingdings(code: u8) -> Option<char> {
    Some(match code {
        0x6c => '●',
        0x6d => '❍',
        0x6e => '■',
        0x6f | 0xa8 => '☐',
        0x71 => '❑',
        0x72 => '❒',
        0x75 => '◆',
        0x76 => '❖',
        0x77 => '⬥',
        0x9f => '•',
        0xa1 => '○',
        0xa7 => '▪',
        0xd8 => '➢',
        0xe0 | 0xe8 => '→',
        0xdf | 0xe7 => '←',
        0xfb => '✗',
        0xfc => '✓',
        0xfd => '☒',
        0xfe => '☑',
        0x4a => '☺',
        0x4c => '☹',
        0x28 => '☎',
        0x2a => '✉',
        _ => return None,
    })
}

fn symbol(code: u8) -> Option<char> {
    Some(match code {
        0xb7 => '•',
        0xae => '→',
        0xac => '←',
        0xad => '↑',
        0xaf => '↓',
        0xa3 => '≤',
        0xb3 => '≥',
        0xb1 => '±',
        0xb4 => '×',
        0xb8 => '÷',
        0xb9 => '≠',
        0xbb => '≈',
        0xb0 => '°',
        0xa5 => '∞',
        0xd6 => '√',
        0xe5 => '∑',
        0xf2 => '∫',
        0xb6 => '∂',
        0x61 => 'α',
        0x62 => 'β',
        0x63 => 'χ',
        0x64 => 'δ',
        0x65 => 'ε',
        0x66 => 'φ',
        0x67 => 'γ',
        0x68 => 'η',
        0x6b => 'κ',
        0x6c => 'λ',
        0x6d => 'μ',
        0x6e => 'ν',
        0x70 => 'π',
        0x71 => 'θ',
        0x72 => 'ρ',
        0x73 => 'σ',
        0x74 => 'τ',
        0x77 => 'ω',
        0x44 => 'Δ',
        0x53 => 'Σ',
        0x57 => 'Ω',
        0x20..=0x40 | 0x5b | 0x5d | 0x7b..=0x7d => char::from(code),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bullets_of_office_programs() {
        assert_eq!(usual('\u{f0b7}', "Symbol"), Some(Text::One('•')));
        assert_eq!(usual('\u{f0a7}', "Wingdings-Regular"), Some(Text::One('▪')));
        assert_eq!(usual('\u{f041}', "Calibri"), Some(Text::One('A')));
        assert_eq!(usual('\u{e000}', "Calibri"), None);
        assert_eq!(usual('\u{f8ff}', "Calibri"), None);
    }
}
