//! The trait of handlers.

use crate::service::{Fault, Service};
use url::Url;

/// One site.
pub trait Handler: Sync {
    /// The name in `Method:`, in lower case, such as `github`.
    fn name(&self) -> &'static str;

    /// Finds a better form of the page at a URL of http or https. `None` if the URL is not one of this site that
    /// the handler knows: it is read as any other page. No request is sent for such a URL.
    ///
    /// # Errors
    /// Fails if the service does not answer as it documents. The page itself is read then, and the failure is a
    /// note.
    fn read(&self, url: &Url, service: &mut dyn Service) -> Option<Result<Found, Fault>>;
}

/// What a handler found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// The content of the page as Markdown.
    Page(Page),
    /// The content of the page is the content of another URL: a file, which may be text, an image, a document or
    /// an archive.
    File {
        /// The URL. It may have the fragment of the page, such as `#L10-L20`.
        url: Url,
        /// What `Accept` requests there, if the type decides what is sent.
        accept: &'static str,
        /// What the reader should know besides the content.
        notes: Vec<String>,
    },
}

/// A page that a handler wrote.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// The text, in Markdown, with a newline at its end.
    pub markdown: String,
    /// What is left out, and the URL or path that shows it.
    pub notes: Vec<String>,
}
