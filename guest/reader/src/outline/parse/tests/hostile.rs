//! Texts that are made to take long, or to break something.

use super::super::parse;
use crate::outline::languages::ALL;
use std::time::{Duration, Instant};

/// What is repeated.
const PARTS: &[&str] = &[
    "(",
    "{",
    "[",
    ")",
    "}",
    "]",
    "<a{",
    "\"",
    "'",
    "`",
    "/*",
    "r#\"",
    "<<A\n",
    "${",
    "\"${",
    "a<a<a<a",
    "word ",
    "@a(",
    "={},",
    "a;",
    "fn a(",
    "class a {",
    "def a\n",
    "end\n",
    "do ",
    "if ",
    "#if a\n{\n",
    "#else\n",
    "a:\n ",
    "%w(",
    "<a b={",
    "<a>{{",
    "<a b={() => {}}>",
    "a<b,\n",
    "`${/",
    "/[",
    "/a",
    "(a: (b) => {",
    "<script>",
    "<!--",
    "<h1>",
    "<a id=x>",
    "$a$",
    "<<<A\n",
    "[=[",
    "=begin\n",
    "~s\"\"\"",
    "s{a}",
    "\\",
    "é",
    "a=",
    "x=function ",
    "and a b =\n",
    "module A = struct\n",
    "@interface A\n",
    "- (void)a:(int)b ",
    "operator(",
    "template<a ",
    "(defn a ",
    "\n(a",
    "type A={",
    "let a=1,b=2,",
    "<<<<<<< a\n",
    "=======\n",
    "?>",
    "<?php ",
    "\u{0}",
    "\r\n",
    "\t",
    "// ",
    "# ",
    "-- ",
];

#[test]
fn nothing_panics() {
    for language in ALL {
        for part in PARTS {
            for times in [1, 2, 3, 700] {
                let parsed = parse(&part.repeat(times), language);
                let lines = parsed
                    .items
                    .iter()
                    .all(|item| item.first <= item.last && item.line >= 1);
                assert!(lines, "{} {part:?}", language.name);
            }
        }
    }
}

/// What has no end is not looked for again and again: it would take minutes.
#[test]
fn long_lines_take_linear_time() {
    for language in ALL {
        for part in PARTS {
            let text = part.repeat(100_000 / part.len());
            let start = Instant::now();
            parse(&text, language);
            let taken = start.elapsed();
            let limit = Duration::from_secs(2);
            assert!(taken < limit, "{} {part:?}: {taken:?}", language.name);
        }
    }
}

/// Each pair of parts, one behind the other.
#[test]
fn pairs() {
    for language in ALL {
        for one in PARTS {
            for other in PARTS {
                parse(&format!("{one}{other}{one}"), language);
            }
        }
    }
}

/// A text that ends anywhere.
#[test]
fn cut_anywhere() {
    let source = "class A { def f(x) = \"${a}\" /* b */ }\n'c' `d` <<E\nend\n#if\né(\"\"\"{|$f$ r#\"%w[ ?x ~s( <g h='i'>\n";
    for language in ALL {
        for (end, _) in source.char_indices() {
            parse(&source[..end], language);
            parse(&source[end..], language);
        }
    }
}
