//! Instructions of fields: a name, arguments and switches, such as `HYPERLINK "a.html" \l "place"`
//! (ECMA-376 part 1, 17.16).

use super::equation;
use crate::codepage::{self, CodePage};
use crate::symbols;

/// The kind of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A field whose result is text. So is a link inside the document.
    Other,
    /// A link to an address.
    Link(String),
    /// A table of contents of headings.
    Contents,
    /// The number of a page, or of all pages.
    Page,
    /// An object of a program, with its name, such as `Excel.Sheet.8`.
    Embedded(String),
}

/// The number of the code page of Japanese, Shift JIS.
const JAPANESE: u16 = 932;

/// Returns the name of the field in upper case.
pub fn name(instruction: &str) -> String {
    let name = instruction.split_whitespace().next();
    name.unwrap_or_default().to_ascii_uppercase()
}

/// Returns the kind of a field.
pub fn kind(instruction: &str) -> Kind {
    match name(instruction).as_str() {
        "HYPERLINK" => link(instruction).map_or(Kind::Other, Kind::Link),
        "TOC" => {
            // `\c` and `\a` list captions, which are not headings.
            let contents = Instruction::parse(instruction, "huwxz");
            let of_captions = contents.has('c') || contents.has('a');
            if of_captions {
                Kind::Other
            } else {
                Kind::Contents
            }
        }
        "PAGE" | "NUMPAGES" | "SECTIONPAGES" => Kind::Page,
        "EMBED" => {
            let arguments = Instruction::parse(instruction, "abs").arguments;
            Kind::Embedded(arguments.into_iter().next().unwrap_or_default())
        }
        _ => Kind::Other,
    }
}

/// Returns the text that programs show for a field without a result. `None` if they show none.
pub fn shown(instruction: &str) -> Option<String> {
    match name(instruction).as_str() {
        "SYMBOL" => symbol(instruction).map(String::from),
        "EQ" => equation::text(instruction),
        // The text of the button is after the name of a macro or a bookmark.
        "MACROBUTTON" | "GOTOBUTTON" => {
            let (_, rest) = instruction.trim().split_once(char::is_whitespace)?;
            let (_, text) = rest.trim().split_once(char::is_whitespace)?;
            Some(text.trim().to_owned())
        }
        _ => None,
    }
}

/// Returns whether a field is an equation with content.
pub fn is_equation(instruction: &str) -> bool {
    name(instruction) == "EQ" && instruction.split_whitespace().nth(1).is_some()
}

/// Returns the address in `HYPERLINK "address" \l "place"`. `None` for a link inside the document.
fn link(instruction: &str) -> Option<String> {
    let link = Instruction::parse(instruction, "hmn");
    let place = link.argument('l').map(str::to_owned);
    let mut url = link.arguments.into_iter().next()?;
    if url.is_empty() || url.starts_with('#') {
        return None;
    }
    if let Some(place) = place
        && !url.contains('#')
    {
        url.push('#');
        url.push_str(&place);
    }
    Some(url)
}

/// Returns the character of `SYMBOL 183 \f "Symbol"`.
fn symbol(instruction: &str) -> Option<char> {
    let field = Instruction::parse(instruction, "ahju");
    let code = number(field.arguments.first()?)?;
    let font = field.argument('f').unwrap_or_default();
    if symbols::is_symbol(font, code) {
        return symbols::symbol(font, code);
    }
    let byte = u8::try_from(code).ok();
    let bytes = match byte {
        Some(byte) if !field.has('u') && !field.has('j') => vec![byte],
        Some(byte) if field.has('j') => vec![byte],
        None if field.has('j') => u16::try_from(code).ok()?.to_be_bytes().to_vec(),
        _ => return char::from_u32(code).filter(|char| !char.is_control()),
    };
    let page = if field.has('j') {
        CodePage::or_default(JAPANESE)
    } else {
        codepage::DEFAULT
    };
    let mut text = String::new();
    page.decode(&bytes, &mut text);
    let char = text.chars().next()?;
    (!char.is_control() && char != char::REPLACEMENT_CHARACTER).then_some(char)
}

