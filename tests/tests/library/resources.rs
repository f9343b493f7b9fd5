//! Internal URLs, whose bytes a provider of the application returns.

use omniread::resources::{Bytes, Provider, Resource, ResourceError};
use omniread::{BuildError, CancelToken, Dialect, Options, Reason, Session};
use omniread_tests::Workspace;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// The bytes of a resource, and a counter of the bytes that were read.
struct InMemory(Vec<u8>, Arc<AtomicUsize>);

impl Bytes for InMemory {
    fn read(&self, offset: u64, length: usize) -> Result<Vec<u8>, String> {
        let start = usize::try_from(offset).unwrap().min(self.0.len());
        let end = start.saturating_add(length).min(self.0.len());
        self.1.fetch_add(end - start, Ordering::Relaxed);
        Ok(self.0[start..end].to_vec())
    }
}

/// A provider of resources with URLs such as `memory://NAME`: their texts by name, and a counter of
/// the bytes that were read.
#[derive(Clone, Default)]
struct Memory {
    texts: Vec<(&'static str, Vec<u8>)>,
    read: Arc<AtomicUsize>,
}

impl Provider for Memory {
    fn scheme(&self) -> &'static str {
        "memory"
    }

    fn open(&self, url: &str) -> Result<Resource, ResourceError> {
        let name = url.split_once("://").unwrap().1;
        match name {
            "secret" => return Err(ResourceError::Denied("secrets".to_owned())),
            "broken" => return Err(ResourceError::Failed("it is broken".to_owned())),
            _ => {}
        }
        let found = self.texts.iter().find(|(known, _)| *known == name);
        let Some((_, bytes)) = found else {
            let known = self
                .texts
                .iter()
                .map(|(name, _)| format!("memory://{name}"));
            return Err(ResourceError::NotFound(known.collect()));
        };
        let size = bytes.len() as u64;
        let in_memory = InMemory(bytes.clone(), Arc::clone(&self.read));
        Ok(Resource::new(in_memory, Some(size)))
    }
}

fn session(memory: Memory) -> (Workspace, Session) {
    let workspace = Workspace::new();
    let reader = workspace.builder().provider(memory).build().unwrap();
    (workspace, reader.session())
}

