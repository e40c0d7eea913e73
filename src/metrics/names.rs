//! The measures by name: one table drives the JSON keys, the CSV columns, the result table and
//! the documentation.

use std::fmt;

/// What a number is counted in, for formatting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A whole number of things.
    Count,
    /// Things per second.
    PerSecond,
    /// Seconds.
    Seconds,
    /// Milliseconds.
    Milliseconds,
    /// A plain number.
    Ratio,
    /// Minutes.
    Minutes,
}

macro_rules! metrics {
    ($($variant:ident $name:literal $unit:ident $doc:literal;)*) => {
        /// A measure of one run; the same names in JSON, CSV and scenario files.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Metric { $(#[doc = $doc] $variant,)* }

        impl Metric {
            /// All measures, in the order of tables.
            pub const ALL: [Metric; [$($name),*].len()] = [$(Metric::$variant),*];

            /// The name in JSON, CSV and scenario files.
            pub fn name(self) -> &'static str {
                match self { $(Metric::$variant => $name,)* }
            }

            /// What it is counted in.
            pub fn unit(self) -> Unit {
                match self { $(Metric::$variant => Unit::$unit,)* }
            }

            /// What it means, in one sentence.
            pub fn describe(self) -> &'static str {
                match self { $(Metric::$variant => $doc,)* }
            }
        }
    };
}

metrics! {
    Calls "calls" Count "Calls begun.";
    Succeeded "succeeded" Count "Calls that succeeded by the horizon.";
    Failed "failed" Count "Calls that failed for good by the horizon.";
    Open "open" Count "Calls that had not ended at the horizon.";
    Attempts "attempts" Count "Attempts sent, first tries included.";
    Served "served" Count "Attempts that a service worked off, for whomever.";
    Rejected "rejected" Count "Attempts refused by overload: queue full or limit reached.";
    Errored "errored" Count "Attempts answered with an error: outage, fault, failed call downstream, conflict of versions.";
    Lost "lost" Count "Attempts that vanished: black hole, stale work dropped, crash, read for a caller who has gone.";
    Waiting "waiting" Count "Attempts on their way, queued or worked on at the horizon.";
    TimedOut "timed_out" Count "Attempts that their caller stopped waiting for.";
    Wasted "wasted" Count "Attempts served whose caller had gone.";
    Amplification "amplification" Ratio "Attempts per call, of the calls born from the start of the first fault to recovery.";
    AmplificationTotal "amplification_total" Ratio "Attempts per call over the whole run.";
    GoodputPerS "goodput_per_s" PerSecond "Calls that succeeded within deadline and objective, after warm-up.";
    OfferedPerS "offered_per_s" PerSecond "Attempts sent, after warm-up.";
    PeakPerS "peak_per_s" PerSecond "Highest load in any aligned bin of the peak width after the last scheduled fault.";
    PeakOverCapacity "peak_over_capacity" Ratio "Peak load over the capacity of the service.";
    QueueNeeded "queue_needed" Count "Places that would have absorbed the spike: the most that arrivals outran the capacity after the fault.";
    RecoveryS "recovery_s" Seconds "From the end of the last scheduled fault until goodput and backlog are back and stay back.";
    Relapses "relapses" Count "Crashes of a service under load after the last scheduled fault.";
    DrainP95S "drain_p95_s" Seconds "Until 95 % of a burst's calls have succeeded.";
    DrainS "drain_s" Seconds "Until all of a burst's calls have succeeded.";
    SyncIndex "sync_index" Ratio "Synchronization of the retries after the fault: 0 independent, 1 all in phase.";
    SyncPeriodS "sync_period_s" Seconds "Period at which the retries are synchronized.";
    HalfLifeRounds "half_life_rounds" Ratio "Rounds of retries until half of the synchronization is gone.";
    LatencyMeanMs "latency_mean_ms" Milliseconds "Mean latency of calls that succeeded, waits included.";
    LatencyP50Ms "latency_p50_ms" Milliseconds "Median latency of calls that succeeded.";
    LatencyP95Ms "latency_p95_ms" Milliseconds "95 % quantile of the latency of calls that succeeded.";
    LatencyP99Ms "latency_p99_ms" Milliseconds "99 % quantile of the latency of calls that succeeded.";
    LatencyMaxMs "latency_max_ms" Milliseconds "Longest latency of a call that succeeded.";
    ErrorLatencyMeanMs "error_latency_mean_ms" Milliseconds "Mean time until a call failed for good.";
    ErrorLatencyP50Ms "error_latency_p50_ms" Milliseconds "Median time until a call failed for good.";
    ErrorLatencyP95Ms "error_latency_p95_ms" Milliseconds "95 % quantile of the time until a call failed for good.";
    ErrorLatencyP99Ms "error_latency_p99_ms" Milliseconds "99 % quantile of the time until a call failed for good.";
    ErrorLatencyMaxMs "error_latency_max_ms" Milliseconds "Longest time until a call failed for good.";
    InSystemMean "in_system_mean" Ratio "Time mean of attempts queued or worked on, after warm-up.";
    QueueMean "queue_mean" Ratio "Time mean of attempts queued, after warm-up.";
    OrbitMean "orbit_mean" Ratio "Time mean of calls waiting to retry, after warm-up.";
    WaitMeanMs "wait_mean_ms" Milliseconds "Mean wait before service of attempts whose service began.";
    Waited "waited" Ratio "Share of attempts whose service began that had to wait for it.";
    FirstBelowS "first_below_s" Seconds "From the end of the last scheduled fault until calls queued or waiting to retry are first at or below the bound of `measure.first_below`.";
    BadMinutes "bad_minutes" Minutes "Minutes in which the service level objective was missed.";
    QuotaRefused "quota_refused" Count "Retries not sent for want of tokens.";
    QuotaMin "quota_min" Ratio "Lowest mean level of the retry budgets.";
    QuotaEnd "quota_end" Ratio "Mean level of the retry budgets at the horizon.";
    HeldWorkers "held_workers" Seconds "Worker seconds spent waiting for a retry downstream.";
    HeldClients "held_clients" Seconds "Caller seconds spent waiting to retry.";
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The measures of one run, or of one part of it: a measure that has no meaning there is absent.
#[derive(Clone, Debug, PartialEq)]
pub struct Measures {
    values: [Option<f64>; Metric::ALL.len()],
}

impl Default for Measures {
    fn default() -> Measures {
        Measures { values: [None; Metric::ALL.len()] }
    }
}

impl Measures {
    /// The value of a measure, when it has a meaning here.
    pub fn get(&self, metric: Metric) -> Option<f64> {
        self.values[metric as usize]
    }

    /// Sets a measure; a value that is not finite has no meaning and is left out.
    pub fn set(&mut self, metric: Metric, value: f64) {
        self.values[metric as usize] = value.is_finite().then_some(value);
    }

    /// Sets a measure when there is a value.
    pub fn set_some(&mut self, metric: Metric, value: Option<f64>) {
        if let Some(value) = value {
            self.set(metric, value);
        }
    }
}
