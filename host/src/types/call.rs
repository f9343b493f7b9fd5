//! Parameters of the exports of the reader.

use super::dialect::Dialect;
use omniread_options as options;
use wasmtime::component::{ComponentType, Lower};

/// Options of a read, as the reader takes them. [`omniread_options::Options`] describes the fields.
#[derive(ComponentType, Lower)]
#[component(record)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a switch of its own that users set by name"
)]
pub(crate) struct Options {
    pub(crate) limit: u32,
    pub(crate) all: bool,
    pub(crate) lines: Option<String>,
    pub(crate) hashlines: bool,
    pub(crate) numbers: bool,
    pub(crate) edits: bool,
    pub(crate) pilcrow: bool,
    pub(crate) margin: bool,
    pub(crate) outlines: bool,
    pub(crate) context: bool,
    #[component(name = "reply-bytes")]
    pub(crate) reply_bytes: u32,
    #[component(name = "reply-images")]
    pub(crate) reply_images: u32,
    pub(crate) tokens: u32,
    pub(crate) rest: Option<u32>,
    #[component(name = "table-width")]
    pub(crate) table_width: u32,
    pub(crate) image: ImageOptions,
    pub(crate) github: GitHubOptions,
    pub(crate) absolute: bool,
    pub(crate) ignores: Vec<String>,
    pub(crate) repeat: bool,
    pub(crate) stdin: bool,
}

/// Options for images, as the reader takes them.
#[derive(ComponentType, Lower)]
#[component(record)]
pub(crate) struct ImageOptions {
    pub(crate) metadata: bool,
    pub(crate) side: u32,
    pub(crate) bytes: u32,
    pub(crate) budget: u32,
    pub(crate) tokens: u32,
}

/// Options for GitHub, as the reader takes them.
#[derive(ComponentType, Lower)]
#[component(record)]
pub(crate) struct GitHubOptions {
    pub(crate) soft: u32,
    pub(crate) hard: u32,
    pub(crate) api: Option<String>,
}

impl Options {
    /// The options in the form that the reader takes.
    pub(crate) fn of(options: &options::Options) -> Self {
        let options = options.clone();
        options::convert!(options => Options, ImageOptions, GitHubOptions)
    }
}

/// A call that failed, for the message of its failure.
pub(crate) struct FailedCall<'c> {
    /// The dialect of the message.
    pub(crate) dialect: Dialect,
    /// What was read.
    pub(crate) input: &'c CallInput,
    /// The options of the read.
    pub(crate) options: &'c options::Options,
}

/// The input of a call that failed.
#[derive(ComponentType, Lower)]
#[component(variant)]
pub(crate) enum CallInput {
    /// The path that was read.
    #[component(name = "path")]
    Path(String),
    /// The JSON arguments of a tool.
    #[component(name = "arguments")]
    Arguments(String),
}
