//! Texts that declare nothing.

use crate::grammar::Nesting;
use crate::item::Parsed;
use crate::language::Language;
use crate::lexer::Lexer;
use crate::limits;
use crate::token;

/// The result of [`parse`](super::parse) without [`Parsed::file_doc`] for a text in which nothing can be a declaration: it
/// has no keyword, no decorator and no merge conflict, and all its brackets match. Such a text, like most cells of a
/// notebook, needs only its tokens. `None` for other texts, and for languages but those of indentation, in which each
/// declaration begins with a keyword.
pub fn undeclared(text: &str, language: &'static Language) -> Option<Parsed> {
    if !matches!(language.nesting, Nesting::Indentation) {
        return None;
    }
    let mut lexer = Lexer::new(text, language);
    // The closing brackets of those that are open.
    let mut open = Vec::new();
    while let Some(token) = lexer.next_notable() {
        let closing = match token.kind {
            token::Kind::Word if token.roles.is_none() => continue,
            token::Kind::Punct(b'(') => b')',
            token::Kind::Punct(b'[') => b']',
            token::Kind::Punct(b'{') => b'}',
            token::Kind::Punct(sign @ (b')' | b']' | b'}')) => {
                if open.pop() != Some(sign) {
                    return None;
                }
                continue;
            }
            token::Kind::Word | token::Kind::Directive | token::Kind::Punct(b'@') => return None,
            _ => continue,
        };
        if open.len() >= limits::BLOCK_DEPTH {
            return None;
        }
        open.push(closing);
    }
    if !open.is_empty() || lexer.broken || lexer.unended.is_some() {
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

    #[test]
    fn text_without_keywords_declares_nothing() {
        let python = by_mode("python").unwrap();
        for text in [
            "",
            "x = f(1, 'a')\n",
            "# a comment\nx = [\n    1,\n]\n",
            "if x:\n    y = {'a': (1, 2)}\nelse:\n    pass\n",
        ] {
            assert!(undeclared(text, python).is_some(), "{text}");
        }
        for text in [
            "def f(): pass",
            "import a",
            "@a\n",
            "f(1",
            "f)",
            "f(1]",
            "x = 'a\n",
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
                "\"t\"", "\"\"\"doc\"\"\"", "f'{x}'", "'", "\"\"\"", "(", ")", "[", "]", "{", "}", ",", ":", "=", "==",
                ".", "->", "@", "@a", ";", "\\", "# note", "\n", "\n", "\n    ", "\n\t", "\n\n", " ", "\u{e9}", "%", "!",
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
                    prop_assert_eq!(expected.unbalanced_at, None);
                }
            }
        }
    }
}
