//! The formats of archives.

use crate::failure::library_message;
use crate::world::FileError;

/// The format of an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// zip, and the formats that are based on it.
    Zip,
    /// tar.
    Tar,
    /// ar, which is also the format of Debian packages.
    Ar,
    /// cpio.
    Cpio,
    /// 7z.
    SevenZip,
}

impl Format {
    /// The format of archives that may follow other data in a file, such as a self-extracting
    /// program. An archive in this format is found by its directory, which is at the end of the
    /// file.
    pub const APPENDED: Self = Self::Zip;

    /// The name of the format, for messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Zip => "zip archive",
            Self::Tar => "tar archive",
            Self::Ar => "ar archive",
            Self::Cpio => "cpio archive",
            Self::SevenZip => "7z archive",
        }
    }
}

/// The error for a damaged archive.
pub fn damaged(format: Format, message: impl std::fmt::Display) -> FileError {
    let message = library_message(message);
    FileError::Other(format!("the {} is damaged: {message}", format.name()))
}
