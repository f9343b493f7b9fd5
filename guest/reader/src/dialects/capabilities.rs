//! The capabilities of a host, and the parts of a tool description that depend on them. A
//! description promises only what its host can do.

use crate::world::{Capabilities, Engine};

/// A capability that some hosts (the programs that run the reader) do not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capability {
    /// The host can decode images.
    Images,
    /// The host can read SQLite databases.
    Databases,
    /// The host can convert documents.
    Documents,
    /// The host can read web pages.
    Web,
}

impl Capability {
    /// All capabilities.
    #[cfg(test)]
    pub const ALL: [Self; 4] = [Self::Images, Self::Databases, Self::Documents, Self::Web];

    /// Whether a host has the capability.
    fn is_of(self, host: &Capabilities) -> bool {
        match self {
            Self::Web => host.network,
            _ => host
                .engines
                .iter()
                .any(|engine| Some(*engine) == self.engine()),
        }
    }

    /// The engine (an optional component) that the capability needs. `None` if it needs
    /// no engine.
    pub fn engine(self) -> Option<Engine> {
        match self {
            Self::Images => Some(Engine::Images),
            Self::Databases => Some(Engine::Sqlite),
            Self::Documents => Some(Engine::Documents),
            Self::Web => None,
        }
    }
}

/// A part of the description of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sentence {
    /// A sentence that is true of every host.
    Always(&'static str),
    /// A sentence that is true of a host with this capability.
    With(Capability, &'static str),
}

/// Builds the description of a tool for a host. The last sentence names the schemes of the internal
/// URLs that the host provides, if there are any.
pub fn description(parts: &[Sentence], host: &Capabilities) -> String {
    let sentences = parts.iter().filter_map(|part| match part {
        Sentence::Always(text) => Some(*text),
        Sentence::With(capability, text) => capability.is_of(host).then_some(*text),
    });
    let mut description = sentences.collect::<Vec<_>>().join(" ");
    for (place, scheme) in host.schemes.iter().enumerate() {
        description.push_str(if place == 0 {
            " Internal URLs: `"
        } else {
            ", `"
        });
        description.push_str(scheme);
        description.push_str("://…`");
    }
    if !host.schemes.is_empty() {
        description.push('.');
    }
    description
}
