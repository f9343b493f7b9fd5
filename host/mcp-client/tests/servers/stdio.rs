//! Servers over standard input and output.

use crate::common::{file, open, program, scripted, servers, text, with, within};
use omniread_mcp_client::{Failure, Step, limits};
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::Duration;

/// A server with three resources and a template.
const NOTES: &str = r#"
  *'"method":"resources/list"'*) answer '{"resources":[
    {"uri":"note://a","name":"A","description":"First\nnote","mimeType":"text/plain","size":2048},
    {"uri":"note://a:10","name":"A ten"},
    {"uri":"note://dir/","name":null},
    {"uri":"urn:note:b","name":"urn:note:b"}]}';;
  *'"method":"resources/templates/list"'*) answer '{"resourceTemplates":[{"uriTemplate":"made://{id}","name":"Made"}]}';;
  *'"uri":"note://a"'*) answer '{"contents":[{"uri":"note://a","mimeType":"text/markdown","text":"one\ntwo\n"}]}';;
  *'"uri":"note://a:10"'*) answer '{"contents":[{"uri":"note://a:10","text":"ten"}]}';;
  *'"uri":"note://dir/"'*) answer '{"contents":[
    {"uri":"note://dir/1","text":"first"},{"uri":"note://dir/2","mimeType":"image/png","blob":"AAEC"}]}';;
  *'"uri":"urn:note:b"'*) answer '{"contents":[{"uri":"urn:note:b","mimeType":"application/pdf","blob":"AAE="}]}';;
  *'"uri":"made://'*) answer '{"contents":[{"uri":"x","text":"made"}]}';;
  *'"method":"resources/read"'*) refuse -32002 'Resource not found';;
"#;

fn notes(name: &str) -> omniread_mcp_client::Server {
    // Lines of the script are lines of the protocol, so that its JSON has to be on one line.
    scripted(name, &NOTES.replace("\n    ", ""))
}

#[test]
fn servers_are_listed_without_a_start() {
    let log = file("start");
    let one = with(notes("one"), "LOG", log.to_str().unwrap());
    let servers = servers(vec![one, notes("two")]);
    let list = "mcp://one: not started\nmcp://two: not started\n";
    assert_eq!(text(&servers, "mcp://"), list);
    assert!(!log.exists());
    assert!(text(&servers, "mcp://one").contains("note://a"));
    assert!(log.exists());
    let list = text(&servers, "mcp://");
    assert!(
        list.starts_with("mcp://one: running; resources: 4, templates: 1\n"),
        "{list}"
    );
    fs::remove_file(log).unwrap();
}

#[test]
fn resources_and_templates_are_listed() {
    let servers = servers(vec![notes("n")]);
    for url in ["mcp://n", "mcp://n/"] {
        assert_eq!(
            text(&servers, url),
            "mcp://n/note://a: A. First note (text/plain, 2.0KB)\n\
             mcp://n/note://a:10: A ten\n\
             mcp://n/note://dir/\n\
             mcp://n/urn:note:b\n\n\
             Templates, whose parts in braces are variables:\n\
             mcp://n/made://{id}: Made\n"
        );
    }
}

#[test]
fn resources_are_read_by_their_exact_uri() {
    let servers = servers(vec![notes("n")]);
    let note = open(&servers, "mcp://n/note://a").unwrap();
    assert_eq!(note.bytes, b"one\ntwo\n");
    assert_eq!(note.mime.as_deref(), Some("text/markdown"));
    assert!(note.is_text);
    let blob = open(&servers, "mcp://n/urn:note:b").unwrap();
    assert_eq!((blob.bytes.as_slice(), blob.is_text), (&[0, 1][..], false));
    for url in ["mcp://n/note://a/", "mcp://n/note://A", "mcp://n/note:a"] {
        let failure = open(&servers, url).unwrap_err();
        assert!(matches!(failure, Failure::NotFound(_)), "{url}: {failure}");
    }
    let selected = Failure::NotFound(vec!["mcp://n/:1-2".to_owned()]);
    assert_eq!(open(&servers, "mcp://n:1-2"), Err(selected));
    let Err(Failure::NotFound(similar)) = open(&servers, "mcp://n/urn:note:c") else {
        panic!();
    };
    assert_eq!(similar, ["mcp://n/urn:note:b"]);
}

