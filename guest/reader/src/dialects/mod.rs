//! The read tools of agents: their arguments and the format of their replies. A dialect never
//! reads files itself.

mod arguments;
mod capabilities;
mod claude;
mod codex;
mod comma;
mod describe;
mod extent;
mod format;
mod gateway;
mod gemini;
mod head;
mod image_size;
mod json;
mod layout;
mod list;
mod log;
mod notices;
mod omp;
mod onward;
mod opencode;
mod outline;
mod pages;
mod repeat;
mod reply;
mod unshown;
mod web;

pub use reply::{Block, Display, ListPart, ListReply, MediaBlock, RenderedFailure, Reply};

use crate::answer::Answer;
use crate::failure::{Failure, Message, Reason};
use crate::path::list::List;
use crate::read::snapshot;
use crate::request::{CallForm, Request};
use crate::rooted_path::within_roots;
use crate::world::{Capabilities, World};
use format::DialectFormat;
use list::Paths;
use omniread_options::Options;
use repeat::Repeated;
use reply::is_exact;

/// The definition of a tool, as an agent registers it with a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The name of the tool.
    pub name: &'static str,
    /// The name of the tool for people, if the dialect defines one.
    pub title: Option<&'static str>,
    /// The description of the tool, for the model.
    pub description: String,
    /// The JSON Schema of the arguments.
    pub schema: &'static str,
}

/// The read tool of one agent: its arguments and the format of its replies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Tool `read`: lines as `LINE:TEXT` under a `[PATH#TAG]` header, with notices on how to
    /// continue.
    Omp,
    /// Tool `read`: numbered lines in a `<file>` element; images and PDF files unchanged.
    Gateway,
    /// Tool `read_file`: one JSON object with exact text and a SHA-256.
    Comma,
    /// Tool `read_file`: one JSON object with text or inline data.
    Gemini,
    /// Tool `Read`: text numbered as in `cat -n`.
    Claude,
    /// Tool `read`: numbered text between tags, with the end of the file.
    OpenCode,
    /// Tool `read_file`: numbered lines, or a block by its indentation.
    Codex,
}

/// Whether `rest` may follow `-` in a path that names standard input.
fn is_suffix(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with([':', '?'])
}

