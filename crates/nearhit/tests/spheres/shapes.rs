//! Clean, thin, symmetric, open, flipped, self-intersecting, flat, degenerate, huge and tiny.

use nearhit_testkit::Soup;
use nearhit_testkit::rng::Rng;
use nearhit_testkit::shapes::{axis_bars, cuboid, disjoint_tetrahedra, icosphere, robot_arm, torus, wavy_sheet};

pub(crate) fn shapes() -> Vec<(&'static str, Soup)> {
    let mut flipped = icosphere(3);
    flipped.triangles.iter_mut().step_by(3).for_each(|triangle| triangle.swap(0, 1));
    let mut holed = icosphere(4);
    holed.triangles.drain(10..40);
    let mut rng = Rng::new(3);
    let mut scattered = Soup::default();
    for _ in 0..40 {
        let at = rng.point(-1.0, 1.0);
        let corners = [(); 3].map(|()| rng.point(-0.3, 0.3));
        let [a, b, c] = corners.map(|p| scattered.push_vertex([p[0] + at[0], p[1] + at[1], p[2] + at[2]]));
        scattered.triangles.push([a, b, c]);
    }
    let triangle = Soup { vertices: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], triangles: vec![[0, 1, 2]] };
    let mut degenerate = triangle.clone();
    degenerate.triangles.extend([[0, 0, 0], [0, 1, 1], [0, 1, 2]]);
    let needle = Soup { vertices: vec![[0.0; 3], [1.0, 0.0, 0.0], [2.0, 1e-9, 0.0]], triangles: vec![[0, 1, 2]] };
    vec![
        ("sphere", icosphere(4)),
        ("torus", torus(24, 12, 1.0, 0.3)),
        ("cube", cuboid([-1.0; 3], [1.0; 3])),
        ("plate", cuboid([-1.0, -0.7, -0.01], [1.0, 0.7, 0.01])),
        ("bars", axis_bars(1.0, 0.1)),
        ("arm", robot_arm(3, 0.4)),
        ("sheet", wavy_sheet(6, 0.2, 1)),
        ("flipped", flipped),
        ("holed", holed),
        ("tetrahedra", disjoint_tetrahedra(12, 4.0, 5)),
        ("scattered", scattered),
        ("triangle", triangle),
        ("degenerate", degenerate),
        ("point", Soup { vertices: vec![[3.0, 4.0, 5.0]], triangles: vec![[0, 0, 0]] }),
        ("needle", needle),
        ("huge", cuboid([-1e300; 3], [1e300, 1e299, 1e298])),
        ("tiny", cuboid([-1e-300; 3], [1e-300, 1e-301, 1e-301])),
        ("far", icosphere(2).translated([1e6, 1e6, -1e6])),
    ]
}
