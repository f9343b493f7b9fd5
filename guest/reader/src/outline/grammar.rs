//! How the declarations of a language are told.

use super::lexis::Lexis;

/// A language.
#[derive(Debug)]
pub struct Language {
    /// Its name.
    pub name: &'static str,
    /// Endings of the names of its files.
    pub extensions: &'static [&'static str],
    /// Whole names of files.
    pub names: &'static [&'static str],
    /// Programs that run it, as they follow `#!`.
    pub interpreters: &'static [&'static str],
    /// Its words, strings and comments.
    pub lexis: Lexis,
    /// What holds its statements together.
    pub nesting: Nesting,
    /// A statement ends with its line, unless it obviously goes on.
    pub newlines: bool,
    /// Upper and lower case are one.
    pub caseless: bool,
    /// What keywords declare.
    pub forms: &'static [Form],
    /// What may stand before such a keyword.
    pub modifiers: &'static [&'static str],
    /// Functions that no keyword declares.
    pub calls: Calls,
    /// What else is particular.
    pub habits: &'static [Habit],
    /// Words before brackets that are not the names of functions, and statements
    /// that declare nothing.
    pub control: &'static [&'static str],
    /// What begins an import.
    pub imports: &'static [&'static str],
}

impl Language {
    /// One that has nothing yet.
    pub const NONE: Self = Self {
        name: "",
        extensions: &[],
        names: &[],
        interpreters: &[],
        lexis: Lexis::C,
        nesting: Nesting::Braces,
        newlines: false,
        caseless: false,
        forms: &[],
        modifiers: &[],
        calls: Calls::None,
        habits: &[],
        control: &[],
        imports: &[],
    };

    /// Whether this is particular.
    pub fn does(&self, habit: Habit) -> bool {
        self.habits.contains(&habit)
    }

    /// Whether one of these is the word.
    pub fn holds(&self, words: &[&str], word: &str) -> bool {
        if self.caseless {
            words.iter().any(|one| one.eq_ignore_ascii_case(word))
        } else {
            words.contains(&word)
        }
    }

    /// What a keyword declares.
    pub fn form(&self, word: &str) -> Option<&'static Form> {
        self.forms.iter().find(|form| {
            if self.caseless {
                form.word.eq_ignore_ascii_case(word)
            } else {
                form.word == word
            }
        })
    }
}

/// What only some languages do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Habit {
    /// `@interface … @end`, and methods of several words.
    Messages,
    /// Functions stand in the code of others.
    LocalFunctions,
    /// Names have types behind `:`, where braces hold no values.
    Annotations,
}

/// What holds the statements of a block together.
#[derive(Debug)]
pub enum Nesting {
    /// `{` and `}`.
    Braces,
    /// That they are indented more than what stands before them.
    Indentation,
    /// Words, and `end`.
    Ends(Ends),
    /// The column in which each statement begins.
    Columns,
    /// Everything stands in parentheses.
    Parentheses,
    /// Tags, with other languages between them.
    Markup,
}

/// The words between which blocks stand.
#[derive(Debug)]
pub struct Ends {
    /// They begin a block wherever they stand.
    pub openers: &'static [&'static str],
    /// They begin one where a statement or an operand begins.
    pub leading: &'static [&'static str],
    /// They begin one, of which the next `do` is a part.
    pub loops: &'static [&'static str],
    /// They begin one behind what tells of it: `do`.
    pub behind: &'static [&'static str],
    /// Another statement begins behind them.
    pub breaks: &'static [&'static str],
    /// They end one.
    pub closers: &'static [&'static str],
    /// In brackets they are values: `a[end]`.
    pub values: bool,
}

impl Ends {
    /// All of the words.
    pub fn all(&self) -> [&'static [&'static str]; 6] {
        [
            self.openers,
            self.leading,
            self.loops,
            self.behind,
            self.breaks,
            self.closers,
        ]
    }
}

/// A keyword that declares something.
#[derive(Debug)]
pub struct Form {
    /// The keyword.
    pub word: &'static str,
    /// What it declares.
    pub kind: Kind,
    /// Where its name stands.
    pub name: Name,
    /// What is in its block.
    pub holds: Place,
    /// It is one only with a block.
    pub block: bool,
}

