//! Formulas of the Equation Editor → LaTeX: MTEF, version 3, in the stream `Equation Native`.
//!
//! A formula is a list of records. The low half of the first byte of a record is its type, and the high
//! half are its options. A list ends with a record of type 0.

use super::bytes::u16_at;
use crate::limits;
use omniread_document::latex::{join, symbols};

/// The name of the stream.
pub const STREAM: &str = "Equation Native";

/// Returns the formula in a stream. `None` if it has another version or is empty.
pub fn latex(stream: &[u8]) -> Option<String> {
    let header = usize::from(u16_at(stream, 0)?);
    let bytes = stream.get(header..)?;
    if bytes.first() != Some(&3) {
        return None;
    }
    let mut reader = Reader {
        bytes: bytes.get(5..)?,
    };
    let list = reader.list(0);
    let text = list.whole();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    (!text.is_empty()).then_some(text)
}

/// A list of records as LaTeX.
#[derive(Default)]
struct List {
    /// The lines in the list. Missing lines are empty.
    lines: Vec<String>,
    /// The characters and templates beside the lines.
    out: String,
    /// Characters of one typeface that are not yet a part of `out`.
    pending: String,
    typeface: u8,
}

impl List {
    /// Adds the pending characters to the text.
    fn flush(&mut self) {
        let text = std::mem::take(&mut self.pending);
        if text.is_empty() {
            return;
        }
        let letters = text.chars().filter(|char| char.is_alphabetic()).count();
        let piece = match self.typeface {
            2 if letters > 1 => function(&text),
            1 if letters > 1 => format!("\\text{{{}}}", symbols::text(&text)),
            7 if letters > 0 => format!("\\mathbf{{{}}}", symbols::latex(&text)),
            _ => symbols::latex(&text),
        };
        join(&mut self.out, &piece);
    }

    fn push(&mut self, piece: &str) {
        self.flush();
        join(&mut self.out, piece);
    }

    /// Returns everything in the list in one line.
    fn whole(mut self) -> String {
        self.flush();
        let mut out = String::new();
        for line in &self.lines {
            join(&mut out, line);
        }
        join(&mut out, &self.out);
        out
    }

    fn line(&self, index: usize) -> &str {
        self.lines
            .get(index)
            .map(String::as_str)
            .unwrap_or_default()
    }
}

/// A reader of records.
struct Reader<'a> {
    bytes: &'a [u8],
}

