//! What the page calls.
#![expect(unsafe_code, reason = "an exported name is one that no other part of the program has")]

use std::cell::RefCell;

#[derive(Default)]
struct Page {
    packed: Vec<u8>,
    unpacked: Vec<u8>,
}

thread_local! {
    static PAGE: RefCell<Page> = RefCell::default();
}

/// Makes room for this number of packed bytes, and says where.
#[unsafe(no_mangle)]
extern "C" fn packed(length: usize) -> *mut u8 {
    PAGE.with_borrow_mut(|page| {
        page.packed.resize(length, 0);
        page.packed.as_mut_ptr()
    })
}

/// Unpacks them, and says how many bytes they are.
#[unsafe(no_mangle)]
extern "C" fn unpack() -> usize {
    PAGE.with_borrow_mut(|page| {
        page.unpacked = crate::unpacked(&page.packed);
        page.unpacked.len()
    })
}

/// Where these are.
#[unsafe(no_mangle)]
extern "C" fn unpacked() -> *const u8 {
    PAGE.with_borrow(|page| page.unpacked.as_ptr())
}
