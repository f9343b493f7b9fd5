//! Texts that are made to take long, or to break something.

use super::super::parse;
use crate::outline::languages::ALL;
use crate::outline::{Budget, plan};
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

/// What has taken long when it was repeated.
const LONG: &[&str] = &[
    "1..",
    "'1.",
    "#",
    "<<<",
    "//\n",
    "`${`\n",
    "\"#{\"\n",
    "\"$(\"\n",
    "s{ x}\\ ",
    "x=$(( 1 << n ))\n",
    "= <T>(x: T): T => {};\n",
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

/// What has no end is not looked for again and again: four times the text would
/// take sixteen times as long, and what is longer minutes.
#[test]
#[expect(clippy::disallowed_methods, reason = "hangs are told by a clock")]
fn long_texts_take_linear_time() {
    let taken = |text: &str, language| {
        let start = Instant::now();
        let parsed = parse(text, language);
        let budget = Budget {
            lines: 1000,
            headings: 1000,
            bytes: 50_000,
        };
        plan(text, &parsed, budget);
        start.elapsed()
    };
    for language in ALL {
        for part in PARTS.iter().chain(LONG) {
            // With an odd number of them as well.
            for more in [0, 1] {
                let text = part.repeat(40_000 / part.len() + more);
                let longer = text.repeat(4);
                if taken(&text, language) < Duration::from_millis(40) {
                    continue;
                }
                // Another program may take the processor during a try, not in all of them.
                let least = |text: &str| (0..4).map(|_| taken(text, language)).min();
                let (short, long) = (least(&text).unwrap(), least(&longer).unwrap());
                assert!(
                    long < short * 10,
                    "{} {part:?}: {short:?}, {long:?}",
                    language.name
                );
            }
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
