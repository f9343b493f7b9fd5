//! The names of schemes, as paths in mounted directories.

/// How the names of a scheme lead to files in the directory that is mounted for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Naming {
    /// A name is a path in the directory.
    Tree,
    /// `NAME` and `NAMESPACE/NAME` are directories with a `SKILL.md`, which is the content. The
    /// list of the scheme has the descriptions of the skills.
    Skills,
    /// `NAME` is the file `NAME.md` or `NAME.mdc`.
    Rules,
    /// `root` is the file `memory_summary.md`, and `root/PATH` is a path in the directory.
    Memory,
    /// `ID` is the file `ID.md`, and `ID/KEY/0` is a value in the JSON of `ID.json` or of that
    /// file.
    Outputs,
}

/// The name of the file that describes a skill.
pub const SKILL_FILE: &str = "SKILL.md";

/// The file that is `memory://root`.
const SUMMARY: &str = "memory_summary.md";

impl Naming {
    /// The paths in the mounted directory that a name may mean, the most likely first. A name with a
    /// slash at its end means a directory only. The empty path is the mounted directory itself. Returns
    /// nothing if the name means no path.
    pub fn paths(self, name: &str) -> Vec<String> {
        if let Some(directory) = name.strip_suffix('/') {
            let directory = directory.trim_end_matches('/');
            return match self {
                Self::Memory if directory == "root" => vec![String::new()],
                Self::Memory => directory
                    .strip_prefix("root/")
                    .map(str::to_owned)
                    .into_iter()
                    .collect(),
                _ => vec![directory.to_owned()],
            };
        }
        let own = || name.to_owned();
        let with = |end: &str| format!("{name}{end}");
        match self {
            _ if name.is_empty() => vec![String::new()],
            Self::Tree => vec![own()],
            Self::Skills => vec![format!("{name}/{SKILL_FILE}"), own()],
            Self::Rules => vec![with(".md"), with(".mdc"), own()],
            Self::Outputs => vec![with(".md"), with(".json"), own()],
            Self::Memory => match name.strip_prefix("root") {
                Some("") => vec![SUMMARY.to_owned()],
                Some(rest) => rest
                    .strip_prefix('/')
                    .map(str::to_owned)
                    .into_iter()
                    .collect(),
                None => Vec::new(),
            },
        }
    }

    /// The name that means a path in the mounted directory: the shortest one.
    pub fn name_of(self, path: &str) -> String {
        let short = match self {
            Self::Tree => None,
            Self::Skills => path
                .strip_suffix(SKILL_FILE)
                .and_then(|path| path.strip_suffix('/')),
            Self::Rules | Self::Outputs => path.strip_suffix(".md"),
            Self::Memory if path == SUMMARY => return "root".to_owned(),
            Self::Memory => return format!("root/{path}"),
        };
        short.unwrap_or(path).to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::super::Scheme;

    #[test]
    fn names_lead_to_the_files_of_their_scheme() {
        let paths = |scheme: &str, name: &str| Scheme::of(scheme).naming.paths(name);
        assert_eq!(paths("skill", "pdf"), ["pdf/SKILL.md", "pdf"]);
        assert_eq!(
            paths("skill", "team/pdf"),
            ["team/pdf/SKILL.md", "team/pdf"]
        );
        assert_eq!(paths("rule", "style"), ["style.md", "style.mdc", "style"]);
        assert_eq!(paths("memory", "root"), ["memory_summary.md"]);
        assert_eq!(paths("memory", "root/a/b.md"), ["a/b.md"]);
        assert!(paths("memory", "rooted").is_empty());
        assert!(paths("memory", "other/a.md").is_empty());
        assert_eq!(paths("agent", "A.B"), ["A.B.md", "A.B.json", "A.B"]);
        assert_eq!(paths("docs", "a/b.md"), ["a/b.md"]);
        assert_eq!(paths("skill", ""), [""]);
    }

    #[test]
    fn a_path_has_a_name_that_leads_to_it() {
        for (scheme, path, name) in [
            ("skill", "pdf/SKILL.md", "pdf"),
            ("skill", "pdf/forms.md", "pdf/forms.md"),
            ("rule", "style.md", "style"),
            ("rule", "style.mdc", "style.mdc"),
            ("agent", "A.B.md", "A.B"),
            ("memory", "memory_summary.md", "root"),
            ("memory", "a.md", "root/a.md"),
            ("docs", "a.md", "a.md"),
        ] {
            let naming = Scheme::of(scheme).naming;
            assert_eq!(naming.name_of(path), name);
            assert!(
                naming.paths(name).contains(&path.to_owned()),
                "{scheme} {path}"
            );
        }
    }
}
