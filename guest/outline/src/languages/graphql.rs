use crate::families;
use crate::grammar::{Keyword, Name};
use crate::language::Language;
use crate::lexis::{LexRules, Quote};

pub const GRAPHQL: Language = Language {
    name: "GraphQL",
    extensions: &["graphql", "gql", "graphqls"],
    lex_rules: LexRules {
        line_comments: &["#"],
        strings: &[Quote::new("\"\"\"", "\"\"\"").over_lines(), Quote::DOUBLE],
        ..LexRules::BARE
    },
    newlines: true,
    keywords: &[
        Keyword::of_type("type"),
        Keyword::of_type("interface"),
        Keyword::of_type("union"),
        Keyword::of_type("enum"),
        Keyword::of_type("input"),
        Keyword::of_type("scalar"),
        Keyword::function("directive").named(Name::At),
        Keyword::function("query").with_block(),
        Keyword::function("mutation").with_block(),
        Keyword::function("subscription").with_block(),
        Keyword::function("fragment").with_block(),
    ],
    modifiers: &["extend"],
    family: &families::graphql::GRAPHQL,
    ..Language::NONE
};
