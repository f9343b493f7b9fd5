use super::super::GitHub;
use super::{API, SITE, fault, file, has, page, replies, service};
use crate::canned::Canned;
use crate::handler::{Found, Handler};
use crate::service::{Fault, Reply};
use serde_json::json;
use url::Url;

const RAW: &str = "https://raw.githubusercontent.com/octocat/Hello-World";
const RAW_TYPE: &str = "application/vnd.github.raw+json";

#[test]
fn public_file_is_at_the_host_of_raw_files() {
    let url = format!("{RAW}/feature/x/src/a%20b.rs");
    let mut canned = Canned::default().body(&url, "text/plain", b"fn main() {}\n");
    let (found, _, notes) = file(
        &format!("{SITE}/blob/feature/x/src/a%20b.rs?plain=1#L10-L20"),
        &mut canned,
    );
    assert_eq!(found, format!("{url}#L10-L20"));
    assert_eq!(notes, Vec::<String>::new());
    assert_eq!(canned.urls(), [url]);
}

#[test]
fn private_file_is_in_the_api_without_the_token_of_its_download() {
    let content = "/contents/src/a.rs?ref=main";
    let mut canned = service(&[(content, replies::content_file())]);
    let (found, accept, notes) = file(&format!("{SITE}/blob/main/src/a.rs#L3"), &mut canned);
    assert_eq!((found, accept), (format!("{API}{content}#L3"), RAW_TYPE));
    assert_eq!(notes, Vec::<String>::new());
    assert_eq!(
        canned.requests.last().unwrap().1,
        "application/vnd.github.object+json"
    );
    let mut canned = service(&[(content, replies::content_file())]);
    let (found, accept, _) = file(&format!("{SITE}/raw/main/src/a.rs"), &mut canned);
    assert_eq!((found, accept), (format!("{API}{content}"), RAW_TYPE));
}

#[test]
fn revision_with_slashes_is_found_among_branches_and_tags() {
    let content = "/contents/src/a.rs?ref=feature%2Fx";
    let heads = "/git/matching-refs/heads/feature/x?per_page=100";
    let mut canned = service(&[(heads, replies::refs()), (content, replies::content_file())]);
    let (found, _, _) = file(&format!("{SITE}/blob/feature/x/src/a.rs"), &mut canned);
    assert_eq!(found, format!("{API}{content}"));
    // The raw file, the first segment, the branches, the content.
    assert_eq!(canned.requests.len(), 4);
    let tags = json!([{"ref": "refs/tags/v/1"}]);
    let mut canned = service(&[
        ("/git/matching-refs/heads/v/1?per_page=100", json!([])),
        ("/git/matching-refs/tags/v/1?per_page=100", tags),
        ("/contents/?ref=v%2F1", replies::content_directory()),
    ]);
    has(
        &page(&format!("{SITE}/tree/v/1"), &mut canned).markdown,
        &["# the top directory of octocat/Hello-World at `v/1`"],
    );
}

#[test]
fn missing_file_is_a_fault() {
    let mut canned = service(&[
        ("/git/matching-refs/heads/main/x?per_page=100", json!([])),
        ("/git/matching-refs/tags/main/x?per_page=100", json!([])),
    ]);
    assert!(matches!(
        fault(&format!("{SITE}/blob/main/x"), &mut canned),
        Fault::Missing(_)
    ));
    assert_eq!(canned.requests.len(), 4);
    assert!(matches!(
        fault(&format!("{SITE}/blob/main/x"), &mut Canned::default()),
        Fault::Missing(_)
    ));
}

#[test]
fn file_of_lfs_is_at_the_host_of_media() {
    let oid = "4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393";
    let pointer =
        format!("version https://git-lfs.github.com/spec/v1\noid sha256:{oid}\nsize 12345\n");
    let mut canned = Canned::default().body(
        &format!("{RAW}/main/a.bin"),
        "text/plain",
        pointer.as_bytes(),
    );
    let (found, _, notes) = file(&format!("{SITE}/blob/main/a.bin"), &mut canned);
    assert_eq!(
        found,
        "https://media.githubusercontent.com/media/octocat/Hello-World/main/a.bin"
    );
    assert_eq!(
        notes,
        [format!(
            "the file is stored with Git LFS: 13 KiB with the SHA-256 {oid}"
        )]
    );
    // A private repository: the content of the pointer is in the reply, in base64 with line breaks.
    let mut value = replies::content_file();
    value["size"] = json!(130);
    value["content"] = json!(
        "dmVyc2lvbiBodHRwczovL2dpdC1sZnMuZ2l0aHViLmNvbS9zcGVjL3YxCm9p\nZCBzaGEyNTY6NGQ3YTIxNDYxNGFiMjkzNWM5NDNmOWUwZmY2OWQyMmVhZGJi\n\
         OGYzMmIxMjU4ZGFhYTVlMmNhMjRkMTdlMjM5MwpzaXplIDEyMzQ1Cg==\n"
    );
    let (_, accept, notes) = file(
        &format!("{SITE}/blob/main/src/a.rs"),
        &mut service(&[("/contents/src/a.rs?ref=main", value)]),
    );
    assert_eq!(accept, RAW_TYPE);
    has(
        &notes.join("\n"),
        &[
            "this is a pointer of Git LFS to 13 KiB",
            oid,
            "run `git lfs pull` in a clone",
        ],
    );
}

