//! Reads that know of each other.

use crate::bindings::exports::omniread::read::tools::Asked;
use crate::bindings::exports::omniread::read::types as wit;
#[cfg(feature = "cli")]
use crate::bindings::omniread::read::images::Encodings;
use crate::component::Instance;
use crate::kept::Kept;
use crate::reader::Reader;
use crate::sandbox::{CancelToken, PROCESSOR_TIME_IS_KNOWN, processor_time};
use crate::snapshots::{Snapshot, Staleness};
use crate::state;
use omniread_options::Options;
use std::sync::Arc;
use wasmtime::Store;
use wit::{Dialect, Failure, Reason, Reply, State};

/// Reads that know of each other: what was shown of which file.
#[derive(Clone, Debug)]
pub struct Session {
    reader: Reader,
    kept: Arc<Kept>,
    token: Option<CancelToken>,
}

impl Reader {
    /// A session in which nothing was shown yet.
    pub fn session(&self) -> Session {
        Session {
            reader: self.clone(),
            kept: Arc::default(),
            token: None,
        }
    }
}

impl Session {
    /// The same session, with reads that a token stops.
    #[must_use]
    pub fn with_cancel(&self, token: &CancelToken) -> Self {
        Self {
            token: Some(token.clone()),
            ..self.clone()
        }
    }

    /// Reads a path in the dialect `omp` with the default options.
    ///
    /// # Errors
    /// Why nothing could be shown.
    pub fn read(&self, path: &str) -> Result<Reply, Failure> {
        self.read_as(path, Dialect::Omp, &Options::default())
    }

    /// Reads a path in a dialect.
    ///
    /// # Errors
    /// Why nothing could be shown.
    pub fn read_as(
        &self,
        path: &str,
        dialect: Dialect,
        options: &Options,
    ) -> Result<Reply, Failure> {
        let asked = Asked::Path(path.to_owned());
        self.run(dialect, &asked, options, |reader, store| {
            let parameters = (path, dialect, record(options));
            reader.call(store, |exports| &exports.read_as, parameters)
        })
    }

    /// Runs the tool of a dialect with the JSON arguments that a model gave.
    ///
    /// # Errors
    /// Why nothing could be shown, wrong arguments among the reasons.
    pub fn call(
        &self,
        dialect: Dialect,
        arguments: &str,
        options: &Options,
    ) -> Result<Reply, Failure> {
        let asked = Asked::Arguments(arguments.to_owned());
        self.run(dialect, &asked, options, |reader, store| {
            let parameters = (dialect, arguments, record(options));
            reader.call(store, |exports| &exports.call, parameters)
        })
    }

    /// The failure of a path that is not UTF-8, as a dialect words it; `path`
    /// is what can be shown of it.
    pub fn not_utf8(&self, path: &str, dialect: Dialect, options: &Options) -> Failure {
        let asked = Asked::Path(path.to_owned());
        let reason = Reason::Path(path.to_owned());
        self.reader
            .worded(dialect, &asked, &record(options), reason)
    }

    /// What was shown of a file, by its absolute path.
    pub fn snapshot(&self, path: &str) -> Option<Snapshot> {
        self.kept.snapshots.get(path)
    }

    /// Tells whether a file has changed since it was last read in this
    /// session. Size and time decide; where they leave doubt, and a hash or tag
    /// of what was read is known, the file is read again.
    ///
    /// # Errors
    /// If the file cannot be examined; one that is gone is no error.
    pub fn stale(&self, path: &str) -> Result<Staleness, Failure> {
        let now = self.current(path, false)?;
        let Some(then) = self.kept.snapshots.get(&now.resolved_path) else {
            return Ok(Staleness::Unread);
        };
        let Some(stamp) = now.stamp else {
            return Ok(Staleness::Gone);
        };
        if let Some(staleness) = then.by_time(&stamp) {
            return Ok(staleness);
        }
        let now = self.current(path, true)?;
        Ok(now
            .stamp
            .map_or(Staleness::Gone, |stamp| then.by_content(&stamp)))
    }

    /// What the file at a path is now; `content` asks for its hash and tag, for
    /// which it is read.
    ///
    /// # Errors
    /// If it is no file, or cannot be read; that there is none is no error.
    pub fn current(&self, path: &str, content: bool) -> Result<State, Failure> {
        let asked = Asked::Path(path.to_owned());
        let options = Options::default();
        self.run(Dialect::Omp, &asked, &options, |reader, store| {
            reader.call(store, |exports| &exports.current, (path, content))
        })
    }

    /// An image of a reply in another encoding, its longer side at most `side`
    /// pixels; `None` if that cannot be had.
    #[cfg(feature = "cli")]
    pub(crate) fn encoded(
        &self,
        data: Vec<u8>,
        mime: &str,
        side: u32,
        encodings: Encodings,
    ) -> Option<Vec<u8>> {
        let grant = self.reader.grant(self.token.clone(), false);
        self.reader.encoded(grant, data, mime, side, encodings)
    }

    fn run<T>(
        &self,
        dialect: Dialect,
        asked: &Asked,
        options: &Options,
        call: impl FnOnce(
            &Instance<'_>,
            &mut Store<state::State>,
        ) -> wasmtime::Result<Result<T, Failure>>,
    ) -> Result<T, Failure> {
        let grant = self.reader.grant(self.token.clone(), options.stdin);
        let began = processor_time();
        match self.reader.run(grant, Arc::clone(&self.kept), call) {
            Ok(outcome) => outcome,
            Err(error) => {
                let ran = processor_time().saturating_sub(began);
                let ran = PROCESSOR_TIME_IS_KNOWN.then_some(ran);
                let options = record(options);
                Err(self.reader.ended(&error, dialect, asked, &options, ran))
            }
        }
    }
}

fn record(options: &Options) -> wit::Options {
    let options = options.clone();
    omniread_options::convert!(options => wit::Options, wit::ImageOptions)
}
