//! Tests of the arguments of the command line.

use super::*;

#[test]
fn every_dialect_has_a_line_of_help() {
    for dialect in Dialect::ALL {
        assert!(!help(dialect).is_empty(), "{}", dialect.name());
    }
}

#[test]
fn commands_are_known_by_name() {
    let mut command = command();
    command.build();
    let mut names: Vec<&str> = command
        .get_subcommands()
        .map(clap::Command::get_name)
        .collect();
    names.sort_unstable();
    let ours = COMMANDS.iter().copied();
    let built = ours.filter(|name| cfg!(feature = "mcp") || *name != "mcp");
    assert_eq!(names, built.collect::<Vec<_>>());
}

#[test]
fn line_of_paths_has_the_options_of_a_line_without_options() {
    let words = ["omniread", "a.txt", "b c:5"].map(OsString::from);
    let plain = of_paths(&words).unwrap();
    let matches = command().try_get_matches_from(&words).unwrap();
    let full = Line::from_arg_matches(&matches).unwrap().plain;
    for parsed in [plain, full] {
        let Plain {
            common,
            completions,
            man,
            paths,
        } = parsed;
        assert_eq!(paths, &words[1..]);
        assert!(completions.is_none() && !man);
        let Common {
            roots,
            mounts,
            config,
            session,
            dialect,
            json,
            lines,
            all,
            pretty,
            color,
            deny,
            max_file_size,
            max_tokens,
            password_file,
            timeout,
            images,
            paging,
            quiet,
            set,
            #[cfg(feature = "net")]
            network,
        } = common;
        assert!(roots.is_empty() && mounts.is_empty() && deny.is_empty() && set.is_empty());
        assert!(config.is_none() && session.is_none() && password_file.is_none());
        assert!(dialect.is_none() && lines.is_none() && max_tokens.is_none());
        assert!(max_file_size.is_none() && timeout.is_none());
        assert!(color.is_none() && images.is_none() && paging.is_none());
        assert!(!json && !all && !pretty && !quiet);
        #[cfg(feature = "net")]
        assert_eq!(
            format!("{network:?}"),
            format!("{:?}", NetworkArguments::default())
        );
    }
}

#[test]
fn paths_are_parsed_as_with_the_commands() {
    for line in [
        "omniread a.txt",
        "omniread a.txt b.txt:5 --json -n 5-9",
        "omniread --root . --set limit=5 -- -x a",
        "omniread --deny *.pem a --color never",
    ] {
        let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        let plain = of_paths(&words).unwrap();
        let matches = command().try_get_matches_from(&words).unwrap();
        let full = Line::from_arg_matches(&matches).unwrap().plain;
        assert_eq!(plain.paths, full.paths, "{line}");
        assert_eq!(plain.common.roots, full.common.roots, "{line}");
        assert_eq!(plain.common.set, full.common.set, "{line}");
        assert_eq!(plain.common.lines, full.common.lines, "{line}");
        assert_eq!(plain.common.deny, full.common.deny, "{line}");
    }
    for line in [
        "omniread",
        "omniread serve",
        "omniread a --help",
        "omniread --version",
        "omniread --jsn a",
        "omniread --http 1 a",
    ] {
        let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        assert!(of_paths(&words).is_none(), "{line}");
    }
}
