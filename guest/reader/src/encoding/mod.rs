//! Detection of the encoding of a text, and of binary data.
//!
//! The order is: byte order mark, binary by the magic bytes of a known format, UTF-16 and
//! UTF-32 by their zeros, UTF-8 with a few NULs, binary by a NUL at the start, strict UTF-8,
//! UTF-8 with damage, binary by control characters, a statistical guess. Known formats are
//! checked only for a file with a NUL.
//!
//! The encoding is detected once per file, from the same bytes for every requested range
//! of lines.

mod common;
mod content;
mod guess;
mod nul;
mod sample;
mod wide;

use crate::limits;
use crate::pages::{Charset, Decoder, Input, Piece};
use std::borrow::Cow;
use std::ops::ControlFlow;

/// An encoding, and how it was detected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoding {
    /// The encoding.
    pub charset: Charset,
    /// Length of the byte order mark in bytes.
    pub bom_len: u64,
    /// Whether the encoding is guessed from the content. UTF-8, and an encoding that a byte order
    /// mark or a server states, are not guesses.
    pub guessed: bool,
    /// Whether all examined bytes are valid UTF-8.
    pub valid: bool,
}

impl Encoding {
    /// UTF-8 without a byte order mark. The bytes may be invalid.
    pub const UTF8: Self = Self {
        charset: Charset::Utf8,
        bom_len: 0,
        guessed: false,
        valid: false,
    };

    /// UTF-8 without a byte order mark. All examined bytes are valid.
    pub const VALID_UTF8: Self = Self {
        valid: true,
        ..Self::UTF8
    };

    fn marked(coding: Charset, mark: u64) -> Self {
        Self {
            charset: coding,
            bom_len: mark,
            ..Self::UTF8
        }
    }

    /// Converts `bytes` to UTF-8 without a byte order mark. `complete` states whether `bytes` is
    /// the whole text.
    pub fn decoded(self, bytes: &[u8], complete: bool) -> Cow<'_, [u8]> {
        let mark = usize::try_from(self.bom_len).unwrap_or(0);
        let bytes = bytes.get(mark..).unwrap_or_default();
        if self.valid {
            return Cow::Borrowed(bytes);
        }
        let mut text = String::with_capacity(bytes.len());
        let _ = Decoder::new(self.charset).decode(bytes, complete, &mut |piece| {
            match piece {
                Piece::Text(piece) => text.push_str(piece),
                Piece::Invalid(_) => text.push(char::REPLACEMENT_CHARACTER),
            }
            ControlFlow::Continue(())
        });
        Cow::Owned(text.into_bytes())
    }
}

/// Detects the encoding of a text. Returns `None` for binary data. `known` returns whether the
/// first bytes of a file are those of a known binary format. Such a file is binary even if its
/// bytes could be UTF-16 or UTF-32.
pub fn detect(
    input: &mut Input<'_>,
    size: Option<u64>,
    known: impl FnOnce(&[u8]) -> bool,
) -> Option<Encoding> {
    if let Some(encoding) = by_mark(input.head()) {
        return Some(encoding);
    }
    let head = head(input);
    if memchr::memchr(0, head).is_some() {
        let complete = input.complete() && head.len() == input.head().len();
        if known(input.head()) {
            return None;
        }
        let wide = wide::by_zeros(head, complete);
        return wide.or_else(|| nul::text(examined(input.head()), input.complete()));
    }
    let far = far_samples(input, size);
    let head = input.head();
    let first = examined(head);
    let mut samples = vec![(first, input.complete() && first.len() == head.len())];
    samples.extend(far.iter().map(|sample| (sample.as_slice(), false)));
    content::by_content(&samples)
}

/// The part of the first bytes that is examined. It does not depend on how much of a stream has
/// arrived.
fn examined(head: &[u8]) -> &[u8] {
    head.get(..WHOLE).unwrap_or(head)
}

/// The encoding that a server names with a label of the WHATWG standard. Returns `None` if the file
/// starts with a byte order mark, if the label is not known or is that of UTF-8, or if the file is
/// not text. `head` contains the first bytes of the file.
pub fn of_label(label: &str, head: &[u8]) -> Option<Encoding> {
    let named = by_label(label).filter(|_| by_mark(head).is_none())?;
    let text = is_wide(named) || memchr::memchr(0, head).is_none();
    text.then_some(named)
}

