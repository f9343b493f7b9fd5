//! The merge of layers, and the output of `omniread config`.

use crate::support::{examples, file, layers, user};
use omniread_config::{
    Header, HeaderSource, Key, Layer, Layers, Merge, Origin, Place, Secret, Server, Source, Table,
    Value, keys, of_variable,
};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

fn flag(name: &str) -> Origin {
    Origin::Flag(name.to_owned())
}

#[test]
fn first_layer_that_has_a_value_has_precedence() {
    let mut all = layers("limits.timeout = 30\ndialect = 'comma'", "");
    let variable = Origin::Variable("OMNIREAD_TIMEOUT".into());
    all.environment
        .set_text("limits.timeout", "20s", variable.clone())
        .unwrap();
    let effective = all.clone().merge();
    assert_eq!(
        effective.time("limits.timeout"),
        Some(Duration::from_secs(20))
    );
    assert_eq!(effective.origin("limits.timeout"), Some(&variable));
    all.flags
        .set_text("limits.timeout", "10s", flag("--timeout"))
        .unwrap();
    let effective = all.merge();
    assert_eq!(
        effective.time("limits.timeout"),
        Some(Duration::from_secs(10))
    );
    assert_eq!(effective.text("dialect"), Some("comma"));
    assert_eq!(effective.origin("network.timeout"), Some(&Origin::Default));
    assert_eq!(effective.ignored().len(), 2);
    assert!(!effective.ignored().iter().any(|it| it.why.is_reported()));
}

#[test]
fn mounts_of_all_layers_are_searched() {
    let mut all = layers("[mounts]\ndocs = ['a', '~/b']\nskill = 'auto'", "");
    let place = |path: &str| Value::Places(vec![Place::Directory(path.into())]);
    all.flags
        .add("mounts.docs", place("f"), flag("--mount"))
        .unwrap();
    all.flags
        .add("mounts.docs", place("g"), flag("--mount"))
        .unwrap();
    all.environment
        .set_text(
            "mounts.skill",
            "auto",
            Origin::Variable("OMNIREAD_MOUNT".into()),
        )
        .unwrap();
    let effective = all.merge();
    let mounts = effective.mounts();
    let docs = mounts["docs"].iter().map(|(place, _)| match place {
        Place::Directory(path) => path.as_path(),
        Place::Auto => Path::new("auto"),
    });
    let expected = ["f", "g", "/etc/u/a", "/home/u/b"].map(Path::new);
    assert_eq!(docs.collect::<Vec<_>>(), expected);
    assert_eq!(mounts["skill"].len(), 2);
}

#[test]
fn typed_values_are_read() {
    let text = "
        roots = ['.', '~/w']
        session.directory = 's'
        [network]
        headers = ['a.example=X-A=file:tok', 'b=X-B=env:TOKEN']
        ca = ['ca.pem']
        [options]
        limit = 5
        all = 'on'
        reply-bytes = '64K'
        ignores = ['.a', '.b']
        [servers.files]
        command = 'npx'
        args = ['-y']
        env = { A = 'b', T = 'file:tok' }
        cwd = 'run'
        timeout = '5s'
        [servers.web]
        url = 'https://a.example/mcp'
        headers = { Authorization = 'env:TOKEN' }
    ";
    let effective = layers(text, "").merge();
    assert_eq!(
        effective.roots(),
        ["/etc/u", "/home/u/w"].map(PathBuf::from)
    );
    assert_eq!(
        effective.path("session.directory"),
        Some(Path::new("/etc/u/s"))
    );
    let (Header { source, .. }, origin) = effective.headers()[0];
    assert_eq!(source, &HeaderSource::File("/etc/u/tok".into()));
    assert_eq!(origin, &Origin::File("/etc/u/config.toml".into(), 5));
    assert_eq!(
        effective.paths("network.ca")[0].0,
        Path::new("/etc/u/ca.pem")
    );
    let options = effective.options().unwrap();
    assert_eq!(
        (options.limit, options.all, options.reply_bytes),
        (5, true, 64 << 10)
    );
    assert_eq!(options.ignores, [".a", ".b"]);
    let servers = effective.servers();
    assert_eq!(
        servers["web"],
        Server::Address {
            url: "https://a.example/mcp".into(),
            headers: [("Authorization".to_owned(), Secret("env:TOKEN".into()))].into(),
        }
    );
    assert_eq!(
        servers["files"],
        Server::Program {
            command: "npx".into(),
            args: vec!["-y".into()],
            env: [
                ("A".to_owned(), Secret("b".into())),
                ("T".to_owned(), Secret("file:/etc/u/tok".into())),
            ]
            .into(),
            cwd: Some("/etc/u/run".into()),
        }
    );
    let timeout = effective.time("servers.files.timeout");
    assert_eq!(timeout, Some(Duration::from_secs(5)));
    assert!(!format!("{effective:?}").contains("Secret(\"b\")"));
}