impl Reader<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(*first)
    }

    fn skip(&mut self, size: usize) {
        self.bytes = self.bytes.get(size..).unwrap_or_default();
    }

    /// Skips the offset of an object, if it has one.
    fn nudge(&mut self, options: u8) {
        if options & 8 != 0 {
            let is_long = self.bytes.starts_with(&[128, 128]);
            self.skip(if is_long { 6 } else { 2 });
        }
    }

    /// Reads records up to the end of their list.
    fn list(&mut self, depth: usize) -> List {
        let mut list = List::default();
        while let Some(tag) = self.byte() {
            let kind = tag & 15;
            if kind == 0 || self.record(kind, tag >> 4, depth, &mut list).is_none() {
                break;
            }
        }
        list.flush();
        list
    }

    /// Reads a record. `None` if the rest cannot be read.
    fn record(&mut self, kind: u8, options: u8, depth: usize, list: &mut List) -> Option<()> {
        let deeper = depth.saturating_add(1);
        if depth >= limits::INLINE_DEPTH {
            return None;
        }
        match kind {
            1 => {
                self.nudge(options);
                if options & 4 != 0 {
                    self.skip(1);
                }
                if options & 2 != 0 {
                    self.ruler()?;
                }
                let mut line = String::new();
                if options & 1 == 0 {
                    line = self.list(deeper).whole();
                }
                list.lines.push(line);
            }
            2 => self.character(options, list)?,
            3 => {
                self.nudge(options);
                let (selector, variation) = (self.byte()?, self.byte()?);
                self.skip(1);
                let inside = self.list(deeper);
                list.push(&template(selector, variation, &inside));
            }
            4 => {
                self.nudge(options);
                self.skip(2);
                if options & 2 != 0 {
                    self.ruler()?;
                }
                let inside = self.list(deeper);
                match &inside.lines[..] {
                    [line] => list.push(line),
                    lines => list.push(&format!(
                        "\\begin{{array}}{{l}}{}\\end{{array}}",
                        lines.join(" \\\\ ")
                    )),
                }
            }
            5 => {
                self.nudge(options);
                self.skip(3);
                let (rows, columns) = (usize::from(self.byte()?), usize::from(self.byte()?));
                // Each edge of a row or column has two bits.
                for count in [rows, columns] {
                    self.skip(count.saturating_add(1).div_ceil(4));
                }
                let inside = self.list(deeper);
                let rows: Vec<String> = inside
                    .lines
                    .chunks(columns.max(1))
                    .map(|row| row.join(" & "))
                    .collect();
                list.push(&format!(
                    "\\begin{{matrix}}{}\\end{{matrix}}",
                    rows.join(" \\\\ ")
                ));
            }
            6 => {
                self.nudge(options);
                self.skip(1);
            }
            7 => self.ruler()?,
            8 => {
                self.skip(2);
                while self.byte()? != 0 {}
            }
            9 => match self.byte()? {
                101 => self.skip(2),
                100 => self.skip(3),
                _ => self.skip(1),
            },
            // Sizes.
            10..=14 => {}
            _ => return None,
        }
        Some(())
    }

    fn ruler(&mut self) -> Option<()> {
        let count = usize::from(self.byte()?);
        self.skip(count.saturating_mul(3));
        Some(())
    }

    fn character(&mut self, options: u8, list: &mut List) -> Option<()> {
        self.nudge(options);
        let typeface = self.byte()?.wrapping_sub(128);
        let code = u16_at(self.bytes, 0)?;
        self.skip(2);
        let mut accents = Vec::new();
        if options & 2 != 0 {
            // A list of signs around the character.
            while let Some(tag) = self.byte()
                && tag & 15 == 6
            {
                self.nudge(tag >> 4);
                accents.push(self.byte()?);
            }
        }
        let char = match (typeface, code) {
            // Spaces have their own typeface.
            (24, _) => ' ',
            // Characters for private use are spaces and parts of signs.
            (_, 0xe000..=0xf8ff) => return Some(()),
            _ => char::from_u32(u32::from(code))?,
        };
        if typeface != list.typeface {
            list.flush();
            list.typeface = typeface;
        }
        if accents.is_empty() {
            list.pending.push(char);
            return Some(());
        }
        list.flush();
        let mut piece = symbols::latex(char.encode_utf8(&mut [0; 4]));
        for accent in accents {
            piece = match accent {
                2 => format!("\\dot{{{piece}}}"),
                3 => format!("\\ddot{{{piece}}}"),
                4 => format!("\\dddot{{{piece}}}"),
                5 => format!("{piece}'"),
                6 => format!("{piece}''"),
                18 => format!("{piece}'''"),
                8 => format!("\\tilde{{{piece}}}"),
                9 => format!("\\hat{{{piece}}}"),
                10 => format!("\\not{{{piece}}}"),
                11 => format!("\\vec{{{piece}}}"),
                17 => format!("\\bar{{{piece}}}"),
                _ => piece,
            };
        }
        list.push(&piece);
        Some(())
    }
}

/// Writes a template with its lines.
fn template(selector: u8, variation: u8, list: &List) -> String {
    let (first, second, third) = (list.line(0), list.line(1), list.line(2));
    let fence = |left: &str, right: &str| {
        let left = if variation == 2 { "." } else { left };
        let right = if variation == 1 { "." } else { right };
        let mut out = format!("\\left{left}");
        join(&mut out, first);
        out.push_str("\\right");
        out.push_str(right);
        out
    };
    let operator = |sign: &str| {
        let mut out = sign.to_owned();
        out.push_str(&scripts(second, third));
        join(&mut out, first);
        out
    };
    match selector {
        0 => fence("\\langle", "\\rangle"),
        1 => fence("(", ")"),
        2 => fence("\\{", "\\}"),
        3 => fence("[", "]"),
        4 => fence("|", "|"),
        5 => fence("\\|", "\\|"),
        6 => fence("\\lfloor", "\\rfloor"),
        7 => fence("\\lceil", "\\rceil"),
        8 => fence("[", "["),
        9 => fence("]", "]"),
        10 => fence("]", "["),
        11 => fence("[", ")"),
        12 => fence("(", "]"),
        13 if second.is_empty() => format!("\\sqrt{{{first}}}"),
        13 => format!("\\sqrt[{second}]{{{first}}}"),
        14 => format!("\\frac{{{first}}}{{{second}}}"),
        15 => scripts(first, second),
        16 => format!("\\underline{{{first}}}"),
        17 => format!("\\overline{{{first}}}"),
        18 => format!("\\xleftarrow[{second}]{{{first}}}"),
        19 => format!("\\xrightarrow[{second}]{{{first}}}"),
        20 => format!("\\xleftrightarrow[{second}]{{{first}}}"),
        21 | 24 => operator("\\int"),
        22 | 25 => operator("\\iint"),
        23 | 26 => operator("\\iiint"),
        27 => format!("\\overbrace{{{first}}}{}", scripts("", second)),
        28 => format!("\\underbrace{{{first}}}{}", scripts(second, "")),
        29 | 30 => operator("\\sum"),
        31 | 32 => operator("\\prod"),
        33 | 34 => operator("\\coprod"),
        35 | 36 => operator("\\bigcup"),
        37 | 38 => operator("\\bigcap"),
        39 => {
            let mut out = first.to_owned();
            if !second.is_empty() {
                out = format!("\\underset{{{second}}}{{{out}}}");
            }
            if !third.is_empty() {
                out = format!("\\overset{{{third}}}{{{out}}}");
            }
            out
        }
        // The operator itself is the last line.
        42 | 43 => operator(match list.line(3) {
            "\\Sigma" => "\\sum",
            "\\Pi" => "\\prod",
            sign => sign,
        }),
        41 => format!("{first}/{second}"),
        44 => format!("{{}}{}", scripts(first, second)),
        45 => format!("\\left\\langle {first}|{second}\\right\\rangle"),
        46 => format!("\\underrightarrow{{{first}}}"),
        47 => format!("\\overrightarrow{{{first}}}"),
        48 => format!("\\overset{{\\frown}}{{{first}}}"),
        _ => list.lines.join(" "),
    }
}

