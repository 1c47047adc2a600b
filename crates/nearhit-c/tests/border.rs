//! The border from the Rust side: panics, messages, arrays, locks. What C sees is tested in C
//! (tests/c, scripts/test-c).

#![allow(unsafe_code)]

use nearhit_c::border::guard;
use nearhit_c::contacts::{
    nearhit_contact_list_new, nearhit_contact_list_pairs, nearhit_contact_list_points, nearhit_contacts_with_points,
};
use nearhit_c::mesh::{nearhit_mesh, nearhit_mesh_free, nearhit_mesh_new};
use nearhit_c::model::{nearhit_model, nearhit_model_free, nearhit_model_from_arrays};
use nearhit_c::pose::nearhit_pose;
use nearhit_c::settings::{nearhit_scratch_free, nearhit_scratch_new, nearhit_settings};
use nearhit_c::spheres::{
    nearhit_refinement_free, nearhit_refinement_new, nearhit_refinement_run, nearhit_sphere_tree_free,
    nearhit_sphere_tree_new,
};
use nearhit_c::surfaces::{nearhit_distance, nearhit_distance_result};
use nearhit_c::{nearhit_error, nearhit_status};
use std::ffi::CStr;
use std::mem::MaybeUninit;
use std::ptr::NonNull;

/// A tetrahedron, stretched.
fn corners(size: f64) -> [f64; 12] {
    [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0].map(|x| x * size)
}
const FACES: [u32; 12] = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3];

fn message(error: &nearhit_error) -> String {
    // SAFETY: the library ends every message with a zero.
    unsafe { CStr::from_ptr(error.message.as_ptr()) }.to_str().expect("UTF-8").to_owned()
}

/// What a call that must fail says.
fn failure(
    call: impl FnOnce(Option<&mut MaybeUninit<nearhit_error>>) -> nearhit_status,
) -> (nearhit_status, i64, String) {
    let mut error = MaybeUninit::uninit();
    let status = call(Some(&mut error));
    assert_ne!(status, nearhit_status::Ok, "was not refused");
    // SAFETY: a call that fails fills in its error.
    let error: nearhit_error = unsafe { error.assume_init() };
    assert_eq!(error.status, status);
    (status, error.index, message(&error))
}

fn model(size: f64) -> Box<nearhit_model> {
    let (corners, mut out) = (corners(size), MaybeUninit::uninit());
    // SAFETY: four corners and four faces; the handle is written on success and freed once.
    unsafe {
        let made = nearhit_model_from_arrays(corners.as_ptr(), 4, FACES.as_ptr(), 4, 0, Some(&mut out), None);
        assert_eq!(made, nearhit_status::Ok);
        Box::from_raw(out.assume_init())
    }
}

fn at(x: f64, y: f64, z: f64) -> nearhit_pose {
    nearhit_pose { rotation: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], translation: [x, y, z] }
}

#[test]
fn a_panic_becomes_a_status_with_its_words() {
    let (status, index, words) = failure(|error| guard(error, || panic!("cannot be: {}", 7)));
    assert_eq!((status, index), (nearhit_status::Panic, -1));
    assert!(words.contains("please report it: cannot be: 7"), "{words}");
    // Without a place for words, too.
    assert_eq!(guard(None, || panic!("again")), nearhit_status::Panic);
}

#[test]
fn a_panic_whose_payload_panics_when_dropped_is_caught() {
    struct Loud;
    impl Drop for Loud {
        fn drop(&mut self) {
            panic!("dropped");
        }
    }
    assert_eq!(guard(None, || std::panic::panic_any(Loud)), nearhit_status::Panic);
}

#[test]
fn success_leaves_the_error_as_it_was() {
    let mut error = MaybeUninit::new(nearhit_error { status: nearhit_status::Busy, index: 42, message: [1; 512] });
    assert_eq!(guard(Some(&mut error), || Ok(())), nearhit_status::Ok);
    // SAFETY: it was initialised above.
    let error = unsafe { error.assume_init() };
    assert_eq!((error.status, error.index, error.message[511]), (nearhit_status::Busy, 42, 1));
}

