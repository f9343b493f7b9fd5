//! Providers with facts of their own, and providers that misbehave.

use omniread::resources::{Backing, Bytes, Facts, Provider, Resource, ResourceError, Selectors};
use omniread::{Block, Dialect, Options, Reason, Session};
use omniread_tests::docx::Docx;
use omniread_tests::pdf::Pdf;
use omniread_tests::{Workspace, chain, image, numbered, pack, project, text};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A provider of `shelf://` with these facts, which notes the URLs that it was asked for.
#[derive(Clone)]
struct Shelf {
    facts: Facts,
    items: Vec<(String, Vec<u8>)>,
    is_listed: bool,
    path: Option<String>,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Shelf {
    fn new(items: &[(&str, &[u8])]) -> Self {
        let items = items.iter();
        Self {
            facts: Facts::default(),
            items: items
                .map(|(name, bytes)| ((*name).to_owned(), bytes.to_vec()))
                .collect(),
            is_listed: true,
            path: None,
            asked: Arc::default(),
        }
    }

    fn with(mut self, change: impl FnOnce(&mut Facts)) -> Self {
        change(&mut self.facts);
        self
    }

    fn session(&self) -> Session {
        Workspace::new()
            .builder()
            .provider(self.clone())
            .build()
            .unwrap()
            .session()
    }

    fn asked(&self) -> Vec<String> {
        std::mem::take(&mut *self.asked.lock().unwrap())
    }
}

impl Provider for Shelf {
    fn scheme(&self) -> &'static str {
        "shelf"
    }

    fn facts(&self) -> Facts {
        self.facts
    }

    fn open(&self, url: &str) -> Result<Resource, ResourceError> {
        let name = url.split_once("://").unwrap().1;
        self.asked.lock().unwrap().push(name.to_owned());
        let item = self.items.iter().find(|(known, _)| known == name);
        let (_, bytes) = item.ok_or(ResourceError::NotFound(Vec::new()))?;
        let mut resource = Resource::new(bytes.clone(), Some(bytes.len() as u64));
        resource.path.clone_from(&self.path);
        Ok(resource)
    }

    fn names(&self, _: &str, _: usize) -> Result<Option<Vec<String>>, ResourceError> {
        let names = self.items.iter().map(|(name, _)| name.clone());
        Ok(self.is_listed.then(|| names.collect()))
    }
}

/// Every kind of content is read in a resource as in a file, and names its URL.
#[test]
fn parts_of_resources_are_read_and_name_their_url() {
    let lines = numbered(900);
    let zip = pack::zip(&[
        ("b.md", lines.as_bytes()),
        ("in/c.csv", b"id,name\n1,ann\n2,bob\n"),
    ]);
    let tar = pack::gzip(&pack::tar(&[("b.md", b"in the tar\n")]));
    let database = std::fs::read(project().join("examples/app.db")).unwrap();
    let code: String = (0..400)
        .map(|n| format!("pub fn number_{n}() -> u32 {{\n    {n}\n}}\n\n"))
        .collect();
    let png = image::encoded(image::drawing(40, 30), ::image::ImageFormat::Png);
    let docx = Docx::default()
        .heading("Report")
        .paragraph("the text")
        .build();
    let pdf = Pdf::default()
        .page("One", &["first"])
        .page("Two", &["second"])
        .build();
    for backing in [Backing::File, Backing::Virtual, Backing::Remote] {
        let shelf = Shelf::new(&[
            ("a.zip", &zip),
            ("a.tar.gz", &tar),
            ("deep/app.db", &database),
            ("code.rs", code.as_bytes()),
            ("a.png", &png),
            ("a.docx", &docx),
            ("a.pdf", &pdf),
            ("t.csv", b"id,name\n1,ann\n2,bob\n"),
            ("guide.md", b"# One\n\nfirst\n\n# Two\n\nsecond\n"),
            ("zipped.zip", &pack::zip(&[("a.zip", &zip)])),
        ])
        .with(|facts| facts.backing = backing);
        let session = shelf.session();
        for (path, part) in [
            ("shelf://a.zip:b.md:5-6", "line 5"),
            ("shelf://a.zip:in/c.csv?where=id>1", "bob"),
            ("shelf://a.tar.gz:b.md", "in the tar"),
            ("shelf://deep/app.db:users:7", "Grace"),
            (
                "shelf://deep/app.db?q=SELECT name FROM users WHERE id = 7",
                "Grace",
            ),
            ("shelf://deep/app.db:users?where=id=7", "Grace"),
            ("shelf://t.csv?where=id>1", "bob"),
            ("shelf://guide.md#two", "second"),
            ("shelf://a.docx", "the text"),
            ("shelf://a.pdf:page:2", "second"),
            ("shelf://zipped.zip:a.zip:b.md:7-7", "line 7"),
        ] {
            let text = text(&session, path);
            assert!(text.contains(part), "{backing:?} {path}: {text}");
        }
        let listing = text(&session, "shelf://a.zip");
        assert!(listing.contains("b.md"), "{listing}");
        let reply = session.read("shelf://a.png").unwrap();
        assert!(
            reply
                .blocks
                .iter()
                .any(|block| matches!(block, Block::Image(_))),
            "{reply:?}"
        );
        let outline = session.read("shelf://code.rs").unwrap();
        assert!(outline.text().contains("number_399"), "{}", outline.text());
        let member = session.read("shelf://a.zip:b.md").unwrap();
        let next = member.details.next.unwrap();
        assert!(next.starts_with("shelf://a.zip:b.md:"), "{next}");
        let pages = chain(&session, "shelf://a.zip:b.md");
        assert!(pages.last().unwrap().text().contains("line 900"));
    }
}

