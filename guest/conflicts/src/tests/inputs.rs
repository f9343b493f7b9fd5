//! Texts with conflicts that Git wrote, and those that the documentation of Jujutsu shows.

/// Two conflicts in the style `merge`.
pub const MERGE: &str = "\
    one\n\
    <<<<<<< HEAD\n\
    two main\n\
    =======\n\
    two feature\n\
    >>>>>>> feature\n\
    three same\n\
    four\n\
    five\n\
    six\n\
    seven\n\
    eight\n\
    <<<<<<< HEAD\n\
    nine main\n\
    =======\n\
    nine feature\n\
    >>>>>>> feature\n\
    ten\n\
";

/// The same in the style `diff3`.
pub const DIFF3: &str = "\
    one\n\
    <<<<<<< HEAD\n\
    two main\n\
    three same\n\
    ||||||| 4a5eef3\n\
    two\n\
    three\n\
    =======\n\
    two feature\n\
    three same\n\
    >>>>>>> feature\n\
    four\n\
    five\n\
    six\n\
    seven\n\
    eight\n\
    <<<<<<< HEAD\n\
    nine main\n\
    ||||||| 4a5eef3\n\
    nine\n\
    =======\n\
    nine feature\n\
    >>>>>>> feature\n\
    ten\n\
";

/// The same in the style `zdiff3`.
pub const ZDIFF3: &str = "\
    one\n\
    <<<<<<< HEAD\n\
    two main\n\
    ||||||| 4a5eef3\n\
    two\n\
    three\n\
    =======\n\
    two feature\n\
    >>>>>>> feature\n\
    three same\n\
    four\n\
    five\n\
    six\n\
    seven\n\
    eight\n\
    <<<<<<< HEAD\n\
    nine main\n\
    ||||||| 4a5eef3\n\
    nine\n\
    =======\n\
    nine feature\n\
    >>>>>>> feature\n\
    ten\n\
";

/// The same with `conflict-marker-size=32`.
pub const SIZE32: &str = "\
    one\n\
    <<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<< HEAD\n\
    two main\n\
    three same\n\
    |||||||||||||||||||||||||||||||| 4a5eef3\n\
    two\n\
    three\n\
    ================================\n\
    two feature\n\
    three same\n\
    >>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>> feature\n\
    four\n\
    five\n\
    six\n\
    seven\n\
    eight\n\
    <<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<< HEAD\n\
    nine main\n\
    |||||||||||||||||||||||||||||||| 4a5eef3\n\
    nine\n\
    ================================\n\
    nine feature\n\
    >>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>> feature\n\
    ten\n\
";

/// A merge of two bases that conflict, in the style `diff3`.
pub const CRISSCROSS: &str = "\
    a\n\
    <<<<<<< HEAD\n\
    b xy\n\
    ||||||| merged common ancestors\n\
    <<<<<<<<< Temporary merge branch 1\n\
    b y\n\
    ||||||||| f1d6059\n\
    b\n\
    =========\n\
    b x\n\
    >>>>>>>>> Temporary merge branch 2\n\
    =======\n\
    b yx\n\
    >>>>>>> y\n\
    c\n\
";

/// Lines that end in CRLF. One side is empty.
pub const CRLF: &str = "\
    a\r\n\
    <<<<<<< HEAD\r\n\
    b main\r\n\
    c main\r\n\
    =======\r\n\
    >>>>>>> del\r\n\
";

/// A difference and a side of Jujutsu.
pub const JJ_DIFF: &str = "\
    first\n\
    <<<<<<< conflict 1 of 1\n\
    %%%%%%% diff from: vpxusssl 38d49363 \"merge base\"\n\
    \\\\\\\\\\\\\\        to: rtsqusxu 2768b0b9 \"commit A\"\n\
    \x20apple\n\
    -grape\n\
    +grapefruit\n\
    \x20orange\n\
    +++++++ ysrnknol 7a20f389 \"commit B\"\n\
    APPLE\n\
    GRAPE\n\
    ORANGE\n\
    >>>>>>> conflict 1 of 1 ends\n\
    last\n\
";

/// An older version of it.
pub const JJ_OLD: &str = "\
    <<<<<<< Conflict 1 of 2\n\
    %%%%%%% Changes from base to side #1\n\
    -grape\n\
    +grapefruit\n\
    +++++++ Contents of side #2\n\
    GRAPE\n\
    >>>>>>> Conflict 1 of 2 ends\n\
    between\n\
    <<<<<<< Conflict 2 of 2\n\
    +++++++ Contents of side #1\n\
    a\n\
    ------- Contents of base\n\
    b\n\
    +++++++ Contents of side #2\n\
    c\n\
    >>>>>>> Conflict 2 of 2 ends\n\
";

/// Three sides.
pub const JJ_THREE: &str = "\
    <<<<<<< conflict 1 of 1\n\
    %%%%%%% diff from: base one\n\
    \\\\\\\\\\\\\\        to: side one\n\
    -b\n\
    +one\n\
    %%%%%%% diff from: base two\n\
    \\\\\\\\\\\\\\        to: side two\n\
    \x20b\n\
    +two\n\
    +++++++ side three\n\
    three\n\
    >>>>>>> conflict 1 of 1 ends\n\
";

/// Sides without a line feed at the end.
pub const JJ_OPEN: &str = "\
    <<<<<<< conflict 1 of 1\n\
    +++++++ tlwwkqxk d121763d \"commit A\" (no terminating newline)\n\
    grapefruit\n\
    %%%%%%% diff from: qwpqssno fe561d93 \"merge base\" (no terminating newline)\n\
    \\\\\\\\\\\\\\        to: poxkmrxy c735fe02 \"commit B\"\n\
    -grape\n\
    +grape\n\
    >>>>>>> conflict 1 of 1 ends";

/// Markers of Git with the labels of Jujutsu.
pub const JJ_GIT: &str = "\
    <<<<<<< rtsqusxu 2768b0b9 \"commit A\"\n\
    apple\n\
    ||||||| vpxusssl 38d49363 \"merge base\"\n\
    grape\n\
    =======\n\
    GRAPE\n\
    >>>>>>> ysrnknol 7a20f389 \"commit B\" (no terminating newline)";

/// Markers that are longer than a line of a side.
pub const JJ_LONG: &str = "\
    <<<<<<<<<<< conflict 1 of 1\n\
    %%%%%%%%%%% diff from: base\n\
    \\\\\\\\\\\\\\\\\\\\\\        to: ours\n\
    \x20Heading\n\
    -=======\n\
    +==========\n\
    +++++++++++ theirs\n\
    Heading\n\
    <<<<<<< not a marker\n\
    =======\n\
    >>>>>>> not a marker\n\
    >>>>>>>>>>> conflict 1 of 1 ends\n\
";
