//! The errors for notebooks that are too large.

use crate::converted::ConversionError;
use crate::limits;
use crate::units;

/// The error for too many cells or outputs.
pub fn too_many() -> ConversionError {
    let cells = units::thousands(limits::NOTEBOOK_CELLS as u64);
    let values = units::thousands(limits::NOTEBOOK_VALUES as u64);
    too_large(&format!("{cells} cells, or {values} outputs"))
}

/// The error for a converted notebook with too much text or too many images.
pub fn too_long() -> ConversionError {
    let bytes = units::bytes(limits::CONVERTED_TEXT_BYTES as u64);
    let asides = units::thousands(limits::NOTEBOOK_ATTACHMENTS as u64);
    too_large(&format!("{bytes} of text, or {asides} images"))
}

fn too_large(what: &str) -> ConversionError {
    ConversionError::Large(format!("a notebook of more than {what} is not converted"))
}
