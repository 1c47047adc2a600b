//! Open height fields: wavy sheets, and a cave of stalagmites.

use crate::rng::Rng;
use crate::{Point, Soup};

/// A sheet over the square from -1 to 1 with waves of the given height; `2 * cells²` triangles.
pub fn wavy_sheet(cells: u32, height: f64, seed: u64) -> Soup {
    let mut rng = Rng::new(seed);
    let waves: Vec<[f64; 3]> =
        (0..6).map(|_| [rng.range(-9.0, 9.0), rng.range(-9.0, 9.0), rng.range(0.0, std::f64::consts::TAU)]).collect();
    height_field(cells, 1.0, |x, y| {
        height / waves.len() as f64 * waves.iter().map(|[u, v, phase]| (u * x + v * y + phase).sin()).sum::<f64>()
    })
}

/// Floor and ceiling of a cave 20 wide and 6 high, full of stalagmites and stalactites; about
/// `triangles` triangles (the papers' has about 98,000). The free space is around the origin.
pub fn cave(triangles: usize, seed: u64) -> Soup {
    let mut rng = Rng::new(seed);
    let cells = ((triangles as f64 / 4.0).sqrt().round() as u32).max(2);
    let half_width = 10.0;
    let mut spikes = || -> Vec<Spike> {
        (0..120)
            .map(|_| Spike {
                x: rng.range(-half_width, half_width),
                y: rng.range(-half_width, half_width),
                width: rng.range(0.4, 1.5),
                height: rng.range(0.5, 4.5),
            })
            .collect()
    };
    let (floor, ceiling) = (spikes(), spikes());
    let mut soup = height_field(cells, half_width, |x, y| -3.0 + tallest(&floor, x, y));
    let mut above = height_field(cells, half_width, |x, y| 3.0 - tallest(&ceiling, x, y));
    // The ceiling faces down, into the cave.
    above.triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
    soup.append(&above);
    soup
}

struct Spike {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

fn tallest(spikes: &[Spike], x: f64, y: f64) -> f64 {
    let ripple = 0.1 * (2.0 * x).sin() * (3.0 * y).cos();
    let spike = |spike: &Spike| {
        let distance = (x - spike.x).hypot(y - spike.y) / spike.width;
        spike.height * (1.0 - distance).max(0.0).powf(1.5)
    };
    ripple + spikes.iter().map(spike).fold(0.0, f64::max)
}

fn height_field(cells: u32, half_width: f64, height: impl Fn(f64, f64) -> f64) -> Soup {
    assert!(cells >= 1);
    let place = |index: u32| half_width * (2.0 * f64::from(index) / f64::from(cells) - 1.0);
    let mut soup = Soup::default();
    for j in 0..=cells {
        for i in 0..=cells {
            let vertex: Point = [place(i), place(j), height(place(i), place(j))];
            soup.push_vertex(vertex);
        }
    }
    let vertex = |i: u32, j: u32| j * (cells + 1) + i;
    for j in 0..cells {
        for i in 0..cells {
            let [a, b, c, d] = [vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1), vertex(i, j + 1)];
            soup.triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    soup
}

#[cfg(test)]
mod tests {
    use super::super::topology::unmatched_edges;
    use super::*;

    #[test]
    fn sheets_are_open_only_at_the_border() {
        let sheet = wavy_sheet(15, 0.3, 1);
        assert_eq!((sheet.len(), unmatched_edges(&sheet)), (450, 60));
        assert!(sheet.vertices.iter().all(|v| v[2].abs() <= 0.3));
    }

    #[test]
    fn caves_have_spikes_and_the_asked_size() {
        let cave = cave(98_114, 2);
        assert!((cave.len() as f64 / 98_114.0 - 1.0).abs() < 0.02);
        let (low, high) = cave.bounds().unwrap();
        assert!(low[2] > -3.2 && high[2] < 3.2);
        assert!(cave.vertices.iter().filter(|v| v[2].abs() < 1.5).count() > 500);
    }
}
