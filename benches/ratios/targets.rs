//! What is wanted, by the number of clients or pending events.
//!
//! The figures were set after measurements with a prototype on two virtual cores of an EPYC
//! (Milan), in ratios. Those of a whole model are for an engine that settles an attempt when it
//! arrives; an engine that lets every event happen may take [`EVENTED`] times as long.

/// What the cost of the whole model may be multiplied by, as every event happens.
pub const EVENTED: f64 = 2.2;

/// The number of clients and the figure for it.
type Figures = &'static [(u32, f64)];

/// T1: times faster than the heap of the standard library, at least.
pub const HOLD: Figures =
    &[(1_000, 1.8), (10_000, 3.0), (100_000, 5.0), (1_000_000, 12.0), (10_000_000, 30.0)];

/// T2: an attempt in holds of the engine's own queue, at most.
pub const MODEL_BY_OWN_HOLD: Figures = &[(100_000, 3.0 * EVENTED)];

/// T3: an attempt in holds of the heap of the standard library, at most.
pub const MODEL_BY_REFERENCE: Figures = &[
    (1_000, 1.5 * EVENTED),
    (10_000, 0.95 * EVENTED),
    (100_000, 0.5 * EVENTED),
    (1_000_000, 0.28 * EVENTED),
];

/// T4: an attempt in attempts of a run with 1,000 clients, at most.
pub const GROWTH: Figures = &[(1_000_000, 2.0), (10_000_000, 3.5)];

/// T5: times faster than SimPy, at least.
pub const SIMPY: Figures = &[(1_000, 400.0 / EVENTED), (10_000, 500.0 / EVENTED)];

/// T8: times faster than a heap of boxed closures, at least.
pub const NAIVE: Figures = &[
    (1_000, 4.0 / EVENTED),
    (10_000, 6.0 / EVENTED),
    (100_000, 14.0 / EVENTED),
    (1_000_000, 18.0 / EVENTED),
];

/// T11: bytes of peak memory per client, at most, beside the fixed part.
pub const BYTES_PER_CLIENT: f64 = 64.0;

/// T12: the share of the measures in the cost of a run, at most.
pub const MEASURES_SHARE: f64 = 0.12;

/// T13: user CPU of a sweep on two threads by that on one, at most; the gain in time, at least.
pub const SWEEP: (f64, f64) = (1.08, 1.8);

/// The demo: seconds on the wall on two cores, at most.
pub const DEMO_SECONDS: f64 = 2.0;

/// The figure for so many; none where none was set.
pub fn of(figures: Figures, clients: u32) -> Option<f64> {
    figures.iter().find(|(number, _)| *number == clients).map(|(_, figure)| *figure)
}
