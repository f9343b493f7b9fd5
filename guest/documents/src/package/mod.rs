//! The parts of a package in memory, within limits: Open Packaging Conventions. A package is a zip archive
//! or one XML file.
//!
//! ```text
//! zip            the directory and the decompression of members
//! flat           packages in one XML file
//! word2003       documents in the XML of Word 2003 → the parts of a package
//! foreign        bytes that are no package
//! stored         parts in memory, of packages that are no zip archive
//! part           the content of a part
//! pieces         the content of a large part, piece by piece
//! names          names of parts
//! relationships  what parts refer to
//! metadata       title, author and dates
//! images         the numbers of the images of a document
//! ```
//!
//! Names of parts have no `/` at the start, and their case does not matter. A damaged part is
//! returned up to the damage. If the directory of the package is damaged, its local headers are
//! used.

mod flat;
mod foreign;
mod images;
pub mod metadata;
mod names;
mod part;
mod pieces;
mod relationships;
mod stored;
#[cfg(test)]
mod tests;
mod word2003;
mod zip;

pub use images::Images;
pub use names::join;
pub use part::{LEFT_OUT, Part, is_limit};
pub use pieces::{Pieces, last_end};
pub use relationships::{LONG_LINKS, Relationship, Relationships};
pub use zip::inflate;

use crate::xml::{Tree, is_xml};
use crate::{Error, limits};
use flate2::Decompress;
use percent_encoding::percent_decode_str;
use std::borrow::Cow;
use std::collections::BTreeMap;
use stored::Parts;
use zip::Member;

/// A package and the list of its parts.
pub struct Package {
    bytes: Vec<u8>,
    /// Parts by name in lowercase.
    members: BTreeMap<String, Content>,
    /// Content types by extension (`png`) or name of a part (`/word/document.xml`), in lowercase.
    types: BTreeMap<String, String>,
    /// The decompressor of the parts.
    stream: Decompress,
    /// Parts that are read once more, and how many bytes they may still have.
    kept: BTreeMap<String, Part>,
    room: usize,
    /// The relationships of the package itself, if they were read, and the size of their part.
    root: Option<(Relationships, usize)>,
    /// The bytes that are decompressed so far.
    spent: usize,
    notes: Vec<String>,
}

/// Where a part is.
enum Content {
    /// In the zip archive.
    Member(Member),
    /// In memory, with its name.
    Stored(String, Vec<u8>),
}

impl Content {
    fn name(&self) -> &str {
        match self {
            Self::Member(member) => &member.name,
            Self::Stored(name, _) => name,
        }
    }
}

impl Package {
    /// Reads the directory and the content types of a package.
    ///
    /// # Errors
    /// Fails if the bytes are encrypted, have another format, or contain no part.
    pub fn open(bytes: Vec<u8>) -> Result<Self, Error> {
        if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > limits::DOCUMENT_BYTES {
            return Err(Error::exhausted("document size"));
        }
        if is_xml(&bytes)
            && let Some(parts) = flat::parts(&bytes)
        {
            return Ok(Self::stored(parts));
        }
        if let Some(error) = foreign::foreign(&bytes) {
            return Err(error);
        }
        let mut notes = Vec::new();
        let mut members = match zip::directory(&bytes) {
            Ok(members) => members,
            Err(why) => {
                let members = zip::local_headers(&bytes);
                if members.is_empty() {
                    return Err(Error::Damaged(format!("not a zip package: {why}")));
                }
                notes.push(format!(
                    "The directory of the package is damaged ({why}). The parts were found by \
                     their headers."
                ));
                members
            }
        };
        if members.len() >= limits::PARTS {
            notes.push(format!(
                "The package has more than {} parts. The others are ignored.",
                limits::PARTS
            ));
        }
        let mut by_name = BTreeMap::new();
        for member in members.drain(..) {
            by_name.insert(member.name.to_lowercase(), Content::Member(member));
        }
        let mut package = Self {
            bytes,
            members: by_name,
            types: BTreeMap::new(),
            stream: Decompress::new(false),
            kept: BTreeMap::new(),
            room: limits::KEPT_BYTES,
            root: None,
            spent: 0,
            notes,
        };
        package.read_types();
        Ok(package)
    }

    /// A package of parts in memory.
    fn stored(parts: Parts) -> Self {
        let mut notes = parts.notes;
        if parts.list.len() > limits::PARTS {
            notes.push(format!(
                "The package has more than {} parts. The others are ignored.",
                limits::PARTS
            ));
        }
        let list = parts.list.into_iter().take(limits::PARTS);
        let members = list.map(|(name, bytes)| (name.to_lowercase(), Content::Stored(name, bytes)));
        let types = parts.types.into_iter();
        Self {
            bytes: Vec::new(),
            members: members.collect(),
            types: types
                .map(|(name, kind)| (format!("/{}", name.to_lowercase()), kind))
                .collect(),
            stream: Decompress::new(false),
            kept: BTreeMap::new(),
            room: 0,
            root: None,
            spent: 0,
            notes,
        }
    }

