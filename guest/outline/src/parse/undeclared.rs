//! Texts that declare nothing.

use crate::grammar::Nesting;
use crate::item::Parsed;
use crate::language::Language;
use crate::lexer::Lexer;
use crate::token;
use memchr::memmem::Finder;

/// The signs with which the lines of a merge conflict begin.
const CONFLICT: [&str; 4] = ["<<<<<<<", "|||||||", "=======", ">>>>>>>"];

/// Recognises texts of a language in which nothing can be a declaration, like most cells of a notebook.
pub struct Undeclared {
    language: &'static Language,
    /// What a declaration, a comment or a merge conflict begins with.
    signs: Vec<Finder<'static>>,
}

impl Undeclared {
    /// `None` for languages but those of indentation, in which each declaration begins with a keyword, and for those whose
    /// comments or keywords have other forms than one.
    pub fn new(language: &'static Language) -> Option<Self> {
        let is_exact = !language.case_insensitive && language.lex_rules.block_comments.is_empty();
        if !matches!(language.nesting, Nesting::Indentation) || !is_exact {
            return None;
        }
        let keywords = language.keywords.iter().map(|keyword| keyword.word);
        let others = [
            language.modifiers,
            language.control,
            language.imports,
            language.lex_rules.line_comments,
            &["@"],
            &CONFLICT,
        ];
        let signs = keywords.chain(others.into_iter().flatten().copied());
        Some(Self {
            language,
            signs: signs.map(Finder::new).collect(),
        })
    }

    /// The result of [`parse`](super::parse) for a text in which nothing can be a declaration, without
    /// [`Parsed::file_doc`] and without [`Parsed::unbalanced_at`]: after a bracket that does not match, no declaration is
    /// missing. `None` for other texts.
    pub fn parsed(&self, text: &str) -> Option<Parsed> {
        let is_in = |sign: &Finder<'_>| sign.find(text.as_bytes()).is_some();
        if self.signs.iter().any(is_in) {
            return undeclared(text, self.language);
        }
        Some(Parsed::default())
    }
}

/// The result for a text that has keywords, decorators and signs of a merge conflict only in strings and comments, all of
/// which end.
fn undeclared(text: &str, language: &'static Language) -> Option<Parsed> {
    let mut lexer = Lexer::new(text, language);
    while let Some(token) = lexer.next_notable() {
        match token.kind {
            token::Kind::Word if token.roles.is_none() => {}
            token::Kind::Word | token::Kind::Directive | token::Kind::Punct(b'@') => return None,
            _ => {}
        }
    }
    if lexer.broken || lexer.unended.is_some() {
        return None;
    }
    let comments = lexer.comments.iter();
    let comments = comments.map(|comment| (comment.first, comment.last));
    Some(Parsed {
        comments: comments.collect(),
        ..Parsed::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::languages::by_mode;
    use crate::parse::parse;
    use proptest::prelude::*;

    fn undeclared(text: &str, language: &'static Language) -> Option<Parsed> {
        Undeclared::new(language)?.parsed(text)
    }

    #[test]
    fn text_without_keywords_declares_nothing() {
        let python = by_mode("python").unwrap();
        for text in [
            "",
            "x = f(1, 'a')\n",
            "# a comment\nx = [\n    1,\n]\n",
            "if x:\n    y = {'a': (1, 2)}\nelse:\n    pass\n",
            "x = 'a @ class' # def\n",
            // Brackets that do not match hide no declaration.
            "f(1",
            "f(1] # a",
            // Wherever the string ends, it has no keyword.
            "x = 'a\n",
        ] {
            assert!(undeclared(text, python).is_some(), "{text}");
        }
        for text in [
            "def f(): pass",
            "import a",
            "@a\n",
            "x = 'a # b\n",
            "<<<<<<< a\n",
        ] {
            assert!(undeclared(text, python).is_none(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn result_is_that_of_the_parser(
            pieces in prop::collection::vec(prop::sample::select(&[
                "x", "y1", "if", "for x in", "lambda", "def", "class C", "import a", "from", "async", "0", "1.5", "'s'",
                "\"t\"", "''", "'a\\'b'", "\"\\\\\"", "\r", "\"\"\"doc\"\"\"", "f'{x}'", "'", "\"\"\"", "(", ")", "[", "]",
                "{", "}", ",", ":", "=", "==", ".", "->", "@", "@a", ";", "\\", "# note", "\n", "\n", "\n    ", "\n\t", "\n\n", " ", "\u{e9}", "%", "!",
                "<<<<<<< a", "=======", "()", "[]", "(x, 1)", "a=1;", "x+=2", "b.c:", "3.4j", "12:", "7e", "-1", "*x", "def", "=\ndef",
            ][..]), 0..24)
        ) {
            let text = pieces.join(" ").replace(" \n", "\n");
            for language in ["python", "rust", "javascript"] {
                let language = by_mode(language).unwrap();
                if let Some(found) = undeclared(&text, language) {
                    let expected = parse(&text, language);
                    prop_assert!(expected.items.is_empty() && expected.imports.is_empty());
                    prop_assert_eq!(&found.comments, &expected.comments);
                }
            }
        }
    }
}
