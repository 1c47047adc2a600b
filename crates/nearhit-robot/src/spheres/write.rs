//! Sphere models as files of planners.

use crate::joint::{Joint, JointKind};
use crate::robot::Robot;
use crate::srdf::LinkSpheres;
use nearhit::Pose;
use std::fmt::Write;

/// What a sphere model is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SphereFormat {
    /// JSON: links, and for each its balls.
    Json,
    /// A URDF whose collision geometry are the balls (as VAMP's and Foam's).
    Urdf,
    /// An SRDF with `<link_sphere_approximation>`.
    Srdf,
    /// cuRobo's YAML: `collision_spheres`.
    CuRobo,
    /// Isaac's XRDF.
    Xrdf,
    /// JSON in Foam's words: for each link a list of `origin` and `radius`.
    Foam,
}

impl SphereFormat {
    /// All of them, with their names.
    pub const ALL: [(&'static str, Self); 6] = [
        ("json", Self::Json),
        ("urdf", Self::Urdf),
        ("srdf", Self::Srdf),
        ("curobo", Self::CuRobo),
        ("xrdf", Self::Xrdf),
        ("foam", Self::Foam),
    ];

    /// The balls of a robot's links as text.
    #[must_use]
    pub fn text(self, robot: &Robot, balls: &[LinkSpheres]) -> String {
        match self {
            Self::Json => json(robot, balls),
            Self::Foam => foam(robot, balls),
            Self::Urdf => urdf(robot, balls),
            Self::Srdf => srdf(robot, balls),
            Self::CuRobo => format!("robot_cfg:\n  kinematics:\n    collision_spheres:\n{}", yaml(robot, balls, 6)),
            Self::Xrdf => format!(
                "format: xrdf\nformat_version: 1.0\ngeometry:\n  collision_model:\n    spheres:\n{}\
                 collision:\n  geometry: collision_model\n",
                yaml(robot, balls, 6)
            ),
        }
    }
}

fn json(robot: &Robot, balls: &[LinkSpheres]) -> String {
    let ball = |(center, radius): &([f64; 3], f64)| format!("{{\"center\":{center:?},\"radius\":{radius:?}}}");
    let link = |link: &LinkSpheres| {
        let spheres: Vec<String> = link.spheres.iter().map(ball).collect();
        format!("{{\"link\":{},\"spheres\":[{}]}}", quoted(&robot.links()[link.link].name), spheres.join(","))
    };
    format!("{{\"links\":[{}]}}\n", balls.iter().map(link).collect::<Vec<_>>().join(","))
}

fn foam(robot: &Robot, balls: &[LinkSpheres]) -> String {
    let ball = |(center, radius): &([f64; 3], f64)| format!("{{\"origin\":{center:?},\"radius\":{radius:?}}}");
    let link = |link: &LinkSpheres| {
        let spheres: Vec<String> = link.spheres.iter().map(ball).collect();
        format!("{}:[{}]", quoted(&robot.links()[link.link].name), spheres.join(","))
    };
    format!("{{{}}}\n", balls.iter().map(link).collect::<Vec<_>>().join(","))
}

/// A string of JSON, and of YAML.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            control if control < ' ' => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(control));
            }
            other => quoted.push(other),
        }
    }
    quoted + "\""
}

fn yaml(robot: &Robot, balls: &[LinkSpheres], indent: usize) -> String {
    let mut text = String::new();
    for link in balls {
        let _ = writeln!(text, "{:indent$}{}:", "", quoted(&robot.links()[link.link].name));
        for (center, radius) in &link.spheres {
            let _ = writeln!(text, "{:indent$}  - center: {center:?}\n{:indent$}    radius: {radius:?}", "", "");
        }
    }
    text
}

fn srdf(robot: &Robot, balls: &[LinkSpheres]) -> String {
    let mut text = format!("<?xml version=\"1.0\"?>\n<robot name=\"{}\">\n", escaped(robot.name()));
    for link in balls {
        let _ = writeln!(text, "  <link_sphere_approximation link=\"{}\">", escaped(&robot.links()[link.link].name));
        for ([x, y, z], radius) in &link.spheres {
            let _ = writeln!(text, "    <sphere center=\"{x:?} {y:?} {z:?}\" radius=\"{radius:?}\"/>");
        }
        text += "  </link_sphere_approximation>\n";
    }
    text + "</robot>\n"
}

fn urdf(robot: &Robot, balls: &[LinkSpheres]) -> String {
    let mut text = format!("<?xml version=\"1.0\"?>\n<robot name=\"{}\">\n", escaped(robot.name()));
    for (index, link) in robot.links().iter().enumerate() {
        let _ = writeln!(text, "  <link name=\"{}\">", escaped(&link.name));
        for ([x, y, z], radius) in balls.iter().filter(|own| own.link == index).flat_map(|own| &own.spheres) {
            let _ = writeln!(
                text,
                "    <collision><origin xyz=\"{x:?} {y:?} {z:?}\"/><geometry><sphere radius=\"{radius:?}\"/></geometry></collision>"
            );
        }
        text += "  </link>\n";
    }
    robot.joints().iter().for_each(|joint| write_joint(&mut text, robot, joint));
    text + "</robot>\n"
}

fn write_joint(text: &mut String, robot: &Robot, joint: &Joint) {
    let link = |index: usize| escaped(&robot.links()[index].name);
    let ([x, y, z], [roll, pitch, yaw], [ax, ay, az]) =
        (joint.parent_from_joint.translation().to_array(), rpy(&joint.parent_from_joint), joint.axis);
    let _ = writeln!(text, "  <joint name=\"{}\" type=\"{}\">", escaped(&joint.name), joint.kind.name());
    let _ = writeln!(text, "    <parent link=\"{}\"/><child link=\"{}\"/>", link(joint.parent), link(joint.child));
    let _ = writeln!(text, "    <origin xyz=\"{x:?} {y:?} {z:?}\" rpy=\"{roll:?} {pitch:?} {yaw:?}\"/>");
    if !matches!(joint.kind, JointKind::Fixed | JointKind::Floating) {
        let _ = writeln!(text, "    <axis xyz=\"{ax:?} {ay:?} {az:?}\"/>");
    }
    if let Some(limits) = joint.limits {
        let (lower, upper, effort, velocity) = (limits.lower, limits.upper, limits.effort, limits.velocity);
        let _ = writeln!(
            text,
            "    <limit lower=\"{lower:?}\" upper=\"{upper:?}\" effort=\"{effort:?}\" velocity=\"{velocity:?}\"/>"
        );
    }
    if let Some(mimic) = joint.mimic {
        let followed = escaped(&robot.joints()[mimic.joint].name);
        let (multiplier, offset) = (mimic.multiplier, mimic.offset);
        let _ = writeln!(text, "    <mimic joint=\"{followed}\" multiplier=\"{multiplier:?}\" offset=\"{offset:?}\"/>");
    }
    *text += "  </joint>\n";
}

/// Roll, pitch and yaw of a pose's rotation.
fn rpy(pose: &Pose) -> [f64; 3] {
    let rotation = pose.rotation();
    let (x, y) = (rotation.x_axis, rotation.y_axis);
    let across = x.x.hypot(x.y);
    if across < 1e-9 {
        // Roll and yaw turn about the same axis: all of it is yaw.
        return [0.0, (-x.z).atan2(across), (-y.x).atan2(y.y)];
    }
    [y.z.atan2(rotation.z_axis.z), (-x.z).atan2(across), x.y.atan2(x.x)]
}

pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
