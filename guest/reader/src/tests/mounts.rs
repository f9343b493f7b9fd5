//! Tests of internal URLs in directories that are mounted for their schemes.

use super::*;

const SKILL: &str = "---\nname: pdf\ndescription: Use when: forms\n---\n# Forms\nFill them.\n";

pub fn world() -> MemoryWorld {
    let mut world = MemoryWorld::new("/ws");
    for scheme in ["skill", "rule", "memory", "local", "agent", "docs"] {
        world.mount(scheme);
    }
    world
        .file("a.md", "in the root\n")
        .file("skill/pdf/SKILL.md", SKILL)
        .file("skill/pdf/forms.md", "one\ntwo\nthree\n")
        .file(
            "skill/team/notes/SKILL.md",
            "---\ndescription: >\n  Team\n  notes\n---\n",
        )
        .file("skill/Bad_Name/SKILL.md", "---\ndescription: x\n---\n")
        .file("skill/silent/SKILL.md", "no front matter\n")
        .file("rule/style.md", "be brief\n")
        .file("rule/rust.mdc", "no unsafe\n")
        .file("memory/memory_summary.md", "summary\n")
        .file("memory/days/one.md", "day one\n")
        .file("local/plan.md", "step\n")
        .file("local/a:b.txt", "colon\n")
        .file("local/with space.txt", "space\n")
        .file(
            "agent/Task.md",
            "{\"found\": [{\"odd key\": 1.50}, \"prose\\ntext\"]}\n",
        )
        .file("agent/Task.Sub.md", "nested\n")
        .file("agent/Both.md", "the text\n")
        .file("agent/Both.json", "{\"from\": \"json\"}\n")
        .file("docs/guide/start.md", "# Start\n");
    world
}

fn text(path: &str) -> String {
    text_in(&mut world(), path)
}

pub fn text_in(world: &mut MemoryWorld, path: &str) -> String {
    let reply = reply(world, path, &exact());
    let blocks = reply.blocks.iter().map(|block| match block {
        Block::Text(text) => text.clone(),
        _ => "[image]".to_owned(),
    });
    blocks.collect::<Vec<_>>().join("\n\n")
}

fn refused(path: &str) -> String {
    refused_in(&mut world(), path)
}

pub fn refused_in(world: &mut MemoryWorld, path: &str) -> String {
    match Dialect::Omp.read(path, &exact(), world) {
        Ok(_) => panic!("{path} is read"),
        Err(failed) => failed.text,
    }
}

#[test]
fn names_of_each_scheme_lead_to_files() {
    for (path, expected) in [
        ("skill://pdf", SKILL),
        ("skill://pdf/forms.md:2-2", "two\n"),
        (
            "skill://team/notes",
            "---\ndescription: >\n  Team\n  notes\n---\n",
        ),
        ("rule://style", "be brief\n"),
        ("rule://rust", "no unsafe\n"),
        ("memory://root", "summary\n"),
        ("memory://root/days/one.md", "day one\n"),
        ("agent://Task.Sub", "nested\n"),
        ("agent://Both", "the text\n"),
        ("docs://guide/start.md", "# Start\n"),
        ("DOCS://guide/start.md", "# Start\n"),
    ] {
        assert_eq!(text(path).trim_end(), expected.trim_end(), "{path}");
    }
}

#[test]
fn skills_are_listed_with_descriptions() {
    let list = text("skill://");
    assert!(
        list.starts_with("Bad_Name: x\npdf: Use when: forms\nteam/notes: Team notes\n"),
        "{list}"
    );
    assert!(list.contains("`silent`"), "{list}");
    assert!(
        list.contains("lower-case letters, digits and hyphens: `Bad_Name`"),
        "{list}"
    );
    assert!(text("skill://:2-2").starts_with("pdf: "));
    // Neither a namespace nor a skill with a slash at its end is the list of all skills.
    for directory in ["skill://team/", "skill://pdf/"] {
        assert!(text(directory).starts_with(".\n"), "{directory}");
    }
}

