use crate::families;
use crate::grammar::{Keyword, Scope};
use crate::language::Language;
use crate::lexis::{Block, LexFeature, LexRules, Quote};

pub const CSS: Language = Language {
    name: "CSS",
    extensions: &["css", "scss", "less", "pcss", "postcss", "wxss"],
    lex_rules: LexRules {
        line_comments: &["//"],
        block_comments: &[Block::C],
        strings: &[Quote::DOUBLE, Quote::SINGLE],
        word: "-",
        extras: &[LexFeature::Spaced],
        ..LexRules::BARE
    },
    keywords: &[
        Keyword::function("mixin"),
        Keyword::function("function").holding(Scope::Members),
    ],
    family: &families::css::CSS,
    ..Language::NONE
};
