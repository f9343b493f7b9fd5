//! Documents that are open in an engine, for the imports `documents` and `pdf`: an instance of the
//! engine for each. It reads only the input that is passed to it.

use super::inputs::Bytes;
use crate::bindings::omniread::parts::document_types::{Attachment, Error, Facts};
use crate::engines::Running;
use crate::handles::OpenedDocument;
use crate::state::{Converter, Ended, Open, OpenDocument, Reopening, State};
use wasmtime::Result;
use wasmtime::component::{ComponentNamedList, Lift, Lower, ResourceAny};

/// The number of times that a document is opened again. Each part that ends the engine may take the
/// time limit of a call.
pub(super) const REOPENINGS: u32 = 3;

/// A document in a fresh instance of an engine.
struct Fresh {
    running: Running,
    /// The document in the engine.
    resource: ResourceAny,
    facts: Facts,
    notes: Vec<String>,
    attachments: Vec<Attachment>,
}

impl State {
    /// Opens a document in a fresh instance of its engine.
    ///
    /// # Errors
    /// Fails if the read itself was stopped. The inner error states why the document cannot be read.
    pub(super) fn open_document(
        &mut self,
        bytes: Bytes,
        converter: Converter,
        password: Option<String>,
    ) -> Result<Result<OpenedDocument, Error>> {
        // The reader does not know the password of this host.
        let of_host = || self.access.password.as_ref();
        let password = password.or_else(|| of_host().map(|password| password.0.clone()));
        if bytes.is_directory() {
            return Ok(Err(Error::Io("it is a directory".to_owned())));
        }
        let again = bytes.again();
        let fresh = match self.open_fresh(bytes, converter, password.clone()) {
            Ok(Ok(fresh)) => fresh,
            Ok(Err(error)) => return Ok(Err(error)),
            Err(ended) => return Ok(Err(self.ended(&ended)?.into())),
        };
        self.opened += 1;
        let engine = self.opened;
        self.open = Some(Open {
            number: engine,
            resource: fresh.resource,
            running: fresh.running,
        });
        let reopening = again.map(|bytes| Reopening {
            bytes,
            converter,
            password,
            left: REOPENINGS,
        });
        let open = OpenDocument {
            facts: fresh.facts,
            attachments: fresh.attachments,
            engine: converter.engine(),
            reopening,
        };
        self.documents.insert(engine, open);
        let notes = fresh.notes;
        Ok(Ok(OpenedDocument { engine, notes }))
    }

    /// Returns the facts about an open document. `engine` is the number of its engine.
    ///
    /// # Errors
    /// Fails if there is no such document, which would be a defect.
    pub(super) fn document_facts(&self, engine: u64) -> Result<Facts> {
        let document = self.documents.get(&engine);
        let facts = document.map(|document| document.facts.clone());
        facts.ok_or_else(|| wasmtime::format_err!("a document has no facts"))
    }

    /// Lists the attachments of an open document. `engine` is the number of its engine.
    pub(super) fn document_attachments(&self, engine: u64) -> Vec<Attachment> {
        let document = self.documents.get(&engine);
        document.map_or_else(Vec::new, |document| document.attachments.clone())
    }

    /// Calls a method of an open document. `engine` is the number of its engine, and `parameters`
    /// makes the parameters from the resource in the engine. If the engine ended, the document is
    /// opened again.
    ///
    /// # Errors
    /// Fails if the read itself was stopped.
    pub(super) fn call_document<P, R>(
        &mut self,
        engine: u64,
        method: &'static str,
        parameters: impl FnOnce(ResourceAny) -> P,
    ) -> Result<Result<R, Error>>
    where
        P: ComponentNamedList + Lower + Send + Sync + 'static,
        R: Lift + Send + Sync + 'static,
    {
        if let Err(why) = self.check_stack() {
            return Ok(Err(self.ended(&why)?.into()));
        }
        let Some(time) = self.documents.get(&engine).map(|one| one.engine.time) else {
            return Err(wasmtime::format_err!("a document is closed"));
        };
        let open = match self.open.take_if(|open| open.number == engine) {
            Some(open) => Ok(open),
            None => self.reopen(engine)?,
        };
        let mut open = match open {
            Ok(open) => open,
            Err(error) => return Ok(Err(error)),
        };
        let parameters = parameters(open.resource);
        let called = open
            .running
            .run(time, self.stop(), |calls| calls.method(method, parameters));
        match called {
            Ok(outcome) => {
                self.open = Some(open);
                Ok(outcome)
            }
            Err(ended) => Ok(Err(self.ended(&ended)?.into())),
        }
    }

    /// Closes a document, and ends its engine. `engine` is the number of the engine.
    pub(super) fn close_document(&mut self, engine: u64) {
        self.documents.remove(&engine);
        self.open.take_if(|open| open.number == engine);
    }

    /// Opens a document in a fresh instance of its engine.
    ///
    /// # Errors
    /// Fails if the engine cannot be started or ended.
    fn open_fresh(
        &self,
        bytes: Bytes,
        converter: Converter,
        password: Option<String>,
    ) -> Result<Result<Fresh, Error>> {
        if !cfg!(feature = "documents") {
            return Ok(Err(Error::Failed(
                "this build has no converters".to_owned(),
            )));
        }
        let engine = converter.engine();
        let mut running = self.start(engine)?;
        let source = bytes.hand_over(&mut running)?;
        let opened = running.run(engine.time, self.stop(), |calls| {
            let open = "[static]document.open";
            let opened = match converter {
                Converter::Office(format) => calls.call(open, (source, format, password))?,
                Converter::Pdf => calls.call(open, (source, password))?,
            };
            let document: ResourceAny = match opened {
                Ok(document) => document,
                Err(error) => return Ok(Err(error)),
            };
            let facts = calls.method("[method]document.facts", (document,))?;
            let notes = calls.method("[method]document.notes", (document,))?;
            let attachments = calls.method("[method]document.attachments", (document,))?;
            Ok(Ok((document, facts, notes, attachments)))
        })?;
        Ok(opened.map(|(resource, facts, notes, attachments)| Fresh {
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
            Some((bytes, reopening.converter, reopening.password.clone()))
        });
        let Some((bytes, converter, password)) = again else {
            return Ok(Err(Error::Failed("the engine was ended".to_owned())));
        };
        Ok(match self.open_fresh(bytes, converter, password) {
            Ok(opened) => opened.map(|opened| Open {
                number: engine,
                resource: opened.resource,
                running: opened.running,
            }),
            Err(why) => Err(self.ended(&why)?.into()),
        })
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
