//! The guess of an encoding other than UTF-8, UTF-16 and UTF-32.
//!
//! The detector knows the encodings of the web. It does not know those of DOS and of the Mac, and it
//! finds an encoding for any bytes. The rules of this module are for texts of which it has too little
//! evidence, for text in these two encodings, and for binary data.

use super::letters;
use super::sample;
use crate::cp437;
use crate::escapes::any_byte;
use crate::limits;
use crate::pages::Charset;
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};

/// Guesses the encoding of a text that is not UTF-8. `foreign` is the number of its sequences that
/// are not valid in UTF-8. `None` for binary data.
pub fn guess(samples: &[(&[u8], bool)], foreign: u64) -> Option<Charset> {
    let (first, ends) = *samples.first()?;
    if is_binary(first, ends) {
        return None;
    }
    let pieces: Vec<&[u8]> = match samples {
        [(text, _)] => sample::pieces(text),
        _ => samples
            .iter()
            .flat_map(|(sample, _)| sample::pieces(sample))
            .collect(),
    };
    if is_drawing(&pieces) {
        return Some(Charset::Cp437);
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    for piece in &pieces {
        detector.feed(piece, false);
    }
    // The end of a part is not the end of the text, and may cut a character.
    let whole = matches!(samples, [(text, true)] if pieces.first() == Some(text));
    detector.feed(b"", whole);
    let mut guess = detector.guess(None, Utf8Detection::Deny);
    let is_short = foreign < FEW_BYTES;
    let is_latin = guess == encoding_rs::WINDOWS_1252 || LATIN.contains(&guess);
    if is_short && (is_latin || has_only_marks(&pieces)) {
        guess = letters::encoding(&pieces, guess).unwrap_or(encoding_rs::WINDOWS_1252);
    }
    if is_latin || guess == encoding_rs::WINDOWS_1252 {
        return Some(of_letters(&pieces, guess));
    }
    Some(Charset::Web(guess))
}

/// The minimum number of sequences that are invalid in UTF-8 for a guess between the encodings of
/// [`LATIN`]. With fewer, letter frequencies cannot distinguish languages with Latin letters. The
/// alphabets of the languages decide then, and windows-1252 is assumed if they do not.
const FEW_BYTES: u64 = 12;

/// Encodings of languages with Latin letters, without windows-1252, which is by far the most
/// common.
static LATIN: &[&encoding_rs::Encoding] = &[
    encoding_rs::ISO_8859_10,
    encoding_rs::ISO_8859_13,
    encoding_rs::ISO_8859_14,
    encoding_rs::ISO_8859_15,
    encoding_rs::ISO_8859_16,
    encoding_rs::ISO_8859_2,
    encoding_rs::ISO_8859_3,
    encoding_rs::ISO_8859_4,
    encoding_rs::WINDOWS_1250,
    encoding_rs::WINDOWS_1254,
    encoding_rs::WINDOWS_1257,
    encoding_rs::WINDOWS_1258,
];

/// Whether a control character does not occur in texts. Texts for terminals contain bells, backspaces
/// and escape sequences.
#[expect(
    clippy::needless_bitwise_bool,
    reason = "without branches, a search for one is vectorised"
)]
pub fn is_control(byte: u8) -> bool {
    let is_low = (byte < 0x20) & !(7..0xe).contains(&byte) & (byte != 0x1b);
    is_low | (byte == 0x7f)
}

/// The minimum number of bytes for each control character of a text. One in ten random bytes is a
/// control character.
const BYTES_PER_CONTROL: usize = 64;

/// Whether bytes that are not UTF-8 have so many control characters that they are not a text. `ends`
/// states whether they end at the end of the file, where DOS programs write a control character.
fn is_binary(bytes: &[u8], ends: bool) -> bool {
    let bytes = bytes
        .strip_suffix(b"\x1a")
        .filter(|_| ends)
        .unwrap_or(bytes);
    has_controls(bytes)
}

/// Whether the first bytes have more control characters than those of a text.
pub fn has_controls(bytes: &[u8]) -> bool {
    let first = bytes.get(..limits::SNIFF_BYTES).unwrap_or(bytes);
    // Most texts have none. The search for one is much faster than counting.
    if !any_byte(first, is_control) {
        return false;
    }
    let controls = first.iter().filter(|byte| is_control(**byte)).count();
    controls.saturating_mul(BYTES_PER_CONTROL) > first.len()
}

