//! The names of members: what they mean, and the tree that they make.

use super::{Catalogue, MemberKind};
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{WINDOWS_1250, WINDOWS_1252, WINDOWS_1254, WINDOWS_1257};
use std::borrow::Cow;
use std::collections::BTreeMap;
use xxhash_rust::xxh32::xxh32;

/// A name as text, and its bytes if they are not that.
pub fn text(bytes: &[u8]) -> (String, Option<Vec<u8>>) {
    match std::str::from_utf8(bytes) {
        Ok(name) => (name.to_owned(), None),
        Err(_) => {
            let name = String::from_utf8_lossy(bytes).into_owned();
            (name, Some(bytes.to_vec()))
        }
    }
}

/// A field to its first NUL.
pub fn field(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().position(|byte| *byte == 0);
    bytes.get(..end.unwrap_or(bytes.len())).unwrap_or_default()
}

/// A field of digits, blanks around them.
pub fn number(field: Option<&[u8]>, radix: u32) -> Option<u64> {
    let text = std::str::from_utf8(field?).ok()?.trim();
    if text.is_empty() {
        return Some(0);
    }
    u64::from_str_radix(text, radix).ok()
}

/// Decodes names in other encodings, as older programs write them: all of an
/// archive tell together which one it is.
pub fn decode(catalogue: &mut Catalogue) {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    let raw = catalogue.members.iter().filter_map(|m| m.raw.as_ref());
    let mut raw = raw.peekable();
    if raw.peek().is_none() {
        return;
    }
    for name in raw {
        detector.feed(name, false);
        detector.feed(b"\n", false);
    }
    detector.feed(b"", true);
    let guess = detector.guess(None, Utf8Detection::Deny);
    // That of DOS is not among those that can be guessed: it is taken for one of
    // the Latin ones of Windows, which DOS does not have.
    let latin = [WINDOWS_1250, WINDOWS_1252, WINDOWS_1254, WINDOWS_1257].contains(&guess);
    let dos = catalogue.dos_names && latin;
    for member in &mut catalogue.members {
        if let Some(raw) = &member.raw {
            member.name = if dos {
                raw.iter().map(|byte| cp437(*byte)).collect()
            } else {
                guess.decode_without_bom_handling(raw).0.into_owned()
            };
        }
    }
    let name = if dos {
        "cp437".to_owned()
    } else {
        guess.name().to_lowercase()
    };
    catalogue.notes.push(format!("names in {name} (guessed)"));
}

/// A character of code page 437, that of the first personal computers.
fn cp437(byte: u8) -> char {
    // From the table CP437.TXT of the Unicode consortium.
    const UPPER: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐\
        └┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}";
    match byte.checked_sub(128) {
        Some(upper) => UPPER.chars().nth(upper.into()).unwrap_or('\u{fffd}'),
        None => char::from(byte),
    }
}

/// A name as paths mean it: parts with `/` between them, without `.` and
/// empty ones, so that an absolute name is one of the root as for tar and unzip.
/// `None` if it leads out of the archive, so that nothing is called by it.
pub fn normal(name: &str) -> Option<Cow<'_, str>> {
    // Most names are normal as they are, and there may be a million of them.
    let mut name = name;
    let bytes = name.as_bytes();
    if bytes.first() == Some(&b'/') || bytes.last() == Some(&b'/') {
        name = name.trim_matches('/');
    }
    let bytes = name.as_bytes();
    let odd = |at: usize| matches!(bytes.get(at.saturating_add(1)), Some(b'/' | b'.'));
    if bytes.first() != Some(&b'.') && !memchr::memchr_iter(b'/', bytes).any(odd) {
        return Some(Cow::Borrowed(name));
    }
    let parts = name.split('/').filter(|part| !matches!(*part, "" | "."));
    let parts: Vec<&str> = parts.collect();
    (!parts.contains(&"..")).then(|| Cow::Owned(parts.join("/")))
}

/// Whether a name starts at a root of its own.
pub fn absolute(name: &str) -> bool {
    let drive = |name: &[u8]| matches!(name, [b'a'..=b'z' | b'A'..=b'Z', b':', b'/' | b'\\', ..]);
    name.starts_with(['/', '\\']) || drive(name.as_bytes())
}

