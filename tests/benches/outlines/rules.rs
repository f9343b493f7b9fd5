//! Declarations that a single line shows: a keyword, and the name after it.
//!
//! A rule ignores strings, comments of several lines, and declarations without a keyword. A
//! declaration that it finds in code is correct.

use regex_lite::Regex;

/// The rule that finds declarations on single lines of a language.
#[derive(Debug)]
pub struct Rule {
    patterns: Vec<Regex>,
    /// Prefixes of comment lines.
    comments: &'static [&'static str],
    /// Keywords of which one must precede a declared name. Empty if no keyword is required.
    needed: &'static [&'static str],
    /// Whether the patterns find all declarations.
    complete: bool,
    /// Words that the patterns may find but that are not names.
    words: &'static [&'static str],
}

/// Keywords that may occur at the position of a name.
const KEYWORDS: &[&str] = &[
    "if", "for", "while", "switch", "catch", "return", "func", "var", "let", "class", "struct",
    "enum", "else", "assert", "await", "super", "function",
];

/// Keywords of which one must precede a declared name in Kotlin. ctags also reports parameters of
/// lambdas as methods.
const KOTLIN: &[&str] = &[
    "fun",
    "class",
    "interface",
    "object",
    "typealias",
    "constructor",
];

const SLASHES: &[&str] = &["//", "/*", "*"];
const HASH: &[&str] = &["#"];
const DASHES: &[&str] = &["--"];

