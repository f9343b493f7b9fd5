//! Listings of directories: a tree of two levels, newest entry first.

mod item;
mod render;

use self::item::{Item, Row};
use self::render::render;
use super::kinds::Kinds;
use super::listed;
use crate::answer::{Answer, Body, Listing};
use crate::escapes::escape_invisible;
use crate::failure::{Failure, Reason};
use crate::limits;
use crate::pages::fill_text;
use crate::path::{Lines, Selector, Suffix};
use crate::request::{ListingForm, Request};
use crate::sources;
use crate::subject::Subject;
use crate::window::{Page, Total, Window};
use crate::world::{Directory, Entry, FileError, FileType, Stat, World};
use omniread_outline::sort;

/// Reads a directory as a listing.
///
/// # Errors
/// Fails if the dialect (the read tool of an agent) does not list directories. Fails if the text
/// after the path of the directory is not a selector, such as `:50-80`, that applies to a listing.
pub fn directory(
    mut directory: Box<dyn Directory>,
    subject: Subject,
    rest: Option<&Suffix>,
    request: &Request,
    world: &dyn World,
) -> Result<Answer, Failure> {
    if !request.style.listings {
        return Err(not_a_file(&subject.requested));
    }
    let selector = sources::selector(&subject, rest).map_err(|failure| match failure.reason {
        Reason::InvalidSelector(_) => failure,
        _ => {
            let whole = escape_invisible(&subject.whole());
            failure.hint(format!(
                "write the name of an entry after a slash; list the entries with `{whole}`"
            ))
        }
    })?;
    let form = request.style.listing;
    let lines = if form == ListingForm::Names {
        request.style.open_lines
    } else if selector == Selector::NONE {
        // The first line shows the directory itself.
        limits::DIRECTORY_ENTRIES.saturating_add(1)
    } else {
        limits::MAX_LINES
    };
    let window = listed(&subject, request, selector, "directory", lines)?;
    let path = &subject.resolved;
    let (listing, notes) = match form {
        ListingForm::Tree => read(&mut *directory, path, &window, sources::PRUNED, world),
        ListingForm::Names => names(&mut *directory, path, &window, world),
    };
    Ok(Answer {
        subject,
        body: Body::Listing(listing),
        digest: None,
        notes,
    })
}

/// The failure for the path of a directory where only a file can be read.
pub fn not_a_file(path: &str) -> Failure {
    Failure::new(
        Reason::Directory(path.to_owned()),
        format!("`{path}` is a directory, not a file"),
    )
}

/// The number of entries of a directory whose subdirectories are opened together. Their entries are in memory until
/// they are listed.
const FOLDERS: usize = 128;

/// The state while a listing is built: how many entries may still be examined, and which entries
/// the listing leaves out.
struct Survey<'w> {
    /// The number of further entries whose metadata may be looked up.
    measured: u64,
    /// The number of further entries that may be read. Those that exceed `measured` are only
    /// counted.
    counted: u64,
    /// Directories that could not be read, with the errors.
    unreadable: Vec<(String, FileError)>,
    /// The number of entries whose name is not UTF-8.
    unnamed: u64,
    /// The number of directories whose entries were not read, because `measured` was used up.
    unlisted: u64,
    /// Whether a subdirectory in the tree has more entries than are shown.
    folded: bool,
    /// What the directories report about their entries.
    reported: Vec<String>,
    pruned: &'w [&'w str],
}

impl<'w> Survey<'w> {
    fn new(pruned: &'w [&'w str]) -> Self {
        Self {
            measured: limits::MEASURED_ENTRIES,
            counted: limits::COUNTED_ENTRIES,
            unreadable: Vec::new(),
            unnamed: 0,
            unlisted: 0,
            folded: false,
            reported: Vec::new(),
            pruned,
        }
    }
}

/// The entries of one directory.
struct Level {
    items: Vec<Item>,
    total: Total,
    /// The numbers, by kind, of the entries that are only counted and not listed.
    counted: Kinds,
}

/// Returns a page of the listing of a directory, and the notes for the reply. `path` is the
/// absolute path of the directory. Subdirectories whose name is in `pruned` are listed without
/// their entries.
fn read(
    directory: &mut dyn Directory,
    path: &str,
    window: &Window,
    pruned: &[&str],
    world: &dyn World,
) -> (Listing, Vec<String>) {
    let denied_before = world.denied_entries();
    let mut survey = Survey::new(pruned);
    let mut root = survey.level(directory, path, ".");
    let listed = root.items.len() as u64;
    if limits::TREE_DEPTH > 1 {
        for items in root.items.chunks_mut(FOLDERS) {
            survey.descend_all(directory, path, items);
        }
    }
    let mut rows: Vec<Row> = root.items.into_iter().map(Row::Item).collect();
    let left = root.total.count().saturating_sub(listed);
    if left > 0 {
        rows.push(Row::More(left));
    }
    let shown = match window.selector.lines {
        Lines::All => window.open_lines.min(window.max_lines),
        _ => u64::MAX,
    };
    let text = render(&rows, world.now(), shown);
    let page = fill_text(text, window);
    let more = more(&page, &rows, root.counted, root.total);
    let listing = Listing {
        window: window.clone(),
        page,
        archive: None,
        entries: root.total,
        listed,
        limit: if left > 0 || survey.unlisted > 0 {
            Some(listed)
        } else {
            survey.folded.then_some(limits::TREE_CHILDREN as u64)
        },
        denied_entries: world.denied_entries().saturating_sub(denied_before),
    };
    let notes = notes(&listing, &survey, more);
    (listing, notes)
}