#[test]
fn program_of_a_server_does_not_depend_on_the_working_directory() {
    let program = |table: &str| {
        let effective = layers(&format!("[servers.x]\n{table}"), "").merge();
        match &effective.servers()["x"] {
            Server::Program { command, cwd, .. } => (command.clone(), cwd.clone().unwrap()),
            Server::Address { .. } => panic!(),
        }
    };
    let in_own = |command: &str| (command.to_owned(), PathBuf::from("/etc/u"));
    assert_eq!(program("command = 'npx'"), in_own("npx"));
    assert_eq!(program("command = './run'"), in_own("/etc/u/run"));
    assert_eq!(program("command = 'bin/run'"), in_own("/etc/u/bin/run"));
    assert_eq!(program("command = '~/run'"), in_own("/home/u/run"));
    assert_eq!(program("command = '/bin/run'"), in_own("/bin/run"));
    let elsewhere = program("command = './run'\ncwd = '/w'");
    assert_eq!(elsewhere, ("/etc/u/run".to_owned(), "/w".into()));
}

#[test]
fn user_file_with_a_relative_path_names_absolute_programs() {
    let source = Source::user(Path::new("user.toml"), None);
    let text = "[servers.x]\ncommand = './run'".to_owned();
    let layers = Layers {
        user: Layer::parse(text, &source).unwrap(),
        ..Layers::default()
    };
    let here = std::env::current_dir().unwrap();
    let Server::Program { command, cwd, .. } = layers.merge().servers()["x"].clone() else {
        panic!();
    };
    assert_eq!(Path::new(&command), here.join("run"));
    assert_eq!(cwd, Some(here));
}

#[test]
fn server_of_a_former_layer_replaces_all_of_it() {
    let mut all = layers("[servers.x]\ncommand = 'a'\nargs = ['b']", "");
    all.flags
        .set_text("servers.x.url", "https://a", flag("--server"))
        .unwrap();
    let effective = all.merge();
    assert_eq!(
        effective.servers()["x"],
        Server::Address {
            url: "https://a".into(),
            headers: BTreeMap::new(),
        }
    );
    assert_eq!(effective.ignored().len(), 2);
    assert_eq!(
        effective.ignored()[0].why.to_string(),
        "replaced by --server"
    );
}

#[test]
fn values_without_a_file_are_checked() {
    let mut layer = Layer::default();
    let mut set = |key: &str, text: &str| {
        let result = layer.set_text(key, text, Origin::Default);
        result.map_err(|error| error.to_string())
    };
    assert_eq!(set("options.outlines", "Yes"), Ok(()));
    assert_eq!(set("options.ignores", ".a, .b"), Ok(()));
    assert_eq!(set("network.headers", "a=b=env:C"), Ok(()));
    assert_eq!(
        set("options.limit", "9999"),
        Err("`options.limit` must be a number from 1 to 3000".into())
    );
    assert_eq!(
        set("options.other", "1"),
        Err("there is no key `options.other`".into())
    );
    assert!(set("network.headers", "a=b=s3cret").is_err_and(|error| !error.contains("s3cret")));
    assert!(
        layer
            .set("deny", Value::Number(1), Origin::Default)
            .is_err()
    );
    assert_eq!(
        of_variable("OMNIREAD_IMAGE_SIDE").unwrap().to_string(),
        "options.image-side"
    );
    assert!(of_variable("OMNIREAD_OTHER").is_none());
}

