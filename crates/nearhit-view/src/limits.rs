//! How much may a connection take, and for how long?

use std::time::Duration;

/// What one [`Server`](crate::Server) allows to whoever connects. Everything is bounded before
/// anything is believed: the bytes and the number of headers, the length of a question, the number
/// of connections at one time, and the time of every wait for the other side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Connections at one time. One more ends the oldest that has not shown the token; if all have,
    /// it waits.
    pub connections: usize,
    /// Bytes of a request's line and headers together.
    pub head_bytes: usize,
    /// Number of headers of a request.
    pub headers: usize,
    /// Bytes of a question.
    pub body_bytes: usize,
    /// From the beginning of a connection, or from the last answer, to the end of the next
    /// request's headers. So an idle connection is closed after this time, too.
    pub head_time: Duration,
    /// From the end of the headers to the end of the question.
    pub body_time: Duration,
    /// How long the other side may take nothing of an answer.
    pub write_time: Duration,
    /// How long a refused connection is read from after its answer, so that the answer is not lost
    /// (a socket closed with unread bytes resets the connection); also how long a server that ends
    /// waits for its last answers to be taken.
    pub linger_time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            // Some systems allow a process 256 descriptors.
            connections: 128,
            // Cookies of other local servers are sent here as well: they do not depend on the port.
            head_bytes: 32 << 10,
            headers: 64,
            body_bytes: 4096,
            head_time: Duration::from_secs(30),
            body_time: Duration::from_secs(5),
            write_time: Duration::from_secs(30),
            linger_time: Duration::from_secs(2),
        }
    }
}
