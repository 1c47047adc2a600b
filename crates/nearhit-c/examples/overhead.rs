//! What a call through C costs beside the same query in Rust: nanoseconds a query, the least of
//! several rounds.
//!
//!     cargo run --release -p nearhit-c --example overhead

use nearhit::{Mesh, Model, Pair, Pose, Scratch, Settings, Tolerance};
use nearhit_c::model::{nearhit_model, nearhit_model_free, nearhit_model_from_arrays};
use nearhit_c::nearhit_status;
use nearhit_c::pose::nearhit_pose;
use nearhit_c::settings::{nearhit_scratch, nearhit_scratch_free, nearhit_scratch_new, nearhit_settings};
use nearhit_c::surfaces::{nearhit_collide, nearhit_collide_result, nearhit_distance, nearhit_distance_result};
use std::hint::black_box;
use std::mem::MaybeUninit;
use std::ptr::NonNull;
use std::time::Instant;

const ROUNDS: usize = 15;

/// A torus around z of 2 n² triangles.
fn torus(n: u32) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    let angle = |i: u32| f64::from(i) * std::f64::consts::TAU / f64::from(n);
    let vertex = |u: u32, v: u32| {
        let ring = 1.0 + 0.2 * angle(v).cos();
        [ring * angle(u).cos(), ring * angle(u).sin(), 0.2 * angle(v).sin()]
    };
    let index = |u: u32, v: u32| (u % n) * n + v % n;
    let grid = || (0..n).flat_map(move |u| (0..n).map(move |v| (u, v)));
    let vertices = grid().map(|(u, v)| vertex(u, v)).collect();
    let faces = grid().flat_map(|(u, v)| {
        let [a, b, c, d] = [index(u, v), index(u + 1, v), index(u + 1, v + 1), index(u, v + 1)];
        [[a, b, c], [a, c, d]]
    });
    (vertices, faces.collect())
}

/// Turned about x and moved along it: some touch, most do not.
fn poses(count: u32) -> Vec<nearhit_pose> {
    let pose = |i: u32| {
        let (sin, cos) = (0.37 * f64::from(i)).sin_cos();
        let rotation = [[1.0, 0.0, 0.0], [0.0, cos, -sin], [0.0, sin, cos]];
        nearhit_pose { rotation, translation: [0.6 + 2.4 * f64::from(i) / f64::from(count), 0.3, 0.1] }
    };
    (0..count).map(pose).collect()
}

/// Nanoseconds a query in the quickest round.
fn nanoseconds(queries: usize, mut round: impl FnMut()) -> f64 {
    let times = (0..ROUNDS).map(|_| {
        let start = Instant::now();
        round();
        start.elapsed().as_nanos() as f64 / queries as f64
    });
    times.fold(f64::INFINITY, f64::min)
}

/// Everything that C holds.
struct InC {
    model: *mut nearhit_model,
    scratch: *mut nearhit_scratch,
}

impl InC {
    fn new(vertices: &[[f64; 3]], faces: &[[u32; 3]]) -> Self {
        let (mut model, mut scratch) = (MaybeUninit::uninit(), MaybeUninit::uninit());
        let (corners, triangles) = (vertices.as_flattened(), faces.as_flattened());
        #[allow(unsafe_code)]
        // SAFETY: as many numbers as said; both handles are written on success.
        unsafe {
            let made = nearhit_model_from_arrays(
                corners.as_ptr(),
                vertices.len(),
                triangles.as_ptr(),
                faces.len(),
                0,
                Some(&mut model),
                None,
            );
            assert_eq!(made, nearhit_status::Ok);
            assert_eq!(nearhit_scratch_new(Some(&mut scratch), None), nearhit_status::Ok);
            Self { model: model.assume_init(), scratch: scratch.assume_init() }
        }
    }

    #[allow(unsafe_code)]
    fn model(&self) -> Option<&nearhit_model> {
        // SAFETY: made by `new` and freed by `drop`.
        unsafe { self.model.as_ref() }
    }

    #[allow(unsafe_code)]
    fn collide(&self, pose: &nearhit_pose, settings: &nearhit_settings) {
        let mut result = MaybeUninit::<nearhit_collide_result>::uninit();
        // SAFETY: handles live; the answer is not looked at unless it was written.
        let status = unsafe {
            nearhit_collide(self.model(), None, self.model(), Some(pose), Some(settings), Some(&mut result), None)
        };
        assert_eq!(black_box(status), nearhit_status::Ok);
        black_box(&result);
    }

    #[allow(unsafe_code)]
    fn distance(&self, pose: &nearhit_pose, settings: &nearhit_settings) {
        let mut result = MaybeUninit::<nearhit_distance_result>::uninit();
        // SAFETY: handles live; the answer is not looked at unless it was written.
        let status = unsafe {
            nearhit_distance(self.model(), None, self.model(), Some(pose), Some(settings), Some(&mut result), None)
        };
        assert_eq!(black_box(status), nearhit_status::Ok);
        black_box(&result);
    }
}

impl Drop for InC {
    #[allow(unsafe_code)]
    fn drop(&mut self) {
        // SAFETY: both are the handles that were made, and are freed once.
        unsafe {
            nearhit_model_free(Some(Box::from_raw(self.model)));
            nearhit_scratch_free(Some(Box::from_raw(self.scratch)));
        }
    }
}

fn compare(n: u32) {
    let ((vertices, faces), poses) = (torus(n), poses(2000));
    let model = Model::new(Mesh::new(&vertices, &faces).expect("a mesh"));
    let in_c = InC::new(&vertices, &faces);
    let cold = nearhit_settings::default();
    let warm = nearhit_settings { scratch: NonNull::new(in_c.scratch), ..cold };
    let (settings, mut scratch) = (Settings::default(), Scratch::new());
    let pair = |pose: &nearhit_pose| {
        let pose = Pose::from_rows(pose.rotation, pose.translation).expect("a pose");
        Pair::new(&model, &Pose::IDENTITY, &model, &pose).expect("a pair")
    };
    let rust = nanoseconds(poses.len(), || {
        for pose in &poses {
            black_box(pair(pose).collide(&settings, &mut scratch));
        }
    });
    let c = nanoseconds(poses.len(), || poses.iter().for_each(|pose| in_c.collide(pose, &warm)));
    let fresh = nanoseconds(poses.len(), || poses.iter().for_each(|pose| in_c.collide(pose, &cold)));
    println!("{:6} triangles  collide   Rust {rust:8.0}  C {c:8.0}  C without scratch {fresh:8.0}", 2 * n * n);
    let rust = nanoseconds(poses.len(), || {
        for pose in &poses {
            black_box(pair(pose).distance(Tolerance::EXACT, &settings, &mut scratch));
        }
    });
    let c = nanoseconds(poses.len(), || poses.iter().for_each(|pose| in_c.distance(pose, &warm)));
    let fresh = nanoseconds(poses.len(), || poses.iter().for_each(|pose| in_c.distance(pose, &cold)));
    println!("{:6} triangles  distance  Rust {rust:8.0}  C {c:8.0}  C without scratch {fresh:8.0}", 2 * n * n);
}

fn main() {
    for n in [4, 12, 50] {
        compare(n);
    }
}
