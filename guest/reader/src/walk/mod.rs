//! Follows a path from a file to the content that it names, and reads that content.
//!
//! The walk is a loop over *nodes*, the kinds of content in which a path can go on. Each node says
//! whether the content is of its kind, and what the rest of the path means in it: the path goes on in
//! a child, it ends here, or it does not mean this node.
//!
//! ```text
//! node         what all nodes have in common
//! way          where the walk is, and what is left of the path
//! compressed   compressed files
//! database     SQLite databases
//! unreadable   archives that only other programs can open
//! archive      archives, and the parts of documents
//! package      documents of office programs, which are archives of their parts
//! lookup       directories, links and misspelled names in archives
//! companion    the journal or write-ahead log of a database in an archive
//! attachments  mails, mailboxes and PDF documents with attachments
//! table        text files whose records are rows
//! unnamed      tables in standard input, which has no name
//! workbook     sheets of workbooks
//! pictures     the pictures of documents
//! file         the content itself, of which the rest of the path selects a part
//! ```

mod archive;
mod attachments;
mod companion;
mod compressed;
mod database;
mod file;
mod lookup;
mod node;
mod package;
mod pictures;
mod table;
mod unnamed;
mod unreadable;
mod way;
mod workbook;

use crate::answer::{Answer, Body};
use crate::failure::{Failure, Reason};
use crate::path::Suffix;
use crate::read::{Content, Context};
use crate::sniff::Volume;
use crate::subject::Subject;
use crate::web::Method;
use crate::world::{Remote, Source};
use node::{Next, Visit, visit};
use way::Way;

/// The nodes, in the order in which they are asked. The content itself is the last.
const NODES: [Visit; 8] = [
    visit::<compressed::Compressed>,
    visit::<database::Database>,
    visit::<unreadable::Unreadable>,
    visit::<archive::Archive>,
    visit::<attachments::Attachments>,
    visit::<table::Table>,
    visit::<workbook::Workbook>,
    visit::<pictures::Pictures>,
];

/// Reads the content that a path names in a file. `rest` is the text of the path after the name of
/// the file. A member is found even if its name has the syntax of a selector.
///
/// # Errors
/// Fails if the content does not exist, is denied or cannot be read, or if the selector (such as
/// `:50-80`) does not apply to it.
pub fn read(
    source: Box<dyn Source>,
    subject: Subject,
    rest: Option<Suffix>,
    context: &mut Context<'_>,
) -> Result<Answer, Failure> {
    let volume = Volume::of_archive(subject.inner_name());
    let mut way = Way::new(subject, rest);
    let content = way.arrive(Remote::share(source), context.request)?;
    let container = content.container;
    let answer = follow(content, way, context);
    let fits = |volume: &Volume| container.is_none_or(|container| volume.starts(container));
    let Some(volume) = volume.filter(fits) else {
        return answer;
    };
    let mut answer = answer.map_err(|failure| match failure.reason {
        Reason::Io(_) | Reason::Unsupported(_) => failure.hint(volume.join()),
        _ => failure,
    })?;
    // Text is not a volume, but the directory of a zip archive may be in the last one. A binary file has
    // the note already.
    let is_archive =
        container.is_some() || matches!(answer.body, Body::Listing(_) | Body::Archive(_));
    let note = volume.note();
    if is_archive && !answer.notes.contains(&note) {
        answer.notes.push(note);
    }
    Ok(answer)
}

/// Follows the path to the content, and reads it.
fn follow(
    mut content: Content,
    mut way: Way,
    context: &mut Context<'_>,
) -> Result<Answer, Failure> {
    let answer = 'content: loop {
        for visit in NODES {
            content = match visit(content, &mut way, context)? {
                Next::Body(answer) => break 'content *answer,
                Next::NotMine(content) => content,
                Next::Child(child) => {
                    content = way.arrive(child, context.request)?;
                    continue 'content;
                }
            };
        }
        break file::read(content, &mut way, context)?;
    };
    Ok(with_notes(answer, way.notes))
}

/// Adds notes to an answer, and to that of a web address how its body was read.
fn with_notes(mut answer: Answer, notes: Vec<String>) -> Answer {
    answer.notes.extend(notes);
    if let Some(web) = &mut answer.subject.web {
        web.method.get_or_insert(match &answer.body {
            Body::Text(_) => Method::Text,
            Body::Listing(_) | Body::Archive(_) => Method::Archive,
            Body::Database(_) => Method::Database,
            Body::Media(_) => Method::Image,
            Body::Binary(_) => Method::Raw,
        });
    }
    answer
}
