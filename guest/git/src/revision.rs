//! The syntax of revisions (`gitrevisions`): `HEAD`, `v1.0^{commit}`, `main~3^2`, `abc1234`.

use crate::error::{Candidate, Error};
use crate::id::Id;
use crate::kind::ObjectKind;
use crate::limits;
use crate::object::{self, Commit, Object};
use crate::repository::Repository;

/// What follows the name in a revision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// `~3`: the first parent, three times.
    Ancestor(u32),
    /// `^2`: the second parent. `^0` is the commit.
    Parent(u32),
    /// `^{commit}`: the object of that kind to which this one leads.
    Kind(ObjectKind),
    /// `^{}`: the object that a tag names.
    Untagged,
}

impl Repository<'_> {
    /// The object that a revision names.
    ///
    /// # Errors
    /// Fails if there is no such revision, if its syntax is not supported, or if an object cannot be read.
    pub fn revision(&mut self, revision: &str) -> Result<Id, Error> {
        let (name, rest) = split(revision);
        let steps = steps(rest, revision)?;
        let mut id = self.named(name, steps.first())?;
        for step in steps {
            id = match step {
                Step::Ancestor(count) => self.ancestor(id, count)?,
                Step::Parent(0) => self.commit(&id)?.id,
                Step::Parent(number) => self.parent(id, number)?,
                Step::Kind(kind) => self.peeled(&id, kind)?.id,
                Step::Untagged => self.untagged(&id)?.id,
            };
        }
        Ok(id)
    }

    /// The commit to which an object leads: a commit, or a tag of one.
    ///
    /// # Errors
    /// Fails if it leads to another kind of object, or if an object cannot be read.
    pub fn commit(&mut self, id: &Id) -> Result<Commit, Error> {
        let object = self.peeled(id, ObjectKind::Commit)?;
        object::commit(&object)
    }

    /// The commit and the tree to which an object leads. There is no commit if the object is a tree, or a tag of one.
    ///
    /// # Errors
    /// Fails if it leads to a file, or if an object cannot be read.
    pub fn tree(&mut self, id: &Id) -> Result<(Option<Commit>, Object), Error> {
        let object = self.untagged(id)?;
        match object.kind {
            ObjectKind::Commit => {
                let commit = object::commit(&object)?;
                let tree = self.of_kind(&commit.tree, ObjectKind::Tree)?;
                Ok((Some(commit), tree))
            }
            ObjectKind::Tree => Ok((None, object)),
            found => Err(Error::WrongKind {
                id: *id,
                found,
                wanted: ObjectKind::Tree,
            }),
        }
    }

    /// The object with an id, which has to be of a kind.
    ///
    /// # Errors
    /// Fails if it is of another kind, or cannot be read.
    pub fn of_kind(&mut self, id: &Id, wanted: ObjectKind) -> Result<Object, Error> {
        let object = self.object(id)?;
        if object.kind == wanted {
            return Ok(object);
        }
        Err(Error::WrongKind {
            id: *id,
            found: object.kind,
            wanted,
        })
    }

    /// The object that a tag names, or the object itself if it is not a tag.
    fn untagged(&mut self, id: &Id) -> Result<Object, Error> {
        let mut object = self.object(id)?;
        for _ in 0..limits::TAG_DEPTH {
            if object.kind != ObjectKind::Tag {
                return Ok(object);
            }
            let (target, kind) = object::tagged(&object)?;
            object = self.of_kind(&target, kind)?;
        }
        let limit = limits::TAG_DEPTH as u64;
        Err(Error::limit(
            "git-tags",
            limit,
            format_args!("the tag {id}"),
        ))
    }

    /// The object of a kind to which an object leads: a tag to what it names, and a commit to its tree.
    fn peeled(&mut self, id: &Id, wanted: ObjectKind) -> Result<Object, Error> {
        if wanted == ObjectKind::Tag {
            return self.of_kind(id, wanted);
        }
        let object = self.untagged(id)?;
        match (object.kind, wanted) {
            (found, wanted) if found == wanted => Ok(object),
            (ObjectKind::Commit, ObjectKind::Tree) => {
                let tree = object::commit(&object)?.tree;
                self.of_kind(&tree, wanted)
            }
            (found, wanted) => Err(Error::WrongKind {
                id: object.id,
                found,
                wanted,
            }),
        }
    }

    fn ancestor(&mut self, id: Id, count: u32) -> Result<Id, Error> {
        let mut id = self.commit(&id)?.id;
        for _ in 0..count {
            id = self.parent(id, 1)?;
        }
        Ok(id)
    }

    /// The parent of a commit with a number from 1.
    fn parent(&mut self, id: Id, number: u32) -> Result<Id, Error> {
        let commit = self.commit(&id)?;
        let index = usize::try_from(number).unwrap_or(usize::MAX);
        let parent = commit.parents.get(index.saturating_sub(1)).copied();
        let is_known = match &parent {
            Some(parent) => self.exists(parent)?,
            None => true,
        };
        match parent {
            Some(parent) if is_known || !self.is_shallow(&commit.id)? => Ok(parent),
            parent => Err(Error::NoParent {
                id: commit.id,
                number,
                parents: commit.parents.len(),
                shallow: parent.is_some(),
            }),
        }
    }

    /// The object with a name: an id, a reference, or the first digits of an id. `step` is what follows, which says
    /// of which kind the object is.
    fn named(&mut self, name: &str, step: Option<&Step>) -> Result<Id, Error> {
        let name = if name == "@" { "HEAD" } else { name };
        if let Some(id) = Id::from_hex(self.algorithm(), name) {
            if self.exists(&id)? {
                return Ok(id);
            }
            // The error of a missing object says why it may be missing.
            return self.object(&id).map(|object| object.id);
        }
        if let Some((_, id)) = self.reference(name)? {
            return Ok(id);
        }
        // `git describe` writes `v1.0-3-gabc1234`.
        let described = name.rsplit_once("-g").map(|(_, digits)| digits);
        for digits in [Some(name), described].into_iter().flatten() {
            let enough = digits.len() >= limits::SHORT_ID;
            if let Some((first, last)) = Id::range(self.algorithm(), digits).filter(|_| enough)
                && let Some(id) = self.short(digits, (first, last), step)?
            {
                return Ok(id);
            }
        }
        Err(Error::UnknownRevision(name.to_owned()))
    }

    /// The object whose id starts with some digits.
    fn short(
        &mut self,
        digits: &str,
        (first, last): (Id, Id),
        step: Option<&Step>,
    ) -> Result<Option<Id>, Error> {
        let most = limits::CANDIDATES.saturating_add(1);
        let ids = self.range(&first, &last, most)?;
        if let [] | [_] = ids.as_slice() {
            return Ok(ids.first().copied());
        }
        let more = ids.len() > limits::CANDIDATES;
        let mut candidates = Vec::new();
        for id in ids.into_iter().take(limits::CANDIDATES) {
            let kind = self.header(&id).ok().map(|(kind, _)| kind);
            candidates.push(Candidate { id, kind });
        }
        // A revision is a commit, a tag, or a tree without a step after it, if it may be one.
        let is_likely = |candidate: &&Candidate| match candidate.kind {
            Some(ObjectKind::Commit | ObjectKind::Tag) => true,
            Some(ObjectKind::Tree) => {
                matches!(step, None | Some(Step::Kind(ObjectKind::Tree)))
            }
            _ => false,
        };
        let likely: Vec<&Candidate> = candidates.iter().filter(is_likely).collect();
        match likely.as_slice() {
            [only] if !more => Ok(Some(only.id)),
            _ => Err(Error::Ambiguous {
                digits: digits.to_owned(),
                candidates,
                more,
            }),
        }
    }
}

