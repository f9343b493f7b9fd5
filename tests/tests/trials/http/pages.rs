//! The pages of a text: by the header `Link`, and as events.

use super::{Compiled, workspace};
use omniread_tests::numbered;
use serde_json::{Value, json};

pub fn links(compiled: &Compiled) {
    let workspace = workspace();
    let server = compiled.open(&workspace);
    let mut target = "/read?path=long.txt&hashlines=off&outlines=off&limit=300".to_owned();
    let mut lines = Vec::new();
    let mut pages = 0;
    loop {
        let response = server.get(&target, &[]);
        assert_eq!(response.status, 200, "{target}: {}", response.text());
        let text = response.text();
        let all = numbered(1000);
        lines.extend(
            text.lines()
                .filter(|line| all.contains(&format!("{line}\n")))
                .map(str::to_owned),
        );
        pages += 1;
        match response.header("link") {
            Some(link) => {
                let end = link.strip_suffix("; rel=\"next\"").expect("a next page");
                let address = end.strip_prefix('<').and_then(|end| end.strip_suffix('>'));
                address.expect("an address").clone_into(&mut target);
            }
            None => break,
        }
    }
    assert_eq!(pages, 4);
    lines.retain(|line| !line.is_empty());
    assert_eq!(lines.join("\n") + "\n", numbered(1000));
}

pub fn events(compiled: &Compiled) {
    let workspace = workspace();
    let server = compiled.open(&workspace);
    let accept = ("accept", "text/event-stream");
    let target = "/read?path=long.txt&outlines=off";
    let response = server.get(target, &[accept]);
    assert_eq!(response.header("content-type"), Some("text/event-stream"));
    let all = response.events();
    let names: Vec<&str> = all.iter().map(|event| event.name.as_str()).collect();
    assert_eq!(names, ["reply", "reply", "reply", "reply", "end"]);
    assert_eq!(all[4].data, json!({ "pages": 4, "next": null }));
    let shown: Vec<&Value> = all
        .iter()
        .map(|event| &event.data["details"]["shown"])
        .collect();
    assert_eq!(shown[0], &json!([{ "first": 1, "last": 300 }]));
    assert_eq!(shown[3][0]["last"], 1000);
    // A client that has two pages goes on with the third.
    let id = all[1].id.clone().expect("an id");
    let rest = server
        .get(target, &[accept, ("last-event-id", &id)])
        .events();
    assert_eq!(rest.len(), 3);
    assert_eq!(rest[0].data["details"]["shown"], *shown[2]);
    // A client that has the end gets nothing more.
    let end = all[4].id.clone().expect("an id");
    let nothing = server.get(target, &[accept, ("last-event-id", &end)]);
    assert_eq!((nothing.status, nothing.body.len()), (204, 0));
    // A response ends after 1,000 pages, and a client that connects again goes on.
    workspace.file("longer.txt", numbered(1002));
    let target = "/read?path=longer.txt:raw&limit=1";
    let first = server.get(target, &[accept]).events();
    let end = first.last().expect("an end");
    assert_eq!((first.len(), &end.data["pages"]), (1001, &json!(1000)));
    assert_eq!(json!(end.id), end.data["next"]);
    let id = end.id.clone().expect("an id");
    let rest = server
        .get(target, &[accept, ("last-event-id", &id)])
        .events();
    assert_eq!(
        rest.last().expect("an end").data,
        json!({ "pages": 2, "next": null })
    );
    let failed = server.get("/read?path=missing.txt", &[accept]).events();
    assert_eq!(failed[0].name, "failure");
    assert_eq!(failed[0].data["error"]["kind"], "not_found");
    let target = "/call/omp?limit=100&outlines=off";
    let called = server.post(target, &[accept], br#"{"path": "long.txt"}"#);
    let called = called.events();
    assert_eq!(called.len(), 2, "a call is one page");
    assert!(called[1].data["next"].is_string(), "{}", called[1].data);
}
