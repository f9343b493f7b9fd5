//! The converted form of content whose bare path reads the content itself, such as a web page in a
//! file.

use super::document;
use super::offers;
use super::reading::Reading;
use super::sections::{self, Missing, Section};
use crate::answer::Text;
use crate::encoding::Encoding;
use crate::escapes::escape_invisible;
use crate::failure::{Failure, Reason};
use crate::pages::Input;
use crate::path::{Part, Range, Selector, UnitKind, View};
use crate::sniff::{Document, Kind};
use crate::sources;
use crate::units::{self, with_article};
use crate::window::{Page, Total};
use omniread_outline::limits;

impl Reading<'_> {
    /// Reads the converted form of the content, if the path requests it. If the content is too
    /// large or damaged, returns `None`, and the caller shows the content itself. `a.gz:` requests
    /// the decompressed content if it has no converted form.
    ///
    /// # Errors
    /// Returns [`Reason::InvalidSelector`] if the content has no converted form, or not the
    /// requested part of it.
    pub fn converted(&mut self, input: &mut Input<'_>) -> Result<Option<Text>, Failure> {
        let view = match &self.selector.part {
            Part::Converted(view) => view,
            // The bare path of a mailbox or of a document in one XML file is its text.
            Part::Units(range)
                if range.kind == UnitKind::Mail
                    || !matches!(self.detected.kind, Kind::Document(_)) =>
            {
                &View::Main
            }
            Part::Symbol(_) => &View::Main,
            _ => return Ok(None),
        };
        let document = match (self.detected.kind, self.detected.encoding) {
            (Kind::Document(document), _) => Some(document),
            (Kind::Text | Kind::Drawing(_), Some(encoding)) => {
                sources::of_text(input, encoding, self.subject.hints())
            }
            (Kind::Other, None) => {
                let found = document::markup_with_nul(input, self.subject);
                found.map(|(document, encoding)| {
                    self.detected.encoding = Some(encoding);
                    document
                })
            }
            _ => None,
        };
        if let Part::Units(range) = &self.selector.part
            && document.and_then(Document::units) != Some(range.kind)
        {
            return Ok(None);
        }
        if let Part::Symbol(symbol) = &self.selector.part
            && !document.is_some_and(|document| Self::has_symbols_in_its_form(document, symbol))
        {
            return Ok(None);
        }
        let text = match document {
            Some(document) if document == Document::Html || *view == View::Main => {
                self.document(document, input)?
            }
            Some(document) => return Err(self.only_html(document)),
            None if matches!(view, View::Section(_)) => return self.select_section(input),
            None if self.subject.compression.is_none()
                || self.selector != Selector::of(Part::Converted(View::Main)) =>
            {
                return Err(self.no_converted_form(input));
            }
            None => None,
        };
        if text.is_none() {
            if !matches!(self.selector.part, Part::Symbol(_)) {
                self.selector.part = Part::Whole;
            }
            self.is_unconverted = true;
            if document.is_some() {
                // The document is not converted a second time.
                self.detected.kind = Kind::Text;
            }
        }
        Ok(text)
    }

    /// Replaces the selector of a section by that of its lines, if the content is a text with headings,
    /// such as Markdown. If the section has none of the requested lines, returns a page without lines.
    ///
    /// # Errors
    /// Returns [`Reason::InvalidSelector`] if there is no such section.
    fn select_section(&mut self, input: &Input<'_>) -> Result<Option<Text>, Failure> {
        let found = match self.detected.encoding {
            Some(encoding) => sections::find(input, encoding, self.subject, &self.selector),
            None => Err(Missing::NoHeadings),
        };
        let found = found.map_err(|missing| self.no_section(missing, input))?;
        Ok(self.of_section(found))
    }

    /// Replaces the selector by that of the requested lines of a section. If the section has none of
    /// them, returns a page without lines.
    pub fn of_section(&mut self, found: Section) -> Option<Text> {
        let encoding = self.detected.encoding.unwrap_or(Encoding::UTF8);
        let Some(selector) = found.selector else {
            return Some(self.without_lines_of(found.skipped, found.count, encoding));
        };
        self.beyond(&found.skipped, found.count);
        self.selector = selector;
        None
    }

    /// A page without lines of a section that has `count` lines and none of the requested ones.
    pub fn without_lines_of(&self, skipped: Vec<Range>, count: u64, encoding: Encoding) -> Text {
        let page = Page {
            part: self.selector.part.clone(),
            total: Total::Exact(count),
            skipped,
            ..Page::empty()
        };
        Text {
            page,
            made: None,
            ..self.generated(String::new(), encoding)
        }
    }

    /// Adds notes on the requested ranges that are after the end of a section with `count` lines.
    pub fn beyond(&mut self, skipped: &[Range], count: u64) {
        let id = Selector::of(self.selector.part.clone());
        let what = match self.selector.part {
            Part::Symbol(_) => "",
            _ => "section ",
        };
        let s = if count == 1 { "" } else { "s" };
        self.notes.extend(skipped.iter().map(|range| {
            format!("Range {range} is beyond end of {what}`{id}` ({count} line{s} total); skipped")
        }));
    }

    /// The failure for a section that was not found in a text.
    fn no_section(&self, missing: Missing, input: &Input<'_>) -> Failure {
        let (path, selector) = (&self.subject.requested, &self.selector);
        let message = match missing {
            Missing::NoSection(ids) => {
                return document::no_section(self.subject, selector, &ids, false);
            }
            Missing::NoHeadings => format!("`{path}` has no sections for `:{selector}`"),
            Missing::TooLong => format!(
                "`{path}` is too long to find the section `{}`: headings are searched for in at most {} and {} lines",
                Selector::of(selector.part.clone()),
                units::bytes(limits::TEXT_BYTES as u64),
                limits::TEXT_LINES
            ),
        };
        let reason = Reason::InvalidSelector(selector.to_string());
        // The name may be that of a declaration or key.
        let id = selector.section().unwrap_or_default();
        let failure = Failure::new(reason, message);
        match offers::place_hint(id, input, self.detected, self.subject) {
            Some(place) => failure.hint(place),
            None => self.with_offers(failure, input),
        }
    }

    /// The failure for a part that only web pages have, such as `:full`, of another document.
    fn only_html(&self, document: Document) -> Failure {
        let (path, selector) = (&self.subject.requested, &self.selector);
        let what = with_article(document.name());
        let view = Selector::of(selector.part.clone());
        let message = format!("`{path}` is {what}; `:{view}` selects a part of an HTML page");
        let main = Selector {
            part: Part::Converted(View::Main),
            ..selector.clone()
        };
        let instead = escape_invisible(&self.subject.with_selector(&main));
        Failure::new(Reason::InvalidSelector(selector.to_string()), message)
            .hint(format!("use `{instead}`"))
    }

    /// The failure for content that has no converted form.
    fn no_converted_form(&self, input: &Input<'_>) -> Failure {
        let (path, selector) = (&self.subject.requested, &self.selector);
        let message = format!(
            "`{path}` has no converted form: it is not an HTML page, a feed, XML, a mail or a notebook"
        );
        let is_text = self.detected.encoding.is_some()
            && !offers::is_unopened(self.subject, &self.request.style);
        let failure = Failure::new(Reason::InvalidSelector(selector.to_string()), message);
        if !selector.selects_lines() {
            return self.with_itself(failure, input);
        }
        if !is_text {
            return self.with_offers(failure, input);
        }
        let itself = Selector {
            part: Part::Whole,
            ..selector.clone()
        };
        let itself = escape_invisible(&self.subject.with_selector(&itself));
        failure.hint(format!("use `{itself}` for lines of the file itself"))
    }
}
