//! Places in a text at which a line may report a warning or an error, found faster than lines are parsed.
//!
//! Most lines of a log report neither. Three bytes from each place on are looked up in tables, sixteen places at a time
//! with the vectors of WebAssembly. What is found is compared with the words and signs that [`parse`](crate::line::parse)
//! knows. Every line to which it gives a level has such a place. Some lines that have one are not errors.

use crate::ascii::{after_spaces, at, first, from, has};
use crate::limits;
use crate::line::field;

/// Three bytes of which each is one of several.
type Class = [&'static [u8]; 3];

const ANY: &[u8] = &[];

/// The classes, which are bits of the first and of the second table. Their bytes are in lower case where they are
/// letters of words, which are found in any case. Classes of one table that have no byte in common are best together.
const CLASSES: [[Class; 8]; 2] = [
    [
        // `fatal`, `ftl`, `fail`, `fault`
        [b"f", b"at", b"tiul"],
        // `err`, `emerg`
        [b"e", b"r", b"rg"],
        // `crit`, `crt`, `traceback`
        [b"c", b"re", b"itb"],
        // `warn`, `wrn`
        [b"w", b"ar", b"rn"],
        // `exception`, `severe`
        [b"xs", b"ce", b"ev"],
        // `panic`, `dumped`
        [b"nu", b"im", b"cp"],
        // `alert`
        [b"a", b"l", b"e"],
        // `out of memory`
        [b"f", b" ", b"m"],
    ],
    [
        // Colours, which may divide a word, and JSON.
        [b"\x1b{", ANY, ANY],
        // `" 500`
        [b"\"", ANY, b"5"],
        [b"\"", b" \t", b" \t"],
        // `"E"`
        [b"\"", b"0123489ACEFW", b"\"\r\n"],
        [b" ", b"ACEFW", b" "],
        // The starts of lines.
        [b"\n", b"ABCDEFGHIJKLMNOPQRSTUVWXYZ[_", ANY],
        [b"\n", b"!\"(", ANY],
        [b"\n", b"<", ANY],
    ],
];

/// One bit for each class, by the low and by the high half of a byte.
type Halves = [[u8; 16]; 2];

/// The tables of the first, the second and the third byte, for both sets of classes.
const TABLES: [[Halves; 3]; 2] = [tables(0), tables(1)];

#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "it is computed by the compiler"
)]
const fn tables(set: usize) -> [Halves; 3] {
    let mut tables = [[[0; 16]; 2]; 3];
    let mut class = 0;
    while class < 8 {
        let mut place = 0;
        while place < 3 {
            let bytes = CLASSES[set][class][place];
            let mut n = 0;
            while n < bytes.len() {
                let byte = bytes[n];
                tables[place][0][(byte & 15) as usize] |= 1 << class;
                tables[place][1][(byte >> 4) as usize] |= 1 << class;
                if set == 0 && byte.is_ascii_lowercase() {
                    tables[place][1][(byte.to_ascii_uppercase() >> 4) as usize] |= 1 << class;
                }
                n += 1;
            }
            if bytes.is_empty() {
                let mut half = 0;
                while half < 16 {
                    tables[place][0][half] |= 1 << class;
                    tables[place][1][half] |= 1 << class;
                    half += 1;
                }
            }
            place += 1;
        }
        class += 1;
    }
    tables
}

/// Searches a text for the places.
pub struct Suspects<'t> {
    text: &'t [u8],
    /// The end of a line of JSON that was searched for a level that is a number.
    searched: usize,
}

impl<'t> Suspects<'t> {
    /// A search in a text.
    pub fn new(text: &'t [u8]) -> Self {
        Self { text, searched: 0 }
    }

    /// The offset of the first byte of the first place from `start` on. It is in the line that may report something, or
    /// it is the end of the line before it. `None` if there is no place.
    pub fn next(&mut self, start: usize) -> Option<usize> {
        let mut place = start;
        while let Some(block) = from(self.text, place).first_chunk() {
            let mut hits = hits(block);
            while hits != 0 {
                let hit = place.saturating_add(usize::try_from(hits.trailing_zeros()).ok()?);
                if self.is_suspect(hit) {
                    return Some(hit);
                }
                hits &= hits.wrapping_sub(1);
            }
            place = place.saturating_add(BLOCK);
        }
        let rest = from(self.text, place);
        (0..rest.len())
            .map(|n| place.saturating_add(n))
            .find(|n| self.is_suspect(*n))
    }

