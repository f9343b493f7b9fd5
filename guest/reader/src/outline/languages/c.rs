use crate::outline::grammar::{Calls, Form, Language, Name, Place};
use crate::outline::lexis::{Block, Extra, Lexis, Quote};

pub const C: Language = Language {
    name: "C",
    extensions: &["c"],
    lexis: Lexis {
        line_comments: &["//"],
        block_comments: &[Block::C],
        strings: &[Quote::DOUBLE, Quote::SINGLE],
        tails: "$",
        extras: &[Extra::Preprocessor],
        ..Lexis::BARE
    },
    forms: &[
        Form::of_type("struct").named(Name::Tag),
        Form::of_type("union").named(Name::Tag),
        Form::of_type("enum")
            .named(Name::Tag)
            .holding(Place::Entries),
        Form::of_type("typedef").named(Name::Typedef),
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
    calls: Calls::C,
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
    ..Language::NONE
};

pub const CPP: Language = Language {
    name: "C++",
    extensions: &[
        "cc", "cpp", "cxx", "c++", "h", "hh", "hpp", "hxx", "h++", "ipp", "tcc", "inl", "cu",
        "cuh", "ino",
    ],
    lexis: Lexis {
        extras: &[Extra::Preprocessor, Extra::RawDelimiters],
        ..C.lexis
    },
    forms: &[
        Form::of_type("struct").named(Name::Tag),
        Form::of_type("union").named(Name::Tag),
        Form::of_type("class").named(Name::Tag),
        Form::of_type("enum")
            .named(Name::Tag)
            .holding(Place::Entries),
        Form::of_type("typedef").named(Name::Typedef),
        Form::of_type("using").named(Name::Alias),
        Form::of_type("concept").holding(Place::Entries),
        Form::module("namespace")
            .named(Name::Rest)
            .with_block()
            .holding(Place::File),
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
    ..C
};
