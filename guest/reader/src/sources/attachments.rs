//! The attachments of documents: which of them may be read, and the note that names them.

use super::labels;
use crate::limits;
use crate::subject::Subject;
use crate::world::World;
use omniread_document::Attachment;

/// A note that names the attachments of a document, except those that are denied. `None` if there are
/// none.
pub fn attachments_note(
    attachments: &[Attachment],
    subject: &Subject,
    world: &dyn World,
) -> Option<String> {
    let allowed = attachments
        .iter()
        .filter(|one| denied_attachment(one, world).is_none());
    let names: Vec<&str> = allowed.map(|one| one.name.as_str()).collect();
    let first = names.iter().take(limits::NAMED_ATTACHMENTS);
    let first: Vec<String> = first
        .map(|name| format!("`{}`", labels::path_of(subject, name)))
        .collect();
    let more = match names.len().saturating_sub(first.len()) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    match first.as_slice() {
        [] => None,
        [one] => Some(format!("The file has an attachment: {one} reads it.")),
        _ => Some(format!(
            "The file has {} attachments, which these paths read: {}{more}.",
            names.len(),
            first.join(", ")
        )),
    }
}

/// The deny rule that matches an attachment, if one does. The name that the document declares is matched
/// too, as a path and by its last component, because the name that is shown differs from it: in
/// `dir/.env`, and in the second of two attachments called `.env`.
pub fn denied_attachment(attachment: &Attachment, world: &dyn World) -> Option<String> {
    if !world.denies_members() {
        return None;
    }
    let declared = attachment.declared.replace('\\', "/");
    let last = declared.rsplit('/').next().unwrap_or_default().trim();
    let names = [attachment.name.as_str(), &declared, last];
    let mut names = names.into_iter().filter(|name| !name.is_empty());
    names.find_map(|name| world.denies(name))
}