/// Each language, the prefixes of its comment lines, and a regular expression whose groups match
/// the declared names.
const RULES: &[(&str, &[&str], &str)] = &[
    (
        "Rust",
        SLASHES,
        r"\b(?:fn|struct|enum|union|trait|type|macro_rules!|macro)\s+(?:r#)?(\w+)",
    ),
    (
        "Go",
        SLASHES,
        r"^\s*func\s+(?:\([^)]*\)\s*)?(\w+)|\btype\s+(\w+)",
    ),
    (
        "Java",
        SLASHES,
        r"\b(?:class|interface|enum|record)\s+(\w+)",
    ),
    (
        "Kotlin",
        SLASHES,
        r"\bfun\s+(?:<[^(]*>\s*)?(?:[\w<>?,.* ]+\.)?(`[^`]+`|\w+)\s*\(|\b(?:class|interface|object|typealias)\s+(`[^`]+`|\w+)|\b(constructor)\s*\(",
    ),
    (
        "C",
        SLASHES,
        r"\b(?:struct|union|enum)\s+(\w+)\s*(?:\{|$)|^\s*typedef\b.*\b(\w+)\s*;|^\s*typedef\b.*\(\s*\*\s*(\w+)\s*\)\s*\(|^\s*(?:(?:static|inline|constexpr|extern|const|unsigned)\s+)*(?:void|bool|int|char|float|double|long|size_t|u?int\d+_t)\b\s*[*&]*\s*(?:\w+::)*([~\w]+)\s*\(",
    ),
    (
        "C++",
        SLASHES,
        r"\b(?:class|struct|union|enum|concept)\s+(?:\w+\s+)*?(\w+)\s*(?:final\s*|[A-Z][A-Z_\d]+\s*)?(?:[:{=]|$)|\busing\s+(\w+)\s*=|^\s*typedef\b.*\b(\w+)\s*;|([~\w]+)\s*\([^;{}]*\)\s*(?:const\s*)?(?:override|final|noexcept|=\s*(?:0|default|delete)\b)|\b(?:virtual|explicit|friend)\b[^=;(]*?([~\w]+)\s*\(|\b(operator\s*(?:\(\s*\)|\[\s*\]|[^\s\w(]+|\w+))\s*\(|^\s*(?:(?:static|inline|constexpr|extern|const|unsigned)\s+)*(?:void|bool|int|char|float|double|long|size_t|u?int\d+_t)\b\s*[*&]*\s*(?:\w+::)*([~\w]+)\s*\(",
    ),
    (
        "C#",
        SLASHES,
        r"\b(?:class|struct|interface|enum|record)\s+(\w+)|\bdelegate\s+[\w<>\[\],.? ]+\s(\w+)\s*[(<]",
    ),
    (
        "Ruby",
        HASH,
        r"\bdef\s+(?:\w+\.)?([\w?!=\[\]<>+*/%-]+)|\bclass\s+(?:\w+::)*(\w+)|(\w+)\s*=\s*(?:Class|Struct)\.new\b",
    ),
    (
        "PHP",
        SLASHES,
        r"\bfunction\s+&?\s*(\w+)|\b(?:class|interface|trait|enum)\s+(\w+)",
    ),
    (
        "Lua",
        DASHES,
        r"\bfunction\s+(?:\w+[.:])*(\w+)|(\w+)(?:['\x22]\])?\s*=\s*function\b",
    ),
    (
        "Shell",
        HASH,
        r"^\s*(?:function\s+)?([\w:.-]+)\s*\(\s*\)|^\s*function\s+([\w:.-]+)",
    ),
    (
        "SQL",
        DASHES,
        r#"(?i)\bcreate\s+(?:\w+\s+)*?(?:function|procedure|table|view|trigger|type|index)\s+(?:if\s+not\s+exists\s+)?([\w."]+)"#,
    ),
    (
        "Haskell",
        DASHES,
        r"^\s*([a-z_][\w']*)\s*::|^(?:data|newtype|type|class)\s+(?:family\s+|instance\s+)?(?:.*=>\s*)?([A-Z][\w']*)",
    ),
    (
        "OCaml",
        &["(*"],
        r"\b(?:let|and|val|method|external)\s+(?:rec\s+)?([a-z_][\w']*)|\b(?:type|class|and)\s+(?:[^=]*\s)?([a-z_][\w']*)\s*(?:=|$)",
    ),
    (
        "Elixir",
        HASH,
        r"\bdef(?:p|macro|macrop|guard|guardp|delegate|module|protocol)?\s+(?:\w+\.)*(\w+[?!]?)",
    ),
    (
        "Clojure",
        &[";"],
        r"\((?:[\w.-]+/)?def\S*\s+(?:\^\S+\s+)*([^\s()\[\]]+)",
    ),
    ("R", HASH, r"([\w.]+)\s*(?:<-|=)\s*function\b"),
    (
        "Julia",
        HASH,
        r"\b(?:function|macro|struct|abstract type|primitive type)\s+(?:\w+\.)*([\w!]+)|^\s*(?:\w+\.)*([\w!]+)\([^)]*\)\s*=[^=]",
    ),
    ("Perl", HASH, r"\bsub\s+(?:\w+::)*(\w+)"),
    (
        "Objective-C",
        SLASHES,
        r"^\s*[-+]\s*\([^)]*\)\s*(\w+)|@(?:interface|implementation|protocol)\s+(\w+)",
    ),
    (
        "Protobuf",
        SLASHES,
        r"^\s*(?:message|service|enum|rpc)\s+(\w+)",
    ),
    // Selectors of one rule may be on several lines.
    ("CSS", SLASHES, r"([^{};]+)(?:\{|,\s*$)"),
    (
        "Swift",
        SLASHES,
        r"\bfunc\s+`?(\w+|[^\s\w(`]+)|\b(?:class|struct|enum|protocol|actor|typealias)\s+(?:\w+\.)*(\w+)|^[\w\s]*\b(init)[?!]?\s*[(<]|\b(deinit)\s*\{|\b(subscript)\s*[(<]",
    ),
    (
        "Scala",
        SLASHES,
        r"\bdef\s+([^\s(\[:=]+)|\b(?:class|trait|object|enum)\s+(\w+)|\btype\s+([A-Z]\w*)",
    ),
    (
        "Dart",
        &["//", "/*", "*"],
        r"\b(?:class|mixin|enum|extension|typedef)\s+(\w+)|^\s*(?:const|factory)\s+(?:\w+\.)*(\w+)\s*\(|\b(operator\s*[^\s(\w]+)\s*\(|^\s*(?:[\w<>?,\[\] .]+\s)?(\w+)\s*\([^;'\x22()]*\)\s*(?:async\*?|sync\*)?\s*(?:\{|=>)",
    ),
    (
        "Zig",
        &["//", "\\\\"],
        r#"\bfn\s+(\w+|@"[^"]*")|\bconst\s+(\w+)\s*=\s*(?:extern\s+|packed\s+)?(?:struct|enum|union|opaque|error)\b|^\s*test\s+("[^"]*"|\w+)"#,
    ),
    (
        "GraphQL",
        HASH,
        r"^\s*(?:extend\s+)?(?:(?:type|interface|enum|union|input|scalar|query|mutation|subscription|fragment)\s+|directive\s+@)(\w+)",
    ),
    (
        "HCL",
        &["#", "//"],
        r#"^\s*([\w-]+)(?:\s+(?:"[^"]*"|[\w-]+))*\s*\{"#,
    ),
    (
        "Vue",
        &["//", "/*", "*", "<!--"],
        r"\bfunction\*?\s+(\w+)|\b(?:const|let|var)\s+(\w+)\s*=\s*(?:async\s*)?(?:\([^)]*\)|\w+)\s*=>|^\s*(?:export\s+)?(?:interface|type|enum|class)\s+(\w+)|^\s*(?:async\s+)?(\w+)\s*\([\w\s,{}=]*\)\s*\{$",
    ),
    (
        "Svelte",
        &["//", "/*", "*", "<!--"],
        r"\bfunction\*?\s+(\w+)|\b(?:const|let|var)\s+(\w+)\s*=\s*(?:async\s*)?(?:\([^)]*\)|\w+)\s*=>|^\s*(?:export\s+)?(?:interface|type|enum|class)\s+(\w+)(?:[^,\w]|$)|\{#snippet\s+(\w+)",
    ),
];

