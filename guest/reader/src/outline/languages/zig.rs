use crate::outline::grammar::{Calls, Form, Language};
use crate::outline::lexis::{Extra, Lexis, Quote};

pub const ZIG: Language = Language {
    name: "Zig",
    extensions: &["zig", "zon"],
    lexis: Lexis {
        line_comments: &["//"],
        strings: &[Quote::new("@\"", "\""), Quote::DOUBLE, Quote::SINGLE],
        extras: &[Extra::Multiline],
        ..Lexis::BARE
    },
    forms: &[
        Form::function("fn"),
        Form::function("test").with_block(),
        Form::value("const"),
        Form::value("var"),
    ],
    modifiers: &[
        "pub",
        "export",
        "extern",
        "inline",
        "noinline",
        "threadlocal",
        "comptime",
    ],
    calls: Calls::Zig,
    ..Language::NONE
};
