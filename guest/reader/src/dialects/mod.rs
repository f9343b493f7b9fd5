//! How an agent asks and how an answer looks. A dialect never reads.

mod arguments;
mod capabilities;
mod claude;
mod comma;
mod describe;
mod gateway;
mod gemini;
mod json;
mod layout;
mod notices;
mod omp;
mod outline;

use crate::answer::{Answer, Body};
use crate::failure::{Failure, Message, Reason};
use crate::read::remember;
use crate::request::{Request, Style};
use crate::world::{Capabilities, World};
use capabilities::Sentence;
use omniread_options::Options;
use serde::Serialize;

/// An image or attachment as model APIs take it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payload {
    /// Its MIME type.
    pub mime: &'static str,
    /// Its bytes in base64.
    pub data: String,
}

/// One part of a reply, in the order in which a model should see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// Text.
    Text(String),
    /// What was left out of the exact text before it.
    Notice(String),
    /// An image.
    Image(Payload),
    /// A file that is passed through as it is.
    Attachment(Payload),
}

/// A tool as a runtime registers it with a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The name of the tool.
    pub name: &'static str,
    /// Its name for people, if the dialect gives one.
    pub title: Option<&'static str>,
    /// What it does, for the model.
    pub description: String,
    /// The JSON Schema of its arguments.
    pub schema: &'static str,
}

/// A tool, whatever its host can do.
struct Tool {
    name: &'static str,
    title: Option<&'static str>,
    description: &'static [Sentence],
    schema: &'static str,
}

/// The form in which an agent asks and is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Tool `read`: hashline text with paging notices.
    Omp,
    /// Tool `read`: numbered text in a `<file>` frame, media as they are.
    Gateway,
    /// Tool `read_file`: one JSON object with exact text and a SHA-256.
    Comma,
    /// Tool `read_file`: one JSON object with text or inline data.
    Gemini,
    /// Tool `Read`: text numbered as `cat -n` does.
    Claude,
}

/// What is said, in words and as data under the dialect's own names.
struct Said<W> {
    words: W,
    /// One JSON object.
    structured: String,
    /// The text without what stands before its lines.
    display: Option<Display>,
}

impl<W> Said<W> {
    fn new(words: W, structured: &impl Serialize) -> Self {
        Self {
            words,
            structured: json::json(structured),
            display: None,
        }
    }
}

/// The text that a reply shows, without what stands before its lines, for
/// display to a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Display {
    /// The lines, joined by `\n`.
    pub text: String,
    /// The number of the first one.
    pub start: i64,
}

/// A failure as data, where the agent knows no form of its own for it.
#[derive(Serialize)]
struct Failed<'a> {
    error: &'a str,
}

/// Whether a path goes on like this after the name of standard input.
fn is_suffix(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with([':', '?'])
}

fn is_exact(body: &Body) -> bool {
    matches!(body, Body::Text(text) if text.window.selector.raw)
}

/// What a dialect consists of.
trait Form {
    /// The tool to register.
    fn tool(&self) -> Tool;

    /// How it wants what it reads.
    fn style(&self, options: &Options) -> Style;

    /// What a bare path asks for.
    fn by_path(&self, path: &str, options: &Options) -> Request {
        Request {
            path: path.to_owned(),
            slice: None,
            stdin: options.stdin,
            ignores: Vec::new(),
            style: self.style(options),
        }
    }

    /// What the arguments of a call ask for.
    fn by_arguments(&self, arguments: &str, options: &Options) -> Result<Request, Failure>;

    /// An answer in words, or as the failure that it is in this dialect.
    /// `notes` are the facts of it that are worth a sentence.
    fn reply(
        &self,
        request: &Request,
        answer: &Answer,
        notes: &[Message],
        options: &Options,
    ) -> Result<Said<Vec<Block>>, Failure>;

    /// Whether text is wrapped into JSON, so that it is never exact.
    fn wraps(&self) -> bool {
        false
    }

