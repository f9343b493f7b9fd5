//! A workspace file can only restrict reads.

use crate::support::{examples, file, layers, workspace};
use omniread_config::{Effective, Key, Kind, Layer, Layers, Origin, Rule, Table, Value, Why, keys};
use proptest::prelude::*;
use std::time::Duration;

/// The values that do not come from the workspace file.
fn without_file() -> Effective {
    Layers::default().merge()
}

fn merged(text: &str) -> Effective {
    layers("", text).merge()
}

/// A value in TOML that is more than the default of a limit. `None` if there is no more.
fn wider(key: &Key) -> Option<String> {
    match (&key.kind, &key.default) {
        (Kind::Time, Some(_)) => Some("0".to_owned()),
        (Kind::Number(range) | Kind::Size(range), Some(Value::Number(default))) => {
            let more = default.checked_add(1)?;
            range.contains(&more).then(|| more.to_string())
        }
        _ => None,
    }
}

#[test]
fn keys_that_are_not_limits_are_ignored() {
    for key in keys().iter().filter(|key| key.workspace == Rule::Ignored) {
        for value in examples(&key.kind).0 {
            let effective = merged(&file(key, &value));
            assert_eq!(
                effective.render().split("\n# Ignored:").next(),
                Some(without_file().render().as_str()),
                "{key} = {value}"
            );
            let ignored = effective.ignored();
            assert!(!ignored.is_empty(), "{key} = {value}");
            assert!(
                ignored
                    .iter()
                    .all(|it| it.why == Why::Untrusted && it.why.is_reported())
            );
            let name = match key.table {
                Table::Open(_) => "mounts.skill".to_owned(),
                Table::Tables(_) => format!("servers.one.{}", key.name),
                _ => key.to_string(),
            };
            assert!(
                ignored.iter().any(|it| it.key.as_ref() == Some(&name)),
                "{name}"
            );
        }
    }
}

#[test]
fn limits_are_lowered_but_not_raised() {
    for key in keys().iter().filter(|key| key.workspace == Rule::Lowers) {
        let name = key.to_string();
        let usual = without_file();
        if let Some(value) = wider(key) {
            let effective = merged(&file(key, &value));
            assert_eq!(effective.entries(&name), usual.entries(&name), "{name}");
            assert!(
                matches!(&effective.ignored()[0].why, Why::Raises { .. }),
                "{name}"
            );
            assert_eq!(effective.ignored()[0].key.as_ref(), Some(&name));
        }
        let least = match &key.kind {
            Kind::Number(range) | Kind::Size(range) => range.start().to_string(),
            _ => "1".to_owned(),
        };
        let effective = merged(&file(key, &least));
        assert_ne!(effective.entries(&name), usual.entries(&name), "{name}");
        assert!(effective.ignored().is_empty(), "{name}");
        assert!(
            matches!(effective.origin(&name), Some(Origin::File(path, _)) if path.ends_with("omniread.toml"))
        );
    }
}

#[test]
fn limits_of_a_user_are_lowered_and_not_raised() {
    for key in keys().iter().filter(|key| key.workspace == Rule::Lowers) {
        let name = key.to_string();
        let (lower, higher) = match &key.kind {
            Kind::Number(range) | Kind::Size(range) => {
                (range.start().to_string(), (range.start() + 1).to_string())
            }
            _ => ("1".to_owned(), "2".to_owned()),
        };
        let effective = layers(&file(key, &lower), &file(key, &higher)).merge();
        assert!(
            matches!(effective.origin(&name), Some(Origin::File(path, 2)) if path.ends_with("config.toml"))
        );
        assert!(
            matches!(effective.ignored()[0].why, Why::Raises { .. }),
            "{name}"
        );
        let effective = layers(&file(key, &lower), &file(key, &lower)).merge();
        assert!(
            matches!(effective.ignored()[0].why, Why::Overridden(_)),
            "{name}"
        );
        assert!(!effective.ignored()[0].why.is_reported());
        let effective = layers(&file(key, &higher), &file(key, &lower)).merge();
        assert!(
            matches!(effective.origin(&name), Some(Origin::File(path, 2)) if path.ends_with("omniread.toml"))
        );
        // The user sees that the own limit does not apply.
        let ignored = &effective.ignored()[0];
        assert!(
            matches!(ignored.origin, Origin::File(ref path, 2) if path.ends_with("config.toml"))
        );
        assert!(
            matches!(ignored.why, Why::Lowered { .. }) && ignored.why.is_reported(),
            "{name}"
        );
    }
}

#[test]
fn every_option_is_a_key_with_a_rule() {
    let lowered = [
        "limit",
        "reply-bytes",
        "reply-images",
        "image-side",
        "image-bytes",
    ];
    for setting in omniread_options::SETTINGS {
        let name = format!("options.{}", setting.key);
        let key = keys().iter().find(|key| key.to_string() == name).unwrap();
        let rule = if lowered.contains(&setting.key) {
            Rule::Lowers
        } else {
            Rule::Ignored
        };
        assert_eq!(key.workspace, rule, "{name}");
    }
}

