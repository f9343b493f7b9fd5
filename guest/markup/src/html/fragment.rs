//! A fragment of HTML, and a page of a package, as Markdown.

use crate::dom::{self, Document};
use crate::hidden::Hidden;
use crate::markdown::{self, Addresses, Rendered, Settings};

/// The Markdown of a fragment of HTML.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fragment {
    /// The Markdown, as [`crate::Converted::text`].
    pub text: String,
    /// Notes for the reply, as [`crate::Converted::notes`].
    pub notes: Vec<String>,
    /// Whether the text contains a table. Tables that only arrange a page are not in it.
    pub has_table: bool,
}

/// Converts a fragment of HTML, such as the body of a feed item or an output of a notebook, as a
/// whole. `url` is the URL to which links are relative.
pub fn fragment(html: &str, url: Option<&str>) -> Fragment {
    whole_document(dom::parse_fragment(html), url, None)
}

/// Converts a page of a package, such as a chapter of a book, as a whole. It is XHTML.
pub fn chapter(xhtml: &str, addresses: &dyn Addresses) -> Fragment {
    whole_document(dom::parse_xhtml(xhtml), None, Some(addresses))
}

fn whole_document(
    mut document: Document,
    url: Option<&str>,
    addresses: Option<&dyn Addresses>,
) -> Fragment {
    let hidden = Hidden::of(&document);
    document.preformat(&hidden.preformatted);
    let settings = Settings {
        dropped: &hidden.marks,
        base: url,
        addresses,
        is_main: false,
        in_frame: false,
    };
    let rendered = markdown::render(&document, &[document.body()], settings);
    let mut notes = document.notes.clone();
    let mut summary = hidden.summary();
    summary.add(&rendered.hidden);
    notes.extend(summary.notes());
    notes.extend(cut_spans(&rendered));
    Fragment {
        text: rendered.text,
        notes,
        has_table: rendered.has_table,
    }
}

/// The note on cells whose text is not repeated in each row and column that they span.
pub fn cut_spans(rendered: &Rendered) -> Option<String> {
    let note = "some cells that span several columns or rows are shown once: repeated in each, \
                their text would be too long";
    rendered.has_cut_spans.then(|| note.to_owned())
}
