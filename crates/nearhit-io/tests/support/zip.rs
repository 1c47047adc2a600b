//! Archives written by hand: stored, not packed, with right checksums.

/// An archive of these files.
pub(crate) fn stored(files: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut archive, mut directory) = (Vec::new(), Vec::new());
    for (name, contents) in files {
        let offset = archive.len() as u32;
        let common = common(name, contents);
        archive.extend([&b"PK\x03\x04"[..], &common, &[0, 0], name.as_bytes(), contents].concat());
        directory
            .extend([&b"PK\x01\x02\x14\0"[..], &common, &[0; 12], &offset.to_le_bytes(), name.as_bytes()].concat());
    }
    let count = (files.len() as u16).to_le_bytes();
    let (start, length) = ((archive.len() as u32).to_le_bytes(), (directory.len() as u32).to_le_bytes());
    archive.extend(directory);
    archive.extend([&b"PK\x05\x06\0\0\0\0"[..], &count, &count, &length, &start, &[0, 0]].concat());
    archive
}

/// What a file's header and its entry in the directory share: from the version to the length of the
/// name.
fn common(name: &str, contents: &[u8]) -> Vec<u8> {
    let length = (contents.len() as u32).to_le_bytes();
    let name_length = (name.len() as u16).to_le_bytes();
    [&[0x14, 0, 0, 0, 0, 0, 0, 0, 0x21, 0][..], &crc32(contents).to_le_bytes(), &length, &length, &name_length].concat()
}

/// Bit by bit, as the standard defines it.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0_u32, |sum, &byte| {
        (0..8).fold(sum ^ u32::from(byte), |sum, _| (sum >> 1) ^ (0xEDB8_8320 & (sum & 1).wrapping_neg()))
    })
}
