//! Where cargo builds.

use std::path::Path;

/// The target directory of the package whose build script has this `OUT_DIR`, which is
/// `<target>/<profile>/build/<package>/out`.
///
/// # Errors
/// If `out` is not inside of a target directory.
pub fn target_directory(out: &Path) -> Result<&Path, &'static str> {
    out.ancestors()
        .nth(4)
        .ok_or("OUT_DIR is not inside a target directory")
}
