//! The paper's own figures, as printed in its tables.

/// N_bv and N_p in millions, and the time of a query in milliseconds on the machines of 1999.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    /// Millions of pairs of volumes.
    pub(super) volumes: f64,
    /// Millions of pairs of triangles.
    pub(super) triangles: f64,
    /// Milliseconds a query.
    pub(super) time: f64,
}

const fn row(volumes: f64, triangles: f64, time: f64) -> Row {
    Row { volumes, triangles, time }
}

/// Tables 2, 3 and 4; for each volume: virtual prototyping, falling tori, path planning, dynamics
/// simulation.
pub(super) type Table = [(&'static str, [Row; 4]); 6];

/// Table 2: collision.
pub(super) const COLLISION: Table = [
    ("sphere", [row(4.92, 1.44, 173.92), row(6.15, 0.70, 7.2947), row(70.5, 30.9, 449.06), row(23.1, 8.68, 119.43)]),
    ("aabb", [row(0.61, 0.05, 19.2), row(5.64, 0.38, 9.4972), row(7.22, 1.45, 40.328), row(15.6, 2.46, 70.819)]),
    ("obb", [row(0.39, 0.002, 31.883), row(0.99, 0.01, 4.9359), row(1.92, 0.20, 25.974), row(2.10, 0.082, 20.604)]),
    ("lss", [row(1.89, 0.208, 80.504), row(3.20, 0.20, 7.3875), row(4.20, 1.02, 34.097), row(1.97, 0.253, 10.674)]),
    ("rss", [row(0.37, 0.002, 36.65), row(0.75, 0.01, 4.6245), row(1.85, 0.21, 29.965), row(1.42, 0.081, 18.094)]),
    ("mixed", [row(0.43, 0.002, 31.024), row(0.92, 0.01, 4.7934), row(1.97, 0.21, 29.134), row(1.55, 0.085, 17.795)]),
];

/// Table 3: separation distance.
pub(super) const DISTANCE: Table = [
    (
        "sphere",
        [row(6.45, 2.06, 721.4), row(9.54, 1.474, 41.05), row(95.59, 42.704, 1577.869), row(83.49, 33.67, 938.063)],
    ),
    ("aabb", [row(1.58, 0.31, 170.75), row(9.25, 1.00, 37.764), row(9.56, 2.11, 103.69), row(73.9, 16.5, 616.34)]),
    ("obb", [row(1.76, 0.12, 1443.8), row(1.56, 0.04, 75.565), row(1.14, 0.042, 92.443), row(12.2, 0.91, 625.36)]),
    ("lss", [row(3.01, 0.49, 289.46), row(5.36, 0.51, 23.947), row(4.1, 0.975, 51.279), row(13.2, 2.15, 111.37)]),
    ("rss", [row(1.70, 0.11, 213.3), row(1.50, 0.051, 9.02), row(1.70, 0.196, 25.018), row(10.5, 0.90, 121.88)]),
    ("mixed", [row(1.80, 0.12, 220.07), row(1.70, 0.05, 9.47), row(1.92, 0.209, 26.743), row(11.0, 0.94, 129.08)]),
];

/// Table 4: distance to a relative error of a tenth.
pub(super) const APPROXIMATE: Table = [
    ("sphere", [row(6.30, 2.005, 748.64), row(8.92, 1.307, 38.23), row(89.58, 39.97, 1494.2), row(45.7, 17.4, 609.01)]),
    ("aabb", [row(1.47, 0.28, 167.27), row(8.58, 0.855, 34.60), row(8.18, 1.70, 88.104), row(40.8, 7.02, 358.78)]),
    ("obb", [row(1.53, 0.072, 1347.9), row(1.36, 0.018, 66.995), row(0.93, 0.01, 78.835), row(5.43, 0.173, 363.22)]),
    ("lss", [row(2.90, 0.463, 279.87), row(4.95, 0.445, 21.93), row(3.62, 0.84, 45.874), row(4.15, 0.506, 42.603)]),
    ("rss", [row(1.47, 0.071, 174.86), row(1.32, 0.028, 7.73), row(1.54, 0.164, 23.026), row(3.74, 0.173, 50.44)]),
    ("mixed", [row(1.57, 0.075, 180.24), row(1.50, 0.028, 8.13), row(1.72, 0.17, 24.10), row(3.85, 0.179, 51.724)]),
];

/// Table 5, in the order of its rows: path computation and path verification.
pub(super) const TRAVERSAL: [[Row; 2]; 5] = [
    [row(25.93, 5.514, 219.55), row(23.54, 5.279, 294.95)],
    [row(1.389, 0.162, 20.61), row(0.783, 0.099, 9.771)],
    [row(11.385, 2.353, 101.911), row(0.736, 0.086, 9.841)],
    [row(1.378, 0.159, 20.295), row(0.683, 0.076, 8.397)],
    [row(1.126, 0.121, 16.517), row(0.679, 0.075, 6.164)],
];

/// Table 1: what a distance of two cores costs, in that of two points.
pub(super) const CORE_COSTS: [f64; 6] = [1.0, 1.25, 1.53, 1.83, 2.39, 3.10];

/// §4.3.5: the paper's rectangle distance is about this many times faster than its GJK.
pub(super) const GJK_COST: f64 = 4.0;