/// The encoding with a label of the WHATWG standard. `None` if the label is not known, or if it is
/// that of UTF-8, which the bytes confirm or refute.
fn by_label(label: &str) -> Option<Encoding> {
    let named = encoding_rs::Encoding::for_label_no_replacement(label.as_bytes());
    let named = named.filter(|named| *named != encoding_rs::UTF_8)?;
    Some(Encoding {
        charset: Charset::Web(named),
        ..Encoding::UTF8
    })
}

/// The encoding of markup with NULs among its first bytes, which browsers ignore. [`detect`] reports
/// such a file as binary. `server` is the label of the server, and `known` is that of [`detect`].
/// Returns `None` if the file is not markup: it is in a known binary format, its first bytes have no
/// `<`, or they have other control characters that text does not contain.
pub fn of_markup_with_nul(
    input: &Input<'_>,
    server: Option<&str>,
    known: impl FnOnce(&[u8]) -> bool,
) -> Option<Encoding> {
    let first = head(input);
    // "Binary data bytes" of https://mimesniff.spec.whatwg.org/#binary-data-byte without NUL.
    let is_binary = |byte: &u8| matches!(byte, 1..=8 | 0xb | 0xe..=0x1a | 0x1c..=0x1f);
    if memchr::memchr(b'<', first).is_none() || first.iter().any(is_binary) || known(input.head()) {
        return None;
    }
    let named = server.and_then(by_label).filter(|named| !is_wide(*named));
    let by_content = || {
        let bytes = examined(input.head());
        let complete = input.complete() && bytes.len() == input.head().len();
        let text: Vec<u8> = bytes.iter().copied().filter(|byte| *byte != 0).collect();
        content::by_content(&[(&text, complete)])
    };
    named.or_else(by_content)
}

/// The encoding of markup, such as an HTML page, which may declare its encoding itself. The order is
/// that of the WHATWG standard: a byte order mark, the label of the server, the declaration, the
/// bytes. `detected` is the encoding that [`of_label`] and [`detect`] return, and `server` and
/// `declared` are the two labels. Bytes that are valid UTF-8 and not only ASCII decide against the
/// declaration; the result then has a note.
pub fn of_markup(
    bytes: &[u8],
    detected: Encoding,
    server: Option<&str>,
    declared: Option<&str>,
) -> (Encoding, Option<String>) {
    let labelled = |label: &str| encoding_rs::Encoding::for_label(label.as_bytes()).is_some();
    if detected.bom_len > 0 || is_wide(detected) || server.is_some_and(labelled) {
        return (detected, None);
    }
    let Some(encoding) = declared.and_then(by_label) else {
        return (detected, None);
    };
    // A declaration of UTF-16 would itself be in UTF-16.
    if is_wide(encoding) {
        return (detected, None);
    }
    let only_ascii = bytes.is_ascii() && memchr::memchr(ESCAPE, bytes).is_none();
    if only_ascii {
        return (Encoding::VALID_UTF8, None);
    }
    if !bytes.is_ascii() && str::from_utf8(bytes).is_ok() {
        let name = encoding.charset.name();
        let note = format!("the declared encoding {name} is wrong: the text is UTF-8");
        return (Encoding::VALID_UTF8, Some(note));
    }
    (encoding, None)
}

/// Whether the code units of an encoding have more than one byte.
fn is_wide(encoding: Encoding) -> bool {
    encoding.charset.unit().width() > 1
}

/// The byte that starts the escape sequences of ISO-2022-JP, whose text consists of ASCII bytes.
const ESCAPE: u8 = 0x1b;

/// The first bytes of a text in UTF-8 without its byte order mark.
pub fn without_mark(head: &[u8]) -> &[u8] {
    head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head)
}

/// Whether there is a NUL among the first bytes of a file, which decide whether it is binary.
pub fn has_nul(input: &Input<'_>) -> bool {
    memchr::memchr(0, head(input)).is_some()
}

/// The first bytes of a file, which decide whether it is binary.
fn head<'a>(input: &'a Input<'_>) -> &'a [u8] {
    let head = input.head();
    head.get(..limits::SNIFF_BYTES).unwrap_or(head)
}