    /// Whether a word or a sign of an error begins here, or has its first three bytes that are searched.
    fn is_suspect(&mut self, place: usize) -> bool {
        let text = self.text;
        let next = |count: usize| at(text, place.saturating_add(count));
        let is = |word: &[u8]| has(text, place, word);
        let is_after = |back: usize, word: &[u8]| {
            let start = place.checked_sub(back);
            start.is_some_and(|start| has(text, start, word))
        };
        match next(0) {
            0x1b => true,
            b'{' => self.has_number(place),
            b'"' => match (next(1), next(2)) {
                (
                    b'0'..=b'4' | b'8' | b'9' | b'A' | b'C' | b'E' | b'F' | b'W',
                    b'"' | b'\r' | b'\n' | 0,
                ) => true,
                (b' ' | b'\t', _) => at(text, after_spaces(text, place.saturating_add(1))) == b'5',
                (_, b'5') => is_after(9, b" HTTP/") || is_after(7, b" HTTP/"),
                _ => false,
            },
            b' ' => is_letter(next(1)) && next(2) == b' ',
            b'\n' => match next(1) {
                b'<' => next(2).is_ascii_digit(),
                b'!' => next(2) == b' ',
                b'[' | b'(' | b'"' => is_letter(next(2)) && next(3) == b' ',
                b'_' | b'A'..=b'Z' => starts_entry(from(text, place.saturating_add(1))),
                _ => false,
            },
            b'f' | b'F' => {
                let words: [&[u8]; 5] = [b"fail", b"fatal", b"fault", b"f memory", b"ftl"];
                words.iter().any(|word| is(word))
            }
            b'e' | b'E' => is(b"err") || (is(b"erg") && is_after(2, b"emerg")),
            b'c' | b'C' => is(b"crit") || is(b"crt") || is(b"ceback (most"),
            b'w' | b'W' => is(b"warn") || is(b"wrn"),
            b's' | b'S' => is(b"severe"),
            b'x' | b'X' => is(b"xception"),
            b'n' | b'N' => is(b"nic") && is_after(2, b"panic"),
            b'u' | b'U' => is(b"umped"),
            b'a' | b'A' => is(b"alert"),
            _ => false,
        }
    }

    /// Whether a number that may be a level is in the rest of a line: `"level":50`.
    fn has_number(&mut self, place: usize) -> bool {
        if place < self.searched {
            return false;
        }
        let rest = first(from(self.text, place), limits::LINE_BYTES);
        let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        self.searched = place.saturating_add(length);
        let line = first(rest, length);
        memchr::memchr_iter(b'0', line).any(|zero| {
            let before = |count: usize| zero.checked_sub(count).map_or(0, |place| at(line, place));
            matches!(before(1), b'4'..=b'6') && matches!(before(2), b':' | b' ' | b'\t' | b'0')
        })
    }
}

/// Whether a letter is a level that is not that of a message without a fault, as Android and others write it.
fn is_letter(byte: u8) -> bool {
    matches!(byte, b'A' | b'C' | b'E' | b'F' | b'W')
}

/// Whether a line that begins with a capital letter or `_` begins as an entry with a level: `E/Tag: …`, `E0102 …`, or as
/// a field of an entry of journald, or is `Killed`.
fn starts_entry(line: &[u8]) -> bool {
    let is_level = matches!(at(line, 0), b'E' | b'F' | b'W')
        && matches!(at(line, 1), b'/' | b':' | b' ' | b'0'..=b'9');
    is_level || line.starts_with(b"Killed") || field(first(line, limits::LINE_BYTES)).is_some()
}

/// The number of places that are looked up at a time.
const BLOCK: usize = 16;

/// The bytes of a block, and the two after it that belong to its last places.
type Block = [u8; BLOCK + 2];