#[test]
fn several_contents_are_parts() {
    let servers = servers(vec![notes("n")]);
    assert_eq!(
        text(&servers, "mcp://n/note://dir/"),
        "[Part 1 of 2: note://dir/1, 5B. `mcp://n/note://dir/#part=1` reads it alone]\nfirst\n\n\
         [Part 2 of 2: note://dir/2, image/png, 3B. `mcp://n/note://dir/#part=2` reads it alone]\n"
    );
    let second = open(&servers, "mcp://n/note://dir/#part=2").unwrap();
    assert_eq!(second.bytes, [0, 1, 2]);
    assert_eq!(second.mime.as_deref(), Some("image/png"));
    let Err(Failure::NotFound(similar)) = open(&servers, "mcp://n/note://dir/#part=3") else {
        panic!();
    };
    assert_eq!(similar, ["mcp://n/note://dir/#part=2"]);
}

#[test]
fn selectors_belong_to_a_uri_only_if_a_resource_has_them() {
    let servers = servers(vec![notes("n")]);
    assert_eq!(text(&servers, "mcp://n/note://a:10"), "ten");
    assert_eq!(text(&servers, "mcp://n/made://1"), "made");
    for url in [
        "mcp://n/note://a:1-2",
        "mcp://n/note://a:raw:1",
        "mcp://n/made://1:5",
        "mcp://n/:1-5",
        "mcp://note://a:1-2",
        "mcp://made://1:5",
    ] {
        let failure = open(&servers, url).unwrap_err();
        assert!(matches!(failure, Failure::NotFound(_)), "{url}: {failure}");
    }
}

#[test]
fn uri_without_a_server_goes_to_the_one_that_lists_it_or_matches_best() {
    let server = |name: &str, lists: &str, template: &str| {
        let cases = format!(
            r#"
  *'"method":"resources/list"'*) answer '{{"resources":[{{"uri":"{lists}"}}]}}';;
  *'"method":"resources/templates/list"'*) answer '{{"resourceTemplates":[{{"uriTemplate":"{template}"}}]}}';;
  *'"method":"resources/read"'*) answer '{{"contents":[{{"uri":"x","text":"{name}"}}]}}';;
"#
        );
        scripted(name, &cases)
    };
    let all = servers(vec![
        server("one", "x://1", "x://{+all}"),
        server("two", "x://2", "x://deep/{id}"),
        server("three", "x://2", "y://{id}"),
    ]);
    assert_eq!(text(&all, "mcp://x://2"), "two");
    assert_eq!(text(&all, "mcp://x://deep/7"), "two");
    assert_eq!(text(&all, "mcp://x://other/7"), "one");
    assert_eq!(text(&all, "mcp://y://7"), "three");
    for url in ["mcp://z://7", "mcp://on", "mcp://none/x"] {
        assert!(
            matches!(open(&all, url), Err(Failure::NotFound(_))),
            "{url}"
        );
    }
    // A server that fails does not hide the others, but is named if none has the resource.
    let some = servers(vec![
        program("bad", "exit 3"),
        server("one", "x://1", "x://{id}"),
    ]);
    assert_eq!(text(&some, "mcp://x://1"), "one");
    let failure = open(&some, "mcp://z://1").unwrap_err();
    assert!(failure.to_string().contains("`bad`"), "{failure}");
}

/// The deadline of the test is that of the other server, which nobody waits for.
#[test]
fn server_that_never_starts_does_not_hide_the_resource_of_another_one() {
    let cases = r#"
  *'"method":"resources/list"'*) answer '{"resources":[{"uri":"x://1"}]}';;
  *'"method":"resources/templates/list"'*) answer '{"resourceTemplates":[{"uriTemplate":"y://{id}"}]}';;
  *'"method":"resources/read"'*) answer '{"contents":[{"uri":"x","text":"here"}]}';;
"#;
    let stuck = |name: &str| within(program(name, "exec sleep 1000"), 600_000, 600_000);
    let all = servers(vec![stuck("one"), scripted("two", cases), stuck("three")]);
    for url in ["mcp://x://1", "mcp://y://1"] {
        assert_eq!(text(&all, url), "here", "{url}");
    }
    let failure = open(&all, "mcp://x://1:5").unwrap_err();
    assert_eq!(failure, Failure::NotFound(Vec::new()));
}

