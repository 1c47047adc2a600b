//! What is behind a server: questions come in, replies go out.

use nearhit::Mesh;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::borrow::Cow;

/// Whatever can answer a page.
pub trait Site {
    /// None where there is nothing.
    fn answer(&self, question: &Question) -> Option<Reply>;
}

/// What a page asks, and where: a path below the server's own. It is never the name of a file.
#[derive(Debug)]
pub struct Question {
    /// Without the token, beginning with a slash.
    pub path: String,
    /// What was posted; none of what was only got.
    pub posted: Option<Vec<u8>>,
}

impl Question {
    /// What was posted, understood.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T, String> {
        serde_json::from_slice(self.posted.as_deref().unwrap_or_default()).map_err(|error| error.to_string())
    }
}

/// What a page is told.
#[derive(Debug)]
pub struct Reply {
    pub(crate) status: u16,
    pub(crate) kind: &'static str,
    pub(crate) bytes: Cow<'static, [u8]>,
}

impl Reply {
    /// Part of the program, of this type.
    #[must_use]
    pub fn asset(text: &'static str, kind: &'static str) -> Self {
        Self { status: 200, kind, bytes: Cow::Borrowed(text.as_bytes()) }
    }

    /// A value, or why there is none.
    #[must_use]
    pub fn json<T: Serialize>(result: Result<T, String>) -> Self {
        let encoded = result.and_then(|value| serde_json::to_vec(&value).map_err(|error| error.to_string()));
        match encoded {
            Ok(bytes) => Self { status: 200, kind: "application/json", bytes: bytes.into() },
            Err(message) => Self::text(400, message),
        }
    }

    /// Counts of vertices and triangles, then single precision positions, then indices;
    /// little-endian.
    #[must_use]
    pub fn mesh(mesh: &Mesh) -> Self {
        let counts = [mesh.vertices().len() as u32, mesh.triangles().len() as u32];
        let mut bytes: Vec<u8> = counts.iter().flat_map(|count| count.to_le_bytes()).collect();
        bytes.extend(mesh.vertices().iter().flat_map(|point| point.to_array()).flat_map(|x| (x as f32).to_le_bytes()));
        bytes.extend(mesh.triangles().iter().flatten().flat_map(|index| index.to_le_bytes()));
        Self { status: 200, kind: "application/octet-stream", bytes: bytes.into() }
    }

    pub(crate) fn nothing_here() -> Self {
        Self::text(404, "There is nothing here.")
    }

    pub(crate) fn text(status: u16, message: impl Into<String>) -> Self {
        Self { status, kind: "text/plain; charset=utf-8", bytes: message.into().into_bytes().into() }
    }
}
