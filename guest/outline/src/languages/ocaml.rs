use crate::families;
use crate::grammar::{Keyword, Nesting};
use crate::language::Language;
use crate::lexis::{Block, LexFeature, LexRules, Quote};

pub const OCAML: Language = Language {
    name: "OCaml",
    extensions: &["ml", "mli", "mll", "mly", "eliom", "mlt"],
    interpreters: &["ocaml", "ocamlrun", "ocamlscript"],
    modes: &["tuareg", "caml"],
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
