//! Frames, objects and media in a page.

use super::renderer::{Renderer, render};
use super::settings::Settings;
use crate::dom::{self, Id, Name, Tag};
use crate::hidden::Hidden;
use omniread_document::markdown::Line;

impl Renderer<'_> {
    /// Writes the page that a frame has in an attribute. Returns whether there is one. A frame in such
    /// a page is not read, because each could contain another one.
    pub fn inner_page(&mut self, id: Id) -> bool {
        let html = self.attribute(id, Name::Srcdoc).unwrap_or_default();
        if html.trim().is_empty() || self.settings.in_frame {
            return false;
        }
        let mut document = dom::parse(html);
        let hidden = Hidden::of(&document);
        document.preformat(&hidden.preformatted);
        let settings = Settings {
            dropped: &hidden.marks,
            base: self.settings.base,
            addresses: None,
            is_main: self.settings.is_main,
            in_frame: true,
        };
        let rendered = render(&document, &[document.body()], settings);
        self.hidden.add(&hidden.summary());
        self.has_table |= rendered.has_table;
        self.spans.is_cut |= rendered.has_cut_spans;
        if !rendered.text.is_empty() {
            self.out.block(&rendered.text);
        }
        true
    }

    /// Adds a link to the page, file, video or sound that an element shows.
    pub fn embedded(&mut self, id: Id, what: &str, line: &mut Line) {
        let tiny = |name| {
            let size = self.attribute(id, name);
            matches!(size.map(str::trim), Some("0" | "1" | "0px" | "1px"))
        };
        // It only counts visits.
        if tiny(Name::Width) || tiny(Name::Height) {
            return;
        }
        let source = self.image_source(id).or_else(|| {
            let mut children = self.document.children(id);
            children.find_map(|id| {
                let source = self.document.is(id, Tag::Source);
                source.then(|| self.attribute(id, Name::Src))?
            })
        });
        let Some(address) = source
            .or_else(|| self.attribute(id, Name::Data))
            .filter(|source| !source.starts_with("about:"))
            .and_then(|source| self.address(source))
        else {
            return;
        };
        let title = self
            .attribute(id, Name::Title)
            .or(self.attribute(id, Name::AriaLabel));
        let title = title.map(str::trim).filter(|title| !title.is_empty());
        line.space();
        line.open("[");
        line.words(title.unwrap_or(what));
        line.close_link(&address);
        line.space();
    }
}
