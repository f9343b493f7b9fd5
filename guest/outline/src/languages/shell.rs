use crate::families;
use crate::grammar::Keyword;
use crate::language::Language;
use crate::lexis::{LexFeature, LexRules, Quote};

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
    modes: &["sh", "shell-script", "bash", "zsh"],
    lex_rules: LexRules {
        line_comments: &["#"],
        strings: &[
            Quote::new("${", "}").over_lines().code("${"),
            Quote::new("$'", "'").over_lines(),
            Quote::DOUBLE.over_lines().code("$("),
            Quote::SINGLE.raw().over_lines(),
        ],
        word: "$-.:+@%/",
        extras: &[LexFeature::Heredocs, LexFeature::Spaced],
        ..LexRules::BARE
    },
    newlines: true,
    keywords: &[Keyword::function("function")],
    modifiers: &["then", "do", "else", "time", "||", "&&"],
    family: &families::shell::SHELL,
    control: &["if", "while", "for", "case", "until", "elif", "select"],
    imports: &["source", "."],
    ..Language::NONE
};
