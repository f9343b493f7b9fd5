//! What long-lived processes share: threads that run reads, lines of input, the output, metrics, and
//! signals. `omniread serve` and the MCP server use it.

mod ending;
mod input;
pub mod limits;
mod metrics;
mod output;
mod signals;
mod turns;
mod waiting;
mod workers;

pub use ending::{before_end, finish_before_end, last_before_end};
pub use input::{Input, Line};
pub use metrics::{CONTENT_TYPE as METRICS_TYPE, Clients, Load, Metrics, Seen};
pub use output::{Output, Sink};
pub use signals::{last_on_termination, on_termination, spare_interrupts};
pub use turns::{Received, Turns};
pub use waiting::{Place, Waiting};
pub use workers::{Job, Workers, process_time};
