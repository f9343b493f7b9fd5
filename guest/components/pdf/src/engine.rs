//! Exports the `pdf` interface.

#![allow(unsafe_code, reason = "the generated exports pass pointers")]

use crate::bindings::exports::omniread::parts::pdf as wit;
use crate::source::Bytes;
use omniread_document_engine::bindings::omniread::parts::document_types::{Error, Unit};
use omniread_document_engine::bindings::omniread::parts::inputs::Input;
use omniread_document_engine::{Open, place};

crate::bindings::export!(Engine with_types_in crate::bindings);

struct Engine;

/// The function that draws pages.
#[cfg(not(feature = "undrawn"))]
const DRAW: omniread_pdf::Draw = omniread_pdf::DRAWN;
#[cfg(feature = "undrawn")]
const DRAW: omniread_pdf::Draw =
    |_, _, _, _| Err(omniread_document::Error::Missing(FULL.to_owned()));

/// The name of the file of the component that draws pages.
#[cfg(feature = "undrawn")]
const FULL: &str = "omniread-full.wasm";

impl wit::Guest for Engine {
    type Document = Document;
}

/// An open document.
struct Document(Open);

impl wit::GuestDocument for Document {
    fn open(source: Input, password: Option<String>) -> Result<wit::Document, Error> {
        let password = password.as_deref();
        let document = match crate::source::source(source)? {
            Bytes::InMemory(bytes) => omniread_pdf::open_with(bytes, password, DRAW)?,
            Bytes::Source(source) => omniread_pdf::open_source(source, password, DRAW)?,
        };
        Ok(wit::Document::new(Self(Open::new(document))))
    }

    omniread_document_engine::shared_methods!();

    fn page(&self, index: u32, text: wit::Text, alone: bool) -> Result<Unit, Error> {
        let mut document = self.0.document();
        document.set_alone(alone);
        let page = match text {
            wit::Text::Visible => document.unit(place(index)),
            wit::Text::All => document.whole_unit(place(index)),
        };
        Ok(Open::unit(page))
    }

    fn layout(&self) -> Result<Option<Vec<u8>>, Error> {
        Ok(self.0.document().layout())
    }

    fn set_layout(&self, layout: Vec<u8>) -> Result<bool, Error> {
        Ok(self.0.document().set_layout(&layout))
    }

    fn page_image(&self, index: u32, side: u32) -> Result<Option<Vec<u8>>, Error> {
        let mut document = self.0.document();
        // The side bounds the number of pixels.
        Ok(document.page_image(place(index), side, u64::MAX)?)
    }
}
