//! Shapes, robots and assemblies from the Rust side of the border: what C is told, in the world and
//! in numbers that can be worked out by hand. The same from C: tests/c.

#![allow(unsafe_code)]

use nearhit_c::clash::{
    nearhit_assembly_add, nearhit_assembly_clashes, nearhit_assembly_free, nearhit_assembly_new, nearhit_clash_class,
    nearhit_clash_list_clashes, nearhit_clash_list_free, nearhit_clash_list_new,
};
use nearhit_c::model::{nearhit_model, nearhit_model_free, nearhit_model_from_arrays};
use nearhit_c::pose::nearhit_pose;
use nearhit_c::results::nearhit_verdict;
use nearhit_c::robot::{
    nearhit_robot, nearhit_robot_add_to_world, nearhit_robot_find, nearhit_robot_free, nearhit_robot_parse,
};
use nearhit_c::robot_ask::{
    nearhit_path_options, nearhit_path_result, nearhit_robot_collides, nearhit_robot_gradient, nearhit_robot_path_clear,
};
use nearhit_c::scene::{nearhit_scene, nearhit_scene_free, nearhit_scene_new};
use nearhit_c::scene_add::{nearhit_scene_add, nearhit_scene_add_shape};
use nearhit_c::shape::{nearhit_shape, nearhit_shape_free, nearhit_shape_mesh, nearhit_shape_parse};
use nearhit_c::shape_contacts::{
    nearhit_scene_contacts, nearhit_shape_contact, nearhit_shape_contact_list_contacts,
    nearhit_shape_contact_list_free, nearhit_shape_contact_list_new,
};
use nearhit_c::shape_pair::{nearhit_penetration_result, nearhit_shape_penetration};
use nearhit_c::{nearhit_error, nearhit_status};
use std::ffi::CString;
use std::mem::MaybeUninit;
use std::ptr::NonNull;

/// The answer of a call that must succeed.
fn answer<T>(
    call: impl FnOnce(Option<&mut MaybeUninit<T>>, Option<&mut MaybeUninit<nearhit_error>>) -> nearhit_status,
) -> T {
    let mut out = MaybeUninit::uninit();
    assert_eq!(call(Some(&mut out), None), nearhit_status::Ok);
    // SAFETY: a call that succeeds fills in its answer.
    unsafe { out.assume_init() }
}

fn shape(text: &str) -> Box<nearhit_shape> {
    let text = CString::new(text).expect("no zero");
    // SAFETY: a text; the handle is freed once.
    unsafe { Box::from_raw(answer(|out, error| nearhit_shape_parse(text.as_ptr(), out, error))) }
}

/// A cube with corners at plus and minus one.
fn cube() -> Box<nearhit_model> {
    let corners: Vec<f64> = (0..24).map(|i| if (i / 3) >> (i % 3) & 1 == 1 { 1.0 } else { -1.0 }).collect();
    let faces: [u32; 36] =
        [0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5];
    // SAFETY: eight corners and twelve faces; the handle is freed once.
    unsafe {
        let made = |out: Option<&mut _>, error: Option<&mut _>| {
            nearhit_model_from_arrays(corners.as_ptr(), 8, faces.as_ptr(), 12, 0, out, error)
        };
        Box::from_raw(answer(made))
    }
}

fn at(x: f64, y: f64, z: f64) -> nearhit_pose {
    nearhit_pose { rotation: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], translation: [x, y, z] }
}

/// Turned by half a circle about z.
fn turned(x: f64, y: f64, z: f64) -> nearhit_pose {
    nearhit_pose { rotation: [[-1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0]], translation: [x, y, z] }
}

fn close(found: [f64; 3], expected: [f64; 3]) -> bool {
    found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-9)
}

#[test]
fn penetration_is_in_the_world() {
    let (block, ball) = (shape("box:2,2,2"), shape("ball:0.5"));
    // SAFETY: live handles.
    let found: nearhit_penetration_result = answer(|out, error| unsafe {
        let (a, b) = (turned(100.0, 0.0, 0.0), at(101.25, 0.0, 0.0));
        nearhit_shape_penetration(Some(&block), Some(&a), Some(&ball), Some(&b), None, out, error)
    });
    assert!(found.lower <= 0.25 + 1e-12 && found.upper >= 0.25 - 1e-12 && found.upper < 0.2501, "{found:?}");
    assert!(close(found.normal, [1.0, 0.0, 0.0]), "{found:?}");
    assert!(close(found.point_a, [101.0, 0.0, 0.0]) && close(found.point_b, [100.75, 0.0, 0.0]), "{found:?}");
    nearhit_shape_free(Some(block));
    nearhit_shape_free(Some(ball));
}

