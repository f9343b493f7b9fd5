//! HTML as Markdown: the main text of a page, the whole page, a section or a fragment.
//!
//! ```text
//! fragment   a fragment, and a page of a package
//! links      the alternates, documents and redirect to which a page refers
//! product    the description of a product that is only in the metadata
//! section    the nodes of the section with an id
//! streamed   parts that a script moves to their places
//! ```

mod fragment;
mod links;
mod product;
mod scripts;
mod section;
mod streamed;

pub use fragment::{Fragment, chapter, fragment};
pub use links::{Alternate, AlternateKind, Links};
pub use section::NoSection;

use crate::content::{self, PageType, Selection, WhyWhole};
use crate::dom::{self, Document, Id, Marks, Tag};
use crate::hidden::Hidden;
pub use crate::markdown::Addresses;
use crate::markdown::{self, Rendered, Settings};
use crate::metadata::{self, Metadata};
use crate::{Converted, limits, url, word_count};
use fragment::cut_spans;

/// The part of a page that is converted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Extent<'a> {
    /// The main text, without navigation, advertisements and other texts around it.
    #[default]
    Main,
    /// The whole page.
    Full,
    /// The section with this `id`: the element, or everything under the heading with this `id`.
    Section(&'a str),
}

/// How a page is converted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options<'a> {
    /// The part of the page.
    pub extent: Extent<'a>,
    /// The URL of the page, to which links are relative. `None` for a local file.
    pub url: Option<&'a str>,
}

/// Converts an HTML page.
///
/// # Errors
/// Fails if the page does not have the requested section.
pub fn page(html: &str, options: &Options<'_>) -> Result<Converted, NoSection> {
    let mut document = dom::parse(html);
    let streamed = streamed::place(&mut document);
    let hidden = Hidden::of(&document);
    document.hide(&hidden.marks);
    document.preformat(&hidden.preformatted);
    let metadata = metadata::of(&document);
    let mut notes = document.notes.clone();
    if streamed > 0 {
        let parts = if streamed == 1 { "part" } else { "parts" };
        notes.push(format!(
            "text that a script puts in its place is shown: {streamed} {parts}"
        ));
    }
    let body = document.body();
    let has_frames = has_frames(&document);
    if has_frames && !matches!(options.extent, Extent::Section(_)) {
        let note = "the page consists of frames: their addresses and the text for browsers without \
                    frames are shown";
        notes.push(note.to_owned());
    }
    let mut page = PageType::Other;
    let mut summary = hidden.summary();
    let (roots, dropped, is_main) = match options.extent {
        Extent::Main if !has_frames => {
            let mut selection = content::select(&document, &hidden.marks, &metadata);
            notes.extend(whole(&selection));
            if selection.is_short {
                notes.push("the main text is short; `:full` shows the whole page".to_owned());
            }
            if selection.has_comments {
                let said = match selection.page {
                    PageType::Product => "reviews of customers",
                    _ => "comments of readers",
                };
                notes.push(format!("the {said} are left out; `:full` shows them"));
            }
            notes.extend(left_out(&selection));
            notes.extend(views(&selection));
            selection.dropped.extend(&hidden.marks);
            let is_main = selection.whole.is_none();
            page = selection.page;
            (selection.roots, selection.dropped, is_main)
        }
        Extent::Main | Extent::Full => (vec![body], hidden.marks.clone(), false),
        Extent::Section(id) => {
            let roots = section::find(&document, id)?;
            let section = hidden.section(&document, &roots);
            notes.extend(section.note);
            summary = section.summary;
            (roots, section.dropped, false)
        }
    };
    let scripted = match options.extent {
        Extent::Section(_) => None,
        Extent::Main | Extent::Full => scripts::find(&document, &hidden.marks, &metadata),
    };
    let mut article = None;
    if let Some(scripted) = scripted.filter(|_| !has_frames) {
        // The note on a page with few words says less.
        notes.retain(|note| !is_whole(note));
        notes.push(scripted.note);
        article = scripted.article;
    }
    let base = base(&metadata, options.url);
    let mut rendered = render(&document, &roots, &dropped, base.as_deref(), is_main);
    if let Some(article) = article {
        rendered.text = article;
    } else if page == PageType::Product
        && let Some(description) = product::description(&rendered.text, &metadata)
    {
        let note = "the description of the product is from the metadata (JSON-LD)";
        notes.push(note.to_owned());
        rendered.text = format!("{description}\n\n{}", rendered.text);
    }
    summary.add(&rendered.hidden);
    notes.extend(summary.notes());
    notes.extend(cut_spans(&rendered));
    let addresses = links::Addresses {
        page: options.url,
        base: base.as_deref(),
    };
    let links = Links {
        words: word_count(&rendered.text),
        ..addresses.links(&document, &roots, &dropped)
    };
    Ok(Converted {
        text: rendered.text,
        metadata: facts(metadata, page.name(), base.as_deref()),
        notes,
        links,
    })
}

