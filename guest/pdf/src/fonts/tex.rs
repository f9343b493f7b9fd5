//! Bitmap fonts of TeX, whose glyphs have codes for names.

use crate::extremes::Extremes as _;
use crate::page::Text;
use std::rc::Rc;

/// The encoding of the text fonts of TeX.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// The one with 128 characters (OT1), which has ligatures from 11.
    Old,
    /// The one with 256 characters (T1, the Cork encoding), which has ligatures from 27.
    Cork,
}

impl Encoding {
    /// The encoding of a font that has glyphs for some codes. Ligatures and dashes are the signs of it.
    pub fn of(is_used: impl Fn(u8) -> bool) -> Self {
        let any = |mut codes: std::ops::RangeInclusive<u8>| codes.any(&is_used);
        let cork = any(27..=31) || any(16..=17) || any(21..=22) || any(0xc0..=0xff);
        // Accents of the old encoding are where the quotes of the other are.
        if cork && !any(11..=12) {
            Self::Cork
        } else {
            Self::Old
        }
    }

    /// The character of a code.
    pub fn character(self, code: u8) -> Text {
        match self {
            Self::Old => old(code),
            Self::Cork => cork(code),
        }
    }
}

/// The widths of the small letters of the regular and the bold text font of TeX, in thousandths of the size.
const REGULAR: [f32; 26] = [
    500.0, 556.0, 444.0, 556.0, 444.0, 306.0, 500.0, 556.0, 278.0, 306.0, 528.0, 278.0, 833.0,
    556.0, 500.0, 556.0, 528.0, 392.0, 394.0, 389.0, 556.0, 528.0, 722.0, 528.0, 528.0, 444.0,
];
const BOLD: [f32; 26] = [
    559.0, 639.0, 511.0, 639.0, 527.0, 351.0, 575.0, 639.0, 319.0, 351.0, 607.0, 319.0, 958.0,
    639.0, 575.0, 639.0, 607.0, 474.0, 454.0, 447.0, 639.0, 607.0, 831.0, 607.0, 607.0, 511.0,
];

/// The difference of widths, relative to the width, within which they are those of a font, and from which they are
/// not. The fonts for other sizes differ by less than the first.
const SAME: f32 = 0.012;
const OTHER: f32 = 0.018;

/// The least number of letters that tell a font.
const LETTERS: usize = 4;

/// Whether the widths of the small letters are those of the bold font of TeX, at any scale. Bitmap fonts have no names
/// that tell it. A letter that is not used has no width.
pub fn is_bold(widths: &[Option<f32>]) -> bool {
    let used = widths
        .iter()
        .filter(|it| it.is_some_and(|it| it > 0.0))
        .count();
    used >= LETTERS && distance(widths, &BOLD) < SAME && distance(widths, &REGULAR) > OTHER
}

/// The greatest difference of widths from those of a font at the scale of most of them.
fn distance(widths: &[Option<f32>], font: &[f32; 26]) -> f32 {
    let mut scales: Vec<f32> = widths
        .iter()
        .zip(font)
        .filter_map(|(own, it)| own.filter(|own| *own > 0.0).map(|own| own / it))
        .collect();
    scales.sort_by(f32::total_cmp);
    let middle = scales.get(scales.len() / 2).copied().unwrap_or(1.0);
    scales
        .iter()
        .map(|it| (it / middle - 1.0).abs())
        .fold(0.0, f32::greater)
}

/// The character of a glyph that no list of names has. Programs make names of codes, such as `a65` or
/// `g41`: in fonts of Type 3 of TeX, these are the codes of the text.
pub fn by_name(name: Option<&str>, code: u8, tex: Option<Encoding>) -> Text {
    let Some(name) = name else {
        // Bitmap fonts of TeX have no encoding. Their codes are ASCII as far as letters go.
        return tex.map_or(Text::Unmapped, |it| it.character(code));
    };
    if name == ".notdef" {
        return Text::Unmapped;
    }
    if let (Some(tex), Some(number)) = (tex, number(name)) {
        return tex.character(number);
    }
    let mut letters = name.chars();
    match (letters.next(), letters.next()) {
        (Some(one), None) => Text::One(one),
        _ => Text::Unmapped,
    }
}

/// The code that the name of a glyph is, such as `a65`. `None` for other names.
pub fn number(name: &str) -> Option<u8> {
    let digits = name.trim_start_matches(|it: char| it.is_ascii_alphabetic());
    let prefix = name.len().saturating_sub(digits.len());
    (1..=2)
        .contains(&prefix)
        .then(|| digits.parse().ok())
        .flatten()
}

fn many(text: &str) -> Text {
    Text::Many(Rc::from(text))
}

/// The character of a code of OT1.
fn old(code: u8) -> Text {
    match code {
        11 => many("ff"),
        12 => many("fi"),
        13 => many("fl"),
        14 => many("ffi"),
        15 => many("ffl"),
        16 => Text::One('ı'),
        17 => Text::One('ȷ'),
        18 => Text::One('`'),
        19 => Text::One('´'),
        20 => Text::One('ˇ'),
        21 => Text::One('˘'),
        22 => Text::One('¯'),
        23 => Text::One('˚'),
        24 => Text::One('¸'),
        25 => Text::One('ß'),
        26 => Text::One('æ'),
        27 => Text::One('œ'),
        28 => Text::One('ø'),
        29 => Text::One('Æ'),
        30 => Text::One('Œ'),
        31 => Text::One('Ø'),
        34 => Text::One('”'),
        92 => Text::One('“'),
        39 => Text::One('’'),
        60 => Text::One('¡'),
        62 => Text::One('¿'),
        94 => Text::One('ˆ'),
        95 => Text::One('˙'),
        96 => Text::One('‘'),
        123 => Text::One('–'),
        124 => Text::One('—'),
        125 => Text::One('˝'),
        126 => Text::One('˜'),
        127 => Text::One('¨'),
        136 => Text::One('•'),
        0x21..=0x7e => Text::One(char::from(code)),
        _ => Text::Unmapped,
    }
}