/// A server that lists nothing may have resources.
#[test]
fn uri_with_a_selector_is_read_if_the_list_fails() {
    let cases = r#"
  *'"method":"resources/list"'*) refuse -32000 'no list';;
  *'"uri":"note://a:10"'*) answer '{"contents":[{"uri":"x","text":"ten"}]}';;
  *'"uri":"note://a"'*) answer '{"contents":[{"uri":"x","text":"one"},{"uri":"x","text":"two"}]}';;
  *'"method":"resources/read"'*) refuse -32002 'unknown';;
"#;
    let servers = servers(vec![scripted("n", cases)]);
    assert_eq!(text(&servers, "mcp://n/note://a:10"), "ten");
    assert_eq!(text(&servers, "mcp://n/note://a#part=2"), "two");
    let failure = open(&servers, "mcp://n/note://a:11").unwrap_err();
    assert_eq!(failure, Failure::NotFound(Vec::new()));
    let failure = open(&servers, "mcp://n").unwrap_err();
    assert!(matches!(failure, Failure::Refused { .. }), "{failure}");
}

#[test]
fn list_that_breaks_off_is_requested_again() {
    let log = file("partial");
    let cases = r#"
  *'"method":"resources/list"'*'"cursor"'*) [ -e "$LOG.again" ] && answer '{"resources":[{"uri":"a:2"}]}' || refuse -32000 'busy';;
  *'"method":"resources/list"'*) answer '{"resources":[{"uri":"a:1"}],"nextCursor":"2"}';;
"#;
    let breaks = with(scripted("breaks", cases), "LOG", log.to_str().unwrap());
    let servers = servers(vec![breaks]);
    let first = text(&servers, "mcp://breaks");
    assert!(first.contains("[the list ends here: "), "{first}");
    let again = log.with_file_name(format!(
        "{}.again",
        log.file_name().unwrap().to_str().unwrap()
    ));
    fs::write(&again, "").unwrap();
    let whole = "mcp://breaks/a:1\nmcp://breaks/a:2\n";
    assert_eq!(text(&servers, "mcp://breaks"), whole);
    // A list that is whole is kept.
    fs::remove_file(again).unwrap();
    assert_eq!(text(&servers, "mcp://breaks"), whole);
    fs::remove_file(log).unwrap();
}

/// The list takes longer than half of the deadline, so that the second read has too little of it left.
#[test]
fn wait_for_the_list_of_another_read_counts_towards_the_deadline() {
    let log = file("waits");
    let cases = r#"
  *'"method":"initialize"'*) answer '{"protocolVersion":"2025-06-18","capabilities":{"resources":{}},"serverInfo":{"name":"s","version":"1"}}';;
  *'"method":"resources/list"'*) sleep 3; answer '{"resources":[]}';;
"#;
    let slow = with(scripted("slow", cases), "LOG", log.to_str().unwrap());
    let servers = servers(vec![within(slow, 10_000, 5000)]);
    std::thread::scope(|scope| {
        let first = scope.spawn(|| open(&servers, "mcp://slow"));
        wait_for(&log, "resources/list");
        let second = open(&servers, "mcp://slow").unwrap_err();
        assert!(matches!(second, Failure::Late { .. }), "{second}");
        first.join().unwrap().unwrap();
    });
    fs::remove_file(log).unwrap();
}

#[test]
fn late_server_is_waited_for() {
    let cases = r#"*'"method":"initialize"'*) sleep 1; started;;"#;
    let servers = servers(vec![scripted("late", cases)]);
    assert_eq!(text(&servers, "mcp://late"), "(no resources)\n");
}

#[test]
fn server_that_never_starts_is_a_failure_with_its_standard_error() {
    let script = "printf 'missing \\033[1mkey\\n' >&2; sleep 600 & wait";
    let servers = servers(vec![within(program("stuck", script), 300, 300)]);
    let failure = open(&servers, "mcp://stuck").unwrap_err();
    assert_eq!(
        failure.to_string(),
        "the MCP server `stuck` has not started within 0.3 s; its standard error ends with: \
         missing ⟨U+001B⟩[1mkey"
    );
    let list = text(&servers, "mcp://");
    assert!(list.contains("not running: "), "{list}");
}

