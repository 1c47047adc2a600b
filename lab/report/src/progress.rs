//! What a long run is doing, on stderr: reports go to stdout when they are complete.

use std::sync::OnceLock;
use std::time::Instant;

/// Says what begins now, with the seconds since the first such line.
pub fn begins(what: &str) {
    static START: OnceLock<Instant> = OnceLock::new();
    let start = START.get_or_init(Instant::now);
    eprintln!("[{:4} s] {what}", start.elapsed().as_secs());
}