fn by_mark(head: &[u8]) -> Option<Encoding> {
    Some(match head {
        [0xef, 0xbb, 0xbf, ..] => Encoding::marked(Charset::Utf8, 3),
        // Before UTF-16, whose byte order mark is a prefix of this one.
        [0xff, 0xfe, 0, 0, ..]
            if head.len().is_multiple_of(4) || head.len() > limits::SNIFF_BYTES =>
        {
            Encoding::marked(Charset::Utf32(false), 4)
        }
        [0, 0, 0xfe, 0xff, ..] => Encoding::marked(Charset::Utf32(true), 4),
        [0xff, 0xfe, ..] => Encoding::marked(Charset::Web(encoding_rs::UTF_16LE), 2),
        [0xfe, 0xff, ..] => Encoding::marked(Charset::Web(encoding_rs::UTF_16BE), 2),
        _ => return None,
    })
}

/// Reads samples of a large file from offsets after its first bytes. They prevent a wrong encoding
/// for a text whose first non-ASCII character is far from the start. A source over a network is not
/// sampled: four requests would take longer than the rest of the read.
fn far_samples(input: &mut Input<'_>, size: Option<u64>) -> Vec<Vec<u8>> {
    let is_far = !input.complete() && input.seekable() && !input.remote();
    let Some(size) = size.filter(|_| is_far) else {
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
        // A sample starts at a line, or at least at a character.
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

/// The maximum number of first bytes of a source that are examined to detect its encoding.
#[expect(
    clippy::cast_possible_truncation,
    reason = "it is far below what an index holds"
)]
const WHOLE: usize = limits::WHOLE_BYTES as usize;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::Bytes;

    fn detected(bytes: &[u8]) -> Option<(String, u64, bool)> {
        let mut source = Bytes::new(bytes.to_vec());
        let mut input = Input::new(&mut source, Some(bytes.len() as u64)).unwrap();
        detect(&mut input, Some(bytes.len() as u64), |_| false)
            .map(|e| (e.charset.name(), e.bom_len, e.guessed))
    }

    #[expect(
        clippy::unnecessary_wraps,
        reason = "it is compared with what is optional"
    )]
    fn named(name: &str, mark: u64, guessed: bool) -> Option<(String, u64, bool)> {
        Some((name.to_owned(), mark, guessed))
    }

    #[test]
    fn byte_order_mark_decides() {
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
        // A UTF-16 text that starts with a NUL and has a length that is not a multiple of
        // four.
        assert_eq!(detected(b"\xff\xfe\0\0a\0"), named("utf-16le", 2, false));
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
    fn signs_in_ascii_text_are_those_of_windows() {
        for text in [
            "Price: 5 € – “ok”…",
            "5 µs",
            "10 °C today",
            "© 2024 Acme",
            "it’s fine",
        ] {
            let bytes = encoding_rs::WINDOWS_1252.encode(text).0;
            assert_eq!(detected(&bytes), named("windows-1252", 0, true), "{text}");
        }
        // A few letters of another alphabet are next to each other.
        let bytes = encoding_rs::WINDOWS_1251.encode("version 2: привет").0;
        assert_ne!(detected(&bytes), named("windows-1252", 0, true));
    }

    #[test]
    fn letters_of_dos_and_mac_fit_together() {
        let dos = b"Gr\x94\xe1e, M\x81ller \x81ber caf\x82 in K\x94ln\n";
        assert_eq!(detected(dos), named("cp437", 0, true));
        let mac = encoding_of("macintosh", "Déjà payé, à bientôt ; élève français, été\n");
        assert_eq!(detected(&mac), named("macintosh", 0, true));
        // Most texts with Latin letters are of Windows.
        let windows = encoding_of("windows-1252", "Déjà payé, à bientôt ; élève français\n");
        assert_eq!(detected(&windows), named("windows-1252", 0, true));
        let name = encoding_of(
            "windows-1252",
            "Société Générale: ÉCOLE À CÔTÉ, naïve façade\n",
        );
        assert_eq!(detected(&name), named("windows-1252", 0, true));
    }

    /// The bytes of a text in an encoding that has all its characters, of which some only decode.
    fn encoding_of(label: &str, text: &str) -> Vec<u8> {
        let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap();
        let byte = |c: char| {
            (0..=u8::MAX).find(|byte| {
                encoding
                    .decode_without_bom_handling(&[*byte])
                    .0
                    .starts_with(c)
            })
        };
        text.chars().map(|c| byte(c).unwrap()).collect()
    }

    #[test]
    fn frames_and_shades_are_of_code_page_437() {
        let frame = b"\xc9\xcd\xcd\xcd\xcd\xbb\r\n\xba demo \xba\r\n\xc8\xcd\xcd\xcd\xcd\xbc\r\n";
        assert_eq!(detected(frame), named("cp437", 0, true));
        let art = b"  \xb0\xb0\xb1\xb1\xb2\xb2\xdb\xdb\xdb\xdb RELEASE \xdb\xdb\xdb\xb2\xb1\xb0\n \xfe info\n";
        assert_eq!(detected(art), named("cp437", 0, true));
        let table = b"\xda\xc4\xc4\xc4\xc2\xc4\xc4\xc4\xbf\n\xb3 a \xb3 b \xb3\n\xc0\xc4\xc4\xc4\xc1\xc4\xc4\xc4\xd9\n";
        assert_eq!(detected(table), named("cp437", 0, true));
    }

    #[test]
    fn few_nuls_are_part_of_a_text() {
        let log = b"09:00 started\n09:01 value=\0 of the sensor\n09:02 stopped\n";
        assert_eq!(detected(log), named("utf-8", 0, false));
        // Blocks that were lost when the machine stopped.
        let mut lost = vec![0; 20_000];
        lost.extend_from_slice("2024-01-01 10:00 naïve start\n".repeat(50).as_bytes());
        assert_eq!(detected(&lost), named("utf-8", 0, false));
        for data in [
            &b"\x01\0\0\0name\0\0\0\0"[..],
            b"\0\0\0\0",
            b"d\0\0\0e\0\0\0f\0\0\0text at the end of it",
            b"caf\xe9 \0 and more text in Latin-1, as long as a line",
            b"a text with \x01 and \0, which is the start of a structure",
        ] {
            assert_eq!(detected(data), None, "{data:?}");
        }
    }

    #[test]
    fn random_bytes_are_not_text() {
        let mut state = 7u64;
        let mut next = move || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            u8::try_from(state >> 56).unwrap()
        };
        for (length, most) in [(32, 20), (64, 4), (128, 1), (256, 0), (512, 0)] {
            let texts = (0..200).filter(|_| {
                let bytes: Vec<u8> = (0..length).map(|_| next()).collect();
                detected(&bytes).is_some()
            });
            let texts = texts.count();
            assert!(texts <= most, "{texts} of 200 with {length} bytes");
        }
    }

    #[test]
    fn long_text_has_the_encoding_of_its_lines() {
        let line = encoding_rs::WINDOWS_1251
            .encode("Это строка журнала, в которой есть слова.\n")
            .0;
        let mut log = b"2024-01-01 10:00:00 INFO plain line of a log\n".repeat(20_000);
        for part in 0..20 {
            let at = part * 45 * 1000;
            log.splice(at..at, line.iter().copied());
        }
        assert_eq!(detected(&log), named("windows-1251", 0, true));
        let chinese = encoding_rs::GBK
            .encode("这是一个用来测试编码检测的中文文本")
            .0
            .repeat(10_000);
        assert_eq!(detected(&chinese), named("gbk", 0, true));
        let japanese = encoding_rs::SHIFT_JIS
            .encode("これは文字コードの検出を試すための文章です。")
            .0
            .repeat(10_000);
        assert_eq!(detected(&japanese), named("shift_jis", 0, true));
        let escaped = encoding_rs::ISO_2022_JP
            .encode("これは日本語です。\n")
            .0
            .repeat(10_000);
        assert_eq!(detected(&escaped), named("iso-2022-jp", 0, true));
    }

    #[test]
    fn late_character_decides_encoding_of_large_file() {
        let mut bytes = b"all ascii here, line after line\n".repeat(200_000);
        let late = encoding_rs::GBK
            .encode("这是一个用来测试编码检测的中文文本，包含足够多的汉字。\n")
            .0
            .repeat(2000);
        bytes.extend_from_slice(&late);
        assert_eq!(detected(&bytes), named("gbk", 0, true));
    }

    #[test]
    fn markup_with_nul_has_an_encoding() {
        let of = |bytes: &[u8], server| {
            let mut source = Bytes::new(bytes.to_vec());
            let input = Input::new(&mut source, Some(bytes.len() as u64)).unwrap();
            let known = |head: &[u8]| head.starts_with(b"<magic>");
            let found = of_markup_with_nul(&input, server, known);
            found.map(|found| found.charset.name())
        };
        let utf8 = Some("utf-8".to_owned());
        assert_eq!(of(b"<p>a\0b", None), utf8);
        assert_eq!(of("<p>gr\0üße".as_bytes(), None), utf8);
        assert_eq!(
            of(b"<p>na\0\xefve", Some("latin1")),
            Some("windows-1252".to_owned())
        );
        assert_eq!(of(b"a\0b", None), None);
        assert_eq!(of(b"<p>a\0\x01b", None), None);
        assert_eq!(of(b"<magic>\0", None), None);
    }

    #[test]
    fn declaration_of_markup_applies_after_mark_and_label() {
        let latin = b"na\xefve";
        let utf8 = "naïve".as_bytes();
        let guess = Encoding {
            guessed: true,
            ..Encoding::UTF8
        };
        let of = |bytes: &[u8], detected, server, declared| {
            let (encoding, note) = of_markup(bytes, detected, server, declared);
            (encoding.charset.name(), note.is_some())
        };
        let named = |name: &str, note| (name.to_owned(), note);
        let latin1 = Some("latin1");
        assert_eq!(of(latin, guess, None, latin1), named("windows-1252", false));
        assert_eq!(of(latin, guess, None, None), named("utf-8", false));
        assert_eq!(
            of(latin, guess, None, Some("no such")),
            named("utf-8", false)
        );
        // The label of the server takes precedence, also that of UTF-8.
        assert_eq!(
            of(latin, guess, Some("utf-8"), latin1),
            named("utf-8", false)
        );
        let marked = Encoding::marked(Charset::Utf8, 3);
        let bytes = b"\xef\xbb\xbfna\xefve";
        assert_eq!(of(bytes, marked, None, latin1), named("utf-8", false));
        // UTF-8 decides against a wrong declaration.
        assert_eq!(
            of(utf8, Encoding::VALID_UTF8, None, latin1),
            named("utf-8", true)
        );
        assert_eq!(
            of(b"ab", Encoding::VALID_UTF8, None, latin1),
            named("utf-8", false)
        );
        // The bytes could not be read as ASCII if they were UTF-16.
        assert_eq!(
            of(utf8, Encoding::VALID_UTF8, None, Some("utf-16")),
            named("utf-8", false)
        );
        // NULs, which browsers ignore, do not refute it.
        assert_eq!(
            of(b"na\0\xefve", guess, None, latin1),
            named("windows-1252", false)
        );
        let japanese = encoding_rs::ISO_2022_JP.encode("日本").0;
        assert_eq!(
            of(&japanese, guess, None, Some("iso-2022-jp")),
            named("iso-2022-jp", false)
        );
    }

    #[test]
    fn server_label_applies_after_byte_order_mark() {
        let coding = |label: &str, head: &[u8]| of_label(label, head).map(|found| found.charset);
        let web = |encoding| Some(Charset::Web(encoding));
        assert_eq!(
            coding("latin1", b"na\xefve"),
            web(encoding_rs::WINDOWS_1252)
        );
        assert_eq!(
            coding("Shift_JIS", b"\x93\xfa"),
            web(encoding_rs::SHIFT_JIS)
        );
        assert_eq!(coding("utf-16le", b"a\0"), web(encoding_rs::UTF_16LE));
        // A byte order mark or a NUL takes precedence over the label.
        assert_eq!(coding("latin1", b"\xef\xbb\xbfa"), None);
        assert_eq!(coding("latin1", b"a\0b"), None);
        assert_eq!(coding("no such thing", b"a"), None);
    }
}