/// Whether a page consists of frames.
fn has_frames(document: &Document) -> bool {
    let mut top = document.children(Id::ROOT);
    top.any(|id| {
        document.is(id, Tag::Frameset)
            || (document.is(id, Tag::Html)
                && document
                    .children(id)
                    .any(|id| document.is(id, Tag::Frameset)))
    })
}

/// Whether HTML seems to contain a table. Conversion is not needed if it does not.
pub fn has_table(html: &str) -> bool {
    let name = |at: usize| html.as_bytes().get(at..)?.get(1..6);
    memchr::memchr_iter(b'<', html.as_bytes())
        .any(|at| name(at).is_some_and(|name| name.eq_ignore_ascii_case(b"table")))
}

fn render(
    document: &Document,
    roots: &[Id],
    dropped: &Marks,
    base: Option<&str>,
    is_main: bool,
) -> Rendered {
    let settings = Settings {
        dropped,
        base,
        addresses: None,
        is_main,
        in_frame: false,
    };
    markdown::render(document, roots, settings)
}

/// The starts of the notes on a page that is shown as a whole.
const WHOLE: &str = "the whole page is shown";
const WITHOUT_NAVIGATION: &str = "all but navigation and footer is shown";

fn is_whole(note: &str) -> bool {
    note.starts_with(WHOLE) || note.starts_with(WITHOUT_NAVIGATION)
}

/// The note on a page that is shown as a whole.
fn whole(selection: &Selection) -> Option<String> {
    let why = match selection.whole? {
        WhyWhole::FewWords => format!("fewer than {} words", limits::MAIN_WORDS),
        WhyWhole::SmallPart => "less than a tenth of the text of the page".to_owned(),
    };
    Some(if selection.is_without_navigation {
        format!(
            "{WITHOUT_NAVIGATION}: the main text would have {why}; `:full` shows the whole page"
        )
    } else {
        format!("{WHOLE}: its main text would have {why}")
    })
}

/// The note on text that is left out: sections with their names, or much of the page.
fn left_out(selection: &Selection) -> Option<String> {
    let names = selection.headings.iter().map(|name| format!("`{name}`"));
    let names = names.collect::<Vec<_>>().join(", ");
    let is_much = selection.left_out > limits::NOTED_PART;
    let percent = (selection.left_out * 100.0).round();
    match (is_much, names.as_str()) {
        (false, "") => None,
        (false, names) => Some(format!(
            "left out with their links: {names}; `:full` shows the whole page"
        )),
        (true, "") => Some(format!(
            "{percent} % of the text of the page is left out; `:full` shows the whole page"
        )),
        (true, names) => Some(format!(
            "{percent} % of the text of the page is left out, with {names}; `:full` shows the whole \
             page"
        )),
    }
}

/// The note on images of a product that are left out.
fn views(selection: &Selection) -> Option<String> {
    let (count, many) = match selection.views {
        0 => return None,
        1 => (1, ""),
        count => (count, "s"),
    };
    Some(format!(
        "{count} more image{many} of the product left out; `:full` shows all"
    ))
}

/// The URL to which the links of a page are relative. `None` if it is not known.
fn base(metadata: &Metadata, page: Option<&str>) -> Option<String> {
    let declared = metadata
        .base
        .as_deref()
        .filter(|base| !base.trim().is_empty());
    match (declared, page) {
        (Some(declared), Some(page)) => url::resolve(page, declared),
        (Some(declared), None) => Some(declared.trim().to_owned()),
        (None, page) => page.map(str::to_owned),
    }
}

/// The facts about a page, in the order in which they are shown.
fn facts(
    metadata: Metadata,
    kind: Option<&'static str>,
    base: Option<&str>,
) -> Vec<(&'static str, String)> {
    let authors = metadata.authors.join(", ");
    let canonical = metadata.canonical;
    let canonical = canonical.and_then(|address| url::resolve(base.unwrap_or(""), &address));
    let facts = [
        ("title", metadata.title),
        (
            "author",
            Some(authors).filter(|authors| !authors.is_empty()),
        ),
        ("published", metadata.published),
        ("modified", metadata.modified),
        ("site", metadata.site),
        ("url", canonical),
        ("language", metadata.language),
        ("description", metadata.description),
        ("kind", kind.map(str::to_owned)),
    ];
    let present = |(name, value): (&'static str, Option<String>)| Some((name, value?));
    facts.into_iter().filter_map(present).collect()
}

#[cfg(test)]
mod tests;