/// Reads a number with decimal digits, or with hexadecimal ones after `0x`.
fn number(text: &str) -> Option<u32> {
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// The arguments and the switches of an instruction.
#[derive(Debug, Default, PartialEq, Eq)]
struct Instruction {
    /// The arguments that belong to no switch, without the name of the field.
    arguments: Vec<String>,
    /// The switches in lower case, with their arguments.
    switches: Vec<(char, Option<String>)>,
}

impl Instruction {
    /// Reads an instruction. `flags` are the switches without an argument.
    fn parse(instruction: &str, flags: &str) -> Self {
        let mut parsed = Self::default();
        // Whether the next word belongs to the last switch.
        let mut expects = false;
        for token in tokens(instruction).into_iter().skip(1) {
            match token {
                Token::Switch(switch) => {
                    let switch = switch.to_ascii_lowercase();
                    expects = !flags.contains(switch);
                    parsed.switches.push((switch, None));
                }
                Token::Word(word) => match parsed.switches.last_mut() {
                    Some((_, argument)) if std::mem::take(&mut expects) => *argument = Some(word),
                    _ => parsed.arguments.push(word),
                },
            }
        }
        parsed
    }

    fn has(&self, switch: char) -> bool {
        self.switches.iter().any(|(own, _)| *own == switch)
    }

    /// Returns the argument of the first of these switches that has one.
    fn argument(&self, switch: char) -> Option<&str> {
        let mut own = self.switches.iter().filter(|(own, _)| *own == switch);
        own.find_map(|(_, argument)| argument.as_deref())
    }
}

/// A part of an instruction.
#[derive(Debug, PartialEq, Eq)]
enum Token {
    /// A word, or a text in quotation marks.
    Word(String),
    /// A switch, such as `\l`.
    Switch(char),
}

/// Splits an instruction into words, texts in quotation marks and switches.
fn tokens(instruction: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut word = String::new();
    let mut quoted = false;
    for char in instruction.chars() {
        match char {
            '"' if quoted => {
                tokens.push(Token::Word(std::mem::take(&mut word)));
                quoted = false;
            }
            '"' => {
                // The argument of a switch may follow without a space.
                if switch(&word).is_some() {
                    tokens.extend(token(std::mem::take(&mut word)));
                }
                quoted = true;
            }
            char if char.is_whitespace() && !quoted => {
                tokens.extend(token(std::mem::take(&mut word)));
            }
            char => {
                if !quoted && matches!(switch(&word), Some('*' | '#' | '@')) {
                    tokens.extend(token(std::mem::take(&mut word)));
                }
                word.push(char);
            }
        }
    }
    if quoted {
        tokens.push(Token::Word(word));
    } else {
        tokens.extend(token(word));
    }
    tokens
}

/// Returns a word that is not in quotation marks as a token. `None` if it is empty.
fn token(word: String) -> Option<Token> {
    match switch(&word) {
        Some(switch) => Some(Token::Switch(switch)),
        None => (!word.is_empty()).then_some(Token::Word(word)),
    }
}

/// Returns the switch that a word is.
fn switch(word: &str) -> Option<char> {
    let mut chars = word.strip_prefix('\\')?.chars();
    let switch = chars.next()?;
    chars.next().is_none().then_some(switch)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_have_an_address_and_a_place() {
        for (instruction, expected) in [
            ("HYPERLINK \"a.html\"", Some("a.html")),
            ("hyperlink a.html \\l \"b c\"", Some("a.html#b c")),
            (
                "HYPERLINK \\h \"a.html\" \\o \"tip\" \\l\"b\"",
                Some("a.html#b"),
            ),
            ("HYPERLINK \\l b a.html#c", Some("a.html#c")),
            ("HYPERLINK \\t \"_blank\" \\n a \\*MERGEFORMAT", Some("a")),
            ("HYPERLINK \\\\server\\share", Some("\\\\server\\share")),
            ("HYPERLINK \"open", Some("open")),
            ("HYPERLINK \\l \"b\"", None),
            ("HYPERLINK \"#b\"", None),
            ("HYPERLINK \"\" \\l b", None),
            ("HYPERLINK", None),
        ] {
            let expected = expected.map_or(Kind::Other, |url| Kind::Link(url.to_owned()));
            assert_eq!(kind(instruction), expected, "{instruction}");
        }
    }

    #[test]
    fn contents_page_numbers_and_objects_are_kinds() {
        for (instruction, expected) in [
            (" TOC \\o \"1-3\" \\h", Kind::Contents),
            ("toc", Kind::Contents),
            ("TOC \\t \"a\\c,1\"", Kind::Contents),
            ("TOC \\h \\z \\C \"Figure\"", Kind::Other),
            ("TOC \\a Table", Kind::Other),
            ("numpages \\* arabic", Kind::Page),
            ("PAGEREF x", Kind::Other),
            (
                "EMBED Excel.Sheet.8",
                Kind::Embedded("Excel.Sheet.8".to_owned()),
            ),
            ("EMBED \\s", Kind::Embedded(String::new())),
            ("", Kind::Other),
        ] {
            assert_eq!(kind(instruction), expected, "{instruction}");
        }
    }

    #[test]
    fn symbols_are_those_of_a_font_or_a_code_page() {
        for (instruction, expected) in [
            (" SYMBOL 183 \\f \"Symbol\" ", Some("•")),
            ("symbol 183 \\f Symbol \\s 12 \\h", Some("•")),
            ("SYMBOL \\f \"Symbol\" 0xB7", Some("•")),
            ("SYMBOL 61623 \\u \\f Symbol", Some("•")),
            ("SYMBOL 254 \\f\"Wingdings\" \\* MERGEFORMAT", Some("☑")),
            // Unknown signs of these fonts are bullets, but other characters are not from the font.
            ("SYMBOL 33 \\f Wingdings", Some("•")),
            ("SYMBOL 9786 \\u \\f Wingdings", Some("☺")),
            ("SYMBOL 0x41", Some("A")),
            ("SYMBOL 128", Some("€")),
            ("SYMBOL 0X80 \\a \\f Arial", Some("€")),
            ("SYMBOL 233 \\u", Some("é")),
            ("SYMBOL 8364", Some("€")),
            ("SYMBOL 33440 \\j", Some("あ")),
            ("SYMBOL 177 \\j", Some("ｱ")),
            ("SYMBOL 65 \\j", Some("A")),
            ("SYMBOL 128 \\u", None),
            ("SYMBOL 7", None),
            ("SYMBOL 0xFFFFFFFFF", None),
            ("SYMBOL 55296 \\u", None),
            ("SYMBOL 4294967295 \\j", None),
            ("SYMBOL -1", None),
            ("SYMBOL x", None),
            ("SYMBOL", None),
        ] {
            assert_eq!(shown(instruction).as_deref(), expected, "{instruction}");
        }
    }

    #[test]
    fn buttons_have_a_text() {
        for (instruction, expected) in [
            (" MACROBUTTON  NoMacro\t[Your  name] ", Some("[Your  name]")),
            ("GOTOBUTTON place see \"a\"", Some("see \"a\"")),
            ("MACROBUTTON NoMacro", None),
            ("MACROBUTTON", None),
            ("REF x", None),
            ("PAGE \\up(a),b)", None),
        ] {
            assert_eq!(shown(instruction).as_deref(), expected, "{instruction}");
        }
    }
}
