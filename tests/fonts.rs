//! Charts need no font of the system: they are the same where there is none.

use std::path::Path;
use std::process::Command;

/// The files of the charts of a small run.
fn charts(dir: &Path, fontconfig: Option<&Path>) -> Vec<(String, Vec<u8>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_herdsim"));
    command.arg("run").arg(root.join("scenarios/nats-reconnect.toml"));
    command.args(["--quiet", "--out"]).arg(dir);
    if let Some(file) = fontconfig {
        command.env("FONTCONFIG_FILE", file).env("HOME", dir.parent().unwrap());
    }
    assert!(command.output().unwrap().status.success());
    let mut files: Vec<_> = std::fs::read_dir(dir.join("charts"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), path))
        .map(|(name, path)| (name, std::fs::read(path).unwrap()))
        .collect();
    files.sort();
    files
}

#[test]
fn charts_are_the_same_where_the_system_has_no_font() {
    let dir = std::env::temp_dir().join(format!("herdsim-fonts-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let empty = dir.join("fonts.conf");
    std::fs::write(&empty, "<?xml version=\"1.0\"?>\n<fontconfig></fontconfig>\n").unwrap();
    let with = charts(&dir.join("with"), None);
    let without = charts(&dir.join("without"), Some(&empty));
    assert!(with.iter().any(|(name, _)| name.ends_with(".png")));
    assert!(with.iter().any(|(name, _)| name.ends_with(".svg")));
    assert_eq!(with, without);
    std::fs::remove_dir_all(&dir).unwrap();
}
