//! Names of members: their encoding, their normal form, and the directory tree that they
//! form.

use super::index::{Index, MemberKind};
use crate::cp437;
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{WINDOWS_1250, WINDOWS_1252, WINDOWS_1254, WINDOWS_1257};
use omniread_document::order;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use xxhash_rust::xxh32::xxh32;

/// Converts the bytes of a name to text. Also returns the bytes if they are not UTF-8.
pub fn text(bytes: &[u8]) -> (String, Option<Vec<u8>>) {
    match std::str::from_utf8(bytes) {
        Ok(name) => (name.to_owned(), None),
        Err(_) => {
            let name = String::from_utf8_lossy(bytes).into_owned();
            (name, Some(bytes.to_vec()))
        }
    }
}

/// The bytes of a field up to the first NUL.
pub fn field(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().position(|byte| *byte == 0);
    bytes.get(..end.unwrap_or(bytes.len())).unwrap_or_default()
}

/// Parses a field of digits. Spaces around the digits are ignored, and an empty field is 0. `None`
/// if the field is missing or invalid.
pub fn number(field: Option<&[u8]>, radix: u32) -> Option<u64> {
    let text = std::str::from_utf8(field?).ok()?.trim();
    if text.is_empty() {
        return Some(0);
    }
    u64::from_str_radix(text, radix).ok()
}

/// Decodes member names that are not in UTF-8, as older programs write them. The encoding is
/// guessed from all these names together.
pub fn decode(index: &mut Index) {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    let raw = index.members.iter().filter_map(|m| m.raw.as_ref());
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
    // The detector does not know code page 437. It reports a Latin code page of Windows
    // instead, which DOS programs do not use.
    let latin = [WINDOWS_1250, WINDOWS_1252, WINDOWS_1254, WINDOWS_1257].contains(&guess);
    let dos = index.dos_names && latin;
    for member in &mut index.members {
        if let Some(raw) = &member.raw {
            member.name = if dos {
                raw.iter().map(|byte| cp437::decode(*byte)).collect()
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
    index.notes.push(format!("names in {name} (guessed)"));
}

/// The normal form of a name: its parts with `/` between them, without empty parts and `.`. A name
/// that starts with `/` is relative to the root of the archive, as in tar and unzip. `None` if the
/// name contains `..`.
pub fn normalized(name: &str) -> Option<Cow<'_, str>> {
    // Most names are in normal form, and there may be a million of them.
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

/// Whether the name is absolute, on Unix or on Windows.
pub fn absolute(name: &str) -> bool {
    let drive = |name: &[u8]| matches!(name, [b'a'..=b'z' | b'A'..=b'Z', b':', b'/' | b'\\', ..]);
    name.starts_with(['/', '\\']) || drive(name.as_bytes())
}

/// The number of names that several members have.
pub fn duplicates(index: &Index) -> usize {
    // Hashes sort faster than names, and names with equal hashes are compared. Directories are ignored, because an
    // archive may list a directory several times.
    let name = |place: usize| {
        let member = index.members.get(place)?;
        let named = (member.kind != MemberKind::Directory).then_some(&member.name)?;
        normalized(named).filter(|name| !name.is_empty())
    };
    let mut hashes: Vec<u64> = (0..index.members.len())
        .filter_map(|place| {
            let hash = u64::from(xxh32(name(place)?.as_bytes(), 0));
            Some((hash << 32) | u64::from(u32::try_from(place).ok()?))
        })
        .collect();
    hashes.sort_unstable();
    let mut several = 0usize;
    for same in hashes.chunk_by(|a, b| a >> 32 == b >> 32) {
        if same.len() < 2 {
            continue;
        }
        let places = same
            .iter()
            .filter_map(|key| usize::try_from(key & u64::from(u32::MAX)).ok());
        let mut names: Vec<Cow<'_, str>> = places.filter_map(name).collect();
        order::by(&mut names, Cow::cmp);
        let groups = names.chunk_by(|a, b| a == b);
        several = several.saturating_add(groups.filter(|group| group.len() > 1).count());
    }
    several
}

/// An entry of a directory in an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Child {
    /// A directory.
    Directory,
    /// A file, and its size in bytes.
    File(u64),
    /// A symbolic link, and its target if it is known.
    Link(Option<String>),
    /// A hard link. Contains the name of the member that it links to.
    HardLink(String),
    /// Another type, such as a device.
    Other,
}

/// The entries of a directory: directories first, then the others, each sorted by name.
pub type Children = BTreeMap<(bool, String), Child>;

/// The entries of `directory`, which is empty for the root. The result is empty if the directory
/// does not exist. Names that contain `..` are listed in the root as they are written.
pub fn children(index: &Index, directory: &str) -> Children {
    let mut children = Children::new();
    let mut add = |name: &str, child: Child| {
        let key = (child != Child::Directory, name.to_owned());
        let entry = children.entry(key);
        if index.last_duplicate_wins {
            entry.insert_entry(child);
        } else {
            entry.or_insert(child);
        }
    };
    // Members of one directory are usually adjacent.
    let mut known = String::new();
    let mut directories: BTreeSet<String> = BTreeSet::new();
    for member in &index.members {
        let child = || Child::of(&member.kind, member.size);
        let Some(name) = normalized(&member.name) else {
            if directory.is_empty() {
                add(&member.name, child());
            }
            continue;
        };
        match below(&name, directory).map(|rest| rest.split_once('/').ok_or(rest)) {
            None => {}
            // A file without a name is listed, although no path leads to it.
            Some(Err("")) if !directory.is_empty() || member.kind == MemberKind::Directory => {}
            Some(Err("")) => add("", child()),
            Some(Ok((first, _))) if first == known => {}
            Some(Ok((first, _))) => {
                first.clone_into(&mut known);
                if !directories.contains(first) {
                    directories.insert(first.to_owned());
                    add(first, Child::Directory);
                }
            }
            Some(Err(last)) => add(last, child()),
        }
    }
    children
}

/// Whether a directory with this name exists.
pub fn is_directory(index: &Index, directory: &str) -> bool {
    let mut members = index.members.iter();
    members.any(|member| {
        let name = normalized(&member.name);
        match name.as_deref().and_then(|name| below(name, directory)) {
            Some("") => member.kind == MemberKind::Directory,
            rest => rest.is_some(),
        }
    })
}

/// The part of `name` after `directory` and a slash. Empty if `name` is the directory itself, and
/// `None` if it is outside the directory.
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
            MemberKind::Symlink(target) => Self::Link(target.clone()),
            MemberKind::HardLink(target) => Self::HardLink(target.clone()),
            MemberKind::Other => Self::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_normalize_and_outside_names_are_none() {
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
            assert_eq!(normalized(name).as_deref(), expected, "{name}");
        }
    }
}
