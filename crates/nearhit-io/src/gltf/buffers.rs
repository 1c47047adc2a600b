//! Loads the buffers: from the chunk, from addresses that hold data, from files beside the
//! document.

use super::document::Buffer;
use super::{error, uri};
use crate::error::{GltfPlace, GltfProblem, ParseError};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// The bytes of every buffer.
#[derive(Debug)]
pub(super) struct Buffers<'a> {
    buffers: Vec<Bytes<'a>>,
    loaded_bytes: u64,
}

#[derive(Debug, Clone)]
enum Bytes<'a> {
    Chunk(&'a [u8]),
    Loaded(Rc<[u8]>),
}

impl<'a> Buffers<'a> {
    pub(super) fn load(
        declared: &[Buffer],
        chunk: Option<&'a [u8]>,
        folder: Option<&Path>,
    ) -> Result<Self, ParseError> {
        let mut loader = Loader { folder, files: HashMap::new(), loaded_bytes: 0 };
        let mut buffers = Vec::with_capacity(declared.len());
        for (index, buffer) in declared.iter().enumerate() {
            let bytes = match (&buffer.uri, chunk) {
                (Some(uri), _) => loader.load(uri).map(Bytes::Loaded),
                (None, Some(chunk)) if index == 0 => Ok(Bytes::Chunk(chunk)),
                (None, _) => Err("it has neither an address nor a chunk of a GLB file".into()),
            };
            let bytes = bytes.and_then(|bytes| check_length(bytes, buffer.byte_length));
            let failed = |message| error(GltfPlace::Buffer(index), GltfProblem::Data { message });
            buffers.push(bytes.map_err(failed)?);
        }
        Ok(Self { buffers, loaded_bytes: loader.loaded_bytes })
    }

    pub(super) fn get(&self, index: usize) -> Option<&[u8]> {
        self.buffers.get(index).map(Bytes::as_slice)
    }

    /// Of all files together, each counted once.
    pub(super) fn loaded_bytes(&self) -> u64 {
        self.loaded_bytes
    }
}

impl Bytes<'_> {
    fn as_slice(&self) -> &[u8] {
        match self {
            Self::Chunk(bytes) => bytes,
            Self::Loaded(bytes) => bytes,
        }
    }
}

/// More bytes than declared are left alone: chunks are filled up, and files may be shared.
fn check_length(bytes: Bytes<'_>, declared: u64) -> Result<Bytes<'_>, String> {
    let present = bytes.as_slice().len();
    if (present as u64) < declared {
        return Err(format!("it declares {declared} bytes, but has {present}"));
    }
    Ok(bytes)
}

struct Loader<'a> {
    folder: Option<&'a Path>,
    /// By their true paths: a hundred buffers that name the same file must not need its memory a
    /// hundred times.
    files: HashMap<PathBuf, Rc<[u8]>>,
    loaded_bytes: u64,
}

impl Loader<'_> {
    fn load(&mut self, uri: &str) -> Result<Rc<[u8]>, String> {
        match uri::resolve(uri)? {
            uri::Target::Data(bytes) => Ok(bytes.into()),
            uri::Target::File(relative) => match self.folder {
                Some(folder) => self.file(folder, &relative),
                None => Err(format!("it is in the file {relative:?}, which cannot be read without a folder")),
            },
        }
    }

    fn file(&mut self, folder: &Path, relative: &Path) -> Result<Rc<[u8]>, String> {
        let path = uri::locate(folder, relative)?;
        if let Some(known) = self.files.get(&path) {
            return Ok(Rc::clone(known));
        }
        crate::check_regular(&path).map_err(|_| format!("{relative:?} is not a regular file"))?;
        let bytes = std::fs::read(&path);
        let bytes = bytes.map_err(|error| format!("the file {relative:?} cannot be read: {error}"))?;
        self.loaded_bytes += bytes.len() as u64;
        let bytes: Rc<[u8]> = bytes.into();
        self.files.insert(path, Rc::clone(&bytes));
        Ok(bytes)
    }
}
