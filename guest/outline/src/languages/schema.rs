use crate::families;
use crate::grammar::{Keyword, Name, Scope};
use crate::language::Language;
use crate::lexis::{Block, LexFeature, LexRules, Quote};

pub const PROTOBUF: Language = Language {
    name: "Protobuf",
    extensions: &["proto"],
    keywords: &[
        Keyword::of_type("message").with_block(),
        Keyword::of_type("enum").with_block(),
        Keyword::of_type("service").with_block(),
        Keyword::function("rpc"),
        Keyword::value("oneof").with_block(),
        Keyword::module("extend")
            .named(Name::Qualified)
            .with_block(),
        Keyword::module("package").named(Name::Qualified),
    ],
    imports: &["import", "syntax", "edition"],
    ..Language::NONE
};

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

pub const HCL: Language = Language {
    name: "HCL",
    extensions: &["tf", "hcl", "tfvars", "nomad", "tofu"],
    lex_rules: LexRules {
        line_comments: &["#", "//"],
        block_comments: &[Block::C],
        strings: &[Quote::DOUBLE.code("${")],
        word: "-",
        extras: &[LexFeature::Heredocs],
        ..LexRules::BARE
    },
    newlines: true,
    family: &families::hcl::HCL,
    ..Language::NONE
};

pub const CSS: Language = Language {
    name: "CSS",
    extensions: &["css", "scss", "less", "pcss", "postcss", "wxss"],
    lex_rules: LexRules {
        line_comments: &["//"],
        block_comments: &[Block::C],
        strings: &[Quote::DOUBLE, Quote::SINGLE],
        word: "-",
        extras: &[LexFeature::Spaced],
        ..LexRules::BARE
    },
    keywords: &[
        Keyword::function("mixin"),
        Keyword::function("function").holding(Scope::Members),
    ],
    family: &families::css::CSS,
    ..Language::NONE
};
