//! The properties of a message, a recipient or an attachment ([MS-OXMSG] 2.1 and 2.4).

use crate::codepage::{self, CodePage};
use crate::limits;
use crate::mime::{charset, words};
use crate::ole::{Compound, u16_at, u32_at};
use crate::rtf;
use std::collections::BTreeMap;

/// The stream with the properties of a fixed length.
const STREAM: &str = "__properties_version1.0";

/// The properties of a storage.
pub struct Properties {
    /// The path of the storage with `/` at its end. Empty for the root.
    pub prefix: String,
    /// The values of a fixed length by their number.
    fixed: BTreeMap<u16, [u8; 8]>,
    /// The code page of texts that are not Unicode.
    page: u16,
}

impl Properties {
    /// Reads the properties of a storage. `page` is the code page of the message around it, or 0.
    pub fn read(file: &mut Compound, storage: &str, page: u16) -> Self {
        let prefix = match storage {
            "" => String::new(),
            storage => format!("{storage}/"),
        };
        let stream = file.stream(&format!("{prefix}{STREAM}"));
        let bytes = stream.map(|part| part.bytes).unwrap_or_default();
        // The header has 32 bytes for a message, 24 for a message in a message, and 8 otherwise. The
        // entries have 16.
        let name = storage.rsplit('/').next().unwrap_or_default();
        let header = if storage.is_empty() {
            32
        } else if name.starts_with("__substg") {
            24
        } else {
            8
        };
        let (entries, _) = bytes.get(header..).unwrap_or_default().as_chunks::<16>();
        let mut fixed = BTreeMap::new();
        for entry in entries.iter().take(limits::MSG_PROPERTIES) {
            if let (Some(number), Some(value)) = (u16_at(entry, 2), entry.last_chunk::<8>()) {
                fixed.entry(number).or_insert(*value);
            }
        }
        let mut properties = Self {
            prefix,
            fixed,
            page,
        };
        if let Some(page) = properties
            .number(0x3ffd)
            .or_else(|| properties.number(0x3fde))
            && let Ok(page) = u16::try_from(page)
            && page != 0
        {
            properties.page = page;
        }
        properties
    }

    /// The code page of texts that are not Unicode. 0 if it is not known.
    pub const fn page(&self) -> u16 {
        self.page
    }

    /// A number.
    pub fn number(&self, id: u16) -> Option<u32> {
        u32_at(self.fixed.get(&id)?, 0)
    }

    /// A time: 100 nanoseconds since 1601.
    pub fn time(&self, id: u16) -> Option<u64> {
        self.fixed.get(&id).map(|value| u64::from_le_bytes(*value))
    }

    /// The path of a value of variable length. `kind` is the type: 0x1f is Unicode, 0x1e is 8-bit
    /// text, 0x102 is bytes and 0xd is a storage.
    pub fn path(&self, id: u16, kind: u16) -> String {
        format!("{}__substg1.0_{id:04X}{kind:04X}", self.prefix)
    }

    /// A text with its lines. `None` if it does not exist or is empty.
    pub fn text(&self, file: &mut Compound, id: u16) -> Option<String> {
        let text = match file.stream(&self.path(id, 0x1f)) {
            Some(part) => codepage::utf16(&part.bytes),
            None => self.decode(&file.stream(&self.path(id, 0x1e))?.bytes),
        };
        let text = text.trim_end_matches('\0');
        (!text.trim().is_empty()).then(|| text.to_owned())
    }

    /// A text on one line.
    pub fn line(&self, file: &mut Compound, id: u16) -> Option<String> {
        let text = words::spaced(&self.text(file, id)?);
        (!text.is_empty()).then_some(text)
    }

    /// The HTML of a message, from its own property or inside of its rich text.
    pub fn html(&self, file: &mut Compound) -> Option<String> {
        if let Some(part) = file.stream(&self.path(0x1013, 0x102)) {
            let page = self.number(0x3fde).filter(|page| *page != 0);
            let label = page.map_or(String::new(), |page| format!("cp{page}"));
            return Some(charset::decode_html(&part.bytes, &label));
        }
        if let Some(text) = self.text(file, 0x1013) {
            return Some(text);
        }
        rtf::html(&self.rich_text(file)?)
    }

    /// The rich text of a message: RTF.
    pub fn rich_text(&self, file: &mut Compound) -> Option<Vec<u8>> {
        rtf::decompressed(&file.stream(&self.path(0x1009, 0x102))?.bytes)
    }

    fn decode(&self, bytes: &[u8]) -> String {
        // Messages that declare UTF-8 may have texts in another code page.
        match self.page {
            0 | 65_001 => charset::decode(bytes, ""),
            page => CodePage::or_default(page).decoded(bytes),
        }
    }
}
