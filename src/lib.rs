//! herdsim: a discrete-event simulator of retry storms.
//!
//! Every module answers a question. A module uses only modules of the groups above its own.
//!
//! | module | question |
//! | --- | --- |
//! | [`failure`] | what kind of failure is it? |
//! | [`form`] | how is a choice described, and what becomes of what was chosen? |
//! | [`rng`] | where does randomness come from? |
//! | [`time`], [`units`] | what is a moment, a rate, a share, and how is it written? |
//! | [`dist`] | how long does it take? |
//! | [`engine`] | what happens next? |
//! | [`stats`] | what do replications and series say, and how surely? |
//! | [`fault`] | what goes wrong, and when? |
//! | [`load`] | when do calls begin? |
//! | [`metrics`] | what happened, and what does it amount to? |
//! | [`policy`] | what does a caller do when an attempt fails? |
//! | [`service`] | what does a service do with an attempt? |
//! | [`scenario`] | what is the experiment? |
//! | [`sim`] | who calls whom, and what becomes of each attempt? |
//! | [`study`] | what do many runs say together? |
//! | [`oracle`] | does the simulator give what theory says? |
//! | [`report`] | what is made of results? |
//!
//! [`scenario::read`] makes a checked [`scenario::Scenario`] of a file, [`study::run`] plays every
//! policy of it through [`sim::simulate`], and [`report::write_run`] writes what came of it.
//!
//! # What is deliberately absent
//!
//! * The engine does not know what a retry is.
//! * No module reads the wall clock, and no result depends on the number of threads.
//! * No two things share a generator: a number belongs to a purpose, a call and an attempt.
//! * Nothing is cancelled in the queue of events: a late reply or timeout finds another attempt
//!   awaited, and does nothing.
//! * A policy has no clock and no generator of its own; a service does not know its callers.
//! * Metrics do not influence the run: [`metrics::Record`] is the only seam.
//! * No key of a scenario is read and then ignored.
//! * Reports never simulate.
//!
//! ARCHITECTURE.md has the walk of one call, the definitions and the reasons.

pub mod failure;
pub mod form;
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

pub mod oracle;
pub mod report;
