//! Tables that describe the declarations of a language.

use super::lexis::LexRules;

/// The description of a programming language, by which its declarations are recognised.
#[derive(Debug)]
pub struct Language {
    /// The name of the language, such as `C++`.
    pub name: &'static str,
    /// Extensions of file names, without the dot.
    pub extensions: &'static [&'static str],
    /// Whole names of files whose extension does not identify the language.
    pub names: &'static [&'static str],
    /// Names of interpreters in the shebang line.
    pub interpreters: &'static [&'static str],
    /// The lexical rules: words, strings and comments.
    pub lex_rules: LexRules,
    /// How blocks are delimited.
    pub nesting: Nesting,
    /// Whether a line break ends a statement, unless the statement is clearly incomplete.
    pub newlines: bool,
    /// Whether keywords are case-insensitive.
    pub case_insensitive: bool,
    /// Keywords that declare something.
    pub keywords: &'static [Keyword],
    /// Words that may precede a declaring keyword, such as `static`.
    pub modifiers: &'static [&'static str],
    /// The language family, which determines how functions without a keyword are declared.
    pub family: Family,
    /// The properties of the language for which the parser has special rules.
    pub quirks: &'static [Quirk],
    /// Words that precede brackets but are not names of functions, and first words of statements
    /// that declare nothing.
    pub control: &'static [&'static str],
    /// Words that begin an import.
    pub imports: &'static [&'static str],
}

impl Language {
    /// Default values for the fields that the description of a language omits.
    pub const NONE: Self = Self {
        name: "",
        extensions: &[],
        names: &[],
        interpreters: &[],
        lex_rules: LexRules::C,
        nesting: Nesting::Braces,
        newlines: false,
        case_insensitive: false,
        keywords: &[],
        modifiers: &[],
        family: Family::None,
        quirks: &[],
        control: &[],
        imports: &[],
    };

    /// Whether the language has this quirk.
    pub fn has_quirk(&self, quirk: Quirk) -> bool {
        self.quirks.contains(&quirk)
    }

    /// Whether `words` contains `word`. Case is ignored if the keywords of the language are
    /// case-insensitive.
    pub fn contains_word(&self, words: &[&str], word: &str) -> bool {
        if self.case_insensitive {
            words.iter().any(|one| one.eq_ignore_ascii_case(word))
        } else {
            words.contains(&word)
        }
    }

    /// The declaring keyword that is spelled `word`, if the language has one.
    pub fn keyword(&self, word: &str) -> Option<&'static Keyword> {
        self.keywords.iter().find(|form| {
            if self.case_insensitive {
                form.word.eq_ignore_ascii_case(word)
            } else {
                form.word == word
            }
        })
    }
}

/// A property of a language for which the parser has special rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quirk {
    /// The syntax of Objective-C: `@interface … @end`, and method names of several words.
    Messages,
    /// Functions may be declared in the code of other functions.
    LocalFunctions,
    /// A type may follow a name and `:`, so braces there may contain types instead of values.
    Annotations,
}

/// How the blocks of a language are delimited.
#[derive(Debug)]
pub enum Nesting {
    /// `{` and `}`.
    Braces,
    /// A block is indented more than the statement before it.
    Indentation,
    /// Keywords, such as `do` and `end`.
    Ends(BlockWords),
    /// Indentation: all statements of a block begin in the same column.
    Columns,
    /// Parentheses around every expression.
    Parentheses,
    /// Markup tags, with code in other languages between them.
    Markup,
}

/// Keywords that delimit blocks.
#[derive(Debug)]
pub struct BlockWords {
    /// Words that begin a block anywhere.
    pub openers: &'static [&'static str],
    /// Words that begin a block only at the start of a statement or an operand.
    pub leading: &'static [&'static str],
    /// Words such as `while`, which begin a block at the start of a statement. The next `do`
    /// belongs to the same block.
    pub loops: &'static [&'static str],
    /// Words such as `do`, which begin a block after the statement to which the block belongs.
    pub after_head: &'static [&'static str],
    /// Words that end a statement within a block, so that another one begins after them: `then`,
    /// `else`.
    pub breaks: &'static [&'static str],
    /// Words that end a block.
    pub closers: &'static [&'static str],
    /// Whether these words are values if they are in brackets: `a[end]`.
    pub values: bool,
}

impl BlockWords {
    /// All words, one list for each field.
    pub fn all(&self) -> [&'static [&'static str]; 6] {
        [
            self.openers,
            self.leading,
            self.loops,
            self.after_head,
            self.breaks,
            self.closers,
        ]
    }
}

/// A keyword that declares something.
#[derive(Debug)]
pub struct Keyword {
    /// The keyword.
    pub word: &'static str,
    /// The kind of declaration.
    pub kind: Kind,
    /// The position of the declared name in the statement.
    pub name: Name,
    /// The scope of the statements in the block of the declaration.
    pub holds: Scope,
    /// Whether the keyword declares something only if a block follows.
    pub block: bool,
}

