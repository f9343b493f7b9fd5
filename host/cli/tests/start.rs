//! The cost of the start of the program, as numbers that do not depend on how busy the machine is.

#![allow(missing_docs, reason = "a test")]
#![cfg(all(target_os = "linux", target_env = "gnu", target_pointer_width = "64"))]

use std::fs;
use std::process::{Command, Stdio};

const PROGRAM: &str = env!("CARGO_BIN_EXE_omniread");

/// The maximum number of addresses that the loader writes into the program. There were 300, and 54,000 in a program
/// that may be anywhere.
const RELOCATIONS: u64 = 1000;

/// The maximum number of page faults of the read of a small file. There were 290 with large pages, and 700 before
/// instances copied their memory into them.
const FAULTS: u64 = 450;

/// A number of an ELF file in the order of bytes of this machine.
fn number<const N: usize>(file: &[u8], at: u64) -> u64 {
    let at = usize::try_from(at).expect("a position in the file");
    let mut bytes = [0; 8];
    let start = if cfg!(target_endian = "little") {
        0
    } else {
        8 - N
    };
    bytes[start..start + N].copy_from_slice(&file[at..at + N]);
    u64::from_ne_bytes(bytes)
}

/// The number of entries of the table of addresses that the loader writes (`DT_RELASZ` and `DT_RELAENT`).
fn relocations(file: &[u8]) -> u64 {
    const DYNAMIC: u64 = 2;
    const SIZE: u64 = 8;
    const ENTRY: u64 = 9;
    let (headers, size) = (number::<8>(file, 0x20), number::<2>(file, 0x36));
    let count = number::<2>(file, 0x38);
    let dynamic = (0..count)
        .map(|index| headers + index * size)
        .find(|at| number::<4>(file, *at) == DYNAMIC)
        .expect("the program uses libraries");
    let (start, length) = (
        number::<8>(file, dynamic + 8),
        number::<8>(file, dynamic + 32),
    );
    let value = |tag: u64| {
        (0..length / 16)
            .map(|index| start + index * 16)
            .find(|at| number::<8>(file, *at) == tag)
            .map_or(0, |at| number::<8>(file, at + 8))
    };
    value(SIZE) / value(ENTRY).max(1)
}

/// The number of page faults of the processes that this one has waited for.
fn faults_of_children() -> u64 {
    let stat = fs::read_to_string("/proc/self/stat").expect("the state of this process");
    let (_, after_name) = stat.rsplit_once(") ").expect("a name in parentheses");
    let field = after_name
        .split(' ')
        .nth(8)
        .expect("the faults of children");
    field.parse().expect("a number")
}

#[test]
fn start_writes_few_addresses_and_touches_few_pages() {
    if option_env!("OMNIREAD_PIE").is_none() {
        let program = fs::read(PROGRAM).expect("the program");
        let found = relocations(&program);
        assert!(found <= RELOCATIONS, "{found} relocations");
    }

    let directory = std::env::temp_dir().join(format!("omniread-start-{}", std::process::id()));
    fs::create_dir_all(&directory).expect("a directory");
    fs::write(directory.join("a.txt"), "a line\n").expect("a file");
    let read = || {
        let before = faults_of_children();
        let status = Command::new(PROGRAM)
            .arg("a.txt")
            .current_dir(&directory)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .status()
            .expect("the program starts");
        assert!(status.success());
        faults_of_children() - before
    };
    // Pages of the program that are not in memory yet are read one by one. The memory of a busy machine may have no
    // large page for a moment.
    let least = (0..8).map(|_| read()).min().unwrap_or(0);
    let _ = fs::remove_dir_all(&directory);
    let setting = fs::read_to_string("/sys/kernel/mm/transparent_hugepage/enabled");
    if setting.is_ok_and(|setting| !setting.contains("[never]")) {
        assert!(least <= FAULTS, "{least} page faults");
    }
}
