//! Terms of the tables that describe languages: keywords, names, scopes and blocks.

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
    /// Whether these words are never names, not even of members: `a.end`.
    pub reserved: bool,
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

/// Words after `@` that delimit the declaration of a type: `@interface … @end`.
#[derive(Debug)]
pub struct AtBlocks {
    /// Words that begin a declaration.
    pub openers: &'static [&'static str],
    /// Words that divide the members of a declaration.
    pub sections: &'static [&'static str],
    /// The word that ends a declaration.
    pub closer: &'static str,
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
    /// Whether the keyword declares something only after `@`.
    pub attribute: bool,
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
            attribute: false,
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
            attribute: false,
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
            attribute: false,
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

    /// Changes the keyword so that it declares something only after `@`.
    #[must_use]
    pub const fn after_at(self) -> Self {
        Self {
            attribute: true,
            ..self
        }
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
