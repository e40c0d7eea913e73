//! The output folder: tried before the run, made with its first file, written atomically, with a
//! manifest of what it holds.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, IntoInnerError, Write};
use std::path::{Component, Path, PathBuf};

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::report::json::SCHEMA;

const MANIFEST: &str = "manifest.json";
/// Bytes that are written at a time.
const BUFFER: usize = 1 << 16;
/// Beginning of the names under which files are written before they are whole.
pub(super) const UNFINISHED: &str = ".herdsim-";

/// Why an output folder cannot be used or written.
#[derive(Debug)]
pub enum Error {
    /// The path is there and is not a folder.
    NotAFolder(PathBuf),
    /// The folder holds the results of another scenario.
    OtherScenario(PathBuf),
    /// The folder holds files that are not results of a run.
    UnknownContent(PathBuf),
    /// The path of a file leads to something else.
    NotAFile(PathBuf),
    /// There is a file already, and it is no trace of this scenario.
    OtherFile(PathBuf),
    /// A file name that would lead out of the folder.
    Outside(String),
    /// The file system refused.
    Io {
        /// What was tried.
        doing: &'static str,
        /// With which file or folder.
        path: PathBuf,
        /// What it said.
        source: io::Error,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NotAFolder(path) => {
                write!(f, "{} is not a folder: choose another --out", path.display())
            }
            Error::OtherScenario(path) => write!(
                f,
                "{} holds the results of another scenario: choose another --out, or --force",
                path.display()
            ),
            Error::UnknownContent(path) => write!(
                f,
                "{} is not empty and holds no results of a run: choose another --out, or --force",
                path.display()
            ),
            Error::NotAFile(path) => {
                write!(f, "{} is not a file: choose another --trace", path.display())
            }
            Error::OtherFile(path) => write!(
                f,
                "{} is there and is no trace of this scenario: choose another --trace, or --force",
                path.display()
            ),
            Error::Outside(name) => write!(f, "the file name {name:?} leads out of the folder"),
            Error::Io { doing, path, .. } => write!(f, "cannot {doing} {}", path.display()),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}

/// Says what was tried when the file system refuses.
pub(super) fn tried<T>(
    doing: &'static str,
    path: &Path,
    result: io::Result<T>,
) -> Result<T, Error> {
    result.map_err(|source| Error::Io { doing, path: path.to_path_buf(), source })
}

/// A folder that is ready to take the files of a run; it is made with the first of them, so that
/// a run from which nothing came leaves none.
#[derive(Debug)]
pub struct Output {
    dir: PathBuf,
    hash: String,
    /// Folders that were not there before, outermost first.
    made: Vec<PathBuf>,
    /// Name, SHA-256 and size of each file written.
    written: BTreeMap<String, (String, usize)>,
    /// Files of the run whose results were here before.
    before: Vec<String>,
}

impl Output {
    /// Tries the folder before anything is simulated: refuses one that holds something else than
    /// results of the scenario with this hash, unless forced. Where there is none, it tries whether
    /// one could be made, and makes none yet.
    ///
    /// # Errors
    /// The path is a file, the folder holds something else, or it cannot be written.
    pub fn prepare(dir: &Path, hash: &str, force: bool) -> Result<Output, Error> {
        let mut output = Output {
            dir: dir.to_path_buf(),
            hash: hash.to_string(),
            made: Vec::new(),
            written: BTreeMap::new(),
            before: Vec::new(),
        };
        let there = nearest(dir);
        if !there.is_dir() {
            return Err(Error::NotAFolder(there.to_path_buf()));
        }
        if there == dir {
            output.before = files_of(dir, hash, force)?;
        }
        // Runs may try the same parent at the same time: each with a name of its own.
        let probe = there.join(format!("{UNFINISHED}probe-{}", std::process::id()));
        write_new(&probe, |_| Ok(()))?;
        tried("remove", &probe, fs::remove_file(&probe))?;
        Ok(output)
    }

    /// Writes a file under a name such as `charts/raster.svg`, whole or not at all.
    ///
    /// # Errors
    /// The name leads out of the folder, or the file system refuses.
    pub fn write(&mut self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        self.write_with(name, |out| out.write_all(bytes))
    }

    /// The same, of what `content` writes, which is never in the memory as a whole.
    ///
    /// # Errors
    /// The name leads out of the folder, or the file system refuses.
    pub fn write_with(
        &mut self,
        name: &str,
        content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Error> {
        let path = inside(name)?;
        if self.written.is_empty() {
            // So that a run that is cut off here is known as one of this scenario.
            self.write_manifest(None)?;
        }
        let written = self.replace(&path, content)?;
        self.written.insert(name.to_string(), written);
        Ok(())
    }

    /// Writes the manifest and removes files of the run before that this one did not write.
    ///
    /// # Errors
    /// The file system refuses.
    pub fn finish(&mut self, seed: u64, generator: &str) -> Result<(), Error> {
        self.end(Some((seed, generator)))
    }

    /// The same for files that no random number went into.
    ///
    /// # Errors
    /// The file system refuses.
    pub fn finish_exact(&mut self) -> Result<(), Error> {
        self.end(None)
    }

    fn end(&mut self, made_by: Option<(u64, &str)>) -> Result<(), Error> {
        self.write_manifest(made_by)?;
        for name in self.before.iter().filter(|name| !self.written.contains_key(*name)) {
            if let Ok(name) = inside(name) {
                // It is no longer listed; that it stays is no reason to fail.
                let _ = self.parent_is_ours(&name).map(|()| fs::remove_file(self.dir.join(&name)));
            }
        }
        Ok(())
    }

    /// The folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Names of the files written so far, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.written.keys().map(String::as_str)
    }

