//! Formatted text, links, images and controls in a line.

use super::renderer::Renderer;
use super::words::has_epub_type;
use crate::dom::{Id, Name, Tag};
use crate::{limits, url};
use omniread_document::markdown::Line;

impl<'d> Renderer<'d> {
    /// Adds a node that has no lines of its own to a line.
    pub fn inline(&mut self, id: Id, line: &mut Line) {
        if self.is_dropped(id) {
            return;
        }
        if let Some(text) = self.document.text(id) {
            line.words(text);
            return;
        }
        let Some(tag) = self.document.tag(id) else {
            return;
        };
        if let Some(note) = self.footnotes.reference(id) {
            line.note(note);
            return;
        }
        // The number of a page of the printed book is no text.
        if has_epub_type(self.document, id, &["pagebreak"]) {
            return;
        }
        match tag {
            Tag::Br => line.line_break(),
            Tag::B | Tag::Strong => self.formatted(id, "**", line),
            Tag::I | Tag::Em => self.formatted(id, "*", line),
            Tag::S | Tag::Del | Tag::Strike => self.formatted(id, "~~", line),
            Tag::Code | Tag::Tt | Tag::Samp | Tag::Kbd => self.code_in_line(id, line),
            Tag::Sub | Tag::Sup => self.raised(id, tag, line),
            Tag::Q => {
                line.open("“");
                self.inlines(id, line);
                line.close("”");
            }
            Tag::Rt => {
                line.open("(");
                self.inlines(id, line);
                line.close(")");
            }
            Tag::A => self.link(id, line),
            Tag::Img => self.image(id, line),
            Tag::Picture => self.picture(id, line),
            Tag::Noscript if self.repeats_image(id) => {}
            Tag::Input => self.input(id, line),
            Tag::Select => self.selected(id, line),
            Tag::Button | Tag::Label | Tag::Output | Tag::Textarea => {
                line.space();
                self.inlines(id, line);
                line.space();
            }
            Tag::Svg => self.drawing(id, line),
            Tag::Math => self.math(id, line),
            Tag::Script => self.math_script(id, line),
            Tag::Iframe => self.embedded(id, "embedded page", line),
            Tag::Frame => {
                let name = self.attribute(id, Name::Name).unwrap_or_default().trim();
                self.embedded(id, if name.is_empty() { "frame" } else { name }, line);
            }
            Tag::Video => self.embedded(id, "video", line),
            Tag::Audio => self.embedded(id, "audio", line),
            Tag::Object => {
                self.embedded(id, "embedded file", line);
                self.inlines(id, line);
            }
            Tag::Embed => self.embedded(id, "embedded file", line),
            Tag::Applet => self.inlines(id, line),
            Tag::Canvas | Tag::Progress | Tag::Meter | Tag::Wbr => {}
            tag if tag.is_block() => {
                line.space();
                self.flat(id, line);
                line.space();
            }
            _ if self.has_class(
                id,
                &["katex", "MathJax", "MathJax_Display", "MathJax_Preview"],
            ) =>
            {
                self.typeset_math(id, line);
            }
            _ if self.has_class(
                id,
                &[
                    "mwe-math-fallback-image-inline",
                    "mwe-math-fallback-image-display",
                ],
            ) => {}
            _ => self.inlines(id, line),
        }
    }

    /// Adds the nodes in an element to a line.
    pub fn inlines(&mut self, id: Id, line: &mut Line) {
        let mut next = self.document.first_child(id);
        while let Some(child) = next {
            next = self.document.next_sibling(child);
            self.inline(child, line);
        }
    }

    fn formatted(&mut self, id: Id, mark: &'static str, line: &mut Line) {
        line.open(mark);
        self.inlines(id, line);
        line.close(mark);
    }

    fn link(&mut self, id: Id, line: &mut Line) {
        let href = self.attribute(id, Name::Href).map(str::trim);
        if self.in_footnote && href.is_some_and(|href| self.leads_back(id, href)) {
            return;
        }
        if self.is_permalink(id, line.context()) || has_epub_type(self.document, id, &["backlink"])
        {
            return;
        }
        let address = href.and_then(|href| self.address(href));
        let Some(address) = address else {
            self.inlines(id, line);
            return;
        };
        line.open("[");
        self.inlines(id, line);
        line.close_link(&address);
    }

