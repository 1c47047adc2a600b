//! Four pairs of triangles at once, in double precision: which of them certainly intersect, and
//! which certainly do not?
//!
//! The same determinants, from the same formulas with the same error bounds, as the first stage of
//! [`super::predicates`]: what that would leave to exact arithmetic is left open here.
//! Nothing is fused, so both paths compute the very same numbers.

use super::doubles::Doubles;
use super::predicates::{BOUND_3D, BOUND_PLANE};
use crate::mesh::Triangle;

/// Pairs that are decided together.
pub(crate) const PAIRS: usize = 4;

/// Corner and axis, then pair.
type Corners = [[[f64; PAIRS]; 3]; 3];

/// Four pairs of triangles, each in one frame. Places that are not set are any triangles.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Four {
    a: Corners,
    b: Corners,
}

impl Four {
    #[inline(always)]
    pub(crate) fn set(&mut self, place: usize, a: &Triangle, b: &Triangle) {
        for corner in 0..3 {
            let (p, q) = (a[corner].to_array(), b[corner].to_array());
            for axis in 0..3 {
                self.a[corner][axis][place % PAIRS] = p[axis];
                self.b[corner][axis][place % PAIRS] = q[axis];
            }
        }
    }
}

/// One bit for each pair. Those in neither are not decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Decided {
    pub(crate) meet: u32,
    pub(crate) apart: u32,
}

impl Decided {
    /// Does the pair meet? None if that is open.
    #[inline(always)]
    pub(crate) fn of(self, place: usize) -> Option<bool> {
        let bit = 1 << place;
        ((self.meet | self.apart) & bit != 0).then_some(self.meet & bit != 0)
    }
}

/// Signs of determinants: those of numbers, and whether they are certain.
#[derive(Debug, Clone, Copy)]
struct Signs<D> {
    value: D,
    certain: u32,
}

impl<D: Doubles> Signs<D> {
    #[inline(always)]
    fn new(determinant: D, relative: f64, magnitude: D, lengths: D) -> Self {
        let underflow = D::splat(f64::MIN_POSITIVE).mul(lengths.add(D::splat(1.0)));
        let bound = D::splat(relative).mul(magnitude).add(underflow);
        Self { value: determinant, certain: determinant.abs().above(bound) }
    }

    #[inline(always)]
    fn positive(&self) -> u32 {
        self.certain & !self.value.negative()
    }

    #[inline(always)]
    fn negative(&self) -> u32 {
        self.certain & self.value.negative()
    }
}

type Vector<D> = [D; 3];
type Three<D> = [Vector<D>; 3];

#[inline(always)]
fn load<D: Doubles>([p, q, r]: &Corners) -> Three<D> {
    [
        [D::load(&p[0]), D::load(&p[1]), D::load(&p[2])],
        [D::load(&q[0]), D::load(&q[1]), D::load(&q[2])],
        [D::load(&r[0]), D::load(&r[1]), D::load(&r[2])],
    ]
}

#[inline(always)]
fn minus<D: Doubles>(p: &Vector<D>, q: &Vector<D>) -> Vector<D> {
    [p[0].sub(q[0]), p[1].sub(q[1]), p[2].sub(q[2])]
}

#[inline(always)]
fn dot<D: Doubles>(p: &Vector<D>, q: &Vector<D>) -> D {
    p[0].mul(q[0]).add(p[1].mul(q[1])).add(p[2].mul(q[2]))
}

#[inline(always)]
fn lengths<D: Doubles>(p: &Vector<D>) -> Vector<D> {
    [p[0].abs(), p[1].abs(), p[2].abs()]
}

/// On which side of the plane of `corners` those of `others` lie: `Plane::side`.
#[inline(always)]
fn sides<D: Doubles>(corners: &Three<D>, others: &Three<D>) -> [Signs<D>; 3] {
    let (u, v) = (minus(&corners[1], &corners[0]), minus(&corners[2], &corners[0]));
    let plus = [u[1].mul(v[2]), u[2].mul(v[0]), u[0].mul(v[1])];
    let less = [u[2].mul(v[1]), u[0].mul(v[2]), u[1].mul(v[0])];
    let normal = minus(&plus, &less);
    let (plus, less) = (lengths(&plus), lengths(&less));
    let magnitude = [plus[0].add(less[0]), plus[1].add(less[1]), plus[2].add(less[2])];
    let from = &corners[0];
    [
        side((&normal, &magnitude), from, &others[0]),
        side((&normal, &magnitude), from, &others[1]),
        side((&normal, &magnitude), from, &others[2]),
    ]
}

#[inline(always)]
fn side<D: Doubles>((normal, magnitude): (&Vector<D>, &Vector<D>), from: &Vector<D>, point: &Vector<D>) -> Signs<D> {
    let way = minus(from, point);
    let length = lengths(&way);
    let sum = length[0].add(length[1]).add(length[2]);
    Signs::new(dot(normal, &way), BOUND_PLANE, dot(magnitude, &length), sum)
}

/// `orient3d`.
#[inline(always)]
fn turn<D: Doubles>(a: &Vector<D>, b: &Vector<D>, c: &Vector<D>, d: &Vector<D>) -> Signs<D> {
    let (a, b, c) = (minus(a, d), minus(b, d), minus(c, d));
    let (bc, cb) = (b[0].mul(c[1]), c[0].mul(b[1]));
    let (ca, ac) = (c[0].mul(a[1]), a[0].mul(c[1]));
    let (ab, ba) = (a[0].mul(b[1]), b[0].mul(a[1]));
    let determinant = a[2].mul(bc.sub(cb)).add(b[2].mul(ca.sub(ac))).add(c[2].mul(ab.sub(ba)));
    let (x, y, z) = (a[2].abs(), b[2].abs(), c[2].abs());
    let first = bc.abs().add(cb.abs()).mul(x);
    let second = ca.abs().add(ac.abs()).mul(y);
    let third = ab.abs().add(ba.abs()).mul(z);
    Signs::new(determinant, BOUND_3D, first.add(second).add(third), x.add(y).add(z))
}

