use super::*;
use std::fmt::Write as _;

fn levels(expected: Level, lines: &[&str]) {
    for line in lines {
        assert_eq!(parse(line.as_bytes()).level, expected, "{line}");
    }
}

#[test]
fn level_of_each_form_is_found() {
    levels(
        Level::Error,
        &[
            "2024-01-02 03:04:05,123 ERROR [main] com.x.Y - it broke",
            "2024-01-02 03:04:05,123 - app.db - ERROR - it broke",
            "2024-01-02T03:04:05.123456Z ERROR app::x: it broke",
            "[2024-01-02T03:04:05Z ERROR app::x] it broke",
            "ERROR:root:it broke",
            "CRITICAL:root:it broke",
            "2024/01/02 03:04:05 [error] 12#12: *1 open() failed",
            "[Fri Sep 09 10:42:29.902022 2011] [core:error] [pid 35708] it broke",
            "[Wed Oct 11 14:32:52 2000] [error] [client 127.0.0.1] it broke",
            "<11>1 2003-10-11T22:14:15.003Z host app - ID47 - it broke",
            "<3>Jan  2 03:04:05 host kernel: it broke",
            "E0102 03:04:05.123456       1 file.go:12] it broke",
            "F0102 03:04:05.123456       1 file.go:12] it broke",
            "E/Tag( 123): it broke",
            "01-02 03:04:05.678  1234  5678 E Tag: it broke",
            "time=\"2024-01-02T03:04:05Z\" level=error msg=\"it broke\"",
            "level=fatal ts=1 msg=x",
            "{\"level\":\"error\",\"msg\":\"it broke\"}",
            "{\"level\":50,\"time\":1531171074631,\"msg\":\"it broke\"}",
            "{\"level\":60,\"time\":1531171074631,\"msg\":\"it broke\"}",
            "{\"time\":\"2024-01-02T03:04:05Z\",\"severity\":\"CRITICAL\",\"message\":\"x\"}",
            "{\"t\":{\"$date\":\"2024-01-02T03:04:05\"},\"s\":\"E\",\"c\":\"NETWORK\"}",
            "{\"log\":\"ERROR it broke\\n\",\"stream\":\"stdout\",\"time\":\"2024-01-02T03:04:05Z\"}",
            "2024-01-02T03:04:05.169669794Z stdout F ERROR it broke",
            "2024-01-02T03:04:05.169669794Z stderr F {\"level\":\"error\",\"msg\":\"x\"}",
            "2024-01-02T03:04:05.1234567Z ##[error]Process completed with exit code 1.",
            "10.0.0.1 - - [10/Oct/2000:13:55:36 -0700] \"GET / HTTP/1.1\" 503 2326",
            "INFO:     127.0.0.1:52 - \"GET / HTTP/1.1\" 500 Internal Server Error",
            "02-Jan-2024 03:04:05.123 SEVERE [main] org.apache.X.y it broke",
            "SEVERE: it broke",
            "2024-01-02 03:04:05.123 UTC [123] FATAL:  it broke",
            "2024-01-02T03:04:05.123456Z 0 [ERROR] [MY-010] [Server] it broke",
            "[E 03:04:05.123 NotebookApp] it broke",
            "[ERROR] COMPILATION ERROR :",
            "[    1.234567] Kernel panic - not syncing: VFS",
            "[    1.234567] EXT4-fs error (device sda1): bad block",
            "Jan  2 03:04:05 host systemd[1]: Failed to start foo.service.",
            "Jan  2 03:04:05 host kernel: Out of memory: Killed process 1234",
            "error[E0308]: mismatched types",
            "error: could not compile `x`",
            "foo.c:12:5: error: expected ';'",
            "src/a.ts(3,4): error TS2304: Cannot find name",
            "npm ERR! code ELIFECYCLE",
            "npm error code E404",
            "E: Unable to locate package x",
            "make: *** [Makefile:5: all] Error 2",
            "Traceback (most recent call last):",
            "ValueError: invalid literal",
            "java.lang.NullPointerException",
            "Exception in thread \"main\" java.lang.IllegalStateException: x",
            "thread 'main' panicked at src/main.rs:2:5:",
            "panic: runtime error: index out of range",
            "fatal: not a git repository",
            "Segmentation fault (core dumped)",
            "FAILED tests/test_a.py::test_b - assert 1 == 2",
            "--- FAIL: TestX (0.00s)",
            "test a::b ... FAILED",
            "test result: FAILED. 3 passed; 1 failed; 0 ignored",
            "E   assert 1 == 2",
            "Found 3 errors",
            "! Undefined control sequence.",
            "##[error]it broke",
            "::error file=a.js,line=1::it broke",
        ],
    );
    levels(
        Level::Warning,
        &[
            "2024-01-02 03:04:05,123 WARN [main] com.x.Y - slow",
            "WARNING:root:slow",
            "warning: unused variable: `x`",
            "{\"level\":40,\"time\":1,\"msg\":\"slow\"}",
            "npm WARN deprecated x",
            "W0102 03:04:05.123456 1 file.go:12] slow",
            "[WARNING] slow",
        ],
    );
}

