use crate::outline::grammar::{Calls, Ends, Form, Language, Name, Nesting};
use crate::outline::lexis::{Extra, Lexis, Quote};

pub const LUA: Language = Language {
    name: "Lua",
    extensions: &["lua", "luau", "rockspec", "nse", "wlua"],
    names: &[".luacheckrc"],
    interpreters: &["lua", "luajit", "texlua", "lua5"],
    lexis: Lexis {
        line_comments: &["--"],
        strings: &[Quote::DOUBLE, Quote::SINGLE],
        extras: &[Extra::LongBrackets],
        ..Lexis::BARE
    },
    nesting: Nesting::Ends(Ends {
        openers: &["function", "if", "repeat"],
        leading: &[],
        loops: &["while", "for"],
        behind: &["do"],
        breaks: &["then", "else", "elseif"],
        closers: &["end", "until"],
        values: false,
    }),
    newlines: true,
    forms: &[Form::function("function").named(Name::Qualified)],
    modifiers: &["local"],
    calls: Calls::Lua,
    ..Language::NONE
};
