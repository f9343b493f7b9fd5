//! A content stream while its operators are executed.

use crate::fonts::Loaded;
use crate::page::FontId;
use hayro_syntax::page::Resources;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A font, and its number on the page.
#[derive(Clone, Debug)]
pub struct PageFont {
    /// The number.
    pub id: FontId,
    /// The font.
    pub loaded: Rc<Loaded>,
}

/// A content stream while its operators are executed: that of a page, of a form or of an annotation.
pub struct Frame<'r, 'a> {
    /// The fonts, images and other objects that its operators name.
    pub resources: &'r Resources<'a>,
    /// The number of the object of the form.
    pub stream: u32,
    /// The number of saved states that belong to the streams around it.
    pub base: usize,
    /// The fonts that its operators have named.
    pub fonts: BTreeMap<Vec<u8>, PageFont>,
}
