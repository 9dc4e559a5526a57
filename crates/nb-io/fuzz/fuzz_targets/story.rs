//! Random stories of models, as `cargo xtask fuzz` tells them; here the fuzzer chooses what happens.
#![no_main]

#[path = "../../../../xtask/src/fuzz/bytes.rs"]
mod bytes;
#[path = "../../../../xtask/src/fuzz/draw.rs"]
mod draw;
#[path = "../../../../xtask/src/fuzz/story.rs"]
mod story;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let given = bytes::Bytes(bytes.to_vec().into_iter());
    if let Err(problem) = story::tell(draw::Draw(Box::new(given))) {
        panic!("{problem}");
    }
});