    /// Adds an image. Images without a description that only count visits or make space are left
    /// out.
    fn image(&mut self, id: Id, line: &mut Line) {
        let tiny = |name| {
            let size = self
                .attribute(id, name)
                .map(|size| size.trim().trim_end_matches("px"));
            matches!(size, Some("0" | "1"))
        };
        if tiny(Name::Width) || tiny(Name::Height) {
            return;
        }
        if self.has_class(
            id,
            &[
                "mwe-math-fallback-image-inline",
                "mwe-math-fallback-image-display",
            ],
        ) {
            return;
        }
        let source = self.image_source(id).or_else(|| {
            // The source of a lazy image is in a sibling of the image.
            let picture = self
                .document
                .parent(id)
                .filter(|parent| self.document.is(*parent, Tag::Picture))?;
            self.picture_source(picture)
        });
        // An image in the markup itself is more than a placeholder if it is large.
        let is_inside = source.is_none()
            && self
                .attribute(id, Name::Src)
                .is_some_and(|source| source.len() > limits::PLACEHOLDER_BYTES);
        let alt = match self.alternative(id) {
            "" if is_inside => "image",
            alt => alt,
        };
        self.write_image(alt, source, line);
    }

    /// Whether an element for browsers without scripts contains the image before it once more.
    fn repeats_image(&self, id: Id) -> bool {
        let has_source = self.document.element_before(id).is_some_and(|before| {
            let mut nodes = self.document.subtree(before).take(limits::IMAGE_NODES);
            nodes.any(|id| self.document.is(id, Tag::Img) && self.image_source(id).is_some())
        });
        let mut nodes = self.document.subtree(id);
        has_source && nodes.any(|id| self.document.is(id, Tag::Img))
    }

    fn alternative(&self, id: Id) -> &'d str {
        let alt = self
            .attribute(id, Name::Alt)
            .or(self.attribute(id, Name::AriaLabel));
        alt.or(self.attribute(id, Name::Title))
            .unwrap_or_default()
            .trim()
    }

    fn write_image(&mut self, alt: &str, source: Option<&'d str>, line: &mut Line) {
        let address = source.and_then(|source| self.image_address(source));
        if address.is_some() || !alt.is_empty() {
            line.image(alt, address.as_deref().unwrap_or_default());
        }
    }

    /// The address of an image. Pages that load images late have it in other attributes.
    pub fn image_source(&self, id: Id) -> Option<&'d str> {
        let late = [Name::DataSrc, Name::DataLazySrc, Name::DataOriginal];
        let usable = |address: &&str| url::is_usable(address) && !is_placeholder(address);
        let of = |name| self.attribute(id, name).map(str::trim).filter(usable);
        late.into_iter()
            .find_map(of)
            .or_else(|| of(Name::Src))
            .or_else(|| {
                let sets = [Name::DataSrcset, Name::DataLazySrcset, Name::Srcset];
                sets.into_iter()
                    .find_map(|name| largest(self.attribute(id, name)?))
                    .filter(|address| usable(address))
            })
    }

    fn picture(&mut self, id: Id, line: &mut Line) {
        let mut images = self.document.subtree(id);
        match images.find(|id| self.document.is(*id, Tag::Img)) {
            Some(image) => {
                let source = self.image_source(image).or_else(|| self.picture_source(id));
                self.write_image(self.alternative(image), source, line);
            }
            None => {
                let source = self.picture_source(id);
                self.write_image("", source, line);
            }
        }
    }

    fn picture_source(&self, id: Id) -> Option<&'d str> {
        let sources = self
            .document
            .children(id)
            .filter(|id| self.document.is(*id, Tag::Source));
        sources
            .filter_map(|id| {
                let set = self
                    .attribute(id, Name::Srcset)
                    .or(self.attribute(id, Name::DataSrcset))?;
                largest(set)
            })
            .find(|address| url::is_usable(address))
    }

    /// Adds a control. Only a check box has a meaning in text.
    fn input(&mut self, id: Id, line: &mut Line) {
        let kind = self.attribute(id, Name::Type).unwrap_or("text");
        if kind.eq_ignore_ascii_case("checkbox") {
            line.check_box(self.document.has(id, Name::Checked));
        } else if kind.eq_ignore_ascii_case("image") {
            let source = self.image_source(id);
            self.write_image(self.alternative(id), source, line);
        }
        line.space();
    }

    /// Adds the selected choice of a menu of choices. The others are not part of the text.
    fn selected(&mut self, id: Id, line: &mut Line) {
        if self.settings.is_main {
            return;
        }
        let options = || {
            let nodes = self.document.subtree(id);
            nodes.filter(|id| self.document.is(*id, Tag::Option))
        };
        let selected = options().find(|id| self.document.has(*id, Name::Selected));
        if let Some(option) = selected.or_else(|| options().next()) {
            line.space();
            self.inlines(option, line);
            line.space();
        }
    }

    /// Adds the title and the labels of a drawing, as the description of an image without an
    /// address.
    fn drawing(&mut self, id: Id, line: &mut Line) {
        let mut texts: Vec<&str> = Vec::new();
        // The covers of books are drawings that consist of an image.
        let mut source = None;
        let mut nodes = self.document.subtree(id);
        while let Some(node) = nodes.next() {
            if matches!(
                self.document.tag(node),
                Some(Tag::Style | Tag::Script | Tag::Desc)
            ) {
                nodes.skip_children_of(node);
            }
            if self.document.is(node, Tag::Image)
                && source.is_none()
                && self.settings.addresses.is_some()
            {
                let reference = [Name::Href, Name::XlinkHref];
                let mut reference = reference.iter().filter_map(|it| self.attribute(node, *it));
                source = reference.find(|address| url::is_usable(address));
            }
            let text = self.document.text(node).map(str::trim);
            texts.extend(text.filter(|text| !text.is_empty()));
        }
        self.write_image(&texts.join(", "), source, line);
    }
}

