use crate::families;
use crate::grammar::{BlockWords, Keyword, Name, Nesting};
use crate::language::Language;
use crate::lexis::{LexFeature, LexRules, Quote};

pub const LUA: Language = Language {
    name: "Lua",
    extensions: &["lua", "luau", "rockspec", "nse", "wlua"],
    names: &[".luacheckrc"],
    interpreters: &["lua", "luajit", "texlua", "lua5"],
    lex_rules: LexRules {
        line_comments: &["--"],
        strings: &[Quote::DOUBLE, Quote::SINGLE],
        extras: &[LexFeature::LongBrackets],
        ..LexRules::BARE
    },
    nesting: Nesting::Ends(BlockWords {
        openers: &["function", "if", "repeat"],
        leading: &[],
        loops: &["while", "for"],
        after_head: &["do"],
        breaks: &["then", "else", "elseif"],
        closers: &["end", "until"],
        values: false,
        reserved: true,
    }),
    newlines: true,
    keywords: &[Keyword::function("function").named(Name::Qualified)],
    modifiers: &["local"],
    family: &families::lua::LUA,
    ..Language::NONE
};
