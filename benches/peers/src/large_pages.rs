//! Large arrays on pages of 2 MB where the system offers them, by NumPy's own rule, so that neither side has
//! an advantage.
//!
//! The rule is that of `indicate_hugepages` in NumPy's `alloc.c`. The C library has a setting for the same
//! (`GLIBC_TUNABLES=glibc.malloc.hugetlb=1`), but version 2.36 compares the words of
//! `/sys/kernel/mm/transparent_hugepage/enabled` without having ended the string: whether it asks changes
//! from one start of a program to the next.

use std::alloc::{GlobalAlloc, Layout, System};

/// From this many bytes on NumPy asks for large pages.
const LARGE: usize = 1 << 22;

/// The system's allocator, with that question.
#[derive(Debug)]
pub(crate) struct LargePages;

// SAFETY: all memory is the system allocator's; the question changes none of it.
#[expect(unsafe_code, reason = "an allocator cannot be written without")]
unsafe impl GlobalAlloc for LargePages {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are passed on.
        ask_for_large_pages(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        ask_for_large_pages(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, start: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        ask_for_large_pages(unsafe { System.realloc(start, layout, size) }, size)
    }

    unsafe fn dealloc(&self, start: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(start, layout) }
    }
}

/// Says of the whole pages in an allocation that they may be large. The system need not listen.
fn ask_for_large_pages(start: *mut u8, size: usize) -> *mut u8 {
    #[cfg(target_os = "linux")]
    if size >= LARGE
        && let Some(start) = std::ptr::NonNull::new(start)
    {
        use nix::sys::mman::{MmapAdvise, madvise};
        const PAGE: usize = 1 << 12;
        let skipped = start.as_ptr().align_offset(PAGE);
        // SAFETY: the pages lie in an allocation, and are only spoken of.
        #[expect(unsafe_code, reason = "the question takes an address")]
        let _ = unsafe { madvise(start.add(skipped).cast(), size - skipped, MmapAdvise::MADV_HUGEPAGE) };
    }
    start
}
