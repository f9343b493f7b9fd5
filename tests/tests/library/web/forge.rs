//! Issues and pull requests: `issue://` and `pr://`, from servers that imitate GitHub Enterprise.
//!
//! The replies have the fields of <https://docs.github.com/en/rest/issues/issues>,
//! <https://docs.github.com/en/rest/issues/comments> and <https://docs.github.com/en/rest/pulls/pulls>.

use super::{Client, PATIENCE};
use omniread_tests::Cli;
use omniread_tests::process::Process;
use omniread_tests::web::{Page, Request, Server, Site};
use serde_json::{Value, json};
use std::process::Command;
use std::time::{Duration, Instant};

fn json_page(value: &Value) -> Page {
    Page::new("application/json; charset=utf-8", value.to_string())
}

fn issue(number: u64, title: &str) -> Value {
    json!({
        "number": number, "title": title, "state": "open", "user": { "login": "ann" },
        "labels": [{ "name": "bug" }], "comments": 1, "created_at": "2026-01-02T03:04:05Z",
        "body": "Steps:\n\n1. run it\n# Not a heading of the page\n",
    })
}

const DIFF: &str = "diff --git a/a.rs b/a.rs\nindex 1..2 100644\n--- a/a.rs\n+++ b/a.rs\n@@ -1,2 +1,3 @@\n one\n-two\n+2\n+3\n\
    diff --git a/b.bin b/b.bin\nnew file mode 100644\nindex 0..1\nBinary files /dev/null and b/b.bin differ\n";

fn pull(request: &Request) -> Page {
    if request
        .header("accept")
        .is_some_and(|accept| accept.contains("diff"))
    {
        return Page::new("application/vnd.github.diff; charset=utf-8", DIFF);
    }
    let mut value = issue(7, "Mend it");
    value["comments"] = json!(0);
    value["review_comments"] = json!(0);
    value["base"] = json!({ "ref": "main", "label": "o:main" });
    value["head"] = json!({ "ref": "fix", "label": "ann:fix" });
    json_page(&value)
}

const API: &str = "/api/v3/repos/o/r";

fn site() -> Site {
    let comment = json!([{ "id": 1, "user": { "login": "bob" }, "body": "me too", "created_at": "2026-01-03T03:04:05Z" }]);
    Site::new()
        .page(
            &format!("{API}/issues/12"),
            json_page(&issue(12, "It fails")),
        )
        .page(&format!("{API}/issues/12/comments"), json_page(&comment))
        .page(
            &format!("{API}/issues"),
            json_page(&json!([issue(12, "It fails"), issue(11, "Other")])),
        )
        .page(
            &format!("{API}/pulls"),
            json_page(&json!([issue(7, "Mend it")])),
        )
        .page(&format!("{API}/issues/7"), json_page(&issue(7, "Mend it")))
        .page(&format!("{API}/issues/7/comments"), json_page(&json!([])))
        .page(&format!("{API}/pulls/7/reviews"), json_page(&json!([])))
        .page(&format!("{API}/pulls/7/comments"), json_page(&json!([])))
        .answer(&format!("{API}/pulls/7"), pull)
}

/// The text of a read that must succeed.
#[track_caller]
fn text(client: &Client, path: &str) -> String {
    let run = client.run(path);
    assert_eq!(run.code, Some(0), "{path}: {run:?}");
    format!("{}{}", run.stdout, run.stderr)
}

fn of(server: &Server, scheme: &str, rest: &str) -> String {
    format!("{scheme}://{}/o/r{rest}", server.authority())
}

#[test]
fn each_form_is_read() {
    let server = site().serve();
    let client = Client::of(&server);
    let whole = text(&client, &of(&server, "issue", "/12"));
    for part in ["It fails", "@ann", "bug", "run it", "@bob", "me too"] {
        assert!(whole.contains(part), "{part}: {whole}");
    }
    assert!(!whole.contains("\n# Not a heading"), "{whole}");
    let head = text(&client, &of(&server, "issue", "/12?comments=0"));
    assert!(
        head.contains("run it") && !head.contains("me too"),
        "{head}"
    );
    assert!(head.contains("1 comment left out"), "{head}");
    let lines = text(&client, &of(&server, "issue", "/12:1-1"));
    assert!(
        lines.contains("It fails") && !lines.contains("me too"),
        "{lines}"
    );
    let list = text(
        &client,
        &of(&server, "issue", "?state=all&limit=2&label=bug"),
    );
    assert!(
        list.contains("It fails") && list.contains("Other"),
        "{list}"
    );
    let pulls = text(&client, &of(&server, "pr", ""));
    assert!(pulls.contains("Mend it"), "{pulls}");
    let pull = text(&client, &of(&server, "pr", "/7"));
    assert!(pull.contains("Mend it") && pull.contains("fix"), "{pull}");
    // An issue that is a pull request says so.
    let files = text(&client, &of(&server, "pr", "/7/diff"));
    assert!(
        files.contains("a.rs") && files.contains("b.bin") && files.contains("/7/diff/2"),
        "{files}"
    );
    let second = text(&client, &of(&server, "pr", "/7/diff/2"));
    assert!(
        second.contains("b.bin") && !second.contains("a.rs"),
        "{second}"
    );
    let all = text(&client, &of(&server, "pr", "/7/diff/all:raw"));
    assert!(all.contains(DIFF), "{all}");
    let missing = client.refusal(&of(&server, "pr", "/7/diff/3"));
    assert!(
        missing.contains("2 files") && missing.contains("/7/diff"),
        "{missing}"
    );
}

