use super::super::{
    Address, DiffPart, Filter, Forge, GitHub, Kind, Repository, State, Target, WrongAddress, parse,
};
use crate::canned::Canned;
use crate::handler::Handler;

fn parsed(kind: Kind, text: &str) -> Address {
    parse(kind, text).unwrap_or_else(|wrong| panic!("{text}: {wrong}"))
}

fn repository(host: Option<&str>, owner: &str, repo: &str) -> Repository {
    Repository {
        host: host.map(str::to_owned),
        owner: owner.to_owned(),
        repo: repo.to_owned(),
    }
}

fn filter(kind: Kind, text: &str) -> (Filter, Vec<String>) {
    match parsed(kind, text) {
        Address {
            target: Target::List(filter),
            notes,
            ..
        } => (filter, notes),
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn each_form_of_a_thread_is_an_address() {
    let enterprise = Some(repository(Some("ghe.corp:8443"), "octo-cat", "r.js"));
    for (text, expected) in [
        ("12", None),
        ("12/", None),
        ("/12", None),
        (
            "octo-cat/r.js/12",
            Some(repository(None, "octo-cat", "r.js")),
        ),
        ("42/r/12", Some(repository(None, "42", "r"))),
        ("GHE.corp:8443/octo-cat/r.js/12", enterprise),
        (
            "localhost:80/o/r/12",
            Some(repository(Some("localhost:80"), "o", "r")),
        ),
        (
            "github.com/o/r/pull/12",
            Some(repository(Some("github.com"), "o", "r")),
        ),
        ("o/r/issues/12", Some(repository(None, "o", "r"))),
    ] {
        let address = parsed(Kind::Issue, text);
        assert_eq!(address.repository, expected, "{text}");
        assert_eq!(
            address.target,
            Target::Thread {
                number: 12,
                comments: Some(1)
            },
            "{text}"
        );
    }
    let comments = |text| match parsed(Kind::Pull, text).target {
        Target::Thread { comments, .. } => comments,
        other => panic!("{text}: {other:?}"),
    };
    assert_eq!(comments("12?comments=0"), None);
    assert_eq!(comments("o/r/12?comments=7"), Some(7));
}

#[test]
fn each_form_of_a_diff_is_an_address() {
    for (text, part) in [
        ("diff", DiffPart::Files),
        ("diff/", DiffPart::Files),
        ("diff/3", DiffPart::File(3)),
        ("diff/all", DiffPart::All),
    ] {
        for start in ["12/", "o/r/12/", "h.org/o/r/12/", "h.org/o/r/pull/12/"] {
            let address = parsed(Kind::Pull, &format!("{start}{text}"));
            assert_eq!(
                address.target,
                Target::Diff { number: 12, part },
                "{start}{text}"
            );
        }
    }
}

#[test]
fn listings_have_their_filters() {
    assert_eq!(filter(Kind::Issue, "").0, Filter::default());
    assert_eq!(
        parsed(Kind::Issue, "o/r").repository,
        Some(repository(None, "o", "r"))
    );
    let (found, notes) = filter(
        Kind::Pull,
        "o/r?state=MERGED&limit=101&author=@app[bot]&label=good%20first+issue,b&label=c&page=2",
    );
    assert_eq!(found.state, State::Merged);
    assert_eq!((found.limit, found.page), (100, 2));
    assert_eq!(found.author.as_deref(), Some("app[bot]"));
    assert_eq!(found.labels, ["good first issue", "b", "c"]);
    assert_eq!(
        notes,
        ["`limit=101` is more than 100, which is the maximum"]
    );
    let (found, notes) = filter(Kind::Issue, &format!("?limit={}", "9".repeat(40)));
    assert_eq!((found.limit, notes.len()), (100, 1));
}

#[test]
fn fragments_have_no_effect_and_say_so() {
    assert_eq!(
        parsed(Kind::Issue, "12#issuecomment-1").notes,
        ["the fragment `#issuecomment-1` has no effect"]
    );
    let notes = parsed(Kind::Issue, "o/r#12").notes;
    assert_eq!(
        notes,
        ["the fragment `#12` has no effect: write `issue://o/r/12` for that number"]
    );
    let notes = parsed(Kind::Pull, "#12").notes;
    assert_eq!(
        notes,
        ["the fragment `#12` has no effect: write `pr://12` for that number"]
    );
    assert_eq!(parsed(Kind::Pull, "12#").notes, Vec::<String>::new());
}

#[test]
fn wrong_addresses_say_what_to_do() {
    use Kind::{Issue, Pull};
    let wrong = |kind, text| parse(kind, text).unwrap_err();
    for text in [
        "octocat",
        "0x1",
        "-1",
        "o/r/x",
        "o/r/1/2",
        "h.org/o",
        "h.org/o/r/1/x",
        "o/../1",
        "a b/c",
        "o/r%2F/1",
        "./o/r/1",
        "h.org:x/o/r/1",
        "h.org:99999/o/r",
        "..h/o/r",
        "o.x/r",
        "user@h.org/o/r/1",
        "o/r\u{e9}/1",
        "12/diff/1/2",
        "1/files/x/y",
    ] {
        assert_eq!(wrong(Pull, text), WrongAddress::Form(Pull), "{text}");
    }
    for text in ["0", "o/r/0", "99999999999999999999999"] {
        assert!(
            matches!(wrong(Issue, text), WrongAddress::Number(Issue, _)),
            "{text}"
        );
    }
    assert_eq!(wrong(Issue, "12/diff"), WrongAddress::NoDiff);
    assert_eq!(wrong(Issue, "o/r/12/diff/1"), WrongAddress::NoDiff);
    for text in ["12/diff/0", "12/diff/-1", "12/diff/x"] {
        assert!(matches!(wrong(Pull, text), WrongAddress::Part(_)), "{text}");
    }
    let texts = |wrong: WrongAddress| format!("{wrong}; {}", wrong.hint());
    assert_eq!(
        texts(wrong(Issue, "?sort=x")),
        "the key `sort` of the query is unknown; use `state`, `limit`, `author`, `label`, `page`"
    );
    assert_eq!(
        texts(wrong(Issue, "1?state=open")),
        "the key `state` of the query is unknown; use `comments`"
    );
    assert_eq!(
        texts(wrong(Pull, "1/diff?a")),
        "the key `a` of the query is unknown; remove the query"
    );
    assert_eq!(
        texts(wrong(Issue, "?state=merged")),
        "`state` cannot be `merged`; set `state` to `open`, `closed` or `all`"
    );
    assert_eq!(
        texts(wrong(Pull, "?state=x")),
        "`state` cannot be `x`; set `state` to `open`, `closed`, `merged` or `all`"
    );
    for text in [
        "?limit=0",
        "?limit=-1",
        "?limit=x",
        "?limit=",
        "?page=0",
        "?author=",
        "?author=a b",
        "?label=",
        "?label=,",
        "1?comments=x",
        "1?comments=-1",
    ] {
        assert!(
            matches!(wrong(Pull, text), WrongAddress::Value(..)),
            "{text}"
        );
    }
    assert_eq!(
        texts(wrong(Issue, "octocat")),
        "this is not an address of `issue://`; write `issue://`, `issue://12`, `issue://OWNER/REPO`, `issue://OWNER/REPO/12` \
         or `issue://HOST/OWNER/REPO/12`"
    );
}

/// All texts of five parts. A repository that is found has names that cannot change the path of a URL, and the handler
/// requests nothing from another host.
#[test]
fn no_text_leads_out_of_its_repository() {
    const PARTS: [&str; 14] = [
        "/",
        "12",
        "o",
        "h.org:1",
        "..",
        "#",
        "?",
        "state=all",
        "diff",
        "%2e%2e",
        "%2F",
        "é",
        "@",
        "pull/",
    ];
    let mut found = 0;
    for text in 0..PARTS.len().pow(5) {
        let parts = (0_u32..5).map(|at| PARTS[text / PARTS.len().pow(at) % PARTS.len()]);
        let text: String = parts.collect();
        for kind in [Kind::Issue, Kind::Pull] {
            let Ok(Address {
                repository: Some(repository),
                ..
            }) = parse(kind, &text)
            else {
                continue;
            };
            found += 1;
            let host = repository.host.as_deref().unwrap_or("github.com");
            let forge = Forge::new(host, &repository.owner, &repository.repo, None);
            let api = url::Url::parse(&forge.api("/issues/1")).unwrap();
            let path = api.path().strip_prefix("/api/v3").unwrap_or(api.path());
            assert_eq!(
                path,
                format!("/repos/{}/{}/issues/1", repository.owner, repository.repo),
                "{text}"
            );
            let name = host.split(':').next().unwrap();
            let expected = if name == "github.com" {
                "api.github.com"
            } else {
                name
            };
            assert_eq!(api.host_str(), Some(expected), "{text}");
        }
        let Ok(url) = url::Url::parse(&format!("https://github.com/{text}")) else {
            continue;
        };
        let mut canned = Canned::default();
        GitHub::default().read(&url, &mut canned);
        for url in canned.urls() {
            let is_known = [
                "https://api.github.com/repos/",
                "https://raw.githubusercontent.com/",
                "https://api.github.com/search/",
            ];
            assert!(
                is_known.iter().any(|start| url.starts_with(start))
                    && !url.split('/').any(|part| part == ".."),
                "{text}: {url}"
            );
        }
    }
    assert!(found > 1000, "{found}");
}
