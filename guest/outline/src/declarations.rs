//! A text in any language → its declarations.

use crate::grammar::Nesting;
use crate::item::Parsed;
use crate::language::Language;
use crate::markup;
use crate::parse::parse as code;

/// Returns the declarations of a text.
pub fn parse(text: &str, language: &'static Language) -> Parsed {
    if matches!(language.nesting, Nesting::Markup) {
        markup::parse(text, language)
    } else {
        code(text, language)
    }
}
