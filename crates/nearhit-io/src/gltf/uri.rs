//! Where the bytes of a buffer are: in the address itself, or in a file beside the document.

use crate::text::excerpt;
use std::path::{Component, Path, PathBuf};

/// What an address means.
#[derive(Debug, PartialEq)]
pub(super) enum Target {
    /// The bytes themselves.
    Data(Vec<u8>),
    /// A file, relative to the document's folder and not leading out of it.
    File(PathBuf),
}

/// Nothing but files below the document's folder: a mesh from a stranger must not read other files,
/// nor the network.
pub(super) fn resolve(uri: &str) -> Result<Target, String> {
    if let Some(data) = strip_scheme(uri, "data") {
        return decode_data(data).map(Target::Data);
    }
    let refused = |why: &str| Err(format!("the address {:?} {why}", excerpt(uri.as_bytes())));
    let Some(path) = percent_decoded(uri) else {
        return refused("is not UTF-8 text in percent encoding");
    };
    // A colon before the first slash is a scheme or a drive, and a backslash is a slash on some
    // systems.
    let first = path.split('/').next().unwrap_or_default();
    if first.contains(':') || path.contains('\\') {
        return refused("is not a path below the file's folder: only those and data: addresses are read");
    }
    let path = PathBuf::from(path);
    let inside = |component| matches!(component, Component::Normal(_) | Component::CurDir);
    if path.as_os_str().is_empty() || !path.components().all(inside) {
        return refused("leads out of the file's folder");
    }
    Ok(Target::File(path))
}

fn strip_scheme<'a>(uri: &'a str, scheme: &str) -> Option<&'a str> {
    let (found, rest) = uri.split_once(':')?;
    found.eq_ignore_ascii_case(scheme).then_some(rest)
}

fn percent_decoded(uri: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let (digits, after) = rest.split_first_chunk::<2>()?;
        let [high, low] = digits.map(|digit| char::from(digit).to_digit(16));
        bytes.push((high? * 16 + low?) as u8);
        rest = after;
    }
    String::from_utf8(bytes).ok().filter(|path| !path.contains('\0'))
}

/// What follows `data:`.
fn decode_data(data: &str) -> Result<Vec<u8>, String> {
    let (kind, contents) = data.split_once(',').ok_or("the data: address has no comma")?;
    if !kind.to_ascii_lowercase().ends_with(";base64") {
        return Err("the data: address is not in base64".into());
    }
    decode_base64(contents.as_bytes())
}

/// The standard alphabet, with or without the padding.
fn decode_base64(text: &[u8]) -> Result<Vec<u8>, String> {
    let padding = text.iter().rev().take(2).take_while(|&&byte| byte == b'=').count();
    let digits = &text[..text.len() - padding];
    let mut bytes = Vec::with_capacity(digits.len() / 4 * 3 + 3);
    for (group, four) in digits.chunks(4).enumerate() {
        let mut bits = 0_u32;
        for (place, &digit) in four.iter().enumerate() {
            let value = sextet(digit).ok_or_else(|| {
                format!("character {} of the base64 data is {:?}", 4 * group + place, excerpt(&[digit]))
            })?;
            bits |= value << (18 - 6 * place);
        }
        let [_, first, second, third] = bits.to_be_bytes();
        match four.len() {
            4 => bytes.extend([first, second, third]),
            3 => bytes.extend([first, second]),
            2 => bytes.push(first),
            _ => return Err("the base64 data is cut: its last byte is not whole".into()),
        }
    }
    Ok(bytes)
}

fn sextet(digit: u8) -> Option<u32> {
    let value = match digit {
        b'A'..=b'Z' => digit - b'A',
        b'a'..=b'z' => digit - b'a' + 26,
        b'0'..=b'9' => digit - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    };
    Some(u32::from(value))
}

/// The true path of a file that an address means, by which it is known again. No link leads out of
/// the folder.
pub(super) fn locate(folder: &Path, relative: &Path) -> Result<PathBuf, String> {
    let name = excerpt(relative.to_string_lossy().as_bytes());
    let failed = |error: std::io::Error| format!("the file {name:?} cannot be read: {error}");
    // A document named without a folder is in the current one.
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let folder = folder.canonicalize().map_err(failed)?;
    let path = folder.join(relative).canonicalize().map_err(failed)?;
    if !path.starts_with(&folder) {
        return Err(format!("the file {name:?} is a link that leads out of the file's folder"));
    }
    if !path.is_file() {
        return Err(format!("{name:?} is not a file"));
    }
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_decoded_to_the_byte() {
        let cases: [(&str, &[u8]); 8] = [
            ("", b""),
            ("Zg==", b"f"),
            ("Zg", b"f"),
            ("Zm8=", b"fo"),
            ("Zm9v", b"foo"),
            ("Zm9vYg==", b"foob"),
            ("+/+/", b"\xfb\xff\xbf"),
            ("AAAA", b"\0\0\0"),
        ];
        for (text, bytes) in cases {
            assert_eq!(decode_base64(text.as_bytes()).as_deref(), Ok(bytes), "{text}");
        }
        assert_eq!(decode_base64(b"Zm9-"), Err("character 3 of the base64 data is \"-\"".into()));
        assert_eq!(decode_base64(b"Zm9vZ"), Err("the base64 data is cut: its last byte is not whole".into()));
        assert_eq!(decode_base64(b"===="), Err("character 0 of the base64 data is \"=\"".into()));
    }

    #[test]
    fn only_paths_below_the_folder_are_followed() {
        let file = |path: &str| Ok(Target::File(path.into()));
        assert_eq!(resolve("a%20b/c.bin"), file("a b/c.bin"));
        assert_eq!(resolve("./a.bin"), file("./a.bin"));
        for outside in ["/etc/hosts", "../a.bin", "a/../../b", "%2e%2e/a.bin", "%2Fetc", "", "a/.."] {
            let message = format!("the address {outside:?} leads out of the file's folder");
            assert_eq!(resolve(outside), Err(message));
        }
        for foreign in ["http://a/b.bin", "file:///a", "C:/a.bin", "C:a", "a\\..\\b", "%5c%5chost"] {
            let why = "is not a path below the file's folder: only those and data: addresses are read";
            assert_eq!(resolve(foreign), Err(format!("the address {foreign:?} {why}")));
        }
        for garbled in ["%", "%f", "%zz", "%ff", "a%00b"] {
            let message = format!("the address {garbled:?} is not UTF-8 text in percent encoding");
            assert_eq!(resolve(garbled), Err(message));
        }
    }

    #[test]
    fn data_addresses_are_in_base64() {
        assert_eq!(resolve("data:application/octet-stream;base64,AQI="), Ok(Target::Data(vec![1, 2])));
        assert_eq!(resolve("DATA:;BASE64,AQ"), Ok(Target::Data(vec![1])));
        assert_eq!(resolve("data:text/plain,AQI="), Err("the data: address is not in base64".into()));
        assert_eq!(resolve("data:;base64"), Err("the data: address has no comma".into()));
    }
}
