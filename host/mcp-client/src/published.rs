//! The skills of all servers: which one has a name, and its files.
//!
//! A server is asked for its skills by each read, so that its answer is never an old one. Of several servers
//! that publish a skill of one name, the first in the order of the configuration has it.

use super::address::common;
use super::connection::Connection;
use super::failure::{Failure, one_line};
use super::limits;
use super::lists::{Content, List};
use super::servers::{Found, Servers, first_answers};
use super::skills::Skill;
use super::slot::{Opened, Slot};
use rmcp::model::{SKILL_MD, SkillIntegrityError};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;
use tokio::task::JoinSet;

/// The scheme of skills.
pub const SKILLS: &str = "skill";

/// What a server answered.
type Answer = Result<Option<(Arc<Connection>, List<Skill>)>, Failure>;

impl Servers {
    /// Opens what a URL `skill://…` names: the list of all skills, a skill, or a file or directory in one. The
    /// call blocks as [`open`](Self::open) does.
    ///
    /// # Errors
    /// Fails if there is no such skill, or if a server fails.
    pub fn open_skill(
        &self,
        url: &str,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<Opened, Failure> {
        let name = url.split_once("://").map_or(url, |(_, name)| name);
        let (slots, name) = (self.slots(), name.to_owned());
        self.run(is_cancelled, async move {
            let answers = ask(&slots, &name).await;
            if name.is_empty() {
                return Ok(Opened::list(list(&slots, &answers)));
            }
            find(&slots, answers, &name).await
        })
    }
}

/// Asks all servers for their skills. The answers are in the order of the servers. When one has the skill `name`, others
/// may be left out that are late, as if they had no skills.
async fn ask(slots: &[Arc<Slot>], name: &str) -> Vec<Answer> {
    let mut asked = JoinSet::new();
    for (index, slot) in slots.iter().enumerate() {
        let slot = Arc::clone(slot);
        asked.spawn(async move {
            let answer = async {
                let connection = slot.connection().await?;
                let skills = connection.skills().await?;
                Ok(skills.map(|skills| (connection, skills)))
            };
            (index, answer.await)
        });
    }
    let found = |answer: &Answer| match answer {
        Ok(Some((_, skills))) if !name.is_empty() => {
            let mut skills = skills.entries.iter();
            let has = skills.any(|skill| skill.rest(name).is_some());
            if has { Found::Here } else { Found::Not }
        }
        _ => Found::Not,
    };
    let mut answers: BTreeMap<usize, Answer> = first_answers(&mut asked, &found)
        .await
        .into_iter()
        .collect();
    (0..slots.len())
        .map(|index| answers.remove(&index).unwrap_or(Ok(None)))
        .collect()
}

/// The list of all skills: a line for each, and a line in brackets for each fact about the list.
fn list(slots: &[Arc<Slot>], answers: &[Answer]) -> String {
    let mut owners: BTreeMap<&str, &str> = BTreeMap::new();
    let (mut text, mut notes) = (String::new(), String::new());
    for (slot, answer) in slots.iter().zip(answers) {
        let server = slot.server.name.as_str();
        let skills = match answer {
            Ok(None) => continue,
            Ok(Some((_, skills))) => skills,
            Err(failure) => {
                let _ = writeln!(notes, "[{failure}]");
                continue;
            }
        };
        for skill in &skills.entries {
            let path = one_line(&skill.path, limits::DESCRIPTION);
            if let Some(owner) = owners.get(skill.path.as_str()) {
                let _ = writeln!(
                    notes,
                    "[the skill `{path}` of the MCP server `{server}` is hidden by that of `{owner}`]"
                );
                continue;
            }
            owners.insert(&skill.path, server);
            let _ = writeln!(text, "{path}: {}", skill.description);
        }
        for note in &skills.notes {
            let _ = writeln!(notes, "[skills of the MCP server `{server}`: {note}]");
        }
    }
    if text.is_empty() && notes.is_empty() {
        text.push_str("(no skills)\n");
    }
    text + &notes
}

/// The skill with a name, or what is in one.
async fn find(slots: &[Arc<Slot>], answers: Vec<Answer>, name: &str) -> Result<Opened, Failure> {
    let mut names = Vec::new();
    let mut failed = None;
    for (slot, answer) in slots.iter().zip(answers) {
        match answer {
            Ok(None) => {}
            Err(failure) => {
                failed.get_or_insert(failure);
            }
            Ok(Some((connection, skills))) => {
                // The longest path: a skill may be in the directory of another.
                let skills_of = skills.entries.iter();
                let own = skills_of.filter_map(|skill| Some((skill, skill.rest(name)?)));
                if let Some((skill, rest)) = own.max_by_key(|(skill, _)| skill.path.len()) {
                    let place = Place {
                        server: &slot.server.name,
                        connection: &connection,
                        skill,
                    };
                    return place.open(rest, name.ends_with('/')).await;
                }
                names.extend(skills.entries.into_iter().map(|skill| skill.path));
            }
        }
    }
    if let Some(failure) = failed {
        return Err(failure);
    }
    let similar = names.into_iter().filter(|path| {
        let alike = common(path, name);
        alike.saturating_mul(2) >= name.len()
    });
    let similar = similar.take(limits::SIMILAR);
    Err(Failure::NotFound(
        similar.map(|path| format!("{SKILLS}://{path}")).collect(),
    ))
}

/// A skill and where it is.
struct Place<'p> {
    server: &'p str,
    connection: &'p Connection,
    skill: &'p Skill,
}

