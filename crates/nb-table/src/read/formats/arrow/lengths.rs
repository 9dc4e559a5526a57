//! Lengths in Arrow IPC files, checked before memory is allocated for what they announce: the decoder
//! believes them.

use std::io::{self, Read, Seek, SeekFrom};

use arrow_ipc::{Block, Message, root_as_footer, root_as_message};

/// The most bytes that a compressed buffer may say that it holds.
const LONGEST_BUFFER: i64 = 1 << 31;
/// The most bytes of a message without its body, or of a footer.
const LONGEST_METADATA: u64 = 1 << 28;

/// Checks the messages that the footer of a file names; why they cannot be right.
pub(super) fn check_file(input: &mut (impl Read + Seek)) -> io::Result<Result<(), &'static str>> {
    let end = input.seek(SeekFrom::End(0))?;
    // The footer is followed by its length and the magic bytes.
    let Some(tail) = end.checked_sub(10) else { return Ok(Err("it is too short")) };
    let length = u64::from(u32::from_le_bytes(read(input, tail)?));
    let Some(start) = tail.checked_sub(length).filter(|_| length <= LONGEST_METADATA) else {
        return Ok(Err("its footer is longer than the file"));
    };
    let bytes = read_vec(input, start, length)?;
    let Ok(footer) = root_as_footer(&bytes) else { return Ok(Err("its footer is damaged")) };
    let blocks: Vec<Block> = footer
        .dictionaries()
        .into_iter()
        .flatten()
        .chain(footer.recordBatches().into_iter().flatten())
        .copied()
        .collect();
    for block in blocks {
        let lengths = [block.offset(), i64::from(block.metaDataLength()), block.bodyLength()];
        let [Ok(offset), Ok(metadata), Ok(body)] = lengths.map(u64::try_from) else {
            return Ok(Err("a length is negative"));
        };
        let body_start = offset.checked_add(metadata);
        let Some(body_start) =
            body_start.filter(|start| start.checked_add(body).is_some_and(|next| next <= end))
        else {
            return Ok(Err("a message is longer than the file"));
        };
        // The decoder takes the lengths of the footer, not those of the message.
        let (start, _) = message_start(input, offset)?;
        if metadata > LONGEST_METADATA || start > body_start {
            return Ok(Err("a message has a wrong length"));
        }
        let bytes = read_vec(input, start, body_start - start)?;
        let Ok(message) = root_as_message(&bytes) else { return Ok(Err("a message is damaged")) };
        if let Err(reason) = check_buffers(input, &message, body_start)? {
            return Ok(Err(reason));
        }
    }
    Ok(Ok(()))
}

/// Checks the messages of a stream, one after the other.
pub(super) fn check_stream(input: &mut (impl Read + Seek)) -> io::Result<Result<(), &'static str>> {
    let end = input.seek(SeekFrom::End(0))?;
    let mut offset = 0;
    while offset + 4 <= end {
        let (start, length) = message_start(input, offset)?;
        if length == 0 {
            break;
        }
        if length > LONGEST_METADATA || length > end.saturating_sub(start) {
            return Ok(Err("a message is longer than the file"));
        }
        let bytes = read_vec(input, start, length)?;
        let Ok(message) = root_as_message(&bytes) else { return Ok(Err("a message is damaged")) };
        let body = start + length;
        let next = u64::try_from(message.bodyLength()).ok().and_then(|length| body.checked_add(length));
        let Some(next) = next.filter(|&next| next <= end) else {
            return Ok(Err("a message is longer than the file"));
        };
        if let Err(reason) = check_buffers(input, &message, body)? {
            return Ok(Err(reason));
        }
        offset = next;
    }
    Ok(Ok(()))
}

/// Where a message begins, behind its mark and its length, and this length.
fn message_start(input: &mut (impl Read + Seek), offset: u64) -> io::Result<(u64, u64)> {
    let mut start = offset.saturating_add(4);
    let mut length: [u8; 4] = read(input, offset)?;
    // Older files have no such mark.
    if length == [0xFF; 4] {
        length = read(input, start)?;
        start += 4;
    }
    Ok((start, u64::from(u32::from_le_bytes(length))))
}

/// Checks what the compressed buffers of a message say of themselves.
fn check_buffers(
    input: &mut (impl Read + Seek),
    message: &Message<'_>,
    body: u64,
) -> io::Result<Result<(), &'static str>> {
    let of_dictionary = || message.header_as_dictionary_batch().and_then(|batch| batch.data());
    let Some(batch) = message.header_as_record_batch().or_else(of_dictionary) else { return Ok(Ok(())) };
    if batch.compression().is_none() {
        return Ok(Ok(()));
    }
    for buffer in batch.buffers().into_iter().flatten() {
        let place = u64::try_from(buffer.offset()).ok().and_then(|offset| body.checked_add(offset));
        let Some(place) = place.filter(|_| buffer.length() >= 8) else { continue };
        if i64::from_le_bytes(read(input, place)?) > LONGEST_BUFFER {
            return Ok(Err("a buffer is larger than two gibibytes"));
        }
    }
    Ok(Ok(()))
}

fn read<const N: usize>(input: &mut (impl Read + Seek), offset: u64) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    input.seek(SeekFrom::Start(offset))?;
    input.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn read_vec(input: &mut (impl Read + Seek), offset: u64, length: u64) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; length as usize];
    input.seek(SeekFrom::Start(offset))?;
    input.read_exact(&mut bytes)?;
    Ok(bytes)
}
