//! Items of the manifest.

/// An item of the manifest that is a chapter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Item {
    /// The name of the part.
    pub part: String,
    /// The MIME type.
    pub media_type: String,
    /// Whether the item belongs to the text that is read from start to end.
    pub linear: bool,
}

impl Item {
    /// Returns whether the item is text with markup.
    pub fn is_page(&self) -> bool {
        let kind = self.media_type.as_str();
        let is_named = || {
            let extension = extension(&self.part).to_ascii_lowercase();
            matches!(extension.as_str(), "xhtml" | "html" | "htm" | "xml")
        };
        kind.contains("html")
            || kind.contains("dtbook")
            || kind.contains("oeb1-document")
            || (kind.is_empty() || kind.starts_with("text/") || kind.contains("xml")) && is_named()
    }

    /// Returns whether the item is an image.
    pub fn is_image(&self) -> bool {
        self.media_type.starts_with("image/")
    }
}

/// Returns the extension of the name of a part.
pub fn extension(name: &str) -> &str {
    let file = name.rsplit_once('/').map_or(name, |(_, file)| file);
    file.rsplit_once('.').map_or("", |(_, extension)| extension)
}
