//! The solids that the suites ask about.

use nearhit_testkit::rng::Rng;
use nearhit_testkit::{Soup, shapes};

pub(crate) fn flipped(soup: &Soup) -> Soup {
    let mut result = soup.clone();
    result.triangles.iter_mut().for_each(|triangle| triangle.swap(0, 1));
    result
}

pub(crate) fn joined(parts: &[Soup]) -> Soup {
    parts.iter().fold(Soup::default(), |mut whole, part| {
        whole.append(part);
        whole
    })
}

/// Closed and oriented: boxes, balls, a torus, nested shells with cavities and islands in them,
/// overlapping parts, a knotted pipe, one inside out.
pub(crate) fn closed() -> Vec<(&'static str, Soup)> {
    let ball = shapes::uv_sphere(12, 16);
    let cube = shapes::cuboid([-1.0; 3], [1.0; 3]);
    let nested = joined(&[
        ball.scaled(2.0),
        flipped(&ball.scaled(1.5)),
        ball.clone(),
        flipped(&cube.scaled(0.4)),
        cube.scaled(0.2),
    ]);
    let overlapping = joined(&[cube.clone(), cube.translated([0.5, 0.5, 0.5]), ball.translated([1.0, 0.0, 0.0])]);
    vec![
        ("cube", cube.clone()),
        ("ball", ball.clone()),
        ("torus", shapes::torus(24, 12, 1.0, 0.4)),
        ("wrinkled torus", shapes::wrinkled_torus(30, 12, 3)),
        ("nested", nested),
        ("overlapping", overlapping),
        ("bars", shapes::axis_bars(1.0, 0.3)),
        ("inside out", flipped(&cube)),
        ("pipes", shapes::pipes(1500, 3)),
    ]
}

/// A random share of the triangles taken away.
pub(crate) fn thinned(soup: &Soup, share: f64, seed: u64) -> Soup {
    let mut rng = Rng::new(seed);
    let triangles = soup.triangles.iter().copied().filter(|_| !rng.chance(share)).collect();
    Soup { vertices: soup.vertices.clone(), triangles }
}

/// Points to ask about: anywhere in the box, on a grid in line with everything, at corners, on
/// edges and faces, and a hair off them.
pub(crate) fn points(soup: &Soup, count: usize, rng: &mut Rng) -> Vec<[f64; 3]> {
    let (low, high) = soup.bounds().expect("some");
    let anywhere = |rng: &mut Rng| -> [f64; 3] {
        std::array::from_fn(|axis| {
            let margin = 0.1 * (high[axis] - low[axis]);
            rng.range(low[axis] - margin, high[axis] + margin)
        })
    };
    let on_triangle = |rng: &mut Rng| -> [f64; 3] {
        let [a, b, c] = soup.triangle(rng.below(soup.len()));
        let (u, v) = *rng.choice(&[(0.0, 0.0), (0.5, 0.0), (0.25, 0.25), (0.5, 0.5)]);
        std::array::from_fn(|axis| a[axis] + u * (b[axis] - a[axis]) + v * (c[axis] - a[axis]))
    };
    (0..count)
        .map(|_| match rng.below(4) {
            0 | 1 => anywhere(rng),
            2 => on_triangle(rng),
            _ => {
                // In line with one vertex along one axis, with another along the next: rays meet
                // corners and edges.
                let vertex = |rng: &mut Rng| soup.vertices[rng.below(soup.vertices.len())];
                let (first, second, third) = (vertex(rng), vertex(rng), vertex(rng));
                [first[0], second[1], third[2]]
            }
        })
        .collect()
}
