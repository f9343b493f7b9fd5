use crate::outline::grammar::{Calls, Form, Language, Name, Place};
use crate::outline::lexis::{Block, Lexis, Quote};

pub const GO: Language = Language {
    name: "Go",
    extensions: &["go"],
    lexis: Lexis {
        line_comments: &["//"],
        block_comments: &[Block::C],
        strings: &[
            Quote::DOUBLE,
            Quote::new("`", "`").raw().over_lines(),
            Quote::SINGLE,
        ],
        ..Lexis::BARE
    },
    newlines: true,
    forms: &[
        Form::function("func").named(Name::Call),
        Form::of_type("type"),
        Form::value("const").holding(Place::Code),
        Form::value("var").holding(Place::Code),
    ],
    calls: Calls::Go,
    imports: &["import", "package"],
    ..Language::NONE
};