#[test]
fn file_over_100_megabytes_says_so() {
    let mut value = replies::content_file();
    value["size"] = json!(200_000_000);
    let page = page(
        &format!("{SITE}/blob/main/src/a.rs"),
        &mut service(&[("/contents/src/a.rs?ref=main", value)]),
    );
    has(
        &page.markdown,
        &[
            "# `src/a.rs` in octocat/Hello-World\n\nThe file has 191 MiB.",
            "clone the repository",
        ],
    );
}

#[test]
fn directory_is_listed_with_its_sizes() {
    let path = "/contents/src?ref=main";
    for url in [
        format!("{SITE}/tree/main/src"),
        format!("{SITE}/blob/main/src"),
    ] {
        let page = page(&url, &mut service(&[(path, replies::content_directory())]));
        assert_eq!(
            page.markdown,
            "# `src` of octocat/Hello-World at `main`: 6 entries

- `deep/`
- `a.rs`, 625 B
- `lib`, submodule
- `link`, symbolic link to `a.rs`
- `vendor`, submodule
- `?`
"
        );
        assert_eq!(
            page.notes,
            [format!("read a file with `{SITE}/blob/main/src/NAME`")]
        );
    }
    let list = replies::content_directory()["entries"].clone();
    has(
        &page(
            &format!("{SITE}/tree/main/src"),
            &mut service(&[(path, list)]),
        )
        .markdown,
        &["6 entries", "- `deep/`"],
    );
}

#[test]
fn large_directory_is_read_as_a_tree() {
    let mut value = replies::content_directory();
    value["entries"] = json!(vec![json!({"type": "file", "name": "a", "size": 1}); 1000]);
    // <https://docs.github.com/en/rest/git/trees#get-a-tree>
    let mut entries = vec![
        json!({"path": "a", "mode": "100644", "type": "blob", "size": 30, "unknown": 1});
        1200
    ];
    entries.push(json!({"path": "s", "mode": "160000", "type": "commit", "sha": null}));
    entries.push(json!({"path": "d", "type": "tree"}));
    entries.push(json!({"path": "l", "mode": "120000", "type": "blob", "size": 4}));
    let tree = |truncated: bool| json!({"sha": "x", "tree": entries, "truncated": truncated});
    let sha = "/git/trees/3d21ec53a331a6f037a91c368710b99387d012c1";
    let read = |replies: &[(&str, serde_json::Value)]| {
        page(&format!("{SITE}/tree/main/src"), &mut service(replies))
    };
    let content = ("/contents/src?ref=main", value);
    let whole = read(&[content.clone(), (sha, tree(false))]);
    has(
        &whole.markdown,
        &[
            "1203 entries",
            "- `s`, submodule\n- `d/`\n- `l`, 4 B, symbolic link\n",
        ],
    );
    assert_eq!(whole.notes.len(), 1);
    let cut = read(&[content.clone(), (sha, tree(true))]);
    has(
        &cut.notes.join("\n"),
        &["the service sends only a part of this directory", sha],
    );
    let failed = read(&[content]);
    has(&failed.markdown, &["1000 entries"]);
    has(
        &failed.notes.join("\n"),
        &[
            "the whole listing is left out",
            "only a part of this directory",
        ],
    );
}

#[test]
fn submodule_and_symbolic_link_are_described() {
    let path = "/contents/test/qunit?ref=main";
    let shown = page(
        &format!("{SITE}/tree/main/test/qunit"),
        &mut service(&[(path, replies::content_submodule())]),
    );
    assert_eq!(
        shown.markdown,
        "# Submodule `test/qunit` of octocat/Hello-World

- Repository: https://example.com/jquery/qunit.git
- Commit: `6ca3721222109997540bd6d9ccd396902e0ad2f9`
- URL: https://github.com/jquery/qunit/tree/6ca3721222109997540bd6d9ccd396902e0ad2f9
"
    );
    // <https://docs.github.com/en/rest/repos/contents#get-repository-content>, "If the content is a symlink"
    let link = json!({"type": "symlink", "target": "/path/to/symlink/target", "size": 23, "name": "x", "unknown": null});
    let path = "/contents/bin/x?ref=main";
    let mut canned = service(&[(path, link)]).body(
        &format!("{RAW}/main/bin/x"),
        "text/plain",
        b"/path/to/symlink/target",
    );
    let shown = page(&format!("{SITE}/blob/main/bin/x"), &mut canned);
    assert_eq!(
        shown.markdown,
        "# Symbolic link `bin/x` in octocat/Hello-World\n\nIt leads to `/path/to/symlink/target`.\n"
    );
}