/// Returns a page of the names of the entries of a directory, in order, each directory with a slash, and the notes
/// for the reply.
fn names(
    directory: &mut dyn Directory,
    path: &str,
    window: &Window,
    world: &dyn World,
) -> (Listing, Vec<String>) {
    let denied_before = world.denied_entries();
    let mut survey = Survey::new(&[]);
    let mut root = survey.level(directory, path, ".");
    sort::by_name(&mut root.items, |item| (0, 0, &item.name));
    let mut text = String::new();
    for item in &root.items {
        text.push_str(&escape_invisible(&item.name));
        if item.is_directory() {
            text.push('/');
        }
        text.push('\n');
    }
    let listed = root.items.len() as u64;
    let listing = Listing {
        window: window.clone(),
        page: fill_text(text, window),
        archive: None,
        entries: root.total,
        listed,
        limit: (root.total.count() > listed).then_some(listed),
        denied_entries: world.denied_entries().saturating_sub(denied_before),
    };
    let notes = notes(&listing, &survey, None);
    (listing, notes)
}

/// The note that counts, by kind, the entries of the directory that come after the page. `None` if
/// the page is the last one. `counted` has the numbers of the entries that are not in `rows`.
fn more(page: &Page, rows: &[Row], counted: Kinds, entries: Total) -> Option<String> {
    let last = page.lines.last().filter(|_| page.following.is_some())?;
    let last = usize::try_from(last.number).ok()?;
    let mut kinds = counted;
    // The first line shows the directory itself.
    let mut line = 1usize;
    for row in rows {
        let Row::Item(item) = row else { continue };
        line = line.saturating_add(1);
        if line > last {
            kinds.add(&item.name, item.is_directory());
        }
        line = line.saturating_add(item.children.len());
    }
    kinds.note(entries)
}

fn notes(listing: &Listing, survey: &Survey<'_>, more: Option<String>) -> Vec<String> {
    let mut notes = Vec::new();
    let left = listing.entries.count().saturating_sub(listing.listed);
    if left > 0 {
        let least = match listing.entries {
            Total::Exact(_) => "",
            Total::AtLeast(_) => "at least ",
        };
        notes.push(format!(
            "{least}{} entries; the first {} in the order of the filesystem are listed, the rest is only counted",
            listing.entries.count(),
            listing.listed
        ));
    }
    notes.extend(more);
    if survey.unlisted > 0 {
        let directories = count(survey.unlisted, "directory was", "directories were");
        notes.push(format!(
            "{directories} not listed, after {} entries",
            limits::MEASURED_ENTRIES
        ));
    }
    notes.extend(survey.reported.iter().take(limits::SIMILAR_NAMES).cloned());
    let more = survey.reported.len().saturating_sub(limits::SIMILAR_NAMES);
    if more > 0 {
        notes.push(format!(
            "{more} more notes about names in several directories"
        ));
    }
    for (name, error) in survey.unreadable.iter().take(limits::SIMILAR_NAMES) {
        notes.push(format!("cannot list `{name}`: {error}"));
    }
    let more = survey
        .unreadable
        .len()
        .saturating_sub(limits::SIMILAR_NAMES);
    if more > 0 {
        notes.push(format!("cannot list {more} more directories"));
    }
    if listing.denied_entries > 0 {
        notes.push(format!(
            "{} hidden by deny rules",
            count(listing.denied_entries, "entry", "entries")
        ));
    }
    if survey.unnamed > 0 {
        let names = count(survey.unnamed, "name is", "names are");
        notes.push(format!(
            "{names} not UTF-8; such files can be listed but not read"
        ));
    }
    notes
}

