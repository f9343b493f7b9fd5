//! Second opinions: what a parser of the language itself finds, or what a line
//! shows by a keyword.

use crate::compare::Declarations;
use crate::languages::{Compared, Opinion};
use crate::packages::{Package, Registry};
use crate::programs::{rows, told};
use crate::registries::Cache;
use crate::rules::Rule;
use std::path::PathBuf;
use std::process::Command;

/// Prints the declarations of Python files.
pub const PYTHON: &str = include_str!("declarations.py");
const TYPESCRIPT: &str = include_str!("declarations.js");

/// The compiler that parses TypeScript and JavaScript.
const COMPILER: Package = Package {
    registry: Registry::Npm,
    name: "typescript",
    version: "5.9.3",
    files: "lib/typescript.js",
};

/// What gives a second opinion of a language.
#[derive(Debug)]
pub enum Second {
    /// It knows all declarations.
    Parser(Parser),
    /// It knows some.
    Rule(Rule),
    /// There is none.
    None,
}

/// A parser of the language itself.
#[derive(Debug)]
pub enum Parser {
    Python,
    /// The compiler.
    TypeScript(PathBuf),
}

impl Second {
    /// The one for a language.
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

    /// What it is called.
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
    /// The declarations of files, one path to a line.
    pub fn declarations(&self, language: &Compared, files: &str) -> Result<Declarations, String> {
        let printed = match self {
            Self::Python => told(Command::new("python3").args(["-c", PYTHON]), files)?,
            Self::TypeScript(compiler) => {
                let mut command = Command::new("node");
                told(command.args(["-e", TYPESCRIPT]).arg(compiler), files)?
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
