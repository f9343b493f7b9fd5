use crate::outline::grammar::{Form, Kind, Language, Name, Place};
use crate::outline::lexis::{Block, Extra, Lexis, Quote};

pub const RUST: Language = Language {
    name: "Rust",
    extensions: &["rs"],
    lexis: Lexis {
        line_comments: &["//"],
        block_comments: &[Block::nested("/*", "*/")],
        strings: &[Quote::DOUBLE.over_lines(), Quote::CHARACTER],
        extras: &[Extra::RawHashes],
        ..Lexis::BARE
    },
    forms: &[
        Form::function("fn"),
        Form::of_type("struct"),
        Form::of_type("enum").holding(Place::Entries),
        Form::of_type("union").with_block(),
        Form::of_type("trait"),
        Form::of_type("type").holding(Place::Entries),
        Form::module("mod").holding(Place::File),
        Form::module("impl").named(Name::Rest).with_block(),
        Form::function("macro_rules").named(Name::Macro),
        Form::value("const"),
        Form::value("static"),
        Form {
            kind: Kind::Function,
            ..Form::of_type("macro")
        },
    ],
    modifiers: &["pub", "async", "unsafe", "extern", "default", "crate"],
    imports: &["use", "extern crate"],
    ..Language::NONE
};
