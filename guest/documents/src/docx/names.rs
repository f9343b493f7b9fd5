//! Names of parts.

/// Returns the usual name of a part in the folder of the main part.
pub fn sibling(main: &str, name: &str) -> String {
    match main.rsplit_once('/') {
        Some((folder, _)) => format!("{folder}/{name}.xml"),
        None => format!("{name}.xml"),
    }
}
