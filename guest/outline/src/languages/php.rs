use crate::grammar::{Keyword, Name, Scope};
use crate::language::Language;
use crate::lexis::{Block, LexFeature, LexRules, Quote};

pub const PHP: Language = Language {
    name: "PHP",
    extensions: &["php", "phtml", "php3", "php4", "php5", "phps", "phpt"],
    interpreters: &["php"],
    lex_rules: LexRules {
        line_comments: &["//", "#"],
        block_comments: &[Block::C],
        strings: &[
            Quote::DOUBLE.over_lines().code("{$"),
            Quote::SINGLE.over_lines(),
            Quote::new("`", "`").over_lines(),
        ],
        word: "$",
        extras: &[LexFeature::PhpHeredocs, LexFeature::PhpTags],
        ..LexRules::BARE
    },
    case_insensitive: true,
    keywords: &[
        Keyword::function("function"),
        Keyword::of_type("class").with_block(),
        Keyword::of_type("interface").with_block(),
        Keyword::of_type("trait").with_block(),
        Keyword::of_type("enum").with_block(),
        Keyword::module("namespace")
            .named(Name::Rest)
            .holding(Scope::File),
        Keyword::value("const"),
    ],
    modifiers: &[
        "public",
        "protected",
        "private",
        "static",
        "final",
        "abstract",
        "readonly",
        "var",
    ],
    imports: &["use", "require", "require_once", "include", "include_once"],
    scopes_until_next: true,
    ..Language::NONE
};
