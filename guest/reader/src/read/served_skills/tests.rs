use super::*;
use crate::world::memory::MemoryWorld;

fn head(name: &str) -> String {
    format!("---\nname: {name}\ndescription: about {name}\n---\n")
}

fn all(world: &mut MemoryWorld) -> (Vec<ServedSkill>, Vec<SkippedSkill>, usize) {
    let (mut skills, mut skipped) = (Vec::new(), Vec::new());
    let mut next = None;
    for pages in 1..1000 {
        let page = served_skills(next.as_deref(), world).unwrap();
        skills.extend(page.skills);
        skipped.extend(page.skipped);
        match page.next {
            Some(_) if page.next == next => panic!("no progress at {next:?}"),
            Some(more) => next = Some(more),
            None => return (skills, skipped, pages),
        }
    }
    panic!("the pages do not end")
}

fn paths(skills: &[ServedSkill]) -> Vec<&str> {
    skills.iter().map(|skill| skill.path.as_str()).collect()
}

#[test]
fn skills_and_namespaces_are_served_with_their_files() {
    let mut world = MemoryWorld::new("/w");
    world
        .file("skill/pdf/SKILL.md", head("pdf"))
        .file("skill/pdf/refs/forms.md", "forms\n")
        .file("skill/pdf/.git/config", "hidden\n")
        .file("skill/team/a/SKILL.md", head("a"))
        .file("skill/team/b/SKILL.md", head("b"))
        .file("skill/README.md", "no skill\n")
        .mount("skill");
    let (skills, skipped, pages) = all(&mut world);
    assert_eq!(paths(&skills), ["pdf", "team/a", "team/b"]);
    assert_eq!((skipped, pages), (Vec::new(), 1));
    let files: Vec<&str> = skills[0]
        .files
        .iter()
        .map(|file| file.path.as_str())
        .collect();
    assert_eq!(files, ["SKILL.md", "refs/forms.md"]);
    assert_eq!(skills[0].files[1].size, 6);
    assert_eq!(skills[0].left_out, ["hidden entries: 1"]);
    // The order of the keys depends on a feature of serde_json that other crates of a build may enable.
    let front_matter: serde_json::Value = serde_json::from_str(&skills[0].front_matter).unwrap();
    let expected = serde_json::json!({ "name": "pdf", "description": "about pdf" });
    assert_eq!(front_matter, expected);
    assert_eq!(served_skill("team/a", &mut world).unwrap(), skills[1]);
    let entries = served_directory("pdf", None, &mut world).unwrap();
    let entries = entries.entries.iter();
    let entries: Vec<_> = entries
        .map(|entry| (entry.name.as_str(), entry.size))
        .collect();
    assert_eq!(entries, [("SKILL.md", Some(41)), ("refs", None)]);
    assert_eq!(
        served_file("pdf/refs/forms.md", &mut world).unwrap(),
        b"forms\n"
    );
}

#[test]
fn skills_that_do_not_satisfy_the_specification_are_named_with_the_reason() {
    let mut world = MemoryWorld::new("/w");
    world
        .file("skill/Bad_Name/SKILL.md", head("Bad_Name"))
        .file("skill/bare/SKILL.md", "# no front matter\n")
        .file("skill/binary/SKILL.md", b"---\nname: \xff\n---\n".to_vec())
        .file(
            "skill/broken/SKILL.md",
            "---\nname: \"broken\"\n  a: b\n---\n",
        )
        .file(
            "skill/long/SKILL.md",
            format!("---\n{}", "k: v\n".repeat(20_000)),
        )
        .file("skill/mute/SKILL.md", "---\nname: mute\n---\n")
        .file("skill/nameless/SKILL.md", "---\ndescription: x\n---\n")
        .file("skill/other/SKILL.md", head("another"))
        .file("skill/fine/SKILL.md", head("fine"))
        .mount("skill");
    let (skills, skipped, _) = all(&mut world);
    assert_eq!(paths(&skills), ["fine"]);
    let reasons = skipped.iter();
    let reasons: Vec<_> = reasons
        .map(|skipped| (skipped.path.as_str(), skipped.reason.as_str()))
        .collect();
    assert_eq!(
        reasons,
        [
            (
                "Bad_Name",
                "names of skills have 1 to 64 lower-case letters, digits and hyphens"
            ),
            ("bare", "there is no front matter"),
            ("binary", "`SKILL.md` is not UTF-8"),
            (
                "broken",
                "cannot read the front matter: the indentation is not valid YAML (line 3)"
            ),
            ("long", "the front matter is longer than 64 KiB"),
            ("mute", "the front matter has no description"),
            ("nameless", "the front matter has no name"),
            (
                "other",
                "the name in the front matter, `another`, is not that of the directory"
            ),
        ]
    );
    let failure = served_skill("mute", &mut world).unwrap_err();
    assert_eq!(
        failure.message,
        "cannot serve `skill://mute`: the front matter has no description".into()
    );
}

