use crate::families;
use crate::grammar::{Keyword, Name, Scope};
use crate::language::{Language, Quirk, Quirks};
use crate::lexis::{Block, LexRules, Quote};

pub const DART: Language = Language {
    name: "Dart",
    extensions: &["dart"],
    interpreters: &["dart"],
    lex_rules: LexRules {
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
        ..LexRules::BARE
    },
    keywords: &[
        Keyword::of_type("class"),
        Keyword::of_type("mixin"),
        Keyword::of_type("enum").holding(Scope::Cases),
        Keyword::of_type("extension").with_block(),
        Keyword::of_type("typedef").named(Name::Alias),
        Keyword::module("library").named(Name::Rest),
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
    family: &families::c::JAVA,
    quirks: Quirks::of(&[Quirk::LocalFunctions]),
    control: &[
        "if", "for", "while", "switch", "return", "else", "do", "case", "catch", "try", "throw",
        "new", "assert", "super", "this", "finally", "yield", "await", "on", "import", "export",
        "part",
    ],
    imports: &["import", "export", "part", "library"],
    ..Language::NONE
};
