//! Drawings of Office: shapes with properties, and images ([MS-ODRAW] 2.2).
//!
//! Drawings are records with a header of 8 bytes: the version (4 bits), the instance (12 bits), the type
//! (16 bits) and the size (32 bits). Records of version 15 contain records.

use super::bytes::{u16_at, u32_at};
use crate::codepage;
use crate::limits;
use flate2::read::ZlibDecoder;
use std::io::Read;

/// The group of all drawings of a document.
pub const DGG_CONTAINER: u16 = 0xf000;
/// The list of images.
pub const BSTORE_CONTAINER: u16 = 0xf001;
/// A drawing.
pub const DG_CONTAINER: u16 = 0xf002;
/// A group of shapes. The first shape is the group itself.
pub const SPGR_CONTAINER: u16 = 0xf003;
/// A shape.
pub const SP_CONTAINER: u16 = 0xf004;
/// An entry in the list of images.
pub const BSE: u16 = 0xf007;
/// The identifier and the flags of a shape.
pub const SP: u16 = 0xf00a;
/// Properties of a shape.
pub const OPTIONS: u16 = 0xf00b;
/// The text of a shape, in records of the program.
pub const CLIENT_TEXTBOX: u16 = 0xf00d;
/// The place of a shape in its group.
pub const CHILD_ANCHOR: u16 = 0xf00f;
/// The place of a shape.
pub const CLIENT_ANCHOR: u16 = 0xf010;
/// Records of the program.
pub const CLIENT_DATA: u16 = 0xf011;
/// More properties of a shape.
pub const MORE_OPTIONS: u16 = 0xf122;

/// The property with the number of the image, from 1.
pub const PIB: u16 = 0x0104;
/// The property with the text of a text effect.
pub const EFFECT_TEXT: u16 = 0x00c0;
/// The property with the name of a shape.
pub const NAME: u16 = 0x0380;
/// The property with the alternative text.
pub const DESCRIPTION: u16 = 0x0381;

/// A record.
#[derive(Clone, Copy, Debug)]
pub struct Record<'a> {
    /// The version. 15 for records that contain records.
    pub version: u8,
    /// The instance, whose meaning depends on the type.
    pub instance: u16,
    /// The type.
    pub kind: u16,
    /// The content, up to the end of the stream.
    pub content: &'a [u8],
    /// The position of the header in the bytes that are read.
    pub at: usize,
}

/// The records of a stream, one after the other.
#[derive(Debug)]
pub struct Records<'a> {
    bytes: &'a [u8],
    at: usize,
}

/// Returns the records in bytes.
pub fn records(bytes: &[u8]) -> Records<'_> {
    Records { bytes, at: 0 }
}

impl<'a> Iterator for Records<'a> {
    type Item = Record<'a>;

    fn next(&mut self) -> Option<Record<'a>> {
        let record = record_at(self.bytes, self.at)?;
        self.at = self
            .at
            .saturating_add(8)
            .saturating_add(record.content.len());
        Some(record)
    }
}

/// Reads the record at a position. The content of a cut record ends with the bytes.
pub fn record_at(bytes: &[u8], at: usize) -> Option<Record<'_>> {
    let first = u16_at(bytes, at)?;
    let size = u32_at(bytes, at.saturating_add(4))?;
    let start = at.saturating_add(8);
    let end = start.saturating_add(usize::try_from(size).unwrap_or(usize::MAX));
    let content = bytes.get(start..end.min(bytes.len()))?;
    Some(Record {
        version: u8::try_from(first & 15).unwrap_or(0),
        instance: first >> 4,
        kind: u16_at(bytes, at.saturating_add(2))?,
        content,
        at,
    })
}

impl<'a> Record<'a> {
    /// Returns the records in this record.
    pub fn records(&self) -> Records<'a> {
        records(self.content)
    }

    /// Returns the first record of a type in this record.
    pub fn child(&self, kind: u16) -> Option<Record<'a>> {
        self.records().find(|record| record.kind == kind)
    }
}

