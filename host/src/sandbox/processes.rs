//! Files in which Linux shows what processes have in memory: environment variables and arguments, which
//! often have passwords and tokens, and the memory itself. They are denied in every reader, wherever the
//! file system of processes is mounted (`proc(5)`).

use super::Refusal;
use std::fs::File;

/// The rule that denies these files, for messages.
#[cfg(target_os = "linux")]
const RULE: &str = "secrets of processes";

/// The names of these files in the directory of a process or thread. Others, such as `status`, have no
/// content of its memory.
#[cfg(target_os = "linux")]
const SECRETS: [&str; 11] = [
    "auxv",
    "cmdline",
    "environ",
    "maps",
    "mem",
    "numa_maps",
    "pagemap",
    "smaps",
    "smaps_rollup",
    "stack",
    "syscall",
];

/// The refusal of an opened file of `size` bytes, if it shows secrets of a process. These files have a size
/// of 0, so that no other file is examined.
#[cfg(target_os = "linux")]
pub fn refusal(file: &File, size: u64) -> Option<Refusal> {
    if size > 0 {
        return None;
    }
    let of_processes = match rustix::fs::fstatfs(file) {
        Ok(found) => found.f_type == rustix::fs::PROC_SUPER_MAGIC,
        Err(_) => false,
    };
    if !of_processes {
        return None;
    }
    let denied = || Refusal::Denied(RULE.to_owned());
    let Ok(Some(path)) = super::platform::real_path(file) else {
        return Some(denied());
    };
    let name = |path: &std::path::Path| path.file_name()?.to_str().map(str::to_owned);
    let is_secret = name(&path).is_some_and(|name| SECRETS.contains(&name.as_str()));
    let of_one = path.parent().and_then(name);
    let of_one = of_one.is_some_and(|name| name.bytes().all(|byte| byte.is_ascii_digit()));
    (is_secret && of_one).then(denied)
}

#[cfg(not(target_os = "linux"))]
pub fn refusal(_: &File, _: u64) -> Option<Refusal> {
    None
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn files_with_secrets_of_a_process_are_refused() {
        let refused = |path: &str| {
            let file = File::open(path).unwrap();
            let size = file.metadata().unwrap().len();
            refusal(&file, size).is_some()
        };
        let own = std::process::id();
        for path in [
            "/proc/self/environ".to_owned(),
            "/proc/thread-self/environ".to_owned(),
            format!("/proc/{own}/cmdline"),
            format!("/proc/{own}/task/{own}/maps"),
            format!("/proc/self/root/proc/{own}/auxv"),
        ] {
            assert!(refused(&path), "{path}");
        }
        for path in [
            "/proc/self/status",
            "/proc/cmdline",
            "/proc/meminfo",
            "/dev/null",
        ] {
            assert!(!refused(path), "{path}");
        }
        let directory = std::env::temp_dir().join(format!("omniread-secret-{own}"));
        std::fs::create_dir_all(&directory).unwrap();
        // A file that only has such a name.
        let file = directory.join("environ");
        std::fs::write(&file, "").unwrap();
        assert!(!refused(file.to_str().unwrap()));
        std::fs::remove_dir_all(&directory).unwrap();
    }
}