/// The places of a block at which all three bytes are those of a class, as bits from the lowest one on.
#[cfg(target_feature = "simd128")]
fn hits(block: &Block) -> u32 {
    use core::arch::wasm32::{
        i8x16_swizzle, u8x16_bitmask, u8x16_ne, u8x16_shr, u8x16_splat, u64x2, v128, v128_and,
        v128_or,
    };
    fn vector(bytes: &[u8; 16]) -> v128 {
        let [a, b, c, d, e, f, g, h, low @ ..] = *bytes;
        u64x2(
            u64::from_le_bytes([a, b, c, d, e, f, g, h]),
            u64::from_le_bytes(low),
        )
    }
    let [first @ .., _, _] = block;
    let [_, second @ .., _] = block;
    let [_, _, third @ ..] = block;
    let every = u8x16_splat(0xff);
    let (mut words, mut signs) = (every, every);
    let [of_words, of_signs] = &TABLES;
    let places = [first, second, third].into_iter();
    for ((bytes, of_words), of_signs) in places.zip(of_words).zip(of_signs) {
        let bytes = vector(bytes);
        let (low, high) = (v128_and(bytes, u8x16_splat(15)), u8x16_shr(bytes, 4));
        let classes = |halves: &Halves| {
            let [of_low, of_high] = halves;
            let low = i8x16_swizzle(vector(of_low), low);
            v128_and(low, i8x16_swizzle(vector(of_high), high))
        };
        words = v128_and(words, classes(of_words));
        signs = v128_and(signs, classes(of_signs));
    }
    u8x16_bitmask(u8x16_ne(v128_or(words, signs), u8x16_splat(0))).into()
}

/// The places of a block at which all three bytes are those of a class, as bits from the lowest one on.
#[cfg(not(target_feature = "simd128"))]
fn hits(block: &Block) -> u32 {
    let [first, second, third] = &WHOLE;
    let of = |table: &[u16; 256], byte: u8| table.get(usize::from(byte)).copied().unwrap_or(0);
    block.windows(3).rev().fold(0, |hits, bytes| {
        let classes = match bytes {
            [a, b, c] => of(first, *a) & of(second, *b) & of(third, *c),
            _ => 0,
        };
        (hits << 1) | u32::from(classes != 0)
    })
}

/// One bit for each class of both sets, by the first, the second and the third byte.
#[cfg(not(target_feature = "simd128"))]
static WHOLE: [[u16; 256]; 3] = whole();

