use crate::families;
use crate::grammar::{Keyword, Kind, Name, Scope};
use crate::language::Language;
use crate::lexis::{Block, LexFeature, LexRules, Quote};

pub const RUST: Language = Language {
    name: "Rust",
    extensions: &["rs"],
    lex_rules: LexRules {
        line_comments: &["//"],
        block_comments: &[Block::nested("/*", "*/")],
        strings: &[Quote::DOUBLE.over_lines(), Quote::CHARACTER],
        extras: &[LexFeature::RawHashes],
        ..LexRules::BARE
    },
    keywords: &[
        Keyword::function("fn"),
        Keyword::of_type("struct"),
        Keyword::of_type("enum").holding(Scope::Entries),
        Keyword::of_type("union").with_block(),
        Keyword::of_type("trait"),
        Keyword::of_type("type").holding(Scope::Entries),
        Keyword::module("mod").holding(Scope::File),
        Keyword::module("impl").named(Name::Rest).with_block(),
        Keyword::function("macro_rules").named(Name::Macro),
        Keyword::value("const"),
        Keyword::value("static"),
        Keyword {
            kind: Kind::Function,
            ..Keyword::of_type("macro")
        },
    ],
    modifiers: &["pub", "async", "unsafe", "extern", "default", "crate"],
    imports: &["use", "extern crate"],
    family: &families::rust::RUST,
    members_of: Some(families::rust::implemented),
    ..Language::NONE
};