impl Place<'_> {
    /// The `SKILL.md`, or the file or directory `rest` in the skill.
    async fn open(&self, rest: &str, is_directory: bool) -> Result<Opened, Failure> {
        let rest = rest.trim_end_matches('/');
        if rest.split('/').any(|part| matches!(part, "." | "..")) {
            return Err(Failure::NotFound(Vec::new()));
        }
        let path = if rest.is_empty() { SKILL_MD } else { rest };
        if !is_directory && let Some(opened) = self.file(path).await? {
            return Ok(opened);
        }
        let mut names = self.children(rest).await?;
        if names.is_empty() {
            let list = format!("{SKILLS}://{}/", self.skill.path);
            return Err(Failure::NotFound(vec![list]));
        }
        let start = match rest {
            "" => format!("{SKILLS}://{}", self.skill.path),
            rest => format!("{SKILLS}://{}/{rest}", self.skill.path),
        };
        for name in &mut names {
            *name = format!("{start}/{}\n", one_line(name, limits::DESCRIPTION));
        }
        Ok(Opened::list(names.concat()))
    }

    /// The file with a path. `None` if there is none.
    async fn file(&self, path: &str) -> Result<Option<Opened>, Failure> {
        let Self {
            server,
            connection,
            skill,
        } = self;
        if let Some(file) = skill.file(path) {
            let content = content(server, connection, &file.uri).await?;
            let verified = file.verify(&content.bytes);
            verified.map_err(|error| changed(server, &error))?;
            return Ok(Some(Opened::content(content)));
        }
        if skill.files.is_some() && path != SKILL_MD {
            return Ok(None);
        }
        match content(server, connection, &skill.uri_of(path)).await {
            Err(Failure::Refused { .. }) => Ok(None),
            other => other.map(|content| Some(Opened::content(content))),
        }
    }

    /// The names in a directory. Those of directories end with a slash.
    async fn children(&self, directory: &str) -> Result<Vec<String>, Failure> {
        if let Some(names) = self.skill.children(directory) {
            return Ok(names);
        }
        let uri = self.skill.uri_of(directory);
        let children = match self.connection.directory(uri.trim_end_matches('/')).await {
            Ok(children) => children.unwrap_or_default(),
            Err(Failure::Refused { .. }) => List::default(),
            Err(failure) => return Err(failure),
        };
        let names = children.entries.iter().filter_map(|child| {
            let slash = if child.mime == "inode/directory" {
                "/"
            } else {
                ""
            };
            let path = self.skill.path_of(&child.uri)?;
            let name = path.rsplit('/').next().unwrap_or_default();
            Some(format!("{name}{slash}"))
        });
        Ok(names.collect())
    }
}

/// The one content of a file of a skill.
async fn content(server: &str, connection: &Connection, uri: &str) -> Result<Content, Failure> {
    let contents = connection.read(uri).await?;
    let mut parts = contents.parts.into_iter();
    let wrong = || Failure::Form {
        server: server.to_owned(),
        what: "a file of a skill must have one content".to_owned(),
    };
    match (parts.next(), parts.next()) {
        (Some(content), None) => Ok(content),
        _ => Err(wrong()),
    }
}

fn changed(server: &str, error: &SkillIntegrityError) -> Failure {
    let error = one_line(&error.to_string(), limits::MESSAGE);
    Failure::Form {
        server: server.to_owned(),
        what: format!("a file of a skill is not the one that its list names: {error}"),
    }
}
