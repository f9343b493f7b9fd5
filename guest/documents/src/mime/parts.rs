//! The parts of a mail (RFC 2046).
//!
//! The mail is read once, from its start to its end. Boundaries are compared with those of all open
//! multiparts, so that an end that is missing costs no text.

use super::fields::{self, Value};
use super::transfer::Transfer;
use super::words;
use crate::limits;
use memchr::memmem::Finder;
use std::borrow::Cow;
use std::ops::Range;

/// A part of a mail.
#[derive(Debug, Default)]
pub struct Part {
    /// The multipart that it belongs to. `None` for the first part, which is the whole mail.
    pub parent: Option<usize>,
    /// The place of the header in the mail.
    pub header: Range<usize>,
    /// The place of the encoded body in the mail. For a multipart, it is empty.
    pub body: Range<usize>,
    /// The MIME type in lower case, such as `text/plain`.
    pub kind: String,
    /// The declared charset. It may be empty.
    pub charset: String,
    /// How the body is encoded.
    pub transfer: Transfer,
    /// The file name. It may be empty.
    pub name: String,
    /// The content ID without `<` and `>`. It may be empty.
    pub id: String,
    /// Whether it is declared to be an attachment.
    pub is_attachment: bool,
    /// Whether the space at the end of a flowed line is deleted (RFC 3676). `None` if lines are not
    /// flowed.
    pub flowed: Option<bool>,
    /// The parameter that says more about the type: `smime-type`, `method`, `protocol`.
    pub detail: String,
    /// Whether it is a multipart with parts.
    pub is_multipart: bool,
}

impl Part {
    /// The decoded body.
    pub fn decoded<'a>(&self, bytes: &'a [u8]) -> Cow<'a, [u8]> {
        let body = bytes.get(self.body.clone()).unwrap_or_default();
        self.transfer.decode(body, self.flowed.is_some())
    }

    /// The type before `/`.
    pub fn top(&self) -> &str {
        self.kind.split('/').next().unwrap_or_default()
    }

    /// Reads the header. `charset` is that of the text of the mail, as far as it is known.
    fn read(&mut self, bytes: &[u8], default: &str, charset: &str) {
        let header = bytes.get(self.header.clone()).unwrap_or_default();
        default.clone_into(&mut self.kind);
        let mut file_name = None;
        for (name, value) in fields::fields(header) {
            match name.to_ascii_lowercase().as_slice() {
                b"content-type" => self.read_type(value, charset),
                b"content-disposition" => {
                    let value = Value::parse(value, charset);
                    self.is_attachment = value.value == "attachment";
                    file_name = value.parameter("filename").map(str::to_owned);
                }
                b"content-transfer-encoding" => {
                    self.transfer = Transfer::named(&String::from_utf8_lossy(value));
                }
                b"content-id" => {
                    let id = words::decode(value, "");
                    id.trim_matches(['<', '>', ' ']).clone_into(&mut self.id);
                }
                _ => {}
            }
        }
        if let Some(name) = file_name.filter(|name| !name.trim().is_empty()) {
            self.name = name;
        }
    }

    fn read_type(&mut self, value: &[u8], charset: &str) {
        let value = Value::parse(value, charset);
        let parameter = |name| value.parameter(name).unwrap_or_default().to_owned();
        self.charset = parameter("charset");
        self.name = parameter("name");
        let is_flowed = parameter("format").eq_ignore_ascii_case("flowed");
        self.flowed = is_flowed.then(|| parameter("delsp").eq_ignore_ascii_case("yes"));
        let details = ["smime-type", "method", "protocol", "report-type"];
        let detail = details.iter().find_map(|name| value.parameter(name));
        self.detail = detail.unwrap_or_default().to_ascii_lowercase();
        if value.value == "text" {
            // RFC 822 mails had such types.
            "text/plain".clone_into(&mut self.kind);
        } else if value.value.contains('/') {
            self.kind = value.value;
        }
    }
}

/// The parts of a mail.
#[derive(Debug, Default)]
pub struct Parts {
    /// The parts in their order. The first is the mail.
    pub list: Vec<Part>,
    /// Whether there are more parts than the limit.
    pub is_cut: bool,
    /// The charset of the first text that declares one. It may be empty.
    pub charset: String,
}

