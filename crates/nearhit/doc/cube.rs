// Included, unseen, by the examples of the documentation.

/// A closed cube about the origin: its corners are at plus and minus `half`.
fn cube(half: f64) -> nearhit::Model {
    let corners: Vec<[f64; 3]> =
        (0..8).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(|bit| if bit == 0 { -half } else { half })).collect();
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles: Vec<[u32; 3]> = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    nearhit::Model::new(nearhit::Mesh::new(&corners, &triangles).expect("a cube"))
}

/// Moved, not turned.
fn at(x: f64, y: f64, z: f64) -> nearhit::Pose {
    nearhit::Pose::from_translation([x, y, z]).expect("finite numbers")
}
