//! Skills as results of MCP.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use omniread::served::{Skill, SkillEntries, SkillPage};
use omniread::{Failure, Reason, Session};
use omniread_mcp::{ReadError, ReadErrorKind, SkillRequest, skill_file_type, skill_uri};
use serde_json::{Map, Value, json};

/// The key in `_meta` of a page with the skills that are not served.
const SKIPPED: &str = "omniread/skipped";

/// The key in `_meta` of a skill with what its manifest leaves out.
const LEFT_OUT: &str = "omniread/leftOut";

/// Runs a request for skills, and returns its result as JSON.
///
/// # Errors
/// Fails if there is no such skill or directory, or if it cannot be read.
pub fn run(session: &Session, request: &SkillRequest) -> Result<String, ReadError> {
    let result = match request {
        SkillRequest::List { cursor } => session.skills(cursor.as_deref()).map(page),
        SkillRequest::Get { path } => {
            let skill = session.skill(path).map(skill);
            skill.map(|skill| json!({ "resultType": "complete", "skill": skill }))
        }
        SkillRequest::Directory { path, cursor } => {
            let listed = session.skill_directory(path, cursor.as_deref());
            listed.map(|entries| directory(path, entries))
        }
    };
    result.map(|value| value.to_string()).map_err(error)
}

/// The result of a read of a file of a skill: exactly its bytes. `None` if the path is not that of one.
pub fn file(session: &Session, path: &str, uri: &str) -> Option<String> {
    let bytes = session.skill_file(path).ok()?;
    let mime = skill_file_type(path);
    let contents = match String::from_utf8(bytes) {
        Ok(text) if !text.contains('\0') => {
            json!({ "uri": uri, "mimeType": mime.unwrap_or("text/plain"), "text": text })
        }
        other => {
            let bytes =
                other.map_or_else(std::string::FromUtf8Error::into_bytes, String::into_bytes);
            json!({
                "uri": uri,
                "mimeType": mime.unwrap_or("application/octet-stream"),
                "blob": STANDARD.encode(bytes),
            })
        }
    };
    Some(json!({ "contents": [contents] }).to_string())
}

fn page(page: SkillPage) -> Value {
    let skills: Vec<Value> = page.skills.into_iter().map(skill).collect();
    let mut result = json!({ "resultType": "complete", "skills": skills });
    if !page.skipped.is_empty() {
        let skipped = page.skipped.into_iter().map(|skipped| {
            let uri = skill_uri(&format!("{}/SKILL.md", skipped.path));
            json!({ "uri": uri, "reason": skipped.reason })
        });
        let skipped: Vec<Value> = skipped.collect();
        result["_meta"] = json!({ SKIPPED: skipped });
    }
    if let Some(next) = page.next {
        result["nextCursor"] = next.into();
    }
    result
}

fn skill(skill: Skill) -> Value {
    let path = skill.path;
    let front_matter: Map<String, Value> =
        serde_json::from_str(&skill.front_matter).unwrap_or_default();
    let resources = skill.files.into_iter().map(|file| {
        json!({
            "uri": skill_uri(&format!("{path}/{}", file.path)),
            "digest": format!("sha256:{}", file.sha256),
            "size": file.size,
        })
    });
    let resources: Vec<Value> = resources.collect();
    let mut entry = json!({
        "uri": skill_uri(&format!("{path}/SKILL.md")),
        "frontmatter": front_matter,
        "resources": resources,
    });
    if !skill.left_out.is_empty() {
        entry["_meta"] = json!({ LEFT_OUT: skill.left_out });
    }
    entry
}

fn directory(path: &str, listed: SkillEntries) -> Value {
    let resources = listed.entries.into_iter().map(|entry| {
        let uri = skill_uri(&format!("{path}/{}", entry.name));
        let mut resource = json!({ "uri": uri, "name": entry.name });
        let mime = match entry.size {
            Some(size) => {
                resource["size"] = size.into();
                skill_file_type(&entry.name)
            }
            None => Some("inode/directory"),
        };
        if let Some(mime) = mime {
            resource["mimeType"] = mime.into();
        }
        resource
    });
    let resources: Vec<Value> = resources.collect();
    let mut result = json!({ "resultType": "complete", "resources": resources });
    if let Some(next) = listed.next {
        result["nextCursor"] = next.into();
    }
    result
}

/// The error of a request. Whatever is no skill that is served is a wrong parameter, as SEP-2640 says.
fn error(failure: Failure) -> ReadError {
    ReadError {
        kind: match failure.reason {
            Reason::Limit(_) | Reason::Cancelled(_) | Reason::Io(_) | Reason::Internal(_) => {
                ReadErrorKind::Other
            }
            _ => ReadErrorKind::InvalidUri,
        },
        facts: json!({ "error": failure.facts() }),
        message: failure.message,
    }
}
