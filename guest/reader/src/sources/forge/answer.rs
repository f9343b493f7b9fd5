//! What an address of `issue://` or `pr://` names, from a copy of the session or from the API.
//!
//! An issue or pull request past the soft age is requested before it is answered, and its copy is shown only if
//! that fails, with its age. A diff past the soft age is answered from its copy, and the host refreshes it
//! afterwards. No copy past the hard age is shown. A listing is always requested, and its last replies are shown
//! if that fails.

use super::copies::Copy;
use super::read::Read;
use super::{failures, repository};
use crate::failure::{Failure, Reason};
use crate::web::{Requests, age_in_words, enterprise, no_network};
use crate::world::World;
use omniread_sites::Fault;
use omniread_sites::github::{
    self, Address, Ask, Diff, DiffPart, Filter, Forge, Links, PUBLIC_HOST, Target,
};

const MARKDOWN: &str = "text/markdown";
/// A diff is shown as it is.
const PLAIN: &str = "text/plain";

/// The text for an address.
pub struct Answer {
    /// The text.
    pub text: String,
    /// Its type.
    pub mime: &'static str,
    /// What the reply says besides the text.
    pub notes: Vec<String>,
    /// A path that requests it again, if it is an old copy that was shown without a request.
    pub refresh: Option<String>,
}

/// Answers an address.
///
/// # Errors
/// Fails if there is no repository or no network, and if the service does not answer and there is no copy that is
/// young enough.
pub fn answer(read: &Read<'_>, address: Address, world: &mut dyn World) -> Result<Answer, Failure> {
    let mut notes = address.notes;
    let repository = match address.repository {
        Some(repository) => repository,
        None => {
            let scheme = read.kind.scheme();
            let (repository, remote) = repository::of_workspace(read.path, scheme, world)?;
            let name = format!("{}/{}", repository.owner, repository.repo);
            notes.push(format!(
                "the repository is {name}, by the remote `{remote}`"
            ));
            repository
        }
    };
    let host = repository.host.as_deref().unwrap_or(PUBLIC_HOST);
    let api = read
        .github
        .api
        .as_deref()
        .filter(|api| match enterprise(api) {
            Some(of) => of.eq_ignore_ascii_case(host),
            None => host == PUBLIC_HOST,
        });
    let forge = Forge::new(host, &repository.owner, &repository.repo, api);
    let mut answer = match address.target {
        Target::List(filter) => list(read, &forge, &filter, world)?,
        Target::Thread { number, comments } => thread(read, &forge, (number, comments), world)?,
        Target::Diff { number, part } => diff(read, &forge, (number, part), world)?,
    };
    notes.append(&mut answer.notes);
    answer.notes = notes;
    Ok(answer)
}

/// Requests of the read. Fails if there is no network.
fn requests<'w>(
    read: &Read<'_>,
    forge: &Forge,
    copies: bool,
    world: &'w mut dyn World,
) -> Result<Requests<'w>, Failure> {
    let Some(http) = world.http() else {
        return Err(no_network(read.path, forge.api("")));
    };
    Ok(Requests::of_api(&http, copies, read.is_fresh, world))
}

/// An issue or pull request. `what` is its number, and the first page of its comments.
fn thread(
    read: &Read<'_>,
    forge: &Forge,
    what: (u64, Option<u64>),
    world: &mut dyn World,
) -> Result<Answer, Failure> {
    let (number, comments) = what;
    let page = comments.unwrap_or(0);
    let (scheme, api, name) = (read.kind.scheme(), &forge.api_base, forge.name());
    let key = format!("github {scheme} {api} {name} {number} {page}");
    let old = Copy::find(&key, world).filter(|copy| is_young(copy, read.github.hard, world));
    let is_current =
        |copy: &Copy, world: &dyn World| read.is_later || is_young(copy, read.github.soft, world);
    if let Some(copy) = &old
        && !read.is_fresh
        && is_current(copy, world)
    {
        return Ok(of_copy(copy, MARKDOWN, None, world));
    }
    let ask = Ask {
        kind: read.kind,
        number,
        comments,
        links: Links::Scheme,
    };
    let mut requests = requests(read, forge, false, world)?;
    let (found, is_cut) = match github::thread(&mut requests, forge, &ask) {
        Ok(thread) => {
            let is_cut = thread.is_cut;
            (thread.page(), is_cut)
        }
        Err(fault) => {
            let failure = failures::failure(&fault, read, forge, &requests);
            return instead(old, &fault, MARKDOWN, world).ok_or(failure);
        }
    };
    let copy = Copy {
        time: world.now().seconds,
        text: found.markdown,
        notes: found.notes,
    };
    // The next read asks for the rest, and a copy with all comments is the better last resort.
    if !is_cut {
        copy.store(&key, world);
    }
    Ok(Answer {
        text: copy.text,
        mime: MARKDOWN,
        notes: copy.notes,
        refresh: None,
    })
}

