use crate::families;
use crate::grammar::{Keyword, Name, Scope};
use crate::language::Language;
use crate::lexis::{Block, LexRules, Quote};

pub const GO: Language = Language {
    name: "Go",
    extensions: &["go"],
    lex_rules: LexRules {
        line_comments: &["//"],
        block_comments: &[Block::C],
        strings: &[
            Quote::DOUBLE,
            Quote::new("`", "`").raw().over_lines(),
            Quote::SINGLE,
        ],
        ..LexRules::BARE
    },
    newlines: true,
    keywords: &[
        Keyword::function("func").named(Name::Call),
        Keyword::of_type("type"),
        Keyword::value("const").holding(Scope::Code),
        Keyword::value("var").holding(Scope::Code),
    ],
    family: &families::go::GO,
    imports: &["import", "package"],
    receiver: Some(families::go::receiver),
    ..Language::NONE
};
