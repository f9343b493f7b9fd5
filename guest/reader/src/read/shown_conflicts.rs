//! `conflict://2`: a conflict of the file whose conflicts the session showed last. Also the hint on how to select
//! conflicts.

use crate::escapes::escape_invisible;
use crate::failure::{Failure, OperatorHint, Reason};
use crate::path::{Conflict, Part, Selector};
use crate::subject::{Origin, Subject};
use crate::world::World;

/// The scheme.
const SCHEME: &str = "conflict";

/// The key under which the session has the file.
const KEY: &str = "conflicts:shown";

/// The file whose conflicts were shown last.
pub(crate) struct Shown {
    /// The size and the time of the last change of the file then.
    stamp: String,
    /// The path of the file, to which a colon and a selector can be appended.
    path: String,
    /// What the URL selects of it.
    selector: Selector,
}

/// The text after `conflict://` in a path of this scheme.
pub(crate) fn name(path: &str) -> Option<&str> {
    let (scheme, name) = path.split_once("://")?;
    scheme.eq_ignore_ascii_case(SCHEME).then_some(name)
}

fn stamp(subject: &Subject) -> String {
    let modified = subject.info.modified.map(crate::world::Time::millis);
    format!("{:?} {modified:?}", subject.info.size)
}

/// Notes that conflicts of a file were shown.
pub(super) fn note(subject: &Subject, world: &mut dyn World) {
    if !world.lasting() || subject.origin == Origin::Stdin {
        return;
    }
    let entry = format!("{}\n{}", stamp(subject), subject.before_selector());
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
    let entry = world.cached(KEY);
    let entry = entry.and_then(|entry| String::from_utf8(entry).ok());
    let Some((stamp, path)) = entry.as_deref().and_then(|entry| entry.split_once('\n')) else {
        message =
            format!("cannot read `{url}`: the session knows of no file whose conflicts it showed");
        let hint =
            format!("use `PATH:{selector}`, or list the conflicts with `PATH:conflicts` first");
        return Err(Failure::new(reason, message).hint(hint));
    };
    Ok(Shown {
        stamp: stamp.to_owned(),
        path: path.to_owned(),
        selector,
    })
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

impl Shown {
    /// The path of the conflict in its file.
    pub(crate) fn path(&self) -> String {
        format!("{}:{}", self.path, self.selector)
    }

    /// Checks that the file is as it was when its conflicts were shown. Another conflict may have the number since.
    ///
    /// # Errors
    /// Fails if the file has changed.
    pub(crate) fn check(
        &self,
        url: &str,
        subject: &Subject,
        world: &mut dyn World,
    ) -> Result<(), Failure> {
        if stamp(subject) == self.stamp {
            return Ok(());
        }
        // The read noted the file as it is now. The numbers that the model knows are still those of before.
        let before = format!("{}\n{}", self.stamp, self.path);
        world.cache(KEY, before.as_bytes());
        let path = &self.path;
        let message = format!(
            "cannot read `{url}`: `{path}` has changed since its conflicts were shown, so that their numbers may differ"
        );
        let failure = Failure::new(Reason::InvalidPath(url.to_owned()), message);
        Err(failure.hint(format!(
            "list them again with `{path}:conflicts`, or read `{}`",
            self.path()
        )))
    }
}
