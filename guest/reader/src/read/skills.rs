//! The list of the skills in a mounted directory, each with its description.
//!
//! A skill is a directory with a `SKILL.md`, whose front matter has a name and a description (the
//! specification Agent Skills). A directory without one is a namespace: the directories in it are
//! skills.

use super::listed;
use crate::answer::{Answer, Body, Listing};
use crate::escapes::escape_invisible;
use crate::failure::Failure;
use crate::front_matter;
use crate::limits;
use crate::pages::fill_text;
use crate::path::{Lines, Selector, Suffix};
use crate::request::Request;
use crate::rooted_path::{RootedPath, failure};
use crate::sources;
use crate::subject::Subject;
use crate::window::{Total, Window};
use crate::world::{FileError, FileType, ResourceError, World};
use omniread_document::order;
use omniread_schemes::SKILL_FILE;
use std::collections::BTreeSet;

/// Lists the skills of a mount.
///
/// # Errors
/// Fails if the directory cannot be read, or if the text after its URL is not a selector of lines.
pub(crate) fn skills(
    subject: Subject,
    rest: Option<&Suffix>,
    request: &Request,
    world: &mut dyn World,
) -> Result<Answer, Failure> {
    let selector = sources::selector(&subject, rest)?;
    let wanted = last_wanted(&selector);
    let mut window = listed(
        &subject,
        request,
        selector,
        "list of skills",
        limits::LISTED_SKILLS,
    )?;
    window.line_chars = None;
    let Some(place) = subject.origin.on_disk().cloned() else {
        return Err(failure(FileError::NotFound, &request.path));
    };
    let denied_before = world.denied_entries();
    let mut list = List::default();
    let scheme = world.mount(place.root).map(|mount| mount.scheme.clone());
    for root in world.mounts_of(&scheme.unwrap_or_default()) {
        let place = RootedPath {
            root,
            ..place.clone()
        };
        list.read(&place, wanted, &request.path, world)?;
    }
    list.read_provided(SKILLS, world);
    let denied = world.denied_entries().saturating_sub(denied_before);
    let (listing, notes) = list.listing(&window, denied);
    Ok(Answer {
        subject,
        body: Body::Listing(listing),
        digest: None,
        notes,
    })
}

/// The scheme of skills.
const SKILLS: &str = "skill";

/// The number of the last skill that a selector wants, as far as it is known. The skills after it need not
/// be read.
fn last_wanted(selector: &Selector) -> u64 {
    let page = limits::LISTED_SKILLS;
    let last = match &selector.lines {
        Lines::All => Some(page),
        Lines::One(range) => {
            let end = range.start.line.saturating_add(page);
            Some(range.end.map_or(end, |last| last.min(limits::MAX_LINES)))
        }
        Lines::List(_) | Lines::Tail { .. } => None,
    };
    last.unwrap_or(u64::MAX)
}

/// The skills that were read so far.
#[derive(Default)]
struct List {
    /// A line for each skill: its name and description.
    lines: String,
    count: u64,
    /// The names that were read. A skill of that name in a later mount is never reached.
    names: BTreeSet<String>,
    /// The number of directories that were looked at.
    looked: u64,
    /// The number of directories that were not looked at, because enough skills were found or too many
    /// directories were looked at.
    left: u64,
    /// The names of skills without a description, which are not in the list.
    without_description: Vec<String>,
    /// The names that the specification does not allow.
    wrong_names: Vec<String>,
    /// The names of skills whose front matter has another name.
    other_names: Vec<String>,
    /// The names of skills that an earlier mount has too.
    hidden: Vec<String>,
    /// What could not be read, with the reason.
    unreadable: Vec<(String, FileError)>,
    /// The names of skills of the provider that a mount has too.
    hidden_provided: Vec<String>,
    /// Notes of the provider.
    provided: Vec<String>,
}

/// What a directory is.
enum Found {
    /// A skill, with what its front matter has.
    Skill {
        description: Option<String>,
        name: Option<String>,
    },
    Namespace,
    Nothing,
}

impl List {
    /// Reads the skills of a directory, in the order of their names, until one more than `wanted` is found.
    fn read(
        &mut self,
        place: &RootedPath,
        wanted: u64,
        path: &str,
        world: &mut dyn World,
    ) -> Result<(), Failure> {
        let names = directories(place, world).map_err(|error| failure(error, path))?;
        for name in names {
            if self.count > wanted || self.looked >= limits::SEARCHED_SKILLS {
                self.left = self.left.saturating_add(1);
                continue;
            }
            self.looked = self.looked.saturating_add(1);
            match found(&place.join(&name), world) {
                Ok(Found::Skill {
                    description,
                    name: own,
                }) => self.add(&name, &name, description, own.as_deref()),
                Ok(Found::Namespace) => self.namespace(place, &name, wanted, world),
                Ok(Found::Nothing) => {}
                Err(error) => self.unreadable.push((name, error)),
            }
        }
        Ok(())
    }

