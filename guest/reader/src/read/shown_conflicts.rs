//! `conflict://2`: a conflict of the file whose conflicts the session showed. Also the hint on how to select conflicts.

use crate::escapes::escape_invisible;
use crate::failure::{Failure, OperatorHint, Reason};
use crate::limits;
use crate::pages::Input;
use crate::path::{Conflict, Part, Selector, is_absolute};
use crate::subject::{Origin, Subject};
use crate::world::World;
use xxhash_rust::xxh32::xxh32;

/// The scheme.
const SCHEME: &str = "conflict";

/// The key under which the session has the files.
const KEY: &str = "conflicts:shown";

/// Between the fields of the files. No path has it.
const END: char = '\0';

/// A file whose conflicts were shown.
#[derive(Clone, Debug, PartialEq, Eq)]
struct File {
    /// The size, the time of the last change, and a hash of the first bytes, which are all bytes of a small file.
    stamp: String,
    /// The absolute path, to which a colon and a selector can be appended.
    absolute: String,
    /// The path as the reply named it.
    path: String,
    /// The first root then, to which that path is relative.
    root: String,
}

/// The conflict that a URL names, in one of the files whose conflicts were shown.
pub(crate) struct Shown {
    /// The files, oldest first.
    files: Vec<File>,
    /// What the URL selects.
    selector: Selector,
}

/// The text after `conflict://` in a path of this scheme.
pub(crate) fn name(path: &str) -> Option<&str> {
    let (scheme, name) = path.split_once("://")?;
    scheme.eq_ignore_ascii_case(SCHEME).then_some(name)
}

/// Notes that conflicts of a file were shown, or that it has none.
pub(super) fn note(subject: &Subject, input: &Input<'_>, are_any: bool, world: &mut dyn World) {
    if !world.lasting() || subject.origin == Origin::Stdin {
        return;
    }
    let mut files = known(world);
    let count = files.len();
    let absolute = subject.absolute_before_selector();
    files.retain(|file| file.absolute != absolute);
    if are_any {
        let (info, hash) = (&subject.info, xxh32(input.head(), 0));
        let time = info.modified.map(|time| (time.seconds, time.nanos));
        files.push(File {
            stamp: format!("{:?} {time:?} {hash}", info.size),
            absolute,
            path: subject.before_selector(),
            root: root(world),
        });
    } else if files.len() == count {
        return;
    }
    let excess = files
        .len()
        .saturating_sub(limits::FILES_WITH_SHOWN_CONFLICTS);
    files.drain(..excess);
    keep(&files, world);
}

/// The first root.
fn root(world: &dyn World) -> String {
    world.roots().first().cloned().unwrap_or_default()
}

/// The files whose conflicts were shown, oldest first.
fn known(world: &mut dyn World) -> Vec<File> {
    let entry = world
        .cached(KEY)
        .and_then(|entry| String::from_utf8(entry).ok());
    let entry = entry.unwrap_or_default();
    let mut fields = entry.split_terminator(END).map(str::to_owned);
    let file = || {
        Some(File {
            stamp: fields.next()?,
            absolute: fields.next()?,
            path: fields.next()?,
            root: fields.next()?,
        })
    };
    std::iter::from_fn(file).collect()
}

fn keep(files: &[File], world: &mut dyn World) {
    let mut entry = String::new();
    for file in files {
        for field in [&file.stamp, &file.absolute, &file.path, &file.root] {
            entry.push_str(field);
            entry.push(END);
        }
    }
    world.cache(KEY, entry.as_bytes());
}

/// The conflict that a URL names. `name` is the text after `conflict://`, and `url` is the path as it was typed.
///
/// # Errors
/// Fails if the URL names no conflict, or if the session does not know of which file.
pub(crate) fn of_url(name: &str, url: &str, world: &mut dyn World) -> Result<Shown, Failure> {
    let (message, hint);
    let selector = match name {
        "" => Ok(Some(Selector::of(Part::Conflict(Conflict::All)))),
        name => Selector::parse(&format!("{SCHEME}:{name}")),
    };
    let selector = selector?.filter(|selector| matches!(selector.part, Part::Conflict(_)));
    let Some(selector) = selector else {
        message = format!("`{url}` names no conflict");
        hint = "write `conflict://N`, or `PATH:conflicts` for the list of those of a file";
        return Err(Failure::new(Reason::InvalidPath(url.to_owned()), message).hint(hint));
    };
    let reason = Reason::NotFound(Vec::new());
    if !world.lasting() {
        message = format!("cannot read `{url}`: without a session, it does not say of which file");
        let failure = Failure::new(reason, message).hint(format!("use `PATH:{selector}`"));
        return Err(failure.operator_hint(OperatorHint::Session));
    }
    let files = known(world);
    if files.is_empty() {
        message =
            format!("cannot read `{url}`: the session knows of no file whose conflicts it showed");
        let hint =
            format!("use `PATH:{selector}`, or list the conflicts with `PATH:conflicts` first");
        return Err(Failure::new(reason, message).hint(hint));
    }
    Ok(Shown { files, selector })
}