#[test]
fn server_that_ends_at_once_is_a_failure_and_not_started_by_each_read() {
    let log = file("starts");
    let script = "echo start >> \"$LOG\"; echo 'no config' >&2; exit 3";
    let ends = with(program("ends", script), "LOG", log.to_str().unwrap());
    let servers = servers(vec![ends]);
    let failure = open(&servers, "mcp://ends").unwrap_err().to_string();
    assert_eq!(
        failure,
        "the MCP server `ends` failed: exit status: 3; its standard error ends with: no config"
    );
    for _ in 0..3 {
        let failure = open(&servers, "mcp://ends/a:b").unwrap_err();
        assert!(matches!(failure, Failure::Waiting { .. }), "{failure}");
        assert!(failure.to_string().contains("no config"), "{failure}");
    }
    assert_eq!(fs::read_to_string(&log).unwrap(), "start\n");
    fs::remove_file(log).unwrap();
}

#[test]
fn missing_program_is_a_failure() {
    let mut missing = program("missing", "");
    missing.reach = omniread_mcp_client::Reach::Program {
        program: "/nothing/here".into(),
        arguments: Vec::new(),
        environment: Vec::new(),
        directory: None,
    };
    let failure = open(&servers(vec![missing]), "mcp://missing").unwrap_err();
    assert!(matches!(failure, Failure::Program { .. }), "{failure}");
    assert!(failure.to_string().contains("`/nothing/here`"), "{failure}");
}

#[test]
fn server_that_dies_during_a_request_is_started_again() {
    let log = file("dies");
    let cases = r#"
  *'"uri":"a:die"'*) echo 'out of memory' >&2; kill -9 $$;;
  *'"method":"initialize"'*) echo start >> "$STARTS"; started;;
  *'"method":"resources/read"'*) answer '{"contents":[{"uri":"x","text":"ok"}]}';;
"#;
    let dies = with(scripted("dies", cases), "STARTS", log.to_str().unwrap());
    let servers = servers(vec![dies]);
    assert_eq!(text(&servers, "mcp://dies/a:b"), "ok");
    let failure = open(&servers, "mcp://dies/a:die").unwrap_err().to_string();
    assert!(failure.contains("signal: 9"), "{failure}");
    assert!(failure.contains("out of memory"), "{failure}");
    // Not at once.
    assert!(matches!(
        open(&servers, "mcp://dies/a:b"),
        Err(Failure::Waiting { .. })
    ));
    sleep(limits::RESTART);
    assert_eq!(text(&servers, "mcp://dies/a:b"), "ok");
    assert_eq!(fs::read_to_string(&log).unwrap(), "start\nstart\n");
    fs::remove_file(log).unwrap();
}

#[test]
fn request_without_an_answer_ends_at_its_deadline_and_is_cancelled() {
    let log = file("hangs");
    let cases = r#"*'"method":"resources/read"'*) ;;"#;
    let hangs = with(scripted("hangs", cases), "LOG", log.to_str().unwrap());
    let servers = servers(vec![within(hangs, 10_000, 300)]);
    let failure = open(&servers, "mcp://hangs/a:b").unwrap_err();
    assert!(
        matches!(
            failure,
            Failure::Late {
                step: Step::Answer,
                others: 0,
                ..
            }
        ),
        "{failure}"
    );
    wait_for(&log, "notifications/cancelled");
    fs::remove_file(log).unwrap();
}

/// Waits until a file has a text.
fn wait_for(file: &Path, text: &str) {
    loop {
        let all = fs::read_to_string(file).unwrap_or_default();
        if all.contains(text) {
            return;
        }
        sleep(Duration::from_millis(10));
    }
}

#[test]
fn cancelled_read_cancels_its_request() {
    let log = file("cancelled");
    let cases = r#"*'"method":"resources/read"'*) ;;"#;
    let hangs = with(scripted("hangs", cases), "LOG", log.to_str().unwrap());
    let servers = servers(vec![hangs]);
    let is_cancelled = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let read = scope
            .spawn(|| servers.open("mcp://hangs/a:b", &|| is_cancelled.load(Ordering::Relaxed)));
        wait_for(&log, "resources/read");
        is_cancelled.store(true, Ordering::Relaxed);
        assert_eq!(read.join().unwrap(), Err(Failure::Cancelled));
    });
    wait_for(&log, "notifications/cancelled");
    // The server is of use for the next read.
    assert_eq!(text(&servers, "mcp://hangs"), "(no resources)\n");
    fs::remove_file(log).unwrap();
}

