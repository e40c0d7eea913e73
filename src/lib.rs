//! herdsim: a discrete-event simulator of retry storms.

pub mod failure;
pub mod rng;
pub mod time;
pub mod units;

pub mod dist;
pub mod engine;
pub mod stats;

pub mod fault;
pub mod load;
pub mod metrics;
pub mod policy;
pub mod service;

pub mod scenario;
pub mod sim;

pub mod study;

pub mod report;
