//! Tests of names in mounts: encoded ones, those of skills, and those of values.

use super::mounts::{refused_in, text_in, world};
use super::{Dialect, MemoryWorld, Options, exact};

#[test]
fn only_names_are_decoded() {
    let mut world = MemoryWorld::new("/ws");
    world.mount("agent").mount("local");
    world
        .file("agent/E 1.json", "{\"a:b\": 1, \"a%3Ab\": 2}")
        .file("local/my file.csv", "a,b\n%41%,1\nA,2\n")
        .file("local/with%20percent.txt", "as written\n")
        .file("local/with percent.txt", "decoded\n")
        .file(
            "local/sp.zip",
            super::web::zip(&[
                ("we ird/a b%20c.txt", b"in zip\n"),
                ("x%41", b"x\n"),
                ("xA", b"y\n"),
            ]),
        );
    for (path, expected) in [
        ("agent://E%201/a%3Ab", "1"),
        ("agent://E%201/a%253Ab", "2"),
        ("agent://E%201?q=.\"a%3Ab\"", "1"),
        ("local://sp.zip:we%20ird/a%20b%2520c.txt", "in zip"),
        ("local://sp.zip:we%20ird/a%20b%2520c.txt:1", "in zip"),
        ("local://sp.zip:x%41", "x"),
        ("local://with%20percent.txt", "1:as written"),
    ] {
        let text = text_in(&mut world, path);
        assert_eq!(
            text.trim_end().lines().last(),
            Some(expected),
            "{path}: {text}"
        );
    }
    for (path, expected) in [
        ("local://my%20file.csv?where=a='%41%'", "?where=a='%41%'"),
        ("local://sp.zip:x%41?limit=5", "x%41?limit=5"),
    ] {
        let found = crate::sources::resolve(path, &crate::sources::Wanted::default(), &mut world);
        let suffix = found.map_err(|failure| failure.message).unwrap().suffix;
        assert_eq!(suffix.unwrap().as_str(), expected);
    }
    let missing = refused_in(&mut world, "local://sp.zip:no%20ne.txt");
    assert!(
        missing.contains("'local://sp.zip:no%20ne.txt' not found"),
        "{missing}"
    );
}

#[test]
fn files_of_a_skill_are_from_one_mount() {
    let mut world = MemoryWorld::new("/ws");
    world.mount_at("skill", "ml1").mount_at("skill", "ml2");
    let skill = |name: &str| format!("---\nname: pdf\ndescription: {name}\n---\n");
    world
        .file("ml1/pdf/SKILL.md", skill("first"))
        .file("ml2/pdf/SKILL.md", skill("second"))
        .file("ml2/pdf/extra.md", "extra of the second\n")
        .file("ml1/team/a/SKILL.md", skill("first a"))
        .file("ml1/team/b/notes.md", "no skill here\n")
        .file("ml2/team/a/extra.md", "extra of no skill\n")
        .file("ml2/team/b/SKILL.md", skill("second b"))
        .file("ml2/only/SKILL.md", skill("only"));
    for (path, expected) in [
        ("skill://pdf", "first"),
        ("skill://team/a", "first a"),
        ("skill://team/b", "second b"),
        ("skill://team%2Fb", "second b"),
        ("skill://only/SKILL.md", "only"),
    ] {
        let text = text_in(&mut world, path);
        assert!(
            text.contains(&format!("description: {expected}\n")),
            "{path}: {text}"
        );
    }
    for path in [
        "skill://pdf/extra.md",
        "skill://team/a/extra.md",
        "skill://team/b/notes.md",
    ] {
        let text = refused_in(&mut world, path);
        assert!(text.contains("not found"), "{path}: {text}");
        assert!(!text.contains("similar"), "{path}: {text}");
    }
    for (path, files) in [
        ("skill://pdf/", ["SKILL.md"].as_slice()),
        ("skill://team/", &["a/", "SKILL.md", "b/", "SKILL.md"]),
    ] {
        let text = text_in(&mut world, path);
        assert!(
            !text.contains("extra.md") && !text.contains("notes.md"),
            "{path}: {text}"
        );
        for file in files {
            assert!(text.contains(file), "{path}: {text}");
        }
    }
}

#[test]
fn values_have_no_lines() {
    let combined = "Cannot combine query extraction with offset/limit";
    let options = Options {
        lines: Some("1-1".to_owned()),
        ..exact()
    };
    let failed = Dialect::Omp.read("agent://Task/found", &options, &mut world());
    let text = failed.unwrap_err().text;
    assert!(text.contains(combined), "{text}");
}

#[test]
fn keys_are_written_as_in_jq_and_indexes_in_one_way() {
    let mut world = MemoryWorld::new("/ws");
    world.mount("agent");
    world
        .file(
            "agent/A.json",
            "{\"odd key\": {\"a:b\": [1, 2]}, \"l\": [3, 4]}",
        )
        .file("agent/sub/y.md", "{\"k\": {\"a\": 5}}\n")
        .file("agent/sub.json", "{\"y\": {\"k\": {\"a\": 6}}, \"z\": 7}");
    for (path, expected) in [
        ("agent://A?q=.\"odd key\".\"a:b\"[1]", "2"),
        ("agent://A?q=.\"odd key\".\"a:b\"[1]:raw", "2"),
        ("agent://A/l/1", "4"),
        ("agent://sub/y/k/a", "5"),
        ("agent://sub/y?q=.k.a", "5"),
        ("agent://sub/z", "7"),
        ("agent://sub/y:1", "{\"k\": {\"a\": 5}}"),
    ] {
        assert_eq!(text_in(&mut world, path).trim_end(), expected, "{path}");
    }
    for (path, expected) in [
        ("agent://A/l/+1", "use an index from 0 to 1"),
        ("agent://A/l/01", "use an index from 0 to 1"),
        ("agent://A?q=.l[01]", "`[01]` is not a key"),
        ("agent://A?q=.\"odd key\".a:b", "`:b` is not a key"),
        ("agent://A?q=.l:1-2", "Cannot combine query extraction"),
        ("agent://../sub/y", "leads out of"),
    ] {
        let message = refused_in(&mut world, path);
        assert!(message.contains(expected), "{path}: {message}");
    }
}

#[test]
fn fresh_is_accepted_with_every_path() {
    let mut world = world();
    world
        .file("f.txt", "one\ntwo\n")
        .file("g.txt:fresh", "own name\n");
    for (path, expected) in [
        ("f.txt:fresh", "one"),
        ("f.txt:fresh:2-2", "two"),
        ("f.txt:2-2:fresh", "two"),
        ("f.txt:fresh:raw", "one"),
        ("g.txt:fresh", "own name"),
        ("agent://Task/found/1:fresh", "prose"),
        ("skill://pdf/forms.md:fresh:2-2", "two"),
    ] {
        let text = text_in(&mut world, path);
        assert!(text.contains(expected), "{path}: {text}");
    }
    let message = refused_in(&mut world, "h.txt:fresh");
    assert!(message.contains("'h.txt' not found"), "{message}");
}
