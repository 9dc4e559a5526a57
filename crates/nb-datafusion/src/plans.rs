//! What became of queries, and how far they are.

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use async_trait::async_trait;
use datafusion::{
    catalog::Session,
    error::Result,
    execution::{SessionState, SessionStateBuilder, context::QueryPlanner},
    logical_expr::LogicalPlan,
    physical_plan::ExecutionPlan,
    physical_planner::{DefaultPhysicalPlanner, PhysicalPlanner},
};

/// The plans that a context has made of queries. All clones are the same.
#[derive(Clone, Default)]
pub struct Plans(Arc<Mutex<Vec<Arc<dyn ExecutionPlan>>>>);

impl Plans {
    /// How many rows were read by now, where the plans report it: in this process, not on a cluster.
    pub fn rows_read(&self) -> usize {
        self.each(|plan| rows_of_leaves(plan.as_ref())).into_iter().sum()
    }

    /// Forgets all of them, before other queries.
    pub fn clear(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn remember(&self, plan: &Arc<dyn ExecutionPlan>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(plan.clone());
    }

    pub(crate) fn each<T>(&self, ask: impl Fn(&Arc<dyn ExecutionPlan>) -> T) -> Vec<T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().map(ask).collect()
    }
}

impl fmt::Debug for Plans {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Plans").field(&self.each(|plan| plan.name().to_owned())).finish()
    }
}

/// The rows that came out of the files.
fn rows_of_leaves(plan: &dyn ExecutionPlan) -> usize {
    let children = plan.children();
    if children.is_empty() {
        return plan.metrics().and_then(|metrics| metrics.output_rows()).unwrap_or(0);
    }
    children.into_iter().map(|child| rows_of_leaves(child.as_ref())).sum()
}

/// A state whose queries are carried out in this process, and can be watched.
pub fn watched(state: SessionState) -> (SessionState, Plans) {
    let plans = Plans::default();
    let planner = Remembering { planner: Arc::new(Local), plans: plans.clone() };
    (SessionStateBuilder::new_from_existing(state).with_query_planner(Arc::new(planner)).build(), plans)
}

/// Plans queries for this process.
#[derive(Debug)]
struct Local;

#[async_trait]
impl QueryPlanner for Local {
    async fn create_physical_plan(
        &self,
        plan: &LogicalPlan,
        session: &dyn Session,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        DefaultPhysicalPlanner::default().create_physical_plan(plan, session).await
    }
}

/// Plans queries as another planner does, and remembers the plans.
#[derive(Debug)]
pub(crate) struct Remembering {
    pub(crate) planner: Arc<dyn QueryPlanner + Send + Sync>,
    pub(crate) plans: Plans,
}

#[async_trait]
impl QueryPlanner for Remembering {
    async fn create_physical_plan(
        &self,
        plan: &LogicalPlan,
        session: &dyn Session,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let plan = self.planner.create_physical_plan(plan, session).await?;
        self.plans.remember(&plan);
        Ok(plan)
    }
}
