//! Files that nobody writes on purpose, except to break the parser.

use crate::support::{messages, user, workspace};
use omniread_config::{Layer, Source};
use proptest::prelude::*;
use std::path::Path;

fn source() -> Source {
    Source::user(Path::new("c.toml"), None)
}

#[test]
fn large_file_is_refused() {
    let text = "# x\n".repeat(2_500_000);
    let error = user(&text).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot read `/etc/u/config.toml`: it is larger than 1048576 bytes"
    );
    let error = workspace(&"#".repeat(65_537)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot read `/w/omniread.toml`: it is larger than 65536 bytes"
    );
    assert!(workspace(&"#".repeat(65_536)).is_ok());
}

#[test]
fn deep_nesting_is_an_error() {
    for text in [
        format!("a = {}", "[".repeat(500_000)),
        format!("deny = {}{}", "[".repeat(400_000), "]".repeat(400_000)),
        format!("a = {}", "{ a = ".repeat(150_000)),
        format!("[{}a]", "a.".repeat(400_000)),
        format!("{}a = 1", "a.".repeat(400_000)),
        format!("deny = {}1", "[[{a=".repeat(150_000)),
    ] {
        assert!(user(&text).is_err());
    }
}

#[test]
fn many_tables_are_read_in_time() {
    let text: String = (0..20_000)
        .map(|n| format!("[servers.s{n}]\ncommand = 'c'\n"))
        .collect();
    assert!(user(&text).is_ok());
    let text = "x.y.z = 1\n".repeat(100_000);
    assert!(user(&text).is_err());
    let text = "=".repeat(1_000_000);
    assert!(user(&text).is_err());
}

#[test]
fn invalid_utf8_has_a_position() {
    let error = Layer::parse(b"# gr\xc3\xbcn\nroots = ['\xff']", &source()).unwrap_err();
    assert_eq!(error.to_string(), "c.toml:2:11: the file is not UTF-8 here");
    let error = Layer::parse(b"\xff", &source()).unwrap_err();
    assert_eq!(error.to_string(), "c.toml:1:1: the file is not UTF-8 here");
    // UTF-16
    assert!(Layer::parse(b"\xff\xfea\0=\0", &source()).is_err());
}

#[test]
fn duplicate_keys_are_errors() {
    for text in [
        "dialect = 'omp'\ndialect = 'omp'",
        "[limits]\n[limits]",
        "limits.timeout = 1\n[limits]\ntimeout = 2",
        "[servers.x]\ncommand = 'a'\ncommand = 'b'",
    ] {
        let found = messages(text);
        let is_duplicate = |it: &String| it.ends_with("duplicate key");
        assert!(found.iter().all(is_duplicate), "{found:?}");
    }
}

#[test]
fn mark_and_line_ends_do_not_matter() {
    let plain = user("deny = ['a']\n[limits]\ntimeout = 5\n").unwrap();
    let marked = user("\u{feff}deny = ['a']\n[limits]\ntimeout = 5\n").unwrap();
    let crlf = user("deny = ['a']\r\n[limits]\r\ntimeout = 5\r\n").unwrap();
    assert_eq!(plain, marked);
    assert_eq!(plain, crlf);
    assert_eq!(
        messages("\u{feff}x = 1"),
        ["/etc/u/config.toml:1:1: there is no key `x`"]
    );
    assert_eq!(
        messages("# ä\r\nlimits.timeout = 'ä'"),
        messages("# ä\nlimits.timeout = 'ä'")
    );
}

#[test]
fn empty_files_have_no_values() {
    for text in [
        "",
        "\u{feff}",
        "\n\n",
        "# only\n# comments",
        "[limits]\n[options]\n[mounts]\n[servers]",
    ] {
        assert_eq!(user(text), Ok(Layer::default()), "{text}");
    }
}

/// A text that is similar to a file.
fn lines() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        Just("[limits]".to_owned()),
        Just("[servers.a]".to_owned()),
        Just("[[deny]]".to_owned()),
        Just("[mounts]".to_owned()),
        (
            "[a-z]{0,3}(deny|timeout|limit|roots|headers|command|env)",
            "[ =.]{1,3}",
            "[\\[{\"'a-z0-9:._+-]{0,12}[\\]}\"']{0,2}"
        )
            .prop_map(|(key, is, value)| format!("{key}{is}{value}")),
        "\\PC{0,20}",
    ];
    proptest::collection::vec(line, 0..12).prop_map(|lines| lines.join("\n"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_parsed_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        if let Err(error) = Layer::parse(&bytes, &source()) {
            prop_assert!(!error.problems.is_empty());
        }
    }

    #[test]
    fn any_text_is_parsed_or_refused(text in lines()) {
        if let Err(error) = user(&text) {
            for problem in &error.problems {
                prop_assert!(problem.line <= text.lines().count() + 1);
                prop_assert!(problem.column >= 1);
            }
            prop_assert!(!error.to_string().contains(|c: char| c.is_control() && c != '\n'));
        }
    }
}
