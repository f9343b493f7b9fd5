use super::c;
use crate::grammar::{Keyword, Name, Scope};
use crate::language::{Language, Quirk, Quirks};
use crate::lexis::{LexFeature, LexRules};

pub const OBJECTIVE_C: Language = Language {
    name: "Objective-C",
    extensions: &["m", "mm"],
    lex_rules: LexRules {
        extras: &[LexFeature::Preprocessor, LexFeature::RawDelimiters],
        ..c::C.lex_rules
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
        Keyword::module("namespace")
            .named(Name::Rest)
            .with_block()
            .holding(Scope::File),
        Keyword::of_type("interface"),
        Keyword::of_type("implementation"),
        Keyword::of_type("protocol"),
    ],
    quirks: Quirks::of(&[Quirk::Messages]),
    ..c::CPP
};
