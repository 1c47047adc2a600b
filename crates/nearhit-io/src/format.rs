//! Mesh file formats: OBJ, STL, PLY, OFF, glTF, COLLADA, 3MF.
//!
//! A new format is a file with a [`Reader`] constant, and here four mentions of it: its module, a
//! variant, and a line in [`Format::ALL`] and in `Format::reader`. CONTRIBUTING.md lists what else.

use crate::assembly::{Assembly, PlacedPart};
use crate::error::{ParseError, ReadError};
use crate::part::{Part, merge};
use crate::units::{Convention, OutOfRange, Units};
use crate::{collada, gltf, obj, off, ply, stl, threemf};
use nearhit::{Pose, RawMesh};
use std::path::Path;

/// A file format that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Wavefront OBJ.
    ///
    /// A face of n corners becomes the n - 2 triangles of a fan around its first corner, in order.
    /// That is the face itself where it is flat and convex; a concave face should be triangulated
    /// before it is written. Texture and normal indices, `w` and vertex colours are not looked at.
    /// `V` and `F` mean `v` and `f`.
    ///
    /// A positive index may name a vertex that comes later in the file; a negative one counts back
    /// from the vertices before its face. Statements that hold no triangles (`vn`, `g`, `usemtl`,
    /// `l`, ...) are skipped. Statements that hold surfaces this reader cannot turn into triangles
    /// (`surf`, `bzp`, `bsp`, `cdp`) or name a file that may hold some (`call`) are errors. A
    /// comment begins with a `#` after white space or at the start of a line, and does not go on
    /// after a backslash; everything else does.
    Obj,
    /// STL, text or binary.
    ///
    /// A file is binary if its length is the one its header declares, whatever it begins with;
    /// otherwise it is text if it begins with `solid` and has no zero byte where a binary file has
    /// its header.
    ///
    /// Corners with equal coordinates become one vertex; -0.0 is read as 0.0, so that the two are
    /// equal. There is no tolerance: what differs in the last bit stays apart. Vertices are
    /// numbered as they first occur. The single precision numbers of binary files widen exactly;
    /// those of text files are read in double precision. Normals and attribute bytes are not looked
    /// at.
    ///
    /// Up to 49 bytes after the last triangle of a binary file are ignored: they cannot be a
    /// triangle. More are an error, because the declared count might be wrong. The name of a
    /// `solid` goes to the end of its line, and a vertex has its three coordinates on its own line;
    /// otherwise any white space will do in a text file.
    Stl,
    /// PLY, text or binary of either byte order.
    ///
    /// The properties `x`, `y` and `z` of the element `vertex` may have any type, in any order; the
    /// list `vertex_indices` or `vertex_index` of the element `face` has the corners, from 0, and
    /// becomes a fan as in OBJ. The element `tristrips` has strips instead, between which -1
    /// stands. Elements may come in any order. Others, and other properties, are skipped; only an
    /// unknown element with such a list is an error, since it may hold surfaces. A file without
    /// faces is a cloud of points: it has no triangles.
    ///
    /// A text file has a line for every element, neither shorter nor longer than its properties.
    /// Its numbers are read in double precision whatever their type. Only white space and zero
    /// bytes may follow the last element.
    Ply,
    /// OFF, as text.
    ///
    /// The header may have the letters C, N and ST; the counts follow on the same line (even
    /// without a blank) or the next, and that of edges is not looked at. Every vertex and every
    /// face has a line of its own. What follows the three coordinates (normals, colours, texture
    /// coordinates) and the corners (colours) is not looked at; faces become fans as in OBJ.
    /// Comments begin with `#`. Binary files and those with another number of coordinates (4OFF,
    /// nOFF) are errors, and so is anything after the last face.
    Off,
    /// glTF 2.0, as JSON or as GLB, told apart by content.
    ///
    /// Every node with a mesh is a part, in the order of the nodes, whichever scene it belongs to.
    /// Its vertices are placed by the transforms of the node and its ancestors, in double
    /// precision; where these mirror, triangles are turned round to face the same way. A part has
    /// the name of its node, else of its mesh, else `node_` and its number, after the names of the
    /// nodes that it is in, as `gearbox/shaft`; namesakes get `_2`, `_3`, ..., but no name that
    /// another part has. Primitives that are triangles, strips or fans are read; points and lines
    /// have no triangles and are skipped, so a part may be empty. Materials, cameras and animations
    /// are not looked at.
    ///
    /// Positions are single precision numbers, or integers as in `KHR_mesh_quantization`; sparse
    /// accessors are understood. Buffers are read from the GLB chunk, `data:` addresses and files
    /// in the folder of the document or below it; any other address is an error. So are required
    /// extensions that may hide triangles (as `KHR_draco_mesh_compression`), skins and morph
    /// targets that are not off, nodes with two parents, and meshes used so often that the scene
    /// has more than 64 vertices and triangles for each byte of the file (and 2^20).
    Gltf,
    /// COLLADA 1.4 and 1.5.
    ///
    /// Every geometry that a node of the scene shows is a part, in the order of the file; nodes of
    /// libraries are shown where they are instanced. Without a `<scene>`, all visual scenes are;
    /// without nodes, every geometry. Vertices are placed by the transforms of their nodes (matrix,
    /// translate, rotate, scale, lookat), in double precision, and mirrored triangles are turned
    /// round. A part has the name of its node, else of its geometry, else their ids, after the
    /// names of the nodes that it is in; namesakes are numbered as in glTF. Triangles, polygons,
    /// polygon lists, strips and fans are read, polygons as in OBJ; lines and points have no
    /// triangles and are skipped. Materials, cameras, lights and animations are not looked at.
    ///
    /// `<unit>` and `<up_axis>` are told as [`Units`]; the numbers stay as the file has them unless
    /// a [`Convention`] asks otherwise.
    ///
    /// Errors are skins and morphs (`instance_controller`), skewed nodes, splines, `brep`, polygons
    /// with holes, addresses of other files, nodes that contain themselves, document type
    /// definitions, and geometries used too often, as in glTF.
    Collada,
    /// 3MF, the archive with a 3D model in it.
    ///
    /// Every mesh object that the build shows is a part, in the order of the build's items; an item
    /// or component of several meshes is several parts. Names are those of the objects, else their
    /// part numbers, else `object_` and their number. Components and items are placed as in
    /// COLLADA, also those of other models of the archive (the production extension). Materials,
    /// slices that come with a mesh and thumbnails are not looked at.
    ///
    /// Errors are required extensions that may hide triangles, beam lattices, components that
    /// contain themselves, archives that are encrypted, and those that unpack to more than 128
    /// times their length (and 2^20 bytes).
    ThreeMf,
}

