use super::c;
use crate::families;
use crate::grammar::{AtBlocks, Keyword, Name, Scope};
use crate::language::{Language, Sign};
use crate::lexis::{LexFeature, LexRules};
use crate::limits;
use memchr::memmem;

pub const OBJECTIVE_C: Language = Language {
    name: "Objective-C",
    extensions: &["m", "mm"],
    modes: &["objc"],
    // Files of MATLAB have the extension too.
    doubtful: &[Sign {
        extension: "m",
        holds: |text| has_objects(text) || contains(text, &["#include", "@autoreleasepool"]),
    }],
    claimed: &[Sign {
        extension: "h",
        holds: has_objects,
    }],
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
    at_blocks: Some(&AtBlocks {
        openers: &["interface", "implementation", "protocol"],
        sections: &[
            "optional",
            "required",
            "public",
            "private",
            "protected",
            "package",
        ],
        closer: "end",
    }),
    family: &families::objc::OBJC,
    ..c::CPP
};

/// Whether a text contains a directive of Objective-C.
fn has_objects(text: &str) -> bool {
    let signs = [
        "@interface",
        "@implementation",
        "@protocol",
        "#import",
        "@end",
        "@class",
    ];
    contains(text, &signs)
}

/// Whether the start of a text contains one of these signs.
fn contains(text: &str, signs: &[&str]) -> bool {
    let start = text.get(..limits::LANGUAGE_BYTES).unwrap_or(text);
    let contains = |sign: &&str| memmem::find(start.as_bytes(), sign.as_bytes()).is_some();
    signs.iter().any(contains)
}
