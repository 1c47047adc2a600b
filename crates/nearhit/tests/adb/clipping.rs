//! How much of a triangle is in each cell, against enumerated corners in rational arithmetic.

use glam::DVec3;
use nearhit::research::adb::clip::{SIDE, shares};
use nearhit_testkit::clip::share_in_box;
use nearhit_testkit::rng::Rng;

fn by_cell(triangle: &[DVec3; 3]) -> Vec<f64> {
    let mut cells = vec![0.0; SIDE.pow(3)];
    shares(triangle, |cell, share| cells[cell] += share);
    cells
}

fn low_corner(cell: usize) -> [f64; 3] {
    [cell % SIDE, cell / SIDE % SIDE, cell / SIDE / SIDE].map(|index| index as f64)
}

/// Small and large ones, inside, across and outside; some coordinates whole, so that corners lie in
/// the planes between cells.
fn triangle(rng: &mut Rng) -> [DVec3; 3] {
    let size = *rng.choice(&[0.3, 1.5, 6.0, 30.0]);
    let middle = rng.point(-1.0, 9.0);
    let rounded = rng.chance(0.3);
    [(); 3].map(|()| {
        let offset = rng.point(-size, size);
        DVec3::from_array(std::array::from_fn(|axis| {
            let value = middle[axis] + offset[axis];
            if rounded && rng.chance(0.5) { value.round() } else { value }
        }))
    })
}

#[test]
fn every_cell_has_its_share() {
    let mut rng = Rng::new(701);
    let (mut cells_met, mut triangles_in_one, mut outside) = (0, 0, 0);
    for _ in 0..250 {
        let triangle = triangle(&mut rng);
        let made = by_cell(&triangle);
        let corners = triangle.map(|corner| corner.to_array());
        // A triangle in a plane between cells belongs to one of two neighbours: the oracle's closed
        // boxes would count it twice.
        if (0..3).any(|axis| corners.iter().all(|corner| corner[axis] == corners[0][axis])) {
            continue;
        }
        for (cell, &share) in made.iter().enumerate() {
            let low = low_corner(cell);
            let apart = |axis: usize| {
                corners.iter().all(|corner| corner[axis] < low[axis])
                    || corners.iter().all(|corner| corner[axis] > low[axis] + 1.0)
            };
            if (0..3).any(apart) {
                assert_eq!(share, 0.0, "cell {low:?} of {triangle:?}");
                continue;
            }
            let truth = share_in_box(&corners, low, low.map(|corner| corner + 1.0));
            assert!((share - truth).abs() < 1e-12, "{share}, not {truth}, in cell {low:?} of {triangle:?}");
        }
        let met = made.iter().filter(|&&share| share > 0.0).count();
        cells_met += met;
        triangles_in_one += usize::from(met == 1);
        outside += usize::from(met == 0);
    }
    assert!(cells_met > 1_500 && triangles_in_one > 10 && outside > 10, "{cells_met} {triangles_in_one} {outside}");
}

#[test]
fn a_piece_between_cells_is_in_one_of_them() {
    let flat =
        |height: f64| by_cell(&[[0.0, 0.0, height], [4.0, 0.0, height], [0.0, 4.0, height]].map(DVec3::from_array));
    for (height, layer) in [(0.0, 0), (3.0, 3), (3.5, 3), (8.0, 7)] {
        let cells = flat(height);
        let in_layer: f64 = (0..SIDE * SIDE).map(|cell| cells[cell + SIDE * SIDE * layer]).sum();
        assert!((in_layer - 1.0).abs() < 1e-14, "height {height}: {in_layer} in layer {layer}");
        assert!((cells.iter().sum::<f64>() - 1.0).abs() < 1e-14);
    }
    assert!(flat(-0.1).iter().chain(&flat(8.1)).all(|&share| share == 0.0));
}

#[test]
fn triangles_without_area_have_no_shares() {
    for triangle in [[DVec3::splat(3.0); 3], [DVec3::ZERO, DVec3::ONE, DVec3::splat(5.0)], [DVec3::splat(f64::NAN); 3]]
    {
        assert!(by_cell(&triangle).iter().all(|&share| share == 0.0));
    }
}
