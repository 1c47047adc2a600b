//! An assembly as a GLB file.

use super::Assembly;
use crate::Soup;
use crate::pose::pose_soup;
use std::fmt::Write;

impl Assembly {
    /// As the bytes of a GLB file. Parts that are the same show the same mesh.
    pub fn to_glb(&self) -> Vec<u8> {
        let mut file = File::default();
        self.shapes.iter().for_each(|shape| file.mesh(shape));
        for part in &self.parts {
            let [x, y, z] = part.rotation;
            let t = part.translation;
            let columns =
                (0..3).flat_map(|column| [x[column], y[column], z[column], 0.0]).chain([t[0], t[1], t[2], 1.0]);
            let matrix: Vec<String> = columns.map(|number| format!("{number:?}")).collect();
            file.node(&part.name, part.shape, &format!(",\"matrix\":[{}]", matrix.join(",")));
        }
        file.bytes()
    }

    /// The same with a mesh for every part, in its place: positions are rounded to single precision
    /// there.
    pub fn to_glb_unshared(&self) -> Vec<u8> {
        let mut file = File::default();
        for (index, part) in self.parts.iter().enumerate() {
            file.mesh(&pose_soup(&part.rotation, &part.translation, &self.shapes[part.shape]));
            file.node(&part.name, index, "");
        }
        file.bytes()
    }
}

#[derive(Default)]
struct File {
    meshes: String,
    nodes: String,
    accessors: String,
    views: String,
    count: usize,
    binary: Vec<u8>,
}

impl File {
    fn mesh(&mut self, soup: &Soup) {
        let comma = if self.count > 0 { "," } else { "" };
        let accessor = self.count;
        // Writing into a String cannot fail.
        let _ = write!(
            self.meshes,
            "{comma}{{\"primitives\":[{{\"attributes\":{{\"POSITION\":{accessor}}},\"indices\":{}}}]}}",
            accessor + 1
        );
        let positions = soup.vertices.iter().flatten().flat_map(|&x| (x as f32).to_le_bytes()).collect();
        self.view(positions, soup.vertices.len(), "\"componentType\":5126,\"type\":\"VEC3\"");
        let indices = soup.triangles.iter().flatten().flat_map(|index| index.to_le_bytes()).collect();
        self.view(indices, 3 * soup.len(), "\"componentType\":5125,\"type\":\"SCALAR\"");
    }

    fn view(&mut self, bytes: Vec<u8>, count: usize, kind: &str) {
        let (comma, view) = (if self.count > 0 { "," } else { "" }, self.count);
        let _ = write!(self.accessors, "{comma}{{\"bufferView\":{view},\"count\":{count},{kind}}}");
        let (offset, length) = (self.binary.len(), bytes.len());
        let _ = write!(self.views, "{comma}{{\"buffer\":0,\"byteOffset\":{offset},\"byteLength\":{length}}}");
        self.binary.extend(bytes);
        self.count += 1;
    }

    /// Names here need no escapes.
    fn node(&mut self, name: &str, mesh: usize, place: &str) {
        let comma = if self.nodes.is_empty() { "" } else { "," };
        let _ = write!(self.nodes, "{comma}{{\"name\":\"{name}\",\"mesh\":{mesh}{place}}}");
    }

    fn bytes(self) -> Vec<u8> {
        let mut json = format!(
            "{{\"asset\":{{\"version\":\"2.0\"}},\"buffers\":[{{\"byteLength\":{}}}],\"bufferViews\":[{}],\"accessors\":[{}],\
             \"meshes\":[{}],\"nodes\":[{}]}}",
            self.binary.len(),
            self.views,
            self.accessors,
            self.meshes,
            self.nodes
        )
        .into_bytes();
        json.resize(json.len().next_multiple_of(4), b' ');
        let number = |length: usize| (length as u32).to_le_bytes();
        let header = [*b"glTF", number(2), number(28 + json.len() + self.binary.len()), number(json.len()), *b"JSON"];
        [&header.concat(), &json[..], &number(self.binary.len()), b"BIN\0", &self.binary].concat()
    }
}
