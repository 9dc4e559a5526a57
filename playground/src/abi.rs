//! What the page calls. Text and bytes are written to and read from buffers whose places these functions say.
#![expect(unsafe_code, reason = "an exported name is one that no other part of the program has")]

use std::cell::RefCell;

use crate::{Answer, Playground};

#[derive(Default)]
struct Page {
    playground: Playground,
    request: Vec<u8>,
    bytes: Vec<u8>,
    answer: Answer,
}

thread_local! {
    static PAGE: RefCell<Page> = RefCell::default();
}

/// Makes room for a request of this length, and says where.
#[unsafe(no_mangle)]
extern "C" fn request(length: usize) -> *mut u8 {
    PAGE.with_borrow_mut(|page| room(&mut page.request, length))
}

/// Makes room for the bytes beside a request, and says where.
#[unsafe(no_mangle)]
extern "C" fn bytes(length: usize) -> *mut u8 {
    PAGE.with_borrow_mut(|page| room(&mut page.bytes, length))
}

/// Answers the request.
#[unsafe(no_mangle)]
extern "C" fn answer() {
    PAGE.with_borrow_mut(|page| {
        let request = String::from_utf8_lossy(&page.request);
        page.answer = page.playground.answer(&request, &page.bytes);
        (page.request, page.bytes) = (Vec::new(), Vec::new());
    });
}

/// Where the text of the answer is.
#[unsafe(no_mangle)]
extern "C" fn text() -> *const u8 {
    PAGE.with_borrow(|page| page.answer.text.as_ptr())
}

/// The length of the text.
#[unsafe(no_mangle)]
extern "C" fn text_length() -> usize {
    PAGE.with_borrow(|page| page.answer.text.len())
}

/// Where the numbers of the answer are.
#[unsafe(no_mangle)]
extern "C" fn numbers() -> *const u8 {
    PAGE.with_borrow(|page| page.answer.bytes.as_ptr())
}

/// The number of their bytes.
#[unsafe(no_mangle)]
extern "C" fn numbers_length() -> usize {
    PAGE.with_borrow(|page| page.answer.bytes.len())
}

fn room(buffer: &mut Vec<u8>, length: usize) -> *mut u8 {
    buffer.clear();
    buffer.resize(length, 0);
    buffer.as_mut_ptr()
}