/// The diff of a pull request, or a part of it. One copy of the diff serves all parts.
fn diff(
    read: &Read<'_>,
    forge: &Forge,
    what: (u64, DiffPart),
    world: &mut dyn World,
) -> Result<Answer, Failure> {
    let (number, part) = what;
    let (api, name) = (&forge.api_base, forge.name());
    let key = format!("github diff {api} {name} {number}");
    let old = Copy::find(&key, world).filter(|copy| is_young(copy, read.github.hard, world));
    let (copy, why) = match old {
        Some(copy) if !read.is_fresh => (copy, None),
        old => {
            let mut requests = requests(read, forge, false, world)?;
            match github::diff_text(&mut requests, forge, number) {
                Ok(Diff { text, notes }) => {
                    let copy = Copy {
                        time: world.now().seconds,
                        text,
                        notes,
                    };
                    copy.store(&key, world);
                    (copy, None)
                }
                Err(fault) => {
                    let failure = failures::failure(&fault, read, forge, &requests);
                    let kept = old.filter(|_| !matches!(fault, Fault::Missing(_)));
                    (kept.ok_or(failure)?, Some(fault))
                }
            }
        }
    };
    let mut answer = of_copy(&copy, PLAIN, why.as_ref(), world);
    let is_old = !is_young(&copy, read.github.soft, world);
    if is_old && why.is_none() && !read.is_later {
        answer.refresh = Some(format!("{}:fresh", read.url));
    }
    let base = format!("pr://{name}/{number}/diff");
    match part {
        DiffPart::All => {}
        DiffPart::Files => {
            answer.text = github::diff_listing(&copy.text, &base);
            answer.mime = MARKDOWN;
        }
        DiffPart::File(index) => match github::diff_file(&copy.text, index) {
            Ok(text) => text.clone_into(&mut answer.text),
            Err(total) => {
                let message = format!(
                    "cannot read `{}`: the diff of {name}#{number} has {total} files",
                    read.path
                );
                let failure = Failure::new(Reason::NotFound(Vec::new()), message);
                return Err(failure.hint(format!("list them with `{base}`")));
            }
        },
    }
    Ok(answer)
}

/// A listing. It is not kept as a text: the replies that it is made of are.
fn list(
    read: &Read<'_>,
    forge: &Forge,
    filter: &Filter,
    world: &mut dyn World,
) -> Result<Answer, Failure> {
    let mut now = requests(read, forge, read.is_later, world)?;
    let found = github::list(&mut now, forge, read.kind, filter);
    let age = now.age();
    let fault = match found {
        Ok(page) => {
            let mut notes = page.notes;
            notes.extend(age.map(|age| format!("this is what was read {} ago", age_in_words(age))));
            return Ok(Answer {
                text: page.markdown,
                mime: MARKDOWN,
                notes,
                refresh: None,
            });
        }
        Err(fault) => fault,
    };
    let failure = failures::failure(&fault, read, forge, &now);
    if read.is_fresh || read.is_later || matches!(fault, Fault::Missing(_)) {
        return Err(failure);
    }
    let mut kept = requests(read, forge, true, world)?.without_network();
    let page = github::list(&mut kept, forge, read.kind, filter);
    let age = kept.age();
    match (page, age) {
        (Ok(page), Some(age)) if age <= u64::from(read.github.hard) => {
            let mut notes = page.notes;
            notes.push(stale(age, &fault));
            Ok(Answer {
                text: page.markdown,
                mime: MARKDOWN,
                notes,
                refresh: None,
            })
        }
        _ => Err(failure),
    }
}

/// Whether a copy is at most so many seconds old.
fn is_young(copy: &Copy, seconds: u32, world: &dyn World) -> bool {
    copy.age(world) <= u64::from(seconds)
}

/// The copy in place of what could not be requested. `None` if there is no copy, or if the service says that there
/// is nothing.
fn instead(
    copy: Option<Copy>,
    fault: &Fault,
    mime: &'static str,
    world: &dyn World,
) -> Option<Answer> {
    let copy = copy.filter(|_| !matches!(fault, Fault::Missing(_)))?;
    Some(of_copy(&copy, mime, Some(fault), world))
}

/// The answer of a copy. `fault` is why it was not requested again.
fn of_copy(copy: &Copy, mime: &'static str, fault: Option<&Fault>, world: &dyn World) -> Answer {
    let age = copy.age(world);
    let mut notes = copy.notes.clone();
    match fault {
        Some(fault) => notes.push(stale(age, fault)),
        None if age > 0 => {
            let age = age_in_words(age);
            notes.push(format!("this was read {age} ago; `:fresh` reads it again"));
        }
        None => {}
    }
    Answer {
        text: copy.text.clone(),
        mime,
        notes,
        refresh: None,
    }
}

fn stale(age: u64, fault: &Fault) -> String {
    format!(
        "this was read {} ago, because now {fault}",
        age_in_words(age)
    )
}