impl Parts {
    /// Decodes the names that are neither ASCII nor UTF-8 in the charset of the text.
    fn decode_names(&mut self, bytes: &[u8]) {
        let mut texts = self.list.iter().filter(|part| part.top() == "text");
        let Some(text) = texts.find(|part| !part.charset.is_empty()) else {
            return;
        };
        self.charset = text.charset.clone();
        for part in &mut self.list {
            let header = bytes.get(part.header.clone()).unwrap_or_default();
            if std::str::from_utf8(header).is_err() {
                let mut again = Part {
                    header: part.header.clone(),
                    ..Part::default()
                };
                again.read(bytes, "", &self.charset);
                part.name = again.name;
            }
        }
    }
}

/// A multipart whose end is not reached.
struct Open {
    part: usize,
    boundary: Vec<u8>,
}

/// Finds the parts of a mail.
pub fn parse(bytes: &[u8]) -> Parts {
    let mut reader = Reader {
        bytes,
        finder: Finder::new(b"\n--"),
        open: Vec::new(),
        parts: Parts::default(),
    };
    reader.run();
    reader.parts.decode_names(bytes);
    reader.parts
}

struct Reader<'a> {
    bytes: &'a [u8],
    finder: Finder<'static>,
    open: Vec<Open>,
    parts: Parts,
}

/// A boundary in a mail.
struct Delimiter {
    /// The end of the text before it.
    before: usize,
    /// The start of the next line.
    after: usize,
    /// The place of its multipart among the open ones.
    level: usize,
    /// Whether it ends the multipart.
    is_last: bool,
}

