//! How much time is there for detection? What the frame's other work is expected to leave (Hubbard 1996, §4.2).

use std::collections::VecDeque;
use std::time::Duration;

/// Predicts the other work of a frame by the mean of earlier frames, and gives the rest of the frame to detection.
#[derive(Debug, Clone)]
pub struct Pacer {
    target: Duration,
    others: VecDeque<Duration>,
}

/// How many frames the mean is of.
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
        let sum: Duration = self.others.iter().sum();
        let mean = sum.checked_div(self.others.len() as u32).unwrap_or_default();
        self.target.saturating_sub(mean)
    }

    /// What everything but detection took in the frame that ended.
    pub fn other_work(&mut self, took: Duration) {
        if self.others.len() == FRAMES {
            self.others.pop_front();
        }
        self.others.push_back(took);
    }
}
