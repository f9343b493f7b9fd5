//! The notes on the hidden text of a page or section.

use super::css::Method;
use super::{Found, Hidden, characters};
use crate::dom::{Document, Id, Marks, Tag};

/// The hidden text of a section.
#[derive(Debug)]
pub struct Section {
    /// The nodes that are left out.
    pub dropped: Marks,
    /// The numbers for the notes on them.
    pub summary: Summary,
    /// The note on a section that is hidden as a whole.
    pub note: Option<String>,
}

impl Hidden {
    /// The numbers for the notes on the hidden text of the whole page.
    pub fn summary(&self) -> Summary {
        let panels = self.panels.iter().count();
        Summary::of(&self.found, self.shown != Marks::default(), panels)
    }

    /// The hidden text of the section that consists of `roots`. A section that is hidden as a whole
    /// is shown, because the request names it.
    pub fn section(&self, document: &Document, roots: &[Id]) -> Section {
        if let Some(method) = self.method_around(document, roots) {
            return is_hidden(&[method]);
        }
        let mut inside = Marks::default();
        let mut is_shown = self.is_shown_around(document, roots);
        let mut has_media = false;
        let mut panels = usize::from(self.is_in_panel(document, roots));
        for root in roots {
            let mut nodes = document.subtree(*root);
            while let Some(id) = nodes.next() {
                is_shown |= self.shown.contains(id);
                panels = panels.saturating_add(usize::from(self.panels.contains(id)));
                if self.marks.contains(id) {
                    inside.insert(id);
                    nodes.skip_children_of(id);
                } else {
                    has_media |= document.tag(id).is_some_and(is_media);
                }
            }
        }
        let found = self.found.iter().filter(|one| inside.contains(one.id));
        let found: Vec<Found> = found.copied().collect();
        let all = roots.iter().map(|root| characters(document, *root));
        let hidden = found.iter().map(|one| one.characters);
        let is_all_hidden = !has_media
            && all.fold(0, usize::saturating_add) <= hidden.fold(0, usize::saturating_add);
        // An empty element before hidden text, such as an anchor, does not request that text.
        let is_first_hidden = roots
            .first()
            .is_some_and(|first| characters(document, *first) > 0 || inside.contains(*first));
        if is_all_hidden && is_first_hidden && !found.is_empty() {
            return is_hidden(&methods(found.iter().map(|one| one.method)));
        }
        Section {
            dropped: inside,
            summary: Summary::of(&found, is_shown, panels),
            note: None,
        }
    }

    /// How an element around a section is hidden. `None` if it is not.
    fn method_around(&self, document: &Document, roots: &[Id]) -> Option<Method> {
        let mut around = document.ancestors(*roots.first()?);
        let outer = around.find(|id| self.marks.contains(*id))?;
        let found = self.found.iter().find(|one| one.id == outer)?;
        Some(found.method)
    }

    /// Whether a click opens an element around a section.
    fn is_in_panel(&self, document: &Document, roots: &[Id]) -> bool {
        let mut around = roots.iter().flat_map(|root| document.ancestors(*root));
        around.any(|id| self.panels.contains(id))
    }

    fn is_shown_around(&self, document: &Document, roots: &[Id]) -> bool {
        let first = roots.first();
        first.is_some_and(|id| document.ancestors(*id).any(|id| self.shown.contains(id)))
    }
}

/// Whether an element shows something other than text.
fn is_media(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::Img
            | Tag::Svg
            | Tag::Math
            | Tag::Iframe
            | Tag::Video
            | Tag::Audio
            | Tag::Object
            | Tag::Embed
            | Tag::Canvas
    )
}

/// A section that is hidden as a whole, but shown in the reply.
fn is_hidden(methods: &[Method]) -> Section {
    Section {
        dropped: Marks::default(),
        summary: Summary::default(),
        note: Some(format!(
            "this section is hidden on the page ({})",
            names(methods)
        )),
    }
}

