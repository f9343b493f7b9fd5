//! Second opinions about declarations: the parser of the language, or a keyword on the line.

use crate::compare::Declarations;
use crate::languages::{Compared, Opinion};
use crate::packages::{Package, Registry};
use crate::programs::{output_of, rows};
use crate::registries::Cache;
use crate::rules::Rule;
use std::path::PathBuf;
use std::process::Command;

/// A script that prints the declarations of Python files.
pub const PYTHON: &str = include_str!("declarations.py");
const TYPESCRIPT: &str = include_str!("declarations.js");

/// The compiler that parses TypeScript and JavaScript.
const COMPILER: Package = Package {
    registry: Registry::Npm,
    name: "typescript",
    version: "5.9.3",
    files: "lib/typescript.js",
};

/// The source of a second opinion about the declarations in a language.
#[derive(Debug)]
pub enum Second {
    /// A parser, which finds all declarations.
    Parser(Parser),
    /// A rule, which finds some declarations.
    Rule(Rule),
    /// There is no second opinion.
    None,
}

/// The parser of a language.
#[derive(Debug)]
pub enum Parser {
    Python,
    /// The compiler of TypeScript. Contains its path.
    TypeScript(PathBuf),
}

impl Second {
    /// The second opinion for a language. Downloads its parser if necessary.
    pub fn of(language: &Compared, cache: &Cache) -> Result<Self, String> {
        Ok(match language.opinion {
            Opinion::Python => Self::Parser(Parser::Python),
            Opinion::TypeScript => {
                let compiler = cache.sources(&COMPILER)?.join(COMPILER.files);
                Self::Parser(Parser::TypeScript(compiler))
            }
            Opinion::Rule => Rule::of(language.name).map_or(Self::None, Self::Rule),
            Opinion::None => Self::None,
        })
    }

    /// The name of the second opinion, for the table.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Parser(Parser::Python) => "ast",
            Self::Parser(Parser::TypeScript(_)) => "typescript",
            Self::Rule(_) => "rule",
            Self::None => "nothing",
        }
    }
}

impl Parser {
    /// Finds the declarations in some files. `files` has one path per line.
    pub fn declarations(&self, language: &Compared, files: &str) -> Result<Declarations, String> {
        let printed = match self {
            Self::Python => output_of(Command::new("python3").args(["-c", PYTHON]), files)?,
            Self::TypeScript(compiler) => {
                let mut command = Command::new("node");
                output_of(command.args(["-e", TYPESCRIPT]).arg(compiler), files)?
            }
        };
        let mut found = Declarations::default();
        for [path, line, name, _kind, also_line, also] in rows(&printed) {
            let name = language.part(name);
            match (line.parse().unwrap_or_default(), also_line.parse()) {
                (0, _) => found.unread(path),
                (line, Ok(also_line)) => {
                    let also = language.part(also);
                    found.add_also(path, line, &name, (also_line, &also));
                }
                (line, Err(_)) => found.add(path, line, &name),
            }
        }
        Ok(found)
    }
}
