//! What a host can do beside reading text, and the parts of a definition that
//! depend on it: a definition promises nothing that its host does not do.

use crate::world::Capabilities;

/// Something that not every host can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capability {
    /// To show images.
    Images,
    /// To read SQLite databases.
    Databases,
    /// To convert documents.
    Documents,
    /// To read web pages.
    Web,
}

impl Capability {
    /// All of them.
    #[cfg(test)]
    pub const ALL: [Self; 4] = [Self::Images, Self::Databases, Self::Documents, Self::Web];

    /// Whether a host has it.
    fn is_of(self, host: &Capabilities) -> bool {
        match self {
            Self::Web => host.network,
            _ => host
                .engines
                .iter()
                .any(|engine| Some(engine.as_str()) == self.engine()),
        }
    }

    /// The name of the engine that it needs.
    pub fn engine(self) -> Option<&'static str> {
        match self {
            Self::Images => Some("images"),
            Self::Databases => Some("sqlite"),
            Self::Documents => Some("documents"),
            Self::Web => None,
        }
    }
}

/// A part of the description of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sentence {
    /// What every host does.
    Always(&'static str),
    /// What a host with a capability does.
    With(Capability, &'static str),
}

/// The description of a tool on a host, with the schemes of internal URLs at the end.
pub fn description(parts: &[Sentence], host: &Capabilities) -> String {
    let said = parts.iter().filter_map(|part| match part {
        Sentence::Always(text) => Some(*text),
        Sentence::With(capability, text) => capability.is_of(host).then_some(*text),
    });
    let mut description = said.collect::<Vec<_>>().join(" ");
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