#[test]
fn lines_that_name_errors_without_one_are_not_reported() {
    levels(
        Level::Other,
        &[
            "",
            "2024-01-02 03:04:05,123 INFO done, 0 errors",
            "2024-01-02 03:04:05,123 INFO error_count=0 errors=0",
            "0 errors, 0 warnings",
            "no error",
            "No errors found",
            "found no errors",
            "error: 0",
            "errors: 0",
            "ERRORS: 0",
            "\"error\": null, \"x\": 1",
            "error=\"\" msg=done",
            "err=nil error=<nil> ok",
            "error=none",
            "test result: ok. 5 passed; 0 failed; 0 ignored",
            "ok=12 changed=3 unreachable=0 failed=0 skipped=1",
            "test error::tests::errors_are_shown ... ok",
            "Compiling thiserror v1.0.0",
            "Compiling error-chain v0.12",
            "gcc -c src/error.c -o error.o",
            "GET /error/log.html HTTP/1.1",
            "10.0.0.1 - - [10/Oct/2000:13:55:36 -0700] \"GET /error?x=ERROR HTTP/1.1\" 404 2326 \"-\" \"error\"",
            "Error handling enabled",
            "error reporting is on",
            "non-fatal",
            "failover complete",
            "{\"level\":\"info\",\"msg\":\"error: none of them\"}",
            "{\"level\":30,\"time\":1,\"msg\":\"ERROR\"}",
            "I0102 03:04:05.123456 1 file.go:12] Error page shown",
            "checking if gcc reports an error... no",
            "terror mirror horror",
            "at com.x.MyException.<init>(MyException.java:3)",
        ],
    );
}

#[test]
fn names_of_logs_are_recognised() {
    for name in [
        "a.log",
        "/var/log/A.LOG",
        "a.log.1",
        "a.log.2024-01-02",
        "a.log-20240102",
        "a.log.1.old",
        "app.log.2024-01-02_13",
        "access_log",
        "error_log",
        "catalina.out",
        "build.log",
        "log",
        "C:\\x\\a.log",
    ] {
        assert_eq!(named(name), Named::Log, "{name}");
    }
    for name in [
        "app.log.host1",
        "app.log.py",
        "data.log.json",
        "syslog",
        "messages",
        "syslog.1",
        "dmesg",
        "a.txt",
        "a.out",
        "a.jsonl",
        "server",
        "a.json",
    ] {
        assert_eq!(named(name), Named::Perhaps, "{name}");
    }
    for name in [
        "a.rs",
        "a.csv",
        "CHANGELOG.md",
        "a.py",
        "a.srt",
        "log.go",
        "blog.html",
        "a.logic",
    ] {
        assert_eq!(named(name), Named::Other, "{name}");
    }
}

fn text(lines: usize, line: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    for n in 1..=lines {
        let _ = writeln!(text, "{}", line(n));
    }
    text
}

#[test]
fn other_texts_are_not_logs() {
    let texts = [
        text(100, |n| format!("2024-01-02 03:04:05,12.{n},4")),
        text(100, |n| format!("2024-01-02 03:04:05\t12.{n}\tname")),
        text(100, |n| format!("2024-01-02 03:04:05 12.{n} 4")),
        text(100, |n| {
            format!("2024-01-{n:02}  A Name  <a@b.c>\n\n\t* file.c: Fix error {n}.\n")
        }),
        text(100, |n| {
            format!("{n}\n00:00:01,000 --> 00:00:02,000\nSome words\n")
        }),
        text(100, |n| {
            format!("Error messages are shown here {n}, and the log is fine.")
        }),
        text(100, |n| {
            format!("{{\"id\":{n},\"text\":\"hello\",\"timestamp\":{n}}}")
        }),
        text(100, |n| format!("{n}. Release of 2024-01-02: error fixes")),
        text(100, |n| format!("    let x{n} = error(); // 2024-01-02")),
        text(100, |n| format!("* 2024-01-02 10:00 item {n}")),
        text(9, |n| format!("2024-01-02 03:04:05 INFO message {n}")),
        String::new(),
        "\n\n\n".repeat(50),
    ];
    for text in &texts {
        assert_eq!(detect("a.txt", &[text.as_bytes()]), None, "{text}");
    }
    let log = text(100, |n| format!("2024-01-02 03:04:05 INFO message {n}"));
    assert_eq!(detect("a.txt", &[log.as_bytes()]), Some(Shape::Entries));
    assert_eq!(detect("a.csv", &[log.as_bytes()]), None);
    assert_eq!(detect("a.log", &[texts[5].as_bytes()]), Some(Shape::Output));
}

