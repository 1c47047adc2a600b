//! Models as files: a mesh and its tree, so that a tree is built once.
//!
//! ```
//! use nearhit::{Mesh, Model};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
//! let model = Model::new(Mesh::new(&corners, &[[0, 1, 2]])?);
//! let mut file = Vec::new();
//! model.save(&mut file)?;
//! assert_eq!(Model::load(file.as_slice())?.mesh(), model.mesh());
//!
//! file[100] ^= 1;
//! let error = Model::load(file.as_slice()).unwrap_err();
//! assert!(error.to_string().contains("is damaged"));
//! # Ok(())
//! # }
//! ```
//!
//! # The format
//!
//! All numbers are little-endian. The header: the eight bytes `nearhit\n`, the version (`u32`), the
//! name of the volume in 16 bytes filled up with zeros (`auto` for the default engine), the CRC-32
//! of all that. Then three parts, mesh, tree and flying data, each with its length (`u64`), its
//! bytes and their CRC-32. The tree begins with the checksum of the mesh it belongs to. A part's
//! own layout is beside the code that reads it.
//!
//! # What is believed
//!
//! Nothing. Checksums find damage; they do not make a file true. A file that loads has the same
//! answers as one that was just built, whoever wrote it: counts are checked against the bytes that
//! are there before memory is taken, the tree's shape and completeness are checked, every number of
//! a volume must be one that fitting could have made, and every volume must enclose what is below
//! it. ADR 9 says how that is cheap enough.

mod mesh;
#[cfg(test)]
mod tests;

pub use crate::bytes::FileError;

use crate::bytes::Source;
use crate::hierarchy::VolumeKind;
use crate::model::{Model, Tree};
use crate::packed::{Packed, Preset};
use std::io::{Read, Write};

const MAGIC: [u8; 8] = *b"nearhit\n";
const VERSION: u32 = 1;
const NAME_BYTES: usize = 16;
const HEADER_BYTES: usize = MAGIC.len() + 4 + NAME_BYTES + 4;
const PARTS: [&str; 3] = ["mesh", "tree", "flying data"];

impl Model {
    /// Writes the model, mesh included, as a file that [`Model::load`] reads: the same bytes for
    /// the same model, on every machine.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::Model;
    ///
    /// let (model, mut file) = (cube(1.0), Vec::new()); // or a std::fs::File
    /// model.save(&mut file)?;
    /// assert_eq!(Model::load(file.as_slice())?.mesh(), model.mesh());
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "serialize")]
    pub fn save(&self, mut file: impl Write) -> std::io::Result<()> {
        let mut mesh = Vec::new();
        mesh::write(self.mesh(), &mut mesh);
        let mut tree = crc32fast::hash(&mesh).to_le_bytes().to_vec();
        let mut flying = Vec::new();
        match self.tree() {
            Tree::Auto { packed, .. } => {
                if let Some(packed) = packed {
                    packed.write(&mut tree);
                }
            }
            Tree::Classic(classic) => {
                classic.write(&mut tree);
                classic.write_outlines(self.mesh(), &mut flying);
            }
        }
        file.write_all(&header(self.volume_name()))?;
        for part in [mesh, tree, flying] {
            file.write_all(&(part.len() as u64).to_le_bytes())?;
            file.write_all(&part)?;
            file.write_all(&crc32fast::hash(&part).to_le_bytes())?;
        }
        Ok(())
    }

    /// Reads a file that [`Model::save`] wrote. Whatever the bytes are: an error, or a model whose
    /// answers are right.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::Model;
    ///
    /// let mut file = Vec::new();
    /// cube(1.0).save(&mut file)?;
    /// assert_eq!(Model::load(file.as_slice())?.mesh().triangles().len(), 12);
    /// assert!(Model::load(&file[..100]).is_err());
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "deserialize")]
    pub fn load(mut file: impl Read) -> Result<Self, FileError> {
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Self::from_bytes(&bytes)
    }

    /// The same from memory.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::Model;
    ///
    /// let mut bytes = Vec::new();
    /// cube(1.0).save(&mut bytes)?;
    /// assert_eq!(Model::from_bytes(&bytes)?.mesh().triangles().len(), 12);
    /// # Ok(())
    /// # }
    /// ```
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FileError> {
        let mut file = Source::new(bytes, 0, "file");
        let name = read_header(&mut file)?;
        let [(mesh, mesh_checksum), (mut tree, _), (flying, _)] = parts(&mut file)?;
        file.end()?;
        let mesh = mesh::read(mesh)?;
        let offset = tree.offset();
        let bound_to = tree.u32("the checksum of the tree's mesh")?;
        if bound_to != mesh_checksum {
            let bound_to = format!("{bound_to:08x}");
            return Source::refuse(offset, "the checksum of the tree's mesh", bound_to, "not the mesh in this file");
        }
        if let Some(Ok(preset)) = Preset::of_volume(name) {
            flying.end()?;
            let compact = preset == Preset::Compact;
            let packed = Packed::read(tree, &mesh, compact)?;
            return Ok(Self::from_tree(mesh, Tree::Auto { packed, classic: crate::lazy::Lazy::new(), compact }));
        }
        let Ok(kind) = name.parse::<VolumeKind>() else {
            return Source::refuse(MAGIC.len() + 4, "the volume", format!("{name:?}"), "which is not known here");
        };
        let classic = kind.read(tree, flying, &mesh)?;
        Ok(Self::from_tree(mesh, Tree::Classic(classic)))
    }
}