    /// A failure in words; `path` is the path string that was asked for, empty
    /// if the arguments tell none.
    fn failure(&self, failure: &Failure, path: &str) -> Said<String>;
}

/// A read that succeeded, in words and as data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// What a model should see.
    pub blocks: Vec<Block>,
    /// The same under the names that agents of the dialect know: one JSON
    /// object.
    pub structured: String,
    /// The facts worth a sentence.
    pub notes: Vec<Message>,
    /// The text block is exactly the text.
    pub exact: bool,
    /// The text without what stands before its lines, if anything does.
    pub display: Option<Display>,
    /// What they were made of.
    pub answer: Answer,
}

/// A read that failed, for programs and in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Why.
    pub failure: Failure,
    /// What a model should see.
    pub text: String,
    /// The same under the names that agents of the dialect know: one JSON
    /// object.
    pub structured: String,
}

/// What was asked of a call.
#[derive(Clone, Copy, Debug)]
pub enum Asked<'a> {
    /// A path.
    Path(&'a str),
    /// The arguments of a tool.
    Arguments(&'a str),
}

impl Dialect {
    /// All of them.
    pub const ALL: &[Self] = &[
        Self::Omp,
        Self::Gateway,
        Self::Comma,
        Self::Gemini,
        Self::Claude,
    ];

    /// Its name on command lines and in the environment.
    pub fn name(self) -> &'static str {
        match self {
            Self::Omp => "omp",
            Self::Gateway => "gateway",
            Self::Comma => "comma",
            Self::Gemini => "gemini",
            Self::Claude => "claude",
        }
    }

    /// The dialect of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|dialect| dialect.name() == name)
    }

    /// The tool to register with a model, as its host can serve it.
    pub fn definition(self, host: &Capabilities) -> Definition {
        let tool = self.form().tool();
        Definition {
            name: tool.name,
            title: tool.title,
            description: capabilities::description(tool.description, host),
            schema: tool.schema,
        }
    }

    /// How it wants what it reads.
    #[cfg(test)]
    pub fn style(self, options: &Options) -> Style {
        self.form().style(options)
    }

    /// Reads what a bare path asks for.
    ///
    /// # Errors
    /// The failure of the read, and how this dialect words it.
    pub fn read(
        self,
        path: &str,
        options: &Options,
        world: &mut dyn World,
    ) -> Result<Reply, Refused> {
        let mut request = self.form().by_path(path, options);
        if options.all {
            request.remove_page_limits();
        }
        if let Some(lines) = &options.lines
            && let Err(failure) = request.option_lines(lines)
        {
            return Err(self.refuse(failure, path));
        }
        self.run(&request, options, world)
    }

    /// Runs the tool with the arguments that a model gave.
    ///
    /// # Errors
    /// As [`Dialect::read`], and wrong arguments.
    pub fn call(
        self,
        arguments: &str,
        options: &Options,
        world: &mut dyn World,
    ) -> Result<Reply, Refused> {
        match self.form().by_arguments(arguments, options) {
            Ok(request) => self.run(&request, options, world),
            Err(failure) => Err(self.refuse(failure, "")),
        }
    }

    fn run(
        self,
        request: &Request,
        options: &Options,
        world: &mut dyn World,
    ) -> Result<Reply, Refused> {
        let outcome = crate::read(request, world).and_then(|answer| {
            let notes = notices::notes(&answer);
            let said = self.form().reply(request, &answer, &notes, options)?;
            remember(&answer, world);
            Ok(Reply {
                blocks: said.words,
                structured: said.structured,
                notes,
                exact: !self.form().wraps() && is_exact(&answer.body),
                display: said.display,
                answer,
            })
        });
        outcome.map_err(|failure| self.refuse(failure, &request.path))
    }

    /// A failure as this dialect words it; `path` is the path string that was
    /// asked for.
    pub fn refuse(self, failure: Failure, path: &str) -> Refused {
        let said = self.form().failure(&failure, path);
        Refused {
            text: said.words,
            structured: said.structured,
            failure,
        }
    }

    /// The failure of a call that the host had to end.
    pub fn ended(self, asked: Asked<'_>, reason: Reason, options: &Options) -> Refused {
        let path = match asked {
            Asked::Path(path) => path.to_owned(),
            Asked::Arguments(arguments) => {
                let request = self.form().by_arguments(arguments, options);
                request.map_or_else(|_| String::new(), |request| request.path)
            }
        };
        let reason = match reason {
            Reason::Cancelled(_) => Reason::Cancelled(path.clone()),
            reason => reason,
        };
        let stdin = options.stdin && path.strip_prefix('-').is_some_and(is_suffix);
        self.refuse(notices::ended(reason, &path, stdin), &path)
    }

    fn form(self) -> &'static dyn Form {
        match self {
            Self::Omp => &omp::Omp,
            Self::Gateway => &gateway::Gateway,
            Self::Comma => &comma::Comma,
            Self::Gemini => &gemini::Gemini,
            Self::Claude => &claude::Claude,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use capabilities::Capability;

    /// A host that has every capability but one.
    fn host_without(missing: Option<Capability>) -> Capabilities {
        let has = |capability: &Capability| Some(*capability) != missing;
        let engines = Capability::ALL.iter().filter(|one| has(one));
        Capabilities {
            engines: engines
                .filter_map(|capability| capability.engine())
                .map(str::to_owned)
                .collect(),
            network: has(&Capability::Web),
            schemes: Vec::new(),
        }
    }

    /// About as many tokens as tokenizers of models make of a text: words, digits in
    /// threes, and runs of other characters. Of these texts it is within 4 %.
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

    #[test]
    fn definitions_are_short() {
        for dialect in Dialect::ALL {
            let description = dialect.definition(&host_without(None)).description;
            let tokens = tokens(&description);
            assert!(tokens <= 240, "{}: {tokens}: {description}", dialect.name());
        }
    }

    #[test]
    fn definitions_promise_what_the_host_does() {
        for dialect in Dialect::ALL {
            let all = dialect.definition(&host_without(None)).description;
            for part in dialect.form().tool().description {
                let Sentence::With(capability, text) = part else {
                    continue;
                };
                assert!(all.contains(text), "{}: {text}", dialect.name());
                let without = dialect.definition(&host_without(Some(*capability)));
                assert!(!without.description.contains(text), "{}", dialect.name());
            }
            let mut host = Capabilities::default();
            assert!(!dialect.definition(&host).description.contains("app.db"));
            host.schemes = ["skill", "memory"].map(str::to_owned).to_vec();
            let description = dialect.definition(&host).description;
            let schemes = " Internal URLs: `skill://…`, `memory://…`.";
            assert!(description.ends_with(schemes), "{description}");
        }
    }

    /// The schema and the type that arguments become name the same arguments.
    #[test]
    fn schemas_say_what_is_taken() {
        for dialect in Dialect::ALL {
            let definition = dialect.definition(&host_without(None));
            let schema: serde_json::Value = serde_json::from_str(definition.schema).unwrap();
            assert_eq!(schema["type"], "object");
            assert_eq!(schema["additionalProperties"], false);
            let mut names: Vec<String> = schema["properties"]
                .as_object()
                .unwrap()
                .iter()
                .map(|(name, property)| {
                    assert!(property["description"].is_string(), "{name}");
                    format!("`{name}`")
                })
                .collect();
            let failure = dialect
                .form()
                .by_arguments(r#"{"no such": 1}"#, &Options::default())
                .unwrap_err();
            let hint = failure.hint.unwrap();
            let taken = hint.strip_prefix("the arguments are ").unwrap();
            let mut taken: Vec<&str> = taken.split(", ").collect();
            names.sort();
            taken.sort_unstable();
            assert_eq!(names, taken, "{}", dialect.name());
        }
    }
}
