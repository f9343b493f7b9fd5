//! The [`World`](super::World) of the WebAssembly component, which calls WASI directly.
//!
//! The standard library would examine every entry of a directory twice, and would read files
//! through streams.

mod database;
mod document;
mod errors;
mod files;
mod http;
mod image;
mod network;
mod parts;
mod preopened;
mod remote;

pub use preopened::WasiWorld;

use super::{
    Capabilities, Change, Clock, Comparison, Connection, DatabaseError, DecoderFormat, Document,
    DocumentError, Earlier, Engine, Engines, ImageBounds, ImageError, ImageFacts, Input, Mount,
    Parts, ReadTime, Session, ShownImages, Snapshot, Time, Transcoded,
};
use crate::bindings::omniread::parts::{sandbox, session};
use crate::bindings::wasi::clocks::{monotonic_clock, wall_clock};
use crate::bindings::wasi::filesystem::preopens;
use omniread_document::Format;

impl WasiWorld {
    /// The capabilities that the host reports, except network access if the component has none.
    pub fn capabilities() -> Capabilities {
        let host = sandbox::get_capabilities();
        let mut schemes = host.schemes;
        for (_, name) in preopens::get_directories() {
            let mount = Mount::parse(&name).map(|mount| mount.scheme);
            schemes.extend(mount.filter(|scheme| !schemes.contains(scheme)));
        }
        Capabilities {
            engines: host.engines.into_iter().map(engine).collect(),
            network: host.network && http::Outgoing::new().is_some(),
            schemes,
        }
    }
}

impl Engines for WasiWorld {
    fn database(&mut self, parts: &Parts) -> Result<Box<dyn Connection>, DatabaseError> {
        self.connect(parts)
    }

    fn memory_database(&mut self) -> Result<Box<dyn Connection>, DatabaseError> {
        database::in_memory()
    }

    fn probe_image(
        &mut self,
        data: &[u8],
        format: DecoderFormat,
    ) -> Result<ImageFacts, ImageError> {
        image::probe(data, format)
    }

    fn validate_image(
        &mut self,
        data: &[u8],
        format: DecoderFormat,
        pixels: u64,
    ) -> Result<(), ImageError> {
        image::validate(data, format, pixels)
    }

    fn transcode_image(
        &mut self,
        data: &[u8],
        format: DecoderFormat,
        bounds: ImageBounds,
    ) -> Result<Transcoded, ImageError> {
        image::transcode(data, format, bounds)
    }

    fn document(
        &mut self,
        input: &Input,
        format: Format,
        state: Option<[u64; 2]>,
    ) -> Result<Box<dyn Document>, DocumentError> {
        self.open_document(input, format, state)
    }
}

impl Session for WasiWorld {
    fn remember(&mut self, snapshot: &Snapshot) {
        session::remember(&snapshot_of(snapshot));
    }

    fn keeps_text(&self) -> bool {
        session::keeps_text()
    }

    fn cached(&mut self, key: &str) -> Option<Vec<u8>> {
        session::get(key)
    }

    fn stores_artifacts(&self) -> bool {
        session::stores_artifacts()
    }

    fn store_artifact(&mut self, source: &str, text: &str) -> Option<String> {
        session::store_artifact(source, text)
    }

    fn start_artifact(&mut self, source: &str, mime: &str) -> bool {
        session::start_artifact(source, mime)
    }

    fn write_artifact(&mut self, bytes: &[u8]) -> bool {
        session::write_artifact(bytes)
    }

    fn finish_artifact(&mut self) -> Option<String> {
        session::finish_artifact()
    }

    fn lasting(&self) -> bool {
        session::lasting()
    }

    fn cache(&mut self, key: &str, value: &[u8]) {
        session::put(key, value);
    }

    fn images(&mut self) -> ShownImages {
        let shown = session::images();
        ShownImages {
            count: shown.count,
            tokens: shown.tokens,
        }
    }

    fn show_images(&mut self, images: ShownImages) {
        session::show_images(session::ShownImages {
            count: images.count,
            tokens: images.tokens,
        });
    }

    fn compare(&mut self, snapshot: &Snapshot) -> Comparison {
        let change = |change: &session::Change| Change {
            first: change.first,
            lines: change.lines,
            before: change.before,
        };
        match session::compare(&snapshot_of(snapshot)) {
            session::Comparison::Unchanged => Comparison::Unchanged,
            session::Comparison::Changed(places) => {
                Comparison::Changed(places.iter().map(change).collect())
            }
            session::Comparison::Unknown => Comparison::Unknown,
        }
    }

    fn show(&mut self, request: &[u8; 32], reply: &[u8; 32], path: &str) -> Option<Earlier> {
        let earlier = session::show(request, reply, path)?;
        Some(Earlier {
            path: earlier.path,
            age: earlier.age,
        })
    }
}

/// A snapshot as the host takes it.
fn snapshot_of(snapshot: &Snapshot) -> session::Snapshot {
    session::Snapshot {
        path: snapshot.path.clone(),
        tag: snapshot.tag.clone(),
        shown: snapshot
            .shown
            .iter()
            .map(|lines| session::Lines {
                first: lines.first,
                last: lines.last,
                text: lines.text.clone(),
            })
            .collect(),
        total: snapshot.total,
        size: snapshot.size,
        modified: snapshot.modified.map(Time::millis),
        sha256: snapshot.sha256.clone(),
    }
}

impl Clock for WasiWorld {
    fn now(&self) -> Time {
        let now = wall_clock::now();
        Time {
            seconds: now.seconds,
            nanos: now.nanoseconds,
        }
    }

    fn read_time(&self) -> ReadTime {
        match sandbox::get_time() {
            Some(sandbox::Time { used, limit }) => ReadTime { used, limit },
            None => ReadTime {
                used: self.monotonic_millis(),
                limit: None,
            },
        }
    }

    fn monotonic_millis(&self) -> u64 {
        monotonic_clock::now() / 1_000_000
    }
}

fn engine(engine: sandbox::Engine) -> Engine {
    match engine {
        sandbox::Engine::Sqlite => Engine::Sqlite,
        sandbox::Engine::Images => Engine::Images,
        sandbox::Engine::Documents => Engine::Documents,
        sandbox::Engine::Pdf => Engine::Pdf,
    }
}
