//! The archive: which file in it is the model, and how much it may unpack to.

use crate::error::ParseError;
use crate::text::excerpt;
use crate::xml;
use std::borrow::Cow;
use std::io::{Cursor, Read};
use zip::ZipArchive;

/// Bytes that any archive may unpack to, and how many more for each of its bytes. Meshes as XML are
/// 5 to 20 times as long as packed; archives made to fill a memory reach 1000.
const FREE_BYTES: u64 = 1 << 20;
const BYTES_PER_BYTE: u64 = 128;

/// Where the model is if nothing says otherwise.
const USUAL: &str = "3D/3dmodel.model";
/// What names it.
const RELATIONSHIPS: &str = "_rels/.rels";
const MODEL_TYPE: &str = "http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel";

pub(super) struct Archive<'a> {
    zip: ZipArchive<Cursor<&'a [u8]>>,
    /// Bytes that may still be unpacked.
    left: u64,
    limit: u64,
}

impl<'a> Archive<'a> {
    pub(super) fn open(bytes: &'a [u8]) -> Result<Self, ParseError> {
        let wrong = |error| ParseError::Archive { message: format!("not a 3MF archive: {error}") };
        let zip = ZipArchive::new(Cursor::new(bytes)).map_err(wrong)?;
        let limit = FREE_BYTES.saturating_add((bytes.len() as u64).saturating_mul(BYTES_PER_BYTE));
        Ok(Self { zip, left: limit, limit })
    }

    /// The name of the model that is the root of all.
    pub(super) fn start(&mut self) -> Result<String, ParseError> {
        let Some(relationships) = self.find(RELATIONSHIPS) else { return Ok(USUAL.to_owned()) };
        let bytes = self.unpack(&relationships)?;
        let named = || {
            let document = xml::parse(xml::text(&bytes)?)?;
            let targets = xml::named(document.root_element(), "Relationship");
            let target =
                targets.filter(|one| one.attribute("Type") == Some(MODEL_TYPE)).find_map(|one| one.attribute("Target"));
            Ok(target.unwrap_or(USUAL).to_owned())
        };
        named().map_err(|error| within(&relationships, error))
    }

    /// Unpacks a file that is named as in the model, with a slash before it or not.
    pub(super) fn read(&mut self, name: &str) -> Result<(String, Vec<u8>), ParseError> {
        let missing = || ParseError::Archive {
            message: format!("there is no file {:?} in the archive", excerpt(name.as_bytes())),
        };
        let entry = self.find(name).ok_or_else(missing)?;
        let bytes = self.unpack(&entry)?;
        Ok((entry, bytes))
    }

    /// Names in an archive of this kind are the same in either case.
    fn find(&self, name: &str) -> Option<String> {
        let name = name.trim_start_matches('/');
        if self.zip.index_for_name(name).is_some() {
            return Some(name.to_owned());
        }
        let mut names = self.zip.file_names().filter_map(Result::ok);
        names.find(|known| known.eq_ignore_ascii_case(name)).map(Cow::into_owned)
    }

    fn unpack(&mut self, entry: &str) -> Result<Vec<u8>, ParseError> {
        let wrong = |message| within(entry, ParseError::Archive { message });
        let file = self.zip.by_name(entry).map_err(|error| wrong(format!("cannot be unpacked: {error}")))?;
        let mut bytes = Vec::new();
        // One byte more than may come tells whether there is more. The size in the header is not
        // believed.
        let read = file.take(self.left.saturating_add(1)).read_to_end(&mut bytes);
        read.map_err(|error| wrong(format!("cannot be unpacked: {error}")))?;
        let limit = self.limit;
        self.left = self
            .left
            .checked_sub(bytes.len() as u64)
            .ok_or_else(|| wrong(format!("the archive unpacks to more than {limit} bytes, too many for its length")))?;
        Ok(bytes)
    }
}

/// The same error with the file of the archive before it.
pub(super) fn within(entry: &str, error: ParseError) -> ParseError {
    match error {
        ParseError::Entry { .. } => error,
        error => ParseError::Entry { entry: entry.to_owned(), error: Box::new(error) },
    }
}
