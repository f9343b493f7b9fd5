//! Skills, as SEP-2640 (the skills extension of MCP) has them: the URIs of their files, and requests for
//! them.

use super::reader::SkillRequest;
use rmcp::model::{
    ErrorData, GetSkillRequestParams, PaginatedRequestParams, ReadResourceDirectoryRequestParams,
    SKILL_MD,
};
use std::fmt::Write as _;

/// The start of the URIs of skills.
const START: &str = "skill://";

/// The methods of the extension.
const METHODS: [&str; 3] = ["skills/list", "skills/get", "resources/directory/read"];

/// The MIME types of files of skills, by the ends of their names.
const TYPES: [(&str, &str); 22] = [
    ("css", "text/css"),
    ("csv", "text/csv"),
    ("gif", "image/gif"),
    ("htm", "text/html"),
    ("html", "text/html"),
    ("jpeg", "image/jpeg"),
    ("jpg", "image/jpeg"),
    ("js", "text/javascript"),
    ("json", "application/json"),
    ("markdown", "text/markdown"),
    ("md", "text/markdown"),
    ("mjs", "text/javascript"),
    ("pdf", "application/pdf"),
    ("png", "image/png"),
    ("py", "text/x-python"),
    ("sh", "application/x-sh"),
    ("svg", "image/svg+xml"),
    ("toml", "application/toml"),
    ("webp", "image/webp"),
    ("xml", "application/xml"),
    ("yaml", "application/yaml"),
    ("yml", "application/yaml"),
];

/// The error for a request that has the method of the extension and wrong parameters. `None` for another
/// method.
pub fn wrong_parameters(method: &str) -> Option<ErrorData> {
    METHODS.contains(&method).then(|| {
        let message = format!("the parameters of `{method}` are not valid");
        ErrorData::invalid_params(message, None)
    })
}

/// The request for a page of skills.
pub fn list(parameters: Option<PaginatedRequestParams>) -> SkillRequest {
    SkillRequest::List {
        cursor: parameters.and_then(|parameters| parameters.cursor),
    }
}

/// The request for a skill.
///
/// # Errors
/// Fails if the URI is not that of a skill.
pub fn get(parameters: &GetSkillRequestParams) -> Result<SkillRequest, ErrorData> {
    let uri = &parameters.uri;
    let path = skill_path(uri).ok_or_else(|| not_a_skill(uri))?;
    // The entry has the URI of the request, which clients compare as text.
    let own = skill_uri(&path);
    if own != *uri {
        let message = format!("`{uri}` is not the URI of a skill; write it as `{own}`");
        return Err(ErrorData::invalid_params(message, None));
    }
    let path = path.strip_suffix(SKILL_MD);
    let path = path.and_then(|path| path.strip_suffix('/'));
    Ok(SkillRequest::Get {
        path: path.ok_or_else(|| not_a_skill(uri))?.to_owned(),
    })
}

/// The request for the entries of a directory.
///
/// # Errors
/// Fails if the URI is not in a skill.
pub fn directory(
    parameters: ReadResourceDirectoryRequestParams,
) -> Result<SkillRequest, ErrorData> {
    let uri = &parameters.uri;
    let path = skill_path(uri.strip_suffix('/').unwrap_or(uri));
    Ok(SkillRequest::Directory {
        path: path.ok_or_else(|| {
            let message = format!("`{uri}` is not a directory of a skill");
            ErrorData::invalid_params(message, None)
        })?,
        cursor: parameters.cursor,
    })
}

fn not_a_skill(uri: &str) -> ErrorData {
    ErrorData::invalid_params(format!("there is no skill `{uri}`"), None)
}

/// The URI of a path in the mounts of skills.
pub fn skill_uri(path: &str) -> String {
    let mut uri = String::from(START);
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => {
                uri.push(char::from(byte));
            }
            _ => {
                let _ = write!(uri, "%{byte:02X}");
            }
        }
    }
    uri
}

/// The path in the mounts of skills that a URI names. `None` if it is not a URI of a skill. Nothing else is
/// read in it: no selector, no query and no fragment.
pub fn skill_path(uri: &str) -> Option<String> {
    let (start, rest) = uri.split_at_checked(START.len())?;
    if !start.eq_ignore_ascii_case(START) || rest.contains(['?', '#']) {
        return None;
    }
    let mut path = Vec::with_capacity(rest.len());
    let mut bytes = rest.bytes();
    while let Some(byte) = bytes.next() {
        if byte != b'%' {
            path.push(byte);
            continue;
        }
        let mut digit = || char::from(bytes.next()?).to_digit(16);
        let decoded = digit()? * 16 + digit()?;
        // A slash that is encoded is a part of a name, and no name has one.
        path.push(u8::try_from(decoded).ok().filter(|byte| *byte != b'/')?);
    }
    String::from_utf8(path).ok()
}

/// The MIME type of a file of a skill, by its name. `None` if it is not known.
pub fn skill_file_type(path: &str) -> Option<&'static str> {
    let (_, extension) = path.rsplit_once('.')?;
    let known = TYPES.iter();
    let mut known = known.filter(|(end, _)| extension.eq_ignore_ascii_case(end));
    known.next().map(|(_, mime)| *mime)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uris_lead_back_to_their_paths() {
        for (path, uri) in [
            ("pdf/SKILL.md", "skill://pdf/SKILL.md"),
            ("team/pdf/a b%.md", "skill://team/pdf/a%20b%25.md"),
            ("pdf/é:?#[x]", "skill://pdf/%C3%A9%3A%3F%23%5Bx%5D"),
        ] {
            assert_eq!(skill_uri(path), uri);
            assert_eq!(skill_path(uri).as_deref(), Some(path));
        }
    }

    #[test]
    fn other_uris_have_no_path() {
        for uri in [
            "file:///a",
            "skill:",
            "skill:/a",
            "skill://a?b",
            "skill://a#b",
            "skill://a%2Fb",
            "skill://a%",
            "skill://a%4",
            "skill://a%zz",
            "skill://%ff",
            "ééééé",
        ] {
            assert_eq!(skill_path(uri), None, "{uri}");
        }
    }
}
