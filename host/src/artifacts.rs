//! `artifact://N`: the artifacts of a session, such as the whole text of a page of which a reply showed a
//! part. `artifact://` lists them.

use crate::resources::{Bytes, Resource, ResourceError};
use crate::session_state::SessionState;
use omniread_store::Artifact;
use std::fmt::Write as _;

/// The scheme.
pub(crate) const SCHEME: &str = "artifact";

/// The maximum number of artifacts that a failure names.
const SIMILAR: usize = 8;

/// An artifact as the bytes of a resource.
struct Content(Artifact);

impl Bytes for Content {
    fn read(&self, offset: u64, length: usize) -> Result<Vec<u8>, String> {
        self.0
            .read(offset, length)
            .map_err(|error| error.to_string())
    }
}

/// The list of artifacts.
struct List(Vec<u8>);

impl Bytes for List {
    fn read(&self, offset: u64, length: usize) -> Result<Vec<u8>, String> {
        let start = usize::try_from(offset)
            .unwrap_or(usize::MAX)
            .min(self.0.len());
        let end = start.saturating_add(length).min(self.0.len());
        Ok(self.0.get(start..end).unwrap_or_default().to_vec())
    }
}

/// The name in a URL of this scheme. `None` if the URL has another scheme.
pub(crate) fn name(url: &str) -> Option<&str> {
    let (scheme, name) = url.split_once("://")?;
    scheme.eq_ignore_ascii_case(SCHEME).then_some(name)
}

/// Opens an artifact, or the list of all for an empty name.
///
/// # Errors
/// Fails if there is no such artifact.
pub(crate) fn open(name: &str, session: &SessionState) -> Result<Resource, ResourceError> {
    let (store, handle) = (&session.store, &session.handle);
    if name.is_empty() {
        let mut list = String::new();
        for artifact in store.artifacts(handle) {
            let (number, size) = (artifact.number, artifact.size);
            let _ = writeln!(
                list,
                "{SCHEME}://{number}  {size} bytes  {}",
                artifact.source
            );
        }
        if list.is_empty() {
            list.push_str("(no artifacts)\n");
        }
        let size = list.len() as u64;
        let mut resource = Resource::new(List(list.into_bytes()), Some(size));
        resource.mime = Some("text/plain".to_owned());
        return Ok(resource);
    }
    let number = name.parse().ok();
    let Some(artifact) = number.and_then(|number| store.open_artifact(handle, number)) else {
        let known = store.artifacts(handle).into_iter().rev().take(SIMILAR);
        let known = known.map(|artifact| format!("{SCHEME}://{}", artifact.number));
        return Err(ResourceError::NotFound(known.collect()));
    };
    let (mime, size) = (artifact.mime.clone(), artifact.size);
    let modified = u64::try_from(artifact.created / 1_000_000).ok();
    let mut resource = Resource::new(Content(artifact), Some(size));
    resource.mime = Some(mime);
    resource.charset = Some("utf-8".to_owned());
    resource.modified = modified;
    Ok(resource)
}