/// The properties of a shape.
#[derive(Default)]
pub struct Properties<'a> {
    list: Vec<(u16, u32, &'a [u8])>,
}

impl<'a> Properties<'a> {
    /// Reads the properties of a shape.
    pub fn read(shape: &Record<'a>) -> Self {
        let mut properties = Self::default();
        for record in shape.records() {
            if matches!(record.kind, OPTIONS | MORE_OPTIONS) {
                properties.add(&record);
            }
        }
        properties
    }

    fn add(&mut self, record: &Record<'a>) {
        let count = usize::from(record.instance);
        // The values that do not fit into 4 bytes are after the list.
        let mut data = count.saturating_mul(6);
        for index in 0..count {
            let at = index.saturating_mul(6);
            let (Some(id), Some(value)) = (
                u16_at(record.content, at),
                u32_at(record.content, at.saturating_add(2)),
            ) else {
                return;
            };
            let mut bytes: &[u8] = &[];
            if id & 0x8000 != 0 {
                let end = data.saturating_add(usize::try_from(value).unwrap_or(usize::MAX));
                bytes = record.content.get(data..end).unwrap_or_default();
                data = end;
            }
            self.list.push((id & 0x3fff, value, bytes));
        }
    }

    /// Returns a property that is a number.
    pub fn number(&self, id: u16) -> Option<u32> {
        let found = self.list.iter().find(|(own, _, _)| *own == id);
        found.map(|(_, value, _)| *value)
    }

    /// Returns a property that is a text.
    pub fn text(&self, id: u16) -> Option<String> {
        let (_, _, bytes) = self.list.iter().find(|(own, _, _)| *own == id)?;
        let text = codepage::utf16(bytes);
        let text = text.split('\0').next().unwrap_or_default().trim();
        (!text.is_empty()).then(|| text.to_owned())
    }

    /// Returns the number of the image, from 1.
    pub fn image(&self) -> Option<usize> {
        let number = usize::try_from(self.number(PIB)?).ok()?;
        (number > 0).then_some(number)
    }

    /// Returns the alternative text. It is empty if there is none.
    pub fn alt(&self) -> String {
        let text = self.text(DESCRIPTION).unwrap_or_default();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// Returns the identifier and the flags of a shape.
pub fn identifier(shape: &Record) -> Option<(u32, u32)> {
    let sp = shape.child(SP)?;
    Some((u32_at(sp.content, 0)?, u32_at(sp.content, 4)?))
}

/// Where the bytes of an image in the list of images are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlipPlace {
    /// In the list, at this position of the record's content.
    Inside(usize),
    /// In the stream of images, at this position.
    Outside(usize),
}

/// Lists the images of a `BSTORE_CONTAINER`. `None` for those that are deleted.
pub fn store(container: &Record) -> Vec<Option<BlipPlace>> {
    let entries = container.records().take(limits::IMAGES);
    entries
        .map(|entry| {
            if entry.kind != BSE {
                return is_blip(entry.kind).then_some(BlipPlace::Inside(entry.at));
            }
            if entry.content.len() > 44 {
                return Some(BlipPlace::Inside(entry.at));
            }
            let place = u32_at(entry.content, 28)?;
            let (size, references) = (u32_at(entry.content, 20)?, u32_at(entry.content, 24)?);
            let place = usize::try_from(place).ok()?;
            // Some programs write no size. A deleted image has no references either.
            let is_used = size > 0 || references > 0;
            (is_used && place != 0xffff_ffff).then_some(BlipPlace::Outside(place))
        })
        .collect()
}

/// Returns whether records of a type are images.
fn is_blip(kind: u16) -> bool {
    matches!(kind, 0xf01a..=0xf02a)
}

/// Returns whether there is an image at a position.
pub fn has_image(bytes: &[u8], at: usize) -> bool {
    blip_at(bytes, at).is_some()
}

fn blip_at(bytes: &[u8], at: usize) -> Option<Record<'_>> {
    let record = record_at(bytes, at)?;
    if record.kind == BSE {
        let name = usize::from(*record.content.get(33)?);
        let inside = record_at(record.content, 36_usize.saturating_add(name))?;
        return is_blip(inside.kind).then_some(inside);
    }
    is_blip(record.kind).then_some(record)
}

