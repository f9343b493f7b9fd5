use super::html::HTML;
use crate::language::Language;

pub const VUE: Language = Language {
    name: "Vue",
    extensions: &["vue"],
    ..HTML
};
