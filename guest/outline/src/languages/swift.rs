use crate::families;
use crate::grammar::{Keyword, Name, Scope};
use crate::language::Language;
use crate::lexis::{Block, LexFeature, LexRules, Quote};

pub const SWIFT: Language = Language {
    name: "Swift",
    extensions: &["swift", "swiftinterface"],
    interpreters: &["swift"],
    lex_rules: LexRules {
        line_comments: &["//"],
        block_comments: &[Block::nested("/*", "*/")],
        strings: &[
            Quote::new("\"\"\"", "\"\"\"").over_lines().code("\\("),
            Quote::DOUBLE.code("\\("),
        ],
        extras: &[
            LexFeature::Hashes,
            LexFeature::Conditions,
            LexFeature::BackquotedWords,
        ],
        ..LexRules::BARE
    },
    newlines: true,
    keywords: &[
        Keyword::function("func").named(Name::Symbol),
        Keyword::of_type("class"),
        Keyword::of_type("struct"),
        Keyword::of_type("enum"),
        Keyword::of_type("protocol"),
        Keyword::of_type("actor").with_block(),
        Keyword::of_type("typealias").holding(Scope::Entries),
        Keyword::of_type("associatedtype"),
        Keyword::module("extension").named(Name::Rest).with_block(),
        Keyword::function("init").named(Name::KeywordCall),
        Keyword::function("deinit")
            .named(Name::Keyword)
            .with_block(),
        Keyword::function("subscript").named(Name::KeywordCall),
        Keyword::function("macro"),
        Keyword::value("let").holding(Scope::Code),
        Keyword::value("var").holding(Scope::Code),
    ],
    modifiers: &[
        "public",
        "private",
        "fileprivate",
        "internal",
        "open",
        "package",
        "static",
        "final",
        "override",
        "mutating",
        "nonmutating",
        "lazy",
        "weak",
        "unowned",
        "required",
        "convenience",
        "optional",
        "dynamic",
        "indirect",
        "prefix",
        "postfix",
        "infix",
        "async",
        "nonisolated",
        "isolated",
        "distributed",
        "consuming",
        "borrowing",
    ],
    control: &[
        "if", "for", "while", "switch", "return", "guard", "catch", "repeat", "do",
    ],
    imports: &["import"],
    members_of: Some(families::swift::extended),
    ..Language::NONE
};