/// Whether the bytes that are not ASCII are mostly lines and shades of code page 437, as in the
/// drawings and frames of DOS texts. In other encodings these bytes are letters, which rarely occur
/// twice in a row.
fn is_drawing(pieces: &[&[u8]]) -> bool {
    let (mut foreign, mut boxes, mut repeated) = (0usize, 0usize, 0usize);
    for piece in pieces {
        let mut last = 0;
        for byte in *piece {
            let count = |count: &mut usize, yes| *count = count.saturating_add(usize::from(yes));
            count(&mut foreign, *byte >= 0x80);
            let is_box = matches!(byte, 0xb0..=0xdf | 0xfe);
            count(&mut boxes, is_box);
            count(&mut repeated, is_box && *byte == last);
            last = *byte;
        }
    }
    // Four fifths, and a third.
    foreign >= 8
        && boxes.saturating_mul(5) >= foreign.saturating_mul(4)
        && repeated.saturating_mul(3) >= foreign
}

/// Whether the bytes that are not ASCII are single signs or letters in a text of ASCII letters and
/// digits, such as the sign of a currency. In alphabets other than the Latin one, and in East Asian
/// texts, several are next to each other.
fn has_only_marks(pieces: &[&[u8]]) -> bool {
    let (mut foreign, mut written) = (0usize, 0usize);
    for piece in pieces {
        let mut run = 0usize;
        for byte in *piece {
            written = written.saturating_add(usize::from(byte.is_ascii_alphanumeric()));
            run = if *byte >= 0x80 {
                run.saturating_add(1)
            } else {
                0
            };
            foreign = foreign.saturating_add(usize::from(run > 0));
            if run > 2 {
                return false;
            }
        }
    }
    foreign > 0 && written >= foreign
}

/// The encoding in which the letters of a text with Latin letters fit together: `guess`, or that of
/// DOS or of the Mac, if the text has misplaced characters in `guess` and (almost) none in the other.
fn of_letters(pieces: &[&[u8]], guess: &'static encoding_rs::Encoding) -> Charset {
    let web = |encoding: &'static encoding_rs::Encoding| {
        let decoded = pieces
            .iter()
            .map(|piece| encoding.decode_without_bom_handling(piece).0);
        decoded.map(|text| misplaced(text.chars())).sum::<usize>()
    };
    let wrong = web(guess);
    let dos = pieces
        .iter()
        .map(|piece| misplaced(piece.iter().map(|byte| cp437::decode(*byte))));
    let others = [
        (Charset::Cp437, dos.sum::<usize>()),
        (
            Charset::Web(encoding_rs::MACINTOSH),
            web(encoding_rs::MACINTOSH),
        ),
    ];
    let best = others.into_iter().min_by_key(|(_, misplaced)| *misplaced);
    match best {
        Some((other, misplaced)) if misplaced.saturating_mul(MISPLACED) < wrong => other,
        _ => Charset::Web(guess),
    }
}

/// How many times as many misplaced characters a text has in a wrong encoding.
const MISPLACED: usize = 4;

/// The number of characters that are not ASCII and do not fit to the character before or after them:
/// control characters, signs between letters, and capital letters after small ones.
fn misplaced(text: impl Iterator<Item = char>) -> usize {
    let mut count = 0usize;
    let mut before = ' ';
    let mut text = text.peekable();
    while let Some(c) = text.next() {
        let after = text.peek().copied().unwrap_or(' ');
        let joins = |other: char| other.is_alphabetic();
        let is_misplaced = match c {
            _ if c.is_ascii() => false,
            _ if c.is_control() => true,
            _ if c.is_alphabetic() => c.is_uppercase() && before.is_lowercase(),
            // Apostrophes and hyphens are between letters, and signs may follow one.
            '\u{2019}' | '\u{ad}' | '\u{b7}' | '\u{2013}' | '\u{2014}' => false,
            // No word has these beside a letter. Their codes are letters in other encodings.
            'ˇ' | '˘' | '˙' | '˚' | '˛' | '˝' | '≠' | '≤' | '≥' | '∂' | '∑' | '∏' | '∫' | '√'
            | '∆' | '≈' | '◊' => joins(before) || joins(after),
            _ => joins(before) && joins(after),
        };
        count = count.saturating_add(usize::from(is_misplaced));
        before = c;
    }
    count
}