fn header(volume: &str) -> Vec<u8> {
    let mut header = MAGIC.to_vec();
    header.extend(VERSION.to_le_bytes());
    header.extend(volume.bytes());
    header.resize(HEADER_BYTES - 4, 0);
    header.extend(crc32fast::hash(&header).to_le_bytes());
    header
}

/// Returns the name of the volume.
fn read_header<'b>(file: &mut Source<'b>) -> Result<&'b str, FileError> {
    let whole = *file;
    let magic = file.take(MAGIC.len(), "the header")?;
    if magic != MAGIC {
        return Err(FileError::NotAModel { found: magic.escape_ascii().to_string() });
    }
    // Before the checksum: another version may have another header.
    let version = file.u32("the version")?;
    if version != VERSION {
        return Err(FileError::Version { found: version, known: VERSION });
    }
    let offset = file.offset();
    let name = file.take(NAME_BYTES, "the volume")?;
    let stored = file.u32("the header's checksum")?;
    check_sum("header", 0, whole.clone().take(HEADER_BYTES - 4, "the header")?, stored)?;
    let length = name.iter().position(|&byte| byte == 0).unwrap_or(NAME_BYTES);
    match std::str::from_utf8(&name[..length]) {
        Ok(text) if name[length..].iter().all(|&byte| byte == 0) => Ok(text),
        _ => Source::refuse(offset, "the volume", name.escape_ascii(), "which is not a name"),
    }
}

/// The contents of the parts and their checksums.
fn parts<'b>(file: &mut Source<'b>) -> Result<[(Source<'b>, u32); 3], FileError> {
    let mut part = |what| -> Result<_, FileError> {
        let length = file.u64(what)?;
        let offset = file.offset();
        let bytes = file.records(length, 1, what)?;
        let stored = file.u32(what)?;
        check_sum(what, offset, bytes, stored)?;
        Ok((Source::new(bytes, offset, what), stored))
    };
    let [mesh, tree, flying] = PARTS;
    Ok([part(mesh)?, part(tree)?, part(flying)?])
}

fn check_sum(what: &'static str, offset: usize, bytes: &[u8], stored: u32) -> Result<(), FileError> {
    let computed = crc32fast::hash(bytes);
    if computed == stored { Ok(()) } else { Err(FileError::Damaged { what, offset, stored, computed }) }
}