    /// Notes on the package as a whole.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Returns whether the package has the part.
    pub fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// Lists the names of the parts, sorted by their lowercase form.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.members.values().map(Content::name)
    }

    /// Returns the content type of a part.
    pub fn content_type(&self, name: &str) -> Option<&str> {
        let name = name.to_lowercase();
        let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
        let found = self.types.get(&format!("/{name}"));
        found
            .or_else(|| self.types.get(extension))
            .map(String::as_str)
    }

    /// Reads a part. `None` if there is no such part.
    pub fn part(&mut self, name: &str) -> Option<Part> {
        self.part_within(name, limits::PART_BYTES)
    }

    /// Reads a part, of which at most `most` bytes are decompressed.
    pub fn part_within(&mut self, name: &str, most: usize) -> Option<Part> {
        let most = most.min(limits::PACKAGE_BYTES.saturating_sub(self.spent));
        let part = match self.take_kept(name, most) {
            Some(part) => part,
            None => match self.members.get(&*key(name))? {
                Content::Member(member) => zip::read(&self.bytes, member, most, &mut self.stream),
                Content::Stored(_, bytes) => zip::within(bytes, most),
            },
        };
        self.spent = self.spent.saturating_add(part.bytes.len());
        Some(part)
    }

    /// Keeps a part that is read once more, if it is complete and there is room for it.
    pub fn keep(&mut self, name: &str, part: Part) {
        let room = self.room.checked_sub(part.bytes.len());
        if let Some(room) = room.filter(|_| part.damage.is_none()) {
            self.room = room;
            self.kept.insert(name.to_owned(), part);
        }
    }

    /// Takes a part that was kept, if it has at most `most` bytes.
    fn take_kept(&mut self, name: &str, most: usize) -> Option<Part> {
        let size = self.kept.get(name)?.bytes.len();
        if size > most {
            return None;
        }
        self.room = self.room.saturating_add(size);
        self.kept.remove(name)
    }

    /// Starts to read a part in pieces. `None` if there is no such part, or if it cannot be
    /// read so.
    fn stream(&self, name: &str) -> Option<zip::Stream> {
        match self.find(name)? {
            Content::Member(member) => zip::Stream::new(member),
            Content::Stored(..) => None,
        }
    }

    /// Reads the next bytes of a part.
    fn read_on(&self, name: &str, stream: &mut zip::Stream, out: &mut Vec<u8>) {
        if let Some(Content::Member(member)) = self.find(name) {
            stream.read(&self.bytes, member, out);
        }
    }

    /// Reads the relationships of a part. The name is empty for the package itself.
    pub fn relationships(&mut self, name: &str) -> Relationships {
        // Several functions need those of the package.
        if name.is_empty()
            && let Some((found, size)) = &self.root
            && self.spent.saturating_add(*size) <= limits::PACKAGE_BYTES
        {
            self.spent = self.spent.saturating_add(*size);
            return found.clone();
        }
        let (folder, file) = name.rsplit_once('/').unwrap_or(("", name));
        let slash = if folder.is_empty() { "" } else { "/" };
        let name = format!("{folder}{slash}_rels/{file}.rels");
        let Some(part) = self.part_within(&name, limits::LIST_BYTES) else {
            return Relationships::default();
        };
        let found = Relationships::read(&part, |target| self.resolve(folder, target));
        if name == "_rels/.rels" {
            self.root = Some((found.clone(), part.bytes.len()));
        }
        found
    }

    /// Returns the name of the part to which a target in a folder refers.
    pub fn resolve(&self, folder: &str, target: &str) -> String {
        let target = target.split('#').next().unwrap_or_default().trim();
        let name = join(folder, target);
        if !self.has(&name) && name.contains('%') {
            let decoded = percent_decode_str(&name).decode_utf8_lossy();
            if self.has(&decoded) {
                return decoded.into_owned();
            }
        }
        name
    }

    fn find(&self, name: &str) -> Option<&Content> {
        self.members.get(&*key(name))
    }

    fn read_types(&mut self) {
        let Some(part) = self.part_within("[Content_Types].xml", limits::LIST_BYTES) else {
            return;
        };
        let text = crate::xml::decode(&part.bytes);
        let tree = Tree::parse(&text);
        for entry in tree.root().children().take(limits::PARTS) {
            let key = entry.attr("Extension").or_else(|| entry.attr("PartName"));
            if let (Some(key), Some(value)) = (key, entry.attr("ContentType")) {
                self.types.insert(key.to_lowercase(), value.to_owned());
            }
        }
    }
}

/// The key of a part in the list of members: its name in lowercase.
fn key(name: &str) -> Cow<'_, str> {
    let name = name.trim_start_matches('/');
    let is_lowercase = |byte: u8| byte.is_ascii() && !byte.is_ascii_uppercase();
    if name.bytes().all(is_lowercase) {
        Cow::Borrowed(name)
    } else {
        Cow::Owned(name.to_lowercase())
    }
}