#[test]
fn symbolic_link_to_a_file_is_that_file() {
    let path = "/contents/bin/x?ref=main";
    let mut canned = service(&[(path, replies::content_file())]).body(
        &format!("{RAW}/main/bin/x"),
        "text/plain",
        b"../src/a.rs",
    );
    let (found, accept, notes) = file(&format!("{SITE}/blob/main/bin/x"), &mut canned);
    assert_eq!((found, accept), (format!("{API}{path}"), RAW_TYPE));
    assert_eq!(notes, ["`bin/x` is a symbolic link to `../src/a.rs`"]);
    // A short file that only looks like a path.
    let mut value = replies::content_file();
    value["size"] = json!(5);
    let raw = format!("{RAW}/main/VERSION");
    let mut canned =
        service(&[("/contents/VERSION?ref=main", value)]).body(&raw, "text/plain", b"1.2.3");
    assert_eq!(
        file(&format!("{SITE}/blob/main/VERSION"), &mut canned).0,
        raw
    );
    // The API fails: the raw file remains.
    let mut canned = Canned::default().body(&raw, "text/plain", b"1.2.3");
    assert_eq!(
        file(&format!("{SITE}/blob/main/VERSION"), &mut canned).0,
        raw
    );
}

#[test]
fn enterprise_and_another_api_use_only_their_own_host() {
    let github = GitHub {
        api: Some("http://127.0.0.1:9/api/".to_owned()),
        hosts: ["ghe.corp:8443", "127.0.0.1:8080", "http://plain.corp"]
            .map(str::to_owned)
            .to_vec(),
    };
    for (page, api) in [
        (
            "https://ghe.corp:8443/o/r/blob/main/a",
            "https://ghe.corp:8443/api/v3",
        ),
        (
            "http://plain.corp/o/r/blob/main/a",
            "http://plain.corp/api/v3",
        ),
        (
            "http://127.0.0.1:8080/o/r/blob/main/a",
            "http://127.0.0.1:8080/api/v3",
        ),
        (
            "https://github.com/o/r/blob/main/a",
            "http://127.0.0.1:9/api",
        ),
    ] {
        let url = format!("{api}/repos/o/r/contents/a?ref=main");
        let mut canned = Canned::default().json(&url, &replies::content_file());
        let found = github.read(&Url::parse(page).unwrap(), &mut canned);
        assert!(
            matches!(found, Some(Ok(Found::File { url: found, .. })) if found.as_str() == url),
            "{page}"
        );
        assert_eq!(canned.urls(), [url]);
    }
    let mut canned = Canned::default();
    assert_eq!(
        github.read(
            &Url::parse("https://other.corp/o/r/blob/main/a").unwrap(),
            &mut canned
        ),
        None
    );
    assert_eq!(
        github.read(
            &Url::parse("https://ghe.corp/o/r/blob/main/a").unwrap(),
            &mut canned
        ),
        None
    );
    assert_eq!(canned.requests.len(), 0);
}

#[test]
fn settings_reach_the_handler() {
    let settings = crate::Settings {
        github_api: Some("http://127.0.0.1:9".to_owned()),
        github_hosts: vec!["ghe.corp".to_owned()],
    };
    for (page, api) in [
        (
            "https://github.com/o/r/issues/1",
            "http://127.0.0.1:9/repos/o/r/issues/1",
        ),
        (
            "https://ghe.corp/o/r/issues/1",
            "https://ghe.corp/api/v3/repos/o/r/issues/1",
        ),
    ] {
        let mut canned = Canned::default();
        let found = crate::read(&Url::parse(page).unwrap(), &settings, &mut canned);
        assert!(matches!(found, Some(("github", Err(Fault::Missing(_))))));
        assert_eq!(canned.urls(), [api]);
    }
    let url = Url::parse("https://example.com/o/r/issues/1").unwrap();
    assert_eq!(crate::read(&url, &settings, &mut Canned::default()), None);
}

#[test]
fn start_of_a_large_file_is_enough() {
    let raw = format!("{RAW}/main/big");
    let reply = Reply {
        url: raw.clone(),
        body: vec![b'x'; 5 << 20],
        ..Reply::default()
    };
    assert_eq!(
        file(
            &format!("{SITE}/blob/main/big"),
            &mut Canned::default().result(&raw, Ok(reply))
        )
        .0,
        raw
    );
}
