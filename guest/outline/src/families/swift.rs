//! Swift: the type of an `extension`.

/// The type whose members a block `extension Outer.Type: Protocol where … {` holds, without its path.
/// `before` is the text before the name of a declaration, and `after` the text from it on.
pub fn extended<'t>(before: &str, after: &'t str) -> Option<&'t str> {
    if !before.trim_end().ends_with("extension") {
        return None;
    }
    let is_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '`');
    let path = after.split(|c: char| !is_path(c)).next()?;
    path.rsplit('.').next()
}
