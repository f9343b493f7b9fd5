use crate::families;
use crate::grammar::{BlockWords, Keyword, Name, Nesting, Scope};
use crate::language::Language;
use crate::lexis::{Block, LexFeature, LexRules, Quote};

pub const JULIA: Language = Language {
    name: "Julia",
    extensions: &["jl"],
    interpreters: &["julia"],
    lex_rules: LexRules {
        line_comments: &["#"],
        block_comments: &[Block::nested("#=", "=#")],
        strings: &[
            Quote::new("\"\"\"", "\"\"\"").over_lines(),
            Quote::DOUBLE.over_lines().code("$("),
            Quote::new("```", "```").over_lines(),
            Quote::new("`", "`").over_lines(),
            Quote::CHARACTER,
        ],
        word: "@",
        last: "!",
        extras: &[LexFeature::Transposes],
        ..LexRules::BARE
    },
    nesting: Nesting::Ends(BlockWords {
        openers: &[
            "function",
            "macro",
            "struct",
            "module",
            "baremodule",
            "begin",
            "quote",
            "let",
            "try",
            "while",
        ],
        leading: &["if", "for", "abstract", "primitive"],
        loops: &[],
        after_head: &["do"],
        breaks: &["else", "elseif", "catch", "finally"],
        closers: &["end"],
        values: true,
        reserved: false,
    }),
    newlines: true,
    keywords: &[
        Keyword::function("function").named(Name::Call),
        Keyword::function("macro"),
        Keyword::of_type("struct").holding(Scope::Entries),
        Keyword::of_type("type"),
        Keyword::module("module"),
        Keyword::module("baremodule"),
        Keyword::value("const"),
    ],
    modifiers: &[
        "mutable",
        "abstract",
        "primitive",
        "@inline",
        "@noinline",
        "@generated",
        "@propagate_inbounds",
    ],
    family: &families::julia::JULIA,
    imports: &["using", "import", "include"],
    ..Language::NONE
};
