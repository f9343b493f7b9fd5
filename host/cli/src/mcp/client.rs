//! The library as the MCP server uses it: the traits of `omniread_mcp`.

use super::handles::{Conversation, Handles};
use super::skills;
use super::tool_result::{resource_result, tool_result};
use crate::question::{Question, Unanswered};
use crate::seen::seen;
#[cfg(feature = "net")]
use omniread::network::Progress;
use omniread::{
    AfterReply, CancelToken, Dialect, Failure, Options, Reader, Reason, Reply, Session,
};
use omniread_mcp::{Form, Read, ReadError, ReadErrorKind, SkillRequest, skill_path};
use omniread_service::Seen;
use serde_json::{Map, Value, json};
use std::any::Any;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

/// A reader, with the dialect and the options of all reads.
#[derive(Clone, Debug)]
pub struct Client {
    pub reader: Reader,
    pub defaults: Arc<Defaults>,
    pub handles: Arc<Handles>,
}

impl Client {
    /// The same with another reader.
    fn with(&self, reader: Reader) -> Arc<dyn omniread_mcp::Reader> {
        Arc::new(Self {
            reader,
            ..self.clone()
        })
    }

    /// A session with the rights of this reader.
    fn of(&self, conversation: Arc<Conversation>) -> Arc<dyn omniread_mcp::Session> {
        Arc::new(ClientSession {
            session: conversation.session.with_reader(&self.reader),
            conversation,
            defaults: Arc::clone(&self.defaults),
            handles: Arc::clone(&self.handles),
        })
    }
}

/// The dialect and the options of all reads.
#[derive(Debug)]
pub struct Defaults {
    pub dialect: Dialect,
    pub options: Options,
    /// The options for resources: text without line numbers, as much as fits in a reply.
    resources: Options,
}

impl Defaults {
    pub fn new(dialect: Dialect, options: Options) -> Arc<Self> {
        Arc::new(Self {
            dialect,
            resources: Options {
                all: true,
                hashlines: false,
                numbers: false,
                outlines: false,
                margin: false,
                ..options.clone()
            },
            options,
        })
    }
}

impl omniread_mcp::Reader for Client {
    fn roots(&self) -> Vec<String> {
        self.reader.roots().map(str::to_owned).collect()
    }

    fn narrowed(&self, directories: &[PathBuf]) -> Arc<dyn omniread_mcp::Reader> {
        self.with(self.reader.narrowed(directories))
    }

    fn with_roots(&self, directories: &[PathBuf]) -> Arc<dyn omniread_mcp::Reader> {
        self.with(self.reader.with_roots(directories))
    }

    fn complete(&self, path: &str, most: usize) -> Vec<String> {
        self.reader.complete(path, most)
    }

    fn has_skills(&self) -> bool {
        self.reader.has_skills()
    }

    fn session(&self) -> Arc<dyn omniread_mcp::Session> {
        self.of(self.handles.connect())
    }

    fn new_session(&self, handle: &str) -> Result<Arc<dyn omniread_mcp::Session>, String> {
        Ok(self.of(self.handles.create(handle)?))
    }

    fn session_of(&self, handle: &str) -> Option<Arc<dyn omniread_mcp::Session>> {
        Some(self.of(self.handles.get(handle)?))
    }
}

/// The session of a client.
struct ClientSession {
    conversation: Arc<Conversation>,
    session: Session,
    defaults: Arc<Defaults>,
    handles: Arc<Handles>,
}

impl ClientSession {
    fn read(&self, what: What) -> Arc<dyn Read> {
        let token = CancelToken::new();
        let session = self.session.with_cancel(&token);
        // A later request may start another generation before this one is read.
        let session = if self.defaults.options.repeat {
            session.in_present_generation()
        } else {
            session
        };
        #[cfg(feature = "net")]
        let progress = session.has_network().then(Progress::new);
        #[cfg(feature = "net")]
        let session = match &progress {
            Some(progress) => session.with_progress(progress),
            None => session,
        };
        Arc::new(ClientRead {
            session,
            #[cfg(feature = "net")]
            progress,
            defaults: Arc::clone(&self.defaults),
            handles: Arc::clone(&self.handles),
            // The state of a connection ends with its last read.
            _conversation: Arc::clone(&self.conversation),
            token,
            what,
            seen: OnceLock::new(),
        })
    }
}

impl omniread_mcp::Session for ClientSession {
    fn call(&self, arguments: &str, form: Form) -> Arc<dyn Read> {
        self.read(What::Call {
            arguments: arguments.to_owned(),
            form,
        })
    }

