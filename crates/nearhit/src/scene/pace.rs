//! How much time is there for detection? What the frame's other work is expected to leave (Hubbard
//! 1996, §4.2), less what a machine that interrupts its programs may take at the end.

use std::collections::VecDeque;
use std::time::Duration;

/// Predicts the other work of a frame by that of earlier frames, and gives the rest of the frame to
/// detection.
#[derive(Debug, Clone)]
pub struct Pacer {
    target: Duration,
    expected: Expected,
    others: VecDeque<Duration>,
}

/// What of earlier frames the next one is expected to be like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Expected {
    /// Their median.
    #[default]
    Median,
    /// Their mean, as in the paper. One frame that the operating system interrupts for a hundred
    /// times its length leaves detection nothing for as long as the mean remembers it.
    Mean,
}

/// How many frames are remembered.
const FRAMES: usize = 10;
/// No frame counts as longer.
const LONGEST: Duration = Duration::from_secs(1 << 32);

impl Pacer {
    /// For frames of this length, by the median.
    #[must_use]
    pub fn new(target: Duration) -> Self {
        Self { target, expected: Expected::default(), others: VecDeque::with_capacity(FRAMES) }
    }

    /// What the next frame is expected to be like.
    #[must_use]
    pub fn expecting(self, expected: Expected) -> Self {
        Self { expected, ..self }
    }

    /// The time that detection may take in the next frame: all of it before anything is known.
    #[must_use]
    pub fn allotment(&self) -> Duration {
        let expected = match self.expected {
            Expected::Median => self.median(),
            Expected::Mean => self.others.iter().sum::<Duration>() / self.others.len().max(1) as u32,
        };
        self.target.saturating_sub(expected)
    }

    fn median(&self) -> Duration {
        let mut others: Vec<Duration> = self.others.iter().copied().collect();
        others.sort_unstable();
        let middle = |place: usize| others.get(place).copied().unwrap_or_default();
        (middle(others.len().saturating_sub(1) / 2) + middle(others.len() / 2)) / 2
    }

    /// What everything but detection took in the frame that ended.
    pub fn other_work(&mut self, took: Duration) {
        // So that ten of them can be added.
        let took = took.min(LONGEST);
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