/// Divides a revision into the name, and what follows it.
pub fn split(revision: &str) -> (&str, &str) {
    let end = revision
        .char_indices()
        .find(|(at, c)| {
            let rest = revision.get(*at..).unwrap_or_default();
            matches!(c, '~' | '^') || rest.starts_with("@{")
        })
        .map_or(revision.len(), |(at, _)| at);
    revision.split_at_checked(end).unwrap_or((revision, ""))
}

/// The steps after the name of a revision.
fn steps(text: &str, revision: &str) -> Result<Vec<Step>, Error> {
    let unsupported = |what: &str| Error::Unsupported(format!("{what} in `{revision}`"));
    // A path such as `../x` is not a range.
    if revision.contains("..") && !revision.starts_with("..") {
        return Err(unsupported("a range of revisions"));
    }
    let mut steps = Vec::new();
    let mut rest = text;
    while let Some(sign) = rest.chars().next() {
        let after = rest.get(1..).unwrap_or_default();
        let length = after.bytes().take_while(u8::is_ascii_digit).count();
        let (digits, next) = after.split_at_checked(length).unwrap_or((after, ""));
        let number = match digits {
            "" => Some(1),
            digits => digits.parse().ok(),
        };
        let number = number.ok_or_else(|| Error::UnknownRevision(revision.to_owned()));
        match (sign, after.strip_prefix('{')) {
            ('~', None) => {
                steps.push(Step::Ancestor(number?));
                rest = next;
            }
            ('^', Some(inner)) => {
                let (kind, next) = inner
                    .split_once('}')
                    .ok_or_else(|| Error::UnknownRevision(revision.to_owned()))?;
                steps.push(match kind {
                    "" => Step::Untagged,
                    kind => match ObjectKind::from_name(kind.as_bytes()) {
                        Some(kind) => Step::Kind(kind),
                        None => return Err(unsupported(&format!("`^{{{kind}}}`"))),
                    },
                });
                rest = next;
            }
            ('^', None) if after.starts_with(['@', '!', '-']) => {
                return Err(unsupported("a set of commits"));
            }
            ('^', None) => {
                steps.push(Step::Parent(number?));
                rest = next;
            }
            ('@', _) => return Err(unsupported("`@{…}`, the log of a reference,")),
            _ => return Err(Error::UnknownRevision(revision.to_owned())),
        }
    }
    Ok(steps)
}
