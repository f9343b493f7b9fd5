use crate::outline::grammar::{Calls, Ends, Form, Kind, Language, Name, Nesting, Place};
use crate::outline::lexis::{Block, Extra, Lexis, Quote};

pub const HASKELL: Language = Language {
    name: "Haskell",
    extensions: &["hs", "lhs", "hsc", "hs-boot"],
    interpreters: &["runhaskell", "runghc", "stack"],
    lexis: Lexis {
        line_comments: &["--"],
        block_comments: &[Block::nested("{-", "-}")],
        strings: &[Quote::DOUBLE.over_lines(), Quote::CHARACTER],
        tails: "'",
        extras: &[Extra::Conditions],
        ..Lexis::BARE
    },
    nesting: Nesting::Columns,
    newlines: true,
    forms: &[
        Form::of_type("data"),
        Form::of_type("newtype"),
        Form::of_type("type"),
        Form::of_type("class"),
        Form::module("instance"),
        Form::module("module"),
    ],
    calls: Calls::Haskell,
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
    lexis: Lexis {
        block_comments: &[Block::nested("(*", "*)")],
        strings: &[
            Quote::DOUBLE.over_lines(),
            Quote::new("{|", "|}").raw().over_lines(),
            Quote::CHARACTER,
        ],
        tails: "'",
        extras: &[Extra::Conditions],
        ..Lexis::BARE
    },
    nesting: Nesting::Columns,
    newlines: true,
    forms: &[
        Form::function("let"),
        Form::function("and"),
        Form::function("val"),
        Form::function("external"),
        Form::function("method"),
        Form::of_type("type"),
        Form::of_type("exception"),
        Form::of_type("class"),
        Form::module("module"),
        Form::value("end"),
        Form::value("open"),
        Form::value("include"),
        Form::value("inherit"),
        Form::value("initializer"),
        Form::value("constraint"),
    ],
    calls: Calls::Ocaml,
    imports: &["open"],
    ..Language::NONE
};

pub const ELIXIR: Language = Language {
    name: "Elixir",
    extensions: &["ex", "exs", "eex", "heex", "leex"],
    names: &["mix.lock"],
    interpreters: &["elixir", "iex"],
    lexis: Lexis {
        line_comments: &["#"],
        strings: &[
            Quote::new("\"\"\"", "\"\"\"").over_lines(),
            Quote::new("'''", "'''").over_lines(),
            Quote::DOUBLE.over_lines().code("#{"),
            Quote::SINGLE.over_lines(),
        ],
        last: "?!",
        extras: &[Extra::Sigils],
        ..Lexis::BARE
    },
    nesting: Nesting::Ends(Ends {
        openers: &["fn"],
        leading: &[],
        loops: &[],
        behind: &["do"],
        breaks: &["else", "rescue", "catch", "after"],
        closers: &["end"],
        values: false,
    }),
    newlines: true,
    forms: &[
        Form::function("def").named(Name::Symbol),
        Form::function("defp").named(Name::Symbol),
        Form::function("defmacro").named(Name::Symbol),
        Form::function("defmacrop").named(Name::Symbol),
        Form::function("defguard").named(Name::Symbol),
        Form::function("defguardp").named(Name::Symbol),
        Form::function("defdelegate").named(Name::Symbol),
        Form::function("defn").named(Name::Symbol),
        Form::function("test").named(Name::Text),
        Form::module("describe").named(Name::Text),
        Form::of_type("defexception"),
        Form::of_type("defrecord"),
        Form::of_type("defrecordp"),
        Form::of_type("type"),
        Form::of_type("typep"),
        Form::of_type("opaque"),
        Form::module("defmodule").named(Name::Qualified),
        Form::module("defprotocol").named(Name::Qualified),
        Form::module("defimpl").named(Name::Rest),
    ],
    calls: Calls::Elixir,
    imports: &["import", "alias", "require", "use"],
    ..Language::NONE
};

pub const JULIA: Language = Language {
    name: "Julia",
    extensions: &["jl"],
    interpreters: &["julia"],
    lexis: Lexis {
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
        ..Lexis::BARE
    },
    nesting: Nesting::Ends(Ends {
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
        behind: &["do"],
        breaks: &["else", "elseif", "catch", "finally"],
        closers: &["end"],
        values: true,
    }),
    newlines: true,
    forms: &[
        Form::function("function").named(Name::Call),
        Form::function("macro"),
        Form::of_type("struct").holding(Place::Entries),
        Form::of_type("type"),
        Form::module("module"),
        Form::module("baremodule"),
        Form::value("const"),
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
    calls: Calls::Julia,
    imports: &["using", "import", "include"],
    ..Language::NONE
};

pub const CLOJURE: Language = Language {
    name: "Clojure",
    extensions: &["clj", "cljs", "cljc", "cljd", "edn", "bb"],
    interpreters: &["bb", "clojure", "clj"],
    lexis: Lexis {
        line_comments: &[";"],
        strings: &[Quote::DOUBLE.over_lines()],
        word: "-+*/.!?<>=$&%|:'",
        tails: "#",
        extras: &[Extra::BackslashCharacters],
        ..Lexis::BARE
    },
    nesting: Nesting::Parentheses,
    forms: &[
        Form::function("defn"),
        Form::function("defn-"),
        Form::function("defmacro"),
        Form::function("defmulti"),
        Form::function("defmethod"),
        Form::function("deftest"),
        Form::function("definline"),
        Form::function("defspec"),
        Form::of_type("defprotocol"),
        Form::of_type("defrecord"),
        Form::of_type("deftype"),
        Form::of_type("definterface"),
        Form {
            kind: Kind::Value,
            ..Form::of_type("def")
        },
        Form::value("defonce"),
        Form::value("defstruct"),
        Form::module("ns"),
    ],
    ..Language::NONE
};

pub const R: Language = Language {
    name: "R",
    extensions: &["r", "rprofile"],
    names: &[".Rprofile"],
    interpreters: &["Rscript", "R", "littler"],
    lexis: Lexis {
        line_comments: &["#"],
        strings: &[
            Quote::DOUBLE.over_lines(),
            Quote::SINGLE.over_lines(),
            Quote::new("`", "`"),
        ],
        word: ".",
        extras: &[Extra::RawDelimiters],
        ..Lexis::BARE
    },
    newlines: true,
    calls: Calls::Arrow,
    imports: &["library", "require", "source"],
    ..Language::NONE
};
