//! Memory for decompressed code.

use std::io;

#[cfg(target_os = "linux")]
pub(super) use large::Lasting;
#[cfg(not(target_os = "linux"))]
pub(super) use small::Lasting;

#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "no safe allocation is aligned to large pages")]
mod large {
    use super::io;
    use rustix::mm::{Advice, MapFlags, ProtFlags, madvise, mmap_anonymous, munmap};
    use std::ffi::c_void;
    use std::mem::ManuallyDrop;
    use std::slice;

    /// The size of a large page on x86-64, and on other processors with pages of 4 KiB.
    const LARGE_PAGE: usize = 2 << 20;

    /// Memory that is kept for as long as the process, or released. It is aligned as code is in a binary, and filled with
    /// zeros.
    ///
    /// A page of 4 KiB costs up to a microsecond when it is first used, and an engine has 3,000 of them. Large pages cost
    /// a fifth of that, if the kernel provides them.
    pub struct Lasting {
        mapped: *mut c_void,
        length: usize,
        /// The first large page.
        start: *mut u8,
        size: usize,
    }

    impl Lasting {
        pub fn new(size: usize) -> io::Result<Self> {
            let length = size
                .checked_next_multiple_of(LARGE_PAGE)
                .and_then(|length| length.checked_add(LARGE_PAGE))
                .ok_or(io::ErrorKind::OutOfMemory)?;
            let access = ProtFlags::READ | ProtFlags::WRITE;
            // SAFETY: the kernel chooses addresses that nothing else has.
            let mapped =
                unsafe { mmap_anonymous(std::ptr::null_mut(), length, access, MapFlags::PRIVATE) }?;
            let before = mapped.addr().next_multiple_of(LARGE_PAGE) - mapped.addr();
            // SAFETY: the memory is longer than the bytes before the first large page and `size` bytes.
            let start = unsafe { mapped.cast::<u8>().add(before) };
            // SAFETY: this only advises. The memory is part of what was just mapped. Without large pages it works as well.
            let _ = unsafe { madvise(start.cast(), length - LARGE_PAGE, Advice::LinuxHugepage) };
            Ok(Self {
                mapped,
                length,
                start,
                size,
            })
        }

        pub fn bytes(&mut self) -> &mut [u8] {
            // SAFETY: the memory has initialised bytes, and this value is their only owner.
            unsafe { slice::from_raw_parts_mut(self.start, self.size) }
        }

        /// Keeps the memory for as long as the process.
        pub fn keep(self) -> &'static [u8] {
            let kept = ManuallyDrop::new(self);
            // SAFETY: the memory has initialised bytes, which nothing can change or unmap any more.
            unsafe { slice::from_raw_parts(kept.start, kept.size) }
        }
    }

    impl Drop for Lasting {
        fn drop(&mut self) {
            // SAFETY: this value is the only owner of the memory.
            let _ = unsafe { munmap(self.mapped, self.length) };
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod small {
    use super::io;

    /// Memory that is kept for as long as the process, or released. Code is copied from it.
    pub struct Lasting(Vec<u8>);

    impl Lasting {
        pub fn new(size: usize) -> io::Result<Self> {
            let mut bytes = Vec::new();
            bytes.try_reserve_exact(size)?;
            bytes.resize(size, 0);
            Ok(Self(bytes))
        }

        pub fn bytes(&mut self) -> &mut [u8] {
            &mut self.0
        }

        /// Keeps the memory for as long as the process.
        pub fn keep(self) -> &'static [u8] {
            self.0.leak()
        }
    }
}