impl Reader<'_> {
    fn run(&mut self) {
        let mut at = 0;
        loop {
            let part = self.part(at);
            let Some((index, body)) = part else {
                return;
            };
            let mut next = self.delimiter(body);
            let is_multipart = self.open.last().is_some_and(|open| open.part == index);
            if !is_multipart {
                let end = next.as_ref().map_or(self.bytes.len(), |next| next.before);
                self.set_body(index, body..end.max(body));
            } else if !next.as_ref().is_some_and(|next| {
                next.level.saturating_add(1) == self.open.len() && !next.is_last
            }) {
                // A multipart without parts is shown as text.
                let end = next.as_ref().map_or(self.bytes.len(), |next| next.before);
                self.set_body(index, body..end.max(body));
                if let Some(part) = self.parts.list.get_mut(index) {
                    part.is_multipart = false;
                    "text/plain".clone_into(&mut part.kind);
                }
            }
            // Skips the text after the last part of a multipart.
            while let Some(found) = &next
                && found.is_last
            {
                self.open.truncate(found.level);
                next = self.delimiter(found.after);
            }
            let Some(found) = next else {
                return;
            };
            self.open.truncate(found.level.saturating_add(1));
            at = found.after;
        }
    }

    fn set_body(&mut self, index: usize, body: Range<usize>) {
        if let Some(part) = self.parts.list.get_mut(index) {
            part.body = body;
        }
    }

    /// Reads the header of a part. Returns its number and the start of its body.
    fn part(&mut self, at: usize) -> Option<(usize, usize)> {
        if self.parts.list.len() >= limits::MAIL_PARTS {
            self.parts.is_cut = true;
            return None;
        }
        let index = self.parts.list.len();
        let split = fields::split(self.bytes, at, index == 0, |line| {
            self.matches(line).is_some()
        });
        let parent = self.open.last().map(|open| open.part);
        let parent_kind = parent.and_then(|parent| self.parts.list.get(parent));
        let default = match parent_kind.map(|part| part.kind.as_str()) {
            Some("multipart/digest") => "message/rfc822",
            _ => "text/plain",
        };
        let mut part = Part {
            parent,
            header: split.header,
            body: split.body..split.body,
            ..Part::default()
        };
        part.read(self.bytes, default, "");
        if part.top() == "multipart" && self.open.len() < limits::MAIL_DEPTH {
            let guessed = || {
                (index == 0)
                    .then(|| self.guess_boundary(split.body))
                    .flatten()
            };
            let declared = self.boundary(&part);
            // Some programs declare another boundary than they write.
            let declared =
                declared.filter(|boundary| index > 0 || self.occurs(boundary, split.body));
            match declared.or_else(guessed) {
                Some(boundary) => {
                    part.is_multipart = true;
                    self.open.push(Open {
                        part: index,
                        boundary,
                    });
                }
                None => "text/plain".clone_into(&mut part.kind),
            }
        }
        self.parts.list.push(part);
        Some((index, split.body))
    }

    /// The boundary of a multipart.
    fn boundary(&self, part: &Part) -> Option<Vec<u8>> {
        let header = self.bytes.get(part.header.clone())?;
        let mut fields = fields::fields(header);
        let field = fields.find(|(name, _)| name.eq_ignore_ascii_case(b"content-type"))?;
        let value = Value::parse(field.1, "");
        let boundary = value.parameter("boundary")?.trim_end();
        (!boundary.is_empty()).then(|| boundary.as_bytes().to_vec())
    }

    /// Whether a line of a body is a boundary. A longer line that starts with it is another one.
    fn occurs(&self, boundary: &[u8], body: usize) -> bool {
        let line = [b"--", boundary].concat();
        let body = self.bytes.get(body..).unwrap_or_default();
        memchr::memmem::find_iter(body, &line).any(|at| {
            let (before, found) = body.split_at_checked(at).unwrap_or_default();
            let rest = found.get(line.len()..).unwrap_or_default();
            let rest = rest.strip_prefix(b"--").unwrap_or(rest);
            let next = rest.iter().find(|byte| !b" \t\r".contains(byte));
            before.last().is_none_or(|byte| *byte == b'\n')
                && next.is_none_or(|byte| *byte == b'\n')
        })
    }

    /// Guesses the boundary of a mail that lost it: the first line that starts with `--`, if the
    /// line occurs again or a header is after it.
    fn guess_boundary(&self, body: usize) -> Option<Vec<u8>> {
        let body = self.bytes.get(body..)?;
        let start = match body.strip_prefix(b"--") {
            Some(rest) => rest,
            None => body.get(self.finder.find(body)?.saturating_add(3)..)?,
        };
        let end = memchr::memchr(b'\n', start)?;
        let (line, rest) = start.split_at_checked(end)?;
        let line = line.trim_ascii_end();
        let is_boundary = (1..=70).contains(&line.len()) && !line.contains(&b' ');
        let again = [b"\n--", line].concat();
        let next = rest.trim_ascii_start().get(..8).unwrap_or_default();
        let is_used =
            next.eq_ignore_ascii_case(b"content-") || memchr::memmem::find(rest, &again).is_some();
        (is_boundary && is_used).then(|| line.to_vec())
    }

    /// The open multipart that a line is a boundary of, and whether the line ends it.
    fn matches(&self, line: &[u8]) -> Option<(usize, bool)> {
        let line = line.strip_prefix(b"--")?.trim_ascii_end();
        for (level, open) in self.open.iter().enumerate().rev() {
            let Some(rest) = line.strip_prefix(open.boundary.as_slice()) else {
                continue;
            };
            match rest {
                b"" => return Some((level, false)),
                b"--" => return Some((level, true)),
                _ => {}
            }
        }
        None
    }

    /// Finds the next boundary at or after the start of a line.
    fn delimiter(&self, from: usize) -> Option<Delimiter> {
        if self.open.is_empty() {
            return None;
        }
        let mut at = from;
        let mut is_first = true;
        loop {
            let rest = self.bytes.get(at..)?;
            let start = if is_first && rest.starts_with(b"--") {
                at
            } else {
                at.saturating_add(self.finder.find(rest)?).saturating_add(1)
            };
            is_first = false;
            let line = self.bytes.get(start..)?;
            let end = memchr::memchr(b'\n', line);
            let length = end.map_or(line.len(), |end| end.saturating_add(1));
            let line = line.get(..length)?;
            if let Some((level, is_last)) = self.matches(line) {
                let before = self.bytes.get(..start)?;
                let before = before.strip_suffix(b"\n").unwrap_or(before);
                let before = before.strip_suffix(b"\r").unwrap_or(before);
                return Some(Delimiter {
                    before: before.len(),
                    after: start.saturating_add(length),
                    level,
                    is_last,
                });
            }
            // The line end may be the one before the next boundary.
            at = start.saturating_add(length).saturating_sub(1).max(start);
            if length == 0 {
                return None;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bodies(mail: &str) -> Vec<(String, String)> {
        let parts = parse(mail.as_bytes());
        let text = |part: &Part| mail[part.body.clone()].to_owned();
        parts
            .list
            .iter()
            .map(|part| (part.kind.clone(), text(part)))
            .collect()
    }

    fn pairs(list: &[(String, String)]) -> Vec<(&str, &str)> {
        list.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect()
    }

    #[test]
    fn nested_parts_are_found() {
        let found = bodies(
            "Content-Type: multipart/mixed; boundary=\"a\"\r\n\r\npreamble\r\n--a\r\n\
             Content-Type: multipart/alternative; boundary=ab\r\n\r\n--ab\r\n\r\nplain\r\n--ab\r\n\
             Content-Type: text/html\r\n\r\n<p>\r\n--ab--\r\nepilogue\r\n--a\r\n\
             Content-Type: image/png\r\n\r\nPNG\r\n--a--\r\nepilogue",
        );
        assert_eq!(
            pairs(&found),
            [
                ("multipart/mixed", ""),
                ("multipart/alternative", ""),
                ("text/plain", "plain"),
                ("text/html", "<p>"),
                ("image/png", "PNG"),
            ]
        );
    }

    #[test]
    fn missing_ends_cost_no_text() {
        let found = bodies(
            "Content-Type: multipart/mixed; boundary=a\n\n--a\n\
             Content-Type: multipart/mixed; boundary=b\n\n--b\n\none\n--a\n\ntwo",
        );
        let texts: Vec<_> = found.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(texts, ["", "", "one", "two"]);
        let found = bodies("Content-Type: multipart/mixed; boundary=a\n\ntext\n");
        assert_eq!(pairs(&found), [("text/plain", "text\n")]);
        let found = bodies("Content-Type: multipart/mixed\n\n--x\n\ntext\n");
        assert_eq!(pairs(&found), [("text/plain", "--x\n\ntext\n")]);
        let found = bodies("Content-Type: multipart/mixed; bo\n\n--x\n\ntext\n--x--\n");
        assert_eq!(
            pairs(&found),
            [("multipart/mixed", ""), ("text/plain", "text")]
        );
        let found =
            bodies("Content-Type: multipart/mixed; boundary=y\n\n--x\ncontent-type: a/b\n\nc");
        assert_eq!(pairs(&found).last(), Some(&("a/b", "c")));
        let found = bodies("Content-Type: multipart/mixed; boundary=y\n\n--x\n\ntext\n--x--\n");
        assert_eq!(pairs(&found).last(), Some(&("text/plain", "text")));
        // The declared boundary is the start of the one that is written, or is inside of a line.
        for declared in ["ab", "abc-", "d"] {
            let found = bodies(&format!(
                "Content-Type: multipart/mixed; boundary={declared}\n\nx --d\n\
                 --abc-e\n\none\n--abc-e\n\ntwo\n--abc-e--\n"
            ));
            let texts: Vec<_> = found.iter().map(|(_, text)| text.as_str()).collect();
            assert_eq!(texts, ["", "one", "two"]);
        }
        // A part without an empty line after its header, and an empty part.
        let found = bodies("Content-Type: multipart/mixed; boundary=a\n\n--a\nA: b\n--a\n--a--\n");
        assert_eq!(found.len(), 3);
    }

    #[test]
    fn hostile_nesting_is_limited() {
        let mut mail = String::new();
        for level in 0..1000 {
            mail += &format!("Content-Type: multipart/mixed; boundary=b{level}\n\n--b{level}\n");
        }
        mail += "\ntext";
        let parts = parse(mail.as_bytes());
        assert_eq!(parts.list.len(), limits::MAIL_DEPTH + 1);
        let same = "Content-Type: multipart/mixed; boundary=b\n\n--b\n".repeat(1000);
        assert!(parse(same.as_bytes()).list.len() <= 1001);
        let many = "Content-Type: multipart/mixed; boundary=b\n\n".to_owned()
            + &"--b\n\nx\n".repeat(100_000);
        let parts = parse(many.as_bytes());
        assert_eq!(parts.list.len(), limits::MAIL_PARTS);
        assert!(parts.is_cut);
    }
}
