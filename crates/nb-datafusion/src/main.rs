//! `nb-datafusion`: naive Bayes with DataFusion on one machine, or with Ballista on many.
//!
//! A thin program over the library: `train`, `predict` and `sql` carry out queries in this process or on a
//! cluster, `scheduler` and `executor` are the processes of a cluster. There is **no authentication and no
//! encryption**; everything listens on the loopback interface unless configured otherwise.

mod program;

fn main() -> std::process::ExitCode {
    program::main()
}
