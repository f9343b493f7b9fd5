//! The page about internal URLs has the schemes of the table in the code, and no others.

use omniread_schemes::{SCHEMES, Served};
use omniread_tests::project;
use std::collections::BTreeSet;

#[test]
fn guide_has_the_schemes_of_the_table() {
    let page = std::fs::read_to_string(project().join("docs/guide/internal-urls.md")).unwrap();
    let rows = page.lines().filter(|line| line.starts_with("| `"));
    let urls = rows.filter_map(|row| row.split(" | ").next());
    let words = urls.flat_map(|cell| cell.split('`'));
    let documented: BTreeSet<&str> = words
        .filter_map(|url| Some(url.split_once("://")?.0))
        .filter(|scheme| !scheme.contains(|c: char| c.is_ascii_uppercase()))
        .collect();
    for scheme in SCHEMES {
        let is_in_table = matches!(scheme.served, Served::Mounts | Served::Reader)
            || [omniread_schemes::GUIDE, "mcp"].contains(&scheme.name);
        assert_eq!(
            documented.contains(scheme.name),
            is_in_table,
            "{}",
            scheme.name
        );
        let name = format!("`{}`", scheme.name);
        assert!(
            is_in_table || page.contains(&name),
            "{name} is not in the page"
        );
    }
    let known = |name: &&str| SCHEMES.iter().any(|scheme| scheme.name == *name);
    assert!(documented.iter().all(known), "{documented:?}");
}
