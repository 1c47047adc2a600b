//! parry3d as a peer: `peer-parry f32|f64 CASE`. The protocol is in ../harness.hpp.

use std::alloc::{GlobalAlloc, Layout, System};
use std::fs;
use std::io::{BufRead, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// Counts what is allocated, for the memory of a model.
struct Counting;

static ALLOCATED: AtomicUsize = AtomicUsize::new(0);

// SAFETY: hands everything to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATED.fetch_add(layout.size(), Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        ALLOCATED.fetch_sub(layout.size(), Ordering::Relaxed);
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

struct Soup {
    vertices: Vec<[f64; 3]>,
    triangles: Vec<[u32; 3]>,
}

fn numbers<T: std::str::FromStr>(line: &str) -> Vec<T> {
    line.split_whitespace().filter_map(|word| word.parse().ok()).collect()
}

fn read(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn read_obj(path: &str) -> Soup {
    let text = read(path);
    let rows = |kind: &'static str| text.lines().filter_map(move |line| line.strip_prefix(kind));
    let vertices = rows("v ").map(|row| numbers(row).try_into().expect("three numbers")).collect();
    let triangles = rows("f ").map(|row| <[u32; 3]>::try_from(numbers(row)).expect("three indices").map(|i| i - 1));
    Soup { vertices, triangles: triangles.collect() }
}

/// Rotations row by row and translations, of a and b.
fn read_poses(path: &str) -> Vec<[f64; 24]> {
    let text = read(path);
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| numbers(line).try_into().expect("24 numbers")).collect()
}

macro_rules! peer {
    ($module:ident, $parry:ident, $real:ty) => {
        mod $module {
            use super::*;
            use $parry::math::{Matrix, Pose, Rotation, Vector};
            use $parry::query::{self, PointQuery, Ray, RayCast};
            use $parry::shape::TriMesh;

            fn vector(v: &[f64]) -> Vector {
                Vector::new(v[0] as $real, v[1] as $real, v[2] as $real)
            }

            fn pose(p: &[f64]) -> Pose {
                let rows = [0, 3, 6].map(|row| vector(&p[row..]));
                let rotation = Rotation::from_mat3(&Matrix::from_cols(rows[0], rows[1], rows[2]).transpose());
                Pose::from_parts(vector(&p[9..]), rotation)
            }

            fn mesh(soup: &Soup) -> TriMesh {
                let vertices = soup.vertices.iter().map(|v| vector(v)).collect();
                TriMesh::new(vertices, soup.triangles.clone()).expect("a mesh")
            }

            pub fn serve(folder: &str) {
                let soups = ["a", "b"].map(|name| read_obj(&format!("{folder}/{name}.obj")));
                let poses: Vec<[Pose; 2]> = read_poses(&format!("{folder}/poses.txt"))
                    .iter()
                    .map(|numbers| [pose(&numbers[..12]), pose(&numbers[12..])])
                    .collect();
                let (before, start) = (ALLOCATED.load(Ordering::Relaxed), Instant::now());
                let [a, b] = soups.each_ref().map(mesh);
                let build = start.elapsed().as_secs_f64() * 1e3;
                println!("ready {build:.3} {}", ALLOCATED.load(Ordering::Relaxed) - before);
                let (mut file, mut rays): (String, Vec<Ray>) = (String::new(), Vec::new());
                for line in std::io::stdin().lock().lines().map_while(Result::ok) {
                    let mut words = line.split_whitespace();
                    let question = words.next().unwrap_or_default();
                    let (question, parameter) = question.split_once(':').unwrap_or((question, ""));
                    let range: Vec<usize> = words.filter_map(|word| word.parse().ok()).collect();
                    let &[first, count] = range.as_slice() else { continue };
                    if matches!(question, "ray" | "point") && file != parameter {
                        file = parameter.to_owned();
                        let rows = read(&file);
                        rays = rows
                            .lines()
                            .map(numbers::<f64>)
                            .map(|row| Ray::new(vector(&row), vector(&row[3..])))
                            .collect();
                    }
                    let ask = |index: usize| -> Option<f64> {
                        let pair = |index: usize| (&poses[index][0], &poses[index][1]);
                        Some(match question {
                            "collide" => {
                                let (pa, pb) = pair(index);
                                f64::from(u8::from(query::intersection_test(pa, &a, pb, &b).ok()?.intersecting))
                            }
                            "distance" => {
                                let (pa, pb) = pair(index);
                                f64::from(query::distance(pa, &a, pb, &b).ok()?.distance)
                            }
                            "ray" => a.cast_local_ray(&rays[index], <$real>::MAX, false).map_or(-1.0, f64::from),
                            "point" => {
                                let point = rays[index].origin;
                                f64::from(point.distance(a.project_local_point(point, false).point))
                            }
                            _ => return None,
                        })
                    };
                    let mut out = std::io::stdout().lock();
                    for index in first..first + count {
                        let start = Instant::now();
                        let answer = ask(index);
                        let took = start.elapsed().as_nanos();
                        match answer {
                            Some(answer) => write!(out, "{took} {answer:e} ").expect("someone listens"),
                            None => {
                                write!(out, "unsupported").expect("someone listens");
                                break;
                            }
                        }
                    }
                    writeln!(out).and_then(|()| out.flush()).expect("someone listens");
                }
            }
        }
    };
}

peer!(single, parry3d, f32);
peer!(double, parry3d_f64, f64);

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    match arguments.get(1..).unwrap_or_default() {
        [precision, folder] if precision == "f32" => single::serve(folder),
        [precision, folder] if precision == "f64" => double::serve(folder),
        _ => panic!("peer-parry f32|f64 CASE"),
    }
}
