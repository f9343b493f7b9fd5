//! The import `documents`: an instance of the document engine for each open document. It reads only
//! the input that is passed to it.

use super::inputs::Bytes;
use crate::bindings::omniread::read::documents::{
    Attachment, Error, Facts, Format, Host, HostDocument, Rows, SheetFacts, Unit, Window,
};
use crate::bindings::omniread::read::inputs::Input;
use crate::engines::Running;
use crate::engines::table::DOCUMENTS;
use crate::handles::Document;
use crate::state::{Ended, Open, OpenDocument, Reopening, State};
use wasmtime::Result;
use wasmtime::component::{ComponentNamedList, Lift, Lower, Resource, ResourceAny};

impl Host for State {}

impl HostDocument for State {
    fn open(
        &mut self,
        source: Input,
        format: Format,
        password: Option<String>,
    ) -> Result<Result<Resource<Document>, Error>> {
        // The reader does not know the password of this host.
        let of_host = || self.access.password.as_ref();
        let password = password.or_else(|| of_host().map(|password| password.0.clone()));
        let bytes = Bytes::take(source, &mut self.system.table)?;
        if bytes.is_directory() {
            return Ok(Err(Error::Io("it is a directory".to_owned())));
        }
        let again = bytes.again();
        let Opened {
            running,
            resource,
            facts,
            notes,
            attachments,
        } = match self.open_document(bytes, format, password.clone()) {
            Ok(Ok(opened)) => opened,
            Ok(Err(error)) => return Ok(Err(error)),
            Err(ended) => return Ok(Err(self.ended(&ended)?.into())),
        };
        self.opened += 1;
        let engine = self.opened;
        self.open = Some(Open {
            number: engine,
            resource,
            running,
        });
        let reopening = again.map(|bytes| Reopening {
            bytes,
            format,
            password,
            left: REOPENINGS,
        });
        let open = OpenDocument {
            facts,
            attachments,
            reopening,
        };
        self.documents.insert(engine, open);
        let document = Document { engine, notes };
        Ok(Ok(self.system.table.push(document)?))
    }

    fn facts(&mut self, document: Resource<Document>) -> Result<Facts> {
        let engine = self.system.table.get(&document)?.engine;
        let document = self.documents.get(&engine);
        let facts = document.map(|document| document.facts.clone());
        facts.ok_or_else(|| wasmtime::format_err!("a document has no facts"))
    }

    fn notes(&mut self, document: Resource<Document>) -> Result<Vec<String>> {
        Ok(self.system.table.get(&document)?.notes.clone())
    }

    fn unit(&mut self, document: Resource<Document>, index: u32) -> Result<Result<Unit, Error>> {
        self.call_document(&document, "[method]document.unit", |resource| {
            (resource, index)
        })
    }

    fn image(
        &mut self,
        document: Resource<Document>,
        number: u32,
    ) -> Result<Result<Option<Vec<u8>>, Error>> {
        self.call_document(&document, "[method]document.image", |resource| {
            (resource, number)
        })
    }

    fn attachments(&mut self, document: Resource<Document>) -> Result<Vec<Attachment>> {
        let engine = self.system.table.get(&document)?.engine;
        let document = self.documents.get(&engine);
        Ok(document.map_or_else(Vec::new, |document| document.attachments.clone()))
    }

    fn attachment(
        &mut self,
        document: Resource<Document>,
        index: u32,
    ) -> Result<Result<Option<Vec<u8>>, Error>> {
        self.call_document(&document, "[method]document.attachment", |resource| {
            (resource, index)
        })
    }

    fn sheet(
        &mut self,
        document: Resource<Document>,
        index: u32,
    ) -> Result<Result<SheetFacts, Error>> {
        self.call_document(&document, "[method]document.sheet", |resource| {
            (resource, index)
        })
    }

    fn rows(
        &mut self,
        document: Resource<Document>,
        index: u32,
        window: Window,
    ) -> Result<Result<Rows, Error>> {
        self.call_document(&document, "[method]document.rows", |resource| {
            (resource, index, window)
        })
    }

    fn drop(&mut self, document: Resource<Document>) -> Result<()> {
        let engine = self.system.table.delete(document)?.engine;
        self.documents.remove(&engine);
        self.open.take_if(|open| open.number == engine);
        Ok(())
    }
}

/// The number of times that a document is opened again. Each part that ends the engine may take the
/// time limit of a call.
const REOPENINGS: u32 = 3;