#[test]
fn two_fifths_of_the_first_lines_of_a_log_are_entries() {
    let log = text(100, |n| format!("2024-01-02 03:04:05 INFO message {n}"));
    for (others, expected) in [(60, Some(Shape::Entries)), (61, None)] {
        let first = text(100, |n| {
            if n <= others {
                format!("words {n}")
            } else {
                format!("2024-01-02 03:04:05 INFO message {n}")
            }
        });
        assert_eq!(detect("a", &[first.as_bytes(), log.as_bytes()]), expected);
    }
}

fn report(text: &str) -> Report {
    let shape = detect("a.log", &[text.as_bytes()]).unwrap();
    let mut scanner = Scanner::new(shape);
    scanner.text(text.as_bytes());
    scanner.report()
}

#[test]
fn messages_that_differ_by_numbers_are_one() {
    let found = report(&text(100, |n| match n % 10 {
        3 => format!(
            "2024-01-02 03:04:{:02} ERROR timeout of 10.0.0.{n} after {n} ms, id 8f{n:06x}-a1b2",
            n % 60
        ),
        7 => format!("2024-01-02 03:04:{:02} ERROR refused by host{n}", n % 60),
        _ => format!("2024-01-02 03:04:{:02} INFO fine {n}", n % 60),
    }));
    let all: Vec<(u64, u64, u64)> = found
        .messages
        .iter()
        .map(|m| (m.first, m.last, m.count))
        .collect();
    assert_eq!(all, [(3, 93, 10), (7, 97, 10)]);
    assert_eq!((found.errors, found.lines), (20, 100));
}

#[test]
fn stack_trace_belongs_to_its_error() {
    let log = "\
2024-01-02 03:04:05 INFO a
2024-01-02 03:04:05 ERROR job failed
Traceback (most recent call last):
  File \"a.py\", line 3, in run
    1 / 0
ZeroDivisionError: division by zero
2024-01-02 03:04:06 INFO b
2024-01-02 03:04:07 ERROR job failed
Traceback (most recent call last):
ZeroDivisionError: division by zero
2024-01-02 03:04:06 INFO c
2024-01-02 03:04:06 INFO d
";
    let found = report(log);
    assert_eq!(
        found.messages,
        [Message {
            first: 2,
            last: 8,
            count: 2,
            follow: 4,
            cause: Some(6)
        }]
    );
}

#[test]
fn errors_of_compilers_have_their_lines() {
    let log = "   Compiling x v0.1.0
error[E0308]: mismatched types
 --> src/main.rs:2:5
  |
2 |     1
  |     ^ expected `()`

warning: unused
error: could not compile `x`
";
    let found = report(log);
    let all: Vec<(u64, u64)> = found.messages.iter().map(|m| (m.first, m.follow)).collect();
    assert_eq!(all, [(2, 4), (9, 0)]);
    assert_eq!(found.warnings, 1);
}

#[test]
fn ordinary_lines_do_not_belong_to_the_error_before_them() {
    // Lines of a build, without levels.
    let build = |word: &str| {
        let mut log = text(300, |n| format!("   {word} crate{n} v0.1.0"));
        log.push_str("error[E0308]: mismatched types\n --> src/main.rs:2:5\n");
        log + &text(300, |n| format!("   {word} other{n} v0.1.0"))
    };
    for word in ["Compiling", "Downloading"] {
        let found = report(&build(word));
        let all: Vec<(u64, u64)> = found.messages.iter().map(|m| (m.first, m.follow)).collect();
        assert_eq!(all, [(301, 1)], "{word}");
    }
    // Plain lines after entries: many are no stack trace, whatever was before the error.
    let mut log = text(300, |n| format!("2024-01-02 03:04:05 INFO message {n}"));
    log.push_str("2024-01-02 03:04:05 ERROR stopped\n");
    log.push_str(&text(300, |n| format!("plain line {n}")));
    assert_eq!(report(&log).messages[0].follow, 0);
    // Plain lines before and after it.
    let mut log = text(50, |n| format!("2024-01-02 03:04:05 INFO message {n}"));
    log.push_str(&text(50, |n| format!("step {n} done\n")));
    log.push_str("2024-01-02 03:04:05 ERROR stopped\n  at main\n");
    log.push_str(&text(50, |n| format!("step {n} done\n")));
    let found = report(&log);
    assert_eq!(found.messages[0].follow, 1, "{found:?}");
}

