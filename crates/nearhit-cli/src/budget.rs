//! Budgets: when a query stops.

use anyhow::{Result, anyhow};
use nearhit::Limit;

/// `--budget-us` and `--work`.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct BudgetArgs {
    /// Stop each query after this many microseconds; an answer that is not known then is "maybe"
    /// (null).
    #[arg(long, value_name = "B", conflicts_with = "work", allow_negative_numbers = true, help_heading = BUDGET)]
    pub budget_us: Option<f64>,

    /// Stop each query after this many tests of volumes and triangles: repeatable, unlike time.
    #[arg(long, value_name = "N", allow_negative_numbers = true, help_heading = BUDGET)]
    pub work: Option<u64>,
}

const BUDGET: &str = "Budget";

impl BudgetArgs {
    /// The limit of each query.
    pub(crate) fn limit(&self) -> Result<Limit> {
        match (self.budget_us, self.work) {
            (None, None) => Ok(Limit::None),
            (None, Some(units)) => Ok(Limit::Work(units)),
            (Some(us), _) => microseconds(us),
        }
    }
}

/// A limit of time, as given with `--budget-us`.
pub(crate) fn microseconds(us: f64) -> Result<Limit> {
    Limit::microseconds(us).map_err(|error| anyhow!("--budget-us {error}"))
}
