use crate::grammar::Nesting;
use crate::language::Language;
use crate::lexis::LexRules;

pub const HTML: Language = Language {
    name: "HTML",
    extensions: &["html", "htm", "xhtml", "shtml"],
    lex_rules: LexRules::BARE,
    nesting: Nesting::Markup,
    ..Language::NONE
};
