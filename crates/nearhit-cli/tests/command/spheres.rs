//! `nearhit spheres` writes what it says, and `nearhit run --query refine` knows what it claims to.

use crate::support::{Folder, HITS, complains, says, tells};
use serde_json::Value;

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

#[test]
fn the_file_has_levels_of_spheres() {
    let folder = Folder::with_case();
    for method in ["medial", "octree"] {
        let told = tells(&folder, &["spheres", "a.obj", "--depth", "2", "--method", method, "-o", "a.json"], 0);
        let file: Value = serde_json::from_str(&folder.read("a.json")).expect("JSON");
        let levels = file["levels"].as_array().expect("levels");
        assert_eq!(levels.len(), 3);
        for (index, level) in levels.iter().enumerate() {
            let spheres = level.as_array().expect("spheres");
            assert_eq!(told["levels"][index]["spheres"], spheres.len());
            for sphere in spheres {
                let center = [0, 1, 2].map(|axis| number(&sphere["center"][axis]));
                assert!(center.iter().all(|x| x.abs() < 4.0) && number(&sphere["radius"]) > 0.0, "{sphere}");
                assert!(number(&sphere["error"]) >= 0.0);
                match sphere["parent"].as_u64() {
                    None => assert_eq!(index, 0),
                    Some(parent) => assert!((parent as usize) < levels[index - 1].as_array().expect("spheres").len()),
                }
            }
        }
        // The corners of the cube are in some sphere of each level.
        for (x, y, z) in [(1.0, 1.0, 1.0), (-1.0, 1.0, -1.0)] {
            for level in levels {
                let holds = |sphere: &Value| {
                    let [u, v, w] = [0, 1, 2].map(|axis| number(&sphere["center"][axis]));
                    ((x - u) * (x - u) + (y - v) * (y - v) + (z - w) * (z - w)).sqrt() <= number(&sphere["radius"])
                };
                assert!(level.as_array().expect("spheres").iter().any(holds));
            }
        }
    }
    let text = says(&folder, &["spheres", "a.obj", "--depth", "1", "--quick", "-o", "a.json"], 0);
    assert!(text.starts_with("a.json: 12 triangles, built in "), "{text}");
    assert_eq!(text.lines().count(), 4);
}

/// Of a cube the one ball sticks out by the half diagonal less the half side; balls of the next
/// level by less.
#[test]
fn protrusion_is_measured_where_it_is_asked_for() {
    let folder = Folder::with_case();
    let told = tells(&folder, &["spheres", "a.obj", "--depth", "1", "--measure", "-o", "a.json"], 0);
    let [root, below] = [0, 1].map(|level: usize| {
        let row = &told["levels"][level];
        let [mean, most] = ["mean_protrusion", "max_protrusion"].map(|name| number(&row[name]));
        assert!(mean <= most && most <= number(&row["max_error"]), "{row}");
        mean / number(&told["levels"][0]["mean_radius"])
    });
    assert!((root - (1.0 - 1.0 / 3f64.sqrt())).abs() < 0.01 && below > 0.1 && below < root, "{root} {below}");
    // Who only wants to know needs no file.
    let told = tells(&folder, &["spheres", "a.obj", "--depth", "1", "--measure"], 0);
    assert!(told["file"].is_null() && told["levels"][1]["max_protrusion"].as_f64().is_some(), "{told}");
    assert!(complains(&folder, &["spheres", "a.obj", "--depth", "1"]).contains("--output"));
    let text = says(&folder, &["spheres", "a.obj", "--depth", "1", "--quick", "--measure", "-o", "a.json"], 0);
    assert!(text.contains("protrusion") && text.lines().count() == 4, "{text}");
    let told = tells(&folder, &["spheres", "a.obj", "--depth", "1", "-o", "a.json"], 0);
    assert_eq!(told["levels"][0].get("mean_protrusion"), None);
}

/// Lengths that are no numbers when they are added up, or nothing with three digits.
#[test]
fn huge_and_tiny_meshes_have_a_table_that_can_be_read() {
    let folder = Folder::with_case();
    for (size, shown) in [("1e300", "e299"), ("1e-12", "e-13")] {
        let corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]];
        let line = |it: &[i32; 3]| format!("v {}\n", it.map(|x| if x == 1 { size } else { "0" }).join(" "));
        let text: String = corners.iter().map(line).collect();
        folder.write("odd.obj", &(text + "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"));
        let measured = says(&folder, &["spheres", "odd.obj", "--depth", "1", "--measure", "-o", "odd.json"], 0);
        assert!(
            measured.lines().nth(2).is_some_and(|row| row.contains(shown)) && !measured.contains("inf"),
            "{measured}"
        );
        std::fs::hard_link(folder.file("odd.obj"), folder.file(&format!("link{size}.json"))).expect("links");
        let link = format!("link{size}.json");
        assert!(complains(&folder, &["spheres", "odd.obj", "-o", &link]).contains("is the mesh itself"));
        let text = says(&folder, &["spheres", "odd.obj", "--depth", "1", "--quick", "-o", "odd.json"], 0);
        assert!(text.lines().nth(2).is_some_and(|row| row.contains(shown)), "{text}");
        assert!(!text.contains("inf") && text.lines().all(|line| line.len() < 80), "{text}");
    }
}

