use super::*;
use crate::world::{Info, Source};
use std::cell::Cell;

const BLOCK: u64 = limits::RANGE_BYTES;

/// The byte at an offset of every source of these tests.
fn byte(offset: u64) -> u8 {
    u8::try_from(offset % 251).unwrap()
}

/// A source over a network, and the ranges that were requested.
struct Server {
    size: u64,
    /// The offset from which nothing is sent.
    end: u64,
    /// The maximum number of bytes of a response.
    most: u64,
    requests: Rc<RefCell<Vec<Range<u64>>>>,
}

impl Source for Server {
    fn read(&mut self, offset: u64, len: usize, out: &mut Vec<u8>) -> Result<(), FileError> {
        let end = offset.saturating_add(len as u64).min(self.size);
        self.requests.borrow_mut().push(offset..end);
        if offset >= self.end && self.end < self.size {
            return Err(FileError::Other("the server is gone".to_owned()));
        }
        let end = end.min(offset.saturating_add(self.most)).min(self.end);
        out.extend((offset..end).map(byte));
        Ok(())
    }

    fn seekable(&self) -> bool {
        true
    }

    fn remote(&self) -> bool {
        true
    }

    fn info(&mut self) -> Info {
        Info {
            size: Some(self.size),
            ..Info::default()
        }
    }
}

type Requests = Rc<RefCell<Vec<Range<u64>>>>;

fn server(size: u64) -> (Remote, Requests) {
    let requests = Requests::default();
    let source = Server {
        size,
        end: size,
        most: u64::MAX,
        requests: Rc::clone(&requests),
    };
    (Remote::new(Box::new(source), size), requests)
}

/// Sparse bytes in memory.
#[derive(Default)]
struct Parts {
    parts: RefCell<BTreeMap<u64, Vec<u8>>>,
    missing: Cell<Option<(u64, u64)>>,
}

impl Parts {
    /// Reads as an engine does.
    fn read(&self, offset: u64, length: u64) -> Result<Vec<u8>, String> {
        let mut out = Vec::new();
        let end = offset + length;
        while offset + (out.len() as u64) < end {
            let at = offset + out.len() as u64;
            let parts = self.parts.borrow();
            let part = parts.range(..=at).next_back();
            let place = |at: u64| usize::try_from(at).unwrap();
            let known = part.and_then(|(start, part)| part.get(place(at - start)..));
            match known.filter(|known| !known.is_empty()) {
                Some(known) => out.extend(known.iter().take(place(end - at))),
                None => {
                    let first = self.missing.take().unwrap_or((at, end));
                    self.missing.set(Some(first));
                    return Err("unknown".to_owned());
                }
            }
        }
        Ok(out)
    }
}

impl Sparse for Rc<Parts> {
    fn add(&self, offset: u64, bytes: Vec<u8>) -> Result<(), String> {
        let mut parts = self.parts.borrow_mut();
        let end = offset + bytes.len() as u64;
        let overlaps = |(start, part): (&u64, &Vec<u8>)| start + part.len() as u64 > offset;
        assert!(!parts.range(..end).next_back().is_some_and(overlaps));
        parts.insert(offset, bytes);
        Ok(())
    }

    fn missing(&self) -> Option<Range<u64>> {
        self.missing.take().map(|(start, end)| start..end)
    }
}

type Shared = Rc<RefCell<RemoteParts<Rc<Parts>>>>;

fn parts(remote: &Remote, allowance: Allowance) -> Shared {
    let parts = RemoteParts::new(remote.clone(), Rc::default(), allowance);
    Rc::new(RefCell::new(parts))
}

/// An engine that reads sparse bytes.
struct Engine {
    parts: Rc<Parts>,
    /// Whether a read failed.
    broken: bool,
}

type Remotes = Refetching<Rc<Parts>, Engine>;

fn engine(remote: &Remote, allowance: Allowance) -> Remotes {
    Refetching::new(parts(remote, allowance))
}

/// Reads ranges in an engine.
fn read(engine: &mut Remotes, need: Need, ranges: &[Range<u64>]) -> Result<Vec<u8>, DatabaseError> {
    engine.call(
        need,
        |parts| {
            Ok(Engine {
                parts: Rc::clone(parts),
                broken: false,
            })
        },
        |engine| {
            assert!(!engine.broken, "an engine is not used after a failed read");
            let mut out = Vec::new();
            for range in ranges {
                let read = engine.parts.read(range.start, range.end - range.start);
                out.extend(read.map_err(|error| {
                    engine.broken = true;
                    DatabaseError::Io(error)
                })?);
            }
            Ok(out)
        },
    )
}

fn bytes(range: Range<u64>) -> Vec<u8> {
    range.map(byte).collect()
}