#[test]
fn colon_in_the_host_is_a_part_of_the_url_only_if_the_facts_say_so() {
    let lines = numbered(900);
    let shelf = Shelf::new(&[
        ("host:5", lines.as_bytes()),
        ("host:5/", lines.as_bytes()),
        ("host:5/a.md", lines.as_bytes()),
        ("host", b"no port\n"),
    ])
    .with(|facts| facts.host_colon = true);
    let session = shelf.session();
    let bare = session.read("shelf://host:5").unwrap();
    assert!(bare.text().contains("line 1\n"), "{}", bare.text());
    let next = bare.details.next.unwrap();
    assert_eq!(next, "shelf://host:5/:301");
    assert!(text(&session, &next).contains("line 301"));
    assert!(text(&session, "shelf://host:5/a.md:9-9").contains("line 9"));
    assert!(session.read("shelf://host:7").is_err());
    // Without the fact, the number is a selector if there is no such name.
    let session = Shelf::new(&[("host", b"no port\n")]).session();
    assert!(text(&session, "shelf://host:1").contains("no port"));
}

#[test]
fn selectors_of_urls_are_those_of_the_facts() {
    let lines = numbered(900);
    let items: [(&str, &[u8]); 3] = [
        ("a", lines.as_bytes()),
        ("a:1-2", b"a name with a colon\n"),
        ("x.zip", &pack::zip(&[("b.md", b"member\n")])),
    ];
    let opaque = Shelf::new(&items).with(|facts| facts.selectors = Selectors::Opaque);
    let session = opaque.session();
    assert!(text(&session, "shelf://a:1-2").contains("a name with a colon"));
    assert!(text(&session, "shelf://a:5-5").contains("line 5"));
    assert!(
        chain(&session, "shelf://a")
            .last()
            .unwrap()
            .text()
            .contains("line 900")
    );
    assert!(session.read("shelf://x.zip:b.md").is_err());

    let none = Shelf::new(&items).with(|facts| facts.selectors = Selectors::None);
    let session = none.session();
    let whole = session.read("shelf://a").unwrap();
    assert!(whole.text().contains("line 900"));
    assert_eq!(whole.details.next, None);
    let failure = session.read("shelf://a:5-5").unwrap_err();
    assert!(
        format!("{failure:#}").contains("takes no selector"),
        "{failure:#}"
    );
    assert_eq!(none.asked(), ["a", "a:5-5"]);

    let remote = Shelf::new(&items).with(|facts| facts.backing = Backing::Remote);
    assert!(text(&remote.session(), "shelf://a:5-5").contains("line 5"));
    // No request was made for a name that ends like a selector.
    assert_eq!(remote.asked(), ["a"]);
}

#[test]
fn pages_and_tags_are_those_of_the_facts() {
    let workspace = Workspace::new();
    workspace.file("notes/a.md", numbered(900));
    let path = workspace.path().join("notes/a.md");
    let content = std::fs::read(&path).unwrap();
    let mut shelf = Shelf::new(&[("a.md", &content)]);
    shelf.path = path.to_str().map(str::to_owned);
    let read = |shelf: &Shelf| {
        let reader = workspace.builder().provider(shelf.clone()).build().unwrap();
        reader.session().read("shelf://a.md").unwrap()
    };
    assert!(!read(&shelf).text().starts_with('['));
    let editable = shelf.clone().with(|facts| facts.editable = true);
    assert!(read(&editable).text().starts_with("[shelf://a.md#"));
    assert!(read(&editable).details.next.is_some());
    let whole = shelf.with(|facts| facts.paged = false);
    let reply = read(&whole);
    assert_eq!(reply.details.next, None);
    assert!(reply.text().contains("line 900"));
}

