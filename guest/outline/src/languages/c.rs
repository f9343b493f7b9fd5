use crate::families;
use crate::grammar::{Keyword, Name, Scope};
use crate::language::Language;
use crate::lexis::{Block, LexFeature, LexRules, Quote};

pub const C: Language = Language {
    name: "C",
    extensions: &["c"],
    lex_rules: LexRules {
        line_comments: &["//"],
        block_comments: &[Block::C],
        strings: &[Quote::DOUBLE, Quote::SINGLE],
        tails: "$",
        extras: &[LexFeature::Preprocessor],
        ..LexRules::BARE
    },
    keywords: &[
        Keyword::of_type("struct").named(Name::Tag),
        Keyword::of_type("union").named(Name::Tag),
        Keyword::of_type("enum")
            .named(Name::Tag)
            .holding(Scope::Entries),
        Keyword::of_type("typedef").named(Name::Typedef),
    ],
    modifiers: &[
        "static",
        "extern",
        "const",
        "volatile",
        "inline",
        "__inline",
        "__extension__",
        "register",
    ],
    family: &families::c::C,
    control: &[
        "if",
        "for",
        "while",
        "switch",
        "return",
        "else",
        "do",
        "case",
        "sizeof",
        "goto",
        "default",
        "typedef",
        "static_assert",
        "_Static_assert",
        "defined",
    ],
    ..Language::NONE
};

pub const CPP: Language = Language {
    name: "C++",
    extensions: &[
        "cc", "cpp", "cxx", "c++", "h", "hh", "hpp", "hxx", "h++", "ipp", "tcc", "inl", "cu",
        "cuh", "ino",
    ],
    modes: &["cpp"],
    lex_rules: LexRules {
        extras: &[LexFeature::Preprocessor, LexFeature::RawDelimiters],
        ..C.lex_rules
    },
    keywords: &[
        Keyword::of_type("struct").named(Name::Tag),
        Keyword::of_type("union").named(Name::Tag),
        Keyword::of_type("class").named(Name::Tag),
        Keyword::of_type("enum")
            .named(Name::Tag)
            .holding(Scope::Entries),
        Keyword::of_type("typedef").named(Name::Typedef),
        Keyword::of_type("using").named(Name::Alias),
        Keyword::of_type("concept").holding(Scope::Entries),
        Keyword::module("namespace")
            .named(Name::Rest)
            .with_block()
            .holding(Scope::File),
    ],
    modifiers: &[
        "static",
        "extern",
        "const",
        "volatile",
        "inline",
        "__inline",
        "__extension__",
        "register",
        "template",
        "public",
        "protected",
        "private",
        "virtual",
        "explicit",
        "friend",
        "constexpr",
        "consteval",
        "constinit",
        "mutable",
        "export",
        "typename",
        "signals",
        "slots",
    ],
    control: &[
        "if",
        "for",
        "while",
        "switch",
        "return",
        "else",
        "do",
        "case",
        "sizeof",
        "goto",
        "default",
        "typedef",
        "catch",
        "try",
        "using",
        "new",
        "delete",
        "static_assert",
        "_Static_assert",
        "defined",
    ],
    ..C
};
