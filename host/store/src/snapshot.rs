//! Snapshots: the text of files that was shown or written.

/// The lines of a file that were shown or written, and the state of the file at that time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The path. The store compares it byte by byte.
    pub path: String,
    /// The real path of the file, without symlinks, if it is known. Rules about what may be shown apply to it.
    pub real: Option<String>,
    /// The tag that identifies the text for an edit tool.
    pub tag: Option<String>,
    /// The hash of the whole text or of all bytes, if it is known.
    pub hash: Option<[u8; 32]>,
    /// The hashes of ranges of lines, for reads of a part of a file. The newest one is last.
    pub windows: Vec<Window>,
    /// The lines that were shown, in order and without overlap.
    pub runs: Vec<Run>,
    /// The number of lines of the whole text, if the read has counted them.
    pub total: Option<u64>,
    /// The state of the file before it was read.
    pub before: Option<Stamp>,
    /// The state of the file after it was read.
    pub after: Option<Stamp>,
    /// The time of the read in nanoseconds since 1970. The store does not order by it.
    pub read: i64,
    /// Where the text comes from.
    pub origin: Origin,
    /// Whether lines that were shown are missing in `runs`, because the text was too large for the
    /// limits of the store. The store sets it. It ignores the value in a snapshot that it is given.
    pub text_left_out: bool,
}

impl Snapshot {
    /// A snapshot of a path that was shown, without further facts.
    pub fn new(path: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            real: None,
            tag: None,
            hash: None,
            windows: Vec::new(),
            runs: Vec::new(),
            total: None,
            before: None,
            after: None,
            read: 0,
            origin: Origin::Shown,
            text_left_out: false,
        }
    }

    /// The line with this number, if its text is kept. Negative numbers count from the end of the
    /// file, and find only lines that were shown with such numbers.
    pub fn line(&self, number: i64) -> Option<&str> {
        self.runs.iter().find_map(|run| {
            let index = usize::try_from(number.checked_sub(run.first)?).ok()?;
            run.lines.get(index).map(String::as_str)
        })
    }
}

/// The hash of a range of lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    /// The number of the first line. Negative numbers count from the end of the file.
    pub first: i64,
    /// The number of the last line.
    pub last: i64,
    /// The hash of the lines.
    pub hash: [u8; 32],
}

/// Consecutive lines that were shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The number of the first line. Negative numbers count from the end of the file.
    pub first: i64,
    /// The lines, without their ends.
    pub lines: Vec<String>,
}

impl Run {
    /// The number of the line after the last one.
    pub(crate) fn end(&self) -> i64 {
        let count = i64::try_from(self.lines.len()).unwrap_or(i64::MAX);
        self.first.saturating_add(count)
    }
}

/// The state of a file according to its file system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// The size in bytes.
    pub size: u64,
    /// The modification time in nanoseconds since 1970.
    pub modified: i128,
    /// The number of the device.
    pub device: u64,
    /// The number of the file on its device.
    pub inode: u64,
}

/// Where the text of a snapshot comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A read showed it.
    Shown,
    /// An edit wrote it.
    Written,
}

/// The snapshots of a path with a tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tagged {
    /// No snapshot has the tag.
    None,
    /// The newest snapshot with the tag.
    One(Box<Snapshot>),
    /// Snapshots with the same tag and different hashes, the newest first.
    Ambiguous(Vec<Snapshot>),
}
