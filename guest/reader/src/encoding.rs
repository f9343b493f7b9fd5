//! Which encoding a text is in, and whether it is text at all.
//!
//! The order is: byte order mark, UTF-16 and UTF-32 by their zeros, binary by
//! a NUL in the head, strict UTF-8, UTF-8 with damage, a statistical guess.
//! The decision is taken once per file, from the same bytes whatever lines are
//! asked for.

use crate::limits;
use crate::pages::{Coding, Input};
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};

/// An encoding and how it was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoding {
    /// The encoding.
    pub coding: Coding,
    /// Bytes of the byte order mark.
    pub mark: u64,
    /// It is a statistical guess.
    pub guessed: bool,
    /// All bytes that were examined are sound UTF-8.
    pub sound: bool,
}

impl Encoding {
    /// UTF-8 without a byte order mark.
    pub const UTF8: Self = Self {
        coding: Coding::Utf8,
        mark: 0,
        guessed: false,
        sound: false,
    };

    fn marked(coding: Coding, mark: u64) -> Self {
        Self {
            coding,
            mark,
            guessed: false,
            sound: false,
        }
    }

    fn of(coding: Coding) -> Self {
        Self::marked(coding, 0)
    }
}

/// The encoding of a text; `None` if it is binary.
pub fn detect(input: &mut Input<'_>, size: Option<u64>) -> Option<Encoding> {
    if let Some(encoding) = by_mark(input.head()) {
        return Some(encoding);
    }
    let head = head(input);
    if head.contains(&0) {
        return by_zeros(head);
    }
    let far = far_samples(input, size);
    // Of a stream more may have come than is judged: how much is chance.
    let head = input.head();
    let judged = head.get(..WHOLE).unwrap_or(head);
    let mut samples = vec![(judged, input.complete() && judged.len() == head.len())];
    samples.extend(far.iter().map(|sample| (sample.as_slice(), false)));
    Some(by_content(&samples))
}

/// The bytes by which a file is found to be binary.
fn head<'a>(input: &'a Input<'_>) -> &'a [u8] {
    let head = input.head();
    head.get(..limits::SNIFF_BYTES).unwrap_or(head)
}

fn by_mark(head: &[u8]) -> Option<Encoding> {
    Some(match head {
        [0xef, 0xbb, 0xbf, ..] => Encoding::marked(Coding::Utf8, 3),
        // Before UTF-16, of whose mark this is the start.
        [0xff, 0xfe, 0, 0, ..]
            if head.len().is_multiple_of(4) || head.len() > limits::SNIFF_BYTES =>
        {
            Encoding::marked(Coding::Utf32(false), 4)
        }
        [0, 0, 0xfe, 0xff, ..] => Encoding::marked(Coding::Utf32(true), 4),
        [0xff, 0xfe, ..] => Encoding::marked(Coding::Web(encoding_rs::UTF_16LE), 2),
        [0xfe, 0xff, ..] => Encoding::marked(Coding::Web(encoding_rs::UTF_16BE), 2),
        _ => return None,
    })
}

/// UTF-32 or UTF-16 without a mark: everything in the head decodes to
/// characters that stand in texts, ASCII ones among them. Of the byte orders
/// in which it does, the one with more of these.
fn by_zeros(head: &[u8]) -> Option<Encoding> {
    // Lists whose items end in a NUL decode to Chinese.
    let zeros = memchr::memchr_iter(0, head).count();
    let narrow = match std::str::from_utf8(head) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none(),
    };
    if narrow && zeros.saturating_mul(3) < head.len() {
        return None;
    }
    let wide = [false, true].map(|big| {
        let chars = head.chunks_exact(4).map(|unit| unit32(unit, big));
        (
            ascii(chars, !head.len().is_multiple_of(4)),
            Coding::Utf32(big),
        )
    });
    let half = [
        (false, encoding_rs::UTF_16LE),
        (true, encoding_rs::UTF_16BE),
    ]
    .map(|(big, encoding)| {
        let units = head.chunks_exact(2).map(|unit| unit16(unit, big));
        // A half of a pair alone is damage, or the end of the head.
        let chars = char::decode_utf16(units).map(|c| Some(c.unwrap_or(ODD)));
        (
            ascii(chars, !head.len().is_multiple_of(2)),
            Coding::Web(encoding),
        )
    });
    let best = |codings: [(Option<u32>, Coding); 2]| {
        let (count, coding) = codings.into_iter().max_by_key(|(count, _)| *count)?;
        count.map(|_| Encoding::of(coding))
    };
    best(wide).or_else(|| best(half))
}

