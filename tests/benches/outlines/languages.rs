//! What is compared of each language, and with what.

use omniread_reader::outline::grammar::Kind;
use std::fmt::Write as _;

/// A language, and what is compared of it.
#[derive(Debug)]
pub struct Compared {
    /// Its name, as the outlines know it.
    pub name: &'static str,
    /// What ctags knows of it.
    pub tags: Option<Tags>,
    /// What else knows its declarations.
    pub opinion: Opinion,
    /// What we count.
    pub kinds: &'static [Kind],
    /// Which part of a name is compared.
    pub part: Part,
}

/// What ctags knows of a language.
#[derive(Debug)]
pub struct Tags {
    /// Its name there.
    pub name: &'static str,
    /// The kinds that count.
    pub kinds: &'static str,
    /// It leaves prototypes out unless it is asked for them.
    pub prototypes: bool,
}

/// What knows the declarations of a language besides ctags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opinion {
    /// The parser of Python.
    Python,
    /// The parser of the TypeScript compiler.
    TypeScript,
    /// A keyword before the name, on its line.
    Rule,
    /// Nothing.
    None,
}

/// Which part of a name is compared: programs differ in how much they give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// What follows the last `::`.
    Name,
    /// What follows the last dot or colon, or stands in brackets, without the
    /// parameters of a type.
    Last,
    /// What stands before the first colon.
    First,
    /// None: only the line is.
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

/// One that ctags knows.
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

/// One that it does not.
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

/// All languages of which packages are read.
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

/// The language of this name.
pub fn named(name: &str) -> Option<&'static Compared> {
    ALL.iter()
        .find(|language| language.name.eq_ignore_ascii_case(name))
}

/// What to say of a name that is none.
pub fn unknown(name: &str) -> String {
    let mut said = format!("`{name}` is no language of which there are packages:");
    for language in ALL {
        let _ = write!(said, " {}", language.name);
    }
    said
}

impl Compared {
    /// The part of a name that is compared, without spaces and quotes.
    pub fn part<'n>(&self, name: &'n str) -> std::borrow::Cow<'n, str> {
        let name = name.trim().trim_matches(['"', '\'', '`']);
        let name = name.strip_prefix("r#").unwrap_or(name);
        // What is computed in JavaScript, and operators.
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
