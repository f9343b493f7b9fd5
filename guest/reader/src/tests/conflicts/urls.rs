//! Tests of `conflict://N`.

use super::*;

#[test]
fn url_of_a_conflict_is_one_of_the_file_whose_conflicts_were_shown() {
    let mut world = MemoryWorld::new("/ws");
    world
        .file("a.rs", TEXT)
        .file("b.txt", THREE)
        .file("plain.txt", "x\n");
    let failed = |world: &mut MemoryWorld, path: &str| {
        Dialect::Omp.read(path, &exact(), world).unwrap_err().text
    };
    let unknown = failed(&mut world, "conflict://1/ours");
    assert!(unknown.contains("`PATH:conflict:1/ours`"), "{unknown}");
    text(&mut world, "plain.txt:conflicts");
    assert_eq!(failed(&mut world, "conflict://1/ours"), unknown);
    // A page, a list, a conflict and a side show conflicts.
    for shown in [
        "a.rs",
        "a.rs:conflicts",
        "a.rs:conflict:1",
        "a.rs:conflict:2/theirs",
    ] {
        world.cache.clear();
        text(&mut world, shown);
        text(&mut world, "plain.txt");
        for selector in ["1", "2", "1/ours", "1/base", "2/theirs", "1/side/2:raw"] {
            let url = text(&mut world, &format!("conflict://{selector}"));
            let path = format!("a.rs:conflict:{selector}");
            let note = format!("[`conflict://{selector}` is `{path}`]");
            assert!(url.contains(&note), "{url}");
            assert_eq!(
                url.replace(&note, "").trim_end(),
                text(&mut world, &path).trim_end(),
                "{selector}"
            );
        }
        assert!(text(&mut world, "conflict://").contains("2 unresolved merge conflicts"));
    }
    for wrong in [
        "conflict://x",
        "conflict://1/left",
        "conflict://0",
        "conflict://9",
    ] {
        assert!(!failed(&mut world, wrong).is_empty());
    }
    // After a change, another conflict may have the number. The size and the time may be as before.
    for changed in [
        &TEXT[TEXT.find("three").unwrap()..],
        &TEXT.replace("main", "MAIN"),
    ] {
        world.file("a.rs", changed);
        for _ in 0..2 {
            let changed = failed(&mut world, "conflict://1");
            assert!(changed.contains("`a.rs` has changed since"), "{changed}");
            assert!(changed.contains("`a.rs:conflicts`"), "{changed}");
        }
        text(&mut world, "a.rs:conflicts");
        text(&mut world, "conflict://1");
    }
}

#[test]
fn url_of_a_conflict_of_several_files_is_refused() {
    let mut world = MemoryWorld::new("/ws");
    world.file("a.rs", TEXT).file("b.txt", THREE);
    world.file("c.txt", TEXT);
    for shown in ["a.rs:conflicts", "b.txt", "c.txt"] {
        text(&mut world, shown);
    }
    let failed = |world: &mut MemoryWorld| {
        let failed = Dialect::Omp.read("conflict://1/ours", &exact(), world);
        failed.unwrap_err().text
    };
    for _ in 0..2 {
        let failure = failed(&mut world);
        let expected = "the session showed conflicts of 3 files\nhint: use `c.txt:conflict:1/ours` \
                        or `b.txt:conflict:1/ours` or `a.rs:conflict:1/ours`";
        assert!(failure.ends_with(expected), "{failure}");
    }
    // A page of content that no edit tool changes does not count, but its list does.
    world.file("a.zip", web::zip(&[("d.rs", TEXT.as_bytes())]));
    text(&mut world, "a.zip:d.rs");
    assert!(failed(&mut world).contains("of 3 files"));
    text(&mut world, "a.zip:d.rs:conflicts");
    assert!(failed(&mut world).contains("of 4 files"));
    world.file("a.zip", web::zip(&[("d.rs", b"resolved\n")]));
    // Those without conflicts do not count, nor those that are gone. A file that changed does.
    world
        .file("a.rs", "resolved\n")
        .file("c.txt", TEXT.replace("two", "TWO"));
    assert!(failed(&mut world).contains("of 2 files"));
    world.link("b.txt", "gone");
    let failure = failed(&mut world);
    assert!(failure.contains("`c.txt` has changed since"), "{failure}");
    world.file("c.txt", "resolved\n");
    world.file("d.txt", THREE);
    text(&mut world, "d.txt");
    assert!(text(&mut world, "conflict://1/side/3").starts_with("three"));
}

#[test]
fn url_of_a_conflict_does_not_depend_on_the_working_directory() {
    let mut world = MemoryWorld::new("/ws");
    world.file("a.txt", TEXT);
    text(&mut world, "a.txt:conflicts");
    let cache = world.cache.clone();
    let mut other = MemoryWorld::new("/other");
    other.file("a.txt", THREE);
    other.cache = cache;
    let failed = Dialect::Omp.read("conflict://1/ours", &exact(), &mut other);
    let failure = failed.unwrap_err().text;
    assert!(failure.contains("/ws/a.txt"), "{failure}");
}
