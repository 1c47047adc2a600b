//! A client of a server under test. Its sockets give up after a while, so that a fault fails a test
//! instead of hanging it; no test passes or fails by how long something takes.
#![allow(dead_code, reason = "each suite uses its part")]

use nearhit_view::{Limits, Server, Site};
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

/// A wait that only a fault can reach.
pub(crate) const NEVER: Duration = Duration::from_secs(3600);
/// How long a test waits before it calls a server deaf: far longer than the busiest machine needs.
const GUARD: Duration = Duration::from_secs(120);

/// Where a server is.
#[derive(Debug, Clone)]
pub(crate) struct Address {
    pub(crate) host: String,
    /// The path with the token.
    pub(crate) base: String,
}

/// A server that runs for the rest of the test.
pub(crate) fn serve(site: impl Site + Send + 'static, limits: Limits) -> Address {
    let server = Server::with_limits(site, 0, limits).expect("a free port");
    let address = Address::of(&server.url());
    std::thread::spawn(move || server.run());
    address
}

/// Limits of time that no test reaches.
pub(crate) fn patient() -> Limits {
    Limits { head_time: NEVER, body_time: NEVER, write_time: NEVER, ..Limits::default() }
}

impl Address {
    pub(crate) fn of(url: &str) -> Self {
        let (host, path) = url.strip_prefix("http://").and_then(|rest| rest.split_once('/')).expect("an address");
        Self { host: host.to_owned(), base: format!("/{path}") }
    }

    pub(crate) fn connect(&self) -> Client {
        let stream = TcpStream::connect(&self.host).expect("a connection");
        stream.set_read_timeout(Some(GUARD)).expect("a limit");
        stream.set_write_timeout(Some(GUARD)).expect("a limit");
        Client { stream, read: Vec::new() }
    }

    /// The head of a request that is admitted, without its last line.
    pub(crate) fn head(&self, method: &str, path: &str) -> String {
        format!("{method} {}{path} HTTP/1.1\r\nHost: {}\r\n", self.base, self.host)
    }

    /// What the page gets at this path, on a connection of its own.
    pub(crate) fn get(&self, path: &str) -> Answer {
        let mut client = self.connect();
        client.send(format!("{}Connection: close\r\n\r\n", self.head("GET", path)));
        client.answer()
    }

    /// The status of what this request is answered.
    pub(crate) fn status_of(&self, request: impl AsRef<[u8]>) -> u16 {
        let mut client = self.connect();
        client.send(request);
        client.answer().status
    }
}

/// What a server said.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

/// A connection.
#[derive(Debug)]
pub(crate) struct Client {
    pub(crate) stream: TcpStream,
    /// What came and was not asked for yet.
    read: Vec<u8>,
}

impl Client {
    pub(crate) fn send(&mut self, bytes: impl AsRef<[u8]>) {
        self.stream.write_all(bytes.as_ref()).expect("a listener");
    }

    /// Sends as much as the server takes.
    pub(crate) fn try_send(&mut self, bytes: impl AsRef<[u8]>) -> io::Result<()> {
        guarded(self.stream.write_all(bytes.as_ref()))
    }

    pub(crate) fn half_close(&self) {
        self.stream.shutdown(Shutdown::Write).expect("a connection");
    }

    /// The next answer, whole.
    pub(crate) fn answer(&mut self) -> Answer {
        let end = loop {
            match self.read.windows(4).position(|window| window == b"\r\n\r\n") {
                Some(end) => break end,
                None => assert!(self.more(), "no answer: {:?}", String::from_utf8_lossy(&self.read)),
            }
        };
        let head = String::from_utf8(self.read.drain(..end + 4).collect()).expect("text");
        let status = head.split(' ').nth(1).and_then(|word| word.parse().ok()).expect("a status");
        let lower = head.to_ascii_lowercase();
        let length = lower.split("\r\n").find_map(|line| line.strip_prefix("content-length: "));
        let length: usize = length.expect("a length").parse().expect("a number");
        while self.read.len() < length {
            assert!(self.more(), "{} of {length} bytes of a body", self.read.len());
        }
        Answer { status, head, body: self.read.drain(..length).collect() }
    }

    /// What comes until the server ends the connection.
    pub(crate) fn rest(&mut self) -> Vec<u8> {
        while self.more() {}
        std::mem::take(&mut self.read)
    }

    /// More bytes, or none at the end of the connection.
    fn more(&mut self) -> bool {
        let mut bytes = [0; 1 << 16];
        let count = guarded(self.stream.read(&mut bytes)).unwrap_or(0);
        self.read.extend_from_slice(&bytes[..count]);
        count > 0
    }
}

/// Connections may be reset; a wait that reaches the guard is a fault.
fn guarded<T>(result: io::Result<T>) -> io::Result<T> {
    let late = [io::ErrorKind::WouldBlock, io::ErrorKind::TimedOut];
    assert!(!result.as_ref().is_err_and(|error| late.contains(&error.kind())), "the server does not answer");
    result
}
