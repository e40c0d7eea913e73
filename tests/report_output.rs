//! The output folder: atomic, careful with what is not its own, the same bytes every time.

mod report_support;

use std::fs;
use std::path::{Path, PathBuf};

use herdsim::report::{Error, Output, RunFiles, write_run};
use herdsim::study::StudyResult;
use report_support::{Shape, study};

/// A folder of this test alone, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("herdsim-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn small() -> StudyResult {
    study(Shape { bins: 1000, ..Shape::default() })
}

fn write(study: &StudyResult, dir: &Path, charts: bool) {
    let explained = [("web.<count>".to_string(), "1000 & more".to_string(), "file".to_string())];
    let data = [("data/calls.csv".to_string(), b"time_s\n1\n".to_vec())];
    let run = RunFiles {
        study,
        explained: &explained,
        effective: "title = \"x\"\n",
        data_files: &data,
        model: &["Nothing is lost < here >.".to_string()],
        command: "herdsim run scenarios/x.toml --seed 42",
    };
    let mut output = Output::prepare(dir, &study.hash, false).unwrap();
    write_run(&mut output, &run, charts).unwrap();
}

/// Names and contents of all files below a folder.
fn contents(dir: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let mut open = vec![dir.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(dir).unwrap().to_string_lossy().into_owned();
                found.push((name, fs::read(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn a_run_writes_the_files_of_the_contract_and_the_same_bytes_again() {
    let (one, two) = (Folder::new("once"), Folder::new("twice"));
    write(&small(), &one.0.join("deep/er"), true);
    write(&small(), &two.0, true);
    write(&small(), &two.0, true);
    let files = contents(&two.0);
    assert!(contents(&one.0.join("deep/er")) == files, "two folders, the same bytes");
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names,
        [
            "calls.csv",
            "charts/policies.csv",
            "charts/policies.png",
            "charts/policies.svg",
            "charts/raster.csv",
            "charts/raster.png",
            "charts/raster.svg",
            "charts/timeline.csv",
            "charts/timeline.png",
            "charts/timeline.svg",
            "data/calls.csv",
            "manifest.json",
            "report.html",
            "scenario.effective.toml",
            "summary.json",
            "timeline.csv",
        ]
    );
    if let Ok(gallery) = std::env::var("HERDSIM_GALLERY") {
        fs::copy(two.0.join("report.html"), Path::new(&gallery).join("report.html")).unwrap();
    }
}

#[test]
fn the_manifest_lists_every_file_and_no_path_or_clock() {
    let folder = Folder::new("manifest");
    write(&small(), &folder.0, true);
    let text = fs::read_to_string(folder.0.join("manifest.json")).unwrap();
    assert!(!text.contains(folder.0.to_str().unwrap()));
    let manifest: serde_json::Value = serde_json::from_str(&text).unwrap();
    let listed: Vec<&str> =
        manifest["files"].as_array().unwrap().iter().map(|f| f["name"].as_str().unwrap()).collect();
    let there = contents(&folder.0);
    let there: Vec<&str> =
        there.iter().map(|(name, _)| name.as_str()).filter(|n| *n != "manifest.json").collect();
    assert_eq!(listed, there);
    assert_eq!(manifest["scenario"]["hash"], small().hash);
}

#[test]
fn charts_of_the_run_before_do_not_stay_when_this_one_makes_none() {
    let folder = Folder::new("stale");
    write(&small(), &folder.0, true);
    fs::write(folder.0.join("charts/mine.txt"), "kept").unwrap();
    write(&small(), &folder.0, false);
    assert!(!folder.0.join("charts/raster.svg").exists());
    assert!(folder.0.join("charts/mine.txt").exists());
}

#[test]
fn a_folder_of_another_scenario_is_kept_unless_forced() {
    let folder = Folder::new("other");
    write(&small(), &folder.0, false);
    let refused = Output::prepare(&folder.0, "another", false);
    assert!(matches!(refused, Err(Error::OtherScenario(_))), "{refused:?}");
    assert!(Output::prepare(&folder.0, "another", true).is_ok());
}

#[test]
fn a_folder_with_unknown_content_is_kept_unless_forced() {
    let folder = Folder::new("unknown");
    fs::write(folder.0.join("thesis.txt"), "years of work").unwrap();
    let refused = Output::prepare(&folder.0, "hash", false);
    assert!(refused.unwrap_err().to_string().contains("--force"));
    let mut forced = Output::prepare(&folder.0, "hash", true).unwrap();
    forced.write("a.txt", b"a").unwrap();
    forced.finish(1, "test").unwrap();
    assert!(folder.0.join("thesis.txt").exists());
}

#[test]
fn a_file_is_not_taken_for_a_folder() {
    let folder = Folder::new("file");
    let file = folder.0.join("file");
    fs::write(&file, "").unwrap();
    assert!(matches!(Output::prepare(&file, "hash", true), Err(Error::NotAFolder(_))));
    let below = Output::prepare(&file.join("x"), "hash", true);
    assert!(matches!(below, Err(Error::NotAFolder(named)) if named == file), "names the file");
}

#[test]
fn a_run_from_which_nothing_came_leaves_no_folder() {
    let folder = Folder::new("empty");
    let mut output = Output::prepare(&folder.0.join("a/b/c"), "hash", false).unwrap();
    let is_empty = || fs::read_dir(&folder.0).unwrap().count() == 0;
    // Not at its end: a run that is killed has none.
    assert!(is_empty(), "nothing is made before the first file");
    output.write("x.txt", b"x").unwrap();
    assert!(folder.0.join("a/b/c/x.txt").exists());
}

#[cfg(unix)]
#[test]
fn a_folder_that_could_not_be_made_is_refused_before_the_run() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::new("refused");
    symlink(folder.0.join("nowhere"), folder.0.join("link")).unwrap();
    let link = Output::prepare(&folder.0.join("link"), "hash", false);
    assert!(matches!(link, Err(Error::NotAFolder(_))), "{link:?}");
    let locked = folder.0.join("locked");
    fs::create_dir(&locked).unwrap();
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o555)).unwrap();
    // Root may write everywhere.
    if fs::write(locked.join("probe"), "").is_err() {
        let refused = Output::prepare(&locked.join("a/b"), "hash", false);
        assert!(matches!(refused, Err(Error::Io { .. })), "{refused:?}");
    }
}

#[test]
fn a_run_that_is_cut_off_can_be_made_again() {
    let folder = Folder::new("cut");
    Output::prepare(&folder.0, "hash", false).unwrap().write("a.txt", b"a").unwrap();
    assert!(Output::prepare(&folder.0, "hash", false).is_ok());
    assert!(Output::prepare(&folder.0, "other", false).is_err());
}

#[test]
fn nothing_is_written_outside_the_folder() {
    let folder = Folder::new("outside");
    let dir = folder.0.join("out");
    let mut output = Output::prepare(&dir, "hash", false).unwrap();
    for name in ["../x", "/tmp/x", "a/../../x", "", ".", "a\\b", "manifest.json"] {
        assert!(matches!(output.write(name, b"x"), Err(Error::Outside(_))), "{name}");
    }
    assert!(!folder.0.join("x").exists());
}

#[cfg(unix)]
#[test]
fn a_link_in_the_folder_is_not_followed_out_of_it() {
    let folder = Folder::new("link");
    let (dir, away) = (folder.0.join("out"), folder.0.join("away"));
    fs::create_dir_all(&dir).unwrap();
    fs::create_dir_all(&away).unwrap();
    std::os::unix::fs::symlink(&away, dir.join("charts")).unwrap();
    let mut output = Output::prepare(&dir, "hash", true).unwrap();
    assert!(output.write("charts/x.svg", b"x").is_err());
    assert_eq!(fs::read_dir(&away).unwrap().count(), 0);
}

#[test]
fn the_page_needs_nothing_from_elsewhere_and_escapes_what_people_wrote() {
    let folder = Folder::new("page");
    let title = "<script>alert(1)</script>";
    write(&study(Shape { title, bins: 1000, ..Shape::default() }), &folder.0, true);
    let page = fs::read_to_string(folder.0.join("report.html")).unwrap();
    for outside in ["src=\"http", "href=\"http", "src=\"//", "url(", "<script", "@import", "<link"]
    {
        assert!(!page.contains(outside), "{outside}");
    }
    for shown in ["web.&lt;count&gt;", "backlog gone &lt;after&gt;", "--seed 42", "<svg"] {
        assert!(page.contains(shown), "{shown}");
    }
    let marks = page.find("Verdict").zip(page.find("<svg")).zip(page.find("Results"));
    let ((verdict, chart), results) = marks.unwrap();
    assert!(verdict < chart && chart < results, "the verdict comes first");
}