/// Writes the name of a function, and the characters around it.
fn function(text: &str) -> String {
    let start = text.find(char::is_alphabetic).unwrap_or(0);
    let (before, rest) = text.split_at_checked(start).unwrap_or(("", text));
    let end = rest.find(|char: char| !char.is_alphabetic());
    let end = end.unwrap_or(rest.len());
    let (name, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
    let mut out = symbols::latex(before);
    join(
        &mut out,
        &match symbols::function(name) {
            Some(function) => function.to_owned(),
            None => format!("\\operatorname{{{}}}", symbols::text(name)),
        },
    );
    join(&mut out, &symbols::latex(after));
    out
}

/// Writes what is below and above the line.
fn scripts(below: &str, above: &str) -> String {
    let mut out = String::new();
    if !below.is_empty() {
        out.push_str(&format!("_{{{below}}}"));
    }
    if !above.is_empty() {
        out.push_str(&format!("^{{{above}}}"));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::latex;

    /// Builds a stream from records.
    fn formula(records: &[u8]) -> Option<String> {
        let mut stream = vec![28, 0];
        stream.resize(28, 0);
        stream.extend([3, 1, 1, 3, 0]);
        stream.extend(records);
        latex(&stream)
    }

    #[test]
    fn scripts_and_fractions() {
        // A line with `x`, a superscript `2`, `=` and a fraction of `a` and π.
        let records = [
            &[10, 1, 2, 0x83, b'x', 0][..],
            &[3, 15, 0, 0, 11, 0x11, 1, 2, 0x88, b'2', 0, 0, 0, 10],
            &[2, 0x86, b'=', 0],
            &[
                3, 14, 0, 0, 1, 2, 0x83, b'a', 0, 0, 1, 2, 0x84, 0xc0, 3, 0, 0,
            ],
            &[0, 0],
        ];
        let found = formula(&records.concat());
        assert_eq!(found.as_deref(), Some("x^{2}=\\frac{a}{\\pi}"));
    }

    #[test]
    fn functions_fences_sums_and_accents() {
        let records = [
            &[1, 2, 0x82, b's', 0, 2, 0x82, b'i', 0, 2, 0x82, b'n', 0][..],
            &[
                3, 1, 0, 0, 1, 0x22, 0x83, b'y', 0, 6, 9, 0, 0, 2, 0x96, b'(', 0, 0,
            ],
            &[
                3, 29, 2, 0, 1, 2, 0x83, b'k', 0, 0, 1, 2, 0x88, b'1', 0, 0, 1, 2, 0x83, b'n', 0,
                0, 0,
            ],
            &[0, 0],
        ];
        let found = formula(&records.concat());
        assert_eq!(
            found.as_deref(),
            Some("\\sin\\left(\\hat{y}\\right)\\sum_{1}^{n}k")
        );
    }

    #[test]
    fn operators_with_their_own_sign() {
        let records = [
            &[
                1, 2, 0x82, b'v', 0, 2, 0x82, b'a', 0, 2, 0x82, b'r', 0, 2, 0x82, b'(', 0,
            ][..],
            &[
                3, 43, 2, 0, 0x11, 1, 2, 0x83, b'i', 0, 0, 1, 2, 0x83, b'n', 0, 0,
            ],
            &[1, 2, 0x85, 0xa3, 3, 0, 0, 0, 0],
        ];
        let found = formula(&records.concat());
        assert_eq!(found.as_deref(), Some("\\operatorname{var}(\\sum_{i}^{n}"));
    }

    #[test]
    fn damaged_formulas() {
        assert_eq!(latex(b""), None);
        assert_eq!(formula(&[]), None);
        assert_eq!(formula(&[5, 0, 0, 0]), None);
        // Lines in lines, without an end.
        assert_eq!(formula(&[1; 5000]), None);
        let cut = [1, 2, 0x83, b'x', 0, 3, 14, 0, 0, 1, 2, 0x83];
        for end in 0..cut.len() {
            formula(&cut[..end]);
        }
        assert_eq!(formula(&cut).as_deref(), Some("x\\frac{}{}"));
    }
}
