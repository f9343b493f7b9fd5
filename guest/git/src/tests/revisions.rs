//! Revisions, as git understands them.

use super::disk::Temporary;
use crate::error::Error;

/// A repository with a merge, tags and branches with slashes.
fn history() -> Temporary {
    let repository = Temporary::with(&[("file", "0\n"), ("dir/a", "a\n")]);
    for number in 1..4 {
        repository.commit(
            &[("file", &format!("{number}\n"))],
            &format!("commit {number}"),
        );
    }
    repository.git(&["tag", "light"]);
    repository.git(&["tag", "-a", "v1.0", "-m", "version 1"]);
    repository.git(&["tag", "-a", "nested", "-m", "a tag of a tag", "v1.0"]);
    repository.git(&["checkout", "-q", "-b", "feature/x", "HEAD~2"]);
    repository.commit(&[("other", "other\n")], "on a branch");
    repository.git(&["checkout", "-q", "main"]);
    repository.git(&["merge", "-q", "--no-ff", "-m", "merge", "feature/x"]);
    repository.commit(&[("file", "5\n")], "last");
    repository
}

#[test]
fn revisions_are_those_that_git_finds() {
    let repository = history();
    let head = repository.line(&["rev-parse", "HEAD"]);
    let mut revisions: Vec<String> = [
        "HEAD",
        "@",
        "main",
        "HEAD~",
        "HEAD~0",
        "HEAD~3",
        "HEAD^",
        "HEAD^^2",
        "HEAD~1^2~1",
        "HEAD^0",
        "v1.0",
        "v1.0^{}",
        "v1.0^{commit}",
        "v1.0^{tree}",
        "v1.0^{tag}",
        "nested^{}",
        "nested~1",
        "light",
        "feature/x",
        "feature/x~1",
        "refs/heads/main",
        "heads/main",
        "tags/v1.0",
        "refs/heads/feature/x",
        "@~2",
        "HEAD^{tree}",
        "ORIG_HEAD",
        "v1.0^0",
        "HEAD^1~2",
    ]
    .map(str::to_owned)
    .into();
    revisions.extend([
        head.clone(),
        head[..7].to_owned(),
        head[..12].to_uppercase(),
    ]);
    revisions.push(repository.line(&["describe", "--long", "--always", "HEAD"]));
    revisions.push(format!("{}~2", &head[..9]));
    for packed in [false, true] {
        if packed {
            repository.git(&["pack-refs", "--all"]);
            repository.git(&["gc", "-q", "--prune=now"]);
        }
        for revision in &revisions {
            let expected = repository.line(&["rev-parse", revision]);
            let found = repository.open(|opened| opened.revision(revision));
            assert_eq!(found.unwrap().to_string(), expected, "{revision} {packed}");
        }
    }
}

#[test]
fn what_is_not_a_revision_is_said() {
    let repository = history();
    let error = |revision: &str| {
        repository
            .open(|opened| opened.revision(revision).and_then(|id| opened.tree(&id)))
            .unwrap_err()
    };
    for revision in [
        "nothing", "main/x", "HEAD~x", "abc", "", "../HEAD", "config", "HEAD^{",
    ] {
        let found = error(revision);
        assert!(
            matches!(found, Error::UnknownRevision(_)),
            "{revision}: {found:?}"
        );
    }
    for revision in [
        "main..HEAD",
        "HEAD@{1}",
        "@{upstream}",
        "HEAD^@",
        "HEAD^{/text}",
        "HEAD^!",
    ] {
        let found = error(revision);
        assert!(
            matches!(found, Error::Unsupported(_)),
            "{revision}: {found:?}"
        );
    }
    assert_eq!(
        error("HEAD~100").to_string(),
        format!(
            "the commit {} has no parent",
            &repository.line(&["rev-list", "--max-parents=0", "HEAD"])[..10]
        )
    );
    assert!(matches!(
        error("HEAD^3"),
        Error::NoParent { parents: 1, .. }
    ));
    assert!(matches!(
        error("HEAD~1^3"),
        Error::NoParent { parents: 2, .. }
    ));
    assert!(matches!(error("HEAD:file"), Error::UnknownRevision(_)));
    let blob = repository.line(&["rev-parse", "HEAD:file"]);
    assert!(matches!(error(&blob), Error::WrongKind { .. }));
    let absent = "0123456789012345678901234567890123456789";
    assert!(matches!(error(absent), Error::Missing { reason: None, .. }));
    assert!(matches!(
        error("HEAD~99999999999"),
        Error::UnknownRevision(_)
    ));
}

#[test]
fn an_ambiguous_id_lists_its_objects() {
    let repository = Temporary::with(&[("file", "0\n")]);
    // 2,000 blobs have some ids with the same four digits.
    let mut stream = String::new();
    for number in 0..2000 {
        let content = number.to_string();
        stream += &format!("blob\ndata {}\n{content}\n", content.len());
    }
    repository.git_with(&["fast-import", "--quiet"], stream.as_bytes());
    let list = repository.git(&[
        "cat-file",
        "--batch-all-objects",
        "--batch-check=%(objectname)",
    ]);
    let list = String::from_utf8(list).unwrap();
    let ids: Vec<&str> = list.lines().collect();
    let pair = ids
        .windows(2)
        .find(|pair| pair[0][..4] == pair[1][..4])
        .unwrap();
    let found = repository.open(|opened| opened.revision(&pair[0][..4]));
    let Err(Error::Ambiguous {
        candidates, more, ..
    }) = &found
    else {
        panic!("{found:?}");
    };
    assert!(!more);
    let listed: Vec<String> = candidates.iter().map(|it| it.id.to_string()).collect();
    assert!(listed.contains(&pair[0].to_owned()) && listed.contains(&pair[1].to_owned()));
    let text = found.unwrap_err().to_string();
    assert!(text.contains(&format!("blob {}", pair[0])), "{text}");
    // A commit among blobs is what is meant.
    let head = repository.line(&["rev-parse", "HEAD"]);
    let short = repository.open(|opened| opened.revision(&head[..4]));
    assert_eq!(short.unwrap().to_string(), head);
}

#[test]
fn an_empty_repository_has_a_branch_without_commits() {
    let repository = Temporary::new();
    let error = repository
        .open(|opened| opened.revision("HEAD"))
        .unwrap_err();
    assert_eq!(error, Error::Unborn("main".to_owned()));
}

#[test]
fn shallow_and_partial_clones_say_what_is_missing() {
    let repository = history();
    let url = format!("file://{}", repository.path().display());
    let shallow = Temporary::empty();
    shallow.git(&["clone", "-q", "--depth", "2", &url, "."]);
    assert_eq!(shallow.at("HEAD~1", "file").unwrap(), b"3\n");
    let error = shallow.at("HEAD~2", "file").unwrap_err();
    assert!(
        error
            .to_string()
            .contains("the first one of a shallow clone"),
        "{error}"
    );
    repository.git(&["config", "uploadpack.allowFilter", "true"]);
    let partial = Temporary::empty();
    partial.git(&[
        "clone",
        "-q",
        "--filter=blob:none",
        "--no-checkout",
        &url,
        ".",
    ]);
    let error = partial.at("HEAD", "file").unwrap_err();
    assert!(
        error.to_string().contains("it is a partial clone"),
        "{error}"
    );
}