#[test]
fn list_of_skills_names_what_is_odd() {
    let mut world = MemoryWorld::new("/ws");
    world
        .mount("skill")
        .file(
            "skill/pdf/SKILL.md",
            "---\nname: pdf\ndescription: |\n  - Use when reading PDF\n---\n",
        )
        .file(
            "skill/other/SKILL.md",
            "---\nname: another\ndescription: &d Text\n---\n",
        );
    let list = text_in(&mut world, "skill://");
    assert!(
        list.starts_with("other: Text\npdf: - Use when reading PDF\n"),
        "{list}"
    );
    assert!(
        list.contains("another name, which is not read: `other`"),
        "{list}"
    );
}

#[test]
fn skills_of_a_provider_come_after_those_of_mounts() {
    let mut world = world();
    let list = "pdf: of a server\nserved: From a server\n[the MCP server `x` failed: why]\n";
    for (url, text) in [
        ("skill://", list),
        ("skill://served", "served text\n"),
        ("skill://pdf", "not read\n"),
    ] {
        let text = text.as_bytes().to_vec();
        world.resources.insert(url.to_owned(), text);
    }
    let list = text_in(&mut world, "skill://");
    assert!(
        list.starts_with(
            "Bad_Name: x\npdf: Use when: forms\nteam/notes: Team notes\nserved: From a server\n"
        ),
        "{list}"
    );
    assert!(
        list.contains("that a directory has too, so that they are not read: `pdf`"),
        "{list}"
    );
    assert!(list.contains("the MCP server `x` failed: why"), "{list}");
    assert_eq!(
        text_in(&mut world, "skill://served").trim_end(),
        "served text"
    );
    assert!(!text_in(&mut world, "skill://pdf").contains("not read"));
    assert!(refused_in(&mut world, "skill://pdfs").contains("`skill://pdf`"));
    // Other schemes have the names of their mounts only.
    let text = b"x".to_vec();
    world.resources.insert("docs://new.md".to_owned(), text);
    assert!(refused_in(&mut world, "docs://new.md").contains("not found"));
}

#[test]
fn many_skills_are_listed_in_pages() {
    let mut world = MemoryWorld::new("/ws");
    world.mount("skill");
    for n in 0..1201 {
        let path = format!("skill/s{n:04}/SKILL.md");
        world.file(&path, format!("---\ndescription: number {n}\n---\n"));
    }
    let pages = chain(&mut world, "skill://", &exact());
    let lines: usize = pages
        .iter()
        .map(|page| page.answer.page().unwrap().lines.len())
        .collect::<Vec<_>>()
        .iter()
        .sum();
    assert_eq!((pages.len(), lines), (3, 1201));
    assert_eq!(pages[0].answer.next().as_deref(), Some("skill://:501"));
}

#[test]
fn skills_are_not_paged_and_other_schemes_are() {
    let mut world = MemoryWorld::new("/ws");
    let long: String = (1..5000)
        .map(|n| format!("line {n} {}\n", "x".repeat(40)))
        .collect();
    world.mount("skill").mount("memory");
    world
        .file("skill/long/SKILL.md", long.as_str())
        .file("memory/long.md", long.as_str());
    let whole = reply(&mut world, "skill://long", &exact());
    assert_eq!(whole.answer.next(), None);
    assert_eq!(whole.answer.page().unwrap().lines.len(), 4999);
    let page = reply(&mut world, "memory://root/long.md", &exact());
    assert_eq!(
        page.answer.next().as_deref(),
        Some("memory://root/long.md:301")
    );
}

#[test]
fn only_local_files_have_a_header() {
    let plan = text("local://plan.md");
    assert!(plan.starts_with("[local://plan.md#"), "{plan}");
    let reply = reply(&mut world(), "local://plan.md", &exact());
    assert_eq!(reply.answer.subject.resolved, "/ws/local/plan.md");
    assert!(!text("docs://guide/start.md").contains('['));
    let mut world = world();
    text_in(&mut world, "local://plan.md");
    text_in(&mut world, "docs://guide/start.md");
    let paths: Vec<&str> = world
        .snapshots
        .iter()
        .map(|shown| shown.path.as_str())
        .collect();
    assert_eq!(paths, ["/ws/local/plan.md"]);
}

#[test]
fn names_with_colons_and_escapes_are_found() {
    assert!(text("local://a:b.txt").contains("colon"));
    assert!(text("local://a:b.txt:1").contains("colon"));
    assert!(text("local://with%20space.txt").contains("space"));
    assert!(text("local://with space.txt").contains("space"));
}

