//! `artifact://N`: the artifacts of a session, such as the whole text of a page of which a reply showed a
//! part. `artifact://` lists them.

use crate::resources::{Bytes, Resource, ResourceError};
use crate::sandbox::{Policy, Refusal};
use crate::session_state::SessionState;
use omniread_store::{Artifact, ArtifactSummary, ArtifactWriter, StoreError};
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;
use std::path::Path;

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

/// Why an artifact may not be shown. `None` if it may: its file is in a root or mount, and no rule denies the file or
/// a member that the content comes from.
pub(crate) fn refusal(policy: &Policy, artifact: &ArtifactSummary) -> Option<ResourceError> {
    let real = Path::new(artifact.real.as_ref()?);
    let mut members = artifact.source.split(':').skip(1);
    if let Some(rule) = members.find_map(|member| policy.denied_member(member)) {
        return Some(ResourceError::Denied(rule));
    }
    match policy.denied(real) {
        Some(Refusal::Denied(rule)) => Some(ResourceError::Denied(rule)),
        None if policy.reaches(real) => None,
        _ => Some(ResourceError::Failed(
            "its file is not in the roots any more".to_owned(),
        )),
    }
}

/// Opens an artifact, or the list of all for an empty name.
///
/// # Errors
/// Fails if there is no such artifact, or if it may not be shown.
pub(crate) fn open(
    name: &str,
    session: &SessionState,
    policy: &Policy,
) -> Result<Resource, ResourceError> {
    let (store, handle) = (&session.store, &session.handle);
    if name.is_empty() {
        let mut list = String::new();
        let mut hidden: u64 = 0;
        for artifact in store.artifacts(handle) {
            if refusal(policy, &artifact).is_some() {
                hidden = hidden.saturating_add(1);
                continue;
            }
            let (number, size) = (artifact.number, artifact.size);
            let _ = writeln!(
                list,
                "{SCHEME}://{number}  {size} bytes  {}",
                in_one_line(&artifact.source)
            );
        }
        if hidden > 0 {
            let _ = writeln!(
                list,
                "({hidden} not listed: their files may not be read any more)"
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
    let Ok(number) = name.parse() else {
        return Err(not_found(session, policy));
    };
    let artifact = match store.open_artifact(handle, number) {
        Ok(artifact) => artifact,
        Err(StoreError::NoArtifact { .. }) => return Err(not_found(session, policy)),
        Err(error) => return Err(ResourceError::Failed(error.to_string())),
    };
    if let Some(error) = refusal(policy, &artifact) {
        return Err(error);
    }
    let (mime, size) = (artifact.mime.clone(), artifact.size);
    let modified = u64::try_from(artifact.created / 1_000_000).ok();
    let mut resource = Resource::new(Content(artifact), Some(size));
    resource.mime = Some(mime).filter(|mime| !mime.is_empty());
    resource.modified = modified;
    Ok(resource)
}

/// The failure for a name that no artifact has had, with the newest artifacts.
fn not_found(session: &SessionState, policy: &Policy) -> ResourceError {
    let known = session.store.artifacts(&session.handle);
    let shown = known
        .into_iter()
        .rev()
        .filter(|artifact| refusal(policy, artifact).is_none());
    let newest = shown.take(SIMILAR);
    ResourceError::NotFound(newest.map(|artifact| url(artifact.number)).collect())
}

/// The URL of an artifact.
pub(crate) fn url(number: u64) -> String {
    format!("{SCHEME}://{number}")
}

/// A text without line breaks, for a list.
fn in_one_line(text: &str) -> String {
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    text.chars().map(plain).collect()
}

/// An artifact that a read writes. Content that the session has as an artifact of the same source is not kept twice,
/// because each page of a long text may store all of it.
pub(crate) struct Draft {
    writer: ArtifactWriter,
    hash: Sha256,
    source: Source,
    size: u64,
}

/// Where the content of an artifact comes from.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// A path, a URL, or a command.
    pub(crate) name: String,
    /// The real path of the file with the content, if it is one.
    pub(crate) real: Option<String>,
}

impl Source {
    /// A source that is not a file.
    pub(crate) fn named(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            real: None,
        }
    }

    /// The hash of the source and of a type of media, before that of the content.
    fn hash(&self, mime: &str) -> Sha256 {
        let mut hash = Sha256::new();
        let real = self.real.as_deref().unwrap_or_default();
        for part in [&*self.name, real, mime] {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        hash
    }
}

impl Draft {
    pub(crate) fn new(session: &SessionState, source: Source, mime: &str) -> Self {
        Self {
            writer: writer(session, &source, mime),
            hash: source.hash(mime),
            source,
            size: 0,
        }
    }

    /// Appends bytes. After an error, the artifact is not stored.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        self.writer.write(bytes)?;
        self.hash.update(bytes);
        self.size = self.size.saturating_add(bytes.len() as u64);
        Ok(())
    }

    /// Ends the artifact, and returns its number.
    pub(crate) fn finish(self, session: &SessionState) -> Result<u64, StoreError> {
        let Self {
            writer,
            hash,
            source,
            size,
        } = self;
        finish(session, writer, &key(hash), (&source, size))
    }
}

/// A writer of an artifact with this source.
fn writer(session: &SessionState, source: &Source, mime: &str) -> ArtifactWriter {
    session
        .store
        .artifact(&session.handle, &source.name, mime)
        .of_file(source.real.clone())
}

/// Ends an artifact whose content has a key and a size, and returns its number.
fn finish(
    session: &SessionState,
    writer: ArtifactWriter,
    key: &str,
    (source, size): (&Source, u64),
) -> Result<u64, StoreError> {
    if let Some(number) = known(session, key, source, size) {
        return Ok(number);
    }
    let number = writer.finish()?;
    session
        .store
        .put(&session.handle, key, &number.to_le_bytes());
    Ok(number)
}

/// Stores a whole text, and returns the number of the artifact.
pub(crate) fn store(
    session: &SessionState,
    source: &Source,
    mime: &str,
    content: &[u8],
) -> Result<u64, StoreError> {
    let key = key(source.hash(mime).chain_update(content));
    // Other artifacts make room for what is written, so that known content is not written.
    let size = content.len() as u64;
    if let Some(number) = known(session, &key, source, size) {
        return Ok(number);
    }
    let mut writer = writer(session, source, mime);
    writer.write(content)?;
    finish(session, writer, &key, (source, size))
}

/// The key in the cache for the number of the artifact with a content.
fn key(hash: Sha256) -> String {
    let mut key = "artifact:".to_owned();
    for byte in hash.finalize() {
        let _ = write!(key, "{byte:02x}");
    }
    key
}

/// The number of the artifact with a content, if it was not removed since.
fn known(session: &SessionState, key: &str, source: &Source, size: u64) -> Option<u64> {
    let number = session.store.get(&session.handle, key)?;
    let number = u64::from_le_bytes(number.try_into().ok()?);
    let artifact = session.store.open_artifact(&session.handle, number).ok()?;
    let is_same = artifact.source == source.name && artifact.real == source.real;
    (is_same && artifact.size == size).then_some(number)
}
