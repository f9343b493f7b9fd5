//! The file `winmail.dat`, in which Outlook sends attachments and rich text to other programs
//! ([MS-OXTNEF]).

use crate::codepage::{self, CodePage};
use crate::limits;
use crate::mime::charset;
use crate::ole::{u16_at, u32_at};
use std::ops::Range;

/// The first bytes.
const MAGIC: &[u8] = b"\x78\x9f\x3e\x22";

/// What is in the file.
#[derive(Debug, Default)]
pub struct Tnef {
    /// The attachments.
    pub files: Vec<File>,
    /// The compressed rich text.
    pub rich_text: Option<Range<usize>>,
    /// The text.
    pub text: Option<String>,
    /// The HTML.
    pub html: Option<Range<usize>>,
}

/// An attachment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct File {
    /// The name. It may be empty.
    pub name: String,
    /// The MIME type. It may be empty.
    pub mime: String,
    /// The place of its bytes.
    pub place: Range<usize>,
}

/// Reads the file up to its damage. `None` if it has another format.
pub fn read(bytes: &[u8]) -> Option<Tnef> {
    if !bytes.starts_with(MAGIC) {
        return None;
    }
    let mut tnef = Tnef::default();
    let mut page = 0;
    // After the signature and a key: the level, the number, the length, the value, a check sum.
    let mut at = 6_usize;
    while let Some(number) = bytes
        .get(at.saturating_add(1)..)
        .and_then(|rest| u32_at(rest, 0))
    {
        let start = at.saturating_add(9);
        let Some(length) = u32_at(bytes, at.saturating_add(5)) else {
            break;
        };
        let Some(end) = usize::try_from(length)
            .ok()
            .and_then(|length| start.checked_add(length))
        else {
            break;
        };
        let Some(value) = bytes.get(start..end) else {
            break;
        };
        match number {
            // attOemCodepage
            0x0006_9007 => page = u16_at(value, 0).unwrap_or(0),
            // attBody
            0x0002_800c => tnef.text = Some(text(value, page)),
            // attAttachRendData, which starts an attachment.
            0x0006_9002 => {
                if tnef.files.len() >= limits::ATTACHMENTS {
                    break;
                }
                tnef.files.push(File::default());
            }
            // attAttachTitle
            0x0001_8010 => {
                if let Some(file) = tnef.files.last_mut().filter(|file| file.name.is_empty()) {
                    file.name = text(value, page);
                }
            }
            // attAttachData
            0x0006_800f => {
                if let Some(file) = tnef.files.last_mut() {
                    file.place = start..end;
                }
            }
            // attAttachment
            0x0006_9005 => {
                if let Some(file) = tnef.files.last_mut() {
                    properties(value, |id, kind, range| {
                        let value = value.get(range.clone()).unwrap_or_default();
                        match id {
                            0x3707 => file.name = property_text(value, kind, page),
                            0x370e => file.mime = property_text(value, kind, page),
                            _ => {}
                        }
                    });
                }
            }
            // attMsgProps
            0x0006_9003 => properties(value, |id, kind, range| {
                let place = shifted(&range, start);
                match id {
                    0x1000 => {
                        let value = value.get(range).unwrap_or_default();
                        tnef.text = Some(property_text(value, kind, page));
                    }
                    0x1009 => tnef.rich_text = Some(place),
                    0x1013 => tnef.html = Some(place),
                    _ => {}
                }
            }),
            _ => {}
        }
        at = end.saturating_add(2);
    }
    tnef.files.retain(|file| !file.place.is_empty());
    Some(tnef)
}

fn shifted(range: &Range<usize>, by: usize) -> Range<usize> {
    range.start.saturating_add(by)..range.end.saturating_add(by)
}

/// Decodes a text that ends with a NUL.
fn text(bytes: &[u8], page: u16) -> String {
    let end = memchr::memchr(0, bytes).unwrap_or(bytes.len());
    let bytes = bytes.get(..end).unwrap_or_default();
    match page {
        0 => charset::decode(bytes, ""),
        page => CodePage::or_default(page).decoded(bytes),
    }
}

fn property_text(bytes: &[u8], kind: u16, page: u16) -> String {
    match kind {
        0x1f => codepage::utf16(bytes).trim_end_matches('\0').to_owned(),
        _ => text(bytes, page),
    }
}

