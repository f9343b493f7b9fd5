//! An open document in the types of the interfaces.

use crate::bindings::omniread::parts::document_types as wit;
use crate::facts;
use omniread_document::{Document, Unit};
use std::cell::{RefCell, RefMut};

/// An open document. Its parts are converted one at a time.
pub struct Open(RefCell<Box<dyn Document>>);

impl Open {
    /// A document that a converter has opened.
    pub fn new(document: Box<dyn Document>) -> Self {
        Self(RefCell::new(document))
    }

    /// The document, for what only one of the interfaces has.
    pub fn document(&self) -> RefMut<'_, dyn Document> {
        RefMut::map(self.0.borrow_mut(), |document| &mut **document)
    }

    /// The facts about the document.
    pub fn facts(&self) -> wit::Facts {
        facts::facts(&*self.document())
    }

    /// Notes on the document as a whole.
    pub fn notes(&self) -> Vec<String> {
        self.document().notes().to_vec()
    }

    /// The Markdown of a unit that was converted.
    pub fn unit(unit: Unit) -> wit::Unit {
        wit::Unit {
            text: unit.text,
            notes: unit.notes,
        }
    }

    /// The bytes of the image with this number, from 1.
    pub fn image(&self, number: u32) -> Option<Vec<u8>> {
        self.document().image(crate::place(number))
    }

    /// The attachments.
    pub fn attachments(&self) -> Vec<wit::Attachment> {
        facts::attachments(&*self.document())
    }

    /// The bytes of an attachment. `index` is from 0.
    pub fn attachment(&self, index: u32) -> Option<Vec<u8>> {
        self.document().attachment(crate::place(index))
    }
}
