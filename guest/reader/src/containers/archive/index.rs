//! The members of an archive, as it lists them.

use crate::limits;
use crate::world::{Info, Time};

/// The type of a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MemberKind {
    /// A file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link and its target, relative to the directory of the link. `None` if
    /// the target is not known.
    Symlink(Option<String>),
    /// A hard link. Contains the name of the member that it links to.
    HardLink(String),
    /// Another type, such as a device.
    Other,
}

impl MemberKind {
    /// Whether the member is a symbolic link or a hard link.
    pub fn is_link(&self) -> bool {
        matches!(self, Self::Symlink(_) | Self::HardLink(_))
    }
}

/// A member as an archive lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The name as text, before it is normalized.
    pub name: String,
    /// The bytes of the name, if they are not UTF-8.
    pub raw: Option<Vec<u8>>,
    /// The type of the member.
    pub kind: MemberKind,
    /// Size in bytes, as the archive states it.
    pub size: u64,
    /// Time of the last change.
    pub modified: Option<Time>,
}

impl Member {
    /// The metadata of the member.
    pub fn info(&self) -> Info {
        Info {
            size: Some(self.size),
            modified: self.modified,
            ..Info::default()
        }
    }
}

/// The members of an archive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Index {
    /// The members, in the order of the archive.
    pub members: Vec<Member>,
    /// Notes about the archive.
    pub notes: Vec<String>,
    /// Whether a name that is not UTF-8 may be in code page 437, because it was written by a DOS
    /// program.
    pub dos_names: bool,
    /// Whether the last of several members with one name is used. Otherwise, the first is used.
    pub last_duplicate_wins: bool,
    /// Whether there may be further members that are not listed.
    pub incomplete: bool,
    /// The number of members that deny rules remove from listings.
    pub denied_members: u64,
}

impl Index {
    /// Marks the list as incomplete and notes the reason.
    pub fn mark_incomplete(&mut self, why: &impl ToString) {
        self.incomplete = true;
        self.notes.push(why.to_string());
    }

    /// Marks the list as incomplete, because it has the maximum number of members.
    pub fn cut_at_limit(&mut self) {
        let limit = limits::ARCHIVE_MEMBERS;
        self.mark_incomplete(&format!("more than {limit} members; the rest is left out"));
    }
}
