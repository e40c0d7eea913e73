//! The file of a trace: tried before the run, written under another name, there when it is whole.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::SCHEMA;
use crate::report::files::{Error, UNFINISHED, tried};

/// The first line of a trace is sought within so many bytes.
const LONGEST_HEADER: u64 = 1 << 20;

/// A file that takes a trace. Until [`TraceFile::keep`] it stands beside its place under another
/// name, and goes when this value does.
#[derive(Debug)]
pub struct TraceFile {
    path: PathBuf,
    unfinished: PathBuf,
    out: BufWriter<File>,
}

impl TraceFile {
    /// Opens the file before anything is simulated. One that is there is replaced when it is a
    /// trace of the scenario with this hash, or by force.
    ///
    /// # Errors
    /// Something else is there, or the file system refuses.
    pub fn prepare(path: &Path, hash: &str, force: bool) -> Result<TraceFile, Error> {
        let Some(name) = path.file_name() else {
            return Err(Error::NotAFile(path.to_path_buf()));
        };
        if let Ok(found) = fs::metadata(path) {
            if !found.is_file() {
                return Err(Error::NotAFile(path.to_path_buf()));
            }
            if !force && !is_trace_of(path, hash) {
                return Err(Error::OtherFile(path.to_path_buf()));
            }
        }
        // Runs may write into the same folder at the same time: each with a name of its own.
        let other = format!("{UNFINISHED}{}-{}", name.to_string_lossy(), std::process::id());
        let unfinished = path.with_file_name(other);
        let _ = fs::remove_file(&unfinished);
        let file = OpenOptions::new().write(true).create_new(true).open(&unfinished);
        let out = BufWriter::new(tried("write", path, file)?);
        Ok(TraceFile { path: path.to_path_buf(), unfinished, out })
    }

    /// The file is whole: it takes its place.
    ///
    /// # Errors
    /// The file system refuses.
    pub fn keep(mut self) -> Result<(), Error> {
        let written = self.out.flush().and_then(|()| fs::rename(&self.unfinished, &self.path));
        tried("write", &self.path, written)
    }
}

impl Write for TraceFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Drop for TraceFile {
    fn drop(&mut self) {
        // After a rename there is nothing under this name.
        let _ = fs::remove_file(&self.unfinished);
    }
}

/// Whether a file is a trace of the scenario with this hash, by its first line.
fn is_trace_of(path: &Path, hash: &str) -> bool {
    let Ok(file) = File::open(path) else { return false };
    let mut line = String::new();
    if BufReader::new(file.take(LONGEST_HEADER)).read_line(&mut line).is_err() {
        return false;
    }
    let header: Value = serde_json::from_str(&line).unwrap_or_default();
    header["schema"] == SCHEMA && header["scenario"]["hash"] == hash
}
