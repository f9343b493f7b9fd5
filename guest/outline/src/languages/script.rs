use crate::families;
use crate::grammar::{Keyword, Name, Scope};
use crate::language::{Language, Quirk, Quirks, Sign};
use crate::lexis::{Block, LexFeature, LexRules, Quote};
use crate::limits;

const LEXIS: LexRules = LexRules {
    line_comments: &["//"],
    block_comments: &[Block::C],
    strings: &[
        Quote::DOUBLE,
        Quote::SINGLE,
        Quote::new("`", "`").over_lines().code("${"),
    ],
    word: "$",
    tails: "",
    last: "",
    extras: &[LexFeature::Regexes],
};

const WITH_MARKUP: LexRules = LexRules {
    extras: &[LexFeature::Regexes, LexFeature::Markup],
    ..LEXIS
};

pub const JAVASCRIPT: Language = Language {
    name: "JavaScript",
    extensions: &["js", "mjs", "cjs", "jsx"],
    interpreters: &["node", "nodejs", "deno", "bun"],
    modes: &["js", "js2"],
    lex_rules: WITH_MARKUP,
    newlines: true,
    keywords: &[
        Keyword::function("function").with_block(),
        Keyword::of_type("class").with_block(),
    ],
    modifiers: &[
        "export", "default", "async", "static", "get", "set", "const", "let", "var",
    ],
    family: &families::script::SCRIPT,
    control: &[
        "if", "for", "while", "switch", "return", "catch", "with", "function", "do", "else",
        "super", "await", "new", "case", "throw", "typeof", "yield", "import", "try", "finally",
        "default", "in", "of",
    ],
    imports: &["import"],
    constant: Some(families::constants::of_script),
    ..Language::NONE
};

pub const TYPESCRIPT: Language = Language {
    name: "TypeScript",
    extensions: &["ts", "mts", "cts"],
    modes: &[],
    // Qt translations are XML.
    doubtful: &[Sign {
        extension: "ts",
        holds: |text| !text.trim_start().starts_with("<?xml"),
    }],
    lex_rules: LEXIS,
    keywords: &[
        Keyword::function("function"),
        Keyword::of_type("class").with_block(),
        Keyword::of_type("interface").with_block(),
        Keyword::of_type("enum")
            .with_block()
            .holding(Scope::Entries),
        Keyword::of_type("type").named(Name::Alias),
        Keyword::module("namespace")
            .with_block()
            .holding(Scope::File),
        Keyword::module("module").with_block().holding(Scope::File),
    ],
    modifiers: &[
        "export",
        "default",
        "declare",
        "abstract",
        "async",
        "public",
        "protected",
        "private",
        "static",
        "readonly",
        "override",
        "get",
        "set",
        "const",
        "let",
        "var",
        "accessor",
    ],
    quirks: Quirks::of(&[Quirk::Annotations]),
    ..JAVASCRIPT
};

pub const TSX: Language = Language {
    name: "TSX",
    extensions: &["tsx"],
    claimed: &[
        Sign {
            extension: "js",
            holds: is_flow,
        },
        Sign {
            extension: "jsx",
            holds: is_flow,
        },
        Sign {
            extension: "mjs",
            holds: is_flow,
        },
    ],
    doubtful: &[],
    lex_rules: WITH_MARKUP,
    interpreters: &[],
    ..TYPESCRIPT
};

/// Whether a script has annotations of Flow, which have the syntax of TypeScript types.
fn is_flow(text: &str) -> bool {
    let mut lines = text.lines().take(limits::FLOW_LINES);
    lines.any(|line| line.contains("@flow"))
}
