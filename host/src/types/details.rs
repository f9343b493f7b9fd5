//! Facts about a reply, as data.

use super::document::DocumentDetails;
use super::failure::Failure;
use super::listing::{ArchiveDetails, DatabaseDetails, DirectoryDetails};
use super::media::{AttachmentDetails, ImageDetails};
use super::text::TextDetails;
use super::window::Window;
use serde::Serialize;
use wasmtime::component::{ComponentType, Lift};

/// Facts about a reply, as data.
#[derive(Clone, Debug, PartialEq, Eq, ComponentType, Lift)]
#[component(record)]
#[non_exhaustive]
pub struct Details {
    /// The kind of the content that was read.
    pub kind: Kind,
    /// The path without the selector. It is relative to the first root, or absolute if it is
    /// outside that root. It is in the escape form if a name in it requires that.
    pub path: String,
    /// The absolute path without the selector.
    #[component(name = "resolved-path")]
    pub resolved_path: String,
    /// The path, with a selector, to read the rest of the requested content. `None` if all of it
    /// was shown. The rest consists of the rest of the lines that were cut, and then of the lines
    /// or rows after the last shown one. The path is absolute if the requested path is.
    pub next: Option<String>,
    /// The size in bytes of the file or archive member as it is stored: the number of bytes that
    /// were hashed or, without a hash, the size that is stated for it.
    pub size: Option<u64>,
    /// Time of the last change, in milliseconds since 1970.
    pub modified: Option<u64>,
    /// The lines that were shown, and facts about the whole text. `None` if the content does not
    /// consist of lines.
    pub window: Option<Window>,
    /// Facts about the source: its encoding, damage, a repaired path.
    pub notes: Vec<String>,
    /// The repair of the requested path. `None` if the path was not repaired.
    #[component(name = "suffix-resolution")]
    pub suffix_resolution: Option<Resolution>,
    /// The SHA-256 of the bytes on disk, as 64 hex digits, if the dialect requests it.
    pub sha256: Option<String>,
    /// The response of the server. `None` if the path is not a web address.
    pub web: Option<Web>,
    /// The path of the earlier read with the same reply, if the reply only names it: see the option
    /// `repeat`.
    pub repeats: Option<String>,
    /// A path whose read requests again what this reply shows from an old copy, for
    /// [`Session::refresh`](crate::Session::refresh). `None` for most replies.
    pub refresh: Option<String>,
    /// The tokens that all images of the reply cost a language model, as an estimate: see
    /// [`ImageDetails::tokens`](super::ImageDetails::tokens).
    #[component(name = "image-tokens")]
    pub image_tokens: u64,
    /// The facts about each path of a list of paths, such as `a.rs:10-20; b.rs`, in order. Empty if one
    /// path was read. `path` is then the list as it was requested, `resolved_path` is empty, `next` is
    /// the list that reads the rest of all parts, and the other facts are those of the parts. Used by
    /// `omp`.
    pub parts: Vec<Part>,
}

/// A path of a list of paths. If it could not be read, it has a failure and no kind.
#[derive(Clone, Debug, PartialEq, Eq, ComponentType, Lift)]
#[component(record)]
#[non_exhaustive]
pub struct Part {
    /// The path as it was requested.
    pub path: String,
    /// The kind of the content that was read.
    pub kind: Option<Kind>,
    /// The absolute path without the selector.
    #[component(name = "resolved-path")]
    pub resolved_path: Option<String>,
    /// The path, with a selector, to read the rest of the requested content.
    pub next: Option<String>,
    /// The size in bytes, as in [`Details::size`].
    pub size: Option<u64>,
    /// Time of the last change, in milliseconds since 1970.
    pub modified: Option<u64>,
    /// The lines that were shown, as in [`Details::window`].
    pub window: Option<Window>,
    /// Facts about the source.
    pub notes: Vec<String>,
    /// The repair of the path.
    #[component(name = "suffix-resolution")]
    pub suffix_resolution: Option<Resolution>,
    /// The response of the server.
    pub web: Option<Web>,
    /// The path of the earlier read with the same reply, as in [`Details::repeats`].
    pub repeats: Option<String>,
    /// The failure of the read.
    pub failure: Option<Failure>,
}

/// The kind of the content that was read, with details of that kind.
#[derive(Clone, Debug, PartialEq, Eq, ComponentType, Lift, Serialize)]
#[component(variant)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Kind {
    /// Text, in any encoding.
    #[component(name = "text")]
    Text(TextDetails),
    /// A directory, shown as a listing.
    #[component(name = "directory")]
    Directory(DirectoryDetails),
    /// An archive or a directory in it, shown as a listing.
    #[component(name = "archive")]
    Archive(ArchiveDetails),
    /// A SQLite database or a part of it.
    #[component(name = "database")]
    Database(DatabaseDetails),
    /// A document that was converted to text, such as a Jupyter notebook.
    #[component(name = "document")]
    Document(DocumentDetails),
    /// An image.
    #[component(name = "image")]
    Image(ImageDetails),
    /// A file that is passed to the model unchanged, such as a PDF.
    #[component(name = "attachment")]
    Attachment(AttachmentDetails),
    /// A file that is neither text nor in a format that the reader can show.
    #[component(name = "binary")]
    Binary(BinaryDetails),
    /// Several paths: [`Details::parts`] has the facts about each.
    #[component(name = "several")]
    Several,
}

