use crate::grammar::{Keyword, Kind, Nesting};
use crate::language::Language;
use crate::lexis::{LexFeature, LexRules, Quote};

pub const CLOJURE: Language = Language {
    name: "Clojure",
    extensions: &["clj", "cljs", "cljc", "cljd", "edn", "bb"],
    interpreters: &["bb", "clojure", "clj"],
    lex_rules: LexRules {
        line_comments: &[";"],
        strings: &[Quote::DOUBLE.over_lines()],
        word: "-+*/.!?<>=$&%|:'",
        tails: "#",
        extras: &[LexFeature::BackslashCharacters],
        ..LexRules::BARE
    },
    nesting: Nesting::Parentheses,
    keywords: &[
        Keyword::function("defn"),
        Keyword::function("defn-"),
        Keyword::function("defmacro"),
        Keyword::function("defmulti"),
        Keyword::function("defmethod"),
        Keyword::function("deftest"),
        Keyword::function("definline"),
        Keyword::function("defspec"),
        Keyword::of_type("defprotocol"),
        Keyword::of_type("defrecord"),
        Keyword::of_type("deftype"),
        Keyword::of_type("definterface"),
        Keyword {
            kind: Kind::Value,
            ..Keyword::of_type("def")
        },
        Keyword::value("defonce"),
        Keyword::value("defstruct"),
        Keyword::module("ns"),
    ],
    ..Language::NONE
};
