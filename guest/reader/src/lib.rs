//! Reading anything as text for a model: one path string in, an answer out.
//!
//! ```text
//! dialects   arguments → Request                        Answer → blocks
//! lib        locate → open → detect → reader → Answer
//! readers    bytes and a window → body                  text, directory, binary
//! pages      fills a page: lines, columns, what comes next
//! sources    a path string → an open file or directory, repaired if asked
//! path       locators, selectors, the escape form: pure
//! world      all contact with the machine, behind one trait
//! ```
//!
//! Imports run downwards only, and three things stand between the layers: a
//! [`Request`], a [`window::Window`] with the [`window::Page`] that answers it,
//! and an [`answer::Answer`].
//!
//! What holds everywhere:
//!
//! * Memory is that of a page, whatever the size of a file.
//! * What was shown, of how much, and what comes next is computed in `pages`,
//!   from what was really emitted, and nowhere else.
//! * Nothing here reaches anything but through [`world::World`], and nothing
//!   panics on data: no indexing, no unchecked arithmetic, no `unwrap`.
//! * Damage becomes a note; only a read that shows nothing is a failure.

#![cfg_attr(
    not(test),
    warn(
        clippy::arithmetic_side_effects,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::unwrap_used,
    )
)]

pub mod answer;
#[cfg(target_family = "wasm")]
mod bindings;
#[cfg(target_family = "wasm")]
mod component;
pub mod dialects;
pub mod encoding;
pub mod failure;
pub mod limits;
pub mod pages;
pub mod path;
mod readers;
mod sources;
mod tag;
#[cfg(test)]
mod tests;
mod units;
pub mod window;
pub mod world;

use answer::{Answer, Body, Subject};
use encoding::Encoding;
use failure::{Failure, Reason};
use pages::Input;
use path::{Locator, Scheme, Selector};
use sources::Node;
use window::{Numbering, Window};
use world::{Snapshot, Source, World};

/// How a dialect wants text: what does not depend on the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a choice of its own that a dialect makes"
)]
pub struct Style {
    /// A path that does not exist may be replaced by the one that was meant.
    pub repair: bool,
    /// Lines of an open-ended read.
    pub open_lines: u64,
    /// Lines of any read.
    pub max_lines: u64,
    /// A single range shows lines around it.
    pub context: bool,
    /// The exact number of lines is stated.
    pub exact_total: bool,
    /// Editable text carries a tag.
    pub tagged: bool,
    /// What stands before the lines of editable text.
    pub editable: Numbering,
    /// What stands before other lines.
    pub plain: Numbering,
}

/// Lines that were asked for by arguments instead of a selector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The argument that did.
    pub argument: &'static str,
    /// What it asks for.
    pub selector: Selector,
}

/// What a dialect asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The path string.
    pub path: String,
    /// Lines, if arguments ask for them.
    pub window: Option<Asked>,
    /// `-` names standard input.
    pub stdin: bool,
    /// How text is wanted.
    pub style: Style,
}

impl Request {
    fn window(&self, selector: Selector, numbering: Numbering) -> Window {
        Window {
            numbering: if selector.raw {
                Numbering::None
            } else {
                numbering
            },
            selector,
            open_lines: self.style.open_lines,
            max_lines: self.style.max_lines,
            context: self.style.context,
            exact_total: self.style.exact_total,
        }
    }

    /// The selector of the path or the one of the arguments.
    fn selector(&self, of_path: Selector) -> Result<Selector, Failure> {
        match &self.window {
            None => Ok(of_path),
            Some(asked) if of_path == Selector::NONE => Ok(asked.selector.clone()),
            Some(asked) => Err(Failure::new(
                Reason::Argument(asked.argument.to_owned()),
                format!(
                    "`{}` has a selector and argument `{}` asks for lines too",
                    self.path, asked.argument
                ),
            )
            .hint("give one of them")),
        }
    }
}

