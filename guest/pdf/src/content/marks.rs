//! Marked content (ISO 32000-2, 14.6): numbers for the structure tree, artifacts, replacement texts.

use super::frame::Frame;
use crate::layers::Layers;
use crate::limits;
use crate::page::{Mark, Text};
use crate::strings;
use hayro_syntax::object::{Dict, Name, Object, String as PdfString};
use std::rc::Rc;

/// The open marked content.
#[derive(Debug, Default)]
pub struct Marks {
    open: Vec<Open>,
    /// The number of marks beyond the limit.
    beyond: usize,
}

#[derive(Clone, Debug, Default)]
struct Open {
    mark: Option<Mark>,
    artifact: bool,
    hidden: bool,
    /// The text that replaces the glyphs. It is given to the first glyph.
    actual: Option<Actual>,
}

/// A replacement text.
#[derive(Clone, Debug)]
enum Actual {
    /// No glyph has it yet.
    Pending(Rc<str>),
    /// A glyph has it. The others have no text.
    Given,
}

impl Marks {
    /// Begins marked content of a stream. `properties` is a dictionary, or the name of one in the resources.
    /// Returns the number of bytes of the dictionary.
    pub fn begin(
        &mut self,
        tag: &Name<'_>,
        properties: Option<&Object<'_>>,
        frame: &Frame<'_, '_>,
        layers: &Layers,
    ) -> usize {
        let named = &frame.resources.properties;
        if self.open.len() >= limits::MARK_DEPTH {
            self.beyond = self.beyond.saturating_add(1);
            return 0;
        }
        let mut open = self.open.last().cloned().unwrap_or_default();
        open.artifact |= tag.as_ref() == b"Artifact";
        let dict = match properties {
            Some(Object::Name(name)) => {
                if tag.as_ref() == b"OC" {
                    open.hidden |= !layers.shows(named, name.as_ref());
                }
                named.get::<Dict<'_>>(name.as_ref())
            }
            Some(Object::Dict(dict)) => Some(dict.clone()),
            _ => None,
        };
        let read = dict.as_ref().map_or(0, |dict| dict.data().len());
        if let Some(dict) = dict {
            if let Some(id) = dict.get::<u32>("MCID") {
                let stream = frame.stream;
                open.mark = Some(Mark { stream, id });
            }
            if open.actual.is_none()
                && let Some(text) = dict.get::<PdfString<'_>>("ActualText")
            {
                let text = strings::text(text.as_bytes());
                let text = crate::text::start(&text, limits::ACTUAL_TEXT_BYTES);
                open.actual = Some(Actual::Pending(Rc::from(text)));
            }
        }
        self.open.push(open);
        read
    }

    /// Begins content of a layer that is not shown. Returns whether it could.
    pub fn hide(&mut self) -> bool {
        if self.open.len() >= limits::MARK_DEPTH {
            return false;
        }
        let mut open = self.open.last().cloned().unwrap_or_default();
        open.hidden = true;
        self.open.push(open);
        true
    }

    /// Ends marked content.
    pub fn end(&mut self) {
        if self.beyond > 0 {
            self.beyond = self.beyond.saturating_sub(1);
            return;
        }
        let given = self
            .open
            .pop()
            .is_some_and(|open| matches!(open.actual, Some(Actual::Given)));
        if given
            && let Some(open) = self.open.last_mut()
            && let Some(Actual::Pending(_)) = open.actual
        {
            open.actual = Some(Actual::Given);
        }
    }

    /// The number of open marks.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// Ends marks until so many are open. A form cannot end the marks of the page.
    pub fn end_to(&mut self, depth: usize) {
        while self.open.len() > depth {
            self.end();
        }
    }

    /// The number of the marked content.
    pub fn mark(&self) -> Option<Mark> {
        self.open.last().and_then(|open| open.mark)
    }

    /// Whether it is an artifact.
    pub fn artifact(&self) -> bool {
        self.open.last().is_some_and(|open| open.artifact)
    }

    /// Whether it is in a layer that is not shown.
    pub fn hidden(&self) -> bool {
        self.open.last().is_some_and(|open| open.hidden)
    }

    /// Whether another text replaces that of the next glyph.
    pub fn replaces(&self) -> bool {
        self.open.last().is_some_and(|open| open.actual.is_some())
    }

    /// The text of the next glyph, if another text replaces its own.
    pub fn replacement(&mut self) -> Option<Text> {
        let open = self.open.last_mut()?;
        let text = match open.actual.as_ref()? {
            Actual::Pending(text) if text.is_empty() => Text::None,
            Actual::Pending(text) => Text::Many(Rc::clone(text)),
            Actual::Given => Text::None,
        };
        open.actual = Some(Actual::Given);
        Some(text)
    }
}
