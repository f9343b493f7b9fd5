//! The interface that every dialect implements.

use super::capabilities::Sentence;
use super::repeat::Repeated;
use super::reply::{Block, Rendered};
use crate::answer::Answer;
use crate::failure::{Failure, Message};
use crate::request::{CallForm, Request, Style};
use omniread_options::Options;

/// The definition of a tool for any host.
pub struct Tool {
    /// The name of the tool.
    pub name: &'static str,
    /// The name of the tool for people, if the dialect defines one.
    pub title: Option<&'static str>,
    /// The sentences of the description, some of which need a capability of the host.
    pub description: &'static [Sentence],
    /// The JSON Schema of the arguments.
    pub schema: &'static str,
}

/// The interface that every dialect implements.
pub trait DialectFormat {
    /// The definition of the tool, with the arguments for which the dialect was specified.
    fn tool(&self) -> Tool;

    /// The definition of the tool with the arguments that the agent's own tool has today.
    fn current_tool(&self) -> Tool {
        self.tool()
    }

    /// The preferences of the dialect: what is read, and in which format it is shown.
    fn style(&self, options: &Options) -> Style;

    /// The names of the ignore files whose patterns match files that must not be read.
    fn ignores(&self, _options: &Options) -> Vec<String> {
        Vec::new()
    }

    /// Creates the request for a path that is not part of the JSON arguments of a call.
    fn request_for_path(&self, path: &str, options: &Options) -> Request {
        Request {
            path: path.to_owned(),
            slice: None,
            stdin: options.stdin,
            is_call: false,
            form: CallForm::Specified,
            ignores: self.ignores(options),
            github: options.github.clone(),
            style: self.style(options),
        }
    }

    /// Creates the request for the arguments of a call.
    fn request_for_arguments(&self, arguments: &str, options: &Options)
    -> Result<Request, Failure>;

    /// Renders an answer as a reply. Returns a failure for an answer that the dialect refuses, such
    /// as a directory. `notes` contains the notes on the answer.
    fn reply(
        &self,
        request: &Request,
        answer: &Answer,
        notes: &[Message],
        options: &Options,
    ) -> Result<Rendered<Vec<Block>>, Failure>;

    /// Renders the reply that names an earlier one.
    fn repeated(&self, repeated: &Repeated<'_>) -> Rendered<Vec<Block>> {
        repeated.as_text()
    }

    /// Whether replies contain text as a string in a JSON object. A block of such a reply is never
    /// exactly the text.
    fn wraps_in_json(&self) -> bool {
        false
    }

    /// Whether a path may be a list of paths.
    fn takes_lists(&self) -> bool {
        false
    }

    /// Renders a failure. `path` is the requested path, or empty if the arguments contain none.
    fn failure(&self, failure: &Failure, path: &str) -> Rendered<String>;
}
