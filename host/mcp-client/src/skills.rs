//! Skills that a server publishes, as SEP-2640 (the skills extension of MCP) has them.

use super::failure::one_line;
use super::limits;
use rmcp::model::{SKILL_MD, SkillResource};
use serde_json::Value;

/// The start of the URIs of skills that have this scheme. Others are allowed too.
const START: &str = "skill://";

/// A skill in the list of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skill {
    /// The URI of its `SKILL.md`.
    pub uri: String,
    /// Its name with its namespaces, as in a path.
    pub path: String,
    /// The description, in one line.
    pub description: String,
    /// Its files. `None` if the server does not state them, because they change.
    pub files: Option<Vec<SkillResource>>,
}

/// A skill in a list. `None` if its URI is not that of a `SKILL.md`, or if it has no name or description.
pub fn skill(raw: &Value) -> Option<Skill> {
    let uri = raw.get("uri")?.as_str()?;
    let root = uri.strip_suffix(SKILL_MD)?.strip_suffix('/')?;
    let front = raw.get("frontmatter")?;
    let text = |field: &str| front.get(field).and_then(Value::as_str);
    let path = match root.strip_prefix(START) {
        Some(path) => decoded(path),
        None => decoded(root.rsplit('/').next().unwrap_or(root)),
    };
    let is_path = !path.split('/').any(|part| matches!(part, "" | "." | ".."));
    let description = one_line(text("description")?, limits::SKILL_DESCRIPTION);
    if uri.len() > limits::URI || !is_path || description.is_empty() {
        return None;
    }
    let files = match raw.get("resources") {
        Some(Value::Array(files)) => {
            let files = files.iter().take(limits::SKILL_FILES);
            Some(files.filter_map(file).collect())
        }
        _ => None,
    };
    Some(Skill {
        uri: uri.to_owned(),
        path,
        description,
        files,
    })
}

fn file(raw: &Value) -> Option<SkillResource> {
    let text = |field: &str| raw.get(field).and_then(Value::as_str);
    let size = raw.get("size")?.as_u64()?;
    Some(SkillResource::new(text("uri")?, text("digest")?, size))
}

impl Skill {
    /// The start of the URIs of its files.
    fn root(&self) -> &str {
        self.uri.strip_suffix(SKILL_MD).unwrap_or(&self.uri)
    }

    /// The rest of a name in this skill: nothing for the skill itself.
    pub fn rest<'n>(&self, name: &'n str) -> Option<&'n str> {
        let rest = name.strip_prefix(self.path.as_str())?;
        match rest {
            "" => Some(""),
            rest => rest.strip_prefix('/'),
        }
    }

    /// The file with a path in the skill, if the server states its files.
    pub fn file(&self, path: &str) -> Option<&SkillResource> {
        let files = self.files.as_ref()?.iter();
        let mut files = files.filter(|file| self.path_of(&file.uri).is_some());
        files.find(|file| self.path_of(&file.uri).as_deref() == Some(path))
    }

    /// The URI of a path in the skill.
    pub fn uri_of(&self, path: &str) -> String {
        format!("{}{}", self.root(), encoded(path))
    }

    /// The path in the skill that a URI means.
    pub fn path_of(&self, uri: &str) -> Option<String> {
        let path = uri.strip_prefix(self.root())?;
        Some(decoded(path.trim_end_matches('/')))
    }

    /// The names in a directory of the skill, if the server states its files. Those of directories end with
    /// a slash.
    pub fn children(&self, directory: &str) -> Option<Vec<String>> {
        let files = self.files.as_ref()?;
        let start = match directory {
            "" => String::new(),
            directory => format!("{directory}/"),
        };
        let paths = files.iter().filter_map(|file| self.path_of(&file.uri));
        let mut names: Vec<String> = paths
            .filter_map(|path| {
                let rest = path.strip_prefix(start.as_str())?;
                Some(match rest.split_once('/') {
                    Some((directory, _)) => format!("{directory}/"),
                    None => rest.to_owned(),
                })
            })
            .collect();
        names.sort_unstable();
        names.dedup();
        Some(names)
    }
}

/// A text without the encoding of URIs. One that is not UTF-8 then is returned as it is.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let digit = |at: usize| char::from(*after.get(at)?).to_digit(16);
        match (*first, digit(0), digit(1)) {
            (b'%', Some(high), Some(low)) => {
                let byte = high.saturating_mul(16).saturating_add(low);
                bytes.push(u8::try_from(byte).unwrap_or_default());
                rest = after.get(2..).unwrap_or_default();
            }
            _ => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

/// A path as in a URI.
fn encoded(path: &str) -> String {
    let mut uri = String::new();
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn pdf() -> Skill {
        let digest = format!("sha256:{}", "0".repeat(64));
        skill(&json!({
            "uri": "skill://team/pdf%20forms/SKILL.md",
            "frontmatter": {"name": "pdf forms", "description": "Fills\nforms", "x": null},
            "resources": [
                {"uri": "skill://team/pdf%20forms/SKILL.md", "digest": digest, "size": 1},
                {"uri": "skill://team/pdf%20forms/in/a%20b.md", "digest": digest, "size": 2},
                {"uri": "skill://team/pdf%20forms/in/c.md", "digest": digest, "size": null},
                null,
            ],
        }))
        .unwrap()
    }

    #[test]
    fn skills_have_a_path_and_files() {
        let skill = pdf();
        assert_eq!(skill.path, "team/pdf forms");
        assert_eq!(skill.description, "Fills forms");
        assert_eq!(skill.rest("team/pdf forms"), Some(""));
        assert_eq!(skill.rest("team/pdf forms/in/a b.md"), Some("in/a b.md"));
        assert_eq!(skill.rest("team/pdf formsX"), None);
        assert_eq!(skill.file("in/a b.md").unwrap().size, 2);
        assert!(skill.file("in/c.md").is_none());
        assert_eq!(skill.children("").unwrap(), ["SKILL.md", "in/"]);
        assert_eq!(skill.children("in").unwrap(), ["a b.md"]);
        assert_eq!(skill.uri_of("a b"), "skill://team/pdf%20forms/a%20b");
    }

    #[test]
    fn entries_that_are_no_skills_are_left_out() {
        for raw in [
            json!(null),
            json!({}),
            json!({"uri": "skill://a/SKILL.md"}),
            json!({"uri": "skill://a/other.md", "frontmatter": {"description": "x"}}),
            json!({"uri": "skill://../SKILL.md", "frontmatter": {"description": "x"}}),
            json!({"uri": "skill://a//SKILL.md", "frontmatter": {"description": "x"}}),
            json!({"uri": "skill://a/SKILL.md", "frontmatter": {"description": " "}}),
        ] {
            assert_eq!(skill(&raw), None, "{raw}");
        }
        let raw = json!({"uri": "https://x/y/a/SKILL.md", "frontmatter": {"description": "x"}, "resources": "dynamic"});
        let skill = skill(&raw).unwrap();
        assert_eq!((skill.path.as_str(), skill.files), ("a", None));
    }
}