fn unit16(bytes: &[u8], big: bool) -> u16 {
    let unit = bytes.try_into().unwrap_or_default();
    if big {
        u16::from_be_bytes(unit)
    } else {
        u16::from_le_bytes(unit)
    }
}

fn unit32(bytes: &[u8], big: bool) -> Option<char> {
    let unit = bytes.try_into().unwrap_or_default();
    char::from_u32(if big {
        u32::from_be_bytes(unit)
    } else {
        u32::from_le_bytes(unit)
    })
}

/// The ASCII characters among these, if all of them could be a text. Binary
/// formats full of small numbers decode as well, but hold controls or
/// unassigned characters, or no blanks and line ends at all.
fn ascii(chars: impl Iterator<Item = Option<char>>, torn: bool) -> Option<u32> {
    let (mut count, mut ascii, mut odd, mut asian) = (0u32, 0u32, u32::from(torn), 0u32);
    for c in chars {
        match c? {
            '\t' | '\n' | '\r' | '\u{c}' | ' '..='~' => ascii = ascii.saturating_add(1),
            // What terminals are told, other separators, and symbols of a
            // single vendor.
            '\u{7}' | '\u{8}' | '\u{b}' | '\u{1b}' | '\u{85}' | '\u{e000}'..='\u{f8ff}' => {
                odd = odd.saturating_add(1);
            }
            '\u{3000}'..='\u{9fff}'
            | '\u{ac00}'..='\u{d7a3}'
            | '\u{ff00}'..='\u{ffef}'
            | '\u{1f300}'..='\u{2ffff}' => {
                asian = asian.saturating_add(1);
            }
            c if c.is_control() => return None,
            '\u{fdd0}'..='\u{fdef}' | '\u{fff0}'..='\u{ffff}' => return None,
            c if u32::from(c) > 0x3_ffff => return None,
            _ => {}
        }
        count = count.saturating_add(1);
    }
    // A text has one ASCII character in a hundred at least, its blanks and
    // line ends, unless it is a long line in an Asian script.
    let script = ascii.saturating_add(asian).saturating_mul(10) >= count.saturating_mul(9);
    let text = script || ascii.saturating_mul(100) >= count;
    (ascii > 0 && text && odd.saturating_mul(4) <= ascii.saturating_add(asian)).then_some(ascii)
}

/// Stands for what means nothing.
const ODD: char = '\u{e000}';

/// Samples of a large file beyond its head, so that a text whose first other
/// character comes late is not taken for UTF-8.
fn far_samples(input: &mut Input<'_>, size: Option<u64>) -> Vec<Vec<u8>> {
    let Some(size) = size.filter(|_| !input.complete() && input.seekable()) else {
        return Vec::new();
    };
    let sample = limits::SAMPLE_BYTES as u64;
    let head = input.head().len() as u64;
    [
        size / 4,
        size / 2,
        (size / 4).saturating_mul(3),
        size.saturating_sub(sample),
    ]
    .into_iter()
    .filter(|offset| *offset > head)
    .map(|offset| {
        let mut bytes = input.chunk(offset).to_vec();
        bytes.truncate(limits::SAMPLE_BYTES);
        // A sample starts at a line, or at least not inside a character.
        let start = memchr::memchr(b'\n', &bytes).map_or_else(
            || {
                bytes
                    .iter()
                    .take(3)
                    .take_while(|b| (0x80..0xc0).contains(*b))
                    .count()
            },
            |end| end.saturating_add(1),
        );
        bytes.split_off(start)
    })
    .collect()
}

/// The encoding of text without zeros. Each sample comes with whether it ends
/// where the text does.
fn by_content(samples: &[(&[u8], bool)]) -> Encoding {
    let mut evidence = Evidence::default();
    for (bytes, ends) in samples {
        evidence.add(bytes, *ends);
    }
    if evidence.is_utf8() {
        return Encoding {
            sound: !evidence.damaged,
            ..Encoding::UTF8
        };
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    for (bytes, _) in samples {
        detector.feed(bytes, false);
    }
    detector.feed(b"", true);
    let mut guess = detector.guess(None, Utf8Detection::Deny);
    if evidence.foreign < FEW_BYTES && LATIN.contains(&guess) {
        guess = encoding_rs::WINDOWS_1252;
    }
    let coding = Coding::Web(guess);
    Encoding {
        coding,
        mark: 0,
        guessed: true,
        sound: false,
    }
}

/// Bytes of a stream by which its encoding is decided.
#[expect(
    clippy::cast_possible_truncation,
    reason = "it is far below what an index holds"
)]
const WHOLE: usize = limits::WHOLE_BYTES as usize;

