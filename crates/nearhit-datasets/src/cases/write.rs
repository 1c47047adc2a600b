//! A case as a directory: `a.obj`, `b.obj`, `poses.txt` and `case.json`.

use std::fs;
use std::io;
use std::path::Path;

use super::{Case, CasePose, Order};

impl Case {
    /// Writes the case into a directory, which is made when it is missing.
    pub fn write(&self, directory: &Path) -> io::Result<()> {
        fs::create_dir_all(directory)?;
        fs::write(directory.join("a.obj"), self.a.to_obj())?;
        fs::write(directory.join("b.obj"), self.b.to_obj())?;
        fs::write(directory.join("poses.txt"), self.poses_text())?;
        fs::write(directory.join("case.json"), self.json_text())
    }

    /// A line for each pose: rotation by rows and translation of `a`, then of `b`, 24 numbers.
    pub fn poses_text(&self) -> String {
        self.poses.iter().map(|pose| pose_line(pose) + "\n").collect()
    }

    fn json_text(&self) -> String {
        let order = match self.order {
            Order::Path => "path",
            Order::Random => "random",
        };
        format!(
            "{{\n \"name\": {},\n \"source\": \"generated\",\n \"triangles_a\": {},\n \"triangles_b\": {},\n \
             \"queries\": {},\n \"note\": {},\n \"kind\": \"{order}\"\n}}\n",
            quoted(&self.name),
            self.a.len(),
            self.b.len(),
            self.poses.len(),
            quoted(&self.note),
        )
    }
}

fn pose_line(pose: &CasePose) -> String {
    let numbers = pose.r_a.iter().chain([&pose.t_a]).chain(&pose.r_b).chain([&pose.t_b]).flatten();
    numbers.map(|number| format!("{number:?}")).collect::<Vec<_>>().join(" ")
}

/// A JSON string.
fn quoted(text: &str) -> String {
    let mut result = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => result.extend(['\\', character]),
            control if control < ' ' => result.push_str(&format!("\\u{:04x}", u32::from(control))),
            other => result.push(other),
        }
    }
    result.push('"');
    result
}

#[cfg(test)]
mod tests {
    use super::super::nested;
    use super::*;

    #[test]
    fn a_written_case_has_all_its_files() {
        let mut case = nested(20, 0.1, 3, 1);
        case.note.push_str(" \"quoted\"\n");
        let directory = std::env::temp_dir().join(format!("testkit-case-{}", std::process::id()));
        case.write(&directory).unwrap();
        let poses = fs::read_to_string(directory.join("poses.txt")).unwrap();
        let rows: Vec<Vec<f64>> =
            poses.lines().map(|line| line.split(' ').map(|word| word.parse().unwrap()).collect()).collect();
        assert_eq!(rows.len(), 3);
        assert!(rows.iter().all(|row| row.len() == 24));
        assert_eq!(rows[1][..3], case.poses[1].r_a[0]);
        assert_eq!(rows[2][12..15], case.poses[2].r_b[0]);
        let json = fs::read_to_string(directory.join("case.json")).unwrap();
        assert!(json.contains("\"triangles_a\": 20,") && json.contains("\\\"quoted\\\"\\u000a"));
        assert_eq!(fs::read_to_string(directory.join("b.obj")).unwrap(), case.b.to_obj());
        fs::remove_dir_all(&directory).unwrap();
    }
}
