//! What the tests of the command line share: a folder of their own, and the program in it.
#![allow(dead_code, reason = "every test uses a part of this")]

use std::path::{Path, PathBuf};

use assert_cmd::Command;

/// A scenario that runs in no time.
pub const SMALL: &str = r#"
title = "small"
seed = 7
horizon = "20s"
[[clients]]
name = "web"
count = 20
load = { poisson = "0.5/s" }
timeout = "1s"
retry = { max_attempts = 3, backoff = { exponential = { base = "50ms" } }, jitter = "full" }
[server]
workers = 5
service_time = "20ms"
[[faults]]
kind = "outage"
at = "5s"
for = "5s"
[[policy]]
label = "full jitter"
[[policy]]
label = "none"
set = { "web.retry" = "none" }
"#;

/// A folder that is removed with all in it.
pub struct Folder(PathBuf);

impl Folder {
    /// An empty folder of this name.
    pub fn new(name: &str) -> Folder {
        let name = format!("cli-{name}-{}", std::process::id());
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    /// The same with `small.toml` in it.
    pub fn with_scenario(name: &str) -> Folder {
        let folder = Folder::new(name);
        folder.write("small.toml", SMALL);
        folder
    }

    /// A path in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Writes a file.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), bytes).unwrap();
    }

    /// Reads a file as text.
    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// All files below it with their bytes, by name, in order.
    pub fn files(&self, below: &str) -> Vec<(String, Vec<u8>)> {
        let top = self.path(below);
        let mut found = Vec::new();
        let mut folders = vec![top.clone()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let name = path.strip_prefix(&top).unwrap().to_string_lossy().into_owned();
                    found.push((name, std::fs::read(&path).unwrap()));
                }
            }
        }
        found.sort();
        found
    }

    /// Names of all entries directly in it, in order.
    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// The program in this folder, with these arguments.
    pub fn herdsim(&self, args: &[&str]) -> Command {
        let mut command = Command::new(program());
        command.current_dir(&self.0).args(args).env_remove("RUST_BACKTRACE");
        command
    }

    /// Runs the program in this folder.
    pub fn run(&self, args: &[&str]) -> Ended {
        ended(&mut self.herdsim(args))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The program under test: the one just built, or one that is installed, by its path.
pub fn program() -> String {
    let installed = std::env::var("HERDSIM_UNDER_TEST");
    installed.unwrap_or_else(|_| env!("CARGO_BIN_EXE_herdsim").to_string())
}

/// How a program ended.
#[derive(Debug)]
pub struct Ended {
    /// The exit code.
    pub code: Option<i32>,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

/// Runs a command to its end.
pub fn ended(command: &mut Command) -> Ended {
    let output = command.timeout(std::time::Duration::from_secs(120)).output().unwrap();
    Ended {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}