/// Calls a function with the number, the type and the place of each property ([MS-OXTNEF] 2.1.3.4).
/// Stops at an unknown type.
fn properties(bytes: &[u8], mut each: impl FnMut(u16, u16, Range<usize>)) {
    let Some(count) = u32_at(bytes, 0) else {
        return;
    };
    let mut at = 4_usize;
    for _ in 0..count {
        let (Some(kind), Some(id)) = (u16_at(bytes, at), u16_at(bytes, at.saturating_add(2)))
        else {
            return;
        };
        at = at.saturating_add(4);
        if id >= 0x8000 {
            // A named property: a GUID, and a number or a name.
            let is_name = u32_at(bytes, at.saturating_add(16)) == Some(1);
            let Some(length) = u32_at(bytes, at.saturating_add(20)) else {
                return;
            };
            at = at.saturating_add(24);
            if is_name {
                at = at.saturating_add(padded(length));
            }
        }
        let is_many = kind & 0x1000 != 0;
        let kind = kind & 0xfff;
        let size = match kind {
            0x2 | 0x3 | 0x4 | 0xa | 0xb => 4,
            0x5 | 0x6 | 0x7 | 0x14 | 0x40 => 8,
            0x48 => 16,
            0xd | 0x1e | 0x1f | 0x102 => 0,
            _ => return,
        };
        let values = if is_many || size == 0 {
            let values = u32_at(bytes, at).unwrap_or(0);
            at = at.saturating_add(4);
            values
        } else {
            1
        };
        for _ in 0..values {
            let length = match size {
                0 => {
                    let Some(length) = u32_at(bytes, at) else {
                        return;
                    };
                    at = at.saturating_add(4);
                    length
                }
                size => size,
            };
            let Some(end) = usize::try_from(length)
                .ok()
                .and_then(|length| at.checked_add(length))
            else {
                return;
            };
            if end > bytes.len() {
                return;
            }
            each(id, kind, at..end);
            at = at.saturating_add(padded(length));
        }
    }
}

/// A length with the padding to a multiple of 4.
fn padded(length: u32) -> usize {
    usize::try_from(length)
        .unwrap_or(usize::MAX)
        .saturating_add(3)
        & !3
}

#[cfg(test)]
pub mod tests {
    use super::*;

    fn attribute(number: u32, value: &[u8]) -> Vec<u8> {
        let mut out = vec![2];
        out.extend(number.to_le_bytes());
        out.extend(u32::try_from(value.len()).unwrap().to_le_bytes());
        out.extend(value);
        out.extend([0, 0]);
        out
    }

    fn property(id: u16, kind: u16, value: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        out.extend(kind.to_le_bytes());
        out.extend(id.to_le_bytes());
        if id >= 0x8000 {
            out.extend([0; 16]);
            out.extend(1_u32.to_le_bytes());
            out.extend(4_u32.to_le_bytes());
            out.extend(b"a\0\0\0");
        }
        if kind == 3 {
            out.extend(value);
            return out;
        }
        out.extend(1_u32.to_le_bytes());
        out.extend(u32::try_from(value.len()).unwrap().to_le_bytes());
        out.extend(value);
        out.resize(out.len().next_multiple_of(4), 0);
        out
    }

    /// A file with two attachments and HTML.
    pub fn winmail() -> Vec<u8> {
        let long: Vec<u8> = "längerer Name.txt\0"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        let list = [
            property(0x0037, 3, &[1, 0, 0, 0]),
            property(0x8001, 0x1e, b"named"),
            property(0x3707, 0x1f, &long),
        ];
        let properties = [&3_u32.to_le_bytes()[..], &list.concat()].concat();
        let html = [
            &1_u32.to_le_bytes()[..],
            &property(0x1013, 0x102, b"<p>rich</p>"),
        ]
        .concat();
        [
            MAGIC.to_vec(),
            vec![1, 0],
            attribute(0x0006_9007, &[0xe4, 4, 0, 0, 0, 0, 0, 0]),
            attribute(0x0006_9003, &html),
            attribute(0x0006_9002, &[0; 14]),
            attribute(0x0001_8010, b"a\xe9.txt\0"),
            attribute(0x0006_800f, b"first"),
            attribute(0x0006_9002, &[0; 14]),
            attribute(0x0001_8010, b"LANGER~1.TXT\0"),
            attribute(0x0006_800f, b"second"),
            attribute(0x0006_9005, &properties),
        ]
        .concat()
    }

    #[test]
    fn attachments_are_found() {
        let bytes = winmail();
        let tnef = read(&bytes).unwrap();
        let files: Vec<_> = tnef
            .files
            .iter()
            .map(|file| (file.name.as_str(), &bytes[file.place.clone()]))
            .collect();
        assert_eq!(
            files,
            [("aé.txt", &b"first"[..]), ("längerer Name.txt", b"second")]
        );
        assert_eq!(&bytes[tnef.html.unwrap()], b"<p>rich</p>");
        assert!(read(b"other").is_none());
        let bytes = [MAGIC, &[1, 0], &attribute(0x0002_800c, b"Hello\0")].concat();
        assert_eq!(read(&bytes).unwrap().text.unwrap(), "Hello");
    }

    #[test]
    fn damage_ends_the_list() {
        let bytes = winmail();
        for end in 4..bytes.len() {
            assert!(read(&bytes[..end]).unwrap().files.len() <= 2);
        }
        for at in 6..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0xff;
            for file in read(&damaged).unwrap().files {
                assert!(damaged.get(file.place).is_some());
            }
        }
    }
}
