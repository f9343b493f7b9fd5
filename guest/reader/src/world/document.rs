//! The interface of the document engine.

use crate::escapes::escape_invisible;
use crate::failure::{Failure, OperatorHint, Reason};
use omniread_document::workbook;
use omniread_document::{Attachment, Facts, Outline, Unit};
use std::rc::Rc;

pub use omniread_document::Error as DocumentError;

/// An error of a document as a failure of a read.
pub trait DocumentFailure {
    /// The reason of a failure for this error, whose message is `why`.
    fn reason(&self, why: String) -> Reason;

    /// The error as a part of an answer. A model, whose calls have `is_call`, cannot set options.
    fn text(&self, is_call: bool) -> String;

    /// The failure for this error. `message` comes before the error.
    fn failure(&self, message: &str) -> Failure;
}

impl DocumentFailure for DocumentError {
    fn reason(&self, why: String) -> Reason {
        match self {
            Self::Exhausted(what) => Reason::limit(format!("document-{what}"), 0),
            _ => Reason::Unsupported(why),
        }
    }

    fn text(&self, is_call: bool) -> String {
        match self {
            Self::Encrypted if !is_call => {
                "it is encrypted, and the password, which `--password-file` sets, is missing or wrong".to_owned()
            }
            Self::Exhausted(what) if what == "time" && !is_call => {
                "it exceeds the limit `time`, which `--timeout` raises".to_owned()
            }
            error => error.to_string(),
        }
    }

    fn failure(&self, message: &str) -> Failure {
        let why = escape_invisible(&self.to_string());
        let failure = Failure::new(self.reason(why.clone()), format!("{message}: {why}"));
        match operator_hint(self) {
            Some(hint) => failure.operator_hint(hint),
            None => failure,
        }
    }
}

/// The next step of the person who sets the options of the reader.
fn operator_hint(error: &DocumentError) -> Option<OperatorHint> {
    match error {
        DocumentError::Encrypted => Some(OperatorHint::Password),
        DocumentError::Exhausted(what) if what == "time" => Some(OperatorHint::MoreTime),
        _ => None,
    }
}

/// An open document.
pub trait Document {
    /// The facts about the document.
    fn facts(&self) -> &Facts;

    /// The outline. It may be empty.
    fn outline(&self) -> &[Outline];

    /// Notes on the document as a whole.
    fn notes(&self) -> &[String];

    /// Sets whether a unit is converted without reading others, so that a unit that ends the engine does
    /// not end it for others too. Formats other than PDF do not read other units.
    fn set_alone(&mut self, _alone: bool) {}

    /// Converts a unit to Markdown. `index` is from 0.
    ///
    /// # Errors
    /// Fails if the engine exceeds a limit or crashes.
    fn unit(&mut self, index: u64) -> Result<Unit, DocumentError>;

    /// Converts a unit to Markdown, with text that other programs do not show, such as white text.
    /// `index` is from 0. Formats other than PDF have no such text.
    ///
    /// # Errors
    /// Fails if the engine exceeds a limit or crashes.
    fn unit_with_hidden(&mut self, index: u64) -> Result<Unit, DocumentError> {
        self.unit(index)
    }

    /// The bytes of the image with this number, counted from 1. `None` if there is no such image.
    ///
    /// # Errors
    /// Fails if the engine exceeds a limit or crashes.
    fn image(&mut self, number: u64) -> Result<Option<Vec<u8>>, DocumentError>;

    /// An image of the page with this index, counted from 0, as PNG. `side` is the maximum length in
    /// pixels of its longer side. `None` if there is no such page. Only PDF documents have such images.
    ///
    /// # Errors
    /// Fails if the engine exceeds a limit or crashes.
    fn page_image(&mut self, _index: u64, _side: u32) -> Result<Option<Vec<u8>>, DocumentError> {
        Ok(None)
    }

    /// The attachments.
    fn attachments(&mut self) -> Vec<Attachment>;

    /// The bytes of an attachment. `index` is from 0. `None` if there is no such attachment.
    ///
    /// # Errors
    /// Fails if the engine exceeds a limit or crashes.
    fn attachment(&mut self, index: u64) -> Result<Option<Vec<u8>>, DocumentError>;

    /// The facts about a sheet of a workbook. `index` is from 0.
    ///
    /// # Errors
    /// Fails if there is no such sheet, or if the engine exceeds a limit or crashes.
    fn sheet(&mut self, index: u64) -> Result<Rc<workbook::SheetFacts>, DocumentError>;

    /// Reads rows of a sheet of a workbook. Calls for consecutive rectangles together cost as much
    /// as one call for all of them.
    ///
    /// # Errors
    /// Fails if there is no such sheet, or if the engine exceeds a limit or crashes.
    fn rows(
        &mut self,
        index: u64,
        window: &workbook::Window,
    ) -> Result<workbook::Rows, DocumentError>;
}