impl Form {
    /// A function, the name of which comes next.
    pub const fn function(word: &'static str) -> Self {
        Self {
            word,
            kind: Kind::Function,
            name: Name::Next,
            holds: Place::Code,
            block: false,
        }
    }

    /// A type, the name of which comes next.
    pub const fn of_type(word: &'static str) -> Self {
        Self {
            word,
            kind: Kind::Type,
            name: Name::Next,
            holds: Place::Members,
            block: false,
        }
    }

    /// A module, the name of which comes next.
    pub const fn module(word: &'static str) -> Self {
        Self {
            kind: Kind::Module,
            ..Self::of_type(word)
        }
    }

    /// A constant or variable, the name of which comes next.
    pub const fn value(word: &'static str) -> Self {
        Self {
            word,
            kind: Kind::Value,
            name: Name::Next,
            holds: Place::Entries,
            block: false,
        }
    }

    /// The same with its name elsewhere.
    #[must_use]
    pub const fn named(self, name: Name) -> Self {
        Self { name, ..self }
    }

    /// The same with a block that holds something else.
    #[must_use]
    pub const fn holding(self, holds: Place) -> Self {
        Self { holds, ..self }
    }

    /// The same, which is one only with a block.
    #[must_use]
    pub const fn with_block(self) -> Self {
        Self {
            block: true,
            ..self
        }
    }
}

/// What is declared.
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

/// Where the name of a declaration stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Name {
    /// It is the next word.
    Next,
    /// It is the next word, or the signs of an operator.
    Symbol,
    /// The same behind `self.` or another path, and it may end with `=`.
    Method,
    /// It is the last word before the parameters.
    Call,
    /// It is the last word of a path: `a.b.c`.
    Path,
    /// It is the whole of a path.
    Qualified,
    /// It is the last word before the block or what a type derives from.
    Tag,
    /// It is what `typedef` ends with, or holds in brackets.
    Typedef,
    /// It is the next string.
    Text,
    /// It is the next word behind `@`.
    At,
    /// It is the next word, if something is assigned to it.
    Alias,
    /// It follows a sign: `macro_rules! name`.
    Macro,
    /// It is all that stands up to the block.
    Rest,
    /// It is the keyword itself.
    Keyword,
    /// The same, if parameters follow.
    KeywordCall,
}

/// What stands in a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Declarations, of a file or module.
    File,
    /// Members of a type.
    Members,
    /// Cases of an enumeration, and members behind them.
    Cases,
    /// Values, by name or not.
    Entries,
    /// What a type is made of: there are no values.
    Types,
    /// Parameters or arguments.
    Values,
    /// Statements.
    Code,
}

impl Calls {
    /// Whether no statement without a block declares one in such a place.
    pub fn none_in(self, place: Place) -> bool {
        match self {
            Self::None => true,
            Self::C | Self::Java => {
                matches!(place, Place::Code | Place::Values | Place::Entries)
            }
            Self::Go => place != Place::Members,
            _ => false,
        }
    }
}

/// Functions that no keyword declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Calls {
    /// There are none.
    None,
    /// `type name(parameters) {`, also outside of types.
    C,
    /// The same in types.
    Java,
    /// `name(parameters) {` in classes and objects, and what names are bound to.
    Script,
    /// `name(parameters)` in interfaces.
    Go,
    /// `name() {`
    Shell,
    /// `name <- function(`
    Arrow,
    /// `name = function(`
    Lua,
    /// `Name = Struct.new`
    Ruby,
    /// `name(parameters) =`
    Julia,
    /// `const name = struct {`
    Zig,
    /// `@type name`, and the name of a test.
    Elixir,
    /// `name :: type`, `name pattern =`
    Haskell,
    /// `let name pattern =`
    Ocaml,
    /// `name: type` is none.
    Graphql,
    /// `create … table name`
    Sql,
    /// `selectors {`
    Rules,
    /// `words "names" {`
    Blocks,
}