impl Keyword {
    /// A keyword that declares a function. The name of the function follows the keyword.
    pub const fn function(word: &'static str) -> Self {
        Self {
            word,
            kind: Kind::Function,
            name: Name::Next,
            holds: Scope::Code,
            block: false,
        }
    }

    /// A keyword that declares a type. The name of the type follows the keyword.
    pub const fn of_type(word: &'static str) -> Self {
        Self {
            word,
            kind: Kind::Type,
            name: Name::Next,
            holds: Scope::Members,
            block: false,
        }
    }

    /// A keyword that declares a module. The name of the module follows the keyword.
    pub const fn module(word: &'static str) -> Self {
        Self {
            kind: Kind::Module,
            ..Self::of_type(word)
        }
    }

    /// A keyword that declares a constant or variable, whose name follows the keyword.
    pub const fn value(word: &'static str) -> Self {
        Self {
            word,
            kind: Kind::Value,
            name: Name::Next,
            holds: Scope::Entries,
            block: false,
        }
    }

    /// Changes the position of the name.
    #[must_use]
    pub const fn named(self, name: Name) -> Self {
        Self { name, ..self }
    }

    /// Changes the scope that the block opens.
    #[must_use]
    pub const fn holding(self, holds: Scope) -> Self {
        Self { holds, ..self }
    }

    /// Changes the keyword so that it declares something only if a block follows.
    #[must_use]
    pub const fn with_block(self) -> Self {
        Self {
            block: true,
            ..self
        }
    }
}

/// The kind of a declaration or section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A function, method, constructor or macro.
    Function,
    /// A class, structure, interface, trait, enumeration or alias.
    Type,
    /// A module, package, namespace, or an implementation of methods.
    Module,
    /// A constant or variable.
    Value,
    /// A heading or a key.
    Section,
}

/// The position of the declared name in a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Name {
    /// The word after the keyword.
    Next,
    /// The word after the keyword, or the characters of an operator: `==`, `[]=`.
    Symbol,
    /// A word or operator after an optional `self.` or another path. The name may end with `=`.
    Method,
    /// The last word before the parameters.
    Call,
    /// The last word of a path: `c` in `a.b.c`.
    Path,
    /// The whole path: `a.b.c`.
    Qualified,
    /// The last word before the block or the base types.
    Tag,
    /// The last word of a `typedef`, or `name` in `(*name)`.
    Typedef,
    /// The string after the keyword.
    Text,
    /// The word after `@`.
    At,
    /// The word after the keyword, if a value or type is assigned to it.
    Alias,
    /// The word after `!`: `macro_rules! name`.
    Macro,
    /// All text between the keyword and the block.
    Rest,
    /// The keyword itself.
    Keyword,
    /// The keyword itself, if parameters follow.
    KeywordCall,
}

/// The scope that a block opens: what its statements can declare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Declarations of a file or module.
    File,
    /// Members of a type.
    Members,
    /// Cases of an enumeration, then members.
    Cases,
    /// Values of an object, enumeration or list, with or without names.
    Entries,
    /// Parts of a type, such as the members of an object type. They contain no values.
    Types,
    /// Parameters or arguments.
    Values,
    /// Statements of a function.
    Code,
}

impl Family {
    /// Whether a statement in a scope of this kind declares nothing if it begins with no keyword
    /// and has no block.
    pub fn declares_nothing_in(self, place: Scope) -> bool {
        match self {
            Self::None => true,
            Self::C | Self::Java => {
                matches!(place, Scope::Code | Scope::Values | Scope::Entries)
            }
            Self::Go => place != Scope::Members,
            _ => false,
        }
    }
}

/// The family of a language. Families differ in how they declare functions and types without a
/// keyword.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// All declarations have a keyword.
    None,
    /// C and C++: `type name(parameters) {`, also outside types.
    C,
    /// Java, C# and Dart: `type name(parameters) {` in types.
    Java,
    /// JavaScript and TypeScript: `name(parameters) {` in classes and objects, and functions
    /// assigned to names.
    Script,
    /// Go: `name(parameters)` in interfaces.
    Go,
    /// Shell: `name() {`.
    Shell,
    /// R: `name <- function(`.
    Arrow,
    /// Lua: `name = function(`.
    Lua,
    /// Ruby: `Name = Struct.new`.
    Ruby,
    /// Julia: `name(parameters) =`.
    Julia,
    /// Zig: `const name = struct {`.
    Zig,
    /// Elixir: `@type name`, and the names of tests.
    Elixir,
    /// Haskell: `name :: type` and `name pattern =`.
    Haskell,
    /// OCaml: `let name pattern =`.
    Ocaml,
    /// GraphQL: fields (`name: type`) are not declarations.
    Graphql,
    /// SQL: `create … table name`.
    Sql,
    /// CSS: `selectors {`.
    Rules,
    /// HCL: `words "names" {`.
    Blocks,
}