/// The input of a call that the host stopped.
#[derive(Clone, Copy, Debug)]
pub enum CallInput<'a> {
    /// A path.
    Path(&'a str),
    /// The JSON arguments of a tool.
    Arguments(&'a str),
}

impl Dialect {
    /// All dialects.
    pub const ALL: &[Self] = &[
        Self::Omp,
        Self::Gateway,
        Self::Comma,
        Self::Gemini,
        Self::Claude,
        Self::OpenCode,
        Self::Codex,
    ];

    /// The name of the dialect on command lines and in the environment.
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

    /// The dialect with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|dialect| dialect.name() == name)
    }

    /// The definition of the tool for a model, limited to what the host can do.
    pub fn definition(self, form: CallForm, host: &Capabilities) -> Definition {
        let tool = match form {
            CallForm::Specified => self.format().tool(),
            CallForm::Current => self.format().current_tool(),
        };
        Definition {
            name: tool.name,
            title: tool.title,
            description: capabilities::description(tool.description, host),
            schema: tool.schema,
        }
    }

    /// The preferences of the dialect: what is read, and in which format it is shown.
    #[cfg(test)]
    pub fn style(self, options: &Options) -> crate::request::Style {
        self.format().style(options)
    }

    /// Reads a path that is not part of the JSON arguments of a call, such as one on the command
    /// line.
    ///
    /// # Errors
    /// Fails if the read fails. The failure is rendered in this dialect.
    pub fn read(
        self,
        path: &str,
        options: &Options,
        world: &mut dyn World,
    ) -> Result<Reply, RenderedFailure> {
        let mut request = self.format().request_for_path(path, options);
        if options.all {
            request.remove_page_limits();
        }
        if let Some(lines) = &options.lines
            && let Err(failure) = request.option_lines(lines)
        {
            return Err(self.render_failure(failure.for_caller(false), path));
        }
        request.limit_reply(options);
        self.run(&request, options, world)
    }

    /// Runs the tool with the arguments of a model.
    ///
    /// # Errors
    /// Fails if the arguments are wrong or the read fails. The failure is rendered in this
    /// dialect.
    pub fn call(
        self,
        arguments: &str,
        options: &Options,
        world: &mut dyn World,
    ) -> Result<Reply, RenderedFailure> {
        match self.format().request_for_arguments(arguments, options) {
            Ok(mut request) => {
                request.limit_reply(options);
                request.is_call = true;
                self.run(&request, options, world)
            }
            Err(failure) => Err(self.render_failure(failure.for_caller(true), "")),
        }
    }

    fn run(
        self,
        request: &Request,
        options: &Options,
        world: &mut dyn World,
    ) -> Result<Reply, RenderedFailure> {
        if self.format().takes_lists()
            && let Some(list) = List::of(&request.path)
        {
            let mut paths = OnePath {
                dialect: self,
                options,
                world,
            };
            return match list::read(&list, request, &mut paths) {
                Some(outcome) => outcome,
                None => paths.read(request),
            };
        }
        self.run_one(request, options, world)
    }

    /// Reads a path that is not a list.
    fn run_one(
        self,
        request: &Request,
        options: &Options,
        world: &mut dyn World,
    ) -> Result<Reply, RenderedFailure> {
        let outcome = match answer(request, world) {
            Ok(answer) => self.show(request, options, answer, world),
            Err(failure) => Err(failure),
        };
        outcome.map_err(|failure| self.refuse(failure, request, world))
    }

    /// Renders the failure of a request.
    fn refuse(
        self,
        mut failure: Failure,
        request: &Request,
        world: &mut dyn World,
    ) -> RenderedFailure {
        if request.is_call
            && matches!(
                failure.reason,
                Reason::OutsideRoots(_) | Reason::LinkOutsideRoots { .. }
            )
        {
            failure.hint = within_roots(world).map(Message::from);
        }
        self.render_failure(failure.for_caller(request.is_call), &request.path)
    }

    /// Renders an answer, and reports to the session what is shown. The second part of the answer says whether it
    /// is shown although the session has shown the same before.
    fn show(
        self,
        request: &Request,
        options: &Options,
        (answer, fresh): (Answer, bool),
        world: &mut dyn World,
    ) -> Result<Reply, Failure> {
        let format = self.format();
        let mut notes = notices::notes(&answer);
        let mut rendered = format.reply(request, &answer, &notes, options)?;
        let shown = snapshot(&answer, world);
        let mut repeats = None;
        if options.repeat {
            let key = match repeat::lasting(&answer) {
                Some(lasting) => {
                    let stable = format.reply(request, &lasting, &notes, options)?;
                    repeat::key(self.name(), &stable.content)
                }
                None => repeat::key(self.name(), &rendered.content),
            };
            let path = repeat::without_fresh(&request.path).filter(|_| fresh);
            let path = path.as_deref().unwrap_or(&request.path);
            let compared = shown.as_ref().map(|shown| world.compare(shown));
            let note = compared.as_ref().and_then(repeat::note);
            let place = repeat::request_key(self.name(), path, request);
            let earlier = world.show(&place, &key, path);
            if let Some(note) = note {
                notes.push(note);
                rendered = format.reply(request, &answer, &notes, options)?;
            } else if let Some(earlier) = earlier.filter(|_| !fresh) {
                let repeated = Repeated::new(&earlier, path, request.slice.as_ref());
                rendered = format.repeated(&repeated);
                repeats = Some(earlier.path);
            }
        }
        if let Some(shown) = &shown {
            world.remember(shown);
        }
        let images = answer.shown_images();
        if images.count > 0 && repeats.is_none() {
            world.show_images(images);
        }
        Ok(Reply {
            blocks: rendered.content,
            structured: rendered.structured,
            notes,
            exact: repeats.is_none() && !format.wraps_in_json() && is_exact(&answer.body),
            display: rendered.display,
            repeats,
            answer,
            list: None,
        })
    }

    /// Renders a failure in this dialect. `path` is the requested path.
    pub fn render_failure(self, failure: Failure, path: &str) -> RenderedFailure {
        let rendered = self.format().failure(&failure, path);
        RenderedFailure {
            text: rendered.content,
            structured: rendered.structured,
            failure,
        }
    }

    /// Renders the failure of a call that the host stopped.
    pub fn describe_failure(
        self,
        input: CallInput<'_>,
        reason: Reason,
        options: &Options,
    ) -> RenderedFailure {
        let path = match input {
            CallInput::Path(path) => path.to_owned(),
            CallInput::Arguments(arguments) => {
                let request = self.format().request_for_arguments(arguments, options);
                request.map_or_else(|_| String::new(), |request| request.path)
            }
        };
        let reason = match reason {
            Reason::Cancelled(_) => Reason::Cancelled(path.clone()),
            reason => reason,
        };
        let stdin = options.stdin && path.strip_prefix('-').is_some_and(is_suffix);
        let is_call = matches!(input, CallInput::Arguments(_));
        let failure = notices::host_failure(reason, &path, stdin).for_caller(is_call);
        self.render_failure(failure, &path)
    }

    fn format(self) -> &'static dyn DialectFormat {
        match self {
            Self::Omp => &omp::Omp,
            Self::Gateway => &gateway::Gateway,
            Self::Comma => &comma::Comma,
            Self::Gemini => &gemini::Gemini,
            Self::Claude => &claude::Claude,
            Self::OpenCode => &opencode::OpenCode,
            Self::Codex => &codex::Codex,
        }
    }
}

