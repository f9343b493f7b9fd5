//! What a conversion to Markdown leaves out, and how it writes links.

use crate::dom::Marks;

/// The nodes that are left out of the Markdown, and how links are written.
#[derive(Clone, Copy)]
pub struct Settings<'a> {
    /// Nodes that are left out: hidden elements, and those that are not main text.
    pub dropped: &'a Marks,
    /// The URL to which links are relative. `None` if links stay as they are.
    pub base: Option<&'a str>,
    /// The addresses in a part of a package. `None` for a page.
    pub addresses: Option<&'a dyn Addresses>,
    /// Whether controls of a page, such as menus of choices, are left out.
    pub is_main: bool,
    /// Whether the nodes are those of a frame whose markup is in an attribute.
    pub in_frame: bool,
}

/// The meaning of addresses in a part of a package, such as a chapter of a book. Each address is as
/// it is in the markup.
pub trait Addresses {
    /// The address of a link that is shown. `None` if the link is shown as its text.
    fn link(&self, address: &str) -> Option<String>;

    /// The address of an image that is shown. `None` if there is no such image.
    fn image(&self, address: &str) -> Option<String>;

    /// The id to which a link leads if it leads to the same part.
    fn local_id<'t>(&self, address: &'t str) -> Option<&'t str>;
}

impl Settings<'_> {
    /// The id to which a link leads in the document itself.
    pub fn local_id<'t>(&self, address: &'t str) -> Option<&'t str> {
        match self.addresses {
            Some(addresses) => addresses.local_id(address),
            None => address.strip_prefix('#'),
        }
    }
}
