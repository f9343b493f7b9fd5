use crate::grammar::{Keyword, Name, Scope};
use crate::language::{Language, Quirk, Quirks};
use crate::lexis::{Block, LexFeature, LexRules, Quote};

pub const SCALA: Language = Language {
    name: "Scala",
    extensions: &["scala", "sc", "sbt"],
    interpreters: &["scala", "amm", "scala-cli"],
    lex_rules: LexRules {
        line_comments: &["//"],
        block_comments: &[Block::nested("/*", "*/")],
        strings: &[
            Quote::new("\"\"\"", "\"\"\"").raw().over_lines().code("${"),
            Quote::DOUBLE.code("${"),
            Quote::CHARACTER,
        ],
        word: "$",
        extras: &[LexFeature::BackquotedWords],
        ..LexRules::BARE
    },
    newlines: true,
    keywords: &[
        Keyword::function("def").named(Name::Symbol),
        Keyword::of_type("class"),
        Keyword::of_type("trait"),
        Keyword::of_type("object"),
        Keyword::of_type("enum"),
        Keyword::of_type("type").holding(Scope::Entries),
        Keyword::module("package").named(Name::Rest),
        Keyword::module("extension").named(Name::Rest).with_block(),
        Keyword::value("given").holding(Scope::Members),
        Keyword::value("val").holding(Scope::Members),
        Keyword::value("var").holding(Scope::Members),
    ],
    modifiers: &[
        "private",
        "protected",
        "final",
        "sealed",
        "abstract",
        "override",
        "implicit",
        "lazy",
        "case",
        "inline",
        "open",
        "transparent",
        "opaque",
        "infix",
    ],
    quirks: Quirks::of(&[Quirk::IndentedBlocks]),
    imports: &["import", "export"],
    ..Language::NONE
};