    fn resource(&self, uri: &str) -> Arc<dyn Read> {
        self.read(What::Resource(uri.to_owned()))
    }

    fn set_generation(&self, name: &str) {
        self.conversation.set_generation(name);
    }

    fn ask(
        &self,
        name: &str,
        mut parameters: Map<String, Value>,
    ) -> Option<Result<Arc<dyn Read>, String>> {
        let question = Question::parse(name, &mut parameters)?;
        Some(question.map(|question| self.read(What::Question(question))))
    }

    fn skills(&self, request: SkillRequest) -> Arc<dyn Read> {
        self.read(What::Skills(request))
    }
}

/// A read for a client.
struct ClientRead {
    session: Session,
    defaults: Arc<Defaults>,
    handles: Arc<Handles>,
    _conversation: Arc<Conversation>,
    token: CancelToken,
    #[cfg(feature = "net")]
    progress: Option<Progress>,
    what: What,
    /// The kind of the content and the outcome.
    seen: OnceLock<Seen>,
}

enum What {
    /// The tool runs with these arguments.
    Call { arguments: String, form: Form },
    /// The resource with this URI is read.
    Resource(String),
    /// A question is answered.
    Question(Question),
    /// Skills are requested.
    Skills(SkillRequest),
}

/// The error of a failure of a read.
fn failed(failure: Failure, facts: Value) -> ReadError {
    ReadError {
        kind: match failure.reason {
            Reason::NotFound(_) => ReadErrorKind::NotFound,
            Reason::InvalidPath(_) | Reason::InvalidSelector(_) => ReadErrorKind::InvalidUri,
            _ => ReadErrorKind::Other,
        },
        facts,
        message: failure.message,
    }
}

impl ClientRead {
    /// Notes the outcome of a read, for the metrics.
    fn note(&self, outcome: &Result<Reply, Failure>) {
        let _ = self.seen.set(seen(outcome));
    }

    fn outcome(&self) -> Result<String, ReadError> {
        let Defaults {
            dialect,
            options,
            resources,
        } = &*self.defaults;
        match &self.what {
            What::Call { arguments, form } => {
                let call = |options| self.session.call(*dialect, arguments, options);
                let outcome = match form.text_bytes {
                    Some(bytes) if bytes < options.reply_bytes => call(&Options {
                        reply_bytes: bytes,
                        ..options.clone()
                    }),
                    _ => call(options),
                };
                self.note(&outcome);
                if let Ok(reply) = &outcome {
                    // It goes on after the reply was sent.
                    self.session.refresh(reply, options);
                }
                Ok(tool_result(&outcome, form.structured))
            }
            What::Skills(request) => skills::run(&self.session, request),
            What::Resource(uri) => {
                let skill = skill_path(uri);
                if let Some(file) = skill.and_then(|path| skills::file(&self.session, &path, uri)) {
                    return Ok(file);
                }
                // A client shows a resource to a person, or to a model at another time.
                let session = self.session.unseen();
                let outcome = session.read_as(uri, Dialect::Omp, resources);
                self.note(&outcome);
                let reply = outcome.map_err(|failure| {
                    let facts = json!({ "uri": uri, "error": failure.facts() });
                    failed(failure, facts)
                })?;
                Ok(resource_result(&reply, uri))
            }
            What::Question(question) => match question.answer(&self.session) {
                Ok(answer) => Ok(answer.to_string()),
                Err(Unanswered::Failure(failure)) => {
                    let facts = json!({ "error": failure.facts() });
                    Err(failed(*failure, facts))
                }
                Err(Unanswered::State(message)) => Err(ReadError {
                    kind: ReadErrorKind::Other,
                    facts: json!({}),
                    message,
                }),
            },
        }
    }
}

impl Read for ClientRead {
    fn seen(&self) -> Option<Seen> {
        self.seen.get().copied()
    }

    fn run(&self) -> Result<String, ReadError> {
        let outcome = self.outcome();
        self.handles.losses.report(&self.session);
        outcome
    }

    fn received(&self) -> Option<String> {
        #[cfg(feature = "net")]
        return Some(self.progress.as_ref()?.received()?.to_string());
        #[cfg(not(feature = "net"))]
        None
    }

    fn cancel(&self) {
        self.token.cancel();
    }

    fn put_off(&self) -> Box<dyn Any> {
        Box::new(AfterReply::new())
    }
}