/// Below this many bytes beyond ASCII, languages with Latin letters cannot be
/// told apart by how often these stand where.
const FEW_BYTES: u64 = 12;

/// Encodings of languages with Latin letters. Of these the Western European
/// one is by far the most common.
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

/// What speaks for UTF-8 and against it.
#[derive(Default)]
struct Evidence {
    /// Sequences of more than one byte, sound or damaged in ways that only
    /// UTF-8 is: cut short at an end, overlong, surrogates.
    sequences: u64,
    /// Bytes that mean nothing in UTF-8.
    foreign: u64,
    /// Such bytes other than 0xFE and 0xFF, which damage leaves behind and
    /// texts hardly hold.
    telling: u64,
    /// Escape sequences that switch character sets, as ISO-2022-JP has.
    escapes: bool,
    /// There was anything that is not UTF-8.
    damaged: bool,
}

impl Evidence {
    fn add(&mut self, mut bytes: &[u8], ends: bool) {
        self.escapes |= memchr::memchr_iter(0x1b, bytes).any(|at| {
            let after = bytes.get(at..).unwrap_or_default();
            after.starts_with(b"\x1b$B") || after.starts_with(b"\x1b$@")
        });
        if bytes.is_ascii() {
            return;
        }
        loop {
            let (valid, error) = match std::str::from_utf8(bytes) {
                Ok(text) => (text, None),
                Err(error) => {
                    let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
                    (std::str::from_utf8(valid).unwrap_or_default(), Some(error))
                }
            };
            if !valid.is_ascii() {
                let sequences = valid.bytes().filter(|b| *b >= 0xc0).count() as u64;
                self.sequences = self.sequences.saturating_add(sequences);
            }
            let Some(error) = error else { return };
            self.damaged = true;
            let rest = bytes.get(error.valid_up_to()..).unwrap_or_default();
            let length = match (error.error_len(), rest) {
                // A sample may end inside a character.
                (None, _) if !ends => return,
                (_, [0xed, 0xa0..=0xbf, 0x80..=0xbf, ..]) => {
                    self.sequences = self.sequences.saturating_add(1);
                    3
                }
                (_, [0xc0 | 0xc1, 0x80..=0xbf, ..]) => {
                    self.sequences = self.sequences.saturating_add(1);
                    2
                }
                (Some(length), [first, ..]) => {
                    self.foreign = self.foreign.saturating_add(1);
                    self.telling = self.telling.saturating_add(u64::from(*first < 0xfe));
                    length
                }
                (None, _) | (_, []) => {
                    self.sequences = self.sequences.saturating_add(1);
                    return;
                }
            };
            bytes = rest.get(length..).unwrap_or_default();
        }
    }

