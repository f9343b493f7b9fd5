use crate::families;
use crate::language::Language;
use crate::lexis::{Block, LexFeature, LexRules, Quote};

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
