//! Every point that is reported is what it is said to be: by winding numbers and distances of brute
//! force, for closed meshes and for meshes with holes.

use crate::common::{mesh, plain};
use nearhit::clash::{Assembly, Basis, Class, Options};
use nearhit::{Model, Pair, Pose, Scratch, Settings, Side, Tolerance};
use nearhit_testkit::pose::pose_soup;
use nearhit_testkit::rng::Rng;
use nearhit_testkit::{Point, Soup, exact, shapes, solid};

/// A solid, with some of its triangles cut out around a place.
fn with_hole(soup: &Soup, share: f64, rng: &mut Rng) -> Soup {
    let middle = soup.triangle(rng.below(soup.len()))[0];
    let far = |corners: &[u32; 3]| {
        let corner = soup.vertices[corners[0] as usize];
        (0..3).map(|axis| (corner[axis] - middle[axis]).powi(2)).sum::<f64>()
    };
    let mut triangles = soup.triangles.clone();
    triangles.sort_by(|one, other| far(one).total_cmp(&far(other)));
    triangles.drain(..(share * soup.len() as f64) as usize);
    Soup { vertices: soup.vertices.clone(), triangles }
}

fn solids() -> [Soup; 4] {
    [
        shapes::uv_sphere(9, 12),
        shapes::torus(14, 8, 1.0, 0.4),
        shapes::cuboid([-1.0; 3], [1.0; 3]),
        shapes::axis_bars(1.0, 0.3),
    ]
}

/// How deep a point is below a surface, if it winds around the point: by brute force.
fn depth(point: Point, soup: &Soup) -> f64 {
    let nearest = solid::squared_distances(soup, point).into_iter().min().expect("some");
    let distance = exact::square_root(&nearest).high;
    let inside = solid::generalised_winding_number(soup, point).is_none_or(|winding| winding.abs() > 0.5);
    if inside { distance } else { -distance }
}

struct Placed {
    a: Soup,
    b: Soup,
    a_from_b: Pose,
    posed: Soup,
}

fn random(rng: &mut Rng, holes: bool) -> Placed {
    let all = solids();
    let pick = |rng: &mut Rng| {
        let soup = rng.choice(&all).clone();
        let share = rng.range(0.05, 0.4);
        if holes { with_hole(&soup, share, rng) } else { soup }
    };
    let (a, b) = (pick(rng), pick(rng).scaled(rng.range(0.3, 1.2)));
    let a_from_b = Pose::from_rows(rng.rotation(), rng.point(-1.2, 1.2)).expect("rigid");
    let (rotation, translation) = plain(&a_from_b);
    let posed = pose_soup(&rotation, &translation, &b);
    Placed { a, b, a_from_b, posed }
}

/// A depth that is told belongs to a point that is inside, on the surface it is said to be on, and
/// that deep.
#[test]
fn depths_of_findings_are_proven() {
    let mut rng = Rng::new(61);
    let (mut closed, mut open) = (0, 0);
    for round in 0..60 {
        let holes = round % 3 != 0;
        let placed = random(&mut rng, holes);
        let mut assembly = Assembly::new();
        let shapes = [assembly.add_mesh(mesh(&placed.a)), assembly.add_mesh(mesh(&placed.b))];
        assembly.add_part("a", shapes[0], Pose::IDENTITY).expect("in range");
        assembly.add_part("b", shapes[1], placed.a_from_b).expect("in range");
        let report = assembly.clashes(&Options::new()).expect("an answer");
        let Some(finding) = report.findings.first() else { continue };
        let Some(found) = finding.depth else {
            assert!(finding.class != Class::Hard || holes, "{finding:?}");
            continue;
        };
        assert_eq!(finding.basis, Some(if holes { Basis::WindingNumber } else { Basis::Exact }));
        assert!(finding.depth_at_most.is_none() == holes && finding.depth_at_most.is_none_or(|most| most >= found));
        let [on_a, on_b] = finding.points.map(|point| point.to_array());
        let deepest = depth(on_a, &placed.posed).max(depth(on_b, &placed.a));
        assert!((deepest - found).abs() < 1e-9, "{deepest} is said to be {finding:?}");
        if holes { open += 1 } else { closed += 1 }
    }
    assert!(closed > 8 && open > 12, "{closed} {open}");
}

/// The same of the library's own depths and of the points of contact regions.
#[test]
fn depths_of_solids_are_proven() {
    let mut rng = Rng::new(62);
    let (mut deep, mut below) = (0, 0);
    for round in 0..48 {
        let placed = random(&mut rng, round % 3 != 0);
        let (a, b) = (Model::new(mesh(&placed.a)), Model::new(mesh(&placed.b)));
        let pair = Pair::relative(&a, &b, &placed.a_from_b).expect("in range").solid();
        let (settings, mut scratch) = (Settings::default(), Scratch::new());
        let coarse = Tolerance::new(0.05, 0.02);
        let found = pair.local_depth(coarse, &settings, &mut scratch);
        let other = if found.body == Side::A { &placed.posed } else { &placed.a };
        assert!(found.depth <= 0.0 || (depth(found.point.to_array(), other) - found.depth).abs() < 1e-9, "{found:?}");
        deep += usize::from(found.depth > 0.05);
        for point in pair.contact_regions(&settings, &mut scratch).regions.iter().flat_map(|region| &region.points) {
            let deepest = depth(point.on_a.to_array(), &placed.posed).max(depth(point.on_b.to_array(), &placed.a));
            assert!(point.depth == 0.0 || (deepest - point.depth).abs() < 1e-9, "{point:?}: {deepest}");
            below += usize::from(point.depth > 0.0);
        }
    }
    assert!(deep > 15 && below > 100, "{deep} {below}");
}

/// A long rod through the wall of a cup without a lid: the rod's far end is outside, however far it
/// is from the wall.
#[test]
fn a_vertex_far_outside_is_not_the_deepest() {
    let mut cup = shapes::cuboid([-1.0; 3], [1.0; 3]);
    cup.triangles.retain(|corners| !corners.iter().all(|&vertex| cup.vertices[vertex as usize][2] == 1.0));
    assert_eq!(cup.len(), 10);
    let rod = shapes::cuboid([0.3, -0.2, -0.5], [1.3, 0.2, 12.0]);
    let mut assembly = Assembly::new();
    let shapes = [assembly.add_mesh(mesh(&cup)), assembly.add_mesh(mesh(&rod))];
    assembly.add_part("cup", shapes[0], Pose::IDENTITY).expect("in range");
    assembly.add_part("rod", shapes[1], Pose::IDENTITY).expect("in range");
    let report = assembly.clashes(&Options::new()).expect("an answer");
    let finding = &report.findings[0];
    assert_eq!((finding.class, finding.basis), (Class::Hard, Some(Basis::WindingNumber)));
    assert!(finding.depth.is_some_and(|depth| depth < 1.0), "{finding:?}");
}