/// The hint for a suffix that was meant to select conflicts, such as `conflict` or `conflicts/2`. `None` for others.
pub(super) fn hint(suffix: &str, subject: &Subject) -> Option<String> {
    let start = suffix.get(.."conflict".len())?;
    let path = |conflict| {
        let selector = Selector::of(Part::Conflict(conflict));
        escape_invisible(&subject.with_selector(&selector))
    };
    start.eq_ignore_ascii_case("conflict").then(|| {
        let (all, one) = (path(Conflict::All), path(Conflict::Block(1)));
        format!("list the merge conflicts with `{all}`, or read the first one with `{one}`")
    })
}

impl File {
    /// The path of the file: as the reply named it, if it is the same file now.
    fn path(&self, world: &dyn World) -> &str {
        if self.root == root(world) {
            &self.path
        } else {
            &self.absolute
        }
    }
}

impl Shown {
    /// The paths of the lists of conflicts of the files on disk, if there are several files.
    pub(crate) fn lists(&self) -> Vec<String> {
        let files = self.files.iter().filter(|_| self.files.len() > 1);
        let on_disk = files.filter(|file| is_absolute(&file.absolute));
        let list = |file: &File| format!("{}:{}", file.absolute, Conflict::All);
        on_disk.map(list).collect()
    }

    /// Forgets the files that have no conflicts any more: those that are gone, by the paths of their lists, and those of
    /// which a read of the list has noted this.
    pub(crate) fn forget(&mut self, gone: &[String], world: &mut dyn World) {
        let now = known(world);
        self.files.retain(|file| {
            let list = format!("{}:{}", file.absolute, Conflict::All);
            !gone.contains(&list) && now.iter().any(|known| known.absolute == file.absolute)
        });
        // The reads noted the files as they are now. The numbers that the model knows are those of before.
        keep(&self.files, world);
    }

    /// The path of the conflict in its file.
    ///
    /// # Errors
    /// Fails if the conflicts of several files were shown, or if no file has conflicts any more.
    pub(crate) fn path(&self, url: &str, world: &dyn World) -> Result<String, Failure> {
        let path = |file: &File| format!("{}:{}", file.path(world), self.selector);
        if let [file] = self.files.as_slice() {
            return Ok(path(file));
        }
        let paths = self
            .files
            .iter()
            .rev()
            .take(limits::NAMED_FILES_WITH_CONFLICTS);
        let paths: Vec<String> = paths
            .map(|file| format!("`{}`", escape_invisible(&path(file))))
            .collect();
        let count = self.files.len();
        let (message, hint) = match count {
            0 => (
                "no file whose conflicts were shown has any now".to_owned(),
                format!("use `PATH:{}`", self.selector),
            ),
            _ => (
                format!("the session showed conflicts of {count} files"),
                format!("use {}", paths.join(" or ")),
            ),
        };
        let message = format!("cannot read `{url}`: {message}");
        Err(Failure::new(Reason::InvalidPath(url.to_owned()), message).hint(hint))
    }

    /// Checks that the file is as it was when its conflicts were shown. Another conflict may have the number since.
    /// The read of the conflict has noted how it is now.
    ///
    /// # Errors
    /// Fails if the file has changed.
    pub(crate) fn check(&self, url: &str, world: &mut dyn World) -> Result<(), Failure> {
        let now = known(world);
        let [file] = self.files.as_slice() else {
            return Ok(());
        };
        let now = now.iter().find(|known| known.absolute == file.absolute);
        if now.is_none_or(|now| now.stamp == file.stamp) {
            return Ok(());
        }
        keep(&self.files, world);
        let path = escape_invisible(file.path(world));
        let message = format!(
            "cannot read `{url}`: `{path}` has changed since its conflicts were shown, so that their numbers may differ"
        );
        let failure = Failure::new(Reason::InvalidPath(url.to_owned()), message);
        Err(failure.hint(format!(
            "list them again with `{path}:conflicts`, or read `{path}:{}`",
            self.selector
        )))
    }
}
