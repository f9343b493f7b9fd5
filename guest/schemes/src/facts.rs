//! The facts of schemes.

use super::naming::Naming;

/// Where the content of a scheme is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Backing {
    /// In files.
    File,
    /// In memory, or made when it is read.
    #[default]
    Virtual,
    /// On a server. A URL without its selector is opened first, and a read takes large parts.
    Remote,
}

/// What may follow the name in a URL.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Selectors {
    /// Members, selectors and queries, as after the name of a file. A name may contain a colon: the longest
    /// name that exists is read.
    #[default]
    Lines,
    /// Nothing. The content is shown whole.
    None,
    /// A selector of lines, but only if no resource has the whole text as its URL.
    Opaque,
}

/// The facts of a scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Facts {
    /// Where the content is.
    pub backing: Backing,
    /// What may follow the name in a URL.
    pub selectors: Selectors,
    /// Whether the part of a URL before its first slash may have a colon, as in `db://host:5432/a`. If so,
    /// nothing before that slash is a selector.
    pub host_colon: bool,
    /// Whether an edit tool may change the files, so that a reply has a header and a tag.
    pub editable: bool,
    /// Whether the default limits of a page apply. If not, the whole text is shown.
    pub paged: bool,
}

/// What serves a known scheme if no application does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Served {
    /// A directory that is mounted for it.
    Mounts,
    /// The host. `artifact` needs a session, and `mcp` needs a server.
    Host,
    /// The reader, from the files of the roots.
    Reader,
    /// Nothing yet.
    Nothing,
}

/// A scheme that agents use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scheme {
    /// The name in lower case, without `://`.
    pub name: &'static str,
    /// How its names lead to files in a mounted directory.
    pub naming: Naming,
    /// What serves it.
    pub served: Served,
    /// The facts.
    pub facts: Facts,
}

const PLAIN: Facts = Facts {
    backing: Backing::Virtual,
    selectors: Selectors::Lines,
    host_colon: false,
    editable: false,
    paged: true,
};

const FILES: Facts = Facts {
    backing: Backing::File,
    ..PLAIN
};

const fn mounted(name: &'static str, naming: Naming) -> Scheme {
    Scheme {
        name,
        naming,
        served: Served::Mounts,
        facts: FILES,
    }
}

const fn other(name: &'static str, served: Served) -> Scheme {
    Scheme {
        name,
        naming: Naming::Tree,
        served,
        facts: PLAIN,
    }
}

/// The schemes that agents use, in the order of their names. A path with such a scheme is never a file name.
pub const SCHEMES: &[Scheme] = &[
    mounted("agent", Naming::Outputs),
    Scheme {
        facts: FILES,
        ..other("artifact", Served::Host)
    },
    other("attachment", Served::Nothing),
    other("conflict", Served::Nothing),
    other("git", Served::Reader),
    mounted("history", Naming::Outputs),
    other("issue", Served::Reader),
    Scheme {
        facts: Facts {
            editable: true,
            ..FILES
        },
        ..mounted("local", Naming::Tree)
    },
    Scheme {
        facts: Facts {
            backing: Backing::Remote,
            selectors: Selectors::Opaque,
            host_colon: true,
            ..PLAIN
        },
        ..other("mcp", Served::Host)
    },
    mounted("memory", Naming::Memory),
    other(super::GUIDE, Served::Host),
    other("pr", Served::Reader),
    mounted("rule", Naming::Rules),
    Scheme {
        facts: Facts {
            paged: false,
            ..FILES
        },
        ..mounted("skill", Naming::Skills)
    },
];

/// Whether a word has the syntax of a scheme in RFC 3986, section 3.1. A single letter is a drive
/// letter, not a scheme.
pub fn is_scheme(word: &str) -> bool {
    let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    word.len() > 1 && word.starts_with(|c: char| c.is_ascii_alphabetic()) && word.chars().all(part)
}

/// Whether `scheme` is one of the schemes that agents use, such as `skill`. It is in lower case.
pub fn is_known(scheme: &str) -> bool {
    SCHEMES.iter().any(|known| known.name == scheme)
}

impl Scheme {
    /// The scheme with a name in lower case. One that is not known is a tree of files that are not edited.
    pub fn of(name: &str) -> Self {
        let known = SCHEMES.iter().find(|known| known.name == name);
        known.copied().unwrap_or(mounted("", Naming::Tree))
    }
}

impl Facts {
    /// The facts of the resources of an application that answers for a scheme in lower case.
    pub fn of(scheme: &str) -> Self {
        let known = SCHEMES.iter().find(|known| known.name == scheme);
        known.map_or(PLAIN, |known| known.facts)
    }

    /// Whether the whole text is shown. Without selectors, there is no way to another page.
    pub fn is_whole(self) -> bool {
        !self.paged || self.selectors == Selectors::None
    }
}

impl Default for Facts {
    fn default() -> Self {
        PLAIN
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemes_are_valid_and_in_order() {
        assert!(
            SCHEMES
                .iter()
                .all(|scheme| super::super::is_free(scheme.name))
        );
        assert!(SCHEMES.is_sorted_by_key(|scheme| scheme.name));
        for wrong in ["c", "", "9p", "a b", "Skill", "https", "a://"] {
            assert!(!super::super::is_free(wrong), "{wrong}");
        }
    }

    #[test]
    fn only_files_of_local_can_be_edited() {
        let editable = SCHEMES.iter().filter(|scheme| scheme.facts.editable);
        let names: Vec<&str> = editable.map(|scheme| scheme.name).collect();
        assert_eq!(names, ["local"]);
    }
}
