//! Why a scenario could not be read.

use super::Diagnostics;

/// Why a scenario could not be read.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no text to read.
    #[error("cannot read {path}: {reason}")]
    Io {
        /// The file, as it was asked for; `-` is the standard input.
        path: String,
        /// Why.
        reason: String,
    },
    /// The text is not a scenario: all that is wrong with it.
    #[error("{0}")]
    Bad(Diagnostics),
}

impl Error {
    /// The whole message, lines of the file included; coloured for a terminal or plain.
    pub fn render(&self, color: bool) -> String {
        match self {
            Error::Io { .. } => format!("error: {self}\n"),
            Error::Bad(diagnostics) => diagnostics.render(color),
        }
    }
}