    /// What made which files; of an unfinished run, or of one without random numbers, only the
    /// scenario.
    fn manifest(&self, made_by: Option<(u64, &str)>) -> String {
        let files: Vec<Value> = self
            .written
            .iter()
            .map(|(name, (sha, size))| json!({ "name": name, "sha256": sha, "bytes": size }))
            .collect();
        let manifest = json!({
            "schema": SCHEMA,
            "herdsim": env!("CARGO_PKG_VERSION"),
            "scenario": { "hash": self.hash },
            "seed": made_by.map(|(seed, _)| seed),
            "generator": made_by.map(|(_, generator)| generator),
            "files": files,
        });
        format!("{manifest:#}\n")
    }

    fn write_manifest(&mut self, made_by: Option<(u64, &str)>) -> Result<(), Error> {
        let manifest = self.manifest(made_by);
        self.replace(Path::new(MANIFEST), |out| out.write_all(manifest.as_bytes())).map(drop)
    }

    fn make_folder(&mut self, dir: &Path) -> Result<(), Error> {
        let missing = dir.ancestors().filter(|p| !p.as_os_str().is_empty() && !p.exists());
        let mut missing: Vec<PathBuf> = missing.map(Path::to_path_buf).collect();
        missing.reverse();
        for folder in missing {
            tried("make the folder", &folder, fs::create_dir(&folder))?;
            self.made.push(folder);
        }
        Ok(())
    }

    /// Puts what `content` writes in the place of a file; gives its SHA-256 and size.
    fn replace(
        &mut self,
        name: &Path,
        content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(String, usize), Error> {
        self.parent_is_ours(name)?;
        let path = self.dir.join(name);
        let parent = path.parent().unwrap_or(&self.dir).to_path_buf();
        if !parent.exists() {
            self.make_folder(&parent)?;
        }
        let file = name.file_name().unwrap_or_default().to_string_lossy();
        let unfinished = parent.join(format!("{UNFINISHED}{file}"));
        let written = write_new(&unfinished, content).and_then(|what| {
            tried("write", &path, fs::rename(&unfinished, &path))?;
            Ok(what)
        });
        if written.is_err() {
            let _ = fs::remove_file(&unfinished);
        }
        written
    }

    /// A link in place of a folder of ours could lead anywhere.
    fn parent_is_ours(&self, name: &Path) -> Result<(), Error> {
        let folders = name.ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty());
        for folder in folders {
            let found = fs::symlink_metadata(self.dir.join(folder));
            if found.is_ok_and(|found| !found.is_dir()) {
                return Err(Error::Outside(name.to_string_lossy().into_owned()));
            }
        }
        Ok(())
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if self.written.is_empty() {
            for folder in self.made.iter().rev() {
                // Only what is empty goes; a folder in use stays.
                let _ = fs::remove_dir(folder);
            }
        }
    }
}

/// The path itself, or the nearest of its parents that is there.
fn nearest(dir: &Path) -> &Path {
    let mut parents = dir.ancestors().filter(|path| !path.as_os_str().is_empty());
    // A link to nowhere is there too: no folder can be made in its place.
    parents.find(|path| fs::symlink_metadata(path).is_ok()).unwrap_or(Path::new("."))
}

/// The files that an earlier run of the same scenario left, by its manifest.
fn files_of(dir: &Path, hash: &str, force: bool) -> Result<Vec<String>, Error> {
    let entries = tried("read the folder", dir, fs::read_dir(dir))?;
    let mut names = entries.filter_map(|entry| Some(entry.ok()?.file_name()));
    let empty = names.all(|name| name.to_string_lossy().starts_with(UNFINISHED));
    if empty {
        return Ok(Vec::new());
    }
    let text = fs::read_to_string(dir.join(MANIFEST)).unwrap_or_default();
    let manifest: Value = serde_json::from_str(&text).unwrap_or_default();
    let found = manifest["scenario"]["hash"].as_str();
    if !force && found.is_none() {
        return Err(Error::UnknownContent(dir.to_path_buf()));
    }
    if !force && found != Some(hash) {
        return Err(Error::OtherScenario(dir.to_path_buf()));
    }
    let files = manifest["files"].as_array().map(Vec::as_slice).unwrap_or_default();
    Ok(files.iter().filter_map(|file| file["name"].as_str().map(String::from)).collect())
}

/// A name as a path below the folder.
fn inside(name: &str) -> Result<PathBuf, Error> {
    let path = Path::new(name);
    let plain = path.components().all(|part| matches!(part, Component::Normal(_)));
    let safe = plain && !name.is_empty() && !name.contains('\\') && name != MANIFEST;
    if safe { Ok(path.to_path_buf()) } else { Err(Error::Outside(name.to_string())) }
}

/// Writes a file that must not be there, so that no link is followed; gives its SHA-256 and size.
fn write_new(
    path: &Path,
    content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(String, usize), Error> {
    let _ = fs::remove_file(path);
    let file = OpenOptions::new().write(true).create_new(true).open(path);
    let written = file.and_then(|file| {
        let out = Hashing { file, hash: Sha256::new(), size: 0 };
        let mut out = BufWriter::with_capacity(BUFFER, out);
        content(&mut out)?;
        let Hashing { hash, size, .. } = out.into_inner().map_err(IntoInnerError::into_error)?;
        Ok((hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect(), size))
    });
    tried("write", path, written)
}

/// A file that knows what was written to it.
struct Hashing {
    file: File,
    hash: Sha256,
    size: usize,
}

impl Write for Hashing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.hash.update(&bytes[..written]);
        self.size += written;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