/// The characters of T1 from 128.
const CORK: [char; 128] = [
    'Ă', 'Ą', 'Ć', 'Č', 'Ď', 'Ě', 'Ę', 'Ğ', 'Ĺ', 'Ľ', 'Ł', 'Ń', 'Ň', 'Ŋ', 'Ő', 'Ŕ', 'Ř', 'Ś', 'Š',
    'Ş', 'Ť', 'Ţ', 'Ű', 'Ů', 'Ÿ', 'Ź', 'Ž', 'Ż', 'Ĳ', 'İ', 'đ', '§', 'ă', 'ą', 'ć', 'č', 'ď', 'ě',
    'ę', 'ğ', 'ĺ', 'ľ', 'ł', 'ń', 'ň', 'ŋ', 'ő', 'ŕ', 'ř', 'ś', 'š', 'ş', 'ť', 'ţ', 'ű', 'ů', 'ÿ',
    'ź', 'ž', 'ż', 'ĳ', '¡', '¿', '£', 'À', 'Á', 'Â', 'Ã', 'Ä', 'Å', 'Æ', 'Ç', 'È', 'É', 'Ê', 'Ë',
    'Ì', 'Í', 'Î', 'Ï', 'Ð', 'Ñ', 'Ò', 'Ó', 'Ô', 'Õ', 'Ö', 'Œ', 'Ø', 'Ù', 'Ú', 'Û', 'Ü', 'Ý', 'Þ',
    'ẞ', 'à', 'á', 'â', 'ã', 'ä', 'å', 'æ', 'ç', 'è', 'é', 'ê', 'ë', 'ì', 'í', 'î', 'ï', 'ð', 'ñ',
    'ò', 'ó', 'ô', 'õ', 'ö', 'œ', 'ø', 'ù', 'ú', 'û', 'ü', 'ý', 'þ', 'ß',
];

/// The character of a code of T1.
fn cork(code: u8) -> Text {
    match code {
        0 => Text::One('`'),
        1 => Text::One('´'),
        2 => Text::One('ˆ'),
        3 => Text::One('˜'),
        4 => Text::One('¨'),
        5 => Text::One('˝'),
        6 => Text::One('˚'),
        7 => Text::One('ˇ'),
        8 => Text::One('˘'),
        9 => Text::One('¯'),
        10 => Text::One('˙'),
        11 => Text::One('¸'),
        12 => Text::One('˛'),
        13 => Text::One('‚'),
        14 => Text::One('‹'),
        15 => Text::One('›'),
        16 => Text::One('“'),
        17 => Text::One('”'),
        18 => Text::One('„'),
        19 => Text::One('«'),
        20 => Text::One('»'),
        21 => Text::One('–'),
        22 => Text::One('—'),
        23 => Text::None,
        25 => Text::One('ı'),
        26 => Text::One('ȷ'),
        27 => many("ff"),
        28 => many("fi"),
        29 => many("fl"),
        30 => many("ffi"),
        31 => many("ffl"),
        39 => Text::One('’'),
        96 => Text::One('‘'),
        127 => Text::One('-'),
        0x21..=0x7e => Text::One(char::from(code)),
        128.. => CORK
            .get(usize::from(code).saturating_sub(128))
            .map_or(Text::Unmapped, |it| Text::One(*it)),
        _ => Text::Unmapped,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_tell_the_bold_font() {
        // `Steps` of the bold and of the regular font at 600 dots per inch, and the bold one for a larger size.
        let widths = |known: &[(u8, f32)]| -> Vec<Option<f32>> {
            let width = |letter: u8| known.iter().find(|it| it.0 == letter).map(|it| it.1);
            (b'a'..=b'z').map(width).collect()
        };
        let bold = [(b't', 37.12), (b'e', 43.76), (b'p', 53.04), (b's', 37.67)];
        assert!(is_bold(&widths(&bold)));
        assert!(!is_bold(&widths(&bold[..3])));
        let regular = [(b't', 32.29), (b'e', 36.9), (b'p', 46.12), (b's', 32.74)];
        assert!(!is_bold(&widths(&regular)));
        let mono = [(b't', 43.0), (b'e', 43.0), (b'p', 43.0), (b's', 43.0)];
        assert!(!is_bold(&widths(&mono)));
    }

    #[test]
    fn ligatures_and_accents_show_the_encoding() {
        let of = |used: &[u8]| Encoding::of(|it| used.contains(&it));
        let text = |encoding: Encoding, code: u8| {
            let mut out = String::new();
            encoding.character(code).push_to(&mut out);
            out
        };
        let cork = of(&[27, 28, 97, 101]);
        assert_eq!(cork, Encoding::Cork);
        assert_eq!(
            [27, 28, 31, 21, 0xe9, 0xa5]
                .map(|it| text(cork, it))
                .concat(),
            "fffiffl–éě"
        );
        let old = of(&[11, 12, 97]);
        assert_eq!(old, Encoding::Old);
        assert_eq!([11, 12, 123, 34].map(|it| text(old, it)).concat(), "fffi–”");
        assert_eq!(of(&[97, 98]), Encoding::Old);
    }
}
