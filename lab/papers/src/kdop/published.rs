//! The paper's figures.

use nearhit::research::VolumeKind;
use nearhit::research::build::AxisRule;

/// The paper's volumes.
pub(super) const VOLUMES: [VolumeKind; 4] =
    [VolumeKind::KDop6, VolumeKind::KDop14, VolumeKind::KDop18, VolumeKind::KDop26];

/// §5.2.1: a triangle pair, in ms.
pub(super) const C_P: f64 = 0.0035;
/// Table 1, in ms, by [`VOLUMES`].
pub(super) const C_V: [f64; 4] = [0.0008, 0.0016, 0.0020, 0.0028];
/// Table 1, in ms, by [`VOLUMES`].
pub(super) const C_U: [f64; 4] = [0.0045, 0.0174, 0.0235, 0.0509];

/// Table 2: ms per check, [`VOLUMES`] then RAPID, by flight.
pub(super) const TABLE_2: [[f64; 5]; 5] = [
    [0.487, 0.294, 1.639, 0.582, 4.375],
    [0.392, 0.191, 0.760, 0.153, 2.701],
    [0.366, 0.184, 0.356, 0.109, 2.754],
    [0.525, 0.210, 0.415, 0.076, 2.639],
    [0.934, 0.242, 0.494, 0.556, 4.375],
];
/// Table 2: contacts, by flight.
pub(super) const CONTACTS: [u64; 5] = [2657, 1472, 7906, 0, 84_931];
/// Table 2: steps, by flight.
pub(super) const STEPS: [u64; 5] = [2000, 2000, 10_000, 1000, 2528];

/// The rules, in the order of Tables 3 to 5.
pub(super) const RULES: [(&str, AxisRule); 4] = [
    ("longest side", AxisRule::LongestSide),
    ("min sum", AxisRule::MinSum),
    ("min max", AxisRule::MinMax),
    ("splatter", AxisRule::Splatter),
];
/// Table 3: minutes to build, rules then RAPID, by flight.
pub(super) const TABLE_3: [[f64; 5]; 5] = [
    [3.61, 1.61, 1.69, 0.31, 5.78],
    [26.75, 19.12, 20.98, 7.17, 31.03],
    [28.03, 19.16, 20.87, 7.19, 31.13],
    [3.63, 1.62, 1.71, 0.32, 5.71],
    [1.05, 0.69, 0.71, 0.26, 1.31],
];
/// Table 4: ms per check, split at the mean, by flight.
pub(super) const TABLE_4: [[f64; 5]; 4] = [
    [0.384, 0.192, 0.366, 0.111, 3.036],
    [0.356, 0.185, 0.330, 0.108, 2.667],
    [0.391, 0.191, 0.439, 0.111, 2.783],
    [0.366, 0.184, 0.356, 0.109, 2.754],
];
/// Table 5: ms per check, split at the median, by flight.
pub(super) const TABLE_5: [[f64; 5]; 4] = [
    [0.476, 0.193, 0.412, 0.116, 3.164],
    [0.450, 0.192, 0.359, 0.111, 2.822],
    [0.530, 0.196, 0.450, 0.114, 3.080],
    [0.481, 0.194, 0.396, 0.113, 2.774],
];

/// The gaps of Tables 6 and 7.
pub(super) const ALPHAS: [f64; 8] = [0.55, 0.1, 0.055, 0.01, 0.0055, 0.001, 0.00055, 0.0001];
/// Table 6: N_v, [`VOLUMES`] then RAPID, by gap.
pub(super) const TABLE_6: [[u64; 8]; 5] = [
    [388, 49_494, 76_506, 109_086, 113_200, 116_340, 116_710, 116_948],
    [32, 16_888, 41_782, 85_656, 90_896, 95_150, 95_564, 96_056],
    [46, 11_236, 34_744, 79_968, 86_036, 91_482, 92_124, 92_684],
    [22, 4_652, 23_774, 74_052, 81_160, 87_622, 88_322, 88_968],
    [121, 3_333, 7_479, 41_645, 60_327, 91_983, 95_717, 100_047],
];
/// Table 7: N_v, [`VOLUMES`] then RAPID, by gap.
pub(super) const TABLE_7: [[u64; 8]; 5] = [
    [278, 289_126, 494_278, 1_129_398, 1_223_900, 1_320_158, 1_329_154, 1_337_116],
    [14, 85_012, 239_884, 831_528, 960_952, 1_102_260, 1_115_030, 1_127_908],
    [46, 55_390, 194_414, 762_668, 903_056, 1_063_346, 1_079_676, 1_095_868],
    [14, 12_218, 119_556, 675_152, 831_104, 1_019_272, 1_038_126, 1_058_072],
    [117, 2_441, 5_495, 43_589, 87_071, 428_027, 609_843, 932_561],
];
