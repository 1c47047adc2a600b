//! How much time is there for detection? What the frame's other work is expected to leave (Hubbard
//! 1996, §4.2), less what a machine that interrupts its programs may take at the end.

use std::collections::VecDeque;
use std::time::Duration;

/// Predicts the other work of a frame by the median of earlier frames, and gives the rest of the
/// frame to detection.
///
/// The paper takes the mean. One frame that the operating system interrupts for a hundred times its
/// length would then leave detection nothing for as long as the mean remembers it.
#[derive(Debug, Clone)]
pub struct Pacer {
    target: Duration,
    others: VecDeque<Duration>,
}

/// How many frames the median is of.
const FRAMES: usize = 10;

impl Pacer {
    /// For frames of this length.
    #[must_use]
    pub fn new(target: Duration) -> Self {
        Self { target, others: VecDeque::with_capacity(FRAMES) }
    }

    /// The time that detection may take in the next frame: all of it before anything is known.
    #[must_use]
    pub fn allotment(&self) -> Duration {
        let mut others: Vec<Duration> = self.others.iter().copied().collect();
        others.sort_unstable();
        let middle = |place: usize| others.get(place).copied().unwrap_or_default();
        let median = (middle(others.len().saturating_sub(1) / 2) + middle(others.len() / 2)) / 2;
        self.target.saturating_sub(median)
    }

    /// What everything but detection took in the frame that ended.
    pub fn other_work(&mut self, took: Duration) {
        if self.others.len() == FRAMES {
            self.others.pop_front();
        }
        self.others.push_back(took);
    }
}

/// How long before its deadline detection should end, learnt from the frames in which it was late.
///
/// A search looks at the clock between units of work that take less than a microsecond, and still
/// ends tens of microseconds late when the operating system interrupts the last of them. That
/// cannot be seen coming, but it comes as often as it did before. So the reserve grows by what a
/// frame was late, and shrinks again so slowly that about one frame in four thousand is late in the
/// long run.
#[derive(Debug, Clone, Copy, Default)]
pub struct Reserve {
    time: Duration,
    /// What it grew by the last time.
    step: Duration,
}

/// In the long run one frame in so many is late.
const LATE_ONE_IN: u32 = 4_000;

impl Reserve {
    /// What detection should be given of the time there is: all but the reserve, and half of it at
    /// least.
    #[must_use]
    pub fn of(&self, time: Duration) -> Duration {
        time.saturating_sub(self.time).max(time / 2)
    }

    /// A frame has ended, so much too late; zero if it was in time.
    pub fn ended(&mut self, late: Duration) {
        if late.is_zero() {
            self.time = self.time.saturating_sub(self.step / LATE_ONE_IN);
        } else {
            self.time += late;
            self.step = late;
        }
    }
}