    fn namespace(
        &mut self,
        place: &RootedPath,
        namespace: &str,
        wanted: u64,
        world: &mut dyn World,
    ) {
        let place = place.join(namespace);
        let names = match directories(&place, world) {
            Ok(names) => names,
            Err(error) => return self.unreadable.push((namespace.to_owned(), error)),
        };
        for name in names {
            let path = format!("{namespace}/{name}");
            if self.count > wanted || self.looked >= limits::SEARCHED_SKILLS {
                self.left = self.left.saturating_add(1);
                continue;
            }
            self.looked = self.looked.saturating_add(1);
            match found(&place.join(&name), world) {
                Ok(Found::Skill {
                    description,
                    name: own,
                }) => self.add(&path, &name, description, own.as_deref()),
                Ok(_) => {}
                Err(error) => self.unreadable.push((path, error)),
            }
        }
    }

    /// Adds the skills that the provider of the scheme lists after those of the mounts: a line for each, and a
    /// line in brackets for each note.
    fn read_provided(&mut self, scheme: &str, world: &mut dyn World) {
        if world.facts(scheme).is_err() {
            return;
        }
        let text = match provided(scheme, world) {
            Ok(text) => text,
            Err(ResourceError::Scheme | ResourceError::NotFound(_)) => return,
            Err(ResourceError::File(error)) => {
                return self.unreadable.push((format!("{scheme}://"), error));
            }
        };
        for line in text.lines() {
            if let Some(note) = line.strip_prefix('[') {
                self.provided
                    .push(escape_invisible(note.trim_end_matches(']')));
            } else if let Some((name, description)) = line.split_once(": ") {
                if self.names.insert(name.to_owned()) {
                    self.push(name, description);
                } else {
                    self.hidden_provided.push(name.to_owned());
                }
            }
        }
    }

    /// Adds the skill in the directory `name`. `own` is the name in its front matter.
    fn add(&mut self, path: &str, name: &str, description: Option<String>, own: Option<&str>) {
        if !self.names.insert(path.to_owned()) {
            return self.hidden.push(path.to_owned());
        }
        let Some(description) = description else {
            return self.without_description.push(path.to_owned());
        };
        if !is_name(name) {
            self.wrong_names.push(path.to_owned());
        }
        if own.is_some_and(|own| own != name) {
            self.other_names.push(path.to_owned());
        }
        self.push(path, &description);
    }

    /// Adds the line of a skill.
    fn push(&mut self, path: &str, description: &str) {
        self.count = self.count.saturating_add(1);
        self.lines.push_str(&escape_invisible(path));
        self.lines.push_str(": ");
        let words: Vec<&str> = description.split_whitespace().collect();
        self.lines.push_str(&escape_invisible(&words.join(" ")));
        self.lines.push('\n');
    }

    fn listing(mut self, window: &Window, denied: u64) -> (Listing, Vec<String>) {
        if self.lines.is_empty() {
            self.lines.push_str("(no skills)\n");
        }
        let mut page = fill_text(std::mem::take(&mut self.lines), window);
        let entries = match self.left {
            0 => Total::Exact(self.count),
            _ => Total::AtLeast(self.count),
        };
        page.total = match entries {
            Total::Exact(count) => Total::Exact(count.max(1)),
            least @ Total::AtLeast(_) => least,
        };
        let listing = Listing {
            window: window.clone(),
            page,
            archive: None,
            entries,
            listed: self.count,
            limit: None,
            denied_entries: denied,
        };
        (listing, self.notes(denied))
    }

