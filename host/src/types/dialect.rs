//! Dialects, and the definitions of their tools.

use serde::Serialize;
use wasmtime::component::{ComponentType, Lift, Lower};

/// The arguments and the reply format of one agent's read tool.
///
/// A dialect changes how arguments are written and how a reply looks. It does not change which
/// files can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, ComponentType, Lift, Lower, Serialize)]
#[component(enum)]
#[repr(u8)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Dialect {
    /// Tool `read`: text with line numbers and a tag for edits, and paging notices.
    #[component(name = "omp")]
    Omp,
    /// Tool `read`: text with line numbers in a `<file>` element, and unchanged images and PDFs.
    #[component(name = "gateway")]
    Gateway,
    /// Tool `read_file`: one JSON object with exact text and a SHA-256.
    #[component(name = "comma")]
    Comma,
    /// Tool `read_file`: one JSON object with text or inline data.
    #[component(name = "gemini")]
    Gemini,
    /// Tool `Read`: text numbered as `cat -n` does.
    #[component(name = "claude")]
    Claude,
    /// Tool `read`: numbered text between tags, with the end of the file.
    #[component(name = "opencode")]
    #[serde(rename = "opencode")]
    OpenCode,
    /// Tool `read_file`: numbered lines, or a block by its indentation.
    #[component(name = "codex")]
    Codex,
}

/// The definition of a tool, as an agent registers it with a model.
#[derive(Clone, Debug, PartialEq, Eq, ComponentType, Lift)]
#[component(record)]
#[non_exhaustive]
pub struct Definition {
    /// The dialect that the tool uses.
    pub dialect: Dialect,
    /// The name of the tool.
    pub name: String,
    /// The title for people, if the dialect has one.
    pub title: Option<String>,
    /// The description for the model.
    pub description: String,
    /// The JSON Schema of the arguments.
    pub schema: String,
}

impl Dialect {
    /// All dialects. The first one is the default.
    pub const ALL: [Self; 7] = [
        Self::Omp,
        Self::Gateway,
        Self::Comma,
        Self::Gemini,
        Self::Claude,
        Self::OpenCode,
        Self::Codex,
    ];

    /// Returns the name of the dialect, such as `omp`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Omp => "omp",
            Self::Gateway => "gateway",
            Self::Comma => "comma",
            Self::Gemini => "gemini",
            Self::Claude => "claude",
            Self::OpenCode => "opencode",
            Self::Codex => "codex",
        }
    }

    /// Returns the dialect with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|dialect| dialect.name() == name)
    }
}
