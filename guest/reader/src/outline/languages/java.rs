use crate::outline::grammar::{Calls, Form, Language, Place};
use crate::outline::lexis::{Block, Lexis, Quote};

pub const JAVA: Language = Language {
    name: "Java",
    extensions: &["java"],
    lexis: Lexis {
        line_comments: &["//"],
        block_comments: &[Block::C],
        strings: &[
            Quote::new("\"\"\"", "\"\"\"").over_lines(),
            Quote::DOUBLE,
            Quote::SINGLE,
        ],
        ..Lexis::BARE
    },
    forms: &[
        Form::of_type("class"),
        Form::of_type("interface"),
        Form::of_type("enum").holding(Place::Cases),
        Form::of_type("record"),
    ],
    modifiers: &[
        "public",
        "protected",
        "private",
        "static",
        "final",
        "abstract",
        "sealed",
        "non",
        "strictfp",
        "default",
        "synchronized",
        "native",
        "transient",
        "volatile",
    ],
    calls: Calls::Java,
    control: CONTROL,
    imports: &["import", "package"],
    ..Language::NONE
};

pub const CONTROL: &[&str] = &[
    "if",
    "for",
    "while",
    "switch",
    "return",
    "else",
    "do",
    "case",
    "catch",
    "try",
    "throw",
    "new",
    "synchronized",
    "assert",
    "super",
    "this",
    "finally",
    "yield",
];