#[test]
fn server_that_answers_nothing_is_ended() {
    let cases = r#"*'"method":"resources/read"'*) ;;"#;
    let servers = servers(vec![within(scripted("hangs", cases), 10_000, 100)]);
    for _ in 0..3 {
        let failure = open(&servers, "mcp://hangs/a:b").unwrap_err();
        assert!(matches!(failure, Failure::Late { .. }), "{failure}");
    }
    loop {
        match open(&servers, "mcp://hangs/a:b").unwrap_err() {
            Failure::Waiting { .. } => return,
            Failure::Late { .. } => {}
            failure => panic!("{failure}"),
        }
    }
}

#[test]
fn answer_with_another_id_is_not_an_answer() {
    let cases = r#"*'"method":"resources/read"'*) id=77; answer '{"contents":[]}';;"#;
    let servers = servers(vec![within(scripted("lies", cases), 10_000, 600_000)]);
    let failure = open(&servers, "mcp://lies/a:b").unwrap_err();
    assert!(failure.to_string().contains("its id is 77"), "{failure}");
    // The connection is of use for the next read.
    assert_eq!(text(&servers, "mcp://lies"), "(no resources)\n");
}

#[test]
fn answer_that_is_not_a_message_is_a_failure_at_once() {
    let cases = r#"*'"method":"resources/read"'*) printf '{"jsonrpc":"2.0","id":%s,"error":"no"}\n' "$id";;"#;
    let servers = servers(vec![within(scripted("lies", cases), 10_000, 600_000)]);
    let failure = open(&servers, "mcp://lies/a:b").unwrap_err();
    assert!(matches!(failure, Failure::Form { .. }), "{failure}");
    assert!(
        failure.to_string().contains("not a message of MCP"),
        "{failure}"
    );
}

#[test]
fn answers_of_other_types_are_failures() {
    for result in [
        "null",
        "{}",
        "[]",
        "7",
        r#"{"contents":null}"#,
        r#"{"contents":{}}"#,
        r#"{"contents":[{"uri":"a:b","blob":"!!"}]}"#,
        r#"{"resources":[]}"#,
    ] {
        let cases = format!(r#"*'"method":"resources/'*) answer '{result}';;"#);
        let servers = servers(vec![within(scripted("lies", &cases), 10_000, 1000)]);
        let failure = open(&servers, "mcp://lies/a:b").unwrap_err();
        assert!(
            matches!(failure, Failure::Form { .. } | Failure::Late { .. }),
            "{result}: {failure}"
        );
        if !result.contains("\"resources\"") {
            let failure = open(&servers, "mcp://lies").unwrap_err();
            assert!(
                matches!(failure, Failure::Form { .. } | Failure::Late { .. }),
                "{result}: {failure}"
            );
        }
    }
}

#[test]
fn lines_that_are_not_messages_are_ignored() {
    let cases = r#"*'"method":"initialize"'*) echo 'Server ready'; echo; echo '{"a":'; started;;"#;
    let servers = servers(vec![scripted("chatty", cases)]);
    assert_eq!(text(&servers, "mcp://chatty"), "(no resources)\n");
}

#[test]
fn flood_of_messages_ends_the_server() {
    let cases = r#"*'"method":"resources/read"'*) while :; do tell notifications/message; done;;"#;
    let servers = servers(vec![scripted("floods", cases)]);
    let failure = open(&servers, "mcp://floods/a:b").unwrap_err().to_string();
    assert!(failure.contains("messages unasked"), "{failure}");
}

#[test]
fn line_that_does_not_end_ends_the_server() {
    let cases = r#"*'"method":"resources/read"'*) tr '\0' a < /dev/zero;;"#;
    let servers = servers(vec![scripted("floods", cases)]);
    let failure = open(&servers, "mcp://floods/a:b").unwrap_err().to_string();
    assert!(failure.contains("message of more than 40 MiB"), "{failure}");
}

/// Parsed, such an answer takes seventy times its size.
#[test]
fn answer_with_too_many_values_ends_the_server_before_it_is_parsed() {
    let cases = r#"*'"method":"resources/read"'*)
      printf '{"jsonrpc":"2.0","id":%s,"result":{"contents":[0' "$id"
      head -c 19000000 /dev/zero | sed 's/\x00/,0/g'
      printf ']}}\n';;"#;
    let servers = servers(vec![scripted("values", cases)]);
    let failure = open(&servers, "mcp://values/a:b").unwrap_err();
    assert!(matches!(failure, Failure::Ended { .. }), "{failure}");
    assert!(
        failure.to_string().contains("more than 1000000 values"),
        "{failure}"
    );
    #[cfg(target_os = "linux")]
    {
        let status = fs::read_to_string("/proc/self/status").unwrap();
        let most = status.split_once("VmHWM:").unwrap().1;
        let most: u64 = most.split_whitespace().next().unwrap().parse().unwrap();
        assert!(most < 1 << 20, "{most} KiB");
    }
}

#[test]
fn flood_of_standard_error_is_read_and_its_end_is_quoted() {
    let cases = r#"*'"method":"resources/read"'*) head -c 3000000 /dev/zero | tr '\0' e >&2; echo end >&2; exit 4;;"#;
    let servers = servers(vec![scripted("errors", cases)]);
    let failure = open(&servers, "mcp://errors/a:b").unwrap_err().to_string();
    assert!(failure.contains("exit status: 4"), "{failure}");
    assert!(failure.ends_with("eeeend"), "{failure}");
    assert!(failure.len() < 1000, "{failure}");
}

#[test]
fn repeated_cursors_end_a_list_with_a_note() {
    let cases = r#"*'"method":"resources/list"'*) answer '{"resources":[{"uri":"a:b"}],"nextCursor":"same"}';;"#;
    let list = text(&servers(vec![scripted("repeats", cases)]), "mcp://repeats");
    assert!(list.contains("[the server repeats a page"), "{list}");
}

#[test]
fn changed_list_is_requested_again() {
    let log = file("changed");
    let cases = r#"
  *'"uri":"a:change"'*) tell notifications/resources/list_changed; answer '{"contents":[]}';;
"#;
    let changes = with(scripted("changes", cases), "LOG", log.to_str().unwrap());
    let servers = servers(vec![changes]);
    let lists = || {
        let all = fs::read_to_string(&log).unwrap();
        all.matches("\"resources/list\"").count()
    };
    text(&servers, "mcp://changes");
    text(&servers, "mcp://changes");
    assert_eq!(lists(), 1);
    assert_eq!(text(&servers, "mcp://changes/a:change"), "");
    // The notification may be handled after the answer.
    while lists() < 2 {
        text(&servers, "mcp://changes");
    }
    fs::remove_file(log).unwrap();
}

