//! What is made of results: tables, CSV, JSON, charts, a page, and the folder that holds them.
//!
//! Reports see [`StudyResult`](crate::study::StudyResult) and the strings of their caller, never a
//! simulation, and write the same bytes for the same results: no clock, no paths, no threads.

pub mod chart;
pub mod csv;
pub mod json;
pub mod sparkline;
pub mod table;
mod text;
mod window;

pub use chart::{Chart, charts};
