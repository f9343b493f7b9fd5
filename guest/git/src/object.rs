//! The content of objects: trees, commits and tags.

use crate::error::Error;
use crate::id::{Algorithm, Id};
use crate::kind::ObjectKind;
use std::str;

/// An object, whose content was compared with its id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// The id.
    pub id: Id,
    /// The kind.
    pub kind: ObjectKind,
    /// The content.
    pub content: Vec<u8>,
}

/// What an entry of a tree is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// A file.
    File,
    /// A file that is a program.
    Program,
    /// A symlink, whose target is the content.
    Symlink,
    /// A directory.
    Directory,
    /// A submodule. The id is a commit of another repository.
    Submodule,
}

impl Mode {
    /// The mode with octal digits, as in a tree. Old versions of git wrote other permissions.
    fn from_digits(digits: &[u8]) -> Option<Self> {
        let text = str::from_utf8(digits).ok()?;
        let mode = u32::from_str_radix(text, 8).ok()?;
        match mode & 0o170_000 {
            0o100_000 if mode & 0o100 != 0 => Some(Self::Program),
            0o100_000 => Some(Self::File),
            0o120_000 => Some(Self::Symlink),
            0o040_000 => Some(Self::Directory),
            0o160_000 => Some(Self::Submodule),
            _ => None,
        }
    }
}

/// An entry of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry<'t> {
    /// What it is.
    pub mode: Mode,
    /// The name, which need not be UTF-8.
    pub name: &'t [u8],
    /// The object.
    pub id: Id,
}

impl Entry<'_> {
    /// Whether a checkout could have this name. Others (`..`, `.git`, names with a slash) are made to write
    /// outside of a checkout.
    pub fn is_safe(&self) -> bool {
        let is_special = matches!(self.name, b"" | b"." | b"..");
        let is_git = self.name.eq_ignore_ascii_case(b".git");
        !(is_special || is_git || self.name.contains(&b'/'))
    }
}

/// The entries of a tree, in its order: sorted by their bytes, as if directories ended in a slash.
pub struct Entries<'t> {
    id: Id,
    rest: &'t [u8],
}

/// The entries of a tree.
pub fn entries(tree: &Object) -> Entries<'_> {
    Entries {
        id: tree.id,
        rest: &tree.content,
    }
}

impl<'t> Iterator for Entries<'t> {
    type Item = Result<Entry<'t>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let rest = std::mem::take(&mut self.rest);
        let Some((entry, rest)) = entry(rest, self.id.algorithm()) else {
            let what = format_args!("the tree {}", self.id);
            return Some(Err(Error::damaged(what, "an entry is not valid")));
        };
        self.rest = rest;
        Some(Ok(entry))
    }
}

/// An entry at the start of bytes, and the bytes after it: the mode, a space, the name, a zero and the id.
fn entry(bytes: &[u8], algorithm: Algorithm) -> Option<(Entry<'_>, &[u8])> {
    let zero = bytes.iter().position(|byte| *byte == 0)?;
    let (header, rest) = bytes.split_at_checked(zero)?;
    let space = header.iter().position(|byte| *byte == b' ')?;
    let (mode, name) = header.split_at_checked(space)?;
    let (id, rest) = rest.get(1..)?.split_at_checked(algorithm.bytes())?;
    let entry = Entry {
        mode: Mode::from_digits(mode)?,
        name: name.get(1..)?,
        id: Id::from_bytes(algorithm, id)?,
    };
    Some((entry, rest))
}

/// A person and a time: `Ann <ann@example.com> 1700000000 +0100`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The name of the person.
    pub name: String,
    /// The seconds since 1970. `None` if they are not a number.
    pub seconds: Option<i64>,
    /// The difference from UTC: `+0100`.
    pub zone: String,
}

impl Signature {
    fn parse(line: &[u8]) -> Self {
        let line = String::from_utf8_lossy(line);
        let (person, time) = line.rsplit_once('>').unwrap_or((&line, ""));
        let name = person.split('<').next().unwrap_or_default();
        let mut time = time.split_ascii_whitespace();
        Self {
            name: name.trim().to_owned(),
            seconds: time.next().and_then(|seconds| seconds.parse().ok()),
            zone: time.next().unwrap_or("+0000").to_owned(),
        }
    }
}

/// The facts of a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit {
    /// The id.
    pub id: Id,
    /// The tree.
    pub tree: Id,
    /// The parents.
    pub parents: Vec<Id>,
    /// The author.
    pub author: Option<Signature>,
    /// The first line of the message.
    pub subject: String,
}

/// The lines of a header, up to the empty line, each with its key. A line that starts with a space continues
/// another.
fn header(content: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let lines = content.split(|byte| *byte == b'\n');
    let lines = lines.take_while(|line| !line.is_empty());
    lines.filter_map(|line| {
        let space = line.iter().position(|byte| *byte == b' ')?;
        let (key, value) = line.split_at_checked(space)?;
        Some((key, value.get(1..)?)).filter(|(key, _)| !key.is_empty())
    })
}

fn id(algorithm: Algorithm, digits: &[u8]) -> Option<Id> {
    Id::from_hex(algorithm, str::from_utf8(digits).ok()?)
}

/// The facts of a commit.
///
/// # Errors
/// Fails if it has no tree.
pub fn commit(object: &Object) -> Result<Commit, Error> {
    let algorithm = object.id.algorithm();
    let damaged = |why: &str| Error::damaged(format_args!("the commit {}", object.id), why);
    let mut tree = None;
    let mut author = None;
    let mut parents = Vec::new();
    for (key, value) in header(&object.content) {
        match key {
            b"tree" if tree.is_none() => tree = id(algorithm, value),
            b"parent" => {
                parents.push(id(algorithm, value).ok_or_else(|| damaged("a parent is not an id"))?);
            }
            b"author" if author.is_none() => author = Some(Signature::parse(value)),
            _ => {}
        }
    }
    let message = object.content.windows(2).position(|two| two == b"\n\n");
    let message = message.and_then(|at| object.content.get(at.saturating_add(2)..));
    let subject = message
        .unwrap_or_default()
        .split(|byte| *byte == b'\n')
        .find(|line| !line.trim_ascii().is_empty())
        .unwrap_or_default();
    Ok(Commit {
        id: object.id,
        tree: tree.ok_or_else(|| damaged("it has no tree"))?,
        parents,
        author,
        subject: String::from_utf8_lossy(subject.trim_ascii()).into_owned(),
    })
}

/// The object that an annotated tag names, and its kind.
///
/// # Errors
/// Fails if it names none.
pub fn tagged(object: &Object) -> Result<(Id, ObjectKind), Error> {
    let mut target = None;
    let mut kind = None;
    for (key, value) in header(&object.content) {
        match key {
            b"object" if target.is_none() => target = id(object.id.algorithm(), value),
            b"type" if kind.is_none() => kind = ObjectKind::from_name(value),
            _ => {}
        }
    }
    target.zip(kind).ok_or_else(|| {
        let what = format_args!("the tag {}", object.id);
        Error::damaged(what, "it does not name an object")
    })
}
