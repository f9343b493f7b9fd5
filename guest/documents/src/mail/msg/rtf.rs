//! The rich text of a message: compressed RTF ([MS-OXRTFCP]), and the HTML in it ([MS-OXRTFEX]).

use crate::limits;
use crate::ole::{codepage, u32_at};

/// The text that the dictionary starts with ([MS-OXRTFCP] 2.1.2.1).
const DICTIONARY: &[u8] = b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \
\\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\
\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx";

/// Decompresses RTF. Damage ends it. `None` if the bytes are not compressed RTF.
pub fn decompress(bytes: &[u8]) -> Option<Vec<u8>> {
    let content = bytes.get(16..)?;
    match bytes.get(8..12)? {
        b"MELA" => return Some(content.to_vec()),
        b"LZFu" => {}
        _ => return None,
    }
    let size = usize::try_from(u32_at(bytes, 4)?)
        .ok()?
        .min(limits::PART_BYTES);
    let mut window = [0_u8; 4096];
    for (place, byte) in window.iter_mut().zip(DICTIONARY) {
        *place = *byte;
    }
    let mut at = DICTIONARY.len();
    let mut out = Vec::new();
    let mut input = content.iter().copied();
    let mut put = |byte: u8, at: &mut usize, window: &mut [u8; 4096]| {
        if let Some(place) = window.get_mut(*at) {
            *place = byte;
        }
        *at = at.wrapping_add(1) & 0xfff;
        out.push(byte);
        out.len() >= size
    };
    'runs: while let Some(control) = input.next() {
        for bit in 0..8 {
            let Some(first) = input.next() else {
                break 'runs;
            };
            if control & (1 << bit) == 0 {
                if put(first, &mut at, &mut window) {
                    break 'runs;
                }
                continue;
            }
            let Some(second) = input.next() else {
                break 'runs;
            };
            let reference = u16::from_be_bytes([first, second]);
            let start = usize::from(reference >> 4);
            let length = usize::from(reference & 0xf).saturating_add(2);
            if start == at {
                break 'runs;
            }
            for step in 0..length {
                let from = start.wrapping_add(step) & 0xfff;
                let byte = window.get(from).copied().unwrap_or_default();
                if put(byte, &mut at, &mut window) {
                    break 'runs;
                }
            }
        }
    }
    Some(out)
}

/// Returns the HTML from which RTF was made. `None` if it was not made from HTML.
pub fn html(rtf: &[u8]) -> Option<String> {
    let start = rtf.get(..300).unwrap_or(rtf);
    memchr::memmem::find(start, b"\\fromhtml1")?;
    let mut reader = Reader {
        rest: rtf,
        page: 1252,
        ..Reader::default()
    };
    reader.run();
    reader.flush();
    Some(reader.out)
}

/// A group.
#[derive(Clone, Copy, Default)]
struct Group {
    /// Whether it has no HTML, such as the table of fonts.
    is_skipped: bool,
    /// Whether the text is RTF that replaces HTML: between `\htmlrtf` and `\htmlrtf0`.
    is_rtf: bool,
    /// The number of characters after `\u` for readers without Unicode.
    unicode_skip: u32,
}

#[derive(Default)]
struct Reader<'a> {
    rest: &'a [u8],
    page: u16,
    groups: Vec<Group>,
    /// The number of groups above the limit.
    deeper: usize,
    group: Group,
    /// Bytes of the code page that are not decoded yet.
    pending: Vec<u8>,
    /// The number of characters to skip after `\u`.
    skip: u32,
    out: String,
}