/// Whether an address is that of an image that a page shows until the real one is loaded.
fn is_placeholder(address: &str) -> bool {
    let name = address.rsplit('/').next().unwrap_or(address);
    [
        "blank.",
        "spacer.",
        "placeholder",
        "1x1",
        "pixel.",
        "transparent.",
        "lazy.",
        "loading.",
    ]
    .iter()
    .any(|word| name.starts_with(word))
}

/// The address of the largest image in a `srcset`.
fn largest(set: &str) -> Option<&str> {
    let mut best: Option<(f64, &str)> = None;
    let mut rest = set.trim();
    while !rest.is_empty() {
        rest = rest.trim_start_matches(|c: char| c == ',' || c.is_ascii_whitespace());
        let end = rest
            .find(|c: char| c.is_ascii_whitespace())
            .unwrap_or(rest.len());
        let (address, after) = rest.split_at_checked(end)?;
        let (descriptor, next) = match address.strip_suffix(',') {
            Some(_) => ("", after),
            None => after.split_once(',').unwrap_or((after, "")),
        };
        let address = address.trim_end_matches(',');
        let size = descriptor
            .trim()
            .trim_end_matches(['w', 'x', 'h'])
            .parse()
            .unwrap_or(1.0);
        if !address.is_empty() && best.is_none_or(|(largest, _)| size > largest) {
            best = Some((size, address));
        }
        rest = next;
    }
    best.map(|(_, address)| address)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn largest_image_of_a_set_is_found() {
        for (set, expected) in [
            ("a.jpg 320w, b.jpg 640w, c.jpg 480w", Some("b.jpg")),
            ("a.jpg, b.jpg 2x", Some("b.jpg")),
            (
                "https://x/w_1,h_2/a.jpg 1x",
                Some("https://x/w_1,h_2/a.jpg"),
            ),
            ("a.jpg", Some("a.jpg")),
            (" , ", None),
            ("", None),
        ] {
            assert_eq!(largest(set), expected, "{set}");
        }
    }
}