/// Reads what a request asks for.
///
/// # Errors
/// Whatever stands in the way, with the path as it was typed.
pub fn read(request: &Request, world: &mut dyn World) -> Result<Answer, Failure> {
    let found = match path::locate(&request.path, request.stdin)? {
        Locator::Scheme(scheme) => return Err(unsupported(scheme, &request.path)),
        Locator::Stdin(rest) => return read_stdin(request, rest.as_deref(), world),
        Locator::Escaped(name, rest) => sources::find_exact(&name, rest.as_deref(), world)?,
        Locator::Path(path) if path::is_address(&path) => sources::find(&path, false, world)
            .map_err(|failure| match failure.reason {
                Reason::NotFound(_) => unsupported(Scheme::Web, &request.path),
                _ => failure,
            })?,
        Locator::Path(path) => sources::find(&path, request.style.repair, world)?,
    };
    let selector = request.selector(found.selector)?;
    match found.node {
        Node::File(mut source) => {
            let tagged = request.style.tagged && !selector.raw;
            let window = request.window(selector, request.style.editable);
            let answer = read_bytes(&mut *source, found.subject, &window, tagged, &request.path)?;
            remember(&answer, world);
            Ok(answer)
        }
        Node::Directory(mut directory) => {
            let mut window = request.window(selector, Numbering::None);
            // A tree is made here: there is nothing to be exact about. It is
            // short, so it is shown as far as a page goes unless less is asked
            // for.
            window.selector.raw = false;
            window.context = false;
            if request.window.is_none() {
                window.open_lines = limits::MAX_LINES;
            }
            let (listing, notes) =
                readers::directory::read(&mut *directory, &window, sources::PRUNED, world);
            Ok(Answer {
                subject: found.subject,
                body: Body::Listing(listing),
                notes,
            })
        }
    }
}

fn read_stdin(
    request: &Request,
    rest: Option<&str>,
    world: &mut dyn World,
) -> Result<Answer, Failure> {
    let selector = sources::selector("-", rest)?;
    let window = request.window(request.selector(selector)?, request.style.plain);
    let subject = Subject {
        path: "-".to_owned(),
        resolved: "-".to_owned(),
        stat: None,
        repair: None,
    };
    read_bytes(&mut *world.stdin(), subject, &window, false, &request.path)
}

/// Reads bytes by what they are.
fn read_bytes(
    source: &mut dyn Source,
    subject: Subject,
    window: &Window,
    tagged: bool,
    typed: &str,
) -> Result<Answer, Failure> {
    let size = subject.stat.map(|stat| stat.size);
    let mut input = Input::new(source, size).map_err(|error| sources::failure(error, typed))?;
    let encoding = encoding::detect(&mut input, size);
    let body = match encoding {
        None if !window.selector.raw => Body::Binary(readers::binary::read(&input)),
        // Who asks for the exact text of a binary file gets it as UTF-8.
        encoding => Body::Text(readers::text::read(
            &mut input,
            encoding.unwrap_or(Encoding::UTF8),
            window,
            tagged,
        )),
    };
    let notes = changed(&subject, input.source()).into_iter().collect();
    Ok(Answer {
        subject,
        body,
        notes,
    })
}

/// Whether a file changed while it was read.
fn changed(subject: &Subject, source: &mut dyn Source) -> Option<String> {
    let (before, after) = (subject.stat?, source.stat()?);
    match (
        after.size.checked_sub(before.size),
        after.modified == before.modified,
    ) {
        (Some(0), true) => None,
        (Some(grown), _) if grown > 0 => {
            Some(format!("the file grew by {grown} bytes while it was read"))
        }
        _ => Some("the file changed while it was read".to_owned()),
    }
}

fn remember(answer: &Answer, world: &mut dyn World) {
    if let Body::Text(text) = &answer.body
        && !text.page.lines.is_empty()
    {
        world.remember(&Snapshot {
            path: answer.subject.resolved.clone(),
            tag: text.tag.clone(),
            shown: text.page.whole_spans(),
            size: answer.subject.stat.map(|stat| stat.size),
            modified: answer.subject.stat.and_then(|stat| stat.modified),
        });
    }
}

fn unsupported(scheme: Scheme, path: &str) -> Failure {
    let what = match scheme {
        Scheme::Web => "web pages".to_owned(),
        Scheme::Internal(scheme) => format!("`{scheme}://` URLs"),
    };
    let message = format!("there is no reader for {what} yet: `{path}`");
    Failure::new(Reason::Unsupported(what), message)
}
