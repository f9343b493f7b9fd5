//! Properties of all scanners, for any text.

use super::*;

/// Every scanner, with a text of its format.
fn scanners() -> Vec<(Scanner, String)> {
    let samples = [
        (
            "a.md",
            "---\na: 1\n---\n# A\n\nb\n---\n```x\n# c\n```\n<!-- d\n-->\n<h2>e</h2>\n",
        ),
        ("a.rst", "==\nA\n==\n\nB\n--\n\n  c\n"),
        ("a.adoc", "= A\n\nB\n--\n----\nc\n----\n// d\n"),
        ("a.org", "* A\n** B\n# c\n"),
        (
            "a.tex",
            "\\section[a]{A\n{b}}\n\\begin{verbatim}\n\\end{verbatim}\n% c\n",
        ),
        (
            "a.json",
            "{ // a\n 'b': [{\n\"c\\\"\": 1 /*\n*/ }, {}],\n d: {\n}, }\n",
        ),
        (
            "a.yml",
            "---\na: |\n  b\n- - c: \"d\n  \"\n  e: [1,\n 'x']\n&f g: # h\n---\n",
        ),
        (".eslintrc", "a:\n b: 1\n"),
        ("a.toml", "[a]\nb = '''\n'''\n[[a.c]]\n\"d\" = [ # e\n]\n"),
        ("a.ini", "; a\n[b]\nc = d \\\ne\nf:\n g\n"),
        (".env", "export A=\"b\nc\"\n"),
        (
            "a.xml",
            "<?x?><!DOCTYPE a [<!-- ' -->]>\n<a b='c>'\n>\n<d/><e>\n</e>\n<![CDATA[\n]]></a>\n",
        ),
        ("a.csv", "a,b\n1,\"c\n\"\n2,3\n"),
    ];
    samples
        .into_iter()
        .map(|(name, text)| (by_name(name).unwrap(), text.to_owned()))
        .collect()
}

/// Panics if the lines or parents in the result of a scan are inconsistent with each other or with
/// the text.
fn check(text: &str, found: Option<Scanned>) {
    let lines = u32::try_from(text.split('\n').count()).unwrap();
    match found {
        None => {}
        Some(Scanned::Sample(sample)) => {
            let mut before = 0;
            for (first, last) in sample.shown {
                assert!(
                    first > before && last >= first && last <= lines,
                    "{first}-{last} in {text:?}"
                );
                before = last + 1;
            }
        }
        Some(Scanned::Items(parsed)) => {
            let (mut start, mut line) = (0, 1);
            for (at, item) in parsed.items.iter().enumerate() {
                line += text[start..item.start].matches('\n').count();
                let sound = item.first >= 1
                    && item.first <= item.line
                    && item.line <= item.last
                    && item.head <= item.last
                    && item.last <= lines
                    && item.first as usize == line;
                assert!(sound, "{item:?} in {text:?}");
                start = item.start;
                if let Some(parent) = item.parent {
                    assert!(parent < at, "{item:?} in {text:?}");
                    let parent = &parsed.items[parent];
                    assert!(
                        parent.first <= item.first && parent.last >= item.last,
                        "{parent:?} holds {item:?} in {text:?}"
                    );
                }
            }
            assert!(
                parsed
                    .unbalanced_at
                    .is_none_or(|lost| lost >= 1 && lost <= lines),
                "{text:?}"
            );
            assert!(
                parsed.comments.is_sorted() && parsed.comments.iter().all(|run| run.1 <= lines),
                "{text:?}"
            );
        }
    }
}

#[test]
fn damaged_texts_result_in_consistent_items() {
    let inserted = [
        "\n", "\"", "'", "[", "]", "{", "}", "<", ">", "-", "#", "=", "ä", "\t", ":", " ", "/*",
        "```\n", "<!--", "|\n",
    ];
    for (scan, text) in scanners() {
        check(&text, scan(&text));
        for at in (0..=text.len()).filter(|at| text.is_char_boundary(*at)) {
            let (before, after) = text.split_at(at);
            check(before, scan(before));
            check(after, scan(after));
            let mut shorter = after.chars();
            shorter.next();
            let shorter = format!("{before}{}", shorter.as_str());
            check(&shorter, scan(&shorter));
            for more in inserted {
                let longer = format!("{before}{more}{after}");
                check(&longer, scan(&longer));
            }
        }
    }
}

#[test]
fn texts_of_other_formats_result_in_consistent_items() {
    let all = scanners();
    for (scan, _) in &all {
        for (_, text) in &all {
            check(text, scan(text));
            let text = text.repeat(20);
            check(&text, scan(&text));
        }
    }
}

#[test]
fn scanner_is_chosen_by_file_name() {
    let kind = |name: &str| {
        let scan = by_name(name)?;
        let heading = "# a\n\n[b]\nc = 1\nd: 2\ne:\n  f: 1\n\n<g>\n</g>\n";
        Some(match scan(heading) {
            Some(Scanned::Items(parsed)) => parsed.items[0].name.clone(),
            Some(Scanned::Sample(_)) => "sample".to_owned(),
            None => "none".to_owned(),
        })
    };
    let cases = [
        ("README.md", Some("a")),
        ("x/y.MARKDOWN", Some("a")),
        ("C:\\x\\Cargo.lock", Some("b")),
        (".editorconfig", Some("b")),
        ("a.properties", Some("b")),
        (".env", Some("b")),
        (".env.local", Some("b")),
        ("pnpm-lock.yaml", Some("d")),
        ("package.json", Some("none")),
        ("pom.xml", Some("none")),
        ("a.jsonl", Some("none")),
        ("app.log", Some("none")),
        ("app.log.1", None),
        ("a.ipynb", None),
        ("a.txt", None),
        ("README", None),
        ("env", None),
        ("catalog.1", None),
        ("a.rs", None),
        ("", None),
    ];
    for (name, expected) in cases {
        assert_eq!(kind(name).as_deref(), expected, "{name}");
    }
}

#[test]
fn repeated_hostile_parts_result_in_consistent_items() {
    let parts = [
        "[",
        "{",
        "- ",
        "-\n",
        "<a>",
        "<a",
        "</a>",
        "#",
        "# \n",
        "\"",
        "'",
        "'''",
        "{\"a\":",
        "[[\n",
        "a:\n",
        "<!--",
        "`",
        "```\n",
        "a\n",
        "=\n",
        "a,",
        "\"\n",
        "a,\"\n",
        "*",
        "\\section{",
        "\u{e4}",
        "a: [\n",
        "- - a: 1\n",
        "&a ",
        "1",
        "]\n",
        " }\n",
        "<a b='",
    ];
    for part in parts {
        let text = part.repeat(30_000 / part.len());
        for (scan, _) in scanners() {
            check(&text, scan(&text));
        }
    }
}
