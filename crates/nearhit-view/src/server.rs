//! Who may ask, and what?
//!
//! Only this machine (the loopback address), only pages that this server gave out (the `Host` header must be its own, so that another site's name cannot be made to point here; the path begins with
//! a token that no other page knows), and only the questions below. No part of a path is ever the name of a file.

use crate::answer::{self, Place};
use crate::scene::Scene;
use crate::{compare, flight, volumes};
use nearhit::VolumeKind;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Read};
use std::net::{Ipv4Addr, SocketAddr};
use tiny_http::{Header, Method, Request, Response};

const PAGE: &str = include_str!("../assets/page.html");
const STYLE: &str = include_str!("../assets/page.css");
const SCRIPT: &str = include_str!("../assets/app.js");
/// three.js is in the script.
const LICENCES: &str = include_str!("../assets/LICENSE-three.txt");

/// Questions are short.
const LONGEST_QUESTION: u64 = 4096;

/// A scene behind a loopback port.
pub struct Server {
    http: tiny_http::Server,
    address: SocketAddr,
    token: String,
    scene: Scene,
}

impl std::fmt::Debug for Server {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Server").field("address", &self.address).finish_non_exhaustive()
    }
}

type Answered = Response<io::Cursor<Vec<u8>>>;

impl Server {
    /// Listens on a port of the loopback address; port 0 stands for any that is free.
    pub fn start(scene: Scene, port: u16) -> io::Result<Self> {
        let http = tiny_http::Server::http((Ipv4Addr::LOCALHOST, port)).map_err(io::Error::other)?;
        let address = http.server_addr().to_ip().ok_or_else(|| io::Error::other("no address"))?;
        Ok(Self { http, address, token: token(), scene })
    }

    /// What to open in a browser.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/{}/", self.address, self.token)
    }

    /// Answers until the process ends.
    pub fn run(&self) {
        for mut request in self.http.incoming_requests() {
            let answer = self.respond(&mut request);
            // Whoever hung up does not need the answer.
            let _ = request.respond(answer);
        }
    }

    fn respond(&self, request: &mut Request) -> Answered {
        if !self.is_own(request) {
            return text(403, "This is not for you.");
        }
        let url = request.url().to_owned();
        let Some(path) = url.strip_prefix('/').and_then(|path| path.strip_prefix(self.token.as_str())) else {
            return text(404, "There is nothing here.");
        };
        match (request.method(), path) {
            (Method::Get, "/") => typed(PAGE.as_bytes(), "text/html; charset=utf-8"),
            (Method::Get, "/page.css") => typed(STYLE.as_bytes(), "text/css; charset=utf-8"),
            (Method::Get, "/app.js") => typed(SCRIPT.as_bytes(), "text/javascript; charset=utf-8"),
            (Method::Get, "/licences") => text(200, LICENCES),
            (Method::Get, "/scene") => json(Ok(Description::new(&self.scene))),
            (Method::Get, "/mesh/0") => typed(&mesh(&self.scene, 0), "application/octet-stream"),
            (Method::Get, "/mesh/1") => typed(&mesh(&self.scene, 1), "application/octet-stream"),
            (Method::Get, "/flight") => json(Ok(flight::flight(&self.scene))),
            (Method::Post, "/ask") => json(question(request).and_then(|ask| answer::answer(&self.scene, &ask))),
            (Method::Post, "/volumes") => json(question(request).and_then(|ask| volumes::drawn(&self.scene, &ask))),
            (Method::Post, "/compare") => json(question(request).and_then(|ask| compare::compare(&self.scene, &ask))),
            _ => text(404, "There is nothing here."),
        }
    }

    /// Does the browser think that it talks to this server, and no other site?
    fn is_own(&self, request: &Request) -> bool {
        let port = self.address.port();
        let own = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
        let mut hosts = request.headers().iter().filter(|header| header.field.equiv("Host"));
        let host = hosts.next().is_some_and(|header| own.iter().any(|own| own == header.value.as_str()));
        let mut origins = request.headers().iter().filter(|header| header.field.equiv("Origin"));
        let origin = origins.all(|header| own.iter().any(|own| header.value.as_str() == format!("http://{own}")));
        host && origin && hosts.next().is_none()
    }
}

/// 128 bits. The standard library seeds its hash maps from the operating system's randomness; this is that.
fn token() -> String {
    let half = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", half(), half())
}

/// What the page begins with.
#[derive(Serialize)]
struct Description<'s> {
    names: [&'s str; 2],
    triangles: [usize; 2],
    places: [Place; 2],
    volumes: Vec<&'static str>,
    poses: usize,
}

impl<'s> Description<'s> {
    fn new(scene: &'s Scene) -> Self {
        let [a, b] = &scene.bodies;
        let first = scene.poses.first().copied().unwrap_or([a.world_from_body, b.world_from_body]);
        Self {
            names: [&a.name, &b.name],
            triangles: [0, 1].map(|body| scene.mesh(body).triangles().len()),
            places: first.map(|pose| Place::new(&pose)),
            volumes: VolumeKind::ALL.iter().map(|kind| kind.name()).collect(),
            poses: scene.poses.len(),
        }
    }
}

/// Counts of vertices and triangles, then single precision positions, then indices; little-endian.
fn mesh(scene: &Scene, body: usize) -> Vec<u8> {
    let mesh = scene.mesh(body);
    let counts = [mesh.vertices().len() as u32, mesh.triangles().len() as u32];
    let mut bytes: Vec<u8> = counts.iter().flat_map(|count| count.to_le_bytes()).collect();
    bytes.extend(mesh.vertices().iter().flat_map(|point| point.to_array()).flat_map(|x| (x as f32).to_le_bytes()));
    bytes.extend(mesh.triangles().iter().flatten().flat_map(|index| index.to_le_bytes()));
    bytes
}

fn question<T: DeserializeOwned>(request: &mut Request) -> Result<T, String> {
    let mut bytes = Vec::new();
    let read = request.as_reader().take(LONGEST_QUESTION + 1).read_to_end(&mut bytes);
    match read {
        Err(error) => Err(error.to_string()),
        Ok(length) if length as u64 > LONGEST_QUESTION => Err("the question is too long".to_owned()),
        Ok(_) => serde_json::from_slice(&bytes).map_err(|error| error.to_string()),
    }
}

fn json<T: Serialize>(result: Result<T, String>) -> Answered {
    let encoded = result.and_then(|value| serde_json::to_vec(&value).map_err(|error| error.to_string()));
    match encoded {
        Ok(bytes) => typed(&bytes, "application/json"),
        Err(message) => text(400, &message),
    }
}

fn text(status: u16, message: &str) -> Answered {
    typed(message.as_bytes(), "text/plain; charset=utf-8").with_status_code(status)
}

/// Nothing is kept, nothing from elsewhere is run, and no other page may frame this one.
fn typed(bytes: &[u8], kind: &str) -> Answered {
    let headers = [
        ("Content-Type", kind),
        ("Cache-Control", "no-store"),
        ("Content-Security-Policy", "default-src 'self'; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'"),
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"),
    ];
    headers.into_iter().fold(Response::from_data(bytes), |response, (name, value)| {
        match Header::from_bytes(name, value) {
            Ok(header) => response.with_header(header),
            Err(()) => response,
        }
    })
}