/// The reads of the paths of a list.
struct OnePath<'r> {
    dialect: Dialect,
    options: &'r Options,
    world: &'r mut dyn World,
}

impl Paths for OnePath<'_> {
    fn world(&mut self) -> &mut dyn World {
        self.world
    }

    fn answer(&mut self, request: &Request) -> Result<(Answer, bool), Failure> {
        answer(request, self.world)
    }

    fn show(
        &mut self,
        request: &Request,
        answer: (Answer, bool),
    ) -> Result<Reply, RenderedFailure> {
        let shown = (self.dialect).show(request, self.options, answer, self.world);
        shown.map_err(|failure| self.refuse(failure, request))
    }

    fn refuse(&mut self, failure: Failure, request: &Request) -> RenderedFailure {
        self.dialect.refuse(failure, request, self.world)
    }

    fn read(&mut self, request: &Request) -> Result<Reply, RenderedFailure> {
        self.dialect.run_one(request, self.options, self.world)
    }
}

/// The answer to a request, and whether its path asks for a reply that was shown before. A path that ends with the
/// size of an image is read without it.
fn answer(request: &Request, world: &mut dyn World) -> Result<(Answer, bool), Failure> {
    let of_address = image_size::of_address(request);
    let failure = match answer_of_size(of_address.as_ref().unwrap_or(request), world) {
        Ok(answer) => return Ok(answer),
        Err(failure) => failure,
    };
    let of_path = image_size::of_path(request).filter(|sized| of_address.as_ref() != Some(sized));
    match of_path.map(|sized| answer_of_size(&sized, world)) {
        Some(Ok((answer, fresh))) if image_size::has_image(&answer) => Ok((answer, fresh)),
        _ => Err(failure),
    }
}