#[test]
fn wrong_addresses_say_what_to_write() {
    let server = site().serve();
    let client = Client::of(&server);
    for (path, part) in [
        ("issue://o/r/0", "issue://OWNER/REPO/12"),
        ("issue://o/r/x", "issue://OWNER/REPO/12"),
        ("issue://o/r/1/diff", "pr://12/diff"),
        ("pr://o/r/7/diff/0", "/diff/all"),
        ("issue://o/r?sort=up", "`state`"),
        ("issue://o/r?state=ajar", "state"),
    ] {
        let message = client.refusal(path);
        assert!(message.contains(part), "{path}: {message}");
    }
    assert!(server.targets().is_empty());
}

/// The `.git` of a workspace leads to its repository: also that of a linked worktree.
#[test]
fn repository_is_that_of_the_workspace() {
    let server = site().serve();
    let client = Client::of(&server);
    let no_git = client.refusal("issue://12");
    assert!(no_git.contains("issue://OWNER/REPO/12"), "{no_git}");
    let git = |directory: &str, arguments: &[&str]| {
        let place = client.workspace.path().join(directory);
        let run = Command::new("git")
            .current_dir(place)
            .args(arguments)
            .output()
            .unwrap();
        assert!(run.status.success(), "{run:?}");
    };
    git(".", &["init", "-q", "main"]);
    git("main", &["config", "user.email", "a@b"]);
    git("main", &["config", "user.name", "a"]);
    git("main", &["commit", "-q", "--allow-empty", "-m", "a"]);
    let run_in = |directory: &str, roots: &[&str]| {
        let cli = Cli::new(
            env!("CARGO_BIN_EXE_omniread-under-test"),
            client.workspace.path().join(directory),
        );
        let authority = server.authority();
        let mut arguments = vec!["--allow-net", &authority];
        arguments.extend(roots.iter().flat_map(|root| ["--root", root]));
        arguments.push("issue://12");
        let run = cli.run(&arguments);
        format!("{}{}", run.stdout, run.stderr)
    };
    let none = run_in("main", &[]);
    assert!(none.contains("no remote"), "{none}");
    let address = format!("http://{}/", server.authority());
    git(
        "main",
        &["config", &format!("url.{address}.insteadOf"), "work:"],
    );
    git("main", &["remote", "add", "origin", "work:fork/r.git"]);
    git("main", &["remote", "add", "upstream", "work:o/r.git"]);
    let found = run_in("main", &[]);
    assert!(
        found.contains("It fails") && found.contains("o/r, by the remote `upstream`"),
        "{found}"
    );
    git(
        "main",
        &["worktree", "add", "-q", "../other", "-b", "other"],
    );
    let outside = run_in("other", &[]);
    assert!(outside.contains("outside"), "{outside}");
    let both = run_in("other", &[".", "../main"]);
    assert!(both.contains("It fails"), "{both}");
}

fn shared(client: &Client, server: &Server, options: &[&str]) -> Process {
    let authority = server.authority();
    let mut arguments = vec!["serve", "--allow-net", &authority];
    arguments.extend(options);
    Process::start(&client.cli, &arguments)
}

fn ask(process: &mut Process, path: &str) -> String {
    process.send(&json!({ "id": path, "path": path }));
    process.reply(&json!(path)).to_string()
}

