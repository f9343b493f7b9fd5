//! Answers `notes://` from memory: `cargo run --release --example provider -- notes://plan.md:1`
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "an example of a program"
)]

use omniread::Reader;
use omniread::resources::{Provider, Resource, ResourceError};
use std::collections::BTreeMap;
use std::error::Error;

/// Notes by their names.
pub struct Notes(pub BTreeMap<String, Vec<u8>>);

impl Provider for Notes {
    fn scheme(&self) -> &'static str {
        "notes"
    }

    fn open(&self, url: &str) -> Result<Resource, ResourceError> {
        let name = url.split_once("://").map_or("", |(_, name)| name);
        match self.0.get(name) {
            Some(note) => Ok(Resource::new(note.clone(), Some(note.len() as u64))),
            // The reader finds similar names, because `names` lists them.
            None => Err(ResourceError::NotFound(Vec::new())),
        }
    }

    fn names(&self, start: &str, most: usize) -> Result<Option<Vec<String>>, ResourceError> {
        let names = self.0.keys().filter(|name| name.starts_with(start));
        Ok(Some(names.take(most).cloned().collect()))
    }
}

#[allow(dead_code, reason = "a test has notes of its own")]
fn main() -> Result<(), Box<dyn Error>> {
    let note = |name: &str, text: &str| (name.to_owned(), text.as_bytes().to_vec());
    let notes = [
        note("plan.md", "Measure.\nCut.\n"),
        note("list.csv", "item,count\nscrew,40\n"),
    ];
    let reader = Reader::builder().provider(Notes(notes.into())).build()?;
    let path = std::env::args().nth(1);
    let path = path.unwrap_or_else(|| "notes://".to_owned());
    match reader.session().read(path) {
        Ok(reply) => println!("{}", reply.text()),
        Err(failure) => eprintln!("{failure:#}"),
    }
    Ok(())
}
