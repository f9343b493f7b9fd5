use crate::families;
use crate::grammar::{Keyword, Scope};
use crate::language::Language;
use crate::lexis::{Block, LexRules, Quote};

pub const JAVA: Language = Language {
    name: "Java",
    extensions: &["java"],
    lex_rules: LexRules {
        line_comments: &["//"],
        block_comments: &[Block::C],
        strings: &[
            Quote::new("\"\"\"", "\"\"\"").over_lines(),
            Quote::DOUBLE,
            Quote::SINGLE,
        ],
        ..LexRules::BARE
    },
    keywords: &[
        Keyword::of_type("class"),
        Keyword::of_type("interface"),
        Keyword::of_type("enum").holding(Scope::Cases),
        Keyword::of_type("record"),
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
    family: &families::c::JAVA,
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
