//! Memory for decompressed code.

use std::io;

/// Memory that stays for as long as the process, aligned as code is in a binary. It is filled with zeros.
///
/// A page of 4 KiB costs up to a microsecond when it is first used, and an engine has 3,000 of them. Large pages cost a
/// fifth of that, if the kernel provides them.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "no safe allocation is aligned to large pages")]
pub(super) fn lasting(size: usize) -> io::Result<&'static mut [u8]> {
    use rustix::mm::{Advice, MapFlags, ProtFlags, madvise, mmap_anonymous};

    /// The size of a large page on x86-64, and on other processors with pages of 4 KiB.
    const LARGE_PAGE: usize = 2 << 20;

    let length = size
        .checked_next_multiple_of(LARGE_PAGE)
        .and_then(|length| length.checked_add(LARGE_PAGE))
        .ok_or(io::ErrorKind::OutOfMemory)?;
    let access = ProtFlags::READ | ProtFlags::WRITE;
    // SAFETY: the kernel chooses addresses that nothing else has.
    let start = unsafe { mmap_anonymous(std::ptr::null_mut(), length, access, MapFlags::PRIVATE) }?;
    let before = start.addr().next_multiple_of(LARGE_PAGE) - start.addr();
    // SAFETY: the memory is longer than the bytes before the first large page and `size` bytes.
    let start = unsafe { start.cast::<u8>().add(before) };
    // SAFETY: this only advises. The memory is part of what was just mapped. Without large pages it works as well.
    let _ = unsafe { madvise(start.cast(), length - LARGE_PAGE, Advice::LinuxHugepage) };
    // SAFETY: the memory has zeros, nothing else refers to it, and it is never unmapped.
    Ok(unsafe { std::slice::from_raw_parts_mut(start, size) })
}

/// Memory that stays for as long as the process. Code is copied from it.
#[cfg(not(target_os = "linux"))]
pub(super) fn lasting(size: usize) -> io::Result<&'static mut [u8]> {
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(size)?;
    bytes.resize(size, 0);
    Ok(bytes.leak())
}
