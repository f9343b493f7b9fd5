//! What a reply states about a response.

use super::exchange::Budget;
use super::head::Head;
use crate::limits;
use crate::units::thousands;

/// How the text of a reply was made from a response. The names are those of `Method:` in replies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// A feed that the page declares as its alternate.
    AlternateFeed,
    /// Markdown that the page declares as its alternate.
    AlternateMarkdown,
    /// A directory of an archive.
    Archive,
    /// Markdown that the server sent on request.
    ContentNegotiation,
    /// A database.
    Database,
    /// There is no content: an error of the server, or an empty body.
    Failed,
    /// A feed.
    Feed,
    /// The page as a handler of its site found it. Contains the name of the handler.
    Handler(&'static str),
    /// A web page.
    Html,
    /// An image.
    Image,
    /// JSON.
    Json,
    /// A document to which a page with little text links.
    LinkedDocument,
    /// The file `llms.txt` of the site.
    LlmsTxt,
    /// A document that was converted.
    Markit,
    /// The Markdown at the address of the page with `.md` after it.
    MdSuffix,
    /// The exact body.
    Raw,
    /// The exact body, which is HTML.
    RawHtml,
    /// Text.
    Text,
}

impl Method {
    /// The name in replies.
    pub fn name(self) -> &'static str {
        match self {
            Self::AlternateFeed => "alternate-feed",
            Self::AlternateMarkdown => "alternate-markdown",
            Self::Archive => "archive",
            Self::ContentNegotiation => "content-negotiation",
            Self::Database => "database",
            Self::Failed => "failed",
            Self::Feed => "feed",
            Self::Handler(name) => name,
            Self::Html => "html",
            Self::Image => "image",
            Self::Json => "json",
            Self::LinkedDocument => "linked-document",
            Self::LlmsTxt => "llms.txt",
            Self::Markit => "markit",
            Self::MdSuffix => "md-suffix",
            Self::Raw => "raw",
            Self::RawHtml => "raw-html",
            Self::Text => "text",
        }
    }
}

/// The facts about the response to a request for a web address.
#[derive(Clone, Debug)]
pub struct Facts {
    /// The requested URL, without its suffix.
    pub url: String,
    /// The URL of the response, after redirects.
    pub final_url: String,
    /// The URLs that were redirected, in order.
    pub redirects: Vec<String>,
    /// The status.
    pub status: u16,
    /// The value of `Content-Type`.
    pub content_type: Option<String>,
    /// The name of the file.
    pub name: String,
    /// The id of the section that the fragment of the address selects.
    pub fragment: Option<String>,
    /// Whether the path requests that no copy is used.
    pub is_fresh: bool,
    /// Whether the session has a copy of the whole body.
    pub is_kept: bool,
    /// The age in seconds of a copy that the session kept.
    pub age: Option<u64>,
    /// Whether the server has no content: an error, or an empty body.
    pub failed: bool,
    /// How the text was made. `None` before it is made.
    pub method: Option<Method>,
    /// What was done: redirects, the status, what else was tried.
    pub notes: Vec<String>,
    /// The requests that the read may still send.
    pub budget: Budget,
}

// The budget is not a fact about the content.
impl PartialEq for Facts {
    fn eq(&self, other: &Self) -> bool {
        self.final_url == other.final_url
            && self.status == other.status
            && self.method == other.method
            && self.notes == other.notes
    }
}

impl Eq for Facts {}

/// A status with its name: `404 Not Found`.
pub fn status(status: u16) -> String {
    let name = match status {
        204 => "No Content",
        304 => "Not Modified",
        400 => "Bad Request",
        401 => "Unauthorized",
        402 => "Payment Required",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        406 => "Not Acceptable",
        408 => "Request Timeout",
        410 => "Gone",
        416 => "Range Not Satisfiable",
        418 => "I'm a teapot",
        421 => "Misdirected Request",
        425 => "Too Early",
        429 => "Too Many Requests",
        451 => "Unavailable For Legal Reasons",
        500 => "Internal Server Error",
        501 => "Not Implemented",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        504 => "Gateway Timeout",
        _ => return status.to_string(),
    };
    format!("{status} {name}")
}

/// The note on a copy of the session, by its age in seconds. `None` if there is none.
pub fn copied(age: Option<u64>) -> Option<String> {
    Some(match age? {
        0 => "this is the copy that was just read; `:fresh` reads it again".to_owned(),
        seconds => format!(
            "this copy was read {} ago; `:fresh` reads it again",
            self::age(seconds)
        ),
    })
}

/// The note on the redirects of a response. `None` if there were none.
pub fn redirected(redirects: &[String]) -> Option<String> {
    let shown: Vec<&str> = redirects.iter().map(String::as_str).collect();
    (!shown.is_empty()).then(|| format!("redirected from {}", shown.join(" and ")))
}

/// The note on when to try again. Servers send seconds or a date (RFC 9110, 10.2.3). `None` for any
/// other value.
pub fn retry(value: &str) -> Option<String> {
    let is_date = value.len() < limits::HEADER_CHARS && value.ends_with(" GMT");
    match value.parse::<u64>() {
        Ok(1) => Some("the server asks to wait 1 second".to_owned()),
        Ok(seconds) => Some(format!("the server asks to wait {seconds} seconds")),
        Err(_) => is_date.then(|| format!("the server asks to wait until {value}")),
    }
}

/// What the server states about the content besides its type: its length in tokens, and for what it may be used.
pub fn stated(head: &Head) -> Vec<String> {
    let tokens = head.markdown_tokens.map(|count| match count {
        1 => "the server counts 1 token".to_owned(),
        _ => format!("the server counts {} tokens", thousands(count)),
    });
    let signal = head.content_signal.as_ref();
    let signal = signal.map(|signal| format!("Content-Signal: {signal}"));
    tokens.into_iter().chain(signal).collect()
}

/// An age in words: `3 minutes`.
pub fn age(seconds: u64) -> String {
    let (count, unit) = match seconds {
        0..60 => (seconds, "second"),
        60..3600 => (seconds / 60, "minute"),
        3600..86_400 => (seconds / 3600, "hour"),
        _ => (seconds / 86_400, "day"),
    };
    let many = if count == 1 { "" } else { "s" };
    format!("{count} {unit}{many}")
}