/// What a format's file provides.
pub(crate) struct Reader {
    pub(crate) name: &'static str,
    /// In lower case, without the dot.
    pub(crate) extensions: &'static [&'static str],
    pub(crate) parse: Parse,
}

/// How the contents are read. Gets at least one byte.
pub(crate) enum Parse {
    /// A file is one mesh.
    Mesh(fn(&[u8]) -> Parsed<RawMesh>),
    /// A file has parts, and may name other files in its folder.
    Parts {
        /// Every part in its place.
        placed: InFolder<(Vec<Part>, Units)>,
        /// Every shape once.
        shared: InFolder<(Assembly, Units)>,
    },
}

type Parsed<T> = Result<T, ParseError>;
/// Of bytes, and of the folder that the file is in.
type InFolder<T> = fn(&[u8], Option<&Path>) -> Parsed<T>;

impl Format {
    /// Every format.
    pub const ALL: &[Self] = &[Self::Obj, Self::Stl, Self::Ply, Self::Off, Self::Gltf, Self::Collada, Self::ThreeMf];

    fn reader(self) -> &'static Reader {
        match self {
            Self::Obj => &obj::READER,
            Self::Stl => &stl::READER,
            Self::Ply => &ply::READER,
            Self::Off => &off::READER,
            Self::Gltf => &gltf::READER,
            Self::Collada => &collada::READER,
            Self::ThreeMf => &threemf::READER,
        }
    }

    /// What people call it, as "OBJ".
    #[must_use]
    pub fn name(self) -> &'static str {
        self.reader().name
    }

    /// Extensions of its files, in lower case, without the dot.
    #[must_use]
    pub fn extensions(self) -> &'static [&'static str] {
        self.reader().extensions
    }

    /// Whether its files can have several parts; a file of another format is one mesh.
    #[must_use]
    pub fn has_parts(self) -> bool {
        matches!(self.reader().parse, Parse::Parts { .. })
    }

    /// The format whose files have this extension (in any case, without the dot).
    #[must_use]
    pub fn from_extension(extension: &str) -> Option<Self> {
        let known = |format: &Self| format.extensions().iter().any(|known| known.eq_ignore_ascii_case(extension));
        Self::ALL.iter().copied().find(known)
    }

    /// The format of a file with this name.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit_io::Format;
    ///
    /// assert_eq!(Format::from_path("gear.STL".as_ref())?, Format::Stl);
    /// assert!(Format::from_path("gear.step".as_ref()).is_err());
    /// # Ok(())
    /// # }
    /// ```
    pub fn from_path(path: &Path) -> Result<Self, ReadError> {
        let Some(extension) = path.extension() else {
            return Err(ReadError::NoExtension { path: path.into() });
        };
        let extension = extension.to_string_lossy();
        Self::from_extension(&extension)
            .ok_or_else(|| ReadError::UnknownExtension { path: path.into(), extension: extension.into_owned() })
    }

    /// "obj, stl, ...": for a message.
    pub(crate) fn known_extensions() -> String {
        let extensions: Vec<&str> = Self::ALL.iter().flat_map(|format| format.extensions()).copied().collect();
        extensions.join(", ")
    }

    /// `folder` is where files are that the bytes name.
    pub(crate) fn parse(self, bytes: &[u8], folder: Option<&Path>, wanted: Convention) -> Result<RawMesh, ParseError> {
        let (mut mesh, units) = match self.checked_parse(bytes)? {
            Parse::Mesh(parse) => (parse(bytes)?, Units::default()),
            Parse::Parts { placed, .. } => {
                let (parts, units) = placed(bytes, folder)?;
                (merge(parts), units)
            }
        };
        wanted.mesh(&mut mesh, units).map_err(out_of_range)?;
        Ok(mesh)
    }

    /// A file that is one mesh is one part, with the name of the file.
    pub(crate) fn parse_parts(self, bytes: &[u8], path: &Path, wanted: Convention) -> Result<Vec<Part>, ParseError> {
        let (mut parts, units) = match self.checked_parse(bytes)? {
            Parse::Mesh(parse) => (vec![Part { name: stem(path), mesh: parse(bytes)? }], Units::default()),
            Parse::Parts { placed, .. } => placed(bytes, path.parent())?,
        };
        wanted.parts(&mut parts, units).map_err(out_of_range)?;
        Ok(parts)
    }

    /// The same with every shape once.
    pub(crate) fn parse_assembly(self, bytes: &[u8], path: &Path, wanted: Convention) -> Result<Assembly, ParseError> {
        let mut assembly = match self.checked_parse(bytes)? {
            Parse::Mesh(parse) => {
                let part = PlacedPart { name: stem(path), shape: 0, world_from_shape: Pose::IDENTITY };
                Assembly { shapes: vec![parse(bytes)?], parts: vec![part], units: Units::default() }
            }
            Parse::Parts { shared, .. } => shared(bytes, path.parent())?.0,
        };
        wanted.assembly(&mut assembly).map_err(out_of_range)?;
        Ok(assembly)
    }

    fn checked_parse(self, bytes: &[u8]) -> Result<&'static Parse, ParseError> {
        if bytes.is_empty() { Err(ParseError::Empty) } else { Ok(&self.reader().parse) }
    }
}

fn out_of_range(OutOfRange { vertex, value }: OutOfRange) -> ParseError {
    ParseError::Unit { vertex, value }
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