#[test]
fn call_is_repeated_until_no_bytes_are_missing() {
    let (remote, requests) = server(100 * BLOCK);
    let mut engine = engine(&remote, DATABASE);
    let wanted = [5..10, 50 * BLOCK + 7..50 * BLOCK + 4096, 8..20];
    let read_once = read(&mut engine, Need::Required, &wanted).unwrap();
    let expected: Vec<u8> = wanted.clone().into_iter().flat_map(bytes).collect();
    assert_eq!(read_once, expected);
    // Each range was requested once.
    let second = 50 * BLOCK + 7;
    let expected = [5..BLOCK + 5, second..second + BLOCK];
    assert_eq!(*requests.borrow(), expected);
    read(&mut engine, Need::Required, &wanted).unwrap();
    assert_eq!(requests.borrow().len(), 2);
}

#[test]
fn success_after_a_failed_read_does_not_count() {
    let (remote, requests) = server(10 * BLOCK);
    let mut engine = engine(&remote, DATABASE);
    let mut opened = 0;
    let found: Result<usize, DatabaseError> = engine.call(
        Need::Required,
        |parts| {
            Ok(Engine {
                parts: Rc::clone(parts),
                broken: false,
            })
        },
        // It takes unreadable bytes for damage, and goes on.
        |engine| {
            opened += 1;
            let read = |at| engine.parts.read(at, 3).unwrap_or_default();
            Ok(read(3 * BLOCK).len() + read(7 * BLOCK).len())
        },
    );
    assert_eq!(found, Ok(6));
    assert_eq!((opened, requests.borrow().len()), (3, 2));
}

#[test]
fn first_bytes_that_were_read_before_are_not_fetched() {
    let (remote, requests) = server(10 * BLOCK);
    let mut source = remote.clone();
    source.read(0, 65_536, &mut Vec::new()).unwrap();
    // They are also kept for the next reader.
    let mut again = Vec::new();
    source.read(100, 10, &mut again).unwrap();
    assert_eq!(again, bytes(100..110));
    let mut engine = engine(&remote, DATABASE);
    read(&mut engine, Need::Required, &[0..100, 65_000..65_536]).unwrap();
    assert_eq!(
        requests.borrow().as_slice(),
        std::slice::from_ref(&(0..65_536))
    );
    read(&mut engine, Need::Required, &[0..1, 65_530..65_540]).unwrap();
    let next = 65_536..65_536 + BLOCK;
    assert_eq!(requests.borrow().last(), Some(&next));
}

#[test]
fn range_ends_at_known_bytes_and_at_the_end() {
    let size = 20 * BLOCK + 5;
    let (remote, _) = server(size);
    let shared = parts(&remote, DOCUMENT);
    let mut parts = shared.borrow_mut();
    let need = Need::Required;
    // Few bytes are left at the end, so bytes before them are fetched too.
    let end = parts.window(size - 3..size, need);
    assert_eq!(end, size - BLOCK..size);
    parts.fetch(size - 3..size, need).unwrap();
    // A walk towards the start fetches as much at a time.
    let at = size - BLOCK;
    assert_eq!(parts.window(at - 10..at, need), at - BLOCK..at);
    parts.fetch(10 * BLOCK..10 * BLOCK + 1, need).unwrap();
    let before = parts.window(9 * BLOCK + 1..13 * BLOCK, need);
    assert_eq!(before, 9 * BLOCK..10 * BLOCK);
    // Not into bytes that are known.
    parts.fetch(7 * BLOCK + 5..8 * BLOCK, need).unwrap();
    parts.fetch(9 * BLOCK..10 * BLOCK, need).unwrap();
    let gap = parts.window(8 * BLOCK + 10..8 * BLOCK + 11, need);
    assert_eq!(gap, 8 * BLOCK + 5..9 * BLOCK);
    // A long range is fetched at once, up to a limit.
    assert_eq!(
        parts.window(BLOCK..4 * BLOCK + 1, need),
        BLOCK..4 * BLOCK + 1
    );
    let (remote, _) = server(1 << 40);
    let shared = super::tests::parts(&remote, DOCUMENT);
    assert_eq!(
        shared.borrow().window(0..1 << 40, need),
        0..limits::FETCH_BYTES
    );
}

