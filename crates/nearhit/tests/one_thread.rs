//! A small model is built in the thread that asks for it, without waking any other.
//!
//! A binary of its own with one test: nothing else may start threads meanwhile.

use nearhit::{Mesh, Model};

/// A bumpy grid of `2 · cells²` triangles.
fn grid(cells: u32) -> Mesh {
    let at = |index: u32| {
        let (x, y) = (f64::from(index / (cells + 1)), f64::from(index % (cells + 1)));
        [x, y, (x * 0.7).sin() * (y * 0.4).cos()]
    };
    let vertices: Vec<[f64; 3]> = (0..(cells + 1) * (cells + 1)).map(at).collect();
    let cell = |index: u32| {
        let corner = index / cells * (cells + 1) + index % cells;
        [[corner, corner + 1, corner + cells + 1], [corner + 1, corner + cells + 2, corner + cells + 1]]
    };
    Mesh::new(&vertices, &(0..cells * cells).flat_map(cell).collect::<Vec<_>>()).expect("legal")
}

/// Threads of this process, where the system tells.
fn threads() -> Option<usize> {
    Some(std::fs::read_dir("/proc/self/task").ok()?.count())
}

#[test]
fn small_models_wake_no_thread() {
    let Some(before) = threads() else {
        println!("skipped: the system does not list threads");
        return;
    };
    for cells in [1, 3, 20, 49] {
        let mesh = grid(cells);
        assert!(mesh.triangles().len() < 5_000);
        let model = Model::new(mesh);
        assert_eq!(threads(), Some(before), "{} triangles", model.mesh().triangles().len());
    }
    // Or the test could not fail.
    drop(Model::new(grid(120)));
    assert!(cfg!(not(feature = "parallel")) || threads() > Some(before), "nothing wakes threads");
}