    fn notes(&self, denied: u64) -> Vec<String> {
        let mut notes = Vec::new();
        if self.left > 0 {
            notes.push(format!("{} more directories were not looked at", self.left));
        }
        let named = |names: &[String]| {
            let first = names.iter().take(limits::SIMILAR_NAMES);
            let first: Vec<String> = first
                .map(|name| format!("`{}`", escape_invisible(name)))
                .collect();
            let more = names.len().saturating_sub(first.len());
            match more {
                0 => first.join(", "),
                more => format!("{} and {more} more", first.join(", ")),
            }
        };
        if !self.without_description.is_empty() {
            notes.push(format!(
                "skills without a description are not listed: {}",
                named(&self.without_description)
            ));
        }
        if !self.wrong_names.is_empty() {
            notes.push(format!(
                "names of skills have lower-case letters, digits and hyphens: {}",
                named(&self.wrong_names)
            ));
        }
        if !self.other_names.is_empty() {
            notes.push(format!(
                "the front matter of these skills has another name, which is not read: {}",
                named(&self.other_names)
            ));
        }
        if !self.hidden.is_empty() {
            notes.push(format!(
                "skills that are also in a later directory, where they are not read: {}",
                named(&self.hidden)
            ));
        }
        if !self.hidden_provided.is_empty() {
            notes.push(format!(
                "skills of servers that a directory has too, so that they are not read: {}",
                named(&self.hidden_provided)
            ));
        }
        notes.extend(self.provided.iter().cloned());
        for (name, error) in self.unreadable.iter().take(limits::SIMILAR_NAMES) {
            notes.push(format!("cannot read `{}`: {error}", escape_invisible(name)));
        }
        let more = self.unreadable.len().saturating_sub(limits::SIMILAR_NAMES);
        if more > 0 {
            notes.push(format!("cannot read {more} more directories"));
        }
        if denied > 0 {
            let entries = if denied == 1 { "entry" } else { "entries" };
            notes.push(format!("{denied} {entries} hidden by deny rules"));
        }
        notes
    }
}

/// Whether a name is one that the specification allows: 1 to 64 lower-case letters, digits and single
/// hyphens between them.
pub(super) fn is_name(name: &str) -> bool {
    let part = |part: &str| {
        !part.is_empty()
            && part
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
    };
    name.len() <= 64 && name.split('-').all(part)
}

/// The names of the directories, and of the symlinks, in a directory, in order. Hidden directories, such as
/// those of version control, are left out.
pub(super) fn directories(
    place: &RootedPath,
    world: &mut dyn World,
) -> Result<Vec<String>, FileError> {
    let mut directory = world.list(place.root, &place.path)?;
    let mut names = Vec::new();
    for _ in 0..limits::COUNTED_ENTRIES {
        match directory.next() {
            Some(Ok(entry))
                if matches!(entry.file_type, FileType::Directory | FileType::Symlink)
                    && !entry.name.starts_with('.') =>
            {
                names.push(entry.name);
            }
            // A name that is not UTF-8 is no name of a skill.
            Some(_) => {}
            None => break,
        }
    }
    order::by(&mut names, String::cmp);
    Ok(names)
}

/// The list of the provider of a scheme. Of a long one, only the start is read.
fn provided(scheme: &str, world: &mut dyn World) -> Result<String, ResourceError> {
    let mut source = world.resource(&format!("{scheme}://"), true)?.source;
    let mut bytes = Vec::new();
    while bytes.len() < limits::PROVIDED_SKILLS {
        let before = bytes.len();
        let left = limits::PROVIDED_SKILLS.saturating_sub(before);
        source
            .read(before as u64, left, &mut bytes)
            .map_err(ResourceError::File)?;
        if bytes.len() == before {
            break;
        }
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// What a directory is, and the description of a skill.
fn found(place: &RootedPath, world: &mut dyn World) -> Result<Found, FileError> {
    let file = place.join(SKILL_FILE);
    let mut source = match world.open(file.root, &file.path) {
        Ok(source) => source,
        Err(FileError::NotFound) => {
            let stat = world.stat(place.root, &place.path, true);
            return Ok(match stat {
                Ok(stat) if stat.file_type == FileType::Directory => Found::Namespace,
                _ => Found::Nothing,
            });
        }
        Err(error) => return Err(error),
    };
    let mut bytes = Vec::new();
    while bytes.len() < limits::FRONT_MATTER_BYTES {
        let length = bytes.len();
        source.read(length as u64, limits::FRONT_MATTER_BYTES, &mut bytes)?;
        if bytes.len() == length || !front_matter::is_open(&String::from_utf8_lossy(&bytes)) {
            break;
        }
    }
    let mut text = String::from_utf8_lossy(&bytes).into_owned();
    if bytes.len() >= limits::FRONT_MATTER_BYTES && front_matter::is_open(&text) {
        // What comes first of a very long one is read.
        let whole = text.rfind('\n').map_or(0, |feed| feed.saturating_add(1));
        text.truncate(whole);
        text.push_str("---\n");
    }
    let [description, name] = front_matter::values(&text, ["description", "name"]);
    Ok(Found::Skill { description, name })
}