#[test]
fn long_messages_are_cut_between_characters() {
    // Every length around the limit, with characters of two bytes.
    for pad in 0..4 {
        let long = format!("{}{}", "x".repeat(pad), "é".repeat(400));
        let (_, _, words) = failure(|error| guard(error, || panic!("{long}")));
        assert!(words.len() >= 510 && words.len() <= 511, "{}", words.len());
        assert!(words.ends_with('é'));
    }
}

#[test]
fn what_is_not_made_is_null_and_arrays_are_checked() {
    let (corners, mut out) = (corners(1.0), MaybeUninit::new(NonNull::<nearhit_mesh>::dangling().as_ptr()));
    // SAFETY: arrays are as long as said where they are read at all.
    unsafe {
        let odd = corners.as_ptr().cast::<u8>().add(1).cast();
        for (vertices, count, expected) in [
            (std::ptr::null(), 4, nearhit_status::NullPointer),
            (odd, 3, nearhit_status::InvalidArgument),
            (corners.as_ptr(), usize::MAX / 8, nearhit_status::WrongSize),
            (corners.as_ptr(), 3, nearhit_status::Mesh),
            (std::ptr::null(), 0, nearhit_status::Mesh),
        ] {
            let call = |error: Option<&mut MaybeUninit<nearhit_error>>| {
                nearhit_mesh_new(vertices, count, FACES.as_ptr(), 4, Some(&mut out), error)
            };
            assert_eq!(failure(call).0, expected, "{count}");
            assert!(out.assume_init().is_null());
        }
        assert_eq!(nearhit_mesh_new(corners.as_ptr(), 4, FACES.as_ptr(), 4, Some(&mut out), None), nearhit_status::Ok);
        nearhit_mesh_free(Some(Box::from_raw(out.assume_init())));
    }
}

#[test]
fn working_memory_in_use_is_refused() {
    let (model, mut scratch) = (model(1.0), MaybeUninit::uninit());
    assert_eq!(nearhit_scratch_new(Some(&mut scratch), None), nearhit_status::Ok);
    // SAFETY: written on success; freed at the end.
    let scratch = unsafe { scratch.assume_init() };
    let settings = nearhit_settings { scratch: NonNull::new(scratch), ..nearhit_settings::default() };
    let address = (&raw const settings) as usize;
    let busy = std::thread::scope(|scope| {
        let ask = |_| {
            let model = &model;
            scope.spawn(move || {
                // SAFETY: the settings live as long as the threads, and only their lock is written
                // to.
                let settings = unsafe { &*(address as *const nearhit_settings) };
                let mut statuses = Vec::new();
                for step in 0..2000 {
                    let (pose, mut result) = (at(2.0 + 1e-3 * f64::from(step), 0.0, 0.0), MaybeUninit::uninit());
                    // SAFETY: handles live.
                    let status = unsafe {
                        nearhit_distance(
                            Some(model),
                            None,
                            Some(model),
                            Some(&pose),
                            Some(settings),
                            Some(&mut result),
                            None,
                        )
                    };
                    if status == nearhit_status::Ok {
                        // SAFETY: written on success.
                        let result: nearhit_distance_result = unsafe { result.assume_init() };
                        assert!((result.upper - (1.0 + 1e-3 * f64::from(step))).abs() < 1e-12);
                    }
                    statuses.push(status);
                }
                statuses
            })
        };
        let threads: Vec<_> = (0..16).map(ask).collect();
        let all: Vec<_> = threads.into_iter().flat_map(|thread| thread.join().expect("no panic")).collect();
        assert!(all.iter().all(|status| [nearhit_status::Ok, nearhit_status::Busy].contains(status)));
        all.iter().filter(|&&status| status == nearhit_status::Busy).count()
    });
    assert!(busy < 16 * 2000, "it was never to be had");
    // SAFETY: made above, freed once.
    nearhit_scratch_free(Some(unsafe { Box::from_raw(scratch) }));
    nearhit_model_free(Some(model));
}

