//! Do two closed triangles share a point? Decided as a system of linear equations and inequalities.
//!
//! The triangles `a` and `b` share a point exactly when there are weights with
//!
//! ```text
//! a0 + l1 (a1 - a0) + l2 (a2 - a0) = b0 + m1 (b1 - b0) + m2 (b2 - b0)
//! l1, l2, 1 - l1 - l2, m1, m2, 1 - m1 - m2 >= 0
//! ```
//!
//! The three equations in four unknowns are reduced by fraction-free elimination. What remains is a
//! line of solutions in general position, a plane when the triangles are coplanar, and more when
//! they are degenerate; the six inequalities over it are decided by Fourier–Motzkin elimination,
//! which is complete for closed half-spaces in any dimension. So no case distinction by geometry
//! exists here that could be forgotten.

use dashu_int::IBig;

use super::integers::{Scaled, scale, sign};
use crate::Tri;

/// Whether the closed triangles share at least one point; exact for every finite input.
pub fn intersects(a: &Tri, b: &Tri) -> bool {
    match solve(equations(a, b)) {
        Some(solutions) => feasible(inequalities(&solutions), solutions.free.len()),
        None => false,
    }
}

/// Unknowns `l1, l2, m1, m2`; a row holds their coefficients and the right-hand side.
const UNKNOWNS: usize = 4;
type Row = [IBig; UNKNOWNS + 1];

fn equations(a: &Tri, b: &Tri) -> [Row; 3] {
    let coordinate = |index: usize| if index < 9 { a[index / 3][index % 3] } else { b[index / 3 - 3][index % 3] };
    let Scaled { integers: x, .. } = scale(&std::array::from_fn::<f64, 18, _>(coordinate));
    // One common power of two divides out of every equation.
    std::array::from_fn(|axis| {
        let (a0, a1, a2) = (&x[axis], &x[axis + 3], &x[axis + 6]);
        let (b0, b1, b2) = (&x[axis + 9], &x[axis + 12], &x[axis + 15]);
        [a1 - a0, a2 - a0, b0 - b1, b0 - b2, b0 - a0]
    })
}

/// All solutions of the equations: `scale * unknown = constant + sum(coefficient * free unknown)`.
struct Solutions {
    /// Positive.
    scale: IBig,
    /// Which unknowns are free.
    free: Vec<usize>,
    /// For every unknown the constant, then one coefficient for each free unknown.
    forms: [Vec<IBig>; UNKNOWNS],
}

/// Fraction-free Gauss–Jordan elimination (Bareiss): every division below is exact, and at the end
/// all pivots are equal to the last one. `None` when the equations contradict each other.
fn solve(mut rows: [Row; 3]) -> Option<Solutions> {
    let mut pivot = IBig::ONE;
    let mut pivot_columns = Vec::with_capacity(3);
    for column in 0..UNKNOWNS {
        let rank = pivot_columns.len();
        let Some(found) = (rank..rows.len()).find(|&row| !rows[row][column].is_zero()) else { continue };
        rows.swap(rank, found);
        let pivot_row = rows[rank].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(index, _)| *index != rank) {
            let factor = row[column].clone();
            for (entry, above) in row.iter_mut().zip(&pivot_row) {
                *entry = (&*entry * &pivot_row[column] - &factor * above) / &pivot;
            }
        }
        pivot = pivot_row[column].clone();
        pivot_columns.push(column);
    }
    if rows[pivot_columns.len()..].iter().any(|row| !row[UNKNOWNS].is_zero()) {
        return None;
    }
    Some(parametrise(&rows, &pivot_columns, pivot))
}

fn parametrise(rows: &[Row; 3], pivot_columns: &[usize], pivot: IBig) -> Solutions {
    let free: Vec<usize> = (0..UNKNOWNS).filter(|column| !pivot_columns.contains(column)).collect();
    let turn = IBig::from(sign(&pivot));
    let scale = pivot * &turn;
    let forms = std::array::from_fn(|unknown| match pivot_columns.iter().position(|&column| column == unknown) {
        Some(row) => {
            let coefficients = free.iter().map(|&column| -(&rows[row][column] * &turn));
            std::iter::once(&rows[row][UNKNOWNS] * &turn).chain(coefficients).collect()
        }
        None => {
            let coefficients = free.iter().map(|&column| if column == unknown { scale.clone() } else { IBig::ZERO });
            std::iter::once(IBig::ZERO).chain(coefficients).collect()
        }
    });
    Solutions { scale, free, forms }
}

/// `constant + sum(coefficient * variable) >= 0`.
type Inequality = Vec<IBig>;

/// The six weights are not negative, each multiplied by the positive scale.
fn inequalities(solutions: &Solutions) -> Vec<Inequality> {
    let mut system: Vec<Inequality> = solutions.forms.to_vec();
    for [first, second] in [[0, 1], [2, 3]] {
        let (first, second) = (&solutions.forms[first], &solutions.forms[second]);
        let mut rest: Inequality = first.iter().zip(second).map(|(x, y)| -(x + y)).collect();
        rest[0] += &solutions.scale;
        system.push(rest);
    }
    system
}

