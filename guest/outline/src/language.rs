//! The description of a language, and the statements to which its rules apply.
//!
//! The rules of a family are functions of a statement, and a statement knows its language, so that
//! these types are in one module.

use crate::grammar::{AtBlocks, Keyword, Kind, Nesting, Scope};
use crate::lexis::LexRules;
use crate::token::{Place, Roles, Token};

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
    /// Names of editor modes and of notebook kernels that differ from the name of the language.
    pub modes: &'static [&'static str],
    /// Extensions that files of other formats have too, each with the sign that a text is in this
    /// language. They are also in `extensions`.
    pub doubtful: &'static [Sign],
    /// Extensions of other languages that files of this language have too, each with the sign that a
    /// text is in this language.
    pub claimed: &'static [Sign],
    /// The lexical rules: words, strings and comments.
    pub lex_rules: LexRules,
    /// How blocks are delimited.
    pub nesting: Nesting,
    /// Blocks that are delimited by words after `@`, in addition to `nesting`.
    pub at_blocks: Option<&'static AtBlocks>,
    /// Whether a line break ends a statement, unless the statement is clearly incomplete.
    pub newlines: bool,
    /// Whether keywords are case-insensitive.
    pub case_insensitive: bool,
    /// Keywords that declare something.
    pub keywords: &'static [Keyword],
    /// Words that may precede a declaring keyword, such as `static`.
    pub modifiers: &'static [&'static str],
    /// The language family, which determines how functions without a keyword are declared.
    pub family: &'static Family,
    /// The properties of the language, in addition to those of its family.
    pub quirks: Quirks,
    /// Words that precede brackets but are not names of functions, and first words of statements
    /// that declare nothing.
    pub control: &'static [&'static str],
    /// Words that begin an import.
    pub imports: &'static [&'static str],
    /// The name by which the members of a declaration are qualified, if it differs from the name of
    /// the declaration: `Type` for `impl Trait for Type`. The arguments are the text of the
    /// declaration before its name, and the text from its name on.
    pub members_of: Option<for<'t> fn(&str, &'t str) -> Option<&'t str>>,
    /// The name of the type to which a method belongs, from the text before the name of the method:
    /// `T` in `func (t *T) name`.
    pub receiver: Option<for<'t> fn(&'t str) -> Option<&'t str>>,
    /// The name of a constant that a line at the outermost level declares, and the word for it, if outlines do not
    /// have these constants but searches by name find them.
    pub constant: Option<Constant>,
    /// Words that form a decorator after `@`, in a language in which other words declare something.
    pub decorators: &'static [&'static str],
    /// Whether a module without a block holds the declarations up to the next module.
    pub scopes_until_next: bool,
}

impl Language {
    /// Default values for the fields that the description of a language omits.
    pub const NONE: Self = Self {
        name: "",
        extensions: &[],
        names: &[],
        interpreters: &[],
        modes: &[],
        doubtful: &[],
        claimed: &[],
        lex_rules: LexRules::C,
        nesting: Nesting::Braces,
        at_blocks: None,
        newlines: false,
        case_insensitive: false,
        keywords: &[],
        modifiers: &[],
        family: &Family::PLAIN,
        quirks: Quirks::NONE,
        control: &[],
        imports: &[],
        members_of: None,
        receiver: None,
        constant: None,
        decorators: &[],
        scopes_until_next: false,
    };

    /// Whether the language or its family has this quirk.
    pub fn has_quirk(&self, quirk: Quirk) -> bool {
        self.quirks.has(quirk) || self.family.quirks.has(quirk)
    }

    /// The declaring keyword of a word with these roles, if it is one.
    pub fn form(&self, roles: Roles) -> Option<&'static Keyword> {
        self.keywords.get(roles.form()?)
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

    /// Whether blocks are in braces.
    pub fn nesting_is_braces(&self) -> bool {
        matches!(self.nesting, Nesting::Braces)
    }

    /// Whether blocks are indented.
    pub fn nesting_is_indentation(&self) -> bool {
        matches!(self.nesting, Nesting::Indentation)
    }
}

/// A function that finds the name of a constant that a line declares, and the word for it.
pub type Constant = for<'t> fn(&'t str) -> Option<(&'static str, &'t str)>;

/// A sign by which a text with an ambiguous extension is in a language.
#[derive(Debug)]
pub struct Sign {
    /// The extension, without the dot.
    pub extension: &'static str,
    /// Whether a text has the sign.
    pub holds: fn(&str) -> bool,
}

