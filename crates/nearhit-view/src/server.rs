//! Who may ask, and what?
//!
//! Only this machine (the loopback address), only pages that this server gave out (the `Host` header must be its own, so that another site's name cannot be made to point here; the path begins with
//! a token that no other page knows), and only what its [`Site`] answers. No part of a path is ever the name of a file.

use crate::site::{Question, Reply, Site};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Read};
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;
use tiny_http::{Header, Method, Request, Response};

/// Questions are short.
const LONGEST_QUESTION: u64 = 4096;
/// Longer ones are not even refused.
const LONGEST_BODY: usize = 1 << 20;
/// What a page posts is sent in one go.
const SOON: Duration = Duration::from_secs(2);
/// How long it may take to notice that nobody wants to be answered any more.
const PATIENCE: Duration = Duration::from_millis(100);

/// A site behind a loopback port.
pub struct Server<S> {
    http: tiny_http::Server,
    address: SocketAddr,
    token: String,
    site: S,
}

impl<S> std::fmt::Debug for Server<S> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Server").field("address", &self.address).finish_non_exhaustive()
    }
}

impl<S: Site> Server<S> {
    /// Listens on a port of the loopback address; port 0 stands for any that is free.
    pub fn start(site: S, port: u16) -> io::Result<Self> {
        let http = tiny_http::Server::http((Ipv4Addr::LOCALHOST, port)).map_err(io::Error::other)?;
        let address = http.server_addr().to_ip().ok_or_else(|| io::Error::other("no address"))?;
        Ok(Self { http, address, token: token(), site })
    }

    /// What to open in a browser.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/{}/", self.address, self.token)
    }

    /// Answers until the process ends.
    pub fn run(&self) {
        self.run_until(|_| false);
    }

    /// Answers, one question after the other, until `is_over` says so.
    pub fn run_until(&self, is_over: impl Fn(&S) -> bool) {
        while !is_over(&self.site) {
            // A connection that failed is the other side's trouble.
            if let Ok(Some(request)) = self.http.recv_timeout(PATIENCE) {
                self.serve(request);
            }
        }
    }

    /// Nobody may keep the others waiting: before an answer goes out the rest of what was posted is read, all of it into memory at once, however long that takes and however much it is said to be.
    fn serve(&self, request: Request) {
        let length = request.body_length().unwrap_or(0);
        if length > LONGEST_BODY {
            // Not even dropped, which would read it too. What its connection takes is lost.
            return std::mem::forget(request);
        }
        let path = match self.admitted(&request) {
            Ok(path) => path,
            Err(reply) => return respond_aside(request, reply),
        };
        let (request, reply) = match request.method() {
            Method::Get if length == 0 => (request, self.site.answer(&Question { path, posted: None })),
            Method::Post => match posted(request) {
                Some((request, Ok(bytes))) => (request, self.site.answer(&Question { path, posted: Some(bytes) })),
                Some((request, Err(message))) => return respond_aside(request, Reply::text(400, message)),
                None => return,
            },
            _ => return respond_aside(request, nothing_here()),
        };
        // Whoever hung up does not need the answer.
        let _ = request.respond(response(reply.unwrap_or_else(nothing_here)));
    }

    /// The site, when all is over.
    #[must_use]
    pub fn into_site(self) -> S {
        self.site
    }

    /// The path below the token, or why there is no answer.
    fn admitted(&self, request: &Request) -> Result<String, Reply> {
        if !self.is_own(request) {
            return Err(Reply::text(403, "This is not for you."));
        }
        let path = request.url().strip_prefix('/').and_then(|path| path.strip_prefix(self.token.as_str()));
        path.map(str::to_owned).ok_or_else(nothing_here)
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

fn nothing_here() -> Reply {
    Reply::text(404, "There is nothing here.")
}

/// What was posted, if it comes soon.
fn posted(mut request: Request) -> Option<(Request, Result<Vec<u8>, String>)> {
    let (send, receive) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = request.as_reader().take(LONGEST_QUESTION + 1).read_to_end(&mut bytes);
        let bytes = match read {
            Err(error) => Err(error.to_string()),
            Ok(length) if length as u64 > LONGEST_QUESTION => Err("the question is too long".to_owned()),
            Ok(_) => Ok(bytes),
        };
        // If nobody waits any more the request is dropped here.
        drop(send.send((request, bytes)));
    });
    receive.recv_timeout(SOON).ok()
}

/// In a thread of its own, which may wait for the rest of what was posted as long as it likes.
fn respond_aside(request: Request, reply: Reply) {
    thread::spawn(move || drop(request.respond(response(reply))));
}

/// Nothing is kept, nothing from elsewhere is run, and no other page may frame this one.
fn response(Reply { status, kind, bytes }: Reply) -> Response<io::Cursor<Vec<u8>>> {
    let headers = [
        ("Content-Type", kind),
        ("Cache-Control", "no-store"),
        ("Content-Security-Policy", "default-src 'self'; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'"),
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"),
    ];
    let response = Response::from_data(bytes).with_status_code(status);
    headers.into_iter().fold(response, |response, (name, value)| match Header::from_bytes(name, value) {
        Ok(header) => response.with_header(header),
        Err(()) => response,
    })
}