#[test]
fn output_names_the_origin_of_each_value() {
    let mut all = layers(
        "deny = ['*.pem']\n[network]\nheaders = ['a=b=env:C']\n[mounts]\nx-y = 'd'\n'a+b' = ['e', 'f']",
        "deny = ['c', '!d']\ndialect = 'claude'\nlimits.timeout = '1h'",
    );
    all.flags
        .set_text("limits.max-file-size", "2G", flag("--max-file-size"))
        .unwrap();
    let text = all.merge().render();
    for line in [
        "# roots is not set",
        "    \"*.pem\", # /etc/u/config.toml:1",
        "    \"c\", # /w/omniread.toml:1",
        "dialect = \"omp\" # default",
        "timeout = \"60s\" # default",
        "max-file-size = \"2G\" # --max-file-size",
        "max-bytes = \"50M\" # default",
        "headers = [\"a=b=env:C\"] # /etc/u/config.toml:3",
        "\"a+b\" = [\"/etc/u/e\", \"/etc/u/f\"] # /etc/u/config.toml:6",
        "x-y = \"/etc/u/d\" # /etc/u/config.toml:5",
        "image-bytes = \"500K\" # default",
        "# /w/omniread.toml:1: `deny` is ignored: a workspace file may not allow what other rules deny",
        "# /w/omniread.toml:2: `dialect` is ignored: a workspace file may only add deny rules and lower limits",
        "# /w/omniread.toml:3: `limits.timeout` is ignored: \"3600s\" would raise the limit of \"60s\" (default)",
    ] {
        assert!(text.lines().any(|it| it == line), "{line}\n{text}");
    }
}

#[test]
fn output_is_a_file_with_the_same_values() {
    for key in keys()
        .iter()
        .filter(|key| !["args", "env", "headers"].contains(&key.name))
    {
        for value in examples(&key.kind).0 {
            let effective = layers(&file(key, &value), "").merge();
            let text = effective.render();
            let again = user(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
            let again = Layers {
                user: again,
                ..Layers::default()
            }
            .merge();
            let name = match key.table {
                Table::Open(_) => "mounts.skill".to_owned(),
                Table::Tables(_) => format!("servers.one.{}", key.name),
                _ => key.to_string(),
            };
            let values = |entries: &[omniread_config::Entry]| {
                entries
                    .iter()
                    .map(|it| it.value.clone())
                    .collect::<Vec<_>>()
            };
            let is_hidden = key.name == "url" && value.contains('?');
            if !is_hidden && key.merge != Merge::Added {
                assert_eq!(
                    values(again.entries(&name)),
                    values(effective.entries(&name)),
                    "{text}"
                );
            }
        }
    }
}

#[test]
fn comments_cannot_end_early() {
    let mut all = Layers::default();
    let file = Origin::File("/a\nroots = ['/']\r\u{2028}".into(), 3);
    all.user
        .set("dialect", Value::Text("omp".into()), file.clone())
        .unwrap();
    all.workspace
        .set("roots", Value::Paths(vec!["/".into()]), file)
        .unwrap();
    let text = all.merge().render();
    assert!(user(&text).unwrap().get("roots").is_none(), "{text}");
}

/// A file with some keys, in the order of these numbers.
fn shuffled(keys: &[&Key], order: &[usize]) -> String {
    let mut numbered: Vec<_> = order.iter().zip(keys).collect();
    numbered.sort_by_key(|(number, _)| **number);
    numbered
        .into_iter()
        .map(|(_, key)| {
            let value = examples(&key.kind).0.swap_remove(0);
            match key.table {
                Table::Top => format!("{} = {value}\n", key.name),
                Table::Named(table) => format!("{table}.{} = {value}\n", key.name),
                Table::Open(table) => format!("{table}.docs = {value}\n"),
                Table::Tables(table) => format!("{table}.x.{} = {value}\n", key.name),
            }
        })
        .collect()
}

/// The values without the lines of the file.
fn values(text: &str, is_workspace: bool) -> String {
    let all = if is_workspace {
        layers("", text)
    } else {
        layers(text, "")
    };
    let rendered = all.merge().render();
    let line = |line: &str| match line.rsplit_once(".toml:") {
        Some((start, end)) => {
            format!(
                "{start}{}\n",
                end.trim_start_matches(|c: char| c.is_ascii_digit())
            )
        }
        None => format!("{line}\n"),
    };
    rendered.lines().map(line).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn order_of_keys_does_not_matter(
        order in proptest::collection::vec(any::<usize>(), 60),
        is_workspace in any::<bool>(),
    ) {
        let known: Vec<&Key> = keys()
            .iter()
            .filter(|key| !["url", "headers"].contains(&key.name))
            .collect();
        let sorted: Vec<usize> = (0..known.len()).collect();
        prop_assert_eq!(
            values(&shuffled(&known, &order), is_workspace),
            values(&shuffled(&known, &sorted), is_workspace)
        );
    }
}
