//! The mounts of the command line: directories that internal URLs read.

use std::path::{Path, PathBuf};

/// A mount, as it was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mount {
    /// The scheme, without `://`.
    scheme: String,
    /// The directory. `None` for the places where agents keep skills.
    directory: Option<PathBuf>,
}

impl Mount {
    /// A mount. Without a directory, it is the places where agents keep skills.
    pub fn new(scheme: &str, directory: Option<PathBuf>) -> Self {
        Self {
            scheme: scheme.to_owned(),
            directory,
        }
    }

    /// The scheme, without `://`.
    pub fn scheme(&self) -> &str {
        &self.scheme
    }

    /// The directory. `None` for the places where agents keep skills.
    pub fn directory(&self) -> Option<&Path> {
        self.directory.as_deref()
    }
}

/// Parses a mount such as `docs=DIR` or `skill=auto`.
///
/// # Errors
/// Fails with a message if the text has another form.
pub fn mount(text: &str) -> Result<Mount, String> {
    let parts = text
        .split_once('=')
        .filter(|(scheme, directory)| !scheme.is_empty() && !directory.is_empty());
    let Some((scheme, directory)) = parts else {
        return Err("it is a scheme and a directory, such as `docs=DIR`".to_owned());
    };
    let scheme = scheme.strip_suffix("://").unwrap_or(scheme);
    let directory = match (scheme, directory) {
        ("skill", "auto") => None,
        (_, directory) => Some(PathBuf::from(directory)),
    };
    Ok(Mount {
        scheme: scheme.to_ascii_lowercase(),
        directory,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mounts_are_a_scheme_and_a_directory() {
        let docs = mount("Docs://=a=b").unwrap();
        assert_eq!(
            (docs.scheme.as_str(), docs.directory),
            ("docs", Some("a=b".into()))
        );
        assert_eq!(mount("skill=auto").unwrap().directory, None);
        assert_eq!(mount("docs=auto").unwrap().directory, Some("auto".into()));
        for wrong in ["docs", "=dir", "docs="] {
            assert!(mount(wrong).is_err(), "{wrong}");
        }
    }
}
