//! Who may ask? Judged on a request's line and headers alone, before anything of a body is read.
//!
//! Only pages that this server gave out: the `Host` header, which must be there once, is the
//! server's own, so that another site's name cannot be made to point here; an `Origin`, if there is
//! one, is the server's own, too; and the path begins with a token that no other page knows.

use crate::site::Reply;
use hyper::header::{HOST, HeaderMap, ORIGIN};
use hyper::http::request::Parts;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::net::SocketAddr;

/// What a request must know.
#[derive(Debug)]
pub(crate) struct Admission {
    /// The names of this server: an address or `localhost`, with the port.
    hosts: [String; 2],
    origins: [String; 2],
    token: String,
}

impl Admission {
    pub(crate) fn new(address: SocketAddr) -> Self {
        let hosts = [address.to_string(), format!("localhost:{}", address.port())];
        let origins = hosts.each_ref().map(|host| format!("http://{host}"));
        Self { hosts, origins, token: token() }
    }

    /// What to open in a browser.
    pub(crate) fn url(&self) -> String {
        format!("http://{}/{}/", self.hosts[0], self.token)
    }

    /// The path below the token, or why there is no answer.
    pub(crate) fn judge(&self, head: &Parts) -> Result<String, Reply> {
        if !self.is_own(&head.headers) {
            return Err(Reply::text(403, "This is not for you."));
        }
        // A proxy's form of a request names a host in its first line; nobody asks this server to be
        // one.
        let path = head.uri.path_and_query().filter(|_| head.uri.authority().is_none());
        let below = path.and_then(|path| path.as_str().strip_prefix('/')?.strip_prefix(self.token.as_str()));
        below.map(str::to_owned).ok_or_else(Reply::nothing_here)
    }

    /// Does the browser think that it talks to this server, and no other site?
    fn is_own(&self, headers: &HeaderMap) -> bool {
        let mut hosts = headers.get_all(HOST).iter();
        let host = hosts.next().is_some_and(|host| self.hosts.iter().any(|own| own.as_bytes() == host.as_bytes()));
        let is_origin = |origin: &[u8]| self.origins.iter().any(|own| own.as_bytes() == origin);
        let origin = headers.get_all(ORIGIN).iter().all(|origin| is_origin(origin.as_bytes()));
        host && origin && hosts.next().is_none()
    }
}

/// 128 bits. The standard library seeds its hash maps from the operating system's randomness; this
/// is that.
fn token() -> String {
    let half = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", half(), half())
}