/// What a scene's list has.
fn contacts(scene: NonNull<nearhit_scene>) -> Vec<nearhit_shape_contact> {
    // SAFETY: live handles, and as many contacts as are counted.
    unsafe {
        let mut list = Box::from_raw(answer(|out, error| nearhit_shape_contact_list_new(out, error)));
        assert_eq!(nearhit_scene_contacts(Some(scene), Some(&mut list), None), nearhit_status::Ok);
        let mut count = MaybeUninit::uninit();
        let first = nearhit_shape_contact_list_contacts(Some(&list), Some(&mut count));
        let found = std::slice::from_raw_parts(first, count.assume_init()).to_vec();
        nearhit_shape_contact_list_free(Some(list));
        found
    }
}

#[test]
fn contacts_of_a_scene_have_bodies_points_and_depths() {
    let (ball, model) = (shape("ball:0.5"), cube());
    // SAFETY: live handles and texts.
    unsafe {
        let scene = NonNull::new(answer(|out, error| nearhit_scene_new(0, 0, out, error))).expect("a scene");
        let place = |shape: Option<&nearhit_shape>, name: &str, pose: nearhit_pose| {
            let name = CString::new(name).expect("no zero");
            answer(|out, error| match shape {
                Some(_) => nearhit_scene_add_shape(Some(scene), name.as_ptr(), shape, Some(&pose), None, out, error),
                None => nearhit_scene_add(Some(scene), name.as_ptr(), Some(&model), Some(&pose), None, out, error),
            })
        };
        let one = place(None, "one", turned(10.0, 0.0, 0.0));
        let drop = place(Some(&ball), "ball", at(10.0, 0.0, 1.25));
        let found = contacts(scene);
        // Two triangles of the upper face meet where the ball is.
        assert_eq!(found.len(), 2, "{found:?}");
        for contact in &found {
            assert_eq!((contact.body_a, contact.body_b, contact.pieces.b), (one, drop, 0), "{contact:?}");
            assert!(close(contact.normal, [0.0, 0.0, 1.0]) && (contact.depth_upper - 0.25).abs() < 1e-9, "{contact:?}");
            assert!(close(contact.point, [10.0, 0.0, 0.875]), "{contact:?}");
        }
        // Two meshes, of which a scene itself has triangles alone.
        let two = place(None, "two", at(11.5, 1.5, 1.75));
        let found = contacts(scene);
        let meshes: Vec<_> = found.iter().filter(|contact| contact.body_b == two && contact.body_a == one).collect();
        assert!(meshes.len() >= 6, "{found:?}");
        for contact in meshes {
            // Somewhere between the two triangles, with a way out.
            let [x, y, z] = contact.point;
            assert!(
                (9.0..=12.5).contains(&x) && (-1.0..=2.5).contains(&y) && (-1.0..=2.75).contains(&z),
                "{contact:?}"
            );
            let [x, y, z] = contact.normal;
            assert!((x * x + y * y + z * z - 1.0).abs() < 1e-9 && contact.depth_upper >= 0.0, "{contact:?}");
            assert!(contact.pieces.a < 12 && contact.pieces.b < 12, "{contact:?}");
        }
        nearhit_scene_free(Some(Box::from_raw(scene.as_ptr())));
    }
    nearhit_shape_free(Some(ball));
    nearhit_model_free(Some(model));
}

#[test]
fn a_mesh_is_the_solid_or_surface_that_is_asked_for() {
    let (model, ball) = (cube(), shape("ball:0.25"));
    for (solid, expected) in [(0, nearhit_verdict::No), (1, nearhit_verdict::Yes)] {
        // SAFETY: live handles.
        unsafe {
            let mesh = Box::from_raw(answer(|out, error| nearhit_shape_mesh(Some(&model), solid, out, error)));
            let found: nearhit_c::surfaces::nearhit_collide_result = answer(|out, error| {
                nearhit_c::shape_pair::nearhit_shape_collide(Some(&mesh), None, Some(&ball), None, None, out, error)
            });
            assert_eq!(found.verdict, expected);
            nearhit_shape_free(Some(mesh));
        }
    }
    nearhit_shape_free(Some(ball));
    nearhit_model_free(Some(model));
}

const ARM: &str = "<robot name='arm'><link name='base'/><link name='hand'><collision><geometry><sphere radius='0.1'/>\
    </geometry></collision></link><joint name='slide' type='prismatic'><parent link='base'/><child link='hand'/>\
    <axis xyz='1 0 0'/><limit lower='0' upper='2' effort='1' velocity='1'/></joint></robot>";

/// A ball of 0.1 on a slide along x, and a wall from 0.95 to 1.05.
fn arm() -> NonNull<nearhit_robot> {
    let (urdf, folder, name) = (CString::new(ARM), CString::new("."), CString::new("wall"));
    let (urdf, folder, name) = (urdf.expect("text"), folder.expect("text"), name.expect("text"));
    let wall = shape("box:0.1,1,1");
    // SAFETY: live handles and texts.
    unsafe {
        let robot = NonNull::new(answer(|out, error| {
            nearhit_robot_parse(urdf.as_ptr(), std::ptr::null(), folder.as_ptr(), None, out, error)
        }));
        let added = nearhit_robot_add_to_world(robot, name.as_ptr(), Some(&wall), Some(&at(1.0, 0.0, 0.0)), None);
        assert_eq!(added, nearhit_status::Ok);
        nearhit_shape_free(Some(wall));
        robot.expect("a robot")
    }
}

