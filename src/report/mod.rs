//! What is made of results: tables, CSV, JSON, charts, a page, and the folder that holds them.
//!
//! Reports see [`StudyResult`](crate::study::StudyResult) and the strings of their caller, never a
//! simulation, and write the same bytes for the same results: no clock and no paths in them.
//! A trace is no result: it asks the study to play a run again and writes down what happens.

pub mod calendar;
pub mod chart;
pub mod csv;
pub mod files;
pub mod html;
pub mod json;
pub mod presets;
mod run;
pub mod sparkline;
pub mod table;
mod text;
pub mod trace;
mod window;

pub use chart::{Chart, charts};
pub use files::{Error, Output};
pub use run::{RunFiles, write_run};
pub use text::visible;
