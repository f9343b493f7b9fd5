//! The layout of a PDF document, which some of its pages show. The session keeps it, so that a later read of another
//! page does not read these pages again.

use crate::bindings::omniread::parts::{pdf, session};

/// The layout of a document in the session.
pub struct KeptLayout {
    key: String,
    step: Step,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    /// The session was not asked for it.
    Start,
    /// The session does not have it, or what it has cannot be used.
    Wanted,
    /// The document has that of the session.
    Used,
    /// The session has that of the document.
    Done,
}

impl KeptLayout {
    /// The place for a file with this state.
    pub fn of(state: [u64; 2]) -> Self {
        let [lower, upper] = state;
        Self {
            key: format!("pdf-layout:{upper:016x}{lower:016x}"),
            step: Step::Start,
        }
    }

    /// Sets the layout that the session has, before the first page is converted.
    pub fn load(&mut self, document: &pdf::Document) {
        if self.step == Step::Start {
            let known = session::get(&self.key);
            let is_set = known.is_some_and(|known| document.set_layout(&known).unwrap_or(false));
            self.step = if is_set { Step::Used } else { Step::Wanted };
        }
    }

    /// Keeps the layout, if the document has derived it.
    pub fn keep(&mut self, document: &pdf::Document) {
        if self.step == Step::Wanted
            && let Ok(Some(layout)) = document.layout()
        {
            session::put(&self.key, &layout);
            self.step = Step::Done;
        }
    }

    /// Removes the layout that was used, after a page could not be converted with it. The next read derives it again.
    pub fn remove(&mut self) {
        if self.step == Step::Used {
            session::put(&self.key, &[]);
            self.step = Step::Wanted;
        }
    }
}
