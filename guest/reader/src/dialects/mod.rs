//! How an agent asks and how an answer looks. A dialect never reads.

mod arguments;
mod claude;
mod notices;
mod omp;

pub use notices::notes;

use crate::answer::{Answer, Body};
use crate::failure::Failure;
use crate::world::World;
use crate::{Request, read};
use omniread_options::Options;

/// One part of a reply, in the order in which a model should see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// Text.
    Text(String),
    /// What was left out of the exact text before it.
    Notice(String),
}

/// A tool as a runtime registers it with a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The name of the tool.
    pub name: &'static str,
    /// What it does, for the model.
    pub description: &'static str,
    /// The JSON Schema of its arguments.
    pub schema: &'static str,
}

/// The form in which an agent asks and is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Tool `read`: hashline text with paging notices.
    Omp,
    /// Tool `Read`: text numbered as `cat -n` does.
    Claude,
}

/// What a dialect consists of.
trait Form {
    /// The tool to register.
    fn definition(&self) -> Definition;

    /// What a bare path asks for.
    fn by_path(&self, path: &str, options: &Options) -> Request;

    /// What the arguments of a call ask for.
    fn by_arguments(&self, arguments: &str, options: &Options) -> Result<Request, Failure>;

    /// An answer in words, or as the failure that it is in this dialect.
    fn reply(
        &self,
        request: &Request,
        answer: &Answer,
        options: &Options,
    ) -> Result<Vec<Block>, Failure>;

    /// A failure in words.
    fn failure(&self, failure: &Failure) -> String {
        failure.to_string()
    }
}

/// A read that succeeded, in words and as data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// What a model should see.
    pub blocks: Vec<Block>,
    /// What they were made of.
    pub answer: Answer,
}

impl Reply {
    /// Whether the text is exact.
    pub fn raw(&self) -> bool {
        matches!(&self.answer.body, Body::Text(text) if text.window.selector.raw)
    }
}

/// A read that failed, for programs and in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Why.
    pub failure: Failure,
    /// What a model should see.
    pub text: String,
}

impl Dialect {
    /// All of them.
    pub const ALL: &[Self] = &[Self::Omp, Self::Claude];

    /// Its name on command lines and in the environment.
    pub fn name(self) -> &'static str {
        match self {
            Self::Omp => "omp",
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

    /// The tool to register.
    pub fn definition(self) -> Definition {
        self.form().definition()
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
        self.run(Ok(self.form().by_path(path, options)), options, world)
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
        self.run(self.form().by_arguments(arguments, options), options, world)
    }

    fn run(
        self,
        request: Result<Request, Failure>,
        options: &Options,
        world: &mut dyn World,
    ) -> Result<Reply, Refused> {
        let form = self.form();
        let outcome = request.and_then(|request| {
            let answer = read(&request, world)?;
            let blocks = form.reply(&request, &answer, options)?;
            Ok(Reply { blocks, answer })
        });
        outcome.map_err(|failure| self.refuse(failure))
    }

    /// A failure as this dialect words it.
    pub fn refuse(self, failure: Failure) -> Refused {
        Refused {
            text: self.form().failure(&failure),
            failure,
        }
    }

    fn form(self) -> &'static dyn Form {
        match self {
            Self::Omp => &omp::Omp,
            Self::Claude => &claude::Claude,
        }
    }
}
