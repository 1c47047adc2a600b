//! parry3d's shapes as a peer, in double precision: `peer-parry-shapes FILE`. The protocol is in
//! ../../../shapes/harness.hpp.

use parry3d_f64::math::{Matrix, Pose, Rotation, Vector};
use parry3d_f64::query;
use parry3d_f64::shape::{
    Ball, Capsule, Cone, ConvexPolyhedron, Cuboid, Cylinder, HalfSpace, Shape, SharedShape, TriMesh,
};
use std::io::{BufRead, Write};
use std::time::Instant;

struct Placed {
    a: usize,
    b: usize,
    touching: usize,
    poses: Vec<[f64; 12]>,
}

fn points(values: &[f64]) -> Vec<Vector> {
    values.chunks(3).map(|p| Vector::new(p[0], p[1], p[2])).collect()
}

/// None where parry has no such shape.
fn shape(words: &[&str]) -> Option<SharedShape> {
    let s: Vec<f64> = words[1..].iter().filter_map(|word| word.parse().ok()).collect();
    Some(match words[0] {
        "ball" => SharedShape::new(Ball::new(s[0])),
        "capsule" => {
            let end = Vector::new(0.0, 0.0, 0.5 * s[1]);
            SharedShape::new(Capsule::new(-end, end, s[0]))
        }
        "box" => SharedShape::new(Cuboid::new(Vector::new(0.5 * s[0], 0.5 * s[1], 0.5 * s[2]))),
        "cylinder" => SharedShape::new(Cylinder::new(0.5 * s[1], s[0])),
        "cone" => SharedShape::new(Cone::new(0.5 * s[1], s[0])),
        "halfspace" => SharedShape::new(HalfSpace::new(Vector::new(s[0], s[1], s[2]))),
        "hull" | "mesh" => {
            let (corners, faces) = s[2..].split_at(3 * s[0] as usize);
            let faces: Vec<[u32; 3]> = faces.chunks(3).map(|f| [f[0] as u32, f[1] as u32, f[2] as u32]).collect();
            if words[0] == "hull" {
                SharedShape::new(ConvexPolyhedron::from_convex_mesh(points(corners), &faces)?)
            } else {
                SharedShape::new(TriMesh::new(points(corners), faces).ok()?)
            }
        }
        _ => return None,
    })
}

/// Cylinders and cones lie along y here, along z in the file.
fn own(shape: Option<&SharedShape>) -> Pose {
    let along_y = shape.is_some_and(|shape| shape.as_cylinder().is_some() || shape.as_cone().is_some());
    let quarter = Rotation::from_rotation_x(std::f64::consts::FRAC_PI_2);
    Pose::from_parts(Vector::ZERO, if along_y { quarter } else { Rotation::IDENTITY })
}

fn pose(p: &[f64; 12]) -> Pose {
    let rows = [0, 3, 6].map(|row| Vector::new(p[row], p[row + 1], p[row + 2]));
    let rotation = Rotation::from_mat3(&Matrix::from_cols(rows[0], rows[1], rows[2]).transpose());
    Pose::from_parts(Vector::new(p[9], p[10], p[11]), rotation)
}

fn ask(question: &str, a: (&dyn Shape, &Pose), b: (&dyn Shape, &Pose)) -> Option<f64> {
    let ((a, pa), (b, pb)) = (a, b);
    match question {
        "collide" => Some(f64::from(u8::from(query::intersection_test(pa, a, pb, b).ok()?.intersecting))),
        "distance" => Some(query::distance(pa, a, pb, b).ok()?.distance),
        "depth" => Some(query::contact(pa, a, pb, b, 0.0).ok()?.map_or(0.0, |contact| -contact.dist)),
        _ => None,
    }
}

fn main() {
    let path = std::env::args().nth(1).expect("peer-parry-shapes FILE");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let (mut shapes, mut kinds, mut pairs): (Vec<Option<SharedShape>>, Vec<String>, Vec<Placed>) = Default::default();
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["shape", ..] => {
                shapes.push(shape(&words[1..]));
                kinds.push(words[1].to_owned());
            }
            ["pair", a, b, touching, _] => {
                let [a, b, touching] = [a, b, touching].map(|word| word.parse().expect("a number"));
                pairs.push(Placed { a, b, touching, poses: Vec::new() });
            }
            _ => {
                let numbers: Vec<f64> = words.iter().filter_map(|word| word.parse().ok()).collect();
                let pair = pairs.last_mut().expect("a pair before its poses");
                pair.poses.push(numbers.try_into().expect("twelve numbers"));
            }
        }
    }
    println!("ready");
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (what, question, index) = (words[0], words[1], words[2].parse::<usize>().expect("a pair"));
        let repeats: usize = words.get(3).map_or(1, |word| word.parse().expect("a number"));
        println!("{}", answer(what, question, &pairs[index], &shapes, &kinds, repeats));
        std::io::stdout().flush().expect("someone listens");
    }
}

fn answer(
    what: &str,
    question: &str,
    pair: &Placed,
    shapes: &[Option<SharedShape>],
    kinds: &[String],
    repeats: usize,
) -> String {
    let unsupported = || "unsupported".to_owned();
    let (Some(a), Some(b)) = (&shapes[pair.a], &shapes[pair.b]) else { return unsupported() };
    if question == "depth" && kinds[pair.a] == "mesh" {
        return unsupported();
    }
    let first = if question == "distance" { pair.touching } else { 0 };
    let end = if question == "depth" { pair.touching } else { pair.poses.len() };
    let pose_a = own(Some(a));
    let placed: Vec<Pose> = pair.poses[first..end].iter().map(|numbers| pose(numbers) * own(Some(b))).collect();
    let once = |pose: &Pose| ask(question, (&**a, &pose_a), (&**b, pose));
    let answers: Option<Vec<f64>> = placed.iter().map(once).collect();
    let Some(answers) = answers else { return unsupported() };
    if what == "answers" {
        return answers.iter().map(|answer| format!("{answer:e} ")).collect();
    }
    let start = Instant::now();
    let mut sum = 0.0;
    for _ in 0..repeats {
        for pose in &placed {
            sum += once(pose).unwrap_or(0.0);
        }
    }
    let took = start.elapsed().as_nanos() as f64;
    std::hint::black_box(sum);
    format!("{}", if placed.is_empty() { 0.0 } else { took / (repeats * placed.len()) as f64 })
}