impl Reader<'_> {
    fn run(&mut self) {
        self.group.unicode_skip = 1;
        while let Some((&byte, rest)) = self.rest.split_first() {
            self.rest = rest;
            match byte {
                b'{' => {
                    if self.groups.len() < limits::MSG_RTF_DEPTH {
                        self.groups.push(self.group);
                    } else {
                        self.deeper = self.deeper.saturating_add(1);
                    }
                    self.skip = 0;
                }
                b'}' => {
                    if self.deeper > 0 {
                        self.deeper = self.deeper.saturating_sub(1);
                    } else if let Some(group) = self.groups.pop() {
                        self.group = group;
                    }
                    self.skip = 0;
                }
                b'\\' => self.control(),
                b'\r' | b'\n' => {}
                _ => self.byte(byte),
            }
        }
    }

    fn is_shown(&self) -> bool {
        !self.group.is_skipped && !self.group.is_rtf
    }

    /// Adds a byte of the code page.
    fn byte(&mut self, byte: u8) {
        if self.skip > 0 {
            self.skip = self.skip.saturating_sub(1);
        } else if self.is_shown() {
            self.pending.push(byte);
        }
    }

    fn text(&mut self, text: &str) {
        if self.is_shown() {
            self.flush();
            self.out.push_str(text);
        }
    }

    fn flush(&mut self) {
        if !self.pending.is_empty() {
            self.out
                .push_str(&codepage::decode(&self.pending, self.page));
            self.pending.clear();
        }
    }

    fn control(&mut self) {
        let Some((&first, rest)) = self.rest.split_first() else {
            return;
        };
        if !first.is_ascii_alphabetic() {
            self.rest = rest;
            match first {
                b'\'' => {
                    if let Some(byte) = crate::mail::transfer::hex_pair(rest) {
                        self.rest = rest.get(2..).unwrap_or_default();
                        self.byte(byte);
                    }
                }
                b'*' => self.star(),
                b'\\' | b'{' | b'}' => self.byte(first),
                b'~' => self.text("&nbsp;"),
                b'_' => self.text("&shy;"),
                _ => {}
            }
            return;
        }
        let (word, number) = self.word();
        self.apply(&word, number);
    }

    /// Reads a control word and its number.
    fn word(&mut self) -> (Vec<u8>, Option<i32>) {
        let letters = self
            .rest
            .iter()
            .take(32)
            .take_while(|byte| byte.is_ascii_alphabetic());
        let length = letters.count();
        let (word, rest) = self
            .rest
            .split_at_checked(length)
            .unwrap_or((self.rest, &[]));
        let is_number =
            |(at, byte): &(usize, &u8)| byte.is_ascii_digit() || (*at == 0 && **byte == b'-');
        let digits = rest
            .iter()
            .enumerate()
            .take(11)
            .take_while(is_number)
            .count();
        let (digits, rest) = rest.split_at_checked(digits).unwrap_or((rest, &[]));
        let number = std::str::from_utf8(digits)
            .ok()
            .and_then(|text| text.parse().ok());
        let word = word.to_vec();
        self.rest = rest.strip_prefix(b" ").unwrap_or(rest);
        (word, number)
    }

    /// A group after `\*`: a tag, or nothing that is shown.
    fn star(&mut self) {
        let is_tag = self.rest.starts_with(b"\\htmltag");
        if is_tag {
            self.rest = self.rest.get(1..).unwrap_or_default();
            self.word();
        } else {
            self.group.is_skipped = true;
        }
    }

    fn apply(&mut self, word: &[u8], number: Option<i32>) {
        match word {
            b"htmlrtf" => self.group.is_rtf = number != Some(0),
            b"ansicpg" => {
                let page = number.and_then(|page| u16::try_from(page).ok());
                self.page = page.unwrap_or(self.page);
            }
            b"fonttbl" | b"colortbl" | b"stylesheet" | b"info" | b"pntext" | b"mhtmltag" => {
                self.group.is_skipped = true;
            }
            b"uc" => {
                let count = number.and_then(|count| u32::try_from(count).ok());
                self.group.unicode_skip = count.unwrap_or(1).min(8);
            }
            b"u" => {
                // Surrogates are two control words, which HTML has as one character reference.
                let code = number.unwrap_or(0xfffd);
                let code = if code < 0 {
                    code.saturating_add(65_536)
                } else {
                    code
                };
                let code = u32::try_from(code).unwrap_or(0xfffd);
                if let Some(char) = char::from_u32(code) {
                    self.text(char.encode_utf8(&mut [0; 4]));
                } else {
                    self.surrogate(code);
                }
                self.skip = self.group.unicode_skip;
            }
            b"par" | b"line" => self.text("\r\n"),
            b"tab" => self.text("\t"),
            b"lquote" => self.text("&lsquo;"),
            b"rquote" => self.text("&rsquo;"),
            b"ldblquote" => self.text("&ldquo;"),
            b"rdblquote" => self.text("&rdquo;"),
            b"bullet" => self.text("&bull;"),
            b"endash" => self.text("&ndash;"),
            b"emdash" => self.text("&mdash;"),
            _ => {}
        }
    }

    /// Adds half of a character as a character reference, and joins it with the other half.
    fn surrogate(&mut self, code: u32) {
        const HIGH: char = '\u{f8ff}';
        if !self.is_shown() {
            return;
        }
        if (0xd800..0xdc00).contains(&code) {
            self.text(&format!("{HIGH}{code:04x}"));
            return;
        }
        self.flush();
        let start = self.out.len().saturating_sub(7);
        let high = self.out.get(start..).and_then(|end| end.strip_prefix(HIGH));
        let high = high.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let joined = high.and_then(|high| {
            let high = high.checked_sub(0xd800)?.checked_mul(0x400)?;
            char::from_u32(
                high.checked_add(code.checked_sub(0xdc00)?)?
                    .checked_add(0x1_0000)?,
            )
        });
        if let Some(joined) = joined {
            self.out.truncate(start);
            self.out.push(joined);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compressed_text_is_read() {
        // The example of [MS-OXRTFCP] 3.1.1.
        let bytes = [
            0x2d, 0, 0, 0, 0x2b, 0, 0, 0, 0x4c, 0x5a, 0x46, 0x75, 0xf1, 0xc5, 0xc7, 0xa7, 0x03, 0,
            0x0a, 0, 0x72, 0x63, 0x70, 0x67, 0x31, 0x32, 0x35, 0x42, 0x32, 0x0a, 0xf3, 0x20, 0x68,
            0x65, 0x6c, 0x09, 0, 0x20, 0x62, 0x77, 0x05, 0xb0, 0x6c, 0x64, 0x7d, 0x0a, 0x80, 0x0f,
            0xa0,
        ];
        let text = decompress(&bytes).unwrap();
        assert_eq!(text, b"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n");
        for end in 0..bytes.len() {
            let cut = decompress(&bytes[..end]);
            assert!(cut.is_none_or(|cut| text.starts_with(&cut)));
        }
        assert_eq!(decompress(&[b'x'; 40]), None);
    }

    #[test]
    fn html_is_extracted() {
        let rtf = b"{\\rtf1\\ansi\\ansicpg1251\\fromhtml1 {\\fonttbl{\\f0 Arial;}}\n\
            {\\*\\htmltag64 <p>}\\htmlrtf {\\b \\htmlrtf0 \\'cf\\u8364?\\{x\\}\
            \\htmlrtf }\\htmlrtf0 {\\*\\htmltag72 </p>}{\\*\\mhtmltag1 no}\\u-10179?\\u-8704?\\par end}";
        assert_eq!(html(rtf).unwrap(), "<p>П€{x}</p>😀\r\nend");
        assert_eq!(html(b"{\\rtf1 x}"), None);
        let deep = [b"{\\rtf1\\fromhtml1 ".to_vec(), b"{".repeat(100_000)].concat();
        assert_eq!(html(&deep).unwrap(), "");
    }
}