#[test]
fn copies_are_used_refreshed_and_a_last_resort() {
    let server = site().serve();
    let client = Client::of(&server);
    let path = of(&server, "issue", "/12");
    let (list, diff) = (of(&server, "issue", ""), of(&server, "pr", "/7/diff"));
    // Younger than the soft age: no request.
    let mut session = shared(&client, &server, &[]);
    ask(&mut session, &path);
    let count = server.targets().len();
    assert!(ask(&mut session, &path).contains("It fails"));
    assert_eq!(server.targets().len(), count);
    // One request serves all forms of a diff.
    ask(&mut session, &diff);
    let count = server.targets().len();
    ask(&mut session, &format!("{diff}/1"));
    ask(&mut session, &format!("{diff}/all"));
    assert_eq!(server.targets().len(), count);
    // Older: the issue is requested again before it is answered, and a diff is answered.
    let mut session = shared(&client, &server, &["--set", "github-soft-age=0"]);
    ask(&mut session, &path);
    ask(&mut session, &list);
    ask(&mut session, &diff);
    std::thread::sleep(Duration::from_millis(1100));
    server.set(
        &format!("{API}/issues/12"),
        json_page(&issue(12, "It works")),
    );
    assert!(ask(&mut session, &path).contains("It works"));
    assert!(ask(&mut session, &diff).contains("a.rs"));
    // The service fails: the copy, with its age and the reason.
    std::thread::sleep(Duration::from_millis(1100));
    let limit = Page::new("application/json", "{}").status(403);
    let limit = limit
        .header("x-ratelimit-remaining", "0")
        .header("x-ratelimit-reset", "1795930000");
    server.set(&format!("{API}/issues/12"), limit.clone());
    server.set(&format!("{API}/issues"), limit.clone());
    for path in [&path, &list] {
        let reply = ask(&mut session, path);
        assert!(reply.contains("It "), "{reply}");
        assert!(
            reply.contains(
                "ago, because now the limit of requests is reached until 2026-11-29 05:26 UTC"
            ),
            "{reply}"
        );
    }
    // Past the hard age, no copy is shown.
    let mut session = shared(
        &client,
        &server,
        &["--set", "github-soft-age=0", "--set", "github-hard-age=1"],
    );
    server.set(
        &format!("{API}/issues/12"),
        json_page(&issue(12, "It works")),
    );
    ask(&mut session, &path);
    std::thread::sleep(Duration::from_millis(2100));
    server.set(&format!("{API}/issues/12"), limit);
    let reply = ask(&mut session, &path);
    assert!(
        !reply.contains("It works") && reply.contains("limit of requests"),
        "{reply}"
    );
}

/// A copy without the comments that the service refused would be shown until it is old.
#[test]
fn refused_comments_are_requested_again() {
    let server = site().serve();
    let client = Client::of(&server);
    let mut session = shared(&client, &server, &[]);
    let path = of(&server, "issue", "/12");
    let comments = format!("{API}/issues/12/comments");
    server.set(&comments, Page::empty(500));
    let cut = ask(&mut session, &path);
    assert!(cut.contains("left out") && !cut.contains("me too"), "{cut}");
    let comment = json!([{ "id": 1, "user": { "login": "bob" }, "body": "me too" }]);
    server.set(&comments, json_page(&comment));
    let whole = ask(&mut session, &path);
    assert!(whole.contains("me too"), "{whole}");
}

/// GitHub states its second limit by `Retry-After` alone.
#[test]
fn second_limit_has_its_end() {
    let server = site().serve();
    let limit = Page::new("application/json", "{}")
        .status(403)
        .header("retry-after", "60");
    server.set(&format!("{API}/issues/12"), limit);
    let message = Client::of(&server).refusal(&of(&server, "issue", "/12"));
    assert!(
        message.contains("limit of requests is reached until"),
        "{message}"
    );
}

#[test]
fn bad_replies_are_typed_failures() {
    let server = site().serve();
    let client = Client::of(&server);
    let path = of(&server, "issue", "/12");
    let place = format!("{API}/issues/12");
    for (page, part) in [
        (Page::html("<h1>Sign in</h1>"), "text/html instead of JSON"),
        (json_page(&issue(13, "Another")), "13"),
        (json_page(&json!([])), "JSON that is not an object"),
        (Page::empty(404), "needs another token"),
        (Page::empty(401), "--net-header"),
        (Page::empty(500), "status 500"),
        (Page::new("application/json", "{").unfinished(), ""),
        (Page::redirect(302, "http://127.0.0.2:9/"), "127.0.0.2"),
    ] {
        server.set(&place, page);
        let began = Instant::now();
        let message = client.refusal(&path);
        assert!(message.contains(part), "{part}: {message}");
        assert!(began.elapsed() < PATIENCE);
    }
}

/// A redirect to another host does not get the token, and no reply has it.
#[test]
fn token_goes_to_the_host_of_the_api_only() {
    let other = site().serve();
    let server = site().serve();
    let client = Client::of(&server).allow(&other.authority().replace("127.0.0.1", "localhost"));
    client.workspace.file("token", "s3cret\n");
    let header = "127.0.0.1=Authorization=Bearer file:token";
    let client = client.option("--net-header").option(header);
    let path = of(&server, "issue", "/12");
    let found = text(&client, &path);
    assert!(
        found.contains("It fails") && !found.contains("s3cret"),
        "{found}"
    );
    let sent = |server: &Server| -> Vec<String> {
        let requests = server.requests();
        let tokens = requests
            .iter()
            .filter_map(|request| request.header("authorization"));
        tokens.map(str::to_owned).collect()
    };
    assert!(sent(&server).iter().all(|token| token == "Bearer s3cret"));
    assert_eq!(sent(&server).len(), server.requests().len());
    let target = format!("http://localhost:{}{API}/issues/12", other.port());
    server.set(&format!("{API}/issues/12"), Page::redirect(302, &target));
    text(&client, &path);
    assert!(!other.requests().is_empty());
    assert!(sent(&other).is_empty());
}

#[test]
fn host_that_is_not_granted_is_not_asked() {
    let server = site().serve();
    let message = Client::without_grants().refusal(&of(&server, "issue", "/12"));
    assert!(message.contains("is not granted"), "{message}");
    assert!(server.targets().is_empty());
}
