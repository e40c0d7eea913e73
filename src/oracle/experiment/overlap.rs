//! A herd in which nobody meets another at the only worker.

use super::herd::{FULL, again, groups};
use super::{Experiment, seconds, watch};
use crate::metrics::{Outcome, Record};
use crate::oracle::params::Params;
use crate::oracle::watch::Watch;
use crate::time::SimTime;

/// Some herds, each before a worker of its own that has no queue. An outage catches the first
/// attempts; the retries come within the window.
pub(super) fn experiment(params: &Params) -> Option<Experiment> {
    let (n, work, window) = (params.int("N")?, params.num("s")?, params.num("W")?);
    let herds = groups(n);
    let span = 1.1 * window + work;
    let head = format!("horizon = \"{}\"\nbin = \"{}\"\n", seconds(span), seconds(span / 16.0));
    let herd = |text: String, number: usize| {
        text + &format!(
            "[[clients]]\nname = \"c{number}\"\ncount = {n}\ntarget = \"s{number}\"\n\
             load = {{ burst = \"0s\" }}\n{}\n\
             [[services]]\nname = \"s{number}\"\nworkers = 1\nservice_time = \"{}\"\n\
             queue = {{ capacity = 0 }}\n\
             [[faults]]\nkind = \"outage\"\ntarget = \"s{number}\"\nat = \"0s\"\nfor = \"1ns\"\n",
            again(window, FULL, 1),
            seconds(work)
        )
    };
    let clients = n * herds as u64;
    let reading = watch(move || Overlap { left: clients, met: vec![false; herds] });
    Some(Experiment { scenario: (0..herds).fold(head, herd), reading })
}

/// The share of herds of which nobody was rejected.
struct Overlap {
    left: u64,
    met: Vec<bool>,
}

impl Watch for Overlap {
    fn see(&mut self, _: SimTime, record: &Record) {
        match *record {
            Record::Decided { service, outcome: Outcome::Rejected, .. } => {
                self.met[service as usize] = true;
            }
            Record::CallEnded { .. } => self.left -= 1,
            _ => {}
        }
    }

    fn value(&self) -> Option<f64> {
        let alone = || self.met.iter().filter(|met| !**met).count() as f64;
        (self.left == 0).then(|| alone() / self.met.len() as f64)
    }
}
