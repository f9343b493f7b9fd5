use crate::outline::grammar::{Calls, Form, Language, Name, Place};
use crate::outline::lexis::{Block, Extra, Lexis, Quote};

pub const PROTOBUF: Language = Language {
    name: "Protobuf",
    extensions: &["proto"],
    forms: &[
        Form::of_type("message").with_block(),
        Form::of_type("enum").with_block(),
        Form::of_type("service").with_block(),
        Form::function("rpc"),
        Form::value("oneof").with_block(),
        Form::module("extend").named(Name::Qualified).with_block(),
        Form::module("package").named(Name::Qualified),
    ],
    imports: &["import", "syntax", "edition"],
    ..Language::NONE
};

pub const GRAPHQL: Language = Language {
    name: "GraphQL",
    extensions: &["graphql", "gql", "graphqls"],
    lexis: Lexis {
        line_comments: &["#"],
        strings: &[Quote::new("\"\"\"", "\"\"\"").over_lines(), Quote::DOUBLE],
        ..Lexis::BARE
    },
    newlines: true,
    forms: &[
        Form::of_type("type"),
        Form::of_type("interface"),
        Form::of_type("union"),
        Form::of_type("enum"),
        Form::of_type("input"),
        Form::of_type("scalar"),
        Form::function("directive").named(Name::At),
        Form::function("query").with_block(),
        Form::function("mutation").with_block(),
        Form::function("subscription").with_block(),
        Form::function("fragment").with_block(),
    ],
    modifiers: &["extend"],
    calls: Calls::Graphql,
    ..Language::NONE
};

pub const HCL: Language = Language {
    name: "HCL",
    extensions: &["tf", "hcl", "tfvars", "nomad", "tofu"],
    lexis: Lexis {
        line_comments: &["#", "//"],
        block_comments: &[Block::C],
        strings: &[Quote::DOUBLE.code("${")],
        word: "-",
        extras: &[Extra::Heredocs],
        ..Lexis::BARE
    },
    newlines: true,
    calls: Calls::Blocks,
    ..Language::NONE
};

pub const CSS: Language = Language {
    name: "CSS",
    extensions: &["css", "scss", "less", "pcss", "postcss", "wxss"],
    lexis: Lexis {
        line_comments: &["//"],
        block_comments: &[Block::C],
        strings: &[Quote::DOUBLE, Quote::SINGLE],
        word: "-",
        extras: &[Extra::Spaced],
        ..Lexis::BARE
    },
    forms: &[
        Form::function("mixin"),
        Form::function("function").holding(Place::Members),
    ],
    calls: Calls::Rules,
    ..Language::NONE
};
