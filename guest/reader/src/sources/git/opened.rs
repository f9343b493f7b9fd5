//! What a path is at a revision, as an open file or directory, or as a diff against the work tree.

use super::allowed;
use super::listing::Tree;
use crate::escapes::escape_invisible;
use crate::failure::{Failure, Reason};
use crate::limits;
use crate::path::Suffix;
use crate::rooted_path::{RootedPath, failure};
use crate::sources::opened::{Opened, Resolved};
use crate::subject::{Origin, Revision, Subject};
use crate::units;
use crate::world::{Bytes, FileError, FileType, Info, Time, World};
use omniread_git as git;
use omniread_git::{Commit, Diff, Item, Repository};

/// What was read of a repository. Nothing of it is shown before [`open`] has checked the rules for its path.
pub struct Contents {
    /// The name of the revision.
    pub revision: String,
    pub commit: Commit,
    /// The path, after symlinks were followed.
    pub path: String,
    /// The symlinks that were followed.
    pub links: Vec<(String, String)>,
    pub node: Node,
}

/// What a path is at a revision.
pub enum Node {
    File(Vec<u8>),
    Directory(super::listing::Listing),
    Submodule(git::Id),
}

/// The names of a read.
pub struct Names<'n> {
    /// The path as it was typed.
    pub typed: &'n str,
    /// The path as it was typed, without the suffix.
    pub name: &'n str,
    /// The suffix after the name, with its separator.
    pub rest: &'n str,
    /// The path that was requested in the tree, before symlinks were followed.
    pub requested: &'n str,
    /// The directory of the work tree.
    pub top: &'n RootedPath,
}

impl Contents {
    /// Reads what a path is in the tree of a commit.
    pub fn read(
        revision: &str,
        commit: Commit,
        found: git::Found,
        repository: &mut Repository<'_>,
    ) -> Result<Self, git::Error> {
        let node = match found.item {
            Item::File(id) => Node::File(repository.of_kind(&id, git::ObjectKind::Blob)?.content),
            Item::Directory(tree) => {
                Node::Directory(Tree::read(&tree, repository)?.listing(repository))
            }
            Item::Submodule(id) => Node::Submodule(id),
        };
        Ok(Self {
            revision: revision.to_owned(),
            commit,
            path: found.path,
            links: found.links,
            node,
        })
    }

    /// The facts about the revision, for the reply.
    fn notes(&self) -> Vec<String> {
        let Commit {
            id,
            author,
            subject,
            ..
        } = &self.commit;
        let seconds = author.as_ref().and_then(|author| author.seconds);
        let seconds = seconds.and_then(|seconds| u64::try_from(seconds).ok());
        let date = seconds.map(|seconds| units::date(Time { seconds, nanos: 0 }));
        let date = date.as_deref().and_then(|date| date.get(..10));
        let of = date.map_or(String::new(), |date| format!(" of {date}"));
        let subject: String = subject.chars().take(limits::SUBJECT_CHARS).collect();
        let mut notes = vec![format!(
            "`{}` is the commit {}{of}: {}",
            escape_invisible(&self.revision),
            id.short(),
            escape_invisible(&subject)
        )];
        for (link, target) in self.links.iter().take(limits::SIMILAR_NAMES) {
            notes.push(format!(
                "`{}` is a symlink to `{}` in this commit",
                escape_invisible(link),
                escape_invisible(target)
            ));
        }
        if let Node::File(content) = &self.node
            && let Some(size) = lfs_size(content)
        {
            notes.push(format!(
                "the commit has a pointer to the content, which has {size} bytes and is in Git LFS, not in the repository"
            ));
        }
        notes
    }
}

/// The size of the content to which a pointer of Git LFS leads. `None` if the file is not such a pointer
/// (specification of Git LFS, version 1: at most 1,024 bytes).
fn lfs_size(content: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(content.get(..content.len().min(1024))?).ok()?;
    let is_pointer = text.starts_with("version https://git-lfs.github.com/spec/");
    let size = text.lines().find_map(|line| line.strip_prefix("size "))?;
    (is_pointer && content.len() <= 1024).then_some(size)
}

