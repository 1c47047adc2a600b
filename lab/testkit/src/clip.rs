//! How much of a triangle is in a box? The corners of what they share are enumerated in rational
//! arithmetic; nothing is cut.

use crate::{Point, Tri};
use dashu_ratio::RBig;

type Exact = [RBig; 3];

/// The share of the triangle's area that is in the closed box, rounded once. A triangle without
/// area has none.
pub fn share_in_box(triangle: &Tri, low: Point, high: Point) -> f64 {
    let corners = triangle.map(exact);
    let (low, high) = (exact(low), exact(high));
    let normal = cross(&minus(&corners[1], &corners[0]), &minus(&corners[2], &corners[0]));
    let Some(shadow) = (0..3).find(|&axis| !normal[axis].is_zero()) else { return 0.0 };
    let inside = |point: &Exact| (0..3).all(|axis| low[axis] <= point[axis] && point[axis] <= high[axis]);
    let mut shared: Vec<Exact> = edge_points(&corners, &low, &high);
    shared.extend(corners.iter().cloned());
    shared.extend(box_edge_points(&corners, &normal, [&low, &high], shadow));
    shared.retain(inside);
    let (u, v) = ((shadow + 1) % 3, (shadow + 2) % 3);
    let flat: Vec<[RBig; 2]> = shared.into_iter().map(|point| [point[u].clone(), point[v].clone()]).collect();
    let whole = absolute(normal[shadow].clone());
    (twice_hull_area(flat) / whole).to_f64().value()
}

/// The volume that two boxes share: one about the origin along the axes, the other turned by
/// `rotation` (rows) and then moved by `offset`. To about 1e-12 of the smaller one, provided that
/// no face of one lies in a face of the other (it would count for both).
///
/// By Gauss's theorem: a face of either box counts as far as it is in the other one.
pub fn shared_box_volume(half: Point, other_half: Point, rotation: [Point; 3], offset: Point) -> f64 {
    let columns: [Point; 3] = std::array::from_fn(|i| std::array::from_fn(|j| rotation[j][i]));
    let back = apply(&columns, offset).map(|value| -value);
    faces_inside(half, other_half, &columns, back, [0.0; 3]) + faces_inside(other_half, half, &rotation, offset, back)
}

/// The faces of the box of `half`, placed, as far as they are in the box of `container`: cones over
/// them from the point `tip` of its own frame.
fn faces_inside(half: Point, container: Point, rotation: &[Point; 3], offset: Point, tip: Point) -> f64 {
    let mut volume = 0.0;
    for axis in 0..3 {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        for sign in [-1.0, 1.0] {
            let corner = |a: f64, b: f64| {
                let mut point = [0.0; 3];
                (point[axis], point[u], point[v]) = (sign * half[axis], a * half[u], b * half[v]);
                let turned = apply(rotation, point);
                std::array::from_fn(|i| turned[i] + offset[i])
            };
            let [a, b, c, d] = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
            let low = container.map(|side| -side);
            let shares = share_in_box(&[a, b, c], low, container) + share_in_box(&[a, c, d], low, container);
            let height = half[axis] - sign * tip[axis];
            volume += shares * 2.0 * half[u] * half[v] * height / 3.0;
        }
    }
    volume
}

fn apply(rows: &[Point; 3], point: Point) -> Point {
    std::array::from_fn(|i| (0..3).map(|j| rows[i][j] * point[j]).sum())
}

/// Where the triangle's edges meet the planes of the box's faces.
fn edge_points(corners: &[Exact; 3], low: &Exact, high: &Exact) -> Vec<Exact> {
    let mut points = Vec::new();
    for side in 0..3 {
        let (from, to) = (&corners[side], &corners[(side + 1) % 3]);
        let along = minus(to, from);
        for axis in (0..3).filter(|&axis| !along[axis].is_zero()) {
            for plane in [&low[axis], &high[axis]] {
                let step = (plane - &from[axis]) / &along[axis];
                if step >= RBig::ZERO && step <= RBig::ONE {
                    points.push(std::array::from_fn(|i| &from[i] + &along[i] * &step));
                }
            }
        }
    }
    points
}

/// Where the lines of the box's edges meet the triangle.
fn box_edge_points(corners: &[Exact; 3], normal: &Exact, box_ends: [&Exact; 2], shadow: usize) -> Vec<Exact> {
    let mut points = Vec::new();
    for axis in (0..3).filter(|&axis| !normal[axis].is_zero()) {
        let others = [(axis + 1) % 3, (axis + 2) % 3];
        for ends in [[0, 0], [0, 1], [1, 0], [1, 1]] {
            let mut point = corners[0].clone();
            for (&other, end) in others.iter().zip(ends) {
                point[other] = box_ends[end][other].clone();
            }
            let ahead = others.map(|other| (&point[other] - &corners[0][other]) * &normal[other]);
            point[axis] = &corners[0][axis] - (&ahead[0] + &ahead[1]) / &normal[axis];
            if in_shadow(corners, &point, shadow) {
                points.push(point);
            }
        }
    }
    points
}

