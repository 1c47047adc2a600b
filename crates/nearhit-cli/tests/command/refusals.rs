//! Bad input is refused with exit code 2 and a message that says what and where.

use crate::support::{Folder, complains, complaint, nearhit, nearhit_in as run_in, run, stderr, volumes};
use std::process::{Command, Stdio};

#[track_caller]
fn refuses(folder: &Folder, options: &[&str], expected: &str) {
    let message = complaint(folder, options);
    assert!(message.contains(expected), "{message}\ndoes not say\n{expected}");
}

const COLLIDE: [&str; 2] = ["--query", "collide"];

#[test]
fn queries() {
    let folder = Folder::with_case();
    refuses(&folder, &["--query", "adb", "--p-min", "1.5"], "--p-min 1.5: must be above 0 and at most 1");
    refuses(&folder, &["--query", "adb", "--k-min", "0"], "--k-min must be at least 1");
    refuses(&folder, &["--query", "adb", "--base-rate", "1.5"], "--base-rate 1.5: must be from 0 to 1");
    let known = "unknown query 'depth'; known: collide, contacts, distance, within=T, refine, adb";
    refuses(&folder, &["--query", "depth"], known);
    refuses(&folder, &["--query", "within"], "needs a tolerance: within=0.5");
    refuses(&folder, &["--query", "within=-1"], "the tolerance must be a finite number, at least 0");
    refuses(&folder, &["--query", "within=nan"], "the tolerance must be a finite number, at least 0");
    refuses(&folder, &["--query", "collide=1"], "collide takes no value");
    refuses(&folder, &[], "--query");
}

#[test]
fn volumes_and_agendas() {
    let folder = Folder::with_case();
    let unbuilt = |name: &&str| volumes().all(|built| built != *name);
    for name in ["kdop22", "lss", "rss", "mixed"].into_iter().filter(unbuilt) {
        let message = format!("unknown volume '{name}'; known: auto, auto:fast");
        refuses(&folder, &[&COLLIDE[..], &["--volume", name]].concat(), &message);
    }
    refuses(&folder, &[&COLLIDE[..], &["--volume", "cube"]].concat(), "unknown volume 'cube'; known: auto, auto:fast");
    refuses(&folder, &[&COLLIDE[..], &["--agenda", "worst"]].concat(), "known: auto, depth, best, breadth, plain");
}

#[test]
fn options_that_would_do_nothing() {
    let folder = Folder::with_case();
    let all = [
        (&["--rel-error", "0.1"][..], &["collide", "contacts", "within=1"][..]),
        (&["--abs-error", "-1"], &["collide", "contacts", "within=1"]),
        (&["--warm"], &["contacts", "adb"]),
        (&["--p-min", "0.5"], &["collide", "contacts", "distance", "within=1"]),
        (&["--k-min", "2"], &["collide", "contacts", "distance", "within=1"]),
    ];
    for (option, queries) in all {
        for query in queries {
            let name = query.split('=').next().expect("a name");
            let message = format!("{} has no effect on --query {name} (only on ", option[0]);
            refuses(&folder, &[&["--query", query], option].concat(), &message);
        }
    }
    refuses(&folder, &[&COLLIDE[..], &["--witness"]].concat(), "--per-pose");
    refuses(&folder, &[&COLLIDE[..], &["--work", "9", "--budget-us", "9"]].concat(), "cannot be used with");
}

#[test]
fn numbers() {
    let folder = Folder::with_case();
    refuses(&folder, &[&COLLIDE[..], &["--threads", "0"]].concat(), "--threads must be at least 1");
    refuses(
        &folder,
        &[&COLLIDE[..], &["--threads", "1000000000"]].concat(),
        "--threads 1000000000: must be at most 1024",
    );
    refuses(&folder, &[&COLLIDE[..], &["--repeat", "0"]].concat(), "--repeat must be at least 1");
    refuses(&folder, &[&COLLIDE[..], &["--repeat", "1000001"]].concat(), "--repeat 1000001: must be at most 1000000");
    for option in ["--rel-error", "--abs-error"] {
        for value in ["-1", "nan", "inf"] {
            refuses(&folder, &["--query", "distance", option, value], "must be a finite number, at least 0");
        }
    }
    for budget in ["-1", "nan", "inf", "x"] {
        refuses(&folder, &[&COLLIDE[..], &["--budget-us", budget]].concat(), "--budget-us");
    }
}