/// Languages and additional regular expressions for them, which would conflict with the one in
/// [`RULES`] or make it too long.
const MORE: &[(&str, &str)] = &[
    ("C++", r"\b(operator\s*\(\s*\))\s*\("),
    (
        "C++",
        r"^\s*(~\w+)\s*\(|\b(?:operator)\s+([\w:]+)\s*[*&]*\s*\(\s*\)",
    ),
    (
        "Objective-C",
        r"^\s*typedef\b.*\b(\w+)\s*;|^\s*typedef\b.*\(\s*(?:\w+\s*)?[*^]\s*(\w+)\s*\)\s*\(|\b(?:struct|union|enum)\s+(\w+)\s*(?:\{|$)|^\s*typedef\s+(?:NS_ENUM|NS_OPTIONS|CF_ENUM)\(\w+,\s*(\w+)\)",
    ),
    (
        "Objective-C",
        r"^(?:(?:static|inline|extern|const|unsigned|struct|\w+_(?:EXPORT|EXTERN|INLINE))\s+)*\w+\s*[*\s]\s*(\w+)\s*\([^;()]*(?:\)\s*(?:\{|;)|,$)",
    ),
    // Names with a schema, or in the quotes of other dialects.
    (
        "SQL",
        r"(?i)\bcreate\s+(?:\w+\s+)*?(?:function|procedure|table|view|type)\s+(?:if\s+not\s+exists\s+)?(`[\w.` ]+`|\[[\w\]\[.]+\])",
    ),
    (
        "SQL",
        r#"(?i)\bcreate\s+(?:domain|sequence|event\s+trigger|(?:unique\s+)?index\s+concurrently|extension|schema)\s+(?:if\s+not\s+exists\s+)?([\w."]+)|^\s*(?:function|procedure)\s+([\w."]+)\s*\(|\bindex\s+(\[\w+\])"#,
    ),
    (
        "OCaml",
        r"\bexception\s+([A-Z][\w']*)|\bmethod!?\s+(?:private\s+|virtual\s+)*([a-z_][\w']*)|\blet\s+(?:rec\s+)?\(\s*([^\s\w()]+)\s*\)|\btype\s+(?:\w+\.)+(\w+)\s*\+=|^\s*type\s+(?:nonrec\s+)?([a-z_][\w']*)\s*$|\bclass\s+(?:virtual\s+)?(?:\[[^\]]*\]\s*)?([a-z_][\w']*)",
    ),
    (
        "Elixir",
        r#"^\s*(?:test|describe)\s*("[^"]*"|'[^']*').*\bdo$|^\s*@(?:typep?|opaque)\s+(\w+)|\bdef(?:p|macro|macrop)?\s+\w+\s+([^\s\w,(.]+)\s+\w+"#,
    ),
    // Classes, methods, and chained assignments.
    (
        "R",
        r#"\bset(?:Class|RefClass|Generic|Method|ReplaceMethod|Validity|ClassUnion)\(\s*["'`]([^"'`]+)["'`]|^\s*([\w.]+)\s*<-\s*(?:[\w.]+\s*<-\s*)*(?:function\b|\\\(|set(?:RefClass|Class)\()|["'`]([^"'`]+)["'`]\s*(?:<-|=)\s*(?:function\b|\\\()"#,
    ),
    (
        "Julia",
        r#"\bfunction\s+([^\s\w(]+)\(|\bfunction\s+var"([^"]+)"|^\s*(?:\w+\.)*([\w!]+)\{[^}]*\}\([^)]*\)\s*(?:where\s.*)?=[^=]"#,
    ),
    (
        "Dart",
        r"^\s*(?:[A-Z_]\w*\.)?([A-Z_]\w*)\((?:[\w<>.]+\s+\w+[^()]*\)|\{|\))\s*(?::\s*\w.*|\{)?$|^\s*[A-Z_]\w*\.(\w+)\((?:[\w<>.]+\s+\w+[^()]*\)|\))\s*(?::\s*\w.*|\{)?$|^\s*[A-Z_]\w*\.(\w+)\([\w.]+<.*>\s+\w+\)$",
    ),
    (
        "Dart",
        r"^\s*(?:static\s+)?(?:void|int|bool|double|num|[A-Z]\w*(?:<[^()]*>)?)\??\s+(\w+)\([^()]*\);|^\s*(?:[\w.]+(?:<[\w<>, ?]*>)?\??\s+)+(\w+)<[\w<>, .?]+>\(",
    ),
    // Computed keys, and keys in quotes.
    (
        "Lua",
        r"\[[^\[\]]*?[.:'\x22]([^.:'\x22\[\]]+?)['\x22]?\]\s*=\s*function\b",
    ),
    ("Vue", SCRIPT),
    ("Vue", STYLE),
    ("Svelte", SCRIPT),
    ("Svelte", STYLE),
];