fn count(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

impl Survey<'_> {
    /// Reads the entries of a directory and sorts them, newest first. When `measured` is used up,
    /// further entries are only counted. `name` is the name of the directory for messages.
    fn level(&mut self, directory: &mut dyn Directory, path: &str, name: &str) -> Level {
        let sizeless = is_sizeless(path);
        let mut items = Vec::new();
        let mut total = 0u64;
        let mut counted = Kinds::default();
        loop {
            if self.counted == 0 {
                return Level {
                    items: sorted(items),
                    total: Total::AtLeast(total),
                    counted,
                };
            }
            let is_measured = self.measured > 0;
            let next = if is_measured {
                // No more than may be counted, so that those that are hidden after them are not counted.
                directory.next_measured(self.measured.min(self.counted))
            } else {
                directory
                    .next()
                    .map(|entry| entry.map(|entry| (entry, None)))
            };
            let Some(entry) = next else {
                self.reported.extend(directory.notes());
                break;
            };
            self.counted = self.counted.saturating_sub(1);
            total = total.saturating_add(1);
            let (entry, stat) = match entry {
                Ok(entry) => entry,
                // Runtimes return this error for a name that is not UTF-8.
                Err(FileError::NotFound) => {
                    self.unnamed = self.unnamed.saturating_add(1);
                    continue;
                }
                Err(error) => {
                    self.unreadable.push((name.to_owned(), error));
                    break;
                }
            };
            if is_measured {
                self.measured = self.measured.saturating_sub(1);
                items.push(self.item(directory, (entry, stat), sizeless));
            } else {
                counted.add(&entry.name, entry.file_type == FileType::Directory);
            }
        }
        Level {
            items: sorted(items),
            total: Total::Exact(total),
            counted,
        }
    }

    fn item(
        &mut self,
        directory: &mut dyn Directory,
        (entry, stat): (Entry, Option<Stat>),
        sizeless: bool,
    ) -> Item {
        let target = match entry.file_type {
            FileType::Symlink => directory.read_link(&entry.name).ok(),
            _ => None,
        };
        // Hosts escape names that are not UTF-8, and then do not find the escaped name.
        if stat.is_none() && target.is_none() && entry.name.contains("\\x") {
            self.unnamed = self.unnamed.saturating_add(1);
        }
        Item {
            name: entry.name,
            file_type: entry.file_type,
            stat,
            sizeless,
            target,
            children: Vec::new(),
            unlisted: false,
        }
    }

    /// Adds the entries of subdirectories to `items`, as [`Self::descend`] does for each. Those with few entries are
    /// opened together.
    fn descend_all(&mut self, parent: &mut dyn Directory, path: &str, items: &mut [Item]) {
        let folders = items.iter();
        let folders = folders
            .filter(|item| item.is_directory() && !self.pruned.contains(&item.name.as_str()));
        let folders: Vec<&str> = folders.map(|item| item.name.as_str()).collect();
        let mut opened = if folders.len() > 1 && self.measured > 0 {
            let most = self.measured.min(self.counted);
            let opened = parent.open_all(&folders, most).into_iter();
            let names = folders.iter().map(|name| (*name).to_owned());
            names.zip(opened).collect()
        } else {
            Vec::new()
        }
        .into_iter()
        .peekable();
        for item in items {
            let of_item = opened.next_if(|(name, _)| *name == item.name);
            self.descend(parent, path, item, of_item.and_then(|(_, opened)| opened));
        }
    }

    /// Adds the entries of a subdirectory to `item` as its children: all entries if there are few,
    /// otherwise the newest ones and the oldest one. Does nothing if `item` is not a directory. `opened` is the
    /// subdirectory if it was opened with others.
    fn descend(
        &mut self,
        parent: &mut dyn Directory,
        path: &str,
        item: &mut Item,
        opened: Option<Box<dyn Directory>>,
    ) {
        if !item.is_directory() {
            return;
        }
        if self.pruned.contains(&item.name.as_str()) {
            item.unlisted = true;
            return;
        }
        if self.measured == 0 {
            item.unlisted = true;
            self.unlisted = self.unlisted.saturating_add(1);
            return;
        }
        let mut directory = match opened.map_or_else(|| parent.open(&item.name), Ok) {
            Ok(directory) => directory,
            Err(error) => {
                item.unlisted = true;
                self.unreadable.push((item.name.clone(), error));
                return;
            }
        };
        let path = format!("{}/{}", path.trim_end_matches('/'), item.name);
        let level = self.level(&mut *directory, &path, &item.name);
        let total = level.total.count();
        let mut items = level.items;
        if total > limits::TREE_CHILDREN as u64 {
            let oldest = items.pop();
            items.truncate(limits::TREE_CHILDREN.saturating_sub(1));
            let shown = (items.len() as u64).saturating_add(u64::from(oldest.is_some()));
            item.children = items.into_iter().map(Row::Item).collect();
            item.children.push(Row::More(total.saturating_sub(shown)));
            self.folded = true;
            item.children.extend(oldest.map(Row::Item));
        } else {
            let left = total.saturating_sub(items.len() as u64);
            item.children = items.into_iter().map(Row::Item).collect();
            if left > 0 {
                item.children.push(Row::More(left));
                self.folded = true;
            }
        }
    }
}

/// Whether a path is in `/proc` or `/sys`, whose files are generated when they are read. Most of
/// these files have a reported size of 0.
fn is_sizeless(path: &str) -> bool {
    ["/proc", "/sys"].iter().any(|mount| {
        path.strip_prefix(mount)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    })
}

/// Sorts entries by the time of their last change, newest first, then by name. Entries without a
/// time are last.
fn sorted(mut items: Vec<Item>) -> Vec<Item> {
    sort::by_name(&mut items, |item| {
        let time = item.stat.and_then(|stat| stat.modified);
        let (seconds, nanos) = time.map_or((u64::MAX, u64::MAX), |time| {
            let nanos = u32::MAX.saturating_sub(time.nanos);
            (u64::MAX.saturating_sub(time.seconds), nanos.into())
        });
        (seconds, nanos, &item.name)
    });
    items
}

#[cfg(test)]
mod tests;
