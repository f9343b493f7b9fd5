//! The messages of wrong files.

use crate::support::{examples, file, messages, user};
use omniread_config::keys;

#[test]
fn wrong_values_are_explained() {
    for (text, message) in [
        (
            "[options]\nlimit = 5000",
            "2:9: `options.limit` must be a number from 1 to 3000, not `5000`",
        ),
        (
            "options.limit = 0",
            "1:17: `options.limit` must be a number from 1 to 3000, not `0`",
        ),
        (
            "options.limit = -5",
            "1:17: `options.limit` must be a number from 1 to 3000, not `-5`",
        ),
        (
            "options.limit = 99999999999999999999999",
            "1:17: `options.limit` must be a number from 1 to 3000, not `99999999999999999999999`",
        ),
        (
            "options.limit = 1.5",
            "1:17: `options.limit` must be a number from 1 to 3000, not the number `1.5` with a fraction",
        ),
        (
            "options.limit = 1979-05-27",
            "1:17: `options.limit` must be a number from 1 to 3000, not a date or a time of day",
        ),
        (
            "options.reply-bytes = '1K'",
            "1:23: `options.reply-bytes` must be a size from 4096 to 8388608 bytes, not `1K`",
        ),
        (
            "limits.timeout = 'soon'",
            "1:18: `limits.timeout` must be a time such as \"10s\", \"500ms\" or \"2m\", or a whole number of seconds, not `soon`",
        ),
        (
            "limits.timeout = inf",
            "1:18: `limits.timeout` must be a time such as \"10s\", \"500ms\" or \"2m\", or a whole number of seconds, not the number `inf` with a fraction",
        ),
        (
            "options.all = 'maybe'",
            "1:15: `options.all` must be true, false, \"on\" or \"off\", not `maybe`",
        ),
        (
            "dialect = 'other'",
            "1:11: `dialect` must be one of omp, gateway, comma, gemini, claude, opencode, codex, not `other`",
        ),
        (
            "deny = ['ä', 5]",
            "1:14: element 2 of `deny` must be a pattern as in .gitignore, on one line, not `5`",
        ),
        (
            "roots = 'a'",
            "1:9: `roots` must be a list of directories, each a text, not `a`",
        ),
        (
            "limits = 5",
            "1:10: `limits` must be a table, such as `[limits]`",
        ),
        (
            "[network]\nheaders = ['a=b=s3cret']",
            "2:12: element 1 of `network.headers` must be `HOST=NAME=file:PATH`, `HOST=NAME=env:VARIABLE` or with a scheme `HOST=Authorization=Bearer env:VARIABLE`, which say where the value is, not this text",
        ),
        (
            "network.proxy = 'http://u:s3cret@a:1'",
            "1:17: `network.proxy` must be an address such as `http://proxy.example.com:3128`, without a user name or a password, not this text",
        ),
        (
            "[mounts]\n'a b' = 'x'",
            "2:1: `a b` in `mounts` must be a scheme: letters, digits, `+`, `-` and `.`, and at least two of them",
        ),
        (
            "[mounts]\nDocs = 'x'\ndocs = 'y'",
            "3:1: `mounts.docs` is set twice",
        ),
        ("[servers.x]", "1:10: `servers.x` needs `command` or `url`"),
        (
            "[servers.x]\nurl = 'https://a'\ncommand = 'c'",
            "1:10: `servers.x` has `command` and `url`; leave one of them out",
        ),
        (
            "[servers.x]\nurl = 'https://a'\nargs = []",
            "1:10: `servers.x` has a `url`, so that `args`, `env` and `cwd` have no effect; leave them out",
        ),
        (
            "[servers.x]\ncommand = 'c'\nheaders = {}",
            "1:10: `servers.x` has a `command`, so that `headers` have no effect; leave them out",
        ),
        (
            "[servers.x]\ncommand = 'c'\nenv.A = 5",
            "3:9: `servers.x.env.A` must be a name with a text, not `5`",
        ),
    ] {
        let expected = format!("/etc/u/config.toml:{message}");
        assert_eq!(messages(text), [expected], "{text}");
    }
}