/// A pattern for functions of a script that are not declared by `function name`: methods, and
/// functions that are assigned to a property or variable.
const SCRIPT: &str = r#"^\s*(?:async\s+|get\s+|set\s+|static\s+)*['"]?([\w$]+)['"]?\s*\([^()]*\)\s*\{|^\s*(?:\{\s*)?['"]?([\w.$-]+)['"]?\s*:\s*(?:async\s+)?(?:function\b|(?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\w+)\s*(?::\s*[\w<>\[\]|. ]+)?=>(?:$|.*[^;]$))|^\s*(?:\$:\s*)?(?:\w+\.)*(\w+)\s*=\s*(?:async\s*)?(?:function\b|(?:\([^()]*\)|\w+)\s*=>(?:$|.*[^,]$))|\b(?:const|let|var)\s+(\w+)(?:\s*:\s*[^=]*(?:=>[^=]*)?)?\s*=\s*(?:async\s*)?(?:function\b|(?:\([^()]*\)|\w+)\s*(?::\s*[^=]*)?=>)"#;

/// A pattern for declarations of style sheets.
const STYLE: &str = r"@mixin\s+([\w-]+)";

impl Rule {
    /// The rule of a language, if it has one.
    pub fn of(language: &str) -> Option<Self> {
        let (_, comments, pattern) = RULES.iter().find(|rule| rule.0 == language)?;
        let more = MORE.iter().filter(|more| more.0 == language);
        let patterns = std::iter::once(pattern).chain(more.map(|(_, pattern)| pattern));
        let patterns = patterns.map(|pattern| Regex::new(pattern).expect("a pattern"));
        Some(Self {
            patterns: patterns.collect(),
            comments,
            needed: if language == "Kotlin" { KOTLIN } else { &[] },
            // ctags reports functions in the prose and strings of these languages.
            complete: matches!(language, "Lua" | "Shell"),
            // Keywords of other languages are valid names in these languages.
            words: match language {
                "Lua" | "OCaml" | "Haskell" | "SQL" => &[],
                _ => KEYWORDS,
            },
        })
    }

    /// The names that a line declares.
    pub fn names<'l>(&self, line: &'l str) -> Vec<&'l str> {
        let start = line.trim_start();
        if self.comments.iter().any(|sign| start.starts_with(sign)) {
            return Vec::new();
        }
        let found = self.patterns.iter();
        found
            .flat_map(|pattern| pattern.captures_iter(line))
            .filter_map(|found| found.iter().skip(1).flatten().next())
            .map(|name| name.as_str())
            .filter(|name| !self.words.contains(name))
            .collect()
    }

    /// Whether a line may declare a name: a required keyword precedes the name, and no `=` or `{`
    /// precedes it. If the patterns find all declarations, they must find the name. `None` if the
    /// language requires no keyword.
    pub fn allows(&self, line: &str, name: &str) -> Option<bool> {
        if self.complete {
            return Some(self.names(line).contains(&name));
        }
        if self.needed.is_empty() {
            return None;
        }
        let begins = line.find(['=', '{']).unwrap_or(line.len());
        let head = line.get(..begins).unwrap_or(line);
        // Names in backquotes may contain any character.
        let quoted = || head.contains('`') && head.replace(' ', "").contains(name);
        let mut words = head.split(|sign: char| !sign.is_alphanumeric() && sign != '_');
        let keyword = words.any(|word| self.needed.contains(&word));
        Some(keyword && (words.any(|word| word == name) || quoted()))
    }
}