#[test]
fn ranges_grow_if_an_engine_reads_on() {
    let (remote, requests) = server(1 << 30);
    let mut engine = engine(&remote, DATABASE);
    for at in 0..(8 << 20) / 4096 {
        read(
            &mut engine,
            Need::Required,
            &[0..1, at * 4096..(at + 1) * 4096],
        )
        .unwrap();
    }
    let sizes: Vec<u64> = requests
        .borrow()
        .iter()
        .map(|range| (range.end - range.start) / BLOCK)
        .collect();
    assert_eq!(sizes, [1, 1, 2, 4, 8, 16]);
    // Not for a result that is optional.
    let end = 8 << 20;
    let shared = Rc::clone(&engine.parts);
    let window = shared.borrow().window(end..end + 1, Need::Optional);
    assert_eq!(window, end..end + BLOCK);
}

#[test]
fn fetches_are_limited() {
    let (remote, requests) = server(1 << 40);
    let allowance = Allowance {
        fetches: 12,
        bytes: 1 << 30,
    };
    let mut one = engine(&remote, allowance);
    let scattered = |first: u64, count: u64| -> Vec<Range<u64>> {
        let places = (first..first + count).map(|n| n * (1 << 30));
        places.map(|at| at..at + 1).collect()
    };
    let exhausted = Err(DatabaseError::Exhausted(REQUESTS.to_owned()));
    // An optional call fetches little, and so do all of them together.
    let optional = read(&mut one, Need::Optional, &scattered(1, 20));
    assert_eq!(optional, exhausted);
    assert_eq!(requests.borrow().len() as u64, limits::OPTIONAL_FETCHES);
    for n in 2..20 {
        let _ = read(&mut one, Need::Optional, &scattered(n * 20, 20));
    }
    assert_eq!(requests.borrow().len() as u64, limits::ALL_OPTIONAL_FETCHES);
    // What is known is still read.
    assert!(read(&mut one, Need::Optional, &scattered(1, 2)).is_ok());
    let required = read(&mut one, Need::Required, &scattered(500, 4));
    assert!(required.is_ok());
    assert_eq!(
        read(&mut one, Need::Required, &scattered(600, 1)),
        exhausted
    );
    assert_eq!(requests.borrow().len(), 12);
    // The limit holds for all engines that read the same parts.
    let mut two = Refetching::new(Rc::clone(&one.parts));
    assert_eq!(
        read(&mut two, Need::Required, &scattered(700, 1)),
        exhausted
    );
    assert!(read(&mut two, Need::Required, &scattered(500, 4)).is_ok());
    assert_eq!(requests.borrow().len(), 12);

    let allowance = Allowance {
        fetches: 100,
        bytes: 4 * BLOCK,
    };
    let mut small = engine(&remote, allowance);
    assert!(read(&mut small, Need::Required, &scattered(0, 4)).is_ok());
    let message = small.call(
        Need::Required,
        |parts| {
            Ok(Engine {
                parts: Rc::clone(parts),
                broken: false,
            })
        },
        |engine| engine.parts.read(1 << 35, 1).map_err(DocumentError::Io),
    );
    let expected =
        "it needs more than 100 requests or 1 MB from the server; download the file to read it";
    assert_eq!(message, Err(DocumentError::Io(expected.to_owned())));
}

#[test]
fn failure_of_the_server_ends_the_call() {
    let requests = Requests::default();
    let server = |end, most| {
        let requests = Rc::clone(&requests);
        let size = 8 * BLOCK;
        let source = Server {
            size,
            end,
            most,
            requests,
        };
        Remote::new(Box::new(source), size)
    };
    let mut broken = engine(&server(2 * BLOCK, u64::MAX), DATABASE);
    let wanted = 4 * BLOCK..4 * BLOCK + 1;
    let gone = read(&mut broken, Need::Required, std::slice::from_ref(&wanted));
    let gone_error = FileError::Other("the server is gone".to_owned());
    assert_eq!(gone, Err(DatabaseError::File(gone_error)));
    // A response may have a part of the requested bytes.
    let before = requests.borrow().len();
    let mut slow = engine(&server(8 * BLOCK, BLOCK / 4), DATABASE);
    let read_all = read(&mut slow, Need::Required, std::slice::from_ref(&wanted));
    assert_eq!(read_all, Ok(bytes(wanted)));
    assert_eq!(requests.borrow().len() - before, 4);
}

#[test]
fn only_sources_over_a_network_are_shared() {
    let (remote, _) = server(BLOCK);
    let shared = Remote::share(Box::new(remote.clone()));
    assert_eq!(shared.shared(), Some(remote.clone()));
    assert!(shared.remote());
    let requests = Requests::default();
    let source = Server {
        size: BLOCK,
        end: BLOCK,
        most: BLOCK,
        requests,
    };
    let other = Remote::share(Box::new(source)).shared().unwrap();
    assert_ne!(other, remote);
    assert_eq!(other.size(), BLOCK);
    let local = Remote::share(Box::new(crate::world::Bytes::new(vec![1])));
    assert!(local.shared().is_none());
}