#[test]
fn environment_is_the_given_one() {
    let cases = r#"*'"method":"resources/read"'*) answer "{\"contents\":[{\"uri\":\"x\",\"text\":\"$(env | cut -d= -f1 | sort | tr '\n' ' ')\"}]}";;"#;
    let given = with(scripted("given", cases), "TOKEN", "secret");
    let names = text(&servers(vec![given]), "mcp://given/a:b");
    let names: Vec<&str> = names.split_whitespace().collect();
    // The shell sets some itself.
    let own = ["PWD", "SHLVL", "_", "OLDPWD"];
    let names: Vec<&&str> = names.iter().filter(|name| !own.contains(name)).collect();
    assert_eq!(names, [&"HOME", &"PATH", &"TOKEN"]);
}

/// The working directory of this process may be a workspace, whose files a program such as `npx` would run.
#[test]
fn program_without_a_directory_does_not_run_in_that_of_this_process() {
    let cases = r#"*'"method":"resources/read"'*) answer "{\"contents\":[{\"uri\":\"x\",\"text\":\"$(pwd -P)\"}]}";;"#;
    let home = std::env::home_dir().unwrap().canonicalize().unwrap();
    let here = std::env::current_dir().unwrap();
    assert_ne!(here.canonicalize().unwrap(), home);
    let place = text(&servers(vec![scripted("place", cases)]), "mcp://place/a:b");
    assert_eq!(Path::new(&place), home);
}

#[test]
fn relative_program_starts_in_the_directory_of_its_server() {
    let directory = file("programs");
    fs::create_dir(&directory).unwrap();
    std::os::unix::fs::symlink("/bin/sh", directory.join("own-sh")).unwrap();
    let mut server = scripted("own", "");
    let omniread_mcp_client::Reach::Program {
        program,
        directory: own,
        ..
    } = &mut server.reach
    else {
        panic!();
    };
    *program = "./own-sh".into();
    *own = Some(directory.clone());
    let list = text(&servers(vec![server]), "mcp://own");
    assert_eq!(list, "(no resources)\n");
    fs::remove_dir_all(directory).unwrap();
}

