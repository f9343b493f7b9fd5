//! The languages whose declarations are compared, and the programs to compare with.

use omniread_outline::grammar::Kind;
use std::fmt::Write as _;

/// A language, and how its declarations are compared.
#[derive(Debug)]
pub struct Compared {
    /// The name of the language in our outline scanner.
    pub name: &'static str,
    /// The support for the language in ctags, if any.
    pub tags: Option<Tags>,
    /// The second opinion about declarations, in addition to ctags.
    pub opinion: Opinion,
    /// The kinds of our declarations that are compared, such as functions.
    pub kinds: &'static [Kind],
    /// The part of a name that is compared.
    pub part: Part,
}

/// The support for a language in ctags.
#[derive(Debug)]
pub struct Tags {
    /// The name of the language in ctags.
    pub name: &'static str,
    /// The kinds of declarations that are compared, by their names in ctags, separated by spaces.
    pub kinds: &'static str,
    /// Whether ctags is requested to report function prototypes, which it does not do by default.
    pub prototypes: bool,
}

/// The second opinion for a language, in addition to ctags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opinion {
    /// The parser of Python.
    Python,
    /// The parser of the TypeScript compiler.
    TypeScript,
    /// A rule: a keyword before the name, on the same line.
    Rule,
    /// No second opinion.
    None,
}

/// The part of a name that is compared. Programs differ in how they qualify names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The text after the last `::`.
    Name,
    /// The last part of a qualified name, without type parameters: `c` of `a.b.c`, of `a::c` and of
    /// `a[c]`.
    Last,
    /// The text before the first colon.
    First,
    /// No part of the name. Only the line numbers are compared.
    Line,
}

const CODE: &[Kind] = &[Kind::Function, Kind::Type];
const MODULES: &[Kind] = &[Kind::Function, Kind::Type, Kind::Module];
const VALUES: &[Kind] = &[Kind::Function, Kind::Type, Kind::Value];
const ANY: &[Kind] = &[
    Kind::Function,
    Kind::Type,
    Kind::Module,
    Kind::Value,
    Kind::Section,
];

/// A language that ctags supports. `tags` is its name in ctags.
const fn tagged(name: &'static str, tags: &'static str, kinds: &'static str) -> Compared {
    Compared {
        name,
        tags: Some(Tags {
            name: tags,
            kinds,
            prototypes: false,
        }),
        opinion: Opinion::Rule,
        kinds: CODE,
        part: Part::Name,
    }
}

/// A language that ctags does not support.
const fn untagged(name: &'static str) -> Compared {
    Compared {
        name,
        tags: None,
        opinion: Opinion::Rule,
        kinds: MODULES,
        part: Part::Name,
    }
}

impl Compared {
    const fn with_prototypes(self) -> Self {
        let tags = match &self.tags {
            Some(tags) => Some(Tags {
                prototypes: true,
                ..*tags
            }),
            None => None,
        };
        Self { tags, ..self }
    }

    const fn against(self, opinion: Opinion) -> Self {
        Self { opinion, ..self }
    }

    const fn by(self, part: Part) -> Self {
        Self { part, ..self }
    }

    const fn counting(self, kinds: &'static [Kind]) -> Self {
        Self { kinds, ..self }
    }
}

const TYPESCRIPT: &str = "class enum function interface method alias generator";