#[test]
fn folders_and_files() {
    let folder = Folder::with_case();
    let output = nearhit(&["run", "/no/such/folder", "--query", "collide"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("/no/such/folder: there is no such folder; a case is a folder with a.obj"));
    let file = folder.file("a.obj");
    let output = nearhit(&["run", file.to_str().expect("a plain name"), "--query", "collide"]);
    assert!(stderr(&output).contains("is not a folder"));
    for name in ["a.obj", "b.obj", "poses.txt"] {
        let folder = Folder::with_case();
        std::fs::remove_file(folder.file(name)).expect("it is there");
        refuses(&folder, &COLLIDE, &format!("{name} is missing; a case is a folder with"));
    }
    folder.write("case.json", "{\"name\": 7}");
    refuses(&folder, &COLLIDE, "case.json: is not a case description: invalid type");
    folder.write("case.json", "{}");
    folder.write("b.obj", "v 0 0 0\nv 1 x 0\n");
    refuses(&folder, &COLLIDE, "b.obj:2: vertex coordinate y is \"x\"");
}

#[test]
fn poses() {
    const STILL: &str = "1 0 0 0 1 0 0 0 1 0 0 0";
    let folder = Folder::with_case();
    let wrong = [
        ("# nothing\n\n".to_owned(), "poses.txt: there are no poses in it"),
        (format!("\n{STILL}\n"), "poses.txt:2: 12 numbers, but a pose line has 24"),
        (format!("{STILL} {STILL}\n{STILL} 1 0 0 0 l 0 0 0 1 0 0 0"), "poses.txt:2: number 17 is \"l\", not a number"),
        (format!("{STILL} 1 0 0 0 1 0 0 0 1 0 NaN 0"), "poses.txt:1: body b, pose: t[1] is NaN"),
        (format!("{STILL} 1 0 0 0 1 0 0 0 1 0 0 1e999"), "poses.txt:1: body b, pose: t[2] is inf"),
        (
            format!("2 0 0 0 2 0 0 0 2 0 0 0 {STILL}"),
            "poses.txt:1: body a, pose: the matrix is not a rotation: it scales by 2;",
        ),
        (format!("-1 0 0 0 1 0 0 0 1 0 0 0 {STILL}"), "poses.txt:1: body a, pose: the matrix mirrors"),
        (
            format!("{STILL} {STILL}\n{STILL} 1 0 0 0 1 0 0 0 1 0 0 1.5e300"),
            "pose 1 (poses.txt:2): the two poses are too far apart",
        ),
    ];
    for (text, message) in wrong {
        folder.write("poses.txt", &text);
        refuses(&folder, &COLLIDE, message);
    }
    std::fs::write(folder.file("poses.txt"), [0xff, 0xfe, 0x00]).expect("writable");
    refuses(&folder, &COLLIDE, "poses.txt: cannot be read");
}

#[test]
fn places_to_write_to() {
    let folder = Folder::with_case();
    refuses(
        &folder,
        &[&COLLIDE[..], &["--per-pose", "/no/such/folder/x.jsonl"]].concat(),
        "x.jsonl: cannot be written",
    );
    let poses = folder.file("poses.txt");
    let before = folder.read("poses.txt");
    let overwrite = ["--per-pose", poses.to_str().expect("a plain name")];
    refuses(&folder, &[&COLLIDE[..], &overwrite].concat(), "belongs to the case");
    assert_eq!(folder.read("poses.txt"), before);
    let output = nearhit(&["demo", "--no-open", "--out", "/no/such/folder/d.html"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("cannot be written; choose another file with --out"));
    // Before anything is read: the mesh is not there either.
    let nowhere = "/no/such/folder/x.out";
    for arguments in [
        &["path", "gone.obj", "ball:1", "--from", "0 0 3", "--to", "0 0 9", "--csv", nowhere][..],
        &["robot", "spheres", "gone.urdf", "--count", "9", "-o", nowhere],
        &["robot", "matrix", "gone.urdf", "--state", nowhere],
        &["spheres", "gone.obj", "-o", nowhere],
        &["spheres", "gone.obj", "--count", "9", "-o", nowhere],
    ] {
        let output = nearhit(arguments);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains("x.out: cannot be written"), "{arguments:?}: {}", stderr(&output));
    }
}

/// The second of two outputs would overwrite the first, and an output would overwrite what is read.
#[test]
fn one_file_is_not_written_twice() {
    let folder = Folder::with_case();
    folder.write("rules.txt", "");
    folder.write("known.json", "{}");
    let robot = complains(&folder, &["robot", "matrix", "gone.urdf", "--state", "x.out", "-o", "./x.out"]);
    assert!(robot.contains("x.out: two outputs would be written to this file"), "{robot}");
    let clash = ["clash", "a.obj", "b.obj", "--rules", "rules.txt"];
    let path = ["path", "a.obj", "ball:1", "--from", "0 0 3", "--to", "0 0 9", "--steps", "3"];
    for (first, outputs) in [
        (&clash[..], ["--csv", "--html"]),
        (&clash, ["--bcf", "--csv"]),
        (&clash, ["--html", "--bcf"]),
        (&path, ["--csv", "--plot"]),
        (&["nc", "--demo"], ["--csv", "--moves"]),
        (&["nc", "--demo"], ["--html", "--moves"]),
    ] {
        for [one, other] in [["x.svg", "x.svg"], ["x.svg", "./x.svg"], ["a.obj", "a.obj"]] {
            let message = complains(&folder, &[first, &[outputs[0], one, outputs[1], other]].concat());
            let twice = message.contains("x.svg: two outputs would be written to this file");
            assert!(twice || one == "a.obj", "{message}");
        }
    }
    assert!(!folder.file("x.svg").exists() && !folder.file("x.out").exists());
    for input in ["a.obj", "rules.txt", "known.json"] {
        let message = complains(&folder, &[&clash[..], &["--baseline", "known.json", "--csv", input]].concat());
        assert!(message.contains("is one of the inputs"), "{message}");
        assert_eq!(folder.read("rules.txt"), "");
    }
}

/// A link to a file that is not there yet is an output like any other, and stays.
#[cfg(unix)]
#[test]
fn a_link_to_nothing_may_be_written() {
    let folder = Folder::with_case();
    std::os::unix::fs::symlink(folder.file("real.csv"), folder.file("link.csv")).expect("a link");
    let message = complains(&folder, &["clash", "a.obj", "b.obj", "--csv", "link.csv", "--html", "real.csv"]);
    assert!(message.contains("two outputs would be written"), "{message}");
    let _clash = run_in(&folder, &["clash", "a.obj", "b.obj", "--csv", "link.csv"]);
    assert!(folder.file("link.csv").is_symlink() && folder.file("real.csv").exists());
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let folder = Folder::with_case();
    for arguments in [&["--help"][..], &["run", folder.path().to_str().expect("a plain name"), "--query", "collide"]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_nearhit"))
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""));
    }
    assert_eq!(run(&folder, &COLLIDE).status.code(), Some(0));
}

