//! Documents that are handed out as they are.

use crate::answer::{Given, Media, Withheld};
use crate::pages::Input;
use crate::sniff::PDF;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// Hands out an attachment of at most `limit` bytes. `size` is what the filesystem
/// tells.
pub fn read(input: &mut Input<'_>, size: Option<u64>, limit: u64) -> Media {
    let too_large = size.is_some_and(|size| size > limit);
    let bytes = if too_large {
        Vec::new()
    } else {
        input.first(limit.saturating_add(1))
    };
    let length = bytes.len() as u64;
    let given = if too_large || length > limit {
        Err(Withheld::Bytes(limit))
    } else {
        Ok(Given {
            mime: PDF.mime,
            data: STANDARD.encode(&bytes),
            bytes: length,
            size: None,
            untouched: true,
        })
    };
    Media {
        format: &PDF,
        bytes: given.as_ref().map(|given| given.bytes).ok().or(size),
        facts: None,
        given,
    }
}