/// A property of a language or of a family, for which the parser has special rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quirk {
    /// Methods begin with `-` or `+`.
    SignedMethods,
    /// Functions may be declared in the code of other functions.
    LocalFunctions,
    /// A type may follow a name and `:`, so braces there may contain types instead of values.
    Annotations,
    /// Annotations may be in square brackets: `[Test]`, `[[nodiscard]]`.
    BracketAnnotations,
    /// A label may precede a declaration: `public:`.
    Labels,
    /// Brackets may follow a modifier: `private[a]`.
    ScopedModifiers,
    /// A method may have the name of a modifier before its type parameters: `get<T>()`.
    GenericModifiers,
    /// Words in capital letters may be macros, which look like types, functions and calls.
    Macros,
    /// An alias may have parameters in place of a value: `typedef int name(int)`.
    SignatureAliases,
    /// An operator is declared between its operands: `def left <> right`.
    InfixNames,
    /// A function may lack parameters, or have a value in brackets in place of its name:
    /// `function name end`, `function (f::type)(x)`.
    BareNames,
    /// A statement in a function that has the form of a declaration shows that a closing brace is
    /// missing before it.
    MissingBraces,
    /// Several statements in a row declare one function.
    Equations,
    /// A member may have the name of a keyword that begins an import.
    ImportMethods,
    /// Every statement begins with a keyword, in any column.
    KeywordsLead,
    /// `[` and `]` are words.
    BracketWords,
    /// A closing parenthesis may lack its opening one: the branches of `case`.
    LoneBrackets,
    /// A keyword may apply to all statements in parentheses: `const (…)`.
    Groups,
    /// Statements follow `=>` at the end of a line: `case a =>`, `self =>`.
    ArrowsEndLines,
    /// `{` at the start of a line begins a statement.
    BracesBegin,
    /// Blocks are in braces or consist of indented lines.
    IndentedBlocks,
    /// A comma ends a declaration of a file or of a type.
    Commas,
    /// The value of a declaration may continue after a block, `= try { … } catch …`, and the header
    /// of a class on the next line with its constructor.
    ValuesContinue,
    /// The `do` of a loop is on the same line as its condition, or is left out: `while a`.
    LoopsEndLines,
}

/// A set of properties.
#[derive(Clone, Copy, Debug)]
pub struct Quirks(u32);

impl Quirks {
    /// The set without properties.
    pub const NONE: Self = Self(0);

    /// A set of these properties.
    #[expect(
        clippy::arithmetic_side_effects,
        clippy::indexing_slicing,
        reason = "only constants call it, and the compiler checks them"
    )]
    pub const fn of(quirks: &[Quirk]) -> Self {
        let (mut bits, mut at) = (0, 0);
        while at < quirks.len() {
            bits |= 1 << quirks[at] as u32;
            at += 1;
        }
        Self(bits)
    }

    /// This set with another property.
    #[must_use]
    pub const fn and(self, quirk: Quirk) -> Self {
        Self(self.0 | 1 << quirk as u32)
    }

    /// Whether the set has this property.
    pub fn has(self, quirk: Quirk) -> bool {
        self.0 & (1 << quirk as u32) != 0
    }
}

/// A set of scopes.
#[derive(Clone, Copy, Debug)]
pub struct Scopes(u32);

impl Scopes {
    /// The set without scopes.
    pub const NONE: Self = Self(0);

    /// The set of all scopes.
    pub const ALL: Self = Self(u32::MAX);

    /// This set with another scope.
    #[must_use]
    pub const fn and(self, scope: Scope) -> Self {
        Self(self.0 | 1 << scope as u32)
    }

    /// This set without a scope.
    #[must_use]
    pub const fn without(self, scope: Scope) -> Self {
        Self(self.0 & !(1 << scope as u32))
    }

    /// Whether the set has this scope.
    pub fn has(self, scope: Scope) -> bool {
        self.0 & (1 << scope as u32) != 0
    }
}

