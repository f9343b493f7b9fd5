//! Attachments: documents whose bytes are returned unchanged.

use crate::answer::{Media, NotShown, Payload};
use crate::pages::Input;
use crate::sniff::PDF;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::borrow::Cow;

/// Reads an attachment, which is a PDF document. If it has more than `limit` bytes, the payload is
/// an error in place of the bytes. `size` is the size in bytes that the filesystem reports.
pub fn read(input: &mut Input<'_>, size: Option<u64>, limit: u64) -> Media {
    let too_large = size.is_some_and(|size| size > limit);
    let bytes = if too_large {
        Cow::default()
    } else {
        input.first(limit.saturating_add(1))
    };
    let length = bytes.len() as u64;
    let payload = if too_large || length > limit {
        Err(NotShown::Bytes(limit))
    } else {
        Ok(Payload {
            mime: PDF.mime,
            data: STANDARD.encode(&bytes),
            bytes: length,
            size: None,
            passthrough: true,
            is_half: false,
        })
    };
    Media {
        format: &PDF,
        bytes: payload.as_ref().map(|payload| payload.bytes).ok().or(size),
        facts: None,
        payload,
    }
}