/// Opens what was read, after a check of the rules for its paths.
///
/// # Errors
/// Fails if a rule forbids a path, or if it is a submodule.
pub fn open(
    contents: Contents,
    names: &Names<'_>,
    world: &mut dyn World,
) -> Result<Resolved, Failure> {
    let place = |path: &str| {
        if path.is_empty() {
            names.top.clone()
        } else {
            names.top.join(path)
        }
    };
    let links = contents.links.iter().map(|(link, _)| link.as_str());
    let passed: Vec<&str> = links.chain([names.requested, &contents.path]).collect();
    for path in passed {
        allowed::check(&place(path), names.typed, world)?;
    }
    let own = place(&contents.path);
    let mut notes = contents.notes();
    let resolved = format!("git://{}/{}", contents.commit.id, contents.path);
    let compared = names.rest.strip_prefix(":diff");
    let compared = compared.filter(|after| after.is_empty() || after.starts_with([':', '#']));
    let mut name = names.name.to_owned();
    let mut rest = names.rest;
    let mut inner_name = contents.path.clone();
    let (node, size) = match contents.node {
        Node::Submodule(id) => {
            let message = format!(
                "`{}` is a submodule at the commit {id}, whose files are in another repository",
                names.typed
            );
            let reason = Reason::Unsupported("a submodule".to_owned());
            let path = own.shown(world);
            let hint = format!("its files are read as `{path}/PATH@{id}` if it is checked out");
            return Err(Failure::new(reason, message).hint(hint));
        }
        Node::Directory(_) if compared.is_some() => {
            let message = format!("cannot compare the directory `{}`", names.name);
            let reason = Reason::Unsupported("a diff of a directory".to_owned());
            return Err(
                Failure::new(reason, message).hint("write `:diff` after the name of a file")
            );
        }
        Node::Directory(mut listing) => {
            listing.remove_denied(&own, world);
            (Opened::Directory(Box::new(listing)), None)
        }
        Node::File(content) => {
            let content = match compared {
                Some(after) => {
                    rest = after;
                    name.push_str(":diff");
                    inner_name.push_str(".diff");
                    let (text, more) = diff(&content, &contents.path, &own, names, world)?;
                    notes.extend(more);
                    text.into_bytes()
                }
                None => content,
            };
            let size = content.len() as u64;
            (Opened::Bytes(Box::new(Bytes::new(content))), Some(size))
        }
    };
    let origin = Origin::Revision(Box::new(Revision {
        place: own,
        name: inner_name,
        notes,
    }));
    let info = Info {
        size,
        ..Info::default()
    };
    Ok(Resolved {
        subject: Subject {
            resolved,
            ..Subject::remote(&name, name.clone(), origin, info)
        },
        node,
        suffix: Suffix::after_name(rest, false),
        extraction: None,
    })
}

/// The unified diff from a file at a revision to the file in the work tree, and notes.
fn diff(
    old: &[u8],
    path: &str,
    place: &RootedPath,
    names: &Names<'_>,
    world: &mut dyn World,
) -> Result<(String, Vec<String>), Failure> {
    let new = work_tree(place, names.typed, world)?;
    let mut notes = Vec::new();
    let new_name = match &new {
        Some(_) => format!("b/{path}"),
        None => {
            notes.push("the file does not exist in the work tree".to_owned());
            "/dev/null".to_owned()
        }
    };
    let new = new.unwrap_or_default();
    let compared = git::unified(old, &new, &format!("a/{path}"), &new_name);
    let text = match compared {
        Diff::Equal => "(no differences)\n".to_owned(),
        Diff::Binary => format!("Binary files a/{path} and {new_name} differ\n"),
        Diff::Long => {
            let limit = git::limits::DIFF_BYTES as u64;
            let what = format!(
                "cannot compare `{}`: it has more than {limit} bytes",
                names.name
            );
            return Err(Failure::new(Reason::limit("diff-bytes", limit), what));
        }
        Diff::Text {
            text,
            added,
            removed,
        } => {
            notes.push(format!(
                "lines added in the work tree: {added}, removed: {removed}"
            ));
            text
        }
    };
    Ok((text, notes))
}

/// The bytes of a file in the work tree. `None` if it does not exist.
fn work_tree(
    place: &RootedPath,
    typed: &str,
    world: &mut dyn World,
) -> Result<Option<Vec<u8>>, Failure> {
    let (place, stat) = match place.clone().stat(true, typed, world)? {
        Ok(found) => found,
        Err(FileError::NotFound) => return Ok(None),
        Err(error) => return Err(failure(error, typed)),
    };
    if stat.file_type != FileType::File {
        let path = place.shown(world);
        let message = format!("cannot compare `{typed}`: `{path}` is not a file in the work tree");
        return Err(Failure::new(Reason::Directory(path), message));
    }
    let failed = |error| failure(error, typed);
    let mut source = world.open(place.root, &place.path).map_err(failed)?;
    let mut bytes = Vec::new();
    // One more byte than a diff may have: the comparison finds the limit.
    let most = git::limits::DIFF_BYTES.saturating_add(1);
    while bytes.len() < most {
        let before = bytes.len();
        let len = most.saturating_sub(before).min(1 << 20);
        source
            .read(before as u64, len, &mut bytes)
            .map_err(failed)?;
        if bytes.len() == before {
            break;
        }
    }
    Ok(Some(bytes))
}

/// The commit that a revision names. A path in another tree could not be compared with the rules of the workspace.
///
/// # Errors
/// Fails if there is no such revision, or if it is not a commit.
pub fn commit(revision: &str, repository: &mut Repository<'_>) -> Result<Commit, git::Error> {
    // The tree of a commit has the paths of the commit.
    let name = revision.strip_suffix("^{tree}").unwrap_or(revision);
    let id = repository.revision(name)?;
    repository.commit(&id)
}
