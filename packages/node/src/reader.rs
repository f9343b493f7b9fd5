//! Readers: what reads may access, and their limits.

use crate::failure::{Code, Result, error, json, text_of};
use crate::options::{Settings, dialect};
use crate::outcome::Outcome;
use napi_derive::napi;
use omniread::Api;
use std::sync::{Arc, Mutex, PoisonError};

/// A reader, which its sessions share.
#[derive(Clone)]
pub struct Shared(Arc<Mutex<Option<omniread::Reader>>>);

impl Shared {
    /// The reader.
    ///
    /// # Errors
    /// Fails if it was closed.
    pub fn open(&self) -> Result<omniread::Reader> {
        let reader = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let reader = reader.as_ref().cloned();
        reader.ok_or_else(|| error(Code::Closed, "the reader is closed"))
    }

    /// Whether it was closed.
    pub fn is_closed(&self) -> bool {
        let reader = self.0.lock();
        reader.unwrap_or_else(PoisonError::into_inner).is_none()
    }
}

/// The directories that reads may access, and the limits of a read.
#[napi]
pub struct Reader {
    /// `None` inside after the reader was closed.
    pub(crate) shared: Shared,
}

#[napi]
impl Reader {
    /// A reader with arguments in JSON.
    #[napi(constructor)]
    pub fn new(settings: String) -> Result<Self> {
        let reader = Settings::parse(&settings)?.build()?;
        let shared = Shared(Arc::new(Mutex::new(Some(reader))));
        Ok(Self { shared })
    }

    /// The absolute paths of the roots.
    #[napi]
    pub fn roots(&self) -> Result<Vec<String>> {
        Ok(self.shared.open()?.roots().map(str::to_owned).collect())
    }

    /// Whether the reader was closed.
    #[napi(getter)]
    pub fn closed(&self) -> bool {
        self.shared.is_closed()
    }

    /// The tool of a dialect for the API of a model, as JSON.
    #[napi]
    pub fn tools(&self, api: String, dialect_name: String, current: bool) -> Result<Outcome> {
        let reader = self.shared.open()?;
        let api = Api::named(&api)
            .ok_or_else(|| error(Code::Option, format!("there is no API `{api}`")))?;
        let dialect = dialect(&dialect_name)?;
        let definitions = if current {
            reader.current_definitions()
        } else {
            reader.definitions()
        };
        Ok(match definitions {
            Ok(definitions) => {
                let chosen = definitions.iter().filter(|it| it.dialect == dialect);
                let tools: Vec<_> = chosen.map(|it| api.tool(it)).collect();
                Outcome::text(text_of(&tools))
            }
            Err(failure) => Outcome::failure(json(&failure)),
        })
    }

    /// Refuses further reads.
    #[napi]
    pub fn close(&self) {
        let reader = self.shared.0.lock();
        reader.unwrap_or_else(PoisonError::into_inner).take();
    }
}