#[test]
fn a_robot_tells_contacts_distances_and_lines() {
    let robot = arm();
    let path = |to: f64, clearance: f64| -> nearhit_path_result {
        let options = nearhit_path_options { clearance, resolution: 0.0, budget: 0 };
        // SAFETY: live handles, one number each.
        answer(|out, error| unsafe {
            let (from, to) = ([0.5], [to]);
            nearhit_robot_path_clear(Some(robot), from.as_ptr(), to.as_ptr(), 1, Some(&options), None, out, error)
        })
    };
    // SAFETY: live handles, one number each.
    unsafe {
        for (q, expected) in [(0.5, false), (0.9, true), (1.5, false)] {
            assert_eq!(
                answer(|out, error| nearhit_robot_collides(Some(robot), [q].as_ptr(), 1, None, out, error)),
                expected,
                "{q}"
            );
        }
        let mut slope = [0.0];
        let gap = answer(|out, error| {
            nearhit_robot_gradient(Some(robot), [0.5].as_ptr(), 1, None, out, slope.as_mut_ptr(), 1, error)
        });
        assert!((gap.upper - 0.35).abs() < 1e-9 && (slope[0] + 1.0).abs() < 1e-9, "{gap:?} {slope:?}");
        let contact = answer(|out, error| {
            nearhit_robot_gradient(Some(robot), [0.9].as_ptr(), 1, None, out, slope.as_mut_ptr(), 1, error)
        });
        assert_eq!((contact.upper, slope[0]), (0.0, 0.0));
        assert!(close(gap.point_a, [0.6, 0.0, 0.0]) && (gap.point_b[0] - 0.95).abs() < 1e-9, "{gap:?}");
        let name = CString::new("wall").expect("text");
        let wall = answer(|out, error| nearhit_robot_find(Some(robot), 2, name.as_ptr(), out, error)) as u32;
        assert_eq!((gap.bodies.a, gap.bodies.b), (0, wall));
        let found = path(1.5, 0.0);
        assert_eq!((found.is_clear, found.bodies.b), (nearhit_verdict::No, wall));
        assert!(found.certain_until <= 0.35 && (found.contact_at - 0.35).abs() < 1e-5, "{found:?}");
        assert_eq!(path(0.8, 0.0).is_clear, nearhit_verdict::Yes);
        // 0.05 apart at the end.
        assert_eq!(path(0.8, 0.04).is_clear, nearhit_verdict::Yes);
        assert_eq!(path(0.8, 0.06).is_clear, nearhit_verdict::No);
        nearhit_robot_free(Some(Box::from_raw(robot.as_ptr())));
    }
}

#[test]
fn parts_of_an_assembly_share_models_and_clash() {
    let model = cube();
    // SAFETY: live handles and texts; as many clashes as are counted.
    unsafe {
        let assembly = NonNull::new(answer(|out, error| nearhit_assembly_new(out, error)));
        for (name, pose) in [("one", at(0.0, 0.0, 0.0)), ("two", at(1.75, 0.0, 0.0)), ("top", at(0.0, 0.0, 2.0))] {
            let name = CString::new(name).expect("text");
            let added = nearhit_assembly_add(assembly, name.as_ptr(), Some(&model), Some(&pose), None, None);
            assert_eq!(added, nearhit_status::Ok);
        }
        let mut list = Box::from_raw(answer(|out, error| nearhit_clash_list_new(out, error)));
        assert_eq!(nearhit_assembly_clashes(assembly, None, Some(&mut list), None), nearhit_status::Ok);
        let mut count = MaybeUninit::uninit();
        let first = nearhit_clash_list_clashes(Some(&list), Some(&mut count));
        let found = std::slice::from_raw_parts(first, count.assume_init());
        let kinds: Vec<_> = found.iter().map(|clash| (clash.kind, clash.part_a, clash.part_b)).collect();
        assert_eq!(kinds[0], (nearhit_clash_class::Hard, 0, 1), "{found:?}");
        assert!(kinds.contains(&(nearhit_clash_class::Touching, 0, 2)), "{found:?}");
        let hard = &found[0];
        assert!(
            hard.volume_lower <= 1.0 + 1e-9 && hard.volume_upper >= 1.0 - 1e-9 && hard.volume_upper < 1.01,
            "{hard:?}"
        );
        assert!(hard.depth_lower > 0.24 && hard.depth_lower <= 0.25 + 1e-9 && hard.gap == 0.0, "{hard:?}");
        nearhit_clash_list_free(Some(list));
        nearhit_assembly_free(assembly.map(|assembly| Box::from_raw(assembly.as_ptr())));
    }
    nearhit_model_free(Some(model));
}