#[test]
fn values_are_extracted_from_outputs() {
    for (path, expected) in [
        ("agent://Task/found/0", "{\n  \"odd key\": 1.50\n}"),
        ("agent://Task/found/0/odd%20key", "1.50"),
        ("agent://Task?q=.found[0][\"odd key\"]", "1.50"),
        ("agent://Task/found/1", "prose\ntext"),
        ("agent://Task?q=.found[1]:raw", "prose\ntext"),
        ("agent://Both/from", "json"),
    ] {
        assert_eq!(text(path).trim_end(), expected, "{path}");
    }
    for (path, expected) in [
        (
            "agent://Task/found:50",
            "Cannot combine query extraction with offset/limit",
        ),
        (
            "agent://Task?q=.found:1-2",
            "Cannot combine query extraction with offset/limit",
        ),
        ("agent://Task/fuond", "similar keys: `found`"),
        ("agent://Task/found/7", "use an index from 0 to 1"),
        ("agent://Task/found/1/x", "neither an object nor an array"),
        ("agent://Task?q=.found[", "`[` is not a key"),
        ("agent://Task.Sub/key", "it is not JSON"),
        ("agent://Nobody/key", "not found"),
    ] {
        let message = refused(path);
        assert!(message.contains(expected), "{path}: {message}");
    }
}

#[test]
fn urls_do_not_leave_their_mount() {
    for path in [
        "local://../a.md",
        "local://x/../../a.md",
        "local://%2e%2e/a.md",
        "local:///etc/passwd",
        "local://..\\a.md",
        "skill://..",
        "memory://root/../../a.md",
        "agent://../a.md",
    ] {
        let message = refused(path);
        assert!(!message.contains("in the root"), "{path}: {message}");
        assert!(message.contains("directory of `"), "{path}: {message}");
    }
    let mut world = world();
    world
        .link("local/out", "/etc/passwd")
        .link("local/in", "/ws/local/plan.md");
    let message = refused_in(&mut world, "local://out");
    assert!(
        message.contains("outside the directory of `local://`"),
        "{message}"
    );
    assert!(text_in(&mut world, "local://in").contains("step"));
    // No suffix match, and no other place.
    assert!(refused("docs://start.md").contains("not found"));
}

#[test]
fn missing_names_have_similar_ones() {
    for (path, expected) in [
        ("skill://pdfs", "similar names: `skill://pdf`"),
        ("rule://styl", "similar names: `rule://style`"),
        (
            "memory://root/days/onne.md",
            "similar names: `memory://root/days/one.md`",
        ),
        ("memory://days/one.md", "below `memory://root`"),
        ("skill://zzzz", "list the names with `skill://`"),
        ("unknown://x", "has the scheme `unknown`"),
        ("mcp://x", "no MCP server is configured"),
    ] {
        let message = refused(path);
        assert!(message.contains(expected), "{path}: {message}");
    }
}

#[test]
fn directories_of_mounts_are_listed() {
    let list = text("docs://");
    assert!(list.contains("- guide/"), "{list}");
    assert!(text("memory://root/").contains("- memory_summary.md"));
    assert!(text("docs://guide").contains("- start.md"));
}

#[test]
fn extracted_text_is_text_whatever_its_first_characters_are() {
    let mut world = MemoryWorld::new("/ws");
    world.mount("agent");
    for text in [
        "%PDF-1.4 hi",
        "PK\\u0003\\u0004abc",
        "{\\\\rtf1 hello}",
        "<!DOCTYPE html><p>x",
    ] {
        world.file("agent/a.json", format!("{{\"t\": \"{text}\"}}"));
        let reply = reply(&mut world, "agent://a/t", &exact());
        assert!(matches!(reply.answer.body, Body::Text(_)), "{text}");
        assert!(reply.answer.notes.is_empty(), "{text}");
    }
}

#[test]
fn deep_values_are_refused() {
    let mut world = MemoryWorld::new("/ws");
    world.mount("agent");
    let deep = format!("{}1{}", "[".repeat(100), "]".repeat(100));
    world.file("agent/deep.json", deep.as_str());
    let path = format!("agent://deep{}", "/0".repeat(65));
    assert!(refused_in(&mut world, &path).contains("more than 64 keys"));
    assert!(text_in(&mut world, "agent://deep/0/0").starts_with('['));
}