#[test]
fn deny_rules_are_added_after_all_others() {
    let mut layers = layers(
        "deny = ['*.md', '!a.md']",
        "deny = ['a.md', ' !b.md', '!*']",
    );
    let flag = Origin::Flag("--deny".into());
    layers
        .flags
        .set("deny", Value::Texts(vec!["!c.md".into()]), flag)
        .unwrap();
    let effective = layers.merge();
    let rules: Vec<&str> = effective.texts("deny").into_iter().map(|it| it.0).collect();
    assert_eq!(rules, ["*.md", "!a.md", "!c.md", "a.md"]);
    let ignored = effective.ignored();
    assert_eq!(ignored.len(), 2);
    assert!(ignored.iter().all(|it| it.why == Why::Allows));
}

#[test]
fn default_of_a_command_is_a_limit_too() {
    let mut layers = layers("", "limits.timeout = '30s'");
    let ten = Value::Time(Duration::from_secs(10));
    layers
        .defaults
        .set("limits.timeout", ten, Origin::Default)
        .unwrap();
    let effective = layers.merge();
    assert_eq!(
        effective.time("limits.timeout"),
        Some(Duration::from_secs(10))
    );
    assert_eq!(
        effective.ignored()[0].to_string(),
        "/w/omniread.toml:1: `limits.timeout` is ignored: \"30s\" would raise the limit of \"10s\" (default)"
    );
    // Standard input has no limit by default.
    let mut layers = self::layers("", "limits.timeout = '30s'");
    let none = Value::Time(Duration::ZERO);
    layers
        .defaults
        .set("limits.timeout", none, Origin::Default)
        .unwrap();
    let effective = layers.merge();
    assert_eq!(
        effective.time("limits.timeout"),
        Some(Duration::from_secs(30))
    );
}

#[test]
fn many_rules_of_a_workspace_file_are_an_error() {
    let rules = |count: usize| format!("deny = [{}]", "'a', ".repeat(count));
    assert!(workspace(&rules(1000)).is_ok());
    let error = workspace(&rules(1001)).unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("`deny` must have at most 1000 rules"),
        "{error}"
    );
}

#[test]
fn secrets_of_ignored_entries_are_not_shown() {
    let text = "[servers.x]\ncommand = 'c'\nargs = ['tok3n']\nenv = { A = 'tok3n' }\n[servers.y]\nurl = 'https://a?k=tok3n#tok3n'\n";
    let layer: Layer = workspace(text).unwrap();
    assert!(
        !layer
            .ignored()
            .iter()
            .any(|it| it.to_string().contains("tok3n"))
    );
    assert!(!merged(text).render().contains("tok3n"));
    assert!(!layers(text, "").merge().render().contains("tok3n"));
}

#[test]
fn few_ignored_entries_are_reported_in_every_command() {
    let text: String = (0..3000).map(|n| format!("mounts.a{n} = 'x'\n")).collect();
    let reports = merged(&text).reports();
    assert_eq!(reports.len(), 6);
    assert_eq!(
        reports[5],
        "2995 more entries are ignored; `omniread config` lists them"
    );
    let long = format!("mounts.{} = 'x'", "a".repeat(60_000));
    assert!(merged(&long).reports()[0].len() < 300);
    assert!(layers("dialect = 'omp'", "").merge().reports().is_empty());
}

/// A file with some keys, each with one of its valid values.
fn some_keys() -> impl Strategy<Value = String> {
    let choices = proptest::collection::btree_map(0..keys().len(), any::<usize>(), 0..12);
    choices.prop_map(|choices| {
        let chosen = choices.into_iter().map(|(position, choice)| {
            let key = &keys()[position];
            let valid = examples(&key.kind).0;
            let value = &valid[choice % valid.len()];
            match key.table {
                Table::Top => format!("{} = {value}\n", key.name),
                Table::Named(table) => format!("{table}.{} = {value}\n", key.name),
                Table::Open(table) => format!("{table}.skill = {value}\n"),
                // Each has a server of its own, which needs nothing else.
                Table::Tables(table) if matches!(key.name, "command" | "url") => {
                    format!("{table}.{}.{} = {value}\n", key.name, key.name)
                }
                Table::Tables(_) => String::new(),
            }
        });
        chosen.collect()
    })
}

/// The order of the values of a limit.
fn rank(effective: &Effective, name: &str) -> u128 {
    match effective.entries(name).first().map(|it| &it.value) {
        Some(Value::Time(time)) if !time.is_zero() => time.as_nanos(),
        Some(Value::Number(number)) => u128::from(*number),
        _ => u128::MAX,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn workspace_file_widens_nothing(by_user in some_keys(), by_workspace in some_keys()) {
        let without = layers(&by_user, "").merge();
        let with = layers(&by_user, &by_workspace).merge();
        let names = keys().iter().map(|key| match key.table {
            Table::Open(_) => (key, "mounts.skill".to_owned()),
            Table::Tables(table) => (key, format!("{table}.{0}.{0}", key.name)),
            _ => (key, key.to_string()),
        });
        for (key, name) in names {
            let (before, after) = (without.entries(&name), with.entries(&name));
            match key.workspace {
                Rule::Ignored => prop_assert_eq!(before, after, "{}", name),
                Rule::Lowers => prop_assert!(rank(&with, &name) <= rank(&without, &name), "{}", name),
                Rule::Adds => {
                    prop_assert!(after.starts_with(before));
                    let mut added = with.texts(&name).into_iter().skip(without.texts(&name).len());
                    prop_assert!(added.all(|(rule, _)| !rule.trim().starts_with('!')));
                }
            }
        }
        prop_assert_eq!(without.mounts(), with.mounts());
        prop_assert_eq!(without.servers(), with.servers());
    }
}
