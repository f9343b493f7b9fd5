use super::html::HTML;
use crate::language::Language;
use crate::lexis::{LexFeature, LexRules};

pub const SVELTE: Language = Language {
    name: "Svelte",
    extensions: &["svelte", "astro"],
    lex_rules: LexRules {
        extras: &[LexFeature::Snippets],
        ..LexRules::BARE
    },
    ..HTML
};
