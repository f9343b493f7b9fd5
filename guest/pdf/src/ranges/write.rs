//! The objects that were read → a file.

use super::held::Held;
use super::pages::PageTree;
use super::xref::Entry;
use hayro_syntax::object::ObjectIdentifier;
use std::collections::BTreeMap;

/// Writes a file with the objects that were read. Pages that were not read are empty.
pub fn file(
    held: &Held,
    pages: &PageTree,
    root: ObjectIdentifier,
    info: Option<ObjectIdentifier>,
) -> Vec<u8> {
    const START: &[u8] = b"%PDF-2.0\n";
    let (bytes, objects) = held.bytes();
    let mut out = START.to_vec();
    out.extend_from_slice(bytes);
    // Each object with the three fields of its entry.
    let mut rows: BTreeMap<ObjectIdentifier, (u8, usize, u32)> = BTreeMap::new();
    for (id, at) in objects {
        let generation = u32::try_from(id.gen_number).unwrap_or_default();
        rows.insert(id, (1, at.saturating_add(START.len()), generation));
    }
    for (id, entry) in &held.table.entries {
        if let Entry::Member(stream, index) = entry
            && held.has_stream(*stream)
        {
            rows.insert(
                *id,
                (2, usize::try_from(*stream).unwrap_or_default(), *index),
            );
        }
    }
    for page in pages.all() {
        rows.entry(page).or_insert_with(|| {
            let at = out.len();
            let (number, generation) = (page.obj_number, page.gen_number);
            out.extend_from_slice(
                format!("{number} {generation} obj<</Type/Page>>endobj\n").as_bytes(),
            );
            (1, at, u32::try_from(generation).unwrap_or_default())
        });
    }
    let start = out.len();
    let size = rows
        .keys()
        .map(|id| id.obj_number)
        .max()
        .unwrap_or_default();
    let index: Vec<String> = rows
        .keys()
        .map(|id| format!("{} 1", id.obj_number))
        .collect();
    let info = info.map_or(String::new(), |id| {
        format!("/Info {} {} R", id.obj_number, id.gen_number)
    });
    let mut data = Vec::new();
    for (kind, second, third) in rows.values() {
        data.push(*kind);
        let second = u32::try_from(*second).unwrap_or_default();
        data.extend_from_slice(&second.to_be_bytes());
        data.extend_from_slice(&third.to_be_bytes());
    }
    let dict = format!(
        "{} 0 obj<</Type/XRef/W[1 4 4]/Size {}/Index[{}]/Root {} {} R{info}/Length {}>>stream\n",
        size.saturating_add(1),
        size.saturating_add(2),
        index.join(" "),
        root.obj_number,
        root.gen_number,
        data.len()
    );
    out.extend_from_slice(dict.as_bytes());
    out.extend_from_slice(&data);
    out.extend_from_slice(format!("\nendstream endobj\nstartxref\n{start}\n%%EOF").as_bytes());
    out
}
