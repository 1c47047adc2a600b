//! Exit codes.

use crate::terminal;
use std::process::ExitCode;

/// What a command that worked has to say to a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finish {
    /// Done; a command that looks for contact found none.
    Done,
    /// A command that looks for contact (too close, a clash) found some.
    Found,
    /// Stopped by a budget or by the user, with a partial answer.
    Partial,
}

impl Finish {
    /// The exit code.
    #[must_use]
    pub fn number(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Found => 1,
            Self::Partial => 3,
        }
    }
}

/// The exit code of everything that went wrong.
const ERROR: u8 = 2;

/// The exit code; an error is written to stderr with all its causes.
pub(crate) fn code(result: anyhow::Result<Finish>) -> ExitCode {
    match result {
        Ok(finish) => finish.number().into(),
        Err(error) => {
            terminal::complain(&error);
            ERROR.into()
        }
    }
}
