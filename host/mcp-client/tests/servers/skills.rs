//! Skills that servers publish (SEP-2640).

use crate::common::{open, program, scripted, servers, within};
use omniread_mcp_client::{Failure, Server, Servers};

/// A server with the skill `pdf`, whose files have digests, and `live`, whose files change.
fn published(name: &str) -> Server {
    let cases = r#"
  *'"method":"initialize"'*) answer '{"protocolVersion":"2025-11-25","capabilities":{"resources":{},"extensions":{"io.modelcontextprotocol/skills":{"directoryRead":true}}},"serverInfo":{"name":"s","version":"1"}}';;
  *'"method":"skills/list"'*) answer '{"skills":[
    {"uri":"skill://pdf/SKILL.md","frontmatter":{"name":"pdf","description":"Fills forms"},"resources":[
    {"uri":"skill://pdf/SKILL.md","digest":"sha256:aa392193af84170bcd9266ffde128e85d1a571aaec312e04d98b82ef92a46f57","size":51},
    {"uri":"skill://pdf/in/a%20b.txt","digest":"sha256:08979a30e00a7f981162f1b5de5ce29f90447062ba91ed89f54658298d908ed8","size":7},
    {"uri":"skill://pdf/changed.txt","digest":"sha256:08979a30e00a7f981162f1b5de5ce29f90447062ba91ed89f54658298d908ed8","size":7}]},
    {"uri":"skill://team/live/SKILL.md","frontmatter":{"name":"live","description":"Changes"},"resources":"dynamic"},
    {"uri":"skill://broken/SKILL.md"}]}';;
  *'"uri":"skill://pdf/SKILL.md"'*) answer '{"contents":[{"uri":"x","text":"---\nname: pdf\ndescription: Fills forms\n---\n# Forms\n"}]}';;
  *'"uri":"skill://pdf/in/a%20b.txt"'*) answer '{"contents":[{"uri":"x","text":"fields\n"}]}';;
  *'"uri":"skill://pdf/changed.txt"'*) answer '{"contents":[{"uri":"x","text":"others\n"}]}';;
  *'"method":"resources/read"'*'"uri":"skill://team/live/SKILL.md"'*) answer '{"contents":[{"uri":"x","text":"now"}]}';;
  *'"method":"resources/directory/read"'*'"uri":"skill://team/live/in"'*) answer '{"resources":[
    {"uri":"skill://team/live/in/more","name":"more","mimeType":"inode/directory"},
    {"uri":"skill://team/live/in/x.md","name":"x.md"}]}';;
  *'"method":"resources/'*) refuse -32602 'unknown';;
"#;
    scripted(name, &cases.replace("\n    ", ""))
}

fn text(servers: &Servers, url: &str) -> String {
    let opened = servers.open_skill(url, &|| false);
    let opened = opened.unwrap_or_else(|failure| panic!("{url}: {failure}"));
    String::from_utf8(opened.bytes).unwrap()
}

fn failure(servers: &Servers, url: &str) -> Failure {
    servers.open_skill(url, &|| false).unwrap_err()
}

#[test]
fn skills_of_all_servers_are_listed_and_conflicts_are_named() {
    let all = servers(vec![
        published("one"),
        program("bad", "exit 3"),
        published("two"),
        scripted("none", ""),
    ]);
    assert_eq!(
        text(&all, "skill://"),
        "pdf: Fills forms\n\
         team/live: Changes\n\
         [skills of the MCP server `one`: 1 without a usable URI are left out]\n\
         [the MCP server `bad` failed: exit status: 3]\n\
         [the skill `pdf` of the MCP server `two` is hidden by that of `one`]\n\
         [the skill `team/live` of the MCP server `two` is hidden by that of `one`]\n\
         [skills of the MCP server `two`: 1 without a usable URI are left out]\n"
    );
    assert_eq!(
        text(&servers(vec![scripted("none", "")]), "skill://"),
        "(no skills)\n"
    );
}

#[test]
fn skills_and_their_files_are_read() {
    let all = servers(vec![scripted("none", ""), published("one")]);
    assert!(text(&all, "skill://pdf").ends_with("# Forms\n"));
    assert!(text(&all, "skill://pdf/SKILL.md").ends_with("# Forms\n"));
    assert_eq!(text(&all, "skill://pdf/in/a b.txt"), "fields\n");
    assert_eq!(text(&all, "skill://team/live"), "now");
    for url in ["skill://pdf/", "skill://pdf/in", "skill://pdf/in/"] {
        let list = text(&all, url);
        let expected = match url {
            "skill://pdf/" => "skill://pdf/SKILL.md\nskill://pdf/changed.txt\nskill://pdf/in/\n",
            _ => "skill://pdf/in/a b.txt\n",
        };
        assert_eq!(list, expected, "{url}");
    }
    let list = "skill://team/live/in/more/\nskill://team/live/in/x.md\n";
    assert_eq!(text(&all, "skill://team/live/in/"), list);
    assert_eq!(text(&all, "skill://team/live/in"), list);
    // Its files are resources too.
    let resource = open(&all, "mcp://one/skill://pdf/in/a%20b.txt").unwrap();
    assert_eq!(resource.bytes, b"fields\n");
}

#[test]
fn server_that_never_starts_does_not_hide_the_skill_of_another_one() {
    let stuck = |name: &str| within(program(name, "exec sleep 1000"), 600_000, 600_000);
    let all = servers(vec![stuck("one"), published("two"), stuck("three")]);
    assert!(text(&all, "skill://pdf").ends_with("# Forms\n"));
}

#[test]
fn file_that_is_not_the_listed_one_is_a_failure() {
    let failure = failure(&servers(vec![published("one")]), "skill://pdf/changed.txt");
    assert!(matches!(failure, Failure::Form { .. }), "{failure}");
    assert!(failure.to_string().contains("digest"), "{failure}");
}

#[test]
fn names_that_no_skill_has_are_not_found() {
    let all = servers(vec![published("one")]);
    for url in [
        "skill://pdfs",
        "skill://pdf/none.md",
        "skill://pdf/../pdf/SKILL.md",
        "skill://team",
        "skill://pdf/in/a b.txt/",
    ] {
        let failure = failure(&all, url);
        assert!(matches!(failure, Failure::NotFound(_)), "{url}: {failure}");
    }
    let similar = failure(&all, "skill://pdfs");
    assert_eq!(similar, Failure::NotFound(vec!["skill://pdf".to_owned()]));
    // A server that cannot answer may have the skill.
    let some = servers(vec![published("one"), program("bad", "exit 3")]);
    assert!(failure(&some, "skill://pdfs").to_string().contains("`bad`"));
}
