//! Property sets: the facts about a document ([MS-OLEPS] 2.21, 2.25).

use super::Compound;
use super::bytes::{u16_at, u32_at};
use crate::codepage::{self, CodePage};
use crate::limits;

/// The summary of a document: title, author and dates.
const SUMMARY: &str = "\u{5}SummaryInformation";
/// The summary that Office adds: the company and the language.
const MORE: &str = "\u{5}DocumentSummaryInformation";
/// The identifiers of properties of the summary, and the names with which they are shown.
const NAMES: [(u32, &str); 7] = [
    (2, "title"),
    (4, "author"),
    (12, "created"),
    (13, "modified"),
    (3, "subject"),
    (5, "keywords"),
    (6, "description"),
];

/// Reads the metadata of a document, in the order in which it is shown.
pub fn read(file: &mut Compound) -> Vec<(String, String)> {
    let summary = file.stream(SUMMARY).map(|part| set(&part.bytes));
    let summary = summary.unwrap_or_default();
    let more = file.stream(MORE).map(|part| set(&part.bytes));
    let more = more.unwrap_or_default();
    let value = |set: &[(u32, String)], id: u32| {
        let found = set.iter().find(|(own, _)| *own == id);
        found.map(|(_, value)| value.clone())
    };
    let mut shown = Vec::new();
    for (id, name) in NAMES {
        let mut found = value(&summary, id);
        if name == "author" {
            // The manager or the company replaces a missing author.
            found = found.or_else(|| value(&more, 14).or_else(|| value(&more, 15)));
        }
        if name == "description"
            && let Some(language) = value(&more, 28)
        {
            shown.push(("language".to_owned(), language));
        }
        if let Some(found) = found {
            shown.push((name.to_owned(), found));
        }
    }
    shown
}

/// Reads the texts and dates of the first set of a stream, by their identifiers.
pub fn set(bytes: &[u8]) -> Vec<(u32, String)> {
    let mut found = Vec::new();
    let offset = u32_at(bytes, 44).and_then(|at| usize::try_from(at).ok());
    let Some(set) = offset.and_then(|at| bytes.get(at..)) else {
        return found;
    };
    let count = u32_at(set, 4).unwrap_or(0);
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    let count = count.min(limits::OLE_PROPERTIES);
    let mut values = Vec::new();
    let mut page = 1252;
    for index in 0..count {
        let at = index.saturating_mul(8).saturating_add(8);
        let (Some(id), Some(at)) = (u32_at(set, at), u32_at(set, at.saturating_add(4))) else {
            break;
        };
        let Some(value) = usize::try_from(at).ok().and_then(|at| set.get(at..)) else {
            continue;
        };
        if id == 1 {
            page = u16_at(value, 4).unwrap_or(page);
        } else {
            values.push((id, value));
        }
    }
    for (id, value) in values {
        if let Some(text) = text(value, page) {
            found.push((id, text));
        }
    }
    found
}

/// Returns a text or a date. `None` for other types and for empty values.
fn text(value: &[u8], page: u16) -> Option<String> {
    let kind = u16_at(value, 0)?;
    let length = u32_at(value, 4).and_then(|it| usize::try_from(it).ok())?;
    let content = value.get(8..)?;
    let cut = |length: usize| {
        // A damaged length is cut. The rest of the value is not shown anyway.
        let length = length.min(limits::METADATA_BYTES.saturating_mul(8));
        content.get(..length).unwrap_or(content)
    };
    let text = match kind {
        // VT_LPSTR and VT_BSTR
        0x1e | 0x08 => CodePage::or_default(page).decoded(cut(length)),
        // VT_LPWSTR
        0x1f => codepage::utf16(cut(length.saturating_mul(2))),
        // VT_FILETIME
        0x40 => {
            let low = u64::from(u32_at(value, 4)?);
            let high = u64::from(u32_at(value, 8)?);
            return date((high << 32) | low);
        }
        _ => return None,
    };
    let text = text.split('\0').next().unwrap_or_default();
    let mut text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.is_empty() {
        return None;
    }
    if text.len() > limits::METADATA_BYTES {
        let mut end = limits::METADATA_BYTES;
        while !text.is_char_boundary(end) {
            end = end.saturating_sub(1);
        }
        text.truncate(end);
        text.push('…');
    }
    Some(text)
}

/// Writes a time in units of 100 ns since 1601 as in `2013-12-23T23:15:00Z`. `None` for times that
/// programs write if they know none.
pub fn date(time: u64) -> Option<String> {
    let seconds = time / 10_000_000;
    // Durations are stored as times, too: they are close to 1601.
    if seconds < 86_400 * 366 {
        return None;
    }
    omniread_document::date::of_file_time(time)
}
