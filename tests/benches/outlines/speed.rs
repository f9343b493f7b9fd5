//! The time that outlines take, in the component and natively.

use crate::shared::{paired, row};
use omniread::Options;
use omniread_reader::dialects::Dialect;
use omniread_reader::world::LocalWorld;
use omniread_tests::Workspace;
use std::fmt::Write as _;

/// Reads files of two sizes in four languages, and prints the times.
pub fn run() {
    let workspace = Workspace::new();
    let session = workspace.session();
    println!("outlines, fresh instances and read: component against native, medians");
    let options = Options::default();
    for (lines, rounds) in [(750, 100), (20_000, 10)] {
        for (ending, block) in BLOCKS {
            let name = format!("{lines}.{ending}");
            let text = repeated(block, lines);
            workspace.file(&name, &text);
            let mut world = LocalWorld::new(vec![workspace.path().display().to_string()]);
            let dialect = omniread::Dialect::Omp;
            let reply = session.read_as(&name, dialect, &options).expect("a reply");
            let (ours, native) = paired(
                rounds,
                || drop(session.read_as(&name, dialect, &options).expect("a reply")),
                || {
                    let reply = Dialect::Omp.read(&name, &options, &mut world);
                    drop(reply.expect("a reply"));
                },
            );
            let shown = reply.text().len() as f64 * 100.0 / text.len() as f64;
            let size = text.len() / 1000;
            let title = format!("{name}: {size} KB, shows {shown:.0} %");
            row(&title, ours, native, "native");
        }
    }
}

/// Repeats a block until the text has `lines` lines. `NUMBER` in the block is replaced by a
/// counter.
fn repeated(block: &str, lines: usize) -> String {
    let mut text = String::new();
    let mut written = 0;
    for number in 0.. {
        for line in block.lines() {
            if written == lines {
                return text;
            }
            let _ = writeln!(text, "{}", line.replace("NUMBER", &number.to_string()));
            written += 1;
        }
    }
    text
}

/// File extensions, and the block of text that is repeated in a file with this extension.
const BLOCKS: [(&str, &str); 4] = [
    ("rs", RUST),
    ("ts", TYPESCRIPT),
    ("py", PYTHON),
    ("md", MARKDOWN),
];

const RUST: &str = r#"/// What is known of a request.
#[derive(Clone, Debug)]
pub struct RequestNUMBER {
    pub path: String,
    pub headers: Vec<(String, String)>,
}

impl RequestNUMBER {
    /// The first header of this name, if there is one.
    pub fn header(&self, name: &str) -> Option<&str> {
        // Names are compared without case.
        let same = |header: &&(String, String)| header.0.eq_ignore_ascii_case(name);
        self.headers.iter().find(same).map(|header| header.1.as_str())
    }

    /// Writes it as it is sent.
    pub fn write(&self, out: &mut String) -> std::fmt::Result {
        writeln!(out, "GET {} HTTP/1.1", self.path)?;
        for (name, value) in &self.headers {
            if value.is_empty() {
                continue;
            }
            writeln!(out, "{name}: {value}")?;
        }
        Ok(())
    }
}

"#;

const TYPESCRIPT: &str = r"/** What is known of a request. */
export interface RequestNUMBER {
  path: string;
  headers: Map<string, string>;
}

export class ClientNUMBER {
  private readonly waiting: RequestNUMBER[] = [];

  constructor(private readonly address: string) {}

  /** Sends what waits, one after the other. */
  async send(most = 10): Promise<number> {
    let sent = 0;
    for (const request of this.waiting.splice(0, most)) {
      const reply = await fetch(`${this.address}/${request.path}`, {
        headers: [...request.headers],
      });
      if (!reply.ok) {
        throw new Error(`it said ${reply.status}`);
      }
      sent += 1;
    }
    return sent;
  }
}

export const pathsNUMBER = (requests: RequestNUMBER[]): string[] => {
  const paths = requests.map((request) => request.path);
  return paths.filter((path) => path.length > 0);
};

";

const PYTHON: &str = r#"class RequestNUMBER:
    """What is known of a request."""

    def __init__(self, path, headers=None):
        self.path = path
        self.headers = dict(headers or {})

    @property
    def size(self):
        # Without the line that ends them.
        return sum(len(name) + len(value) for name, value in self.headers.items())

    def write(self, out):
        """Writes it as it is sent."""
        out.write(f"GET {self.path} HTTP/1.1\n")
        for name, value in self.headers.items():
            if not value:
                continue
            out.write(f"{name}: {value}\n")
        out.write("\n")


def pathsNUMBER(requests):
    """The paths of requests that have one."""
    found = []
    for request in requests:
        if request.path:
            found.append(request.path)
    return found


"#;

const MARKDOWN: &str = r"## Requests, part NUMBER

A request has a path and headers. Names of headers are compared without case,
and a header without a value is not sent.

### What is sent

1. The line with the path.
2. Each header on a line of its own.

```sh
# This is no heading.
curl --header 'Accept: text/plain' localhost/NUMBER
```

### What comes back

| Status | Meaning |
|--|--|
| 200 | it was found |
| 404 | it was not |

";