/// A provider without resources. The field is the URL scheme of the provider.
struct Named(&'static str);

impl Provider for Named {
    fn scheme(&self) -> &str {
        self.0
    }

    fn open(&self, _: &str) -> Result<Resource, ResourceError> {
        Err(ResourceError::NotFound(Vec::new()))
    }
}

/// A provider is refused if its URL scheme is not valid, or is one that the reader handles itself,
/// such as `https`.
#[test]
fn invalid_and_built_in_schemes_are_refused() {
    for scheme in [
        "https", "http", "file", "Skill", "c", "", "a b", "9p", "a://",
    ] {
        let built = Workspace::new().builder().provider(Named(scheme)).build();
        match built {
            Err(BuildError::Scheme(refused)) => assert_eq!(refused, scheme),
            other => panic!("{scheme}: {other:?}"),
        }
    }
    for scheme in ["skill", "git+ssh", "x-1.2"] {
        assert!(
            Workspace::new()
                .builder()
                .provider(Named(scheme))
                .build()
                .is_ok()
        );
    }
}

#[test]
fn resources_are_read_like_files() {
    let memory = Memory {
        texts: vec![
            ("notes.md", b"one\ntwo\nthree\n".to_vec()),
            (
                "app.db",
                std::fs::read(omniread_tests::project().join("examples/app.db")).unwrap(),
            ),
            ("empty", Vec::new()),
            (
                "long.log",
                (1..=900)
                    .map(|n| format!("line {n}\n"))
                    .collect::<String>()
                    .into_bytes(),
            ),
        ],
        ..Memory::default()
    };
    let (_workspace, session) = session(memory);
    let reply = session.read("memory://notes.md:2-2").unwrap();
    // An internal URL cannot be edited, so that it has no tag.
    assert!(
        reply.text().starts_with("one\ntwo\nthree"),
        "{}",
        reply.text()
    );
    assert_eq!(reply.details.path, "memory://notes.md");
    assert_eq!(reply.details.size, Some(14));
    let text = session.read("memory://app.db:users:1").unwrap().text();
    assert!(text.contains("id"), "{text}");
    // `next` is an internal URL as well.
    let long = session.read("memory://long.log").unwrap();
    assert_eq!(long.details.next.as_deref(), Some("memory://long.log:31"));
    assert!(
        session
            .read("memory://long.log:301")
            .unwrap()
            .text()
            .contains("line 301")
    );
    assert!(session.read("memory://empty").is_ok());
    let raw = session.read("MEMORY://notes.md:raw");
    assert_eq!(raw.unwrap().text(), "one\ntwo\nthree\n");
}

#[test]
fn provider_errors_become_failures() {
    let memory = Memory {
        texts: vec![("notes.md", Vec::new())],
        ..Memory::default()
    };
    let (_workspace, session) = session(memory);
    let reason = |path: &str| session.read(path).unwrap_err().reason;
    let Reason::NotFound(similar) = reason("memory://none:5") else {
        panic!("{:?}", reason("memory://none"));
    };
    assert_eq!(similar, ["memory://notes.md"]);
    assert!(matches!(reason("memory://secret"), Reason::Denied(rule) if rule == "secrets"));
    assert!(matches!(reason("memory://broken"), Reason::Io(why) if why.contains("it is broken")));
    // This scheme has no provider.
    assert!(matches!(reason("skill://x"), Reason::Unsupported(_)));
}

#[test]
fn large_resource_is_read_only_as_far_as_shown() {
    let lines = "a line of some text\n".repeat(1 << 20);
    let memory = Memory {
        texts: vec![("large.log", lines.into_bytes())],
        ..Memory::default()
    };
    let read = Arc::clone(&memory.read);
    let (_workspace, session) = session(memory);
    let reply = session.read("memory://large.log:10-20").unwrap();
    assert!(reply.text().contains("a line of some text"));
    let count = read.load(Ordering::Relaxed);
    assert!(count < 1 << 20, "{count} bytes were read");
}

#[test]
fn tool_definitions_list_the_schemes() {
    let workspace = Workspace::new();
    let reader = workspace.builder().provider(Memory::default());
    for definition in reader.build().unwrap().definitions().unwrap() {
        let text = &definition.description;
        assert!(text.ends_with("Internal URLs: `memory://…`."), "{text}");
    }
}

/// A provider with a function that never returns: `read` if `opens` is true, otherwise `open`.
struct Silent {
    opens: bool,
    never: Arc<Mutex<Receiver<()>>>,
}

impl Silent {
    fn new(opens: bool) -> (Self, Sender<()>) {
        let (sender, never) = channel();
        let never = Arc::new(Mutex::new(never));
        (Self { opens, never }, sender)
    }
}

impl Provider for Silent {
    fn scheme(&self) -> &'static str {
        "silent"
    }

    fn open(&self, _: &str) -> Result<Resource, ResourceError> {
        let silent = Self {
            opens: true,
            never: Arc::clone(&self.never),
        };
        if !self.opens {
            let _ = silent.read(0, 1);
        }
        Ok(Resource::new(silent, None))
    }
}

impl Bytes for Silent {
    fn read(&self, _: u64, _: usize) -> Result<Vec<u8>, String> {
        let _ = self.never.lock().unwrap().recv();
        Err("nobody waits for this any more".to_owned())
    }
}

/// A read ends at its timeout, or when a token cancels it, even if it waits for a provider that
/// never returns.
#[test]
fn provider_that_never_returns_does_not_block_the_end_of_a_read() {
    for opens in [false, true] {
        let workspace = Workspace::new();
        workspace.file("a.txt", "text\n");
        let (silent, sender) = Silent::new(opens);
        let builder = workspace.builder().provider(silent);
        let reader = builder.timeout(Duration::from_millis(300)).build().unwrap();
        let session = reader.session();
        let failure = session.read("silent://x").unwrap_err();
        assert!(
            matches!(&failure.reason, Reason::Limit(limit) if limit.name == "time"),
            "{failure:?}"
        );
        assert!(
            failure.message.contains("its source does not answer"),
            "{failure:?}"
        );
        drop(sender);

        let (silent, sender) = Silent::new(opens);
        let builder = workspace.builder().provider(silent);
        let reader = builder.timeout(None).build().unwrap();
        let token = CancelToken::new();
        let cancelled = reader.session().with_cancel(&token);
        let cancelling = thread::spawn(move || {
            thread::sleep(Duration::from_millis(100));
            token.cancel();
        });
        let failure = cancelled.read_as("silent://x", Dialect::Claude, &Options::default());
        assert!(matches!(failure.unwrap_err().reason, Reason::Cancelled(_)));
        cancelling.join().unwrap();
        // The next read works.
        assert!(reader.session().read("a.txt").is_ok());
        drop(sender);
    }
}
