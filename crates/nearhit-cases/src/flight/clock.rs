//! Time by the wall, and by the thread's CPU: what other programs do is in the first and not in the
//! second.

use std::ops::AddAssign;
use std::time::{Duration, Instant};

/// A length of time by both clocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Took {
    /// By the wall.
    pub wall: Duration,
    /// By the CPU clock of the thread; by the wall where there is none.
    pub cpu: Duration,
}

impl Took {
    /// Less a part of it.
    #[must_use]
    pub fn without(self, part: Self) -> Self {
        Self { wall: self.wall.saturating_sub(part.wall), cpu: self.cpu.saturating_sub(part.cpu) }
    }
}

impl AddAssign for Took {
    fn add_assign(&mut self, other: Self) {
        self.wall += other.wall;
        self.cpu += other.cpu;
    }
}

/// Reads both clocks.
#[derive(Debug, Clone, Copy)]
pub struct Stopwatch {
    wall: Instant,
    cpu: Option<Duration>,
}

impl Stopwatch {
    /// From now on.
    #[must_use]
    pub fn start() -> Self {
        Self { wall: Instant::now(), cpu: thread_time() }
    }

    /// Since the start.
    #[must_use]
    pub fn read(&self) -> Took {
        let wall = self.wall.elapsed();
        let cpu = self.cpu.zip(thread_time()).map_or(wall, |(then, now)| now.saturating_sub(then));
        Took { wall, cpu }
    }
}

/// CPU time of this thread.
#[cfg(any(target_os = "linux", target_os = "macos", target_os = "freebsd"))]
fn thread_time() -> Option<Duration> {
    nix::time::clock_gettime(nix::time::ClockId::CLOCK_THREAD_CPUTIME_ID).ok().map(Duration::from)
}

#[cfg(not(any(target_os = "linux", target_os = "macos", target_os = "freebsd")))]
fn thread_time() -> Option<Duration> {
    None
}
