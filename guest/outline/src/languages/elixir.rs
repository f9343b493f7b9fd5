use crate::families;
use crate::grammar::{BlockWords, Keyword, Name, Nesting};
use crate::language::Language;
use crate::lexis::{LexFeature, LexRules, Quote};

pub const ELIXIR: Language = Language {
    name: "Elixir",
    extensions: &["ex", "exs", "eex", "heex", "leex"],
    names: &["mix.lock"],
    interpreters: &["elixir", "iex"],
    lex_rules: LexRules {
        line_comments: &["#"],
        strings: &[
            Quote::new("\"\"\"", "\"\"\"").over_lines(),
            Quote::new("'''", "'''").over_lines(),
            Quote::DOUBLE.over_lines().code("#{"),
            Quote::SINGLE.over_lines(),
        ],
        last: "?!",
        extras: &[LexFeature::Sigils],
        ..LexRules::BARE
    },
    nesting: Nesting::Ends(BlockWords {
        openers: &["fn"],
        leading: &[],
        loops: &[],
        after_head: &["do"],
        breaks: &["else", "rescue", "catch", "after"],
        closers: &["end"],
        values: false,
        reserved: false,
    }),
    newlines: true,
    keywords: &[
        Keyword::function("def").named(Name::Symbol),
        Keyword::function("defp").named(Name::Symbol),
        Keyword::function("defmacro").named(Name::Symbol),
        Keyword::function("defmacrop").named(Name::Symbol),
        Keyword::function("defguard").named(Name::Symbol),
        Keyword::function("defguardp").named(Name::Symbol),
        Keyword::function("defdelegate").named(Name::Symbol),
        Keyword::function("defn").named(Name::Symbol),
        Keyword::function("test").named(Name::Text),
        Keyword::module("describe").named(Name::Text),
        Keyword::of_type("defexception"),
        Keyword::of_type("defrecord"),
        Keyword::of_type("defrecordp"),
        Keyword::of_type("type").after_at(),
        Keyword::of_type("typep").after_at(),
        Keyword::of_type("opaque").after_at(),
        Keyword::module("defmodule").named(Name::Qualified),
        Keyword::module("defprotocol").named(Name::Qualified),
        Keyword::module("defimpl").named(Name::Rest),
    ],
    family: &families::elixir::ELIXIR,
    imports: &["import", "alias", "require", "use"],
    decorators: &[
        "doc",
        "spec",
        "impl",
        "deprecated",
        "since",
        "typedoc",
        "dialyzer",
        "tag",
    ],
    ..Language::NONE
};
