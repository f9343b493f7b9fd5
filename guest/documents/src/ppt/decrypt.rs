//! Encrypted presentations ([MS-PPT] 2.3.7): each object is encrypted with a key of its own.

use super::persist::Objects;
use crate::Error;
use crate::ole::art::{self, BSE};
use crate::ole::{rc4, u32_at};
use std::collections::BTreeMap;

/// The description of the encryption.
const SESSION: u16 = 0x2f14;

/// The size of the header of a record.
const HEADER: usize = 8;

/// The password with which PowerPoint encrypts presentations that a user only protects from changes.
const DEFAULT_PASSWORD: &str = "/01Hannes Ruescher/01";

/// Decrypts the objects and the images. `objects` are those of the stream.
///
/// # Errors
/// Fails if the password is missing or wrong, or if the encryption has another kind.
pub fn decrypt(
    objects: &Objects,
    stream: &mut [u8],
    pictures: &mut [u8],
    password: Option<&str>,
) -> Result<(), Error> {
    let session = objects.session.ok_or(Error::Encrypted)?;
    let header = objects.get(stream, session);
    let header = header
        .filter(|it| it.kind == SESSION)
        .ok_or(Error::Encrypted)?;
    let mut key = Err(Error::Encrypted);
    for password in [password, Some(DEFAULT_PASSWORD)].into_iter().flatten() {
        key = rc4::Key::derive(header.content, Some(password));
        if key.is_ok() {
            break;
        }
    }
    let key = key.map_err(|error| match password {
        Some(_) => error,
        None => Error::Encrypted,
    })?;
    // An object ends where the next one begins, so that no byte is decrypted twice.
    let mut places = BTreeMap::new();
    for (id, place) in objects.places() {
        places.entry(place).or_insert(id);
    }
    let mut ends = places
        .keys()
        .skip(1)
        .copied()
        .collect::<Vec<_>>()
        .into_iter();
    for (place, id) in &places {
        let end = ends.next().unwrap_or(stream.len());
        if *id == session {
            continue;
        }
        let Some(bytes) = stream.get_mut(*place..end.min(stream.len())) else {
            continue;
        };
        let mut head = [0; HEADER];
        for (place, byte) in head.iter_mut().zip(&*bytes) {
            *place = *byte;
        }
        key.apply(*id, &mut head);
        let size = u32_at(&head, 4).and_then(|size| usize::try_from(size).ok());
        let size = size.unwrap_or(usize::MAX).saturating_add(HEADER);
        let size = size.min(bytes.len());
        if let Some(bytes) = bytes.get_mut(..size) {
            key.apply(*id, bytes);
        }
    }
    self::pictures(&key, pictures);
    Ok(())
}

/// Decrypts the images. Each field of a record is encrypted on its own.
fn pictures(key: &rc4::Key, stream: &mut [u8]) {
    let mut at = 0_usize;
    let field = |stream: &mut [u8], at: &mut usize, size: usize| -> Option<()> {
        let end = at.checked_add(size)?.min(stream.len());
        key.apply(0, stream.get_mut(*at..end)?);
        *at = end;
        Some(())
    };
    while at < stream.len() {
        let start = at;
        if field(stream, &mut at, HEADER).is_none() {
            return;
        }
        let Some(mut record) = art::record_at(stream, start) else {
            return;
        };
        let end = at.saturating_add(record.content.len());
        if record.kind == BSE {
            // The fields of an entry, and its name.
            for size in [1, 1, 16, 2, 4, 4, 4, 1, 1, 1, 1] {
                field(stream, &mut at, size);
            }
            let name = stream.get(at.saturating_sub(3)).copied().unwrap_or(0);
            field(stream, &mut at, name.into());
            let inside = at;
            if at >= end || field(stream, &mut at, HEADER).is_none() {
                at = end;
                continue;
            }
            let Some(found) = art::record_at(stream, inside) else {
                return;
            };
            record = found;
        }
        if !matches!(record.kind, 0xf01a..=0xf02a) {
            return;
        }
        let (kind, instance) = (record.kind, record.instance);
        // Identifiers, the header of a metafile or a mark, and the image.
        for _ in 0..=instance & 1 {
            field(stream, &mut at, 16);
        }
        field(stream, &mut at, if kind <= 0xf01c { 34 } else { 1 });
        let rest = end.saturating_sub(at);
        field(stream, &mut at, rest);
        at = end;
    }
}