/// All languages that are compared.
pub const ALL: &[Compared] = &[
    tagged(
        "Rust",
        "Rust",
        "macro struct interface typedef enum function method",
    ),
    tagged("Python", "Python", "class function member").against(Opinion::Python),
    tagged("TypeScript", "TypeScript", TYPESCRIPT).against(Opinion::TypeScript),
    tagged("TSX", "TypeScript", TYPESCRIPT).against(Opinion::TypeScript),
    tagged(
        "JavaScript",
        "JavaScript",
        "function class method generator getter setter",
    )
    .against(Opinion::TypeScript),
    tagged("Go", "Go", "func type struct interface methodSpec talias"),
    tagged("Java", "Java", "class interface method enum"),
    tagged(
        "Kotlin",
        "Kotlin",
        "class interface method object typealias",
    ),
    tagged("C", "C", "function prototype struct union enum typedef").with_prototypes(),
    tagged(
        "C++",
        "C++",
        "function prototype struct union enum typedef class alias",
    )
    .with_prototypes(),
    tagged("C#", "C#", "method class struct interface enum").by(Part::Last),
    tagged("Ruby", "Ruby", "method singletonMethod class").by(Part::Last),
    tagged("PHP", "PHP", "function class interface trait"),
    tagged("Lua", "Lua", "function").by(Part::Last),
    tagged("Shell", "Sh", "function"),
    tagged("SQL", "SQL", "function procedure table view").by(Part::Last),
    tagged("Haskell", "Haskell", "function type"),
    tagged("OCaml", "OCaml", "function method val class type").counting(VALUES),
    tagged("Elixir", "Elixir", "function macro delegate guard").by(Part::Last),
    tagged("Clojure", "Clojure", "function"),
    tagged("R", "R", "function"),
    tagged("Julia", "Julia", "function macro struct type").by(Part::Last),
    tagged("Perl", "Perl", "subroutine").by(Part::Last),
    tagged(
        "Objective-C",
        "ObjectiveC",
        "method class function interface implementation protocol struct enum typedef",
    )
    .by(Part::First),
    tagged("Protobuf", "Protobuf", "rpc message service enum"),
    tagged("CSS", "CSS", "class selector id")
        .counting(ANY)
        .by(Part::Line),
    tagged("HTML", "HTML", "heading1 heading2 heading3")
        .against(Opinion::None)
        .counting(&[Kind::Section])
        .by(Part::Line),
    untagged("Swift").counting(CODE),
    untagged("Scala").counting(CODE),
    untagged("Dart").counting(CODE),
    untagged("Zig").counting(CODE),
    untagged("GraphQL"),
    untagged("HCL").counting(ANY).by(Part::Line),
    untagged("Vue").counting(CODE),
    untagged("Svelte").counting(CODE),
];

/// The language with this name, ignoring case.
pub fn named(name: &str) -> Option<&'static Compared> {
    ALL.iter()
        .find(|language| language.name.eq_ignore_ascii_case(name))
}

/// The error message for an unknown language.
pub fn unknown(name: &str) -> String {
    let mut message = format!("there are no packages for `{name}`; the languages are:");
    for language in ALL {
        let _ = write!(message, " {}", language.name);
    }
    message
}

impl Compared {
    /// The part of a name that is compared, without spaces and quotes.
    pub fn part<'n>(&self, name: &'n str) -> std::borrow::Cow<'n, str> {
        let name = name.trim().trim_matches(['"', '\'', '`']);
        let name = name.strip_prefix("r#").unwrap_or(name);
        // Computed names of JavaScript, and operators.
        let within = |open, close| name.strip_prefix(open)?.strip_suffix(close);
        let name = within('[', ']')
            .or_else(|| within('(', ')'))
            .unwrap_or(name);
        let name = name.trim_matches(['"', '\'', '`']);
        let name = match self.part {
            Part::Name => name.rsplit("::").next().unwrap_or(name),
            Part::Last => {
                let name = match name.find('{') {
                    Some(1..) => name.split('{').next().unwrap_or(name),
                    _ => name,
                };
                let name = name.trim_end_matches(']');
                let name = name.rsplit(['.', ':', '[']).next().unwrap_or(name);
                name.trim_matches(['"', '\''])
            }
            Part::First => name.split(':').next().unwrap_or(name),
            Part::Line => "",
        };
        if name.contains(char::is_whitespace) {
            name.split_whitespace().collect::<String>().into()
        } else {
            name.into()
        }
    }
}
