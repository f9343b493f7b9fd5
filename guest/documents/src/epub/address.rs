//! Addresses in the parts of a book.

use percent_encoding::percent_decode_str;

/// Returns the part to which an address in a part leads, in lowercase, and the id in it. `None` if
/// the address leads outside of the book.
pub fn target<'a>(folder: &str, address: &'a str) -> Option<(String, Option<&'a str>)> {
    let address = address.trim();
    if is_external(address) {
        return None;
    }
    let (path, id) = match address.split_once('#') {
        Some((path, id)) => (path, Some(id)),
        None => (address, None),
    };
    let path = path.split('?').next().unwrap_or_default();
    let name = crate::package::join(folder, &percent_decode_str(path).decode_utf8_lossy());
    Some((name.to_lowercase(), id))
}

/// Returns whether an address has a scheme or a host.
pub fn is_external(address: &str) -> bool {
    let end = address.find(['/', '?', '#']).unwrap_or(address.len());
    let start = address.get(..end).unwrap_or_default();
    start.contains(':') || address.starts_with("//")
}

/// Returns the folder of a part.
pub fn folder(part: &str) -> &str {
    part.rsplit_once('/').map_or("", |(folder, _)| folder)
}