/// The repair of a path that does not exist.
#[derive(Clone, Debug, PartialEq, Eq, ComponentType, Lift, Serialize)]
#[component(record)]
#[non_exhaustive]
pub struct Resolution {
    /// The requested path.
    pub from: String,
    /// The path that was read instead.
    pub to: String,
}

/// How the text of a response was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ComponentType, Lift, Serialize)]
#[component(enum)]
#[repr(u8)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Method {
    /// A feed that the page declares as its alternate.
    #[component(name = "alternate-feed")]
    AlternateFeed,
    /// Markdown that the page declares as its alternate.
    #[component(name = "alternate-markdown")]
    AlternateMarkdown,
    /// A directory of an archive.
    #[component(name = "archive")]
    Archive,
    /// Markdown that the server sent on request.
    #[component(name = "content-negotiation")]
    ContentNegotiation,
    /// A database.
    #[component(name = "database")]
    Database,
    /// There is no content: an error of the server, or an empty body.
    #[component(name = "failed")]
    Failed,
    /// A feed.
    #[component(name = "feed")]
    Feed,
    /// The page as a handler of its site wrote it. [`Web::handler`] names the handler.
    #[component(name = "handler")]
    Handler,
    /// A web page.
    #[component(name = "html")]
    Html,
    /// An image.
    #[component(name = "image")]
    Image,
    /// JSON.
    #[component(name = "json")]
    Json,
    /// A document to which a page with little text links.
    #[component(name = "linked-document")]
    LinkedDocument,
    /// The file `llms.txt` of the site.
    #[component(name = "llms-txt")]
    #[serde(rename = "llms.txt")]
    LlmsTxt,
    /// A document that was converted.
    #[component(name = "markit")]
    Markit,
    /// The Markdown at the address of the page with `.md` after it.
    #[component(name = "md-suffix")]
    MdSuffix,
    /// The exact body.
    #[component(name = "raw")]
    Raw,
    /// The exact body, which is HTML.
    #[component(name = "raw-html")]
    RawHtml,
    /// Text.
    #[component(name = "text")]
    Text,
}

/// The response to a request for a web address.
#[derive(Clone, Debug, PartialEq, Eq, ComponentType, Lift, Serialize)]
#[component(record)]
#[non_exhaustive]
pub struct Web {
    /// The requested address, without a selector.
    pub url: String,
    /// The address of the response, after redirects.
    #[component(name = "final-url")]
    pub final_url: String,
    /// The addresses that were redirected, in order: the first is the requested one. Empty if there
    /// was no redirect.
    pub redirects: Vec<String>,
    /// The status of the response: 200, 404.
    pub status: u16,
    /// The value of `Content-Type`. `None` if the server sent none.
    #[component(name = "content-type")]
    pub content_type: Option<String>,
    /// How the text was made.
    pub method: Method,
    /// The handler of the site that found the content, such as `github`. `None` for any other method.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub handler: Option<String>,
    /// The age in seconds, if it is a copy that the session kept.
    pub age: Option<u64>,
    /// What was done and tried: redirects, the status, other forms of the page.
    pub notes: Vec<String>,
}

/// Details of a file that is neither text nor in a format that the reader can show.
#[derive(Clone, Debug, PartialEq, Eq, ComponentType, Lift, Serialize)]
#[component(record)]
#[non_exhaustive]
pub struct BinaryDetails {
    /// The format, detected from the first bytes, such as `PNG image`.
    pub format: String,
}

impl Kind {
    /// Returns the name of the kind as it is written in JSON, such as `text`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Text(_) => "text",
            Self::Directory(_) => "directory",
            Self::Archive(_) => "archive",
            Self::Database(_) => "database",
            Self::Document(_) => "document",
            Self::Image(_) => "image",
            Self::Attachment(_) => "attachment",
            Self::Binary(_) => "binary",
            Self::Several => "several",
        }
    }
}

impl Details {
    /// Returns the details of the text, if the reply is text or a document.
    pub fn text(&self) -> Option<&TextDetails> {
        match &self.kind {
            Kind::Text(text) => Some(text),
            Kind::Document(document) => Some(&document.text),
            _ => None,
        }
    }

    /// Returns the details of the database, if a database was read.
    pub fn database(&self) -> Option<&DatabaseDetails> {
        match &self.kind {
            Kind::Database(database) => Some(database),
            _ => None,
        }
    }

    /// Returns the details of the document, if a document was read.
    pub fn document(&self) -> Option<&DocumentDetails> {
        match &self.kind {
            Kind::Document(document) => Some(document),
            _ => None,
        }
    }

    /// Returns the details of the image, if an image was read.
    pub fn image(&self) -> Option<&ImageDetails> {
        match &self.kind {
            Kind::Image(image) => Some(image),
            _ => None,
        }
    }

    /// Returns the number of entries that deny rules removed from the listing of a directory or
    /// archive. The number is 0 for other replies.
    pub fn denied_entries(&self) -> u64 {
        match &self.kind {
            Kind::Directory(directory) => directory.denied_entries,
            Kind::Archive(archive) => archive.denied_entries,
            _ => 0,
        }
    }
}
