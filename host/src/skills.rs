//! The skills in the directories that are mounted for `skill`, in the form in which SEP-2640, the skills
//! extension of MCP, serves them.
//!
//! A path is that of a skill in its mount, `NAME` or `NAMESPACE/NAME`, or of a file or directory in it,
//! such as `pdf/refs/forms.md`. It is not percent-encoded.

use crate::component::SkillExports;
use crate::reader::Reader;
use crate::session::Session;
use crate::types::{CallInput, Dialect, Failure};
use omniread_options::Options;
use serde::Serialize;
use wasmtime::component::{ComponentExportIndex, ComponentNamedList, ComponentType, Lift, Lower};

/// The scheme of skills.
const SCHEME: &str = "skill";

/// A file of a skill.
#[derive(Clone, Debug, PartialEq, Eq, ComponentType, Lift, Serialize)]
#[component(record)]
#[non_exhaustive]
pub struct ManifestFile {
    /// The path in the directory of the skill, such as `refs/forms.md`.
    pub path: String,
    /// The number of its bytes.
    pub size: u64,
    /// The SHA-256 of its bytes, as 64 hex digits in lower case.
    pub sha256: String,
}

/// A skill that satisfies the specification Agent Skills.
#[derive(Clone, Debug, PartialEq, Eq, ComponentType, Lift, Serialize)]
#[component(record)]
#[non_exhaustive]
pub struct Skill {
    /// The path: `NAME` or `NAMESPACE/NAME`.
    pub path: String,
    /// The front matter of `SKILL.md`, as one JSON object. It has the text `name`, which is that of the
    /// directory, and the text `description`.
    #[component(name = "front-matter")]
    pub front_matter: String,
    /// All files, in the order of their paths. They are at most 512, and have at most 16 MiB.
    pub files: Vec<ManifestFile>,
    /// What of the directory is not in `files`, with the reason: hidden and denied files, links that lead
    /// to a directory or out of the mount, and files that cannot be read.
    #[component(name = "left-out")]
    pub left_out: Vec<String>,
}

/// A skill that does not satisfy the specification, or is too large.
#[derive(Clone, Debug, PartialEq, Eq, ComponentType, Lift, Serialize)]
#[component(record)]
#[non_exhaustive]
pub struct SkippedSkill {
    /// The path: `NAME` or `NAMESPACE/NAME`.
    pub path: String,
    /// The reason, a text for people.
    pub reason: String,
}

/// A page of skills.
#[derive(Clone, Debug, PartialEq, Eq, ComponentType, Lift, Serialize)]
#[component(record)]
#[non_exhaustive]
pub struct SkillPage {
    /// The skills, in the order of the mounts and of their paths.
    pub skills: Vec<Skill>,
    /// The skills between them that are not served.
    pub skipped: Vec<SkippedSkill>,
    /// Where the next page starts. `None` on the last page.
    pub next: Option<String>,
}

/// An entry of a directory of a skill.
#[derive(Clone, Debug, PartialEq, Eq, ComponentType, Lift, Serialize)]
#[component(record)]
#[non_exhaustive]
pub struct SkillEntry {
    /// The name of the entry.
    pub name: String,
    /// The size of the file in bytes. `None` for a directory.
    pub size: Option<u64>,
}

/// A page of the entries of a directory of a skill.
#[derive(Clone, Debug, PartialEq, Eq, ComponentType, Lift, Serialize)]
#[component(record)]
#[non_exhaustive]
pub struct SkillEntries {
    /// The entries, in the order of their names.
    pub entries: Vec<SkillEntry>,
    /// Where the next page starts. `None` on the last page.
    pub next: Option<String>,
}

impl Reader {
    /// Whether a directory is mounted for skills.
    pub fn has_skills(&self) -> bool {
        self.mounts(SCHEME)
    }
}

impl Session {
    /// Reads a page of skills. `after` is the [`next`](SkillPage::next) of the page before. A page has at
    /// most 100 skills, and fewer if their files are large.
    ///
    /// # Errors
    /// Fails if a mount cannot be read, or if `after` is not the end of a page.
    pub fn skills(&self, after: Option<&str>) -> Result<SkillPage, Failure> {
        self.skill_call("", |exports| &exports.catalog, (after,))
    }

    /// Reads the skill with this path.
    ///
    /// # Errors
    /// Fails if there is no such skill, or if it does not satisfy the specification.
    pub fn skill(&self, path: &str) -> Result<Skill, Failure> {
        self.skill_call(path, |exports| &exports.get, (path,))
    }

    /// Lists a skill, or a directory in one. `after` is the [`next`](SkillEntries::next) of the page
    /// before. A page has at most 500 entries.
    ///
    /// # Errors
    /// Fails if the path is not a directory of a skill, or cannot be read.
    pub fn skill_directory(
        &self,
        path: &str,
        after: Option<&str>,
    ) -> Result<SkillEntries, Failure> {
        self.skill_call(path, |exports| &exports.directory, (path, after))
    }

    /// Reads the bytes of a file of a skill. They are those of the hash in [`Skill::files`], unless the
    /// file has changed since.
    ///
    /// # Errors
    /// Fails if the path is not a file of a skill, cannot be read, or has more than 16 MiB.
    pub fn skill_file(&self, path: &str) -> Result<Vec<u8>, Failure> {
        self.skill_call(path, |exports| &exports.read, (path,))
    }

    fn skill_call<P, R>(
        &self,
        path: &str,
        function: impl FnOnce(&SkillExports) -> &ComponentExportIndex,
        parameters: P,
    ) -> Result<R, Failure>
    where
        P: ComponentNamedList + Lower + Send + Sync,
        R: Lift + Send + Sync + 'static,
    {
        let input = CallInput::Path(format!("{SCHEME}://{path}"));
        let options = Options::default();
        self.run(Dialect::Omp, &input, &options, |reader, store| {
            reader.call(store, |exports| function(&exports.skills), parameters)
        })
    }
}
