//! The plain types at the border, and the text form of a mesh.

use std::fmt::Write;

/// A point, or a vector, in three dimensions.
pub type Point = [f64; 3];

/// A closed triangle: the convex hull of three points, which may coincide or be collinear.
pub type Tri = [Point; 3];

/// Triangles over shared vertices, without any promise about how they fit together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Soup {
    /// The vertices.
    pub vertices: Vec<Point>,
    /// Indices into `vertices`, counter-clockwise seen from outside where the soup bounds a solid.
    pub triangles: Vec<[u32; 3]>,
}

impl Soup {
    /// Number of triangles.
    pub fn len(&self) -> usize {
        self.triangles.len()
    }

    /// Whether there is no triangle.
    pub fn is_empty(&self) -> bool {
        self.triangles.is_empty()
    }

    /// The corners of triangle `index`.
    pub fn triangle(&self, index: usize) -> Tri {
        self.triangles[index].map(|vertex| self.vertices[vertex as usize])
    }

    /// The corners of all triangles, in order.
    pub fn corners(&self) -> impl Iterator<Item = Tri> + '_ {
        (0..self.len()).map(|index| self.triangle(index))
    }

    /// Adds a vertex and gives its index.
    pub fn push_vertex(&mut self, vertex: Point) -> u32 {
        self.vertices.push(vertex);
        (self.vertices.len() - 1) as u32
    }

    /// Appends another soup, keeping its order.
    pub fn append(&mut self, other: &Soup) {
        let offset = self.vertices.len() as u32;
        self.vertices.extend_from_slice(&other.vertices);
        self.triangles.extend(other.triangles.iter().map(|triangle| triangle.map(|vertex| vertex + offset)));
    }

    /// The same triangles with every vertex mapped.
    pub fn map(&self, mapping: impl FnMut(Point) -> Point) -> Soup {
        Soup { vertices: self.vertices.iter().copied().map(mapping).collect(), triangles: self.triangles.clone() }
    }

    /// Moved by `offset`.
    pub fn translated(&self, offset: Point) -> Soup {
        self.map(|vertex| std::array::from_fn(|axis| vertex[axis] + offset[axis]))
    }

    /// Scaled about the origin.
    pub fn scaled(&self, factor: f64) -> Soup {
        self.map(|vertex| vertex.map(|coordinate| coordinate * factor))
    }

    /// Smallest and largest coordinates; `None` without vertices.
    pub fn bounds(&self) -> Option<(Point, Point)> {
        let first = *self.vertices.first()?;
        Some(self.vertices.iter().fold((first, first), |(low, high), vertex| {
            (
                std::array::from_fn(|axis| low[axis].min(vertex[axis])),
                std::array::from_fn(|axis| high[axis].max(vertex[axis])),
            )
        }))
    }

    /// Wavefront text: only `v` and triangular `f` lines, floats in the shortest form that reads
    /// back the same.
    pub fn to_obj(&self) -> String {
        let mut text = String::with_capacity(self.vertices.len() * 48 + self.triangles.len() * 20);
        for [x, y, z] in &self.vertices {
            push_line(&mut text, format_args!("v {x:?} {y:?} {z:?}"));
        }
        for triangle in &self.triangles {
            let [a, b, c] = triangle.map(|vertex| vertex + 1);
            push_line(&mut text, format_args!("f {a} {b} {c}"));
        }
        text
    }
}

fn push_line(text: &mut String, line: std::fmt::Arguments<'_>) {
    // Writing into a String cannot fail.
    let _ = writeln!(text, "{line}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn obj_text_reads_back_the_same_bits() {
        let soup = Soup {
            vertices: vec![[0.1, -0.0, 1e300], [5e-324, 1.0 / 3.0, -2.0], [1.0; 3]],
            triangles: vec![[0, 1, 2]],
        };
        let text = soup.to_obj();
        let numbers: Vec<f64> = text
            .lines()
            .filter_map(|line| line.strip_prefix("v "))
            .flat_map(|line| line.split(' ').map(|word| word.parse().unwrap()))
            .collect();
        let expected: Vec<f64> = soup.vertices.iter().flatten().copied().collect();
        assert_eq!(
            numbers.iter().map(|x| x.to_bits()).collect::<Vec<_>>(),
            expected.iter().map(|x| x.to_bits()).collect::<Vec<_>>()
        );
        assert!(text.ends_with("f 1 2 3\n"));
    }

    #[test]
    fn append_shifts_indices() {
        let one = Soup { vertices: vec![[0.0; 3]; 3], triangles: vec![[0, 1, 2]] };
        let mut two = one.clone();
        two.append(&one.translated([1.0, 0.0, 0.0]));
        assert_eq!(two.triangles, [[0, 1, 2], [3, 4, 5]]);
        assert_eq!(two.bounds(), Some(([0.0; 3], [1.0, 0.0, 0.0])));
    }
}
