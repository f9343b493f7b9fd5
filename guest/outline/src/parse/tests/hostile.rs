//! Hostile texts, which try to take long or to cause a panic.

use super::super::parse;
use crate::languages::ALL;
use crate::{Budget, plan};
#[cfg(unix)]
use std::time::Duration;

/// Short texts that the tests repeat and combine.
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

/// Short texts whose repetition takes long if the parser searches for the same missing end again
/// and again.
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
fn repeated_parts_do_not_panic() {
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

/// The CPU time that this thread has used so far. Other programs do not affect it.
#[cfg(unix)]
fn ran() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(
        u64::try_from(time.tv_sec).unwrap(),
        u32::try_from(time.tv_nsec).unwrap(),
    )
}

/// The number of times that a text is measured which seems to take too long.
#[cfg(unix)]
const ATTEMPTS: usize = 5;

/// Checks that parsing a text of four times the length takes less than ten times as long. It would
/// take sixteen times as long if the parser searched for a missing end from each start again.
#[cfg(unix)]
#[test]
fn long_texts_take_linear_time() {
    let taken = |text: &str, language| {
        let start = ran();
        let parsed = parse(text, language);
        let budget = Budget {
            lines: 1000,
            headings: 1000,
            bytes: 50_000,
        };
        plan(text, &parsed, budget);
        ran().saturating_sub(start)
    };
    for language in ALL {
        for part in PARTS.iter().chain(LONG) {
            // Even and odd numbers of parts are tested.
            for more in [0, 1] {
                let text = part.repeat(40_000 / part.len() + more);
                // Other programs slow the processor down, but hardly for all attempts.
                let is_linear = (0..ATTEMPTS).any(|_| {
                    let short = taken(&text, language);
                    short < Duration::from_millis(40)
                        || taken(&text.repeat(4), language) < short * 10
                });
                assert!(is_linear, "{} {part:?}", language.name);
            }
        }
    }
}

/// Parses each pair of parts, one directly after the other.
#[test]
fn pairs_of_parts_do_not_panic() {
    for language in ALL {
        for one in PARTS {
            for other in PARTS {
                parse(&format!("{one}{other}{one}"), language);
            }
        }
    }
}

/// Cuts a text before each of its characters, and parses both halves.
#[test]
fn text_cut_at_any_character_does_not_panic() {
    let source = "class A { def f(x) = \"${a}\" /* b */ }\n'c' `d` <<E\nend\n#if\né(\"\"\"{|$f$ r#\"%w[ ?x ~s( <g h='i'>\n";
    for language in ALL {
        for (end, _) in source.char_indices() {
            parse(&source[..end], language);
            parse(&source[end..], language);
        }
    }
}