/// Pairs of which one triangle is certainly on one side of the other's plane.
#[inline(always)]
fn on_one_side<D: Doubles>([p, q, r]: &[Signs<D>; 3]) -> u32 {
    p.positive() & q.positive() & r.positive() | p.negative() & q.negative() & r.negative()
}

/// The corner alone on its side first, the others after it in order; and the side it is on.
#[inline(always)]
fn turned<D: Doubles>([p, q, r]: &Three<D>, sides: &[Signs<D>; 3]) -> (Three<D>, D) {
    let (x, y, z) = (sides[0].value, sides[1].value, sides[2].value);
    // Where the first two agree it is the third; otherwise the second, or the first.
    let pick = (x.sign_differs(y), x.sign_differs(z));
    let corners = [chosen(&pick, p, q, r), chosen(&pick, q, r, p), chosen(&pick, r, p, q)];
    (corners, pick.0.choose(pick.1.choose(x, y), z))
}

#[inline(always)]
fn chosen<D: Doubles>(pick: &(D, D), first: &Vector<D>, second: &Vector<D>, third: &Vector<D>) -> Vector<D> {
    [
        pick.0.choose(pick.1.choose(first[0], second[0]), third[0]),
        pick.0.choose(pick.1.choose(first[1], second[1]), third[1]),
        pick.0.choose(pick.1.choose(first[2], second[2]), third[2]),
    ]
}

/// The second vectors where `sign` is negative, the first ones elsewhere.
#[inline(always)]
fn swapped<D: Doubles>(sign: D, first: &Vector<D>, second: &Vector<D>) -> Vector<D> {
    [sign.choose(second[0], first[0]), sign.choose(second[1], first[1]), sign.choose(second[2], first[2])]
}

/// What is certain of four pairs: as [`super::intersect::intersects`] goes about it
/// where no determinant is zero.
#[inline(always)]
pub(crate) fn decide<D: Doubles>(four: &Four) -> Decided {
    let (a, b) = (load::<D>(&four.a), load::<D>(&four.b));
    let (of_a, of_b) = (sides(&b, &a), sides(&a, &b));
    let apart = on_one_side(&of_a) | on_one_side(&of_b);
    let sure_a = of_a[0].certain & of_a[1].certain & of_a[2].certain;
    let sure_b = of_b[0].certain & of_b[1].certain & of_b[2].certain;
    let open = sure_a & sure_b & !apart;
    if open == 0 {
        return Decided { meet: 0, apart };
    }
    let ((a, side_of_a), (b, side_of_b)) = (turned(&a, &of_a), turned(&b, &of_b));
    // Turn each triangle so that the other's lone corner is on its positive side.
    let (b1, b2) = (swapped(side_of_a, &b[1], &b[2]), swapped(side_of_a, &b[2], &b[1]));
    let (a1, a2) = (swapped(side_of_b, &a[1], &a[2]), swapped(side_of_b, &a[2], &a[1]));
    let (one, other) = (turn(&a[0], &a1, &b[0], &b1), turn(&a[0], &a2, &b2, &b[0]));
    Decided {
        meet: open & one.negative() & other.negative(),
        apart: apart | open & (one.positive() | other.positive()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::doubles::PortableDoubles;
    use super::super::intersect::intersects;
    use super::*;
    use glam::DVec3;
    use nearhit_testkit::rng::Rng;

    /// Corners anywhere; or on a coarse lattice, so that many touch, share edges or are flat; or of
    /// absurd size.
    fn triangle(rng: &mut Rng, kind: usize) -> Triangle {
        std::array::from_fn(|_| {
            let any = DVec3::new(rng.range(-1.0, 1.0), rng.range(-1.0, 1.0), rng.range(-1.0, 1.0));
            match kind % 5 {
                0 => any,
                1 => (any * 2.0).round(),
                // Nearly flat: what is zero of the lattice is rounding here.
                2 => (any * 2.0).round() * 0.1 + DVec3::splat(0.7),
                3 => (any * 8.0).round() * 1e-160,
                _ => any * 1e155,
            }
        })
    }

    fn decides_nothing_wrongly<D: Doubles>() -> [usize; 3] {
        let (mut rng, mut counts) = (Rng::new(71), [0; 3]);
        for round in 0..20_000 {
            let mut four = Four::default();
            let pairs: [(Triangle, Triangle); PAIRS] =
                std::array::from_fn(|_| (triangle(&mut rng, round), triangle(&mut rng, round)));
            for (place, (a, b)) in pairs.iter().enumerate() {
                four.set(place, a, b);
            }
            let decided = decide::<D>(&four);
            assert_eq!(decided.meet & decided.apart, 0);
            for (place, (a, b)) in pairs.iter().enumerate() {
                let (told, truth) = (decided.of(place), intersects(a, b));
                assert!(told.is_none_or(|told| told == truth), "round {round}: {a:?} {b:?}");
                let kind = match told {
                    Some(true) => 0,
                    None => 1,
                    Some(false) => 2,
                };
                counts[kind] += usize::from(round % 5 == 0);
            }
        }
        counts
    }

    #[test]
    fn what_is_decided_is_true() {
        let [meet, open, apart] = decides_nothing_wrongly::<PortableDoubles>();
        assert!(meet > 1000 && apart > 10_000 && open == 0, "{meet} meet, {apart} apart, {open} open");
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            assert_eq!(decides_nothing_wrongly::<super::super::doubles::Avx>(), [meet, open, apart]);
        }
    }
}