    fn is_utf8(&self) -> bool {
        if self.sequences == 0 && self.foreign == 0 {
            return !self.escapes;
        }
        self.telling == 0 || self.sequences >= self.foreign
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::Bytes;

    fn detected(bytes: &[u8]) -> Option<(String, u64, bool)> {
        let mut source = Bytes::new(bytes.to_vec());
        let mut input = Input::new(&mut source, Some(bytes.len() as u64)).unwrap();
        detect(&mut input, Some(bytes.len() as u64)).map(|e| (e.coding.name(), e.mark, e.guessed))
    }

    #[expect(
        clippy::unnecessary_wraps,
        reason = "it is compared with what is optional"
    )]
    fn named(name: &str, mark: u64, guessed: bool) -> Option<(String, u64, bool)> {
        Some((name.to_owned(), mark, guessed))
    }

    fn utf16(text: &str, big: bool) -> Vec<u8> {
        text.encode_utf16()
            .flat_map(|u| {
                if big {
                    u.to_be_bytes()
                } else {
                    u.to_le_bytes()
                }
            })
            .collect()
    }

    fn utf32(text: &str, big: bool) -> Vec<u8> {
        text.chars()
            .map(u32::from)
            .flat_map(|u| {
                if big {
                    u.to_be_bytes()
                } else {
                    u.to_le_bytes()
                }
            })
            .collect()
    }

    #[test]
    fn marks_decide() {
        assert_eq!(detected(b"\xef\xbb\xbfabc"), named("utf-8", 3, false));
        assert_eq!(detected(b"\xff\xfea\0b\0"), named("utf-16le", 2, false));
        assert_eq!(detected(b"\xfe\xff\0a\0b"), named("utf-16be", 2, false));
        assert_eq!(
            detected(b"\xff\xfe\0\0a\0\0\0"),
            named("utf-32le", 4, false)
        );
        assert_eq!(
            detected(b"\0\0\xfe\xff\0\0\0a"),
            named("utf-32be", 4, false)
        );
        // A UTF-16 text that starts with a NUL and has an odd length in units.
        assert_eq!(detected(b"\xff\xfe\0\0a\0"), named("utf-16le", 2, false));
    }

    #[test]
    fn wide_units_are_found_without_a_mark() {
        for text in [
            "hello\nworld\n",
            "naïve Straße\n",
            "我能吞下玻璃而不伤身体。\n下一行 ok\n",
            "😀 emoji\n",
            "form\u{b}feed and some more text\n",
        ] {
            assert_eq!(
                detected(&utf16(text, false)),
                named("utf-16le", 0, false),
                "{text}"
            );
            assert_eq!(
                detected(&utf16(text, true)),
                named("utf-16be", 0, false),
                "{text}"
            );
            assert_eq!(
                detected(&utf32(text, false)),
                named("utf-32le", 0, false),
                "{text}"
            );
            assert_eq!(
                detected(&utf32(text, true)),
                named("utf-32be", 0, false),
                "{text}"
            );
        }
        // Longer than the head, ending it between the halves of a pair.
        let long = format!("a{}", "😀\n".repeat(4000));
        assert_eq!(detected(&utf16(&long, false)), named("utf-16le", 0, false));
    }

    #[test]
    fn numbers_are_no_text() {
        let numbers: Vec<u8> = (0u32..400).flat_map(|n| (n * 7).to_le_bytes()).collect();
        assert_eq!(detected(&numbers), None);
        assert_eq!(detected(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"), None);
        for list in [
            &b"text\0text"[..],
            b"text\0texts",
            b"a.txt\0b.txt\0",
            "grün\0größer\0".as_bytes(),
        ] {
            assert_eq!(detected(list), None, "{list:?}");
        }
        assert_eq!(detected(&[0; 9000]), None);
    }

    #[test]
    fn damaged_utf8_stays_utf8() {
        for bytes in [
            &b"plain ascii"[..],
            "grüße".as_bytes(),
            b"gr\xc3\xbc\xc3\x9fe \xff",
            b"overlong \xc0\x80, surrogate \xed\xa0\x80, cut \xe2\x82",
            b"ascii \xff ascii \xff",
            "é \u{1b}$B é".as_bytes(),
        ] {
            assert_eq!(detected(bytes), named("utf-8", 0, false), "{bytes:?}");
        }
    }

    #[test]
    fn other_encodings_are_guessed() {
        for (encoding, text) in [
            (
                encoding_rs::GBK,
                "这是一个用来测试编码检测的中文文本，包含足够多的汉字。",
            ),
            (
                encoding_rs::SHIFT_JIS,
                "これは文字コードの検出を試すための日本語の文章です。",
            ),
            (encoding_rs::WINDOWS_1252, "naïve\n"),
            (
                encoding_rs::WINDOWS_1252,
                "Déjà vu à l’été, garçon! Straße über Köln.",
            ),
            (
                encoding_rs::WINDOWS_1251,
                "Это текст для проверки определения кодировки.",
            ),
            (
                encoding_rs::EUC_KR,
                "이것은 인코딩 감지를 시험하기 위한 한국어 문장입니다.",
            ),
            (encoding_rs::ISO_2022_JP, "これは日本語です。"),
        ] {
            let bytes = encoding.encode(text).0;
            assert_eq!(
                detected(&bytes),
                named(&encoding.name().to_lowercase(), 0, true),
                "{text}"
            );
        }
    }

    #[test]
    fn a_late_character_decides_a_large_file() {
        let mut bytes = b"all ascii here, line after line\n".repeat(200_000);
        let late = encoding_rs::GBK
            .encode("这是一个用来测试编码检测的中文文本，包含足够多的汉字。\n")
            .0
            .repeat(2000);
        bytes.extend_from_slice(&late);
        assert_eq!(detected(&bytes), named("gbk", 0, true));
    }
}
