use crate::families;
use crate::grammar::{Keyword, Nesting};
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
