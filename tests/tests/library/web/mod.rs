//! Reads of web addresses through the command line, from servers on this machine.
//!
//! ```text
//! addresses  the parts of an address: selectors, members, sections, ports
//! pages      pages, and the other forms of them that a read tries
//! contents   charsets, codings, wrong types, images and documents
//! labels     wrong labels: ranges, types, large headers
//! statuses   statuses, redirects and empty bodies
//! ranges     files that are read by ranges
//! sessions   copies that a session keeps
//! policy     addresses that are refused
//! hostile    servers that are slow, that lie and that never end
//! tls        certificates
//! forge      issues and pull requests of GitHub
//! sites      pages of services, by their handlers
//! ```

mod addresses;
mod contents;
mod forge;

mod hostile;
mod labels;
mod pages;
mod policy;
mod ranges;
mod sessions;
mod sites;
mod statuses;
mod tls;

use omniread_tests::web::{Page, Server, Site};
use omniread_tests::{Cli, Run, Workspace};
use serde_json::Value;
use std::time::{Duration, Instant};

/// The time after which a test treats a read as hung: ten times the limit of all requests of a read.
const PATIENCE: Duration = Duration::from_secs(450);

/// The command line in a workspace of its own, with access to servers.
struct Client {
    workspace: Workspace,
    cli: Cli,
    options: Vec<String>,
}

/// A successful read of a web address.
#[derive(Debug)]
struct Reply {
    /// The lines before the first `---`.
    head: Vec<String>,
    /// The lines after it.
    body: String,
}

impl Reply {
    /// The reply in the output of a run that succeeded.
    #[track_caller]
    fn of(run: &Run) -> Self {
        assert_eq!(run.code, Some(0), "{run:?}");
        // The head of exact text is not a part of the output.
        let is_exact = run.stderr.starts_with("URL: ");
        let text = if is_exact { &run.stderr } else { &run.stdout };
        let mut lines = text.lines();
        let head: Vec<String> = lines
            .by_ref()
            .take_while(|line| *line != "---")
            .map(str::to_owned)
            .collect();
        let first = head.first().map(String::as_str).unwrap_or_default();
        assert!(first.starts_with("URL: "), "{run:?}");
        let rest: Vec<&str> = lines.skip_while(|line| line.is_empty()).collect();
        Self {
            head,
            body: if is_exact {
                run.stdout.clone()
            } else {
                rest.join("\n")
            },
        }
    }

    /// A line of the head. Empty if the head has no such line.
    fn head(&self, name: &str) -> &str {
        let mut lines = self.head.iter();
        let value = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        value.unwrap_or_default()
    }

    fn url(&self) -> &str {
        self.head("URL")
    }

    fn method(&self) -> &str {
        self.head("Method")
    }

    fn notes(&self) -> &str {
        self.head("Notes")
    }
}

impl Client {
    /// A client without network access.
    fn without_grants() -> Self {
        let workspace = Workspace::new();
        let program = env!("CARGO_BIN_EXE_omniread-under-test");
        let cli = Cli::new(program, workspace.path());
        Self {
            workspace,
            cli,
            options: Vec::new(),
        }
    }

    /// A client with access to a server.
    fn of(server: &Server) -> Self {
        Self::without_grants().allow(&server.authority())
    }

    /// Adds a grant.
    fn allow(self, grant: &str) -> Self {
        self.option("--allow-net").option(grant)
    }

    /// Adds an option of the command line.
    fn option(mut self, option: &str) -> Self {
        self.options.push(option.to_owned());
        self
    }

    /// Runs the command line with a path.
    #[track_caller]
    fn run(&self, path: &str) -> Run {
        let mut arguments: Vec<&str> = self.options.iter().map(String::as_str).collect();
        arguments.push(path);
        let began = Instant::now();
        let run = self.cli.run(&arguments);
        assert!(began.elapsed() < PATIENCE, "{path}");
        run
    }

    /// Reads a web address. The read must succeed.
    #[track_caller]
    fn read(&self, path: &str) -> Reply {
        Reply::of(&self.run(path))
    }

    /// The message of a read that must fail.
    #[track_caller]
    fn refusal(&self, path: &str) -> String {
        let run = self.run(path);
        assert_eq!(run.code, Some(1), "{path}: {run:?}");
        assert!(!run.stderr.contains("panicked"), "{path}: {run:?}");
        format!("{}{}", run.stdout, run.stderr)
    }

    /// The details of a read that must succeed.
    #[track_caller]
    fn details(&self, path: &str) -> Value {
        let mut arguments: Vec<&str> = self.options.iter().map(String::as_str).collect();
        arguments.extend(["--json", path]);
        let run = self.cli.run(&arguments);
        assert_eq!(run.code, Some(0), "{run:?}");
        let reply: Value = serde_json::from_str(&run.stdout).unwrap();
        reply["details"].clone()
    }
}

/// A sentence of ten words.
const SENTENCE: &str = "This sentence of the article has ten words in it. ";

/// A paragraph of 60 words.
fn paragraph() -> String {
    SENTENCE.repeat(6)
}

/// A page with enough text that no other form of it is tried. `inside` is HTML at the end of its text.
fn article(title: &str, inside: &str) -> Page {
    let paragraph = paragraph();
    let html = format!(
        "<!DOCTYPE html><html><head><title>{title}</title></head><body>
         <nav><a href=\"/\">Home</a> <a href=\"/about\">About</a></nav>
         <main><article><h1>{title}</h1><p>{paragraph}</p><h2 id=\"second\">Second part</h2>
         <p>{paragraph}</p><h2 id=\"third\">Third part</h2><p>{paragraph}</p>{inside}</article></main>
         <footer>Copyright of the footer</footer></body></html>"
    );
    Page::html(&html)
}

/// A page with fewer than 100 words. `inside` is HTML in its text.
fn short_page(inside: &str) -> Page {
    Page::html(&format!(
        "<title>Short</title><h1>Short</h1><p>A few words.</p>{inside}"
    ))
}

/// A server with one page.
fn one(address: &str, page: Page) -> Server {
    Site::new().page(address, page).serve()
}

/// Checks that a read after a hostile one works.
#[track_caller]
fn assert_next_read_works(client: &Client, server: &Server) {
    server.set("/good", article("Good page", ""));
    let reply = client.read(&server.url("/good"));
    assert!(reply.body.contains("ten words"), "{reply:?}");
}