/// Whether some real values of the variables satisfy all inequalities.
fn feasible(mut system: Vec<Inequality>, variables: usize) -> bool {
    for _ in 0..variables {
        system = eliminate_last_variable(system);
    }
    system.iter().all(|inequality| sign(&inequality[0]) >= 0)
}

/// Fourier–Motzkin: a value of the last variable exists exactly when every lower bound on it is at
/// most every upper bound.
fn eliminate_last_variable(system: Vec<Inequality>) -> Vec<Inequality> {
    let (mut kept, mut lower, mut upper) = (Vec::new(), Vec::new(), Vec::new());
    for mut inequality in system {
        let Some(last) = inequality.pop() else { continue };
        match sign(&last) {
            1 => lower.push((inequality, last)),
            -1 => upper.push((inequality, -last)),
            _ => kept.push(inequality),
        }
    }
    for (low, low_weight) in &lower {
        for (high, high_weight) in &upper {
            kept.push(low.iter().zip(high).map(|(x, y)| x * high_weight + y * low_weight).collect());
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLAT: Tri = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];

    fn both_ways(a: &Tri, b: &Tri) -> bool {
        let answer = intersects(a, b);
        for turn in 0..3 {
            let a = [a[turn], a[(turn + 2) % 3], a[(turn + 1) % 3]];
            assert_eq!(intersects(&a, b), answer);
            assert_eq!(intersects(b, &a), answer);
        }
        answer
    }

    #[test]
    fn piercing_touching_and_missing() {
        let needle = |x: f64, y: f64, low: f64| [[x, y, low], [x, y, 3.0], [x + 9.0, y + 9.0, 3.0]];
        assert!(both_ways(&FLAT, &needle(1.0, 1.0, -1.0)));
        assert!(both_ways(&FLAT, &needle(1.0, 1.0, 0.0)));
        assert!(!both_ways(&FLAT, &needle(1.0, 1.0, 5e-324)));
        assert!(both_ways(&FLAT, &needle(2.0, 2.0, -0.0)));
        assert!(!both_ways(&FLAT, &needle(2.0, 2.0f64.next_up(), -0.0)));
        assert!(both_ways(&FLAT, &FLAT));
    }

    #[test]
    fn coplanar_pairs() {
        let moved = |x: f64, y: f64| FLAT.map(|p| [p[0] + x, p[1] + y, p[2]]);
        assert!(both_ways(&FLAT, &moved(1.0, 1.0)));
        assert!(both_ways(&FLAT, &moved(4.0, 0.0)));
        assert!(both_ways(&FLAT, &moved(2.0, 2.0)));
        assert!(!both_ways(&FLAT, &moved(2.5, 2.0)));
        let inner = [[0.5, 0.5, 0.0], [1.0, 0.5, 0.0], [0.5, 1.0, 0.0]];
        assert!(both_ways(&FLAT, &inner));
        assert!(!both_ways(&FLAT, &inner.map(|p| [p[0], p[1], 5e-324])));
    }

    #[test]
    fn segments_and_points() {
        let point = |p: [f64; 3]| [p, p, p];
        assert!(both_ways(&FLAT, &point([1.0, 1.0, 0.0])));
        assert!(!both_ways(&FLAT, &point([1.0, 1.0, -5e-324])));
        assert!(both_ways(&point([0.1; 3]), &point([0.1; 3])));
        assert!(!both_ways(&point([0.1; 3]), &point([0.1, 0.1, 0.2])));
        let segment = [[-1.0, -1.0, 0.0], [0.0, 0.0, 0.0], [3.0, 3.0, 0.0]];
        let other = [[-1.0, 1.0, 0.0], [1.0, -1.0, 0.0], [1.0, -1.0, 0.0]];
        assert!(both_ways(&segment, &other));
        assert!(both_ways(&segment, &[[3.0, 3.0, 0.0], [4.0, 4.0, 0.0], [5.0, 5.0, 0.0]]));
        assert!(!both_ways(&segment, &[[3.5, 3.5, 0.0], [4.0, 4.0, 0.0], [5.0, 5.0, 0.0]]));
        assert!(!both_ways(&segment, &other.map(|p| [p[0], p[1], 1.0])));
    }

    #[test]
    fn extreme_scales() {
        let huge = FLAT.map(|p| p.map(|x| x * 0.25e300));
        let tiny = FLAT.map(|p| p.map(|x| x * 5e-324));
        assert!(both_ways(&huge, &tiny));
        assert!(!both_ways(&huge, &tiny.map(|p| [p[0], p[1], 5e-324])));
        assert!(!both_ways(&huge, &tiny.map(|p| [p[0] - 25e-324, p[1], p[2]])));
        assert!(both_ways(&huge, &tiny.map(|p| [p[0] - 20e-324, p[1], p[2]])));
    }
}
