use crate::grammar::Nesting;
use crate::language::Language;
use crate::lexis::{LexFeature, LexRules};

pub const HTML: Language = Language {
    name: "HTML",
    extensions: &["html", "htm", "xhtml", "shtml"],
    lex_rules: LexRules::BARE,
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
    lex_rules: LexRules {
        extras: &[LexFeature::Snippets],
        ..LexRules::BARE
    },
    ..HTML
};
