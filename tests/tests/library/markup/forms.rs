//! The form of replies: facts before the text, line numbers, notebooks, ids with colons, size.

use super::{invalid, page, read, workspace};
use omniread::{Dialect, Options};
use omniread_tests::{DIALECTS, Workspace, chain, raw_chain, text};

#[test]
fn facts_precede_the_first_line_of_the_text() {
    let workspace = workspace();
    let session = workspace.session();
    let reply = session.read("page.html:").unwrap();
    let metadata = &reply.details.document().unwrap().metadata;
    let fact = |name: &str| {
        let found = metadata.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    };
    assert_eq!(fact("title"), Some("The manual of the machine"));
    assert_eq!(fact("author"), Some("Ada Example"));
    assert_eq!(fact("language"), Some("en"));
    assert_eq!(
        fact("description"),
        Some("How to install and use the machine.")
    );
    let head = "Title: The manual of the machine\nAuthor: Ada Example\nLanguage: en\n\
                Description: How to install and use the machine.\n";
    assert!(
        reply.text().starts_with(&format!("{head}---\n")),
        "{}",
        reply.text()
    );
    assert!(text(&session, "page.html:full").starts_with(head));
    // The facts are not lines of the text.
    let first = raw_chain(&session, "page.html::raw");
    let first = first.lines().next().unwrap();
    assert!(
        reply.text().contains(&format!("---\n{first}\n")),
        "{}",
        reply.text()
    );
    for path in ["page.html::2", "page.html:#use", "page.html::raw"] {
        assert!(!text(&session, path).contains("Author: "), "{path}");
    }

    let claude = read(&session, Dialect::Claude, "page.html:").text();
    assert!(
        claude.starts_with(&format!("{head}\n     1\t{first}\n")),
        "{claude}"
    );
    let gateway = read(&session, Dialect::Gateway, "page.html:").text();
    assert!(
        gateway.contains(&format!("\n   1 | {first}\n")),
        "{gateway}"
    );
    assert!(
        gateway.contains("</file>\n[Title: The manual of the machine]\n[Author: Ada Example]\n"),
        "{gateway}"
    );
    let gemini = read(&session, Dialect::Gemini, "page.html:").text();
    assert!(
        gemini.contains("Title: The manual of the machine\\nAuthor: "),
        "{gemini}"
    );
    // `content` is exactly the text.
    let comma = read(&session, Dialect::Comma, "page.html::1").text();
    assert!(!comma.contains("Author: "), "{comma}");
}

#[test]
fn hidden_characters_of_facts_are_visible() {
    let workspace = Workspace::new();
    let summary = "How to\u{202e} install\n  and use the machine.";
    let html = page().replace("How to install and use the machine.", summary);
    workspace.file("page.html", html);
    let reply = text(&workspace.session(), "page.html:");
    let line = "\nDescription: How to⟨U+202E⟩ install and use the machine.\n---\n";
    assert!(reply.contains(line), "{reply}");
}

#[test]
fn notebook_has_a_converted_form_in_every_dialect() {
    let workspace = Workspace::new();
    workspace.file(
        "a.ipynb",
        r##"{"cells": [
            {"cell_type": "markdown", "metadata": {}, "source": "# A heading"},
            {"cell_type": "code", "metadata": {}, "execution_count": 1, "source": "print(6 * 7)",
             "outputs": [{"output_type": "stream", "name": "stdout", "text": "42\n"}]}
        ], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}"##,
    );
    let session = workspace.session();
    for dialect in DIALECTS {
        let reply = read(&session, dialect, "a.ipynb:");
        let document = reply.details.document().unwrap();
        assert_eq!(document.format, "Jupyter notebook", "{dialect:?}");
        assert!(reply.text().contains("print(6 * 7)"), "{dialect:?}");
        assert!(!reply.text().contains("cell_type"), "{dialect:?}");
        // In `omp` the text can be edited, and counts the outputs.
        let outputs = dialect != Dialect::Omp;
        assert_eq!(reply.text().contains("42"), outputs, "{dialect:?}");
    }
    for dialect in [Dialect::Omp, Dialect::Claude] {
        let same = read(&session, dialect, "a.ipynb").text();
        assert_eq!(
            read(&session, dialect, "a.ipynb:").text(),
            same,
            "{dialect:?}"
        );
    }
    let exact = text(&session, "a.ipynb::raw");
    assert!(
        exact.starts_with("# %% [markdown] cell:0\n# A heading\n"),
        "{exact}"
    );
    let (message, hint) = invalid(&session, "a.ipynb:full");
    assert_eq!(
        message,
        "`a.ipynb` is a Jupyter notebook; `:full` selects a part of an HTML page"
    );
    assert_eq!(hint, "use `a.ipynb:`");
}

#[test]
fn id_may_contain_colons() {
    let workspace = Workspace::new();
    let html = page()
        .replace("id=\"use\"", "id=\"fn:1\"")
        .replace("id=\"install\"", "id=\"sec:a\"");
    workspace.file("page.html", html);
    let session = workspace.session();
    for (path, mark) in [
        ("page.html:#fn:1", "use-1-mark"),
        ("page.html:#sec:a", "install-1-mark"),
        ("page.html:#fn\\:1", "use-1-mark"),
    ] {
        let reply = text(&session, path);
        assert!(reply.contains(mark), "{path}: {reply}");
    }
    let pages = chain(&session, "page.html:#fn:1");
    assert_eq!(
        pages[0].details.next.as_deref(),
        Some("page.html:#fn\\:1:301")
    );
    assert!(pages[0].text().contains("Use :#fn\\:1:301 to continue"));
    assert!(pages.len() > 1 && pages[1].text().contains("-mark"));
    assert!(text(&session, "page.html:#fn:1:1").contains("How to use it"));
}

#[test]
fn long_xml_has_an_outline() {
    let items =
        (1..=200).map(|n| format!("<item id=\"{n}\"><name>Lamp {n}</name><price>9</price></item>"));
    let items: String = items.collect();
    let workspace = Workspace::new();
    workspace.file("x.xml", format!("<shop>{items}</shop>"));
    let session = workspace.session();
    let reply = session.read("x.xml:").unwrap();
    assert!(reply.text().contains("lines elided"), "{}", reply.text());
    assert!(reply.text().contains("e.g. x.xml::"), "{}", reply.text());
    assert_eq!(reply.details.next.as_deref(), Some("x.xml::1"));
    let pages = chain(&session, "x.xml::1");
    let whole: String = pages.iter().map(|page| page.text() + "\n").collect();
    assert_eq!(whole.matches("<name>").count(), 200);
}

#[test]
fn page_over_the_limit_is_shown_as_plain_text() {
    let workspace = Workspace::new();
    let mut html = page();
    html.push_str(&"<p>words and words\n".repeat(2 << 20));
    workspace.file("page.html", html);
    let session = workspace.session();
    for dialect in DIALECTS
        .into_iter()
        .filter(|dialect| *dialect != Dialect::Comma)
    {
        let reply = session.read_as("page.html:", dialect, &Options::default());
        let reply = reply.unwrap();
        let note = "an HTML page of more than 32.0MB is not converted; it is shown as plain text";
        assert!(
            reply.details.notes.iter().any(|one| *one == note),
            "{:?}",
            reply.details.notes
        );
        assert!(reply.text().contains("<title>"), "{dialect:?}");
    }
    assert_eq!(
        session.read("page.html:").unwrap().details.next.as_deref(),
        Some("page.html:301")
    );
}