/// A pipe without a writer would keep the command waiting for ever; a device may never end.
#[cfg(unix)]
#[test]
fn pipes_and_devices_are_refused() {
    let folder = Folder::with_case();
    for name in ["pipe.obj", "pipe.nhm", "pipe.json"] {
        pipe(&folder, name);
    }
    std::os::unix::fs::symlink("/dev/null", folder.file("null.stl")).expect("a link");
    let refused = |name: &str| format!("nearhit: {name}: is not a regular file; copy its contents to a file first\n");
    for name in ["pipe.obj", "pipe.nhm", "null.stl"] {
        assert_eq!(complains(&folder, &["check", name, "a.obj"]), refused(name));
        assert_eq!(complains(&folder, &["info", name]), refused(name));
    }
    assert_eq!(complains(&folder, &["clash", "pipe.obj", "a.obj"]), refused("pipe.obj"));
    assert_eq!(complains(&folder, &["fly", "--headless", "--scene", "pipe.json"]), refused("pipe.json"));
    for name in ["poses.txt", "a.obj"] {
        let folder = Folder::with_case();
        std::fs::remove_file(folder.file(name)).expect("it is there");
        pipe(&folder, name);
        refuses(&folder, &COLLIDE, &format!("{name}: is not a regular file"));
    }
}

/// A named pipe with a writer, so that who reads it nevertheless is not kept waiting and is found
/// out.
#[cfg(unix)]
fn pipe(folder: &Folder, name: &str) {
    let (path, text) = (folder.file(name), folder.read("b.obj"));
    assert!(Command::new("mkfifo").arg(&path).status().expect("mkfifo runs").success());
    std::thread::spawn(move || std::fs::write(path, text));
}

/// With little memory a file that is too long for it is refused, whether its text or its tree is
/// too large: the process is not ended.
#[cfg(target_os = "linux")]
#[test]
fn little_memory() {
    let folder = Folder::new();
    let corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    // 12 bytes for each of 56 million; 256 for each of 2 million triangles.
    folder.write("text.obj", &format!("{corners}{}", "f 1 2 3\n".repeat(7_000_000)));
    folder.write("tree.obj", &format!("{corners}{}", "f 1 2 3\n".repeat(2_000_000)));
    for (file, message) in [
        ("text.obj", "not enough memory: to read it may take 672 MB"),
        ("tree.obj", "2000000 triangles: not enough memory: with a tree they take up to 512 MB"),
    ] {
        let command = format!("ulimit -v 500000; exec {} info {file}", env!("CARGO_BIN_EXE_nearhit"));
        let output = std::process::Command::new("sh")
            .args(["-c", &command])
            .env("RAYON_NUM_THREADS", "2")
            .current_dir(folder.path())
            .output()
            .expect("a shell");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{file}: {said}");
        assert!(said.contains(message), "{file}: {said}");
    }
}

/// In a folder without the server, and with nothing on the path.
#[test]
fn a_server_that_is_not_installed_is_named() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("without-server");
    std::fs::create_dir_all(&folder).expect("writable");
    let program = folder.join("nearhit");
    let _ = std::fs::remove_file(&program);
    std::fs::hard_link(env!("CARGO_BIN_EXE_nearhit"), &program).expect("on the same disk");
    let output = std::process::Command::new(&program).arg("mcp").env("PATH", &folder).output().expect("it runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("install it: cargo install --path crates/nearhit-mcp"), "{}", stderr(&output));
}