#[test]
fn too_large_skills_are_named() {
    let mut world = MemoryWorld::new("/w");
    world
        .file("skill/bytes/SKILL.md", head("bytes"))
        .file("skill/bytes/a", vec![0; 16 << 20])
        .file("skill/edge/SKILL.md", head("edge"))
        .file("skill/files/SKILL.md", head("files"))
        .mount("skill");
    let size = (16 << 20) - head("edge").len();
    world.file("skill/edge/a", vec![0; size]);
    for number in 0..512 {
        world.file(&format!("skill/files/{number}"), "");
    }
    let (skills, skipped, _) = all(&mut world);
    assert_eq!(paths(&skills), ["edge"]);
    let reasons: Vec<&str> = skipped
        .iter()
        .map(|skipped| skipped.reason.as_str())
        .collect();
    assert_eq!(
        reasons,
        [
            "its files have more than 16 MiB",
            "it has more than 512 files"
        ]
    );
}

#[test]
fn pages_end_and_continue_without_gaps() {
    let mut world = MemoryWorld::new("/w");
    for number in 0..130 {
        world.file(
            &format!("skill/a{number:03}/SKILL.md"),
            head(&format!("a{number:03}")),
        );
        world.file(
            &format!("skill/n/b{number:03}/SKILL.md"),
            head(&format!("b{number:03}")),
        );
    }
    world
        .file("skill/n-after/SKILL.md", head("n-after"))
        .file("skill/m/file", "no skill\n")
        .mount("skill");
    let (skills, skipped, pages) = all(&mut world);
    assert_eq!((skills.len(), skipped.len(), pages), (261, 0, 3));
    let mut sorted = paths(&skills);
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(sorted.len(), 261);
    for after in ["", "x", "9999999999999999999999/a", "-1/a"] {
        assert!(served_skills(Some(after), &mut world).is_err(), "{after}");
    }
    assert!(
        served_skills(Some("7/a"), &mut world)
            .unwrap()
            .skills
            .is_empty()
    );
}

#[test]
fn page_may_end_at_a_namespace() {
    let mut world = MemoryWorld::new("/w");
    for path in ["a", "n/b", "n/c", "n-after", "o/d", "p/no-skill/x", "q/e"] {
        let name = path.rsplit('/').next().unwrap();
        world.file(&format!("skill/{path}/SKILL.md"), head(name));
    }
    world.mount("skill");
    let expected = ["a", "n/b", "n/c", "n-after", "o/d", "q/e"];
    for most in 1..12 {
        let (mut found, mut next) = (Vec::new(), None);
        for _ in 0..20 {
            let page = page(next.as_deref(), most, &mut world).unwrap();
            found.extend(page.skills.into_iter().map(|skill| skill.path));
            next = page.next;
            if next.is_none() {
                break;
            }
        }
        found.sort_unstable();
        let mut expected = expected;
        expected.sort_unstable();
        assert_eq!(
            (found, next),
            (expected.map(str::to_owned).to_vec(), None),
            "{most}"
        );
    }
}

#[test]
fn paths_that_are_in_no_skill_are_not_found() {
    let mut world = MemoryWorld::new("/w");
    world
        .file("skill/pdf/SKILL.md", head("pdf"))
        .file("skill/pdf/.env", "secret\n")
        .file("skill/loose.md", "loose\n")
        .file("secret.md", "secret\n")
        .link("skill/pdf/out.md", "../../secret.md")
        .link("skill/pdf/abs.md", "/etc/passwd")
        .mount("skill");
    for path in [
        "",
        "/",
        "pdf",
        "pdf/",
        "pdf//SKILL.md",
        "pdf/./SKILL.md",
        "pdf/../pdf/SKILL.md",
        "../secret.md",
        "pdf/../../secret.md",
        "pdf/.env",
        "pdf/none.md",
        "loose.md",
        "pdf/SKILL.md\0",
        "pdf/abs.md",
    ] {
        assert!(served_file(path, &mut world).is_err(), "{path}");
    }
    assert!(served_directory("pdf/SKILL.md", None, &mut world).is_err());
    assert!(served_directory("", None, &mut world).is_err());
    let skill = served_skill("pdf", &mut world).unwrap();
    assert!(skill.files.iter().all(|file| file.path != "abs.md"));
    assert!(skill.left_out.iter().any(|note| note.contains("`abs.md`")));
}
