//! Meshes made from a few numbers or a seed. Those that bound a solid are closed and face outwards.

mod engine;
mod furniture;
mod pipes;
mod round;
mod sheets;
mod solids;
mod tetrahedra;
mod topology;
mod tubes;
mod vehicles;

pub use engine::{BORE_RADIUS, BORE_SPACING, engine_block, piston};
pub use furniture::{hand, interior, piano, robot_arm, room};
pub use pipes::pipes;
pub use round::{icosphere, torus, uv_sphere, uv_sphere_of, wrinkled_torus};
pub use sheets::{cave, wavy_sheet};
pub use solids::{axis_bars, axis_bars_boxes, cuboid, tetrahedron};
pub use tetrahedra::{disjoint_tetrahedra, tetrahedron_in_sphere};
pub use topology::{signed_volume, unmatched_edges};
pub use tubes::{Ring, cylinder, tube};
pub use vehicles::{aeroplane, desktop_lamp, faucet, refined_to, rocket, truck_chassis};
