//! Who may ask, and what?
//!
//! Only this machine (the loopback address), only pages that this server gave out (the `Host` header must be its own, so that another site's name cannot be made to point here; the path begins with
//! a token that no other page knows), and only what its [`Site`] answers. No part of a path is ever the name of a file.

use crate::site::{Question, Reply, Site};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Read};
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;
use tiny_http::{Header, Method, Request, Response};

/// Questions are short.
const LONGEST_QUESTION: u64 = 4096;
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
            let Ok(Some(mut request)) = self.http.recv_timeout(PATIENCE) else { continue };
            let reply = self.reply(&mut request);
            // Whoever hung up does not need the answer.
            let _ = request.respond(response(reply));
        }
    }

    /// The site, when all is over.
    #[must_use]
    pub fn into_site(self) -> S {
        self.site
    }

    fn reply(&self, request: &mut Request) -> Reply {
        if !self.is_own(request) {
            return Reply::text(403, "This is not for you.");
        }
        let path = request.url().strip_prefix('/').and_then(|path| path.strip_prefix(self.token.as_str()));
        let found = path.map(str::to_owned).and_then(|path| match request.method() {
            Method::Get => self.site.answer(&Question { path, posted: None }),
            Method::Post => match posted(request) {
                Ok(bytes) => self.site.answer(&Question { path, posted: Some(bytes) }),
                Err(message) => Some(Reply::text(400, message)),
            },
            _ => None,
        });
        found.unwrap_or_else(|| Reply::text(404, "There is nothing here."))
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

fn posted(request: &mut Request) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let read = request.as_reader().take(LONGEST_QUESTION + 1).read_to_end(&mut bytes);
    match read {
        Err(error) => Err(error.to_string()),
        Ok(length) if length as u64 > LONGEST_QUESTION => Err("the question is too long".to_owned()),
        Ok(_) => Ok(bytes),
    }
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
