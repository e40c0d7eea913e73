//! How a verb ends.

use std::fmt;
use std::process::ExitCode;

/// Why a verb did not end well. The message is printed as it is.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A bug or the machine: exit code 1.
    Internal(String),
    /// The user's mistake: exit code 2.
    Input(String),
    /// The results do not keep what the scenario claims: exit code 4.
    NotMet(String),
    /// The user stopped it: exit code 130.
    Interrupted(String),
    /// The reader of our output has gone: nothing to say, exit code 0.
    OutputClosed,
}

impl Failure {
    /// The exit code.
    pub(crate) fn code(&self) -> ExitCode {
        ExitCode::from(match self {
            Failure::Internal(_) => 1,
            Failure::Input(_) => 2,
            Failure::NotMet(_) => 4,
            Failure::Interrupted(_) => 130,
            Failure::OutputClosed => 0,
        })
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Internal(text)
            | Failure::Input(text)
            | Failure::NotMet(text)
            | Failure::Interrupted(text) => f.write_str(text),
            Failure::OutputClosed => Ok(()),
        }
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Failure {
        if error.kind() == std::io::ErrorKind::BrokenPipe {
            return Failure::OutputClosed;
        }
        Failure::Internal(format!("error: cannot write to standard output: {error}"))
    }
}
