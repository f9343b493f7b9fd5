use crate::outline::grammar::{Language, Nesting};
use crate::outline::lexis::{Extra, Lexis};

pub const HTML: Language = Language {
    name: "HTML",
    extensions: &["html", "htm", "xhtml", "shtml"],
    lexis: Lexis::BARE,
    nesting: Nesting::Markup,
    ..Language::NONE
};

pub const VUE: Language = Language {
    name: "Vue",
    extensions: &["vue"],
    ..HTML
};

pub const SVELTE: Language = Language {
    name: "Svelte",
    extensions: &["svelte", "astro"],
    lexis: Lexis {
        extras: &[Extra::Snippets],
        ..Lexis::BARE
    },
    ..HTML
};