#[test]
fn unknown_keys_name_similar_ones() {
    for (text, message) in [
        (
            "[option]\nlimit = 5",
            "1:2: there is no key `option`\nhint: a similar key exists: `options`",
        ),
        (
            "options.limt = 5",
            "1:9: there is no key `options.limt`\nhint: a similar key exists: `options.limit`",
        ),
        (
            "limits.max_file_size = 5",
            "1:8: there is no key `limits.max_file_size`\nhint: a similar key exists: `limits.max-file-size`",
        ),
        (
            "timeout = 5",
            "1:1: there is no key `timeout`\nhint: similar keys exist: `limits.timeout`, `network.timeout`",
        ),
        (
            "servers.a.comand = 'x'\nservers.a.url = 'http://a'",
            "1:11: there is no key `servers.a.comand`\nhint: a similar key exists: `servers.a.command`",
        ),
        (
            "[network]\nallow-net = ['a']",
            "2:1: there is no key `network.allow-net`\nhint: a similar key exists: `network.allow`",
        ),
        ("colour = 5", "1:1: there is no key `colour`"),
        (
            "\"a\\u001b[31m\" = 5",
            "1:1: there is no key `a⟨U+001B⟩[31m`",
        ),
    ] {
        let expected = format!("/etc/u/config.toml:{message}");
        assert_eq!(messages(text), [expected], "{text}");
    }
}

#[test]
fn all_problems_of_a_file_are_reported() {
    let found = messages("dialect = 5\nbad =\nother = 1\n[options]\nlimit = 0\nall = 3\n");
    let places = found.iter().map(|it| {
        let place = it.strip_prefix("/etc/u/config.toml:").unwrap();
        place.split(": ").next().unwrap()
    });
    assert_eq!(
        places.collect::<Vec<_>>(),
        ["1:11", "2:6", "3:1", "5:9", "6:7"],
        "{found:#?}"
    );
}

#[test]
fn problems_have_their_parts() {
    let error = user("[options]\nlimit = 0\nlimt = 1").unwrap_err();
    let [range, unknown] = error.problems.as_slice() else {
        panic!("{error}");
    };
    assert_eq!((range.line, range.column), (2, 9));
    assert_eq!(range.key.as_deref(), Some("options.limit"));
    assert_eq!(range.expected.as_deref(), Some("a number from 1 to 3000"));
    assert_eq!(unknown.similar, ["options.limit"]);
    assert_eq!(error.more, 0);
}

#[test]
fn many_problems_are_counted() {
    let text: String = (0..20_000).map(|n| format!("key{n} = 1\n")).collect();
    let error = user(&text).unwrap_err();
    assert_eq!((error.problems.len(), error.more), (50, 19_950));
    assert!(error.to_string().ends_with("\n19950 more problems"));
}

#[test]
fn secrets_are_not_in_messages() {
    for key in keys() {
        let secrets = [
            "network.headers",
            "network.proxy",
            "servers.NAME.args",
            "servers.NAME.url",
            "servers.NAME.env",
            "servers.NAME.headers",
        ];
        if !secrets.contains(&key.to_string().as_str()) {
            continue;
        }
        for value in [
            "'s3cret'",
            "['s3cret', 's3cret\\u0000', \"s3cret\\u0000\"]",
            "{ A = ['s3cret'] }",
            "{ A = \"s3cret\\u0000\" }",
            "\"s3cret\\u0000 \"",
        ] {
            if let Err(error) = user(&file(key, value)) {
                assert!(!error.to_string().contains("s3cret"), "{error}");
            }
        }
    }
}

#[test]
fn examples_of_each_kind_are_accepted_or_refused() {
    for key in keys() {
        let (valid, invalid) = examples(&key.kind);
        for value in valid {
            let result = user(&file(key, &value));
            assert!(result.is_ok(), "{key} = {value}: {result:?}");
        }
        for value in invalid {
            let result = user(&file(key, &value));
            assert!(result.is_err(), "{key} = {value}");
        }
    }
}