/// The numbers for the notes on hidden text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The number of nodes that are left out.
    elements: usize,
    /// The number of characters in them.
    characters: usize,
    /// The methods by which they are hidden, each once.
    methods: Vec<Method>,
    /// The number of elements that a click opens.
    panels: usize,
    /// Whether others are shown although they are hidden.
    is_shown: bool,
}

impl Summary {
    fn of(found: &[Found], is_shown: bool, panels: usize) -> Self {
        let characters = found.iter().map(|one| one.characters);
        Self {
            elements: found.len(),
            characters: characters.fold(0, usize::saturating_add),
            methods: methods(found.iter().map(|one| one.method)),
            panels,
            is_shown,
        }
    }

    /// Adds the hidden text of another part of the page.
    pub fn add(&mut self, other: &Self) {
        self.elements = self.elements.saturating_add(other.elements);
        self.characters = self.characters.saturating_add(other.characters);
        self.panels = self.panels.saturating_add(other.panels);
        self.is_shown |= other.is_shown;
        self.methods = methods(self.methods.iter().chain(&other.methods).copied());
    }

    /// The notes for the reply.
    pub fn notes(&self) -> Vec<String> {
        let Self {
            elements,
            characters,
            panels,
            ..
        } = self;
        let mut notes = Vec::new();
        if *panels > 0 {
            let many = if *panels == 1 { "" } else { "s" };
            notes.push(format!(
                "text that a click opens is shown: {panels} element{many}"
            ));
        }
        if *elements > 0 {
            let many = if *elements == 1 { "" } else { "s" };
            let letters = if *characters == 1 { "" } else { "s" };
            let methods = names(&self.methods);
            notes.push(format!(
                "hidden text is left out: {elements} element{many}, {characters} \
                 character{letters} ({methods})"
            ));
        }
        if self.is_shown {
            let note = "text that a style hides until a script runs is shown";
            notes.push(note.to_owned());
        }
        notes
    }
}

/// The methods, each once.
fn methods(all: impl Iterator<Item = Method>) -> Vec<Method> {
    let mut methods = Vec::new();
    for method in all {
        if !methods.contains(&method) {
            methods.push(method);
        }
    }
    methods
}

fn names(methods: &[Method]) -> String {
    let names: Vec<&str> = methods.iter().map(|method| method.name()).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dom::parse;

    fn notes(html: &str) -> Vec<String> {
        Hidden::of(&parse(html)).summary().notes()
    }

    #[test]
    fn note_counts_elements_and_characters() {
        let page = format!(
            "{}<p hidden>abc</p><p style='opacity:0'>de</p>",
            "text ".repeat(100)
        );
        assert_eq!(
            notes(&page),
            ["hidden text is left out: 2 elements, 5 characters (attribute hidden, transparent)"]
        );
    }

    #[test]
    fn only_the_hidden_part_of_an_element_is_left_out() {
        let page = format!(
            "{}<div style='color:#fff'>a<i style='color:#000'>bc</i></div>",
            "text ".repeat(100)
        );
        assert_eq!(
            notes(&page),
            ["hidden text is left out: 1 element, 1 character (colour of the background)"]
        );
    }

    #[test]
    fn only_main_part_is_shown_beside_a_longer_menu() {
        let menu = "<p>menu</p>".repeat(200);
        for (tag, rest, is_shown) in [
            ("main", "<script></script>", true),
            ("main", "", false),
            ("main", "<main>b</main><script></script>", false),
            ("div", "<script></script>", false),
        ] {
            let text = "text ".repeat(100);
            let page =
                format!("<div>{menu}</div><{tag} style='visibility:hidden'>{text}</{tag}>{rest}");
            let hidden = Hidden::of(&parse(&page));
            assert_eq!(
                hidden.marks.iter().next().is_none(),
                is_shown,
                "{tag} {rest}"
            );
        }
    }

    #[test]
    fn page_that_is_hidden_until_a_script_runs_is_shown() {
        let page = format!("<div style='opacity:0'>{}</div>", "text ".repeat(100));
        assert_eq!(
            notes(&page),
            ["text that a style hides until a script runs is shown"]
        );
    }
}
