//! Clash detection: find clashes between the parts of an assembly.
//!
//!     cargo run --release --example clash

mod shapes;

use nearhit::Pose;
use nearhit::clash::{Assembly, Class, Options, Rules};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut assembly = Assembly::new();
    let plate = assembly.add_mesh(shapes::block([10.0, 10.0, 1.0])?);
    let post = assembly.add_mesh(shapes::block([1.0, 1.0, 6.0])?);
    let bolt = assembly.add_mesh(shapes::block([0.5, 0.5, 3.0])?);
    let mut add = |name: &str, shape: usize, at: [f64; 3]| -> Result<usize, Box<dyn std::error::Error>> {
        Ok(assembly.add_part(name, shape, Pose::from_translation(at)?)?)
    };
    add("base plate", plate, [0.0, 0.0, 0.0])?;
    add("top plate", plate, [0.0, 0.0, 7.0])?;
    add("left post", post, [-4.0, 0.0, 3.5])?; // Stands between the plates: faces lie on faces.
    add("right post", post, [4.0, 0.0, 3.25])?; // Too low: 0.25 deep in the base plate.
    add("bolt 1", bolt, [-4.0, 3.0, 7.0])?; // In the top plate, as bolts are.
    add("bolt 2", bolt, [4.0, 0.77, 7.0])?;
    add("bolt 2 again", bolt, [4.0, 0.77, 7.0])?; // In the same place twice.

    let rules = Rules::new(&["@fasteners:*plate"], &["fasteners=bolt*"])?;
    let options = Options::new().clearance(0.3).rules(&rules);
    let report = assembly.clashes(&options)?;

    println!("{} parts, {} pairs near each other", assembly.parts().len(), report.pairs_near);
    for finding in &report.findings {
        let [a, b] = finding.parts.map(|part| &assembly.parts()[part].name);
        let how = match finding.class {
            Class::Hard => format!("{:.4} deep", finding.depth.unwrap_or_default()),
            Class::Close => format!("gap {:.4}", finding.gap.unwrap_or_default()),
            _ => String::new(),
        };
        println!("  {:10} {a:12} {b:14} {how:14} at {:.2}", finding.class.to_string(), finding.points[0]);
    }
    println!("{} findings allowed by rules", report.allowed);
    assert_eq!(report.findings.iter().filter(|finding| finding.class == Class::Hard).count(), 1);
    Ok(())
}