#[test]
fn secrets_of_a_program_are_hidden_in_failures() {
    let cases = r#"
  *'"uri":"a:refused"'*) refuse -32000 "wrong key $TOKEN";;
  *'"uri":"a:ends"'*) echo "wrong key $TOKEN" >&2; exit 3;;
"#;
    let secret = |name: &str, cases: &str| with(scripted(name, cases), "TOKEN", "s3cret-t0ken");
    let servers = servers(vec![
        secret("one", cases),
        with(
            program("two", "echo \"key $TOKEN\" >&2; exit 3"),
            "TOKEN",
            "s3cret-t0ken",
        ),
    ]);
    for url in [
        "mcp://one/a:refused",
        "mcp://one/a:ends",
        "mcp://one",
        "mcp://two",
    ] {
        let failure = open(&servers, url).unwrap_err().to_string();
        assert!(failure.contains("key (hidden)"), "{url}: {failure}");
        assert!(!failure.contains("s3cret"), "{url}: {failure}");
    }
    let list = text(&servers, "mcp://");
    assert!(
        list.contains("key (hidden)") && !list.contains("s3cret"),
        "{list}"
    );
}

#[test]
fn all_processes_of_a_server_end_with_the_client() {
    let pids = file("pids");
    let cases = r#"*'"method":"resources/read"'*)
      trap '' TERM
      sleep 600 & echo $! >> "$PIDS"; echo $$ >> "$PIDS"
      answer '{"contents":[]}'
      while :; do sleep 1; done;;"#;
    let stays = with(scripted("stays", cases), "PIDS", pids.to_str().unwrap());
    let servers = servers(vec![stays]);
    text(&servers, "mcp://stays/a:b");
    let all = fs::read_to_string(&pids).unwrap();
    assert_eq!(all.lines().count(), 2);
    drop(servers);
    for pid in all.lines() {
        // A process that has ended may be listed until its parent, or the system, notices.
        while is_running(pid) {
            sleep(Duration::from_millis(10));
        }
    }
    fs::remove_file(pids).unwrap();
}

fn is_running(pid: &str) -> bool {
    let status = fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
    !status.is_empty() && !status.contains(") Z ")
}

/// A server that ignores the end of its input and `SIGTERM`, and never starts. It writes its number to a file.
fn stubborn(pid: &Path) -> omniread_mcp_client::Server {
    let script =
        "trap '' TERM; echo $$ > \"$PID.new\"; mv \"$PID.new\" \"$PID\"; while :; do sleep 1; done";
    let server = program("stubborn", script);
    within(with(server, "PID", pid.to_str().unwrap()), 600_000, 1000)
}

#[test]
fn server_that_starts_ends_with_the_client() {
    let pid = file("starting");
    let servers = servers(vec![stubborn(&pid)]);
    std::thread::scope(|scope| {
        let read = scope.spawn(|| open(&servers, "mcp://stubborn"));
        wait_for(&pid, "\n");
        servers.end();
        let failure = read.join().unwrap().unwrap_err();
        assert!(matches!(failure, Failure::Ended { .. }), "{failure}");
    });
    let number = fs::read_to_string(&pid).unwrap();
    while is_running(&number) {
        sleep(Duration::from_millis(10));
    }
    // The next read starts it again.
    fs::remove_file(&pid).unwrap();
    std::thread::scope(|scope| {
        let read = scope.spawn(|| open(&servers, "mcp://stubborn"));
        wait_for(&pid, "\n");
        servers.end();
        read.join().unwrap().unwrap_err();
    });
    fs::remove_file(pid).unwrap();
}

#[test]
fn server_ends_when_its_input_is_closed() {
    let log = file("ended");
    let script = format!("trap 'echo term >> {0}' TERM\n", log.display());
    let server = scripted("ends", "");
    let omniread_mcp_client::Reach::Program { arguments, .. } = &server.reach else {
        panic!();
    };
    let own = arguments[1].to_str().unwrap();
    let server = program(
        "ends",
        &format!("{script}{own}\necho closed >> {}", log.display()),
    );
    let servers = servers(vec![server]);
    text(&servers, "mcp://ends");
    servers.end();
    assert_eq!(fs::read_to_string(&log).unwrap(), "closed\n");
    fs::remove_file(log).unwrap();
}
