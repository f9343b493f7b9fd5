use crate::outline::grammar::{Form, Language, Name, Place};
use crate::outline::lexis::{Block, Extra, Lexis, Quote};

pub const SCALA: Language = Language {
    name: "Scala",
    extensions: &["scala", "sc", "sbt"],
    interpreters: &["scala", "amm", "scala-cli"],
    lexis: Lexis {
        line_comments: &["//"],
        block_comments: &[Block::nested("/*", "*/")],
        strings: &[
            Quote::new("\"\"\"", "\"\"\"").raw().over_lines().code("${"),
            Quote::DOUBLE.code("${"),
            Quote::CHARACTER,
        ],
        word: "$",
        extras: &[Extra::BackquotedWords],
        ..Lexis::BARE
    },
    newlines: true,
    forms: &[
        Form::function("def").named(Name::Symbol),
        Form::of_type("class"),
        Form::of_type("trait"),
        Form::of_type("object"),
        Form::of_type("enum"),
        Form::of_type("type").holding(Place::Entries),
        Form::module("package").named(Name::Rest),
        Form::module("extension").named(Name::Rest).with_block(),
        Form::value("given").holding(Place::Members),
        Form::value("val").holding(Place::Members),
        Form::value("var").holding(Place::Members),
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
    imports: &["import", "export"],
    ..Language::NONE
};
