//! The errors of the file system.

use crate::bindings::omniread::parts::sandbox;
use crate::bindings::wasi::filesystem::types::ErrorCode;
use crate::world::{FileError, Refusal};

/// The error for an error code of the file system.
pub fn error(code: ErrorCode) -> FileError {
    match code {
        // A name that is too long or not UTF-8 cannot exist here.
        ErrorCode::NoEntry
        | ErrorCode::NotDirectory
        | ErrorCode::NameTooLong
        | ErrorCode::IllegalByteSequence => FileError::NotFound,
        ErrorCode::Loop => FileError::SymlinkLoop,
        ErrorCode::Access
        | ErrorCode::Busy
        | ErrorCode::FileTooLarge
        | ErrorCode::InsufficientMemory => refused(code),
        ErrorCode::NotPermitted | ErrorCode::CrossDevice => FileError::OutsideRoot,
        ErrorCode::WouldBlock => {
            FileError::Other("there is nothing to read without waiting".to_owned())
        }
        code => FileError::Other(message(code).to_owned()),
    }
}

/// The message for an error code of the operating system.
fn message(code: ErrorCode) -> &'static str {
    match code {
        ErrorCode::Invalid | ErrorCode::InvalidSeek | ErrorCode::Overflow => {
            "the operating system does not let it be read like a file"
        }
        ErrorCode::Unsupported => "the filesystem does not support reading it",
        ErrorCode::Io => {
            "the operating system reports an input/output error; its device may be damaged"
        }
        ErrorCode::TextFileBusy | ErrorCode::Already | ErrorCode::InProgress => {
            "another program is using it"
        }
        ErrorCode::NoLock | ErrorCode::Deadlock => "another program has locked it",
        ErrorCode::Quota => "a quota of the operating system was reached",
        ErrorCode::InsufficientSpace => "there is no space left on the device",
        ErrorCode::NoDevice | ErrorCode::NoSuchDevice => "there is no such device",
        ErrorCode::IsDirectory => "it is a directory",
        ErrorCode::BadDescriptor | ErrorCode::NotRecoverable => {
            "it was closed or replaced while it was read"
        }
        ErrorCode::Interrupted => "reading it was interrupted",
        ErrorCode::Pipe => "it is a pipe that nobody writes to",
        ErrorCode::ReadOnly => "the filesystem is read-only",
        ErrorCode::TooManyLinks => "it has too many links",
        _ => "the operating system reports an error that has no meaning for a file",
    }
}

/// The error for a failed call of the file system. If the host refused the call, the error contains
/// the rule or reason that the host reports.
fn refused(code: ErrorCode) -> FileError {
    match (sandbox::refused(), code) {
        (Some(sandbox::Refusal::Denied(rule)), _) => FileError::Refused(Refusal::Denied(rule)),
        (Some(sandbox::Refusal::Size(limit)), _) => FileError::Refused(Refusal::Size(limit)),
        (Some(sandbox::Refusal::Unverified(why)), _) => FileError::Other(format!(
            "its name cannot be checked against the deny rules: {why}"
        )),
        (Some(sandbox::Refusal::Unavailable(what)), _) => FileError::Unavailable(what),
        (None, ErrorCode::InsufficientMemory) => {
            FileError::Unavailable("the system has no memory left".to_owned())
        }
        (None, ErrorCode::Busy) => FileError::Other("another program uses it".to_owned()),
        (None, ErrorCode::FileTooLarge) => FileError::Other("it is too large".to_owned()),
        (None, _) => FileError::Permission,
    }
}
