use crate::outline::grammar::{Form, Language, Name, Place};
use crate::outline::lexis::{Block, Extra, Lexis, Quote};

pub const PHP: Language = Language {
    name: "PHP",
    extensions: &["php", "phtml", "php3", "php4", "php5", "phps", "phpt"],
    interpreters: &["php"],
    lexis: Lexis {
        line_comments: &["//", "#"],
        block_comments: &[Block::C],
        strings: &[
            Quote::DOUBLE.over_lines().code("{$"),
            Quote::SINGLE.over_lines(),
            Quote::new("`", "`").over_lines(),
        ],
        word: "$",
        extras: &[Extra::PhpHeredocs, Extra::PhpTags],
        ..Lexis::BARE
    },
    caseless: true,
    forms: &[
        Form::function("function"),
        Form::of_type("class").with_block(),
        Form::of_type("interface").with_block(),
        Form::of_type("trait").with_block(),
        Form::of_type("enum").with_block(),
        Form::module("namespace")
            .named(Name::Rest)
            .holding(Place::File),
        Form::value("const"),
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
    ..Language::NONE
};
