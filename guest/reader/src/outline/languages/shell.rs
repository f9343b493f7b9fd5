use crate::outline::grammar::{Calls, Form, Language};
use crate::outline::lexis::{Extra, Lexis, Quote};

pub const SHELL: Language = Language {
    name: "Shell",
    extensions: &[
        "sh",
        "bash",
        "zsh",
        "ksh",
        "dash",
        "ash",
        "bats",
        "ebuild",
        "eclass",
        "zsh-theme",
    ],
    names: &[
        ".bashrc",
        ".bash_profile",
        ".bash_aliases",
        ".bash_logout",
        ".profile",
        ".zshrc",
        ".zshenv",
        ".zprofile",
        ".kshrc",
        "PKGBUILD",
        "APKBUILD",
        "configure",
    ],
    interpreters: &[
        "sh", "bash", "zsh", "ksh", "dash", "ash", "mksh", "bats", "busybox",
    ],
    lexis: Lexis {
        line_comments: &["#"],
        strings: &[
            Quote::new("${", "}").over_lines().code("${"),
            Quote::new("$'", "'").over_lines(),
            Quote::DOUBLE.over_lines().code("$("),
            Quote::SINGLE.raw().over_lines(),
        ],
        word: "$-.:+@%/",
        extras: &[Extra::Heredocs, Extra::Spaced],
        ..Lexis::BARE
    },
    newlines: true,
    forms: &[Form::function("function")],
    modifiers: &["then", "do", "else", "time", "||", "&&"],
    calls: Calls::Shell,
    control: &["if", "while", "for", "case", "until", "elif", "select"],
    imports: &["source", "."],
    ..Language::NONE
};
