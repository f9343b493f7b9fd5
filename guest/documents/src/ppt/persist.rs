//! The objects of the stream `PowerPoint Document`: saves, and where each object is ([MS-PPT] 2.3).

use crate::limits;
use crate::ole::art::{self, Record};
use crate::ole::u32_at;
use std::collections::{BTreeMap, BTreeSet};

/// The document.
pub const DOCUMENT: u16 = 0x03e8;
/// A slide.
pub const SLIDE: u16 = 0x03ee;
/// A save.
const USER_EDIT: u16 = 0x0ff5;
/// Where objects are.
const DIRECTORY: u16 = 0x1772;

/// The positions of the objects.
#[derive(Default)]
pub struct Objects {
    places: BTreeMap<u32, usize>,
    /// The document.
    pub document: Option<usize>,
    /// The objects are encrypted.
    pub is_encrypted: bool,
    /// The number of the object that describes the encryption.
    pub session: Option<u32>,
}

impl Objects {
    /// Reads the saves from the last to the first. Newer positions take precedence.
    pub fn read(stream: &[u8], current: &[u8]) -> Self {
        let mut objects = Self {
            // The magic number of an encrypted presentation.
            is_encrypted: u32_at(current, 12) == Some(0xf3d1_c4df),
            ..Self::default()
        };
        let mut seen = BTreeSet::new();
        let mut next = u32_at(current, 16);
        while let Some(at) = next.and_then(|next| usize::try_from(next).ok())
            && seen.insert(at)
            && seen.len() < limits::PARTS
            && let Some(edit) = art::record_at(stream, at)
            && edit.kind == USER_EDIT
        {
            next = u32_at(edit.content, 8).filter(|next| *next != 0);
            // Encrypted presentations have one more number, the place of the key.
            let session = u32_at(edit.content, 28).filter(|id| *id != 0);
            objects.is_encrypted |= session.is_some();
            objects.session = objects.session.or(session);
            let directory = u32_at(edit.content, 12).and_then(|it| usize::try_from(it).ok());
            if let Some(directory) = directory.and_then(|at| art::record_at(stream, at))
                && directory.kind == DIRECTORY
            {
                objects.add(directory.content);
            }
            if objects.document.is_none()
                && let Some(id) = u32_at(edit.content, 16)
            {
                objects.document = objects.places.get(&id).copied();
            }
        }
        objects
    }

    fn add(&mut self, mut list: &[u8]) {
        while let Some(head) = u32_at(list, 0) {
            let first = head & 0xf_ffff;
            let count = usize::try_from(head >> 20).unwrap_or(0);
            list = list.get(4..).unwrap_or_default();
            for (index, id) in (0..count).zip(first..) {
                let Some(place) = u32_at(list, index.saturating_mul(4)) else {
                    return;
                };
                let place = usize::try_from(place).unwrap_or(usize::MAX);
                self.places.entry(id).or_insert(place);
            }
            list = list.get(count.saturating_mul(4)..).unwrap_or_default();
        }
    }

    /// Lists the objects with their numbers and positions.
    pub fn places(&self) -> impl Iterator<Item = (u32, usize)> {
        self.places.iter().map(|(id, place)| (*id, *place))
    }

    /// Returns an object.
    pub fn get<'s>(&self, stream: &'s [u8], id: u32) -> Option<Record<'s>> {
        art::record_at(stream, *self.places.get(&id)?)
    }
}

/// Returns the last record of a type that is not inside another.
pub fn last(stream: &[u8], kind: u16) -> Option<usize> {
    let found = art::records(stream).filter(|record| record.kind == kind);
    found.last().map(|record| record.at)
}
