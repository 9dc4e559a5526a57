//! Bytes as text that means nothing in HTML: four bytes are five letters, where base 64 takes five and a
//! third.

/// Without quotes, `&`, `<`, `>` and backslashes.
const LETTERS: &[u8; 85] =
    b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%()*+,-./:;=?@[]^_`~";

/// The letters of bytes; the last group is filled with zeros.
pub(super) fn encoded(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(4) * 5);
    for group in bytes.chunks(4) {
        let byte = |place: usize| u32::from(group.get(place).copied().unwrap_or(0));
        let number = byte(0) << 24 | byte(1) << 16 | byte(2) << 8 | byte(3);
        for power in [85_u32.pow(4), 85_u32.pow(3), 85_u32.pow(2), 85, 1] {
            text.push(char::from(LETTERS[(number / power % 85) as usize]));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_bytes_are_five_letters() {
        assert_eq!(encoded(&[]), "");
        assert_eq!(encoded(&[0, 0, 0, 84, 0, 0, 0, 85]), "0000~00010");
        // import base64; base64.b85encode(bytes([255] * 4)) is |NsC0, whose alphabet has | where this one has
        // _.
        assert_eq!(encoded(&[255; 4]), "_NsC0");
        assert_eq!(encoded(&[1]).len(), 5);
        let safe = |letter: &u8| letter.is_ascii_graphic() && !b"\"'&<>\\{}".contains(letter);
        assert!(LETTERS.iter().all(safe));
    }
}
