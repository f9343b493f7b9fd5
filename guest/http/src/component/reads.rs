//! Reads, and their outcome as a response.

use super::response::{JSON, Response, TEXT};
use crate::accept::Form;
use crate::bindings::omniread::read::types::{
    Block, Dialect, Failure, GithubOptions, ImageOptions, Options, Reason, Reply,
};
use crate::bindings::omniread::read::{read, tools};
use crate::bindings::wasi::cli::environment;
use crate::json;
use crate::refused::Refused;
use crate::route::Settings;
use crate::text::{Part, text};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

/// The environment variable with the dialect of requests that name none.
const DIALECT: &str = "OMNIREAD_DIALECT";

/// The dialects and their names.
const DIALECTS: [(Dialect, &str); 7] = [
    (Dialect::Omp, "omp"),
    (Dialect::Gateway, "gateway"),
    (Dialect::Comma, "comma"),
    (Dialect::Gemini, "gemini"),
    (Dialect::Claude, "claude"),
    (Dialect::Opencode, "opencode"),
    (Dialect::Codex, "codex"),
];

/// The name of a dialect.
pub fn name(dialect: Dialect) -> &'static str {
    let named = DIALECTS.iter().find(|(known, _)| *known == dialect);
    named.map_or("omp", |(_, name)| name)
}

/// The dialect with a name.
///
/// # Errors
/// Fails if there is none, and names those that there are.
pub fn dialect(name: &str) -> Result<Dialect, Refused> {
    let named = DIALECTS.iter().find(|(_, known)| *known == name);
    named.map(|(dialect, _)| *dialect).ok_or_else(|| {
        let names: Vec<&str> = DIALECTS.iter().map(|(_, name)| *name).collect();
        let message = format!("there is no dialect `{name}`");
        Refused::new(
            404,
            "invalid_argument",
            message,
            format!("the dialects are {}", names.join(", ")),
        )
    })
}

/// What a request reads.
pub struct Read {
    input: Input,
    /// How it is read. `None` as the environment of the server states it.
    how: Option<(Dialect, Options)>,
    /// The fields of the query, for the address of the next page.
    settings: Settings,
}

enum Input {
    Path(String),
    Arguments(String),
}

impl Read {
    /// A read of a path.
    ///
    /// # Errors
    /// Fails if there is no such dialect or option, or a value is wrong.
    pub fn path(path: String, settings: Settings) -> Result<Self, Refused> {
        Self::new(Input::Path(path), settings)
    }

    /// A call of the tool of a dialect, with the JSON of its arguments.
    ///
    /// # Errors
    /// Fails as `path` does.
    pub fn call(arguments: String, settings: Settings) -> Result<Self, Refused> {
        Self::new(Input::Arguments(arguments), settings)
    }

    fn new(input: Input, settings: Settings) -> Result<Self, Refused> {
        let is_plain = settings.dialect.is_none() && settings.options.is_empty();
        let how = if is_plain {
            None
        } else {
            Some((settings.dialect()?, settings.all_options()?))
        };
        Ok(Self {
            input,
            how,
            settings,
        })
    }

    /// The path, if one is read.
    pub fn of_path(&self) -> Option<&str> {
        match &self.input {
            Input::Path(path) => Some(path),
            Input::Arguments(_) => None,
        }
    }

    /// The same read of another path.
    pub fn with_path(&self, path: String) -> Self {
        Self {
            input: Input::Path(path),
            how: self.how.clone(),
            settings: self.settings.clone(),
        }
    }

    /// Reads.
    pub fn reply(&self) -> Result<Reply, Failure> {
        match (&self.input, &self.how) {
            (Input::Path(path), None) => read::read(path),
            (Input::Path(path), Some((dialect, options))) => read::read_as(path, *dialect, options),
            (Input::Arguments(arguments), Some((dialect, options))) => {
                tools::call(*dialect, arguments, options)
            }
            // A call has a dialect.
            (Input::Arguments(arguments), None) => {
                tools::call(Dialect::Omp, arguments, &read::defaults()?)
            }
        }
    }

    /// The address of the next page of a path.
    fn next(&self, reply: &Reply) -> Option<String> {
        let next = reply.details.next.as_ref()?;
        self.of_path()?;
        let mut address = format!("/read?path={}", encoded(next));
        let dialect = self.settings.dialect.iter().map(|name| ("dialect", name));
        let options = self.settings.options.iter();
        let options = options.map(|(name, value)| (name.as_str(), value));
        for (name, value) in dialect.chain(options) {
            address.push_str(&format!("&{}={}", encoded(name), encoded(value)));
        }
        Some(format!("<{address}>; rel=\"next\""))
    }
}

