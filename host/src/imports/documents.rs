//! The import `documents`: an instance of the document engine for each open document.

use super::inputs::Bytes;
use crate::bindings::omniread::parts::document_types::{Attachment, Error, Facts, Unit};
use crate::bindings::omniread::parts::documents::{
    Format, Host, HostDocument, Rows, SheetFacts, Window,
};
use crate::bindings::omniread::parts::inputs::Input;
use crate::handles::Document;
use crate::state::{Converter, State};
use wasmtime::Result;
use wasmtime::component::Resource;

impl Host for State {}

impl HostDocument for State {
    fn open(
        &mut self,
        source: Input,
        format: Format,
        password: Option<String>,
    ) -> Result<Result<Resource<Document>, Error>> {
        let bytes = Bytes::take(source, &mut self.system.table)?;
        let opened = self.open_document(bytes, Converter::Office(format), password)?;
        Ok(match opened {
            Ok(document) => Ok(self.system.table.push(Document(document))?),
            Err(error) => Err(error),
        })
    }

    fn facts(&mut self, document: Resource<Document>) -> Result<Facts> {
        let engine = self.system.table.get(&document)?.0.engine;
        self.document_facts(engine)
    }

    fn notes(&mut self, document: Resource<Document>) -> Result<Vec<String>> {
        Ok(self.system.table.get(&document)?.0.notes.clone())
    }

    fn unit(&mut self, document: Resource<Document>, index: u32) -> Result<Result<Unit, Error>> {
        let engine = self.system.table.get(&document)?.0.engine;
        self.call_document(engine, "[method]document.unit", |resource| {
            (resource, index)
        })
    }

    fn image(
        &mut self,
        document: Resource<Document>,
        number: u32,
    ) -> Result<Result<Option<Vec<u8>>, Error>> {
        let engine = self.system.table.get(&document)?.0.engine;
        self.call_document(engine, "[method]document.image", |resource| {
            (resource, number)
        })
    }

    fn attachments(&mut self, document: Resource<Document>) -> Result<Vec<Attachment>> {
        let engine = self.system.table.get(&document)?.0.engine;
        Ok(self.document_attachments(engine))
    }

    fn attachment(
        &mut self,
        document: Resource<Document>,
        index: u32,
    ) -> Result<Result<Option<Vec<u8>>, Error>> {
        let engine = self.system.table.get(&document)?.0.engine;
        self.call_document(engine, "[method]document.attachment", |resource| {
            (resource, index)
        })
    }

    fn sheet(
        &mut self,
        document: Resource<Document>,
        index: u32,
    ) -> Result<Result<SheetFacts, Error>> {
        let engine = self.system.table.get(&document)?.0.engine;
        self.call_document(engine, "[method]document.sheet", |resource| {
            (resource, index)
        })
    }

    fn rows(
        &mut self,
        document: Resource<Document>,
        index: u32,
        window: Window,
    ) -> Result<Result<Rows, Error>> {
        let engine = self.system.table.get(&document)?.0.engine;
        self.call_document(engine, "[method]document.rows", |resource| {
            (resource, index, window)
        })
    }

    fn drop(&mut self, document: Resource<Document>) -> Result<()> {
        let document = self.system.table.delete(document)?;
        self.close_document(document.0.engine);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::opened::REOPENINGS;
    use super::{Document, Error, Format, HostDocument, Input, Resource, State};
    use crate::bindings::omniread::parts::images;
    use crate::component::Component;
    use crate::handles::InputSource;
    use crate::sandbox::{self, CancelToken, Source, Stop, Stopped};
    use crate::state::ReadGrant;
    use crate::system::{Grant, StandardInput};
    use std::sync::Arc;

    /// The host side of a read, without the reader.
    fn state() -> State {
        stoppable(Stop::default())
    }

    /// The host side of a read with these stop conditions.
    fn stoppable(stop: Stop) -> State {
        let grant = ReadGrant {
            system: Grant {
                policy: Arc::default(),
                stop,
                memory: 512 << 20,
                environment: Arc::default(),
                stdin: StandardInput::Empty,
            },
            access: Arc::default(),
            #[cfg(feature = "net")]
            progress: None,
        };
        Component::shared(true)
            .unwrap()
            .state(grant, Arc::default())
    }

    /// Opens the example of a document.
    fn open(state: &mut State) -> Result<Resource<Document>, Error> {
        let letter = include_bytes!("../../../examples/letter.docx");
        let source = Input::Bytes(letter.to_vec());
        HostDocument::open(state, source, Format::Docx, None).unwrap()
    }

    #[test]
    fn document_stays_open_until_it_is_dropped() {
        let mut state = state();
        for _ in 0..40 {
            let document = open(&mut state).unwrap();
            let handle = || Resource::new_own(document.rep());
            let facts = HostDocument::facts(&mut state, handle()).unwrap();
            assert_eq!(facts.format, "Word document");
            let unit = state.unit(handle(), 0).unwrap().unwrap();
            assert!(unit.text.contains("](image:1)"), "{}", unit.text);
            let image = state.image(handle(), 1).unwrap().unwrap().unwrap();
            assert!(image.starts_with(b"\x89PNG"));
            assert_eq!(state.image(handle(), 2).unwrap().unwrap(), None);
            // A read has one open engine at a time.
            let expected = "the engine `documents` is open";
            let second = open(&mut state);
            assert!(matches!(second, Err(Error::Failed(why)) if why == expected));
            let png = images::Format::Png;
            let probed = images::Host::probe(&mut state, Vec::new(), png).unwrap();
            assert!(matches!(probed, Err(images::Error::Failed(why)) if why == expected));
            HostDocument::drop(&mut state, document).unwrap();
        }
    }

    #[test]
    fn document_is_opened_again_after_its_engine_ended() {
        let mut state = state();
        let document = open(&mut state).unwrap();
        for _ in 0..REOPENINGS {
            state.open = None;
            let document = Resource::new_own(document.rep());
            assert!(state.unit(document, 0).unwrap().is_ok());
        }
        state.open = None;
        let failed = state.unit(document, 0).unwrap();
        assert!(matches!(&failed, Err(Error::Failed(why)) if why == "the engine was ended"));
    }

    #[test]
    fn stop_while_a_document_is_opened_again_ends_the_read() {
        let token = CancelToken::new();
        let mut state = stoppable(Stop {
            token: Some(token.clone()),
            ..Stop::default()
        });
        let document = open(&mut state).unwrap();
        state.open = None;
        token.cancel();
        let stopped = state.unit(document, 0).unwrap_err();
        assert_eq!(stopped.downcast_ref::<Stopped>(), Some(&Stopped::Cancelled));
    }

    /// A source that fails at its first byte.
    struct Broken;

    impl sandbox::Bytes for Broken {
        fn read(&self, _: u64, _: usize) -> Result<Vec<u8>, String> {
            Err("the disk is on fire".to_owned())
        }
    }

    #[test]
    fn unreadable_input_is_an_error_value() {
        let mut state = state();
        let source = InputSource::Host(Source::new(Arc::new(Broken), Some(10)));
        let source = Input::Source(state.system.table.push(source).unwrap());
        let opened = HostDocument::open(&mut state, source, Format::Docx, None).unwrap();
        assert!(
            matches!(&opened, Err(Error::Io(why)) if why.contains("on fire")),
            "{opened:?}"
        );
        let empty = Input::Bytes(Vec::new());
        let opened = HostDocument::open(&mut state, empty, Format::Docx, None).unwrap();
        assert!(matches!(opened, Err(Error::Damaged(_))), "{opened:?}");
        assert!(open(&mut state).is_ok());
    }
}
