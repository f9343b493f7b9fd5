//! The limits of a read of a repository, each with its reason.

/// The maximum number of bytes of an object. It is in memory as a whole, because its id is checked, and because a
/// delta copies from any place of its base.
pub const OBJECT_BYTES: u64 = 64 << 20;

/// The maximum number of deltas from an object to its base. Git stores at most 4,095.
pub const DELTA_CHAIN: usize = 4095;

/// The maximum number of bytes that the deltas of one object may produce together. Each delta makes a whole copy of
/// an object: 50 deltas, which is the default of git, of a file of 20 MB.
pub const DELTA_BYTES: u64 = 1 << 30;

/// The maximum number of objects that one read may request. The history of Linux has 1.4 million commits. A walk to
/// an ancestor that is farther away takes longer than a read may.
pub const OBJECTS: u64 = 200_000;

/// The maximum number of bytes of a file with one value: `HEAD`, `.git`, `commondir`, a reference. A path has at
/// most 4,096 bytes.
pub const VALUE_BYTES: usize = 8 << 10;

/// The maximum number of bytes of `config`, `shallow` and `alternates`. A repository with 1,000 remotes has 100 kB
/// of settings.
pub const SETTINGS_BYTES: usize = 4 << 20;

/// The maximum number of bytes of `packed-refs`: about 200,000 references.
pub const PACKED_REFERENCES_BYTES: usize = 16 << 20;

/// The maximum number of references that are listed, and of files that are examined for them.
pub const REFERENCES: usize = 10_000;

/// The maximum depth of directories of references: names have at most 4,096 bytes, and seldom 5 parts.
pub const REFERENCE_DEPTH: usize = 16;

/// The maximum number of symbolic references that lead to each other. Git follows 5.
pub const SYMBOLIC_DEPTH: usize = 5;

/// The maximum number of tags that lead to each other. Tags of tags are rare.
pub const TAG_DEPTH: usize = 16;

/// The maximum number of directories of objects: the own one and alternates. Git follows alternates of alternates
/// 5 times.
pub const STORES: usize = 16;

/// The maximum number of packs of a directory. Git combines packs when there are 50 of them.
pub const PACKS: usize = 4096;

/// The minimum number of digits of a short id, as in git.
pub const SHORT_ID: usize = 4;

/// The maximum number of objects that are listed for an ambiguous short id.
pub const CANDIDATES: usize = 16;

/// The maximum number of names in a directory of loose objects. Git packs all of them when there are about 27 in
/// each.
pub const LOOSE_NAMES: usize = 65_536;

/// The maximum number of slashes of a text that are tried as the end of a revision.
pub const REVISION_PARTS: usize = 16;

/// The maximum number of bytes of a revision. Names of references have at most 255 bytes in each part.
pub const REVISION_BYTES: usize = 4096;

/// The maximum number of symlinks on the way to a file, as in Linux.
pub const LINKS: usize = 40;

/// The maximum number of parts of a path in a tree, after symlinks were followed. A path has at most 4,096 bytes.
pub const PATH_PARTS: usize = 2048;

/// The bytes of a part of a pack that is read at once. An average object of source code has a few kB.
pub const PACK_WINDOW: usize = 16 << 10;

/// The bytes of a part of an index that is read at once: 200 ids. An id is near the place that its first bytes
/// name.
pub const INDEX_WINDOW: usize = 4 << 10;

/// The maximum number of parts of one file that are in memory.
pub const WINDOWS: usize = 64;

/// The maximum number of bytes of a text that is compared line by line. A comparison needs memory for each line of
/// both.
pub const DIFF_BYTES: usize = 8 << 20;

/// The number of unchanged lines before and after a change, as in git.
pub const DIFF_CONTEXT: u32 = 3;

/// The bytes that are decompressed at once. Memory for an object grows by them, because the size that an object
/// states may be wrong.
pub const INFLATED_BYTES: usize = 64 << 10;

/// The maximum number of names in a directory that an error contains, of which the similar ones are shown.
pub const SIBLINGS: usize = 10_000;

/// The maximum number of trees that stay in memory: those of the directories on the way to a file.
pub const KEPT_TREES: usize = 64;

/// The maximum number of bytes of a tree that stays in memory: 1,500 entries.
pub const KEPT_TREE_BYTES: usize = 64 << 10;