/// The answer to a request whose images have a size. A path that can be read with `:fresh` in it has precedence,
/// such as that of a file with this name.
fn answer_of_size(request: &Request, world: &mut dyn World) -> Result<(Answer, bool), Failure> {
    let failure = match crate::read(request, world) {
        Ok(answer) => return Ok((answer, repeat::is_fresh_address(&request.path))),
        Err(failure) => failure,
    };
    let Some(path) = repeat::without_fresh(&request.path) else {
        return Err(failure);
    };
    let request = Request {
        path: path.into_owned(),
        ..request.clone()
    };
    match crate::read(&request, world) {
        Ok(answer) => Ok((answer, true)),
        // No file has the word in its name, so that the path is meant without it.
        Err(other) => Err(match failure.reason {
            Reason::NotFound(_) | Reason::InvalidSelector(_) => other,
            _ => failure,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use capabilities::{Capability, Sentence};

    /// A host that has all capabilities but this one.
    fn host_without(missing: Option<Capability>) -> Capabilities {
        let has = |capability: &Capability| Some(*capability) != missing;
        let engines = Capability::ALL.iter().filter(|one| has(one));
        Capabilities {
            engines: engines
                .filter_map(|capability| capability.engine())
                .collect(),
            network: has(&Capability::Web),
            schemes: Vec::new(),
        }
    }

    /// Estimates the number of tokens of a text for a language model: words, groups of three
    /// digits, and runs of other characters.
    fn tokens(text: &str) -> usize {
        let class = |c: char| match c {
            _ if c.is_ascii_alphabetic() => 1,
            _ if c.is_ascii_digit() => 2,
            _ if c.is_whitespace() => 0,
            _ => 3,
        };
        let (mut count, mut before, mut run) = (0, 0, 0);
        for c in text.chars() {
            run = if class(c) == before { run + 1 } else { 0 };
            before = class(c);
            let starts = run == 0 || (before == 2 && run % 3 == 0);
            count += usize::from(starts && before > 0);
        }
        count
    }

    /// A model pays for the definition in each conversation. The estimate is close to the
    /// counts of public tokenizers: `o200k_base` and `cl100k_base` count 357 for `omp`.
    #[test]
    fn definitions_are_short() {
        for dialect in Dialect::ALL {
            for form in [CallForm::Specified, CallForm::Current] {
                let definition = dialect.definition(form, &host_without(None));
                let (name, description) = (definition.name, &definition.description);
                let described = tokens(description);
                let most = if *dialect == Dialect::Omp { 325 } else { 280 };
                assert!(described <= most, "{name}: {described}: {description}");
                let schema: serde_json::Value = serde_json::from_str(definition.schema).unwrap();
                let whole = serde_json::json!({
                    "name": name, "description": description, "input_schema": schema,
                });
                assert!(description.contains(":sym:"), "{name}: {description}");
                let all = tokens(&whole.to_string());
                if *dialect == Dialect::Omp {
                    assert!(all <= 360, "{name}: {all}: {description}");
                }
            }
        }
    }

    #[test]
    fn definitions_promise_only_what_the_host_can_do() {
        for dialect in Dialect::ALL {
            let all = dialect
                .definition(CallForm::Specified, &host_without(None))
                .description;
            for part in dialect.format().tool().description {
                let Sentence::With(capability, text) = part else {
                    continue;
                };
                assert!(all.contains(text), "{}: {text}", dialect.name());
                let without =
                    dialect.definition(CallForm::Specified, &host_without(Some(*capability)));
                assert!(!without.description.contains(text), "{}", dialect.name());
            }
            let mut host = Capabilities::default();
            assert!(
                !dialect
                    .definition(CallForm::Specified, &host)
                    .description
                    .contains("app.db")
            );
            host.schemes = ["skill", "memory"].map(str::to_owned).to_vec();
            let description = dialect.definition(CallForm::Specified, &host).description;
            let schemes = " Internal URLs: `skill://…`, `memory://…`.";
            assert!(description.ends_with(schemes), "{description}");
        }
    }

    /// Compares the arguments of the schemas of both forms with the arguments of the parsed type.
    #[test]
    fn schema_arguments_are_the_parsed_arguments() {
        for dialect in Dialect::ALL {
            let mut names = Vec::new();
            for form in [CallForm::Specified, CallForm::Current] {
                let definition = dialect.definition(form, &host_without(None));
                let schema: serde_json::Value = serde_json::from_str(definition.schema).unwrap();
                assert_eq!(schema["type"], "object");
                assert_eq!(schema["additionalProperties"], false);
                for (name, property) in schema["properties"].as_object().unwrap() {
                    assert!(property["description"].is_string(), "{name}");
                    names.push(format!("`{name}`"));
                }
            }
            let failure = dialect
                .format()
                .request_for_arguments(r#"{"no such": 1}"#, &Options::default())
                .unwrap_err();
            let hint = failure.hint.unwrap();
            let taken = hint.strip_prefix("the arguments are ").unwrap();
            let mut taken: Vec<&str> = taken.split(", ").collect();
            names.sort();
            names.dedup();
            taken.sort_unstable();
            assert_eq!(names, taken, "{}", dialect.name());
        }
    }
}