/// How many names stand for several members, be it a file and a directory.
pub fn duplicates(catalogue: &Catalogue) -> usize {
    // Numbers are sorted faster than names; those that fall together are
    // looked at. Directories may be told again and again.
    let members = catalogue.members.iter();
    let names = members.filter(|member| member.kind != MemberKind::Directory);
    let names = names.filter_map(|member| normal(&member.name));
    let names = names.filter(|name| !name.is_empty());
    let mut names: Vec<(u32, Cow<'_, str>)> = names
        .map(|name| (xxh32(name.as_bytes(), 0), name))
        .collect();
    names.sort_unstable();
    let mut several: Vec<&str> = names
        .windows(2)
        .filter_map(|pair| match pair {
            [a, b] if a == b => Some(&*a.1),
            _ => None,
        })
        .collect();
    several.dedup();
    several.len()
}

/// What stands under a name in a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Child {
    /// A directory.
    Directory,
    /// A file of so many bytes.
    File(u64),
    /// A link, and where it leads, if that is known.
    Link(Option<String>),
    /// Another name of a file.
    HardLink(String),
    /// Something else.
    Other,
}

/// The children of a directory, directories first, and each kind by name.
pub type Children = BTreeMap<(bool, String), Child>;

/// The children of a directory, the root being the empty name; none if there is
/// no such directory. Names that lead out of the archive stand in the root as
/// they are written.
pub fn children(catalogue: &Catalogue, directory: &str) -> Children {
    let mut children = Children::new();
    let mut add = |name: &str, child: Child| {
        let key = (child != Child::Directory, name.to_owned());
        let entry = children.entry(key);
        if catalogue.last_counts {
            entry.insert_entry(child);
        } else {
            entry.or_insert(child);
        }
    };
    // Members of one directory follow each other.
    let mut known = String::new();
    for member in &catalogue.members {
        let child = || Child::of(&member.kind, member.size);
        let Some(name) = normal(&member.name) else {
            if directory.is_empty() {
                add(&member.name, child());
            }
            continue;
        };
        match below(&name, directory).map(|rest| rest.split_once('/').ok_or(rest)) {
            None => {}
            // A file without a name is listed, though nothing leads to it.
            Some(Err("")) if !directory.is_empty() || member.kind == MemberKind::Directory => {}
            Some(Err("")) => add("", child()),
            Some(Ok((first, _))) if first == known => {}
            Some(Ok((first, _))) => {
                first.clone_into(&mut known);
                add(first, Child::Directory);
            }
            Some(Err(last)) => add(last, child()),
        }
    }
    children
}

/// Whether there is a directory of this name.
pub fn is_directory(catalogue: &Catalogue, directory: &str) -> bool {
    let mut members = catalogue.members.iter();
    members.any(|member| {
        let name = normal(&member.name);
        match name.as_deref().and_then(|name| below(name, directory)) {
            Some("") => member.kind == MemberKind::Directory,
            rest => rest.is_some(),
        }
    })
}

/// What a name says behind that of a directory.
fn below<'n>(name: &'n str, directory: &str) -> Option<&'n str> {
    if directory.is_empty() {
        return Some(name);
    }
    let rest = name.strip_prefix(directory)?;
    if rest.is_empty() {
        return Some(rest);
    }
    rest.strip_prefix('/')
}

impl Child {
    fn of(kind: &MemberKind, size: u64) -> Self {
        match kind {
            MemberKind::File => Self::File(size),
            MemberKind::Directory => Self::Directory,
            MemberKind::Link(target) => Self::Link(target.clone()),
            MemberKind::HardLink(target) => Self::HardLink(target.clone()),
            MemberKind::Other => Self::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_lead_out_have_no_meaning() {
        for (name, expected) in [
            ("a/b", Some("a/b")),
            ("./a//b/", Some("a/b")),
            ("a/./b", Some("a/b")),
            ("/a", Some("a")),
            ("//a//b/", Some("a/b")),
            ("/./a", Some("a")),
            ("/", Some("")),
            ("/../a", None),
            ("\\a", Some("\\a")),
            ("C:\\a", Some("C:\\a")),
            ("c:/a", Some("c:/a")),
            ("a:b/c", Some("a:b/c")),
            ("../a", None),
            ("a/../b", None),
            ("a..b", Some("a..b")),
        ] {
            assert_eq!(normal(name).as_deref(), expected, "{name}");
        }
    }

    #[test]
    fn code_page_437_has_all_its_characters() {
        let upper: String = (128..=255).map(cp437).collect();
        assert_eq!(upper.chars().count(), 128);
        assert!(upper.starts_with("Çüé") && upper.ends_with("²■\u{a0}"));
        assert_eq!((cp437(b'a'), cp437(0xe1)), ('a', 'ß'));
    }
}