#[test]
fn the_looser_policy_gives_another_tree_below_level_one() {
    let folder = Folder::with_case();
    let spheres = |policy: &str| {
        let told = tells(&folder, &["spheres", "a.obj", "--depth", "2", "--policy", policy, "-o", "a.json"], 0);
        [0, 1, 2].map(|level: usize| number(&told["levels"][level]["mean_radius"]))
    };
    let (safest, looser) = (spheres("safest"), spheres("looser"));
    assert_eq!(safest[..2], looser[..2], "the first two levels have nothing above them to differ by");
    assert_ne!(safest[2], looser[2]);
}

#[test]
fn refinement_is_exact_with_time_and_honest_without() {
    let folder = Folder::with_case();
    let poses = |folder: &Folder| -> Vec<Value> {
        folder.read("poses.jsonl").lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    };
    let run = ["run", ".", "--query", "refine", "--repeat", "1", "--per-pose", "poses.jsonl"];
    let told = tells(&folder, &run, 0);
    assert_eq!((&told["query"], &told["undecided"]), (&"refine".into(), &0.into()), "{told}");
    let hits: Vec<bool> = poses(&folder).iter().map(|line| line["collides"].as_bool().expect("decided")).collect();
    assert_eq!(hits, HITS);
    let exact = poses(&folder);
    tells(&folder, &[&run[..], &["--work", "40"]].concat(), 0);
    let mut open = 0;
    for (line, exact) in poses(&folder).iter().zip(&exact) {
        assert!(number(&line["lower"]) <= number(&exact["upper"]) && number(&line["upper"]) >= number(&exact["lower"]));
        assert!(line["level"].as_u64() <= exact["level"].as_u64(), "{line}");
        open += u32::from(line["collides"].is_null());
    }
    assert!(open >= 4, "{open}");
}

/// The corners and the middle of the cube are in some ball, and fewer balls are larger.
#[test]
fn so_many_balls_contain_the_solid() {
    let folder = Folder::with_case();
    let mut last = f64::INFINITY;
    for count in ["1", "8", "64"] {
        let told = tells(&folder, &["spheres", "a.obj", "--count", count, "-o", "a.json"], 0);
        let file: Value = serde_json::from_str(&folder.read("a.json")).expect("JSON");
        let balls = file["links"][0]["spheres"].as_array().expect("balls");
        assert_eq!((&file["links"][0]["link"], &told["spheres"]), (&"a".into(), &balls.len().into()));
        assert!(balls.len() <= count.parse().expect("a count") && told["solid"].as_bool() == Some(true));
        for point in [[1.0, 1.0, 1.0], [-1.0, 1.0, -1.0], [0.0; 3], [0.3, -0.2, 0.9]] {
            let holds = |ball: &Value| {
                let gap = |axis: usize| (point[axis] - number(&ball["center"][axis])).powi(2);
                (gap(0) + gap(1) + gap(2)).sqrt() <= number(&ball["radius"])
            };
            assert!(balls.iter().any(holds), "{point:?} is in none of {count}");
        }
        let [out, largest] = ["sticks_out", "largest"].map(|name| number(&told[name]));
        assert!(out <= largest && largest < 0.7 * last, "{told} after {last}");
        last = largest;
    }
    let told = tells(&folder, &["spheres", "a.obj", "--sticks-out", "0.4"], 0);
    assert!(number(&told["sticks_out"]) <= 0.4 && (2..=8).contains(&told["spheres"].as_u64().expect("a count")));
    says(&folder, &["spheres", "a.obj", "--count", "3", "-o", "balls.urdf", "--format", "urdf"], 0);
    let info = tells(&folder, &["robot", "info", "balls.urdf"], 0);
    assert_eq!(info["bodies"].as_array().map(Vec::len), Some(3), "{info}");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let folder = Folder::with_case();
    let deep = complains(&folder, &["spheres", "a.obj", "--depth", "9", "-o", "a.json"]);
    assert!(deep.contains("--depth 9: must be at most 6"), "{deep}");
    let quick = complains(&folder, &["spheres", "a.obj", "--method", "octree", "--quick", "-o", "a.json"]);
    assert!(quick.contains("--quick has no effect"), "{quick}");
    let loose = complains(&folder, &["spheres", "a.obj", "--method", "octree", "--policy", "looser", "-o", "a.json"]);
    assert!(loose.contains("--policy looser has no effect"), "{loose}");
    assert!(complains(&folder, &["spheres", "a.obj", "-o", "a.obj"]).contains("is the mesh itself"));
    let refuses = |arguments: &[&str], expected: &str| {
        let text = complains(&folder, &[&["spheres", "a.obj"], arguments].concat());
        assert!(text.contains(expected), "{text}");
    };
    refuses(&["--count", "0"], "--count must be from 1 to 1024");
    refuses(&["--count", "5000"], "--count must be from 1 to 1024");
    refuses(&["--count", "5", "-o", "a.obj"], "is the mesh itself");
    refuses(&["--count", "5", "--depth", "2"], "cannot be used with");
    refuses(&["--sticks-out", "-1"], "--sticks-out");
    refuses(&["--sticks-out", "0"], "the limit is 0: it must be a finite number above 0");
    folder.write("big.obj", "v 0 0 0\nv 1e300 0 0\nv 0 1e300 0\nv 0 0 -1e300\nf 1 2 3\nf 1 4 2\nf 2 4 3\nf 1 3 4\n");
    let big = complains(&folder, &["spheres", "big.obj", "--count", "4", "-o", "big.json"]);
    assert!(big.contains("it reaches to 1e300: balls are made up to 1e90 only"), "{big}");
    refuses(&["-o", "a.json", "--format", "urdf"], "--format is for --count and --sticks-out");
}
