use crate::families;
use crate::language::Language;
use crate::lexis::{LexFeature, LexRules, Quote};

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
