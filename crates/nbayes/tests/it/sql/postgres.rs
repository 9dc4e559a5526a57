//! PostgreSQL, started for a test in its own folder and stopped at its end, also after a panic.

use std::{
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use tempfile::TempDir;

use super::{Engine, Type};

/// A server that listens on a socket in its folder and nowhere else, so that no port is taken.
pub(super) struct Server {
    binaries: PathBuf,
    folder: TempDir,
}

/// Starts a server; `None`, with a message, where its binaries are not.
#[expect(clippy::print_stderr, reason = "a skipped test prints a note")]
pub(super) fn start() -> Option<Server> {
    let Some(binaries) = binaries() else {
        eprintln!("skipped: no PostgreSQL under /usr/lib/postgresql; install the distribution's package");
        return None;
    };
    let folder = TempDir::new().unwrap();
    let mode = |mode| std::fs::Permissions::from_mode(mode);
    // Another user than this one may run the server.
    std::fs::set_permissions(folder.path(), mode(0o777)).unwrap();
    let server = Server { binaries, folder };
    let data = server.folder.path().join("data");
    let data = data.to_str().unwrap();
    let initdb = ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale", "C", "--no-sync"];
    succeed(&server.run("initdb", &initdb));
    let folder = server.folder.path().display();
    let options = format!("-c listen_addresses= -c unix_socket_directories={folder} -c fsync=off");
    let log = format!("{folder}/log");
    succeed(&server.run("pg_ctl", &["-D", data, "-l", &log, "-w", "-o", &options, "start"]));
    Some(server)
}

/// The folder of the newest version's programs.
fn binaries() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?;
    let folders = versions.filter_map(|version| {
        let path = version.ok()?.path();
        let number: u32 = path.file_name()?.to_str()?.parse().ok()?;
        Some((number, path.join("bin")))
    });
    folders.filter(|(_, path)| path.join("initdb").exists()).max().map(|(_, path)| path)
}

fn succeed(output: &Output) {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

impl Server {
    /// Runs one of the server's programs, as the user `postgres` where this one is root, whom it would
    /// refuse.
    fn run(&self, program: &str, arguments: &[&str]) -> Output {
        let program = self.binaries.join(program);
        let is_root = is_root();
        let mut command = if is_root { Command::new("runuser") } else { Command::new(&program) };
        if is_root {
            command.args(["-u", "postgres", "--"]).arg(&program);
        }
        // What it starts must not hold on to the pipes of this process.
        let (out, err) = (self.folder.path().join("out"), self.folder.path().join("err"));
        let files = [&out, &err].map(|path| std::fs::File::create(path).unwrap());
        let [stdout, stderr] = files;
        let status = command
            .args(arguments)
            .current_dir(self.folder.path())
            .stdout(stdout)
            .stderr(stderr)
            .status()
            .unwrap();
        let [stdout, stderr] = [out, err].map(|path| std::fs::read(path).unwrap());
        Output { status, stdout, stderr }
    }

    fn psql(&self, arguments: &[&str]) -> Vec<u8> {
        let output = Command::new(self.binaries.join("psql"))
            .args(["-X", "-q", "-U", "postgres", "-v", "ON_ERROR_STOP=1", "-d", "postgres", "-h"])
            .arg(self.folder.path())
            .args(arguments)
            .output()
            .unwrap();
        succeed(&output);
        output.stdout
    }
}

/// Whether this process is root's.
fn is_root() -> bool {
    let output = Command::new("id").arg("-u").output().unwrap();
    output.stdout.trim_ascii() == b"0"
}

impl Drop for Server {
    fn drop(&mut self) {
        let data = self.folder.path().join("data");
        self.run("pg_ctl", &["-D", data.to_str().unwrap(), "-m", "immediate", "-w", "stop"]);
    }
}

impl Engine for Server {
    fn dialect(&self) -> &'static str {
        "postgres"
    }

    fn load(&self, table: &str, columns: &[(String, Type)], path: &Path) {
        let kind = |kind| match kind {
            Type::Real => "double precision",
            Type::Whole => "bigint",
            Type::Text => "text",
        };
        let quoted = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
        let columns: Vec<String> =
            columns.iter().map(|(name, of)| format!("{} {}", quoted(name), kind(*of))).collect();
        let (table, columns) = (quoted(table), columns.join(", "));
        let create = format!("DROP TABLE IF EXISTS {table}; CREATE TABLE {table} ({columns})");
        let copy = format!("\\copy {table} FROM '{}' CSV HEADER", path.display());
        self.psql(&["-c", &create, "-c", &copy]);
    }

    fn query(&self, query: &str, path: &Path) {
        let file = self.folder.path().join("query.sql");
        std::fs::write(&file, query).unwrap();
        std::fs::write(path, self.psql(&["--csv", "-f", file.to_str().unwrap()])).unwrap();
    }
}
