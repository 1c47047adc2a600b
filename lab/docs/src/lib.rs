//! Compiles and runs the Rust code of README.md and of the guide as documentation tests.
//!
//! Their console examples are run by `crates/nearhit-cli/tests/documents.rs`, their Python code by
//! `python/tests/test_guide.py`. A new chapter is a line here and in the guide's `SUMMARY.md`.

/// One item for each document.
macro_rules! documents {
    ($($name:ident = $path:literal;)*) => {$(
        #[cfg(doctest)]
        #[doc = include_str!($path)]
        pub struct $name;
    )*};
}

documents! {
    Readme = "../../../README.md";
    FirstSteps = "../../../docs/guide/src/first-steps.md";
    Robots = "../../../docs/guide/src/robots.md";
    Scenes = "../../../docs/guide/src/scenes.md";
    Limits = "../../../docs/guide/src/limits.md";
    Solids = "../../../docs/guide/src/solids.md";
    Shapes = "../../../docs/guide/src/shapes.md";
    Clash = "../../../docs/guide/src/clash.md";
    Nc = "../../../docs/guide/src/nc.md";
    Agents = "../../../docs/guide/src/agents.md";
    Budgets = "../../../docs/guide/src/budgets.md";
    Python = "../../../docs/guide/src/python.md";
    Fcl = "../../../docs/guide/src/fcl.md";
    C = "../../../docs/guide/src/c.md";
    Moveit = "../../../docs/guide/src/moveit.md";
    Performance = "../../../docs/guide/src/performance.md";
    Answers = "../../../docs/guide/src/answers.md";
    Reports = "../../../docs/guide/src/reports.md";
    Research = "../../../docs/guide/src/research.md";
}