#[test]
fn value_longer_than_a_reply_ends_with_an_artifact() {
    let many = format!("[{}1]", "[1],".repeat(1_500_000));
    let prose = "A line of prose.\\n".repeat(600_000);
    let line = "x".repeat(9_000_000);
    let mut world = MemoryWorld::new("/ws");
    world.mount("agent");
    world.file(
        "agent/big.json",
        format!("{{\"many\": {many}, \"prose\": \"{prose}\", \"line\": \"{line}\"}}"),
    );
    for dialect in Dialect::ALL {
        for (key, next) in [
            ("many", "artifact://1:"),
            ("prose", "artifact://2:"),
            ("line", "artifact://3:1@"),
        ] {
            let path = format!("agent://big/{key}");
            world.artifacts = None;
            let alone = dialect.read(&path, &exact(), &mut world).unwrap();
            assert_eq!(alone.answer.next(), None);
            let note = alone.answer.notes.join(" ");
            assert!(
                note.contains("or read its file with `agent://big.json`"),
                "{note}"
            );
            assert!(!note.contains("artifact"), "{note}");

            world.artifacts = Some(vec![(String::new(), String::new()); 9]);
            let number: usize = next[11..12].parse().unwrap();
            world.artifacts.as_mut().unwrap().truncate(number - 1);
            let kept = dialect.read(&path, &exact(), &mut world).unwrap();
            let artifacts = world.artifacts.take().unwrap();
            let (source, text) = &artifacts[number - 1];
            assert_eq!(*source, path);
            assert!(text.ends_with('\n'));
            assert_eq!(kept.answer.subject.info.size, Some(text.len() as u64));
            let rest = kept.answer.next().unwrap();
            assert!(rest.starts_with(next), "{rest}");
            let said = kept.answer.notes.join(" ");
            assert!(said.contains(&format!("`{rest}` reads the rest")), "{said}");

            // The page and the rest are all of it.
            let page = &kept.answer.page().unwrap();
            let selector = &rest["artifact://1:".len()..];
            let first = if selector.ends_with(":raw") {
                page.text.clone()
            } else {
                page.plain()
            };
            match selector.split_once('@') {
                Some((line, column)) => {
                    assert_eq!(first.lines().count(), digits(line));
                    assert_eq!(first.lines().last().unwrap().len(), digits(column) - 1);
                }
                None => {
                    let line: usize = digits(selector);
                    assert_eq!(first.lines().count(), line - 1);
                }
            }
            assert!(text.starts_with(&first));
        }
    }
    world.artifacts = Some(Vec::new());
    let omp = reply(&mut world, "agent://big/many", &exact());
    assert!(
        omp.structured.contains("\"artifactId\":\""),
        "{}",
        &omp.structured[omp.structured.len() - 600..]
    );
}

/// The number at the start of a text.
fn digits(text: &str) -> usize {
    let end = text.find(|c: char| !c.is_ascii_digit());
    text[..end.unwrap_or(text.len())].parse().unwrap()
}

#[test]
fn skill_longer_than_a_reply_ends_with_an_artifact() {
    let mut world = MemoryWorld::new("/ws");
    world.mount("skill");
    let skill = format!(
        "---\nname: big\ndescription: d\n---\n{}",
        "A line.\n".repeat(1_200_000)
    );
    world.file("skill/big/SKILL.md", skill.as_str());
    let alone = reply(&mut world, "skill://big", &exact());
    assert!(alone.answer.next().unwrap().starts_with("skill://big:"));
    assert!(!alone.structured.contains("artifact"));
    world.artifacts = Some(Vec::new());
    let kept = reply(&mut world, "skill://big", &exact());
    assert!(kept.structured.contains("\"artifactId\":\"1\""));
    assert_eq!(kept.answer.notes, ["all of it is kept as `artifact://1`"]);
    assert_eq!(
        world.artifacts.unwrap(),
        [("skill://big".to_owned(), skill)]
    );
}

#[test]
fn ids_may_be_encoded() {
    let mut world = MemoryWorld::new("/ws");
    world.mount("agent");
    world.file("agent/My Agent.json", "{\"a\": [true]}");
    assert_eq!(
        text_in(&mut world, "agent://My%20Agent/a/0").trim_end(),
        "true"
    );
    assert!(text_in(&mut world, "agent://My%20Agent").contains("true"));
}
