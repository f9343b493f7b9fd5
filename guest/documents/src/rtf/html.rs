//! HTML in RTF, as Outlook stores the text of mails: [MS-OXRTFEX].

use super::characters::{Characters, DEFAULT};
use super::tables::Fonts;
use super::tokens::{Token, Tokens};
use crate::limits;

/// The properties that a group saves.
#[derive(Clone, Copy)]
struct State {
    /// What the group is.
    kind: Kind,
    /// Whether the text is only for programs that do not read HTML.
    is_rtf: bool,
    code: Characters,
    /// The number of characters after `\u` that repeat it.
    skip: u16,
}

/// What a group is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Text of the page.
    Text,
    /// A part of the markup.
    Tag,
    /// The fonts.
    Fonts,
}

/// Returns the HTML of an RTF document that contains HTML. `None` if it contains none.
pub fn html(bytes: &[u8]) -> Option<String> {
    // The words are before the text: [MS-OXRTFEX] 2.2.1.
    let head = Tokens::new(bytes).take(HEAD);
    let is_html = |token: Token| matches!(token, Token::Word("fromhtml", Some(1)));
    if !head.into_iter().any(is_html) {
        return None;
    }
    let mut reader = Reader {
        out: String::new(),
        bytes: Vec::new(),
        state: State {
            kind: Kind::Text,
            is_rtf: false,
            code: DEFAULT,
            skip: 1,
        },
        code: DEFAULT,
        fonts: Fonts::default(),
        skip: 0,
        surrogate: None,
    };
    reader.read(bytes);
    Some(reader.out)
}

/// The number of tokens in which `\fromhtml1` is looked for.
const HEAD: usize = 64;

struct Reader {
    out: String,
    /// Bytes that are not decoded yet.
    bytes: Vec<u8>,
    state: State,
    /// The code page of the document.
    code: Characters,
    fonts: Fonts,
    /// The number of characters to skip.
    skip: u16,
    surrogate: Option<u16>,
}

impl Reader {
    fn read(&mut self, document: &[u8]) {
        let mut groups: Vec<State> = Vec::new();
        let mut unsaved = 0_usize;
        let mut is_first = false;
        let mut is_optional = false;
        let mut tokens = Tokens::new(document);
        while let Some(token) = tokens.next() {
            match token {
                Token::Open => {
                    self.flush();
                    if groups.len() >= limits::RTF_GROUPS {
                        unsaved = unsaved.saturating_add(1);
                        continue;
                    }
                    groups.push(self.state);
                    is_first = true;
                    is_optional = false;
                }
                Token::Close => {
                    self.flush();
                    is_first = false;
                    if let Some(rest) = unsaved.checked_sub(1) {
                        unsaved = rest;
                        continue;
                    }
                    if let Some(outer) = groups.pop() {
                        self.state = outer;
                    }
                    if groups.is_empty() {
                        break;
                    }
                }
                Token::Symbol(b'*') => is_optional = is_first,
                Token::Symbol(symbol) => {
                    is_first = false;
                    self.flush();
                    match symbol {
                        b'{' | b'}' | b'\\' => self.text(char::from(symbol)),
                        b'~' => self.reference("&nbsp;"),
                        b'_' => self.reference("&#8209;"),
                        b'-' => self.reference("&shy;"),
                        b'\n' | b'\r' => self.reference("\r\n"),
                        _ => {}
                    }
                }
                Token::Hex(byte) => self.byte(byte),
                Token::Text(text) => {
                    for byte in text.iter().filter(|it| !matches!(it, b'\r' | b'\n' | 0)) {
                        self.byte(*byte);
                    }
                }
                Token::Binary(_) => {}
                Token::Word(name, value) => {
                    self.flush();
                    let is_start = std::mem::take(&mut is_first);
                    if is_start && self.skips(name, is_optional) {
                        tokens.skip_group();
                    } else {
                        self.word(name, value);
                    }
                }
            }
        }
        self.flush();
    }

    /// Returns whether a group has no text of the page.
    fn skips(&self, name: &str, is_optional: bool) -> bool {
        match name {
            "htmltag" | "fonttbl" => false,
            "colortbl" | "stylesheet" | "info" | "pict" | "pntext" | "mhtmltag" | "listtext" => {
                true
            }
            _ => is_optional || self.state.kind == Kind::Fonts && name != "f",
        }
    }

    fn word(&mut self, name: &str, value: Option<i32>) {
        let number = value.unwrap_or_default();
        self.skip = 0;
        if self.state.kind == Kind::Fonts {
            self.fonts.word(name, number);
            return;
        }
        match name {
            "htmltag" => self.state.kind = Kind::Tag,
            "fonttbl" => self.state.kind = Kind::Fonts,
            "htmlrtf" => self.state.is_rtf = value != Some(0),
            "ansicpg" => {
                self.code = Characters::numbered(number).unwrap_or(self.code);
                self.state.code = self.code;
            }
            "f" => {
                let own = self.fonts.get(number).and_then(|font| font.code);
                self.state.code = match own {
                    Some(Characters::Symbols) | None => self.code,
                    Some(code) => code,
                };
            }
            "plain" => self.state.code = self.code,
            "uc" => self.state.skip = u16::try_from(number).unwrap_or(1),
            "u" => self.unicode(number),
            "par" | "line" => self.reference("\r\n"),
            "tab" => self.reference("\t"),
            "lquote" => self.reference("&lsquo;"),
            "rquote" => self.reference("&rsquo;"),
            "ldblquote" => self.reference("&ldquo;"),
            "rdblquote" => self.reference("&rdquo;"),
            "bullet" => self.reference("&bull;"),
            "endash" => self.reference("&ndash;"),
            "emdash" => self.reference("&mdash;"),
            _ => {}
        }
    }

    fn unicode(&mut self, value: i32) {
        self.skip = self.state.skip;
        let value = if value < 0 {
            value.wrapping_add(0x1_0000)
        } else {
            value
        };
        let Ok(code) = u32::try_from(value) else {
            return;
        };
        if let Ok(unit @ 0xd800..=0xdbff) = u16::try_from(code) {
            self.surrogate = Some(unit);
            return;
        }
        let char = match (self.surrogate.take(), u16::try_from(code)) {
            (Some(high), Ok(low @ 0xdc00..=0xdfff)) => {
                char::decode_utf16([high, low]).next().and_then(Result::ok)
            }
            _ => char::from_u32(code),
        };
        self.text(char.unwrap_or('\u{fffd}'));
    }

    fn byte(&mut self, byte: u8) {
        if self.skip > 0 {
            self.skip = self.skip.saturating_sub(1);
        } else if !self.state.is_rtf && self.state.kind != Kind::Fonts {
            self.bytes.push(byte);
        }
    }

    fn text(&mut self, char: char) {
        if !self.state.is_rtf && self.state.kind != Kind::Fonts {
            self.out.push(char);
        }
    }

    fn reference(&mut self, text: &str) {
        if !self.state.is_rtf && self.state.kind != Kind::Fonts {
            self.out.push_str(text);
        }
    }

    fn flush(&mut self) {
        if !self.bytes.is_empty() {
            let code = self.state.code;
            code.decode(&self.bytes, "", &mut self.out);
            self.bytes.clear();
        }
    }
}
