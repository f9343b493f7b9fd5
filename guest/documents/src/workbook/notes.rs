//! Notes on sheets that several formats of workbooks write.

use crate::limits;

/// The note on things of a sheet above the limit, such as `merged ranges`.
pub fn too_many(what: &str) -> String {
    format!(
        "The sheet has more than {} {what}. The others are left out.",
        limits::SHEET_OBJECTS
    )
}

/// The note on formulas whose value is not in the file. Some programs never store values.
pub fn unstored_note(count: usize) -> Option<String> {
    match count {
        0 => None,
        1 => Some("A formula has no stored value.".to_owned()),
        count => Some(format!("{count} formulas have no stored value.")),
    }
}
