use super::*;
use crate::sources::search;
use crate::world::memory::MemoryWorld;

/// The failure for the path `typed`, which does not exist, in a directory with these files. `names`
/// has the candidates for the pattern.
fn missing_among(files: &[&str], typed: &str, names: &[&str]) -> Option<Failure> {
    let mut world = MemoryWorld::new("/ws");
    for file in files {
        world.file(file, "x\n");
    }
    let end = search::end(&world);
    missing(typed, names, end, &mut world)
}

fn found(pattern: &str, files: &[&str]) -> Vec<String> {
    match missing_among(files, pattern, &[pattern]).map(|failure| failure.reason) {
        Some(Reason::NotFound(paths)) => paths,
        Some(other) => panic!("{other:?}"),
        None => Vec::new(),
    }
}

#[test]
fn patterns_match_as_in_shells() {
    let files = &[
        "src/a.rs",
        "src/b.rs",
        "src/deep/c.rs",
        "src/.hidden.rs",
        "src/[id].tsx",
        "notes.txt",
        "target/d.rs",
    ];
    for (pattern, expected) in [
        ("src/*.rs", &["src/a.rs", "src/b.rs"][..]),
        ("src/?.rs", &["src/a.rs", "src/b.rs"]),
        ("src/[ac].rs", &["src/a.rs"]),
        ("src/{b,c}.rs", &["src/b.rs"]),
        ("*/deep/*", &["src/deep/c.rs"]),
        ("src/.h*", &["src/.hidden.rs"]),
        ("**/c.rs", &["src/deep/c.rs"]),
        ("**/*.rs", &["src/a.rs", "src/b.rs", "src/deep/c.rs"]),
        ("target/*.rs", &["target/d.rs"]),
        ("/ws/src/a*", &["/ws/src/a.rs"]),
        ("*.md", &[]),
        ("src/*/", &["src/deep"]),
        ("**/**/c.rs", &["src/deep/c.rs"]),
        ("{src/a,src/deep/c}.rs", &["src/a.rs", "src/deep/c.rs"]),
        ("src/{a,deep/{b,c}}.rs", &["src/a.rs", "src/deep/c.rs"]),
        ("!notes.tx?", &[]),
        ("**/a.rs", &["src/a.rs"]),
        ("src/{a.rs,{b,x}.rs,y}", &["src/a.rs", "src/b.rs"]),
        ("src/{,.}hidden.rs", &["src/.hidden.rs"]),
        ("src/{a}*", &[]),
        ("src/[", &[]),
        ("src/a.rs", &[]),
    ] {
        assert_eq!(found(pattern, files), expected, "{pattern}");
    }
}

fn hint(pattern: &str, files: &[&str]) -> Option<String> {
    let failure = missing_among(files, pattern, &[pattern])?;
    Some(failure.hint.unwrap().to_string())
}

#[test]
fn alternatives_over_the_limit_are_reported() {
    for (directory, found) in [("d/", "d/f69"), ("", "f69"), ("d/", "f70"), ("", "f70")] {
        let parts: Vec<String> = (0..70).map(|n| format!("{directory}f{n}")).collect();
        let hint = hint(&format!("{{{}}}", parts.join(",")), &["d/f0", "f0", found]).unwrap();
        assert!(hint.contains("read a match:"), "{hint}");
        assert!(
            hint.ends_with("; only 64 of its alternatives were searched for"),
            "{hint}"
        );
    }
    let none = hint(&format!("{{{}}}", vec!["d"; 65].join(",")), &["f"]).unwrap();
    assert!(
        none.contains("no matching path was found; only 64"),
        "{none}"
    );
}