#[test]
fn answers_are_in_the_world() {
    let model = model(1.0);
    // a quarter turned about z and moved: its frame is not the world's.
    let turned = nearhit_pose {
        rotation: [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]],
        translation: [10.0, 20.0, 30.0],
    };
    let (near, mut result) = (at(10.25, 20.25, 32.0), MaybeUninit::uninit());
    // SAFETY: handles live; the answer is written on success.
    let found: nearhit_distance_result = unsafe {
        let status =
            nearhit_distance(Some(&model), Some(&turned), Some(&model), Some(&near), None, Some(&mut result), None);
        assert_eq!(status, nearhit_status::Ok);
        result.assume_init()
    };
    // The tip of a is at (10, 20, 31) of the world, b's nearest corner at (10.25, 20.25, 32).
    assert_eq!((found.point_a, found.point_b), ([10.0, 20.0, 31.0], [10.25, 20.25, 32.0]));
    let (mut list, crossing) = (MaybeUninit::uninit(), at(9.8, 20.1, 30.1));
    // SAFETY: the list is written on success, and freed as a box at the end.
    unsafe {
        assert_eq!(nearhit_contact_list_new(Some(&mut list), None), nearhit_status::Ok);
        let mut list = Box::from_raw(list.assume_init());
        let (a, b) = (Some(&*model), Some(&*model));
        let status = nearhit_contacts_with_points(a, Some(&turned), b, Some(&crossing), None, Some(&mut list), None);
        assert_eq!(status, nearhit_status::Ok);
        let (mut pairs, mut points) = (MaybeUninit::uninit(), MaybeUninit::uninit());
        nearhit_contact_list_pairs(Some(&list), Some(&mut pairs));
        assert!(pairs.assume_init() > 0);
        for pair in 0..pairs.assume_init() {
            let first = nearhit_contact_list_points(Some(&list), pair, Some(&mut points));
            for number in std::slice::from_raw_parts(first, 3 * points.assume_init()).chunks(3) {
                assert!(number[0] > 9.0 && number[1] > 20.0 && number[2] >= 30.0, "{number:?}");
            }
        }
    }
}

/// A refinement is of two trees at two poses: others are noticed.
#[test]
fn a_refinement_begins_anew_with_other_trees_and_follows_moved_ones() {
    let (small, large) = (model(1.0), model(3.0));
    let tree = |model: &nearhit_model, depth| {
        let mut out = MaybeUninit::uninit();
        assert_eq!(nearhit_sphere_tree_new(Some(model), depth, 2, Some(&mut out), None), nearhit_status::Ok);
        // SAFETY: written on success.
        unsafe { Box::from_raw(out.assume_init()) }
    };
    let trees = [tree(&small, 1), tree(&large, 3)];
    let mut state = MaybeUninit::uninit();
    assert_eq!(nearhit_refinement_new(Some(&mut state), None), nearhit_status::Ok);
    // SAFETY: written on success.
    let state = unsafe { state.assume_init() };
    // Trees of a and b, and where b is: one thing changes at a time.
    let asked = [
        (0, 0, 4.0),
        (1, 0, 4.0),
        (0, 0, 4.0),
        (0, 0, 6.0),
        (1, 0, 6.0),
        (1, 0, 4.0),
        (1, 1, 4.0),
        (0, 1, 4.0),
        (0, 1, 4.0),
        (0, 1, 2.5),
        (1, 1, 3.5),
    ];
    for (step, &(a, b, x)) in asked.iter().chain(&asked).enumerate() {
        let (pose, mut result) = (at(x, 0.0, 0.0), MaybeUninit::uninit());
        // b's corner at its origin is nearest to a's tip on the x axis.
        let distance = x - [1.0, 3.0][a];
        let (a, b) = (&trees[a], &trees[b]);
        // SAFETY: handles live; the answer is written on success.
        let known = unsafe {
            let status = nearhit_refinement_run(
                NonNull::new(state),
                Some(a),
                None,
                Some(b),
                Some(&pose),
                None,
                Some(&mut result),
                None,
            );
            assert_eq!(status, nearhit_status::Ok, "step {step}");
            result.assume_init()
        };
        assert!(known.lower <= distance + 1e-12 && distance <= known.upper + 1e-12, "step {step}: {known:?}");
    }
    // SAFETY: made above, freed once.
    nearhit_refinement_free(Some(unsafe { Box::from_raw(state) }));
    trees.into_iter().for_each(|tree| nearhit_sphere_tree_free(Some(tree)));
}
