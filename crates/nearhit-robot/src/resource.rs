//! Where the files are that a robot names: `package://`, `model://`, `file://`, paths.

use crate::error::Problem;
use crate::xml::excerpt;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Folders in which packages are looked for.
///
/// `package://arm_description/meshes/a.stl` is `meshes/a.stl` of the folder `arm_description`. That
/// is looked for in each search folder, in the order given: as a folder inside it, as the search
/// folder itself where it has that name, or inside `share/`. Then in the folders above the robot's
/// file in the same way, the nearest first, and then in those of the environment, if asked for.
/// `model://` is the same. Other addresses are paths, from the folder of the robot's file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SearchPath {
    folders: Vec<PathBuf>,
    environment: Vec<PathBuf>,
}

/// Variables of ROS 1, ROS 2 and Gazebo that list folders.
const VARIABLES: [&str; 4] = ["ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH", "GAZEBO_MODEL_PATH", "GZ_SIM_RESOURCE_PATH"];

impl SearchPath {
    /// No folders but those above the robot's file.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The folders of `ROS_PACKAGE_PATH`, `AMENT_PREFIX_PATH`, `GAZEBO_MODEL_PATH` and
    /// `GZ_SIM_RESOURCE_PATH`.
    #[must_use]
    pub fn from_environment() -> Self {
        let lists = VARIABLES.iter().filter_map(std::env::var_os);
        let environment = lists.flat_map(|list| std::env::split_paths(&list).collect::<Vec<_>>());
        Self { folders: Vec::new(), environment: environment.filter(|path| !path.as_os_str().is_empty()).collect() }
    }

    /// With a folder that is looked at before those of the environment and above the robot's file.
    #[must_use]
    pub fn with_folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.folders.push(folder.into());
        self
    }

    /// The file that an address of the robot's file `from` means.
    pub(crate) fn resolve(&self, address: &str, from: &Path) -> Result<PathBuf, Problem> {
        let address = address.trim();
        let folder = from.parent().unwrap_or(Path::new(""));
        let packaged = ["package://", "model://"].iter().find_map(|scheme| address.strip_prefix(scheme));
        let candidates = match (packaged, address.strip_prefix("file://"), address.contains("://")) {
            (Some(rest), ..) => self.in_packages(rest, folder),
            (_, Some(path), _) => vec![PathBuf::from(decoded(path))],
            (_, _, true) => return Err(Problem::Address { address: excerpt(address) }),
            _ if address.is_empty() => return Err(Problem::Address { address: String::new() }),
            _ => vec![folder.join(address)],
        };
        match candidates.iter().find(|path| path.is_file()) {
            Some(path) => Ok(path.clone()),
            None => Err(Problem::Unresolved { address: excerpt(address), tried: candidates }),
        }
    }

    fn in_packages(&self, rest: &str, folder: &Path) -> Vec<PathBuf> {
        let (package, path) = rest.split_once('/').unwrap_or((rest, ""));
        let above: Vec<&Path> = folder.ancestors().collect();
        let absolute = std::path::absolute(folder).unwrap_or_default();
        // A relative path has no name for the folder it begins in.
        let above = if folder.is_absolute() { above } else { absolute.ancestors().collect() };
        let given = self.folders.iter().map(PathBuf::as_path);
        let all = given.chain(above).chain(self.environment.iter().map(PathBuf::as_path));
        let mut candidates: Vec<PathBuf> = Vec::new();
        for root in all {
            if root.file_name() == Some(OsStr::new(package)) {
                candidates.push(root.join(path));
            }
            let inside = [root.join(package), root.join("share").join(package)];
            candidates.extend(inside.into_iter().filter(|folder| folder.is_dir()).map(|folder| folder.join(path)));
        }
        candidates.dedup();
        candidates
    }
}

/// With `%20` and the like as the bytes they stand for.
fn decoded(path: &str) -> String {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let [first, others @ ..] = rest {
        let code = others.first_chunk::<2>().filter(|_| *first == b'%');
        let byte =
            code.and_then(|code| std::str::from_utf8(code).ok()).and_then(|code| u8::from_str_radix(code, 16).ok());
        match byte {
            Some(byte) => {
                bytes.push(byte);
                rest = &others[2..];
            }
            None => {
                bytes.push(*first);
                rest = others;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
