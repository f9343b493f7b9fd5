//! Tests of conflicts that are not whole, or whose markers are not certain.

use super::*;

#[test]
fn side_whose_lines_are_not_certain_is_refused() {
    let mut world = MemoryWorld::new("/ws");
    // A heading whose line has seven signs looks like the line between the sides.
    world.file(
        "R.md",
        "<<<<<<< HEAD\nLicense\n=======\n\nMIT\n=======\nInstall\n=======\n\nmake\n>>>>>>> topic\n",
    );
    world.file(
        "base.md",
        "<<<<<<< HEAD\nNew\n=======\n||||||| o\nOld\n=======\n=======\nx\n>>>>>>> topic\n",
    );
    world.file(
        "end.md",
        "<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> quoted\nz\n>>>>>>> topic\n",
    );
    let lines = "lines 3, 6 and 8 may divide its sides";
    for side in ["ours", "theirs", "side/1", "ours:raw"] {
        let path = format!("R.md:conflict:1/{side}");
        let expected = format!(
            "the text of `{path}` is not certain: {lines}\nhint: read the whole conflict with `R.md:conflict:1`"
        );
        assert!(refused(&mut world, &path).ends_with(&expected), "{side}");
    }
    let entry = format!(":conflict:1 lines 1-11: /ours `HEAD`, /theirs `topic`; {lines}");
    assert!(text(&mut world, "R.md:conflicts").contains(&entry));
    let note = format!("[conflict 1: {lines}]");
    assert!(text(&mut world, "R.md:conflict:1").contains(&note));
    assert!(text(&mut world, "base.md:conflict:1/ours").starts_with("New\n=======\n"));
    for side in ["base", "theirs"] {
        let failure = refused(&mut world, &format!("base.md:conflict:1/{side}"));
        assert!(
            failure.contains("lines 6 and 7 may divide its sides"),
            "{failure}"
        );
    }
    assert!(text(&mut world, "end.md:conflict:1/ours").starts_with("x\n"));
    let failure = refused(&mut world, "end.md:conflict:1/theirs");
    let end =
        "lines 5 and 7 may be its last marker\nhint: read the whole conflict with `end.md:1-7`";
    assert!(failure.ends_with(end), "{failure}");
}

#[test]
fn reply_says_what_a_conflict_lacks() {
    let mut world = MemoryWorld::new("/ws");
    let inner = "<<<<<<< c\n1\n=======\n2\n>>>>>>> d\n";
    for (content, lacks) in [
        (
            "<<<<<<< a\nx\n=======\ny\n".to_owned(),
            "its last marker is missing",
        ),
        (
            "<<<<<<< a\nx\n>>>>>>> b\n".to_owned(),
            "no line divides its sides",
        ),
        (
            format!("<<<<<<< a\n{inner}=======\ny\n>>>>>>> b\n"),
            "1 nested in its sides",
        ),
    ] {
        world.file("f", content);
        assert!(text(&mut world, "f:conflicts").ends_with(&format!("; {lacks}")));
        for path in ["f:conflict:1", "f:conflict:1/ours"] {
            let shown = text(&mut world, path);
            assert!(shown.contains(&format!("[conflict 1: {lacks}]")), "{shown}");
        }
    }
}

#[test]
fn bases_of_jujutsu_have_paths() {
    let mut world = MemoryWorld::new("/ws");
    let text_of = "<<<<<<< c\n%%%%%%% diff from: one\n\\\\\\\\\\\\\\        to: x\n-b\n+x\n------- two\nB\n\
                   +++++++ y\ny\n+++++++ z\nz\n>>>>>>> c ends\n";
    world.file("f", text_of);
    let list = text(&mut world, "f:conflicts");
    assert!(
        list.ends_with("/side/3 `z`, /base/1 `one`, /base/2 `two`"),
        "{list}"
    );
    for (path, shown) in [
        ("f:conflict:1/base", "b\n\n[base of conflict 1, `one`"),
        ("f:conflict:1/base/1", "b\n\n[base 1 of conflict 1, `one`"),
        (
            "f:conflict:1/base/2",
            "B\n\n[base 2 of conflict 1, `two`: line 7 of f]",
        ),
    ] {
        let text = text(&mut world, path);
        assert!(text.starts_with(shown), "{text}");
    }
    let failure = refused(&mut world, "f:conflict:1/base/3");
    assert!(
        failure.contains("conflict 1 of `f` has no such base"),
        "{failure}"
    );
}
