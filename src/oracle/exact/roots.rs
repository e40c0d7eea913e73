//! The complex roots that the M/D/c queue is made of.

use std::f64::consts::TAU;

/// The real part of 1 / (1 − z), z the root number `k` (1 ≤ k < c) of z^c = e^(a(z − 1)) within
/// the unit circle: the fixed point of z = e^(2πi k / c) e^(a(z − 1) / c), which contracts there
/// because a < c. The roots of k and c − k are conjugate, so that the real parts are enough.
pub(super) fn real_of_inverse_gap(k: u64, servers: u64, load: f64) -> f64 {
    let c = servers as f64;
    let ratio = load / c;
    let turn = TAU * k as f64 / c;
    let (mut re, mut im) = (0.0, 0.0);
    for _ in 0..100_000 {
        let (sin, cos) = libm::sincos(turn + ratio * im);
        let size = libm::exp(ratio * (re - 1.0));
        let (next_re, next_im) = (size * cos, size * sin);
        let moved = (next_re - re).abs() + (next_im - im).abs();
        (re, im) = (next_re, next_im);
        if moved < 1e-16 {
            break;
        }
    }
    let gap = (1.0 - re) * (1.0 - re) + im * im;
    (1.0 - re) / gap
}
