//! What is at the path of an output: its links, its permissions, and what is left of processes that were
//! killed.

#![cfg(unix)]

use std::{fs, os::unix::fs::PermissionsExt};

use crate::folder::Folder;

/// The commands that write files, with `-o` last.
const WRITERS: [(&str, &str); 7] = [
    ("train a.csv --label y", "t.nb"),
    ("update m.nb a.csv", "u.nb"),
    ("merge m.nb m.nb", "g.nb"),
    ("predict m.nb a.csv", "p.csv"),
    ("predict m.nb a.csv", "p.parquet"),
    ("schema a.csv --label y", "s.toml"),
    ("plot m.nb --feature x", "x.svg"),
];

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("a.csv", "x,c,y\n1,u,a\n2,v,a\n8,u,b\n9,v,b\n");
    folder.ok("train a.csv --label y -o m.nb");
    folder
}

fn mode(folder: &Folder, name: &str) -> u32 {
    fs::metadata(folder.path(name)).unwrap().permissions().mode() & 0o7777
}

#[test]
fn new_files_heed_the_umask() {
    let folder = folder();
    for (arguments, output) in WRITERS {
        for (mask, expected) in [("077", 0o600), ("022", 0o644), ("002", 0o664)] {
            let run = folder.shell(&format!("rm -f {output}; umask {mask}; $NBAYES {arguments} -o {output}"));
            assert_eq!(
                (run.code, mode(&folder, output)),
                (0, expected),
                "{arguments} {mask}: {}",
                run.stderr
            );
        }
    }
    let run = folder.shell("umask 027; $NBAYES convert m.nb m.json");
    assert_eq!((run.code, mode(&folder, "m.json")), (0, 0o640), "{}", run.stderr);
}

#[test]
fn replaced_files_keep_their_permissions() {
    let folder = folder();
    for (arguments, output) in WRITERS {
        folder.write(output, "before");
        for permissions in [0o600, 0o640, 0o666] {
            fs::set_permissions(folder.path(output), fs::Permissions::from_mode(permissions)).unwrap();
            folder.ok(&format!("{arguments} -o {output}"));
            assert_eq!(mode(&folder, output), permissions, "{arguments}");
        }
        assert_ne!(folder.read(output), b"before");
    }
    fs::set_permissions(folder.path("m.nb"), fs::Permissions::from_mode(0o604)).unwrap();
    folder.ok("decay m.nb --factor 0.5");
    assert_eq!(mode(&folder, "m.nb"), 0o604);
}

/// Only the superuser may give files away.
#[test]
fn replaced_files_keep_their_owner() {
    use std::os::unix::fs::{MetadataExt, chown};
    let folder = folder();
    for (arguments, output) in WRITERS {
        folder.write(output, "before");
        let is_superuser = chown(folder.path(output), Some(54_321), Some(54_322)).is_ok();
        let owner = || {
            let data = fs::metadata(folder.path(output)).unwrap();
            (data.uid(), data.gid())
        };
        let before = owner();
        folder.ok(&format!("{arguments} -o {output}"));
        assert_eq!(owner(), before, "{arguments}");
        assert_eq!(is_superuser, before == (54_321, 54_322));
    }
}

#[test]
fn links_stay_and_their_targets_are_replaced() {
    let folder = folder();
    fs::create_dir(folder.path("far")).unwrap();
    for (arguments, output) in WRITERS {
        folder.ok(&format!("{arguments} -o {output}"));
        let (target, link) = (format!("far/{output}"), format!("link-{output}"));
        for name in [&target, &link] {
            drop(fs::remove_file(folder.path(name)));
        }
        // The target need not be there yet.
        std::os::unix::fs::symlink(&target, folder.path(&link)).unwrap();
        for _ in 0..2 {
            folder.ok(&format!("{arguments} -o {link}"));
            assert!(fs::symlink_metadata(folder.path(&link)).unwrap().is_symlink(), "{arguments}");
            assert_eq!(folder.read(&target), folder.read(output), "{arguments}");
        }
    }
    std::os::unix::fs::symlink("m.nb", folder.path("link.nb")).unwrap();
    folder.ok("update link.nb a.csv");
    assert!(fs::symlink_metadata(folder.path("link.nb")).unwrap().is_symlink());
    assert!(folder.ok("inspect m.nb").contains("8 rows"));
}

#[test]
fn folders_are_no_outputs() {
    let folder = folder();
    fs::create_dir(folder.path("out.csv")).unwrap();
    assert!(folder.fails(1, "predict m.nb a.csv -o out.csv").contains("it is a folder"));
}

#[cfg(target_os = "linux")]
#[test]
fn what_dead_processes_left_is_removed() {
    let folder = folder();
    // No process has this number.
    let dead: u32 = fs::read_to_string("/proc/sys/kernel/pid_max").unwrap().trim().parse().unwrap();
    let alive = std::process::id();
    for (arguments, output) in WRITERS {
        let left = format!(".{output}.{dead}-0.nbtmp");
        let others = [format!(".{output}.{alive}-0.nbtmp"), format!(".z{output}.{dead}-0.nbtmp")];
        folder.write(&left, "torn");
        for other in &others {
            folder.write(other, "in the making");
        }
        folder.ok(&format!("{arguments} -o {output}"));
        assert!(!folder.path(&left).exists(), "{arguments}");
        for other in &others {
            assert_eq!(folder.read(other), b"in the making");
            fs::remove_file(folder.path(other)).unwrap();
        }
    }
    let names = folder.names();
    assert!(names.iter().all(|name| !name.starts_with('.')), "{names:?}");
}
