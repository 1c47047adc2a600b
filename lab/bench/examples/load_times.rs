//! How much faster is loading a tree than building it? A table over every volume, on meshes of
//! 100,000 triangles.
//!
//!     cargo run --release -p nearhit-bench --example load_times [VOLUME]...
//!
//! Rule min sum, flying data included, with leaves of 1 triangle and of 40 as in the k-DOP paper.
//! Best of ten loads; one build. Volumes that are named are shown on more meshes: flying data is
//! quick or slow to check by how many of the points are on the hull, and how many of those in a
//! plane.

use nearhit::research::ModelExt;
use nearhit::research::VolumeKind;
use nearhit::research::build::{AxisRule, BuildOptions};
use nearhit::research::hierarchy::Tumbling;
use nearhit::{Mesh, Model};
use nearhit_datasets::shapes;
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|wanted| wanted == name);
    let all = [
        ("wrinkled torus", shapes::wrinkled_torus(316, 158, 3)),
        ("smooth torus", shapes::torus(316, 158, 1.0, 0.4)),
        ("ball", shapes::icosphere(70)),
        ("pipes", shapes::pipes(100_000, 6)),
    ];
    let meshes = if wanted.is_empty() { &all[..1] } else { &all[..] };
    println!("{} threads", rayon::current_num_threads());
    println!(
        "{:15} {:>9} {:8} {:>4} {:>10} {:>10} {:>10} {:>7} {:>8}",
        "mesh", "triangles", "volume", "leaf", "build ms", "save ms", "load ms", "times", "MB"
    );
    for (name, soup) in meshes {
        let mesh = Mesh::new(&soup.vertices, &soup.triangles)?;
        for &kind in VolumeKind::ALL.iter().filter(|kind| is_wanted(kind.name())) {
            for leaf_size in [BuildOptions::ENVIRONMENT_LEAF_SIZE, BuildOptions::FLYING_LEAF_SIZE] {
                let options = BuildOptions::new().axis(AxisRule::MinSum).leaf_size(leaf_size);
                row(name, leaf_size, || Model::with(mesh.clone(), kind, &options).tumbling(Tumbling::PAPER))?;
            }
        }
        if is_wanted("auto") {
            row(name, 1, || Model::new(mesh.clone()))?;
        }
    }
    Ok(())
}

fn row(mesh: &str, leaf_size: usize, build: impl Fn() -> Model) -> Result<(), Box<dyn std::error::Error>> {
    let milliseconds = |duration: Duration| duration.as_secs_f64() * 1e3;
    let start = Instant::now();
    let model = build();
    let building = milliseconds(start.elapsed());
    let mut file = Vec::new();
    let start = Instant::now();
    model.save(&mut file)?;
    let saving = milliseconds(start.elapsed());
    let mut loading = f64::INFINITY;
    for _ in 0..10 {
        let start = Instant::now();
        let loaded = Model::from_bytes(&file)?;
        loading = loading.min(milliseconds(start.elapsed()));
        assert!(loaded.is_same_tree(&model), "what was loaded is not what was built");
    }
    let (name, times, size) = (model.volume_name(), building / loading, file.len() as f64 / 1e6);
    let triangles = model.mesh().triangles().len();
    println!(
        "{mesh:15} {triangles:9} {name:8} {leaf_size:4} {building:10.1} {saving:10.1} {loading:10.1} {times:7.1} {size:8.1}"
    );
    Ok(())
}