/// A function that finds the second declaration in a statement, and its first token.
pub type Inner = fn(&Statement<'_>, &Declaration) -> Option<(Declaration, Token)>;

/// The languages that share the rules for declarations without a keyword, and for the braces and lines
/// of statements. Rules that are not set do not apply.
#[derive(Debug)]
pub struct Family {
    /// The properties of all languages of the family.
    pub quirks: Quirks,
    /// The scopes in which a statement declares nothing if it begins with no keyword and has no
    /// block.
    pub silent: Scopes,
    /// The scopes in which keywords are names: `{ type: 1 }`.
    pub unkeyed: Scopes,
    /// The bracket that begins type parameters after the name of a function.
    pub type_bracket: u8,
    /// Keywords whose statement continues after its block: `typedef struct { … } name;`.
    pub trailing: &'static [&'static str],
    /// A word that repeats the keyword of the statement before: `and`.
    pub repeats: Option<&'static str>,
    /// Finds the declaration in a statement of a language without declaring keywords. If it is set,
    /// the other rules for declarations do not apply.
    pub statement: Option<fn(&Statement<'_>) -> Option<Declaration>>,
    /// The declaration in a statement whose value decides what its keyword declares. The number is
    /// the index of the first token after annotations and modifiers.
    pub valued: Option<fn(&Statement<'_>, usize) -> Option<Declaration>>,
    /// The declaration in a statement without a keyword, such as `type name(parameters)`. The number
    /// is the index of the first token after annotations and modifiers.
    pub call: fn(&Statement<'_>, usize) -> Option<Declaration>,
    /// The index of the token after a macro before a declaration. The number is the index of the
    /// word that may begin the macro.
    pub after_macro: fn(&Statement<'_>, usize) -> Option<usize>,
    /// The second declaration in a statement before a block, and its first token: `b` in
    /// `a = function b()`.
    pub inner: Option<Inner>,
    /// The name that a statement declares, if its parts are not adjacent: `name:more:`.
    pub divided_name: Option<fn(&Statement<'_>) -> Option<String>>,
    /// Names that a statement declares in addition to the first one.
    pub more_names: Option<fn(&Statement<'_>) -> Vec<Place>>,
    /// The scope of the values that a `{` begins, if no declaration can precede it. The token is the
    /// `{`.
    pub literal: Option<fn(&Statement<'_>, &Token) -> Option<Scope>>,
    /// The scope of the values that a `{` begins, if no declaration was found before it.
    pub values: fn(&Statement<'_>) -> Option<Scope>,
    /// Whether a `{` begins the members of a type without a name.
    pub members: Option<fn(&Statement<'_>) -> bool>,
    /// The scope inside `(` or `[`. The token is the bracket. If it is not set, `(` begins values and
    /// `[` begins code.
    pub group: Option<fn(&Statement<'_>, &Token) -> Scope>,
    /// Whether the lines after the statement are its block, in a language of columns.
    pub opens_column: Option<fn(&Statement<'_>) -> bool>,
    /// Whether a function has no block: `def name = value`.
    pub is_endless: Option<fn(&Statement<'_>) -> bool>,
    /// Whether the statement is complete before a line that begins with the token, in a language in
    /// which line breaks end no statements.
    pub is_complete: Option<fn(&Statement<'_>, &Token) -> bool>,
    /// Whether the line that begins with the token continues the statement.
    pub continues: fn(&Statement<'_>, &Token) -> bool,
    /// Whether the last token of the statement requires more, by a rule that only this family has.
    pub awaits_more: Option<fn(&Statement<'_>) -> bool>,
    /// Whether a comma ends the statement. `None` if the kind of the block decides.
    pub separates: Option<fn(&Statement<'_>) -> Option<bool>>,
}

impl Family {
    /// The rules of languages in which all declarations have a keyword.
    pub const PLAIN: Self = Self {
        quirks: Quirks::of(&[Quirk::ScopedModifiers, Quirk::ArrowsEndLines]),
        silent: Scopes::ALL,
        ..Self::OTHER
    };

    /// Default values for the rules that the description of a family omits.
    pub const OTHER: Self = Self {
        quirks: Quirks::NONE,
        silent: Scopes::NONE,
        unkeyed: Scopes::NONE,
        type_bracket: b'{',
        trailing: &[],
        repeats: None,
        statement: None,
        valued: None,
        call: |_, _| None,
        after_macro: |_, _| None,
        inner: None,
        divided_name: None,
        more_names: None,
        literal: None,
        values: |statement| statement.values(),
        members: None,
        group: None,
        opens_column: None,
        is_endless: None,
        is_complete: None,
        continues: |statement, next| statement.continues(next),
        awaits_more: None,
        separates: None,
    };
}

/// The reason why the tokens of a statement end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// A block begins after them.
    Block,
    /// The statement is complete: a separator, the end of the line or the end of the surrounding
    /// block follows.
    Statement,
}

/// A declaration that was found in a statement.
#[derive(Clone, Copy, Debug)]
pub struct Declaration {
    /// The kind of the declaration.
    pub kind: Kind,
    /// The name. `None` if the declaration has no name.
    pub name: Option<Place>,
    /// The scope of the statements in the block of the declaration.
    pub holds: Scope,
    /// The number of the last line of the signature. If `None`, the signature ends with the last
    /// token of the statement.
    pub head: Option<u32>,
}

/// A statement, or the part of it before a block.
#[derive(Debug)]
pub struct Statement<'h> {
    /// The text of the file, to which the offsets of the tokens refer.
    pub text: &'h str,
    /// The tokens of the statement.
    pub tokens: &'h [Token],
    /// The language of the text.
    pub language: &'static Language,
    /// The scope that contains the statement.
    pub place: Scope,
    /// The reason why the tokens end.
    pub end: End,
    /// The keyword that applies to all statements of a group: `const (…)`.
    pub implied: Option<&'static Keyword>,
    /// The name of the type that contains the statement.
    pub owner: Option<&'h str>,
    /// Whether the statement is in parentheses or square brackets.
    pub grouped: bool,
}
