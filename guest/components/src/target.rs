//! The target directory of cargo.

use std::path::Path;

/// The target directory of cargo, derived from `out`, the `OUT_DIR` of a build script. `out` has
/// the form `<target>/<profile>/build/<package>/out`.
///
/// # Errors
/// Fails if `out` has fewer than four parent directories.
pub fn target_directory(out: &Path) -> Result<&Path, &'static str> {
    out.ancestors()
        .nth(4)
        .ok_or("OUT_DIR is not inside a target directory")
}