#[test]
fn entry_of_journald_is_reported_by_its_message() {
    let log = text(30, |n| {
        format!(
            "__CURSOR=s={n}\nPRIORITY={}\n_PID={n}\nMESSAGE=hello {n}\n",
            if n == 7 { 3 } else { 6 }
        )
    });
    let found = report(&log);
    let lines: Vec<&str> = log.lines().collect();
    assert_eq!(found.messages.len(), 1);
    assert_eq!(
        lines[usize::try_from(found.messages[0].first).unwrap() - 1],
        "MESSAGE=hello 7"
    );
}

#[test]
fn change_of_format_in_the_middle_loses_no_errors() {
    let mut log = text(300, |n| format!("2024-01-02 03:04:05 INFO message {n}"));
    log.push_str("2024-01-02 03:04:05 ERROR stopped\n");
    log.push_str(&text(300, |n| {
        if n == 250 {
            "error: it broke".to_owned()
        } else {
            format!("plain line {n}")
        }
    }));
    let found = report(&log);
    assert_eq!(
        found.messages.iter().map(|m| m.first).collect::<Vec<_>>(),
        [301, 551]
    );
}

#[test]
fn number_of_messages_and_their_size_are_bounded() {
    let words = |n: usize| {
        let letter = |n: usize| char::from(b'g' + u8::try_from(n % 20).unwrap());
        format!(
            "{}{}{}{}",
            letter(n),
            letter(n / 20),
            letter(n / 400),
            letter(n / 8000)
        )
    };
    let log = text(20_000, |n| {
        format!("2024-01-02 03:04:05 ERROR {} {}", words(n), "y".repeat(300))
    });
    let found = report(&log);
    assert_eq!(found.messages.len(), limits::MESSAGES);
    assert_eq!(found.errors, 20_000);
    assert_eq!(found.others, 20_000 - limits::MESSAGES as u64);
    assert_eq!(found.first_other, Some(limits::MESSAGES as u64 + 1));
}

#[test]
fn bytes_of_any_kind_are_lines() {
    let mut log = b"2024-01-02 03:04:05 ERROR a\r\n\0\0\xff\xfe\n".to_vec();
    log.extend_from_slice(
        b"\x1b[31m2024-01-02 03:04:05\x1b[0m \x1b[1mERROR\x1b[0m b\n\x1b[\n\x1b\n",
    );
    log.extend_from_slice(&vec![b'"'; 1 << 20]);
    log.extend_from_slice(b"\n{\"level\":\n{\"level\"\n{\"a\\\n<\n<3\n[\n2024-\nerror");
    let mut scanner = Scanner::new(Shape::Entries);
    scanner.text(&log);
    let found = scanner.report();
    assert_eq!(found.lines, 14);
    // All prefixes of all lines.
    for line in log
        .split(|byte| *byte == b'\n')
        .filter(|line| line.len() < 100)
    {
        for end in 0..=line.len() {
            parse(&line[..end]);
        }
    }
    assert_eq!(found.messages.first().unwrap().first, 1);
}

#[test]
fn settings_are_no_journal() {
    let settings = text(400, |n| match n % 3 {
        0 => format!("# CONFIG_{n} is not set"),
        _ => format!("CONFIG_{n}=y"),
    });
    assert_eq!(detect("config-5.10", &[settings.as_bytes()]), None);
    let journal = text(400, |n| match n % 4 {
        0 => "__REALTIME_TIMESTAMP=1700000000000000".to_owned(),
        1 => "PRIORITY=3".to_owned(),
        _ => format!("_PID={n}"),
    });
    assert_eq!(
        detect("export", &[journal.as_bytes()]),
        Some(Shape::Entries)
    );
}

#[test]
fn source_file_with_log_in_its_name_is_no_log() {
    let source = text(400, |n| format!("def f{n}(): return {n}"));
    assert_eq!(detect("app.log.py", &[source.as_bytes()]), None);
}