/// Is a point of the triangle's plane in it?
fn in_shadow(corners: &[Exact; 3], point: &Exact, shadow: usize) -> bool {
    let turns: [RBig; 3] = std::array::from_fn(|side| {
        let (from, to) = (&corners[side], &corners[(side + 1) % 3]);
        cross(&minus(to, from), &minus(point, from))[shadow].clone()
    });
    turns.iter().all(|turn| *turn >= RBig::ZERO) || turns.iter().all(|turn| *turn <= RBig::ZERO)
}

/// By Andrew's chains.
fn twice_hull_area(mut points: Vec<[RBig; 2]>) -> RBig {
    points.sort();
    points.dedup();
    let turn = |o: &[RBig; 2], p: &[RBig; 2], q: &[RBig; 2]| {
        (&p[0] - &o[0]) * (&q[1] - &o[1]) - (&p[1] - &o[1]) * (&q[0] - &o[0])
    };
    let chain = |points: &mut dyn Iterator<Item = &[RBig; 2]>| {
        let mut kept: Vec<[RBig; 2]> = Vec::new();
        for point in points {
            while kept.len() > 1 && turn(&kept[kept.len() - 2], &kept[kept.len() - 1], point) <= RBig::ZERO {
                kept.pop();
            }
            kept.push(point.clone());
        }
        kept.pop();
        kept
    };
    let mut hull = chain(&mut points.iter());
    hull.extend(chain(&mut points.iter().rev()));
    let Some(origin) = hull.first().cloned() else { return RBig::ZERO };
    hull.windows(2).fold(RBig::ZERO, |sum, pair| sum + turn(&origin, &pair[0], &pair[1]))
}

fn exact(point: Point) -> Exact {
    point.map(|value| RBig::try_from(value).expect("exact arithmetic needs finite coordinates"))
}

fn minus(p: &Exact, q: &Exact) -> Exact {
    std::array::from_fn(|i| &p[i] - &q[i])
}

fn cross(p: &Exact, q: &Exact) -> Exact {
    std::array::from_fn(|i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        &p[j] * &q[k] - &p[k] * &q[j]
    })
}

fn absolute(value: RBig) -> RBig {
    if value < RBig::ZERO { -value } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRIANGLE: Tri = [[0.0, 0.0, 0.5], [4.0, 0.0, 0.5], [0.0, 4.0, 0.5]];

    #[test]
    fn shares_of_a_flat_triangle_are_areas() {
        let share = |low, high| share_in_box(&TRIANGLE, low, high);
        assert_eq!(share([0.0; 3], [1.0; 3]), 0.125, "a corner");
        assert_eq!(share([2.0, 1.0, 0.0], [3.0, 2.0, 1.0]), 0.0625, "the longest side cuts the cell in half");
        assert_eq!(share([-9.0; 3], [9.0; 3]), 1.0);
        assert_eq!(share([0.0, 0.0, 0.6], [9.0; 3]), 0.0);
        assert_eq!(share([0.0, 0.0, 0.5], [2.0, 2.0, 0.5]), 0.5, "in the plane");
        assert_eq!(share_in_box(&[[1.0; 3]; 3], [0.0; 3], [2.0; 3]), 0.0, "no area");
    }

    #[test]
    fn shared_volumes_of_boxes() {
        let turn = std::f64::consts::FRAC_PI_4;
        let quarter = [[turn.cos(), -turn.sin(), 0.0], [turn.sin(), turn.cos(), 0.0], [0.0, 0.0, 1.0]];
        let upright = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let close = |made: f64, truth: f64| assert!((made - truth).abs() < 1e-12, "{made} is not {truth}");
        close(shared_box_volume([1.0; 3], [1.0, 1.0, 0.9], upright, [0.5, 0.25, 0.0]), 1.5 * 1.75 * 1.8);
        close(shared_box_volume([1.0; 3], [0.25; 3], quarter, [0.1, 0.2, 0.3]), 0.125);
        // The regular octagon.
        close(shared_box_volume([1.0; 3], [1.0, 1.0, 2.0], quarter, [0.0; 3]), 2.0 * 8.0 * (2f64.sqrt() - 1.0));
        close(shared_box_volume([1.0; 3], [1.0; 3], quarter, [3.0, 0.0, 0.0]), 0.0);
    }

    #[test]
    fn slanted_cells_add_up_to_the_whole() {
        let slanted = [[0.1, 0.2, 0.3], [3.7, 1.1, 2.9], [1.3, 3.9, 0.7]];
        let mut sum = 0.0;
        for cell in 0..64 {
            let low = [cell % 4, cell / 4 % 4, cell / 16].map(f64::from);
            sum += share_in_box(&slanted, low, low.map(|corner| corner + 1.0));
        }
        assert!((sum - 1.0).abs() < 1e-15, "{sum}");
    }
}