fn encoded(text: &str) -> String {
    utf8_percent_encode(text, NON_ALPHANUMERIC).to_string()
}

impl Settings {
    fn dialect(&self) -> Result<Dialect, Refused> {
        if let Some(name) = &self.dialect {
            return dialect(name);
        }
        let variables = environment::get_environment();
        let configured = variables.iter().find(|(name, _)| name == DIALECT);
        configured.map_or(Ok(Dialect::Omp), |(_, name)| dialect(name))
    }

    /// The options of the server, with those of the request.
    fn all_options(&self) -> Result<Options, Refused> {
        let wrong = |message: String, hint: Option<String>| {
            let hint = hint.unwrap_or_else(|| "see the page about options".to_owned());
            Refused::new(400, "invalid_argument", message, hint)
        };
        let options = read::defaults().map_err(|failure| wrong(failure.message, failure.hint))?;
        let mut options = options_of(options);
        for (name, value) in &self.options {
            let set = options.set(name, value);
            set.map_err(|error| wrong(error.message, error.hint))?;
        }
        Ok(omniread_options::convert!(options => Options, ImageOptions, GithubOptions))
    }
}

/// The record of a component as options.
fn options_of(options: Options) -> omniread_options::Options {
    use omniread_options::{GitHubOptions, ImageOptions, Options};
    omniread_options::convert!(options => Options, ImageOptions, GitHubOptions)
}

/// Reads, and writes the reply or the failure in the form that the client accepts.
///
/// # Errors
/// Fails if the client asks for an image, and there is none.
pub fn outcome(read: &Read, form: Form) -> Result<Response, Refused> {
    let reply = match read.reply() {
        Ok(reply) => reply,
        Err(failure) => return Ok(failed(failure, form)),
    };
    let link = read.next(&reply).map(|next| ("link", next));
    let (kind, body) = match form {
        Form::Json => (JSON, json::reply(&reply).to_string().into_bytes()),
        Form::Image => image(&reply)?,
        Form::Text | Form::Events => (TEXT, plain(&reply).into_bytes()),
    };
    Ok(Response {
        status: 200,
        kind,
        headers: link.into_iter().collect(),
        body,
    })
}

/// The response with a failure.
fn failed(failure: Failure, form: Form) -> Response {
    let status = status(&failure.reason);
    let (kind, body) = match form {
        Form::Json => (JSON, json::failure(&failure).to_string()),
        Form::Text | Form::Events | Form::Image => (TEXT, failure.text),
    };
    Response {
        status,
        kind,
        headers: vec![("omniread-error", json::kind(&failure.reason).to_owned())],
        body: body.into_bytes(),
    }
}

/// The text of a reply.
fn plain(reply: &Reply) -> String {
    text(reply.blocks.iter().map(|block| match block {
        Block::Text(text) | Block::Notice(text) => Part::Text(text),
        Block::Image(media) | Block::Attachment(media) => Part::Media {
            mime: &media.mime,
            base64: &media.data,
        },
    }))
}

/// The types of images that are sent. All of them are images of pixels: a browser runs nothing in them.
const IMAGES: [&str; 4] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/// The type and the bytes of the first image of a reply.
fn image(reply: &Reply) -> Result<(&'static str, Vec<u8>), Refused> {
    let image = reply.blocks.iter().find_map(|block| match block {
        Block::Image(image) => {
            let kind = IMAGES.into_iter().find(|kind| *kind == image.mime)?;
            Some((kind, STANDARD.decode(&image.data).ok()?))
        }
        _ => None,
    });
    image.ok_or_else(|| {
        Refused::new(
            406,
            "invalid_request",
            "the reply has no image",
            "send `Accept: text/plain` or `application/json`",
        )
    })
}

/// The status for the reason of a failure.
fn status(reason: &Reason) -> u16 {
    match reason {
        Reason::NotFound(_) => 404,
        Reason::OutsideRoots(_)
        | Reason::LinkOutsideRoots(_)
        | Reason::Symlink(_)
        | Reason::Denied(_)
        | Reason::Ignored(_)
        | Reason::Permission(_) => 403,
        Reason::Query(_)
        | Reason::InvalidPath(_)
        | Reason::InvalidSelector(_)
        | Reason::InvalidArgument(_) => 400,
        Reason::SpecialFile(_)
        | Reason::Directory(_)
        | Reason::Binary(_)
        | Reason::Limit(_)
        | Reason::Unsupported(_) => 422,
        Reason::Network(_) => 502,
        Reason::Cancelled(_) => 503,
        Reason::Io(_) | Reason::Internal(_) => 500,
    }
}