#[test]
fn alternatives_are_bounded() {
    // Without a limit, the first pattern would expand to 2^800 patterns.
    for (pattern, complete) in [
        ("{*,*}".repeat(800), false),
        ("{,".repeat(2000), true),
        (format!("{}{}", "{,".repeat(1300), "}".repeat(1300)), false),
        (
            format!("{{{}}}/{{{}}}", ",".repeat(2000), ",".repeat(2000)),
            false,
        ),
        (format!("?{}", ",{/}".repeat(1000)), true),
    ] {
        assert!(pattern.len() <= limits::PATH_BYTES);
        let (patterns, all) = alternatives(&pattern, |_| true);
        assert!(patterns.len() <= limits::ALTERNATIVES);
        assert_eq!(all, complete);
        hint(&pattern, &["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "d/e"]);
    }
}

#[test]
fn matches_of_the_second_name_precede_an_incomplete_search_of_the_first() {
    let files = &["a/x.zip", "node_modules/y.zip"];
    let names = &["**/*.zip:dir/f", "**/*.zip"];
    let failure = missing_among(files, names[0], names).unwrap();
    assert_eq!(failure.reason, Reason::NotFound(vec!["a/x.zip".into()]));
}

#[test]
fn unsearched_directories_are_reported() {
    let files = &["a/x.js", "node_modules/x.js"];
    let some = hint("**/x.js", files).unwrap();
    assert!(
        some.ends_with(
            "read its only match: `a/x.js`; directories like `node_modules` were not searched"
        ),
        "{some}"
    );
    let none = hint("**/*.py", files).unwrap();
    assert!(
        none.ends_with("found; directories like `node_modules` were not searched"),
        "{none}"
    );
    assert_eq!(hint("*.py", files), None);
    let deep = format!("{}x.js", "d/".repeat(70));
    for pattern in ["**/x.js", &format!("{}x.js", "*/".repeat(70))] {
        let deep = hint(pattern, &[&deep]).unwrap();
        assert!(
            deep.ends_with("; directories more than 64 levels deep were not searched"),
            "{deep}"
        );
    }
}

#[test]
fn many_matches_are_counted() {
    let names: Vec<String> = (0..1200).map(|n| format!("f{n:04}.txt")).collect();
    let files: Vec<&str> = names.iter().map(String::as_str).collect();
    let counted = |files: &[&str]| {
        let failure = missing_among(files, "*.txt:5", &["*.txt"]).unwrap();
        assert_eq!(&*failure.message, "Path '*.txt:5' not found");
        failure.hint.unwrap().to_string()
    };
    let few = counted(&files[..25]);
    assert!(
        few.contains("; read one of its 25 matches: `f0000.txt`, "),
        "{few}"
    );
    assert!(few.ends_with("`f0019.txt`, and 5 more"), "{few}");
    assert!(counted(&files).contains("; read one of its matches (at least 1000): "));
    assert!(counted(&files[..1]).contains("; read its only match: `f0000.txt`"));
}

#[test]
fn matches_of_members_are_at_least_those_that_were_compared() {
    let names: Vec<String> = (0..=limits::SIMILAR_ENTRIES)
        .map(|number| format!("{number}.log"))
        .collect();
    let hint = |count: usize| {
        let members = names.iter().take(count).map(String::as_str);
        let (_, hint) = of_members(&["*.log"], &members, str::to_owned).unwrap();
        hint
    };
    let most = limits::SIMILAR_ENTRIES;
    assert!(hint(most).contains(&format!("one of its {most} matches")));
    let more = hint(most + 1);
    assert!(more.contains(&format!("at least {most}")), "{more}");
}

/// The hint for a pattern in an archive with these members.
fn member_hint(pattern: &str, names: &[&str]) -> Option<String> {
    let members = names.iter().copied();
    of_members(&[pattern], &members, str::to_owned).map(|(_, hint)| hint)
}

#[test]
fn patterns_of_members_have_a_bounded_cost() {
    let long = "a".repeat(200);
    let names: Vec<String> = (0..20).map(|number| format!("{long}{number}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    for (pattern, is_complete) in [
        (format!("{}c", "{a,aa,aaa,*a}".repeat(8)), false),
        (format!("{}c", "{*a,a*}".repeat(40)), false),
        (format!("{}{}", "{,*".repeat(900), "}".repeat(900)), false),
        (format!("{}c", "*a".repeat(1000)), true),
    ] {
        let hint = member_hint(&pattern, &names);
        assert_eq!(hint.is_none(), is_complete, "{pattern}: {hint:?}");
    }
    let name = "a".repeat(60_000);
    let names = vec![name.as_str(); 1000];
    let members = names.iter().copied();
    let (_, all) = matching_members("*a", &["*a".repeat(2000)], members);
    assert!(!all);
}

#[test]
fn patterns_of_members_match_as_in_directories() {
    let names = ["a.log", "b.txt", "!c.log", "d/e.log", "{x}.log", "1.log"];
    for (pattern, expected) in [
        ("!*.log", Some("`!c.log`")),
        ("!!*.txt", None),
        ("{a,b}.*", Some("`a.log`, `b.txt`")),
        ("{x}*", Some("`{x}.log`")),
        ("d/{e,f}.log", Some("`d/e.log`")),
        ("{a,d/e}.log", Some("`a.log`, `d/e.log`")),
        ("**/e.log", Some("`d/e.log`")),
        ("*.md", None),
    ] {
        let hint = member_hint(pattern, &names);
        match expected {
            Some(end) => assert!(
                hint.as_ref().unwrap().ends_with(&format!(": {end}")),
                "{pattern}: {hint:?}"
            ),
            None => assert_eq!(hint, None, "{pattern}"),
        }
    }
}

#[test]
fn left_out_alternatives_of_members_are_reported() {
    let parts: Vec<String> = (0..70).map(|number| format!("f{number}")).collect();
    let pattern = format!("{{{}}}", parts.join(","));
    let end = "; only 64 of its alternatives were searched for";
    let some = member_hint(&pattern, &["f0", "f69"]).unwrap();
    assert!(
        some.contains("read a match: `f0`") && some.ends_with(end),
        "{some}"
    );
    let none = member_hint(&pattern, &["f69"]).unwrap();
    assert!(
        none.contains("no matching member was found") && none.ends_with(end),
        "{none}"
    );
}
