//! Replies after <https://docs.pypi.org/api/json/>.

use super::{Case, found, unknown};
use crate::canned::Canned;
use crate::service::Fault;
use serde_json::{Value, json};

fn project(version: &str) -> Value {
    json!({
        "info": {
            "name": "Tiny.Lib", "version": version, "summary": "A tiny\nlibrary", "author": "", "author_email": "a@example.com",
            "license": null, "license_expression": "MIT", "requires_python": ">=3.9", "keywords": "a,b", "home_page": null,
            "requires_dist": ["idna>=2", null, "rich ; extra == \"color\""], "provides_extra": ["color"],
            "project_urls": {"Source": "https://example.com/src", "Docs": null}, "yanked": false,
            "yanked_reason": null, "classifiers": ["License :: OSI Approved"], "description": "# Tiny\ntext\n",
            "description_content_type": "text/markdown; charset=UTF-8", "dynamic": null,
        },
        "last_serial": 12, "releases": {"1.0": [], "1.10": [{}], "1.9": [], "1.10rc1": []},
        "urls": [
            {"filename": "tiny-1.10.tar.gz", "size": 4096, "url": "https://files.pythonhosted.org/tiny.tar.gz",
             "upload_time_iso_8601": "2026-01-02T03:04:05.6Z", "yanked": false, "packagetype": "sdist"},
            {"filename": null},
        ],
        "vulnerabilities": [
            {"id": "PYSEC-1", "summary": null, "link": "https://osv.dev/1", "fixed_in": ["1.9", null], "withdrawn": null},
        ],
    })
}

pub fn cases() -> Vec<Case> {
    vec![
        Case {
            url: "https://pypi.org/project/tiny-lib/#history",
            json: vec![("https://pypi.org/pypi/tiny-lib/json", project("1.10"))],
            html: vec![],
        },
        Case {
            url: "https://pypi.org/project/Tiny_Lib/1.0/",
            json: vec![("https://pypi.org/pypi/Tiny_Lib/1.0/json", {
                let mut old = project("1.0.0");
                old["info"]["yanked"] = json!(true);
                old["info"]["yanked_reason"] = json!("broken");
                old["info"]["license_expression"] = Value::Null;
                old["info"]["description_content_type"] = Value::Null;
                old["info"]["description"] = json!("Tiny\n====\n```\n");
                old["info"]["project_urls"] = Value::Null;
                old["info"]["home_page"] = json!("https://example.com");
                old.as_object_mut().expect("an object").remove("releases");
                old
            })],
            html: vec![],
        },
    ]
}

#[test]
fn project_page_has_its_newest_version() {
    let (page, urls) = cases()[0].page();
    let expected = "# Tiny.Lib 1.10

A tiny library

- Python: >=3.9
- Licence: MIT
- Author: a@example.com
- Keywords: a,b
- Published: 2026-01-02
- Extras: color
- Source: https://example.com/src

## Dependencies (2)

- idna>=2
- rich ; extra == \"color\"

## Known vulnerabilities (1)

- PYSEC-1: https://osv.dev/1 (fixed in 1.9)

## Files (1)

- tiny-1.10.tar.gz, 4096 bytes: https://files.pythonhosted.org/tiny.tar.gz

## Versions (4)

1.10, 1.10rc1, 1.9, 1.0

## Description

#### Tiny
text
";
    assert_eq!(page.markdown, expected);
    assert_eq!(urls.len(), 1);
}

#[test]
fn yanked_version_says_why() {
    let (page, _) = cases()[1].page();
    for part in [
        "# Tiny.Lib 1.0.0\n",
        "- This version is yanked. broken\n",
        "- Licence: OSI Approved\n",
        "- Homepage: https://example.com\n",
        "````rst\nTiny\n====\n```\n````\n",
    ] {
        assert!(page.markdown.contains(part), "{part}: {}", page.markdown);
    }
}

#[test]
fn another_project_or_version_is_wrong() {
    let mut service = Canned::default().json("https://pypi.org/pypi/tiny/json", &project("1.10"));
    let wrong = Fault::Wrong("Tiny.Lib instead of tiny".to_owned());
    assert_eq!(
        found("https://pypi.org/project/tiny/", &mut service),
        Some(Err(wrong))
    );
    let mut service =
        Canned::default().json("https://pypi.org/pypi/tiny.lib/1.9/json", &project("1.10"));
    let wrong = Fault::Wrong("1.10 instead of 1.9".to_owned());
    assert_eq!(
        found("https://pypi.org/project/tiny.lib/1.9", &mut service),
        Some(Err(wrong))
    );
}

#[test]
fn pages_that_are_not_projects_are_not_handled() {
    unknown(&[
        "https://pypi.org/",
        "https://pypi.org/search/?q=tiny",
        "https://pypi.org/user/ann/",
        "https://pypi.org/simple/tiny/",
        "https://pypi.org/pypi/tiny/json",
        "https://test.pypi.org/project/tiny/",
    ]);
}
