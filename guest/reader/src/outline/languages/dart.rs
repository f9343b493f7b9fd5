use crate::outline::grammar::{Calls, Form, Habit, Language, Name, Place};
use crate::outline::lexis::{Block, Lexis, Quote};

pub const DART: Language = Language {
    name: "Dart",
    extensions: &["dart"],
    interpreters: &["dart"],
    lexis: Lexis {
        line_comments: &["//"],
        block_comments: &[Block::nested("/*", "*/")],
        strings: &[
            Quote::new("r\"\"\"", "\"\"\"").raw().over_lines(),
            Quote::new("r'''", "'''").raw().over_lines(),
            Quote::new("r\"", "\"").raw(),
            Quote::new("r'", "'").raw(),
            Quote::new("\"\"\"", "\"\"\"").over_lines().code("${"),
            Quote::new("'''", "'''").over_lines().code("${"),
            Quote::DOUBLE.code("${"),
            Quote::SINGLE.code("${"),
        ],
        word: "$",
        ..Lexis::BARE
    },
    forms: &[
        Form::of_type("class"),
        Form::of_type("mixin"),
        Form::of_type("enum").holding(Place::Cases),
        Form::of_type("extension").with_block(),
        Form::of_type("typedef").named(Name::Alias),
        Form::module("library").named(Name::Rest),
    ],
    modifiers: &[
        "static",
        "final",
        "abstract",
        "sealed",
        "base",
        "const",
        "external",
        "late",
        "covariant",
        "factory",
        "interface",
        "required",
    ],
    calls: Calls::Java,
    habits: &[Habit::LocalFunctions],
    control: &[
        "if", "for", "while", "switch", "return", "else", "do", "case", "catch", "try", "throw",
        "new", "assert", "super", "this", "finally", "yield", "await", "on", "import", "export",
        "part",
    ],
    imports: &["import", "export", "part", "library"],
    ..Language::NONE
};