/// Returns the bytes of the image at a position, as a file of its own: PNG, JPEG, TIFF, BMP, EMF, WMF or
/// PICT.
pub fn image(bytes: &[u8], at: usize) -> Option<Vec<u8>> {
    let record = blip_at(bytes, at)?;
    // Odd instances have a second identifier.
    let start: usize = if record.instance & 1 == 1 { 32 } else { 16 };
    let found = match record.kind {
        // EMF, WMF, PICT: a header of 34 bytes.
        0xf01a..=0xf01c => {
            let header = record.content.get(start..)?;
            let content = header.get(34..)?;
            let is_compressed = header.get(32) == Some(&0);
            let mut out = Vec::new();
            if record.kind == 0xf01b {
                out = placeable(header);
            } else if record.kind == 0xf01c {
                // The files have an empty header.
                out.resize(512, 0);
            }
            if is_compressed {
                let limit = u64::try_from(limits::PART_BYTES).unwrap_or(u64::MAX);
                // What is read before damage is kept.
                let _ = ZlibDecoder::new(content).take(limit).read_to_end(&mut out);
            } else {
                out.extend_from_slice(content);
            }
            out
        }
        0xf01f => bitmap(record.content.get(start.saturating_add(1)..)?),
        _ => record.content.get(start.saturating_add(1)..)?.to_vec(),
    };
    (!found.is_empty()).then_some(found)
}

/// Returns the header that a file of a Windows metafile has before its records: its size on the page.
fn placeable(header: &[u8]) -> Vec<u8> {
    let mut out = vec![0xd7, 0xcd, 0xc6, 0x9a, 0, 0];
    let edge = |index: usize| u32_at(header, index.saturating_mul(4).saturating_add(4));
    for index in 0..4 {
        let value = edge(index).unwrap_or(0);
        out.extend(u16::try_from(value & 0xffff).unwrap_or(0).to_le_bytes());
    }
    // The width in EMU gives the units in an inch.
    let side = |at: usize| u64::from(u32_at(header, at).unwrap_or(0));
    let width = u64::from(edge(2).unwrap_or(0).saturating_sub(edge(0).unwrap_or(0)));
    let inch = width
        .saturating_mul(914_400)
        .checked_div(side(20))
        .unwrap_or(0);
    let inch = u16::try_from(inch).unwrap_or(0);
    out.extend(if inch == 0 { 96 } else { inch }.to_le_bytes());
    out.extend([0; 4]);
    let mut sum = 0;
    for at in (0..20).step_by(2) {
        sum ^= u16_at(&out, at).unwrap_or(0);
    }
    out.extend(sum.to_le_bytes());
    out
}

/// Adds the header of a file to a bitmap without one.
fn bitmap(bytes: &[u8]) -> Vec<u8> {
    let word = |at: usize| u32_at(bytes, at).unwrap_or(0);
    let header = word(0);
    let bits = u16_at(bytes, 14).unwrap_or(24);
    let mut colors = word(32);
    if colors == 0 && bits <= 8 {
        colors = 1_u32.checked_shl(u32::from(bits)).unwrap_or(0);
    }
    let masks = if header == 40 && word(16) == 3 { 12 } else { 0 };
    let palette = colors.saturating_mul(4).saturating_add(masks);
    let start = 14_u32.saturating_add(header).saturating_add(palette);
    let size = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
    let mut out = b"BM".to_vec();
    out.extend(size.saturating_add(14).to_le_bytes());
    out.extend([0; 4]);
    out.extend(start.to_le_bytes());
    out.extend_from_slice(bytes);
    out
}
