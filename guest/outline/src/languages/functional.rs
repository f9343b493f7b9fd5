use crate::families;
use crate::grammar::{BlockWords, Keyword, Kind, Name, Nesting, Scope};
use crate::language::Language;
use crate::lexis::{Block, LexFeature, LexRules, Quote};

pub const HASKELL: Language = Language {
    name: "Haskell",
    extensions: &["hs", "lhs", "hsc", "hs-boot"],
    interpreters: &["runhaskell", "runghc", "stack"],
    lex_rules: LexRules {
        line_comments: &["--"],
        block_comments: &[Block::nested("{-", "-}")],
        strings: &[Quote::DOUBLE.over_lines(), Quote::CHARACTER],
        tails: "'",
        extras: &[LexFeature::Conditions],
        ..LexRules::BARE
    },
    nesting: Nesting::Columns,
    newlines: true,
    keywords: &[
        Keyword::of_type("data"),
        Keyword::of_type("newtype"),
        Keyword::of_type("type"),
        Keyword::of_type("class"),
        Keyword::module("instance"),
        Keyword::module("module"),
    ],
    family: &families::haskell::HASKELL,
    control: &[
        "deriving", "infix", "infixl", "infixr", "default", "foreign", "pattern",
    ],
    imports: &["import"],
    ..Language::NONE
};

pub const OCAML: Language = Language {
    name: "OCaml",
    extensions: &["ml", "mli", "mll", "mly", "eliom", "mlt"],
    interpreters: &["ocaml", "ocamlrun", "ocamlscript"],
    lex_rules: LexRules {
        block_comments: &[Block::nested("(*", "*)")],
        strings: &[
            Quote::DOUBLE.over_lines(),
            Quote::new("{|", "|}").raw().over_lines(),
            Quote::CHARACTER,
        ],
        tails: "'",
        extras: &[LexFeature::Conditions],
        ..LexRules::BARE
    },
    nesting: Nesting::Columns,
    newlines: true,
    keywords: &[
        Keyword::function("let"),
        Keyword::function("and"),
        Keyword::function("val"),
        Keyword::function("external"),
        Keyword::function("method"),
        Keyword::of_type("type"),
        Keyword::of_type("exception"),
        Keyword::of_type("class"),
        Keyword::module("module"),
        Keyword::value("end"),
        Keyword::value("open"),
        Keyword::value("include"),
        Keyword::value("inherit"),
        Keyword::value("initializer"),
        Keyword::value("constraint"),
    ],
    family: &families::ocaml::OCAML,
    imports: &["open"],
    ..Language::NONE
};

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
    ..Language::NONE
};

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

pub const R: Language = Language {
    name: "R",
    extensions: &["r", "rprofile"],
    names: &[".Rprofile"],
    interpreters: &["Rscript", "R", "littler"],
    lex_rules: LexRules {
        line_comments: &["#"],
        strings: &[
            Quote::DOUBLE.over_lines(),
            Quote::SINGLE.over_lines(),
            Quote::new("`", "`"),
        ],
        word: ".",
        extras: &[LexFeature::RawDelimiters],
        ..LexRules::BARE
    },
    newlines: true,
    family: &families::r::R,
    imports: &["library", "require", "source"],
    ..Language::NONE
};