#[test]
fn provider_lists_its_resources_or_the_failure_says_that_it_cannot() {
    let shelf = Shelf::new(&[("one.md", b"1\n"), ("two\u{202e}.md", b"2\n")]);
    let session = shelf.session();
    assert_eq!(
        text(&session, "shelf://"),
        "shelf://one.md\nshelf://two⟨U+202E⟩.md"
    );
    assert!(text(&session, "shelf://:2-2:raw").contains("two"));
    let failure = session.read("shelf://ones.md").unwrap_err();
    assert!(
        matches!(&failure.reason, Reason::NotFound(similar) if similar == &["shelf://one.md"]),
        "{failure:?}"
    );
    let failure = session.read("shelf://qqq").unwrap_err();
    assert!(format!("{failure:#}").contains("`shelf://`"), "{failure:#}");

    let mut unlisted = shelf;
    unlisted.is_listed = false;
    let failure = unlisted.session().read("shelf://").unwrap_err();
    assert!(
        failure.message.contains("does not list resources"),
        "{failure}"
    );
    assert!(matches!(failure.reason, Reason::Unsupported(_)));

    let names: Vec<String> = (0..100_000).map(|n| format!("n{n:06}")).collect();
    let many: Vec<(&str, &[u8])> = names
        .iter()
        .map(|name| (name.as_str(), &b"x\n"[..]))
        .collect();
    let session = Shelf::new(&many).session();
    let last = text(&session, "shelf://:-2");
    assert!(
        last.contains("n009999") && last.contains("more than these 10000"),
        "{last}"
    );
}

#[test]
fn unknown_scheme_is_a_failure_with_the_schemes() {
    let shelf = Shelf::new(&[("one.md", b"1\n")]);
    let session = shelf.session();
    for (path, hint) in [
        ("shelv://one.md", "`shelf://`"),
        ("skil://x", "`skill://`"),
        ("zzzz://one.md:3", "`shelf://`"),
        ("zzzz://../../x", "`omp://`"),
    ] {
        let failure = session.read(path).unwrap_err();
        assert!(
            matches!(failure.reason, Reason::Unsupported(_)),
            "{failure:?}"
        );
        assert!(format!("{failure:#}").contains(hint), "{path}: {failure:#}");
    }
}

#[test]
fn names_of_providers_are_completed() {
    let shelf = Shelf::new(&[("one.md", b""), ("once.md", b""), ("two.md", b"")]);
    let reader = Workspace::new().builder().provider(shelf).build().unwrap();
    assert_eq!(
        reader.complete("shelf://on", 9),
        ["shelf://one.md", "shelf://once.md"]
    );
    assert_eq!(reader.complete("shelf://", 2).len(), 2);
    assert!(reader.complete("none://", 9).is_empty());
    assert_eq!(reader.complete("omp://tab", 9), ["omp://tables.md"]);
}

/// Bytes that are wrong in some way.
#[derive(Clone, Copy)]
enum Wrong {
    Endless,
    EndlessLine,
    Larger,
    Smaller,
    Failing,
    Panicking,
}

impl Bytes for Wrong {
    fn read(&self, offset: u64, length: usize) -> Result<Vec<u8>, String> {
        let text = b"0123456\n".repeat(20_000);
        match self {
            Self::Endless => Ok(b"0123456\n".repeat(length / 8 + 1)[..length].to_vec()),
            Self::EndlessLine => Ok(vec![b'x'; length]),
            Self::Larger | Self::Smaller => text.read(offset, length),
            Self::Failing if offset > 0 => Err("the cable is out".to_owned()),
            Self::Failing => text.read(offset, 4096),
            Self::Panicking => panic!("a defect of the provider"),
        }
    }
}

impl Provider for Wrong {
    fn scheme(&self) -> &'static str {
        "wrong"
    }

    fn open(&self, _: &str) -> Result<Resource, ResourceError> {
        let size = match self {
            Self::Larger => Some(1 << 40),
            Self::Smaller => Some(10),
            Self::Failing => Some(160_000),
            _ => None,
        };
        Ok(Resource::new(*self, size))
    }
}

fn wrong(workspace: &Workspace, wrong: Wrong) -> Session {
    let builder = workspace.builder().provider(wrong);
    let reader = builder.timeout(Duration::from_secs(5)).build().unwrap();
    reader.session()
}

#[test]
fn bytes_that_misbehave_end_in_a_reply_or_a_failure() {
    let workspace = Workspace::new();
    let wrong = |source| wrong(&workspace, source);
    for source in [
        Wrong::Endless,
        Wrong::EndlessLine,
        Wrong::Larger,
        Wrong::Smaller,
    ] {
        let session = wrong(source);
        let reply = session.read_as("wrong://x:1-3", Dialect::Omp, &Options::default());
        match reply {
            Ok(reply) => assert!(!reply.text().is_empty()),
            Err(failure) => assert!(matches!(failure.reason, Reason::Limit(_)), "{failure:?}"),
        }
    }
    let larger = wrong(Wrong::Larger).read("wrong://x:-1").unwrap();
    assert!(larger.text().contains("0123456"), "{}", larger.text());
    let smaller = wrong(Wrong::Smaller).read("wrong://x:20000").unwrap();
    assert!(smaller.text().contains("0123456"), "{}", smaller.text());
    for source in [Wrong::Failing, Wrong::Panicking] {
        match wrong(source).read("wrong://x:-1") {
            // What could be read is shown, with the reason why the rest could not.
            Ok(reply) => assert!(
                reply.text().contains("the cable is out"),
                "{}",
                reply.text()
            ),
            Err(failure) => assert!(matches!(failure.reason, Reason::Io(_)), "{failure:?}"),
        }
    }
}
