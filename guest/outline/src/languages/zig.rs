use crate::families;
use crate::grammar::Keyword;
use crate::language::Language;
use crate::lexis::{LexFeature, LexRules, Quote};

pub const ZIG: Language = Language {
    name: "Zig",
    extensions: &["zig", "zon"],
    lex_rules: LexRules {
        line_comments: &["//"],
        strings: &[Quote::new("@\"", "\""), Quote::DOUBLE, Quote::SINGLE],
        extras: &[LexFeature::Multiline],
        ..LexRules::BARE
    },
    keywords: &[
        Keyword::function("fn"),
        Keyword::function("test").with_block(),
        Keyword::value("const"),
        Keyword::value("var"),
    ],
    modifiers: &[
        "pub",
        "export",
        "extern",
        "inline",
        "noinline",
        "threadlocal",
        "comptime",
    ],
    family: &families::zig::ZIG,
    ..Language::NONE
};
