//! What a session has shown of a file, as JSON.

use crate::changes::{Changes, Hunk};
use crate::snapshots::{Snapshot, Staleness};
use serde::ser::{Serialize, SerializeMap, SerializeStruct, Serializer};

/// Serializes as its name.
impl Serialize for Staleness {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// Serializes as `{"path", "tag", "sha256", "size", "modified", "read", "shown": [{"first", "last", "text"}]}`.
impl Serialize for Snapshot {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ranges = self.shown.iter().zip(&self.text);
        let shown: Vec<_> = ranges
            .map(|((first, last), text)| Shown {
                first: *first,
                last: *last,
                text,
            })
            .collect();
        let mut out = serializer.serialize_map(None)?;
        out.serialize_entry("path", &self.path)?;
        out.serialize_entry("tag", &self.tag)?;
        out.serialize_entry("sha256", &self.sha256)?;
        out.serialize_entry("size", &self.size)?;
        out.serialize_entry("modified", &self.modified)?;
        out.serialize_entry("read", &self.read)?;
        out.serialize_entry("shown", &shown)?;
        out.end()
    }
}

/// A range of lines that were shown.
#[derive(serde::Serialize)]
struct Shown<'s> {
    first: i64,
    last: i64,
    text: &'s str,
}

/// Serializes as `{"state", "is_complete", "hunks"}`.
impl Serialize for Changes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("Changes", 3)?;
        out.serialize_field("state", &self.staleness)?;
        out.serialize_field("is_complete", &self.is_complete)?;
        out.serialize_field("hunks", &self.hunks)?;
        out.end()
    }
}

/// Serializes as `{"old_first", "old", "new_first", "new"}`.
impl Serialize for Hunk {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("Hunk", 4)?;
        out.serialize_field("old_first", &self.old_first)?;
        out.serialize_field("old", &self.old)?;
        out.serialize_field("new_first", &self.new_first)?;
        out.serialize_field("new", &self.new)?;
        out.end()
    }
}