#[cfg(not(target_feature = "simd128"))]
#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_lossless,
    reason = "it is computed by the compiler"
)]
const fn whole() -> [[u16; 256]; 3] {
    let mut whole = [[0; 256]; 3];
    let mut place = 0;
    while place < 3 {
        let mut byte = 0;
        while byte < 256 {
            let mut set = 0;
            while set < 2 {
                let [low, high] = TABLES[set][place];
                let classes = low[byte & 15] & high[byte >> 4];
                whole[place][byte] |= (classes as u16) << (8 * set);
                set += 1;
            }
            byte += 1;
        }
        place += 1;
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detect::Shape;
    use crate::level;
    use crate::scan::Scanner;
    use proptest::prelude::*;

    #[test]
    fn tables_have_the_bytes_of_their_classes() {
        for (tables, classes) in TABLES.iter().zip(CLASSES) {
            for (class, bytes) in classes.iter().enumerate() {
                for (place, bytes) in bytes.iter().enumerate() {
                    for byte in *bytes {
                        let [low, high] = tables[place];
                        let bits = low[usize::from(byte & 15)] & high[usize::from(byte >> 4)];
                        assert!((bits >> class) & 1 == 1, "{class} {place} {byte}");
                    }
                }
            }
        }
    }

    #[test]
    fn common_lines_have_no_place() {
        let lines =
            b"\n2026-11-21T03:14:15.926Z INFO  request handled in 42 ms by worker-7, 200 OK\n\
            10.0.0.1 - - [10/Oct/2000:13:55:36 -0700] \"GET / HTTP/1.1\" 200 2326\n\
            {\"level\":30,\"time\":1531171074631,\"msg\":\"received a member of the company\"}\n\
            [2024-01-02T03:04:05Z INFO app::x] current user\nINFO: Jan 2\nJan  2 03:04:05 host a\n\
            <a> !b [c] E\tF  G \"5\" \"HTTP\" 600 panel fall seven current\n";
        assert_eq!(Suspects::new(lines).next(0), None);
    }

    /// Parts of lines: words, signs, and what is like them.
    const PARTS: [&str; 72] = [
        "\n",
        "\n",
        "\n",
        "\r\n",
        " ",
        " ",
        " ",
        "\t",
        "\"",
        "\": ",
        "{\"",
        "}",
        ":",
        "=",
        "[",
        "]",
        "(",
        "<3>",
        "! ",
        "Killed",
        "MESSAGE=",
        "PRIORITY=3",
        "_PID=1",
        "A_B=",
        "E",
        "W",
        "F",
        "C",
        "A",
        "I",
        "E/a: ",
        "E: ",
        "E   x",
        "E0102 03:04:05",
        "[E 03:04:05 a] ",
        "2024-01-02 03:04:05 ",
        "Jan  2 03:04:05 ",
        "01-02 03:04:05.678 12 34 E ",
        "level",
        "severity",
        "priority",
        "\"level\":50",
        "\"level\": 40",
        "\"level\":\"E\"",
        "\"priority\":\"9\"",
        "{\"t\":{\"$date\":1},\"s\":\"W\"}",
        "msg",
        "error",
        "ERR!",
        "wrn",
        "Warning",
        "warnung",
        "fatal",
        "ftl",
        "crit",
        "CRT",
        "panic",
        "panicked at",
        "alert",
        "emerg",
        "severe",
        "fail",
        "FAILURE",
        "segfault",
        "exception",
        "Traceback (most recent call last):",
        "out of memory",
        "core dumped",
        " HTTP/1.1\" 503",
        " HTTP/2\",500",
        "\x1b[31m",
        "0 ",
    ];

    #[test]
    fn names_and_words_are_places() {
        let words: [&[u8]; 13] = [
            b"error",
            b"ERR!",
            b"exception",
            b"out of memory",
            b"failed",
            b"fatal",
            b"segmentation fault",
            b"segfault",
            b"panicked at",
            b"kernel panic",
            b"Traceback (most recent call last)",
            b"core dumped",
            b"CRITICAL",
        ];
        let names = level::WARNINGS.iter().chain(&level::ERRORS);
        for word in names.chain(&words) {
            for word in [
                word.to_ascii_lowercase(),
                word.to_ascii_uppercase(),
                word.to_vec(),
            ] {
                let text = [b"\n2024-01-02 03:04:05 a ", &*word, b" a"].concat();
                let word = String::from_utf8_lossy(&word);
                assert!(Suspects::new(&text).next(0).is_some(), "{word}");
            }
        }
    }

    #[test]
    fn long_line_is_searched_up_to_its_limit() {
        for end in [
            "\"level\":\"Everything\"}",
            "\"priority\":\"3000\"}",
            "error",
        ] {
            for cut in 0..end.len() {
                let start = "{\"a\":\"\",";
                let fill = " ".repeat(limits::LINE_BYTES - start.len() - cut);
                let text = format!("\n{start}{fill}{end}\n");
                let (mut all, mut found) =
                    (Scanner::new(Shape::Entries), Scanner::new(Shape::Entries));
                for line in text.split_terminator('\n') {
                    all.line(line.as_bytes());
                }
                found.text(text.as_bytes());
                assert_eq!(all.report(), found.report(), "{end} {cut}");
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn report_is_that_of_all_lines(
            parts in prop::collection::vec((0..PARTS.len(), any::<bool>()), 0..60),
            is_output in any::<bool>(),
        ) {
            let mut text = String::new();
            for (part, is_plain) in parts {
                text.push_str(PARTS[part]);
                text.push_str(if is_plain { "" } else { "\n2024-01-02 03:04:05 INFO a\n" });
            }
            let shape = if is_output { Shape::Output } else { Shape::Entries };
            let (mut all, mut found) = (Scanner::new(shape), Scanner::new(shape));
            for line in text.split_terminator('\n') {
                all.line(line.as_bytes());
            }
            found.text(text.as_bytes());
            prop_assert_eq!(all.report(), found.report(), "{}", text);
        }
    }
}