/// An engine with an open document.
struct Opened {
    running: Running,
    /// The document in the engine.
    resource: ResourceAny,
    facts: Facts,
    notes: Vec<String>,
    attachments: Vec<Attachment>,
}

impl State {
    /// Opens a document in a fresh instance of the document engine.
    ///
    /// # Errors
    /// Fails if the engine cannot be started or ended.
    fn open_document(
        &self,
        bytes: Bytes,
        format: Format,
        password: Option<String>,
    ) -> Result<Result<Opened, Error>> {
        let mut running = self.start(&DOCUMENTS)?;
        let source = bytes.hand_over(&mut running)?;
        let opened = running.run(DOCUMENTS.time, self.stop(), |calls| {
            let opened = calls.call("[static]document.open", (source, format, password))?;
            let document: ResourceAny = match opened {
                Ok(document) => document,
                Err(error) => return Ok(Err(error)),
            };
            let facts = calls.call("[method]document.facts", (document,))?;
            let notes = calls.call("[method]document.notes", (document,))?;
            let attachments = calls.call("[method]document.attachments", (document,))?;
            Ok(Ok((document, facts, notes, attachments)))
        })?;
        Ok(opened.map(|(resource, facts, notes, attachments)| Opened {
            running,
            resource,
            facts,
            notes,
            attachments,
        }))
    }

    /// Opens a document again in a fresh instance of the engine, after a call on a part of it ended
    /// the engine, so that the other parts can be read.
    ///
    /// # Errors
    /// Fails if the read itself was stopped. The inner error states why the document cannot be
    /// opened again.
    fn reopen(&mut self, engine: u64) -> Result<Result<Open, Error>> {
        let reopening = self.documents.get_mut(&engine);
        let reopening = reopening.and_then(|document| document.reopening.as_mut());
        let again = reopening.and_then(|reopening| {
            reopening.left = reopening.left.checked_sub(1)?;
            let bytes = reopening.bytes.again()?;
            Some((bytes, reopening.format, reopening.password.clone()))
        });
        let Some((bytes, format, password)) = again else {
            return Ok(Err(Error::Failed("the engine was ended".to_owned())));
        };
        Ok(match self.open_document(bytes, format, password) {
            Ok(opened) => opened.map(|opened| Open {
                number: engine,
                resource: opened.resource,
                running: opened.running,
            }),
            Err(why) => Err(self.ended(&why)?.into()),
        })
    }

    /// Calls a method of an open document. `parameters` makes the parameters from the resource in
    /// the engine. If the engine ended, the document is opened again.
    ///
    /// # Errors
    /// Fails if the read itself was stopped.
    fn call_document<P, R>(
        &mut self,
        document: &Resource<Document>,
        method: &str,
        parameters: impl FnOnce(ResourceAny) -> P,
    ) -> Result<Result<R, Error>>
    where
        P: ComponentNamedList + Lower + Send + Sync,
        R: Lift + Send + Sync + 'static,
    {
        let engine = self.system.table.get(document)?.engine;
        if let Err(why) = self.check_stack() {
            return Ok(Err(self.ended(&why)?.into()));
        }
        let open = match self.open.take_if(|open| open.number == engine) {
            Some(open) => Ok(open),
            None => self.reopen(engine)?,
        };
        let mut open = match open {
            Ok(open) => open,
            Err(error) => return Ok(Err(error)),
        };
        let parameters = parameters(open.resource);
        let called = open.running.run(DOCUMENTS.time, self.stop(), |calls| {
            calls.call(method, parameters)
        });
        match called {
            Ok(outcome) => {
                self.open = Some(open);
                Ok(outcome)
            }
            Err(ended) => Ok(Err(self.ended(&ended)?.into())),
        }
    }
}

impl From<Ended> for Error {
    fn from(ended: Ended) -> Self {
        match ended {
            Ended::Exhausted(what) => Self::Exhausted(what.to_owned()),
            Ended::Failed(why) => Self::Failed(why),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Document, Error, Format, HostDocument, Input, REOPENINGS, Resource, State};
    use crate::bindings::omniread::read::images;
    use crate::component::Component;
    use crate::sandbox::{self, CancelToken, Source, Stop, Stopped};
    use crate::state::ReadGrant;
    use crate::system::Grant;
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
                stdin: false,
            },
            access: Arc::default(),
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
        let source = Source::new(Arc::new(Broken), Some(10));
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
