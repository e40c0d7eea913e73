//! Where randomness comes from: one named generator, and a stream for every purpose and every
//! attempt, found by its key and never by the order of draws.
//!
//! A policy that draws more numbers therefore shifts nobody else's: two policies under one seed
//! meet the same arrivals, the same work and the same network (common random numbers).

use std::convert::Infallible;

use rand::TryRng;

/// The name of the generator and of the layout of its streams, written into every result.
///
/// It changes whenever the same seed gives other numbers.
pub const GENERATOR: &str = "splitmix64-keyed/2";

/// What a stream is for: no two purposes share a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub enum Purpose {
    /// When calls begin.
    Arrival = 1,
    /// The phase of a periodic client.
    Phase,
    /// Which client of a group makes a call of the group's load.
    Member,
    /// The time a closed-loop client thinks.
    Think,
    /// How much work an attempt is.
    Demand,
    /// The way to the service.
    NetworkOut,
    /// The way back.
    NetworkBack,
    /// The patience of a caller whose timeout is a distribution.
    Timeout,
    /// The jitter of a backoff.
    Jitter,
    /// Whether a fault hits an attempt.
    Fault,
    /// The latency that a fault adds.
    FaultLatency,
    /// The order of clients at one instant.
    TieOrder,
    /// The seed of a replication.
    Replication,
    /// The way of the read before a versioned write.
    ReadOut,
    /// The way back of that read.
    ReadBack,
    /// The latency that a fault adds to that read.
    ReadLatency,
    /// Whether a layer of retries gives up.
    GiveUp,
    /// How long a service stays up or down between breakdowns.
    Breakdown,
}

impl Purpose {
    /// All purposes, in the order of their numbers.
    pub const ALL: [Purpose; 18] = [
        Self::Arrival,
        Self::Phase,
        Self::Member,
        Self::Think,
        Self::Demand,
        Self::NetworkOut,
        Self::NetworkBack,
        Self::Timeout,
        Self::Jitter,
        Self::Fault,
        Self::FaultLatency,
        Self::TieOrder,
        Self::Replication,
        Self::ReadOut,
        Self::ReadBack,
        Self::ReadLatency,
        Self::GiveUp,
        Self::Breakdown,
    ];

    /// What it is called where streams are explained.
    pub fn name(self) -> &'static str {
        match self {
            Purpose::Arrival => "arrival",
            Purpose::Phase => "phase",
            Purpose::Member => "member",
            Purpose::Think => "think",
            Purpose::Demand => "demand",
            Purpose::NetworkOut => "network out",
            Purpose::NetworkBack => "network back",
            Purpose::Timeout => "timeout",
            Purpose::Jitter => "jitter",
            Purpose::Fault => "fault",
            Purpose::FaultLatency => "fault latency",
            Purpose::TieOrder => "tie order",
            Purpose::Replication => "replication",
            Purpose::ReadOut => "read out",
            Purpose::ReadBack => "read back",
            Purpose::ReadLatency => "read latency",
            Purpose::GiveUp => "give up",
            Purpose::Breakdown => "breakdown",
        }
    }
}

/// The odd constant of Weyl sequences, 2^64 ÷ golden ratio (Steele, Lea, Flood 2014).
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// Another odd constant (Steele and Vigna 2021), so that index and draw do not meet.
const APART: u64 = 0xD134_2543_DE82_EF95;

/// The finalizer of splitmix64 (Stafford's mix 13): every input bit flips every output bit with
/// probability near one half.
#[inline]
const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// A key from two: not symmetric, so that (1, 2) and (2, 1) differ.
#[inline]
pub const fn combine(a: u64, b: u64) -> u64 {
    mix(a.wrapping_add(GOLDEN).wrapping_add(mix(b.wrapping_mul(GOLDEN).wrapping_add(1))))
}

/// A stream of numbers: splitmix64 (Steele, Lea, Flood 2014) from a keyed start.
#[derive(Debug)]
pub struct Stream {
    state: u64,
}

impl Stream {
    /// A uniform integer below `bound` (Lemire's multiply-shift; the bias is below 2^-64 × bound).
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.draw()) * u128::from(bound)) >> 64) as u64
    }

    /// A uniform number in [0, 1) with 53 random bits.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        ((self.draw() >> 11) as i64 as f64) * (1.0 / (1u64 << 53) as f64)
    }

    /// 64 random bits.
    #[inline]
    pub fn draw(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GOLDEN);
        mix(self.state)
    }
}

impl TryRng for Stream {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok((self.draw() >> 32) as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.draw())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.draw().to_le_bytes()[..chunk.len()]);
        }
        Ok(())
    }
}

/// The streams of one replication.
#[derive(Clone, Copy, Debug)]
pub struct Seed(u64);

impl Seed {
    /// The seed as the user gave it.
    pub fn new(seed: u64) -> Seed {
        Seed(seed)
    }

    /// The number behind the seed.
    pub fn as_u64(self) -> u64 {
        self.0
    }

    /// The stream of `purpose` for the thing named by `key` (a client, a call) and its `index`
    /// (the number of its arrival or attempt).
    ///
    /// Seed and purpose choose one of many ways to scramble the key; the indices of a key are
    /// apart by a constant of their own, so that no draw of one is a draw of the next.
    #[inline]
    pub fn stream(self, purpose: Purpose, key: u64, index: u64) -> Stream {
        let way = mix(self.0.wrapping_add((purpose as u64).wrapping_mul(GOLDEN)));
        Stream { state: mix(key ^ way).wrapping_add(index.wrapping_mul(APART)) }
    }

    /// The seed of replication `index`: replication 0 is the seed itself.
    pub fn replication(self, index: u64) -> Seed {
        if index == 0 {
            return self;
        }
        Seed(self.stream(Purpose::Replication, index, 0).draw())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_gives_the_published_values_of_splitmix64() {
        // Seed 1234567: the first outputs that the reference implementation prints.
        let mut stream = Stream { state: 1_234_567 };
        let drawn: Vec<u64> = (0..3).map(|_| stream.draw()).collect();
        assert_eq!(drawn, [6457827717110365317, 3203168211198807973, 9817491932198370423]);
    }

    #[test]
    fn every_purpose_is_listed_under_its_number() {
        let source = include_str!("rng.rs");
        let body = source.split("pub enum Purpose {").nth(1).unwrap().split('}').next().unwrap();
        let variants = body.lines().filter(|line| line.ends_with(','));
        assert_eq!(variants.count(), Purpose::ALL.len());
        for (purpose, number) in Purpose::ALL.into_iter().zip(1..) {
            assert_eq!(purpose as u64, number, "{}", purpose.name());
        }
    }

    #[test]
    fn streams_of_neighbours_are_not_alike() {
        let seed = Seed::new(42);
        let first = |purpose, key, index| seed.stream(purpose, key, index).draw();
        let drawn = [
            first(Purpose::Jitter, 1, 2),
            first(Purpose::Jitter, 2, 1),
            first(Purpose::Demand, 1, 2),
            first(Purpose::Jitter, 1, 3),
            Seed::new(43).stream(Purpose::Jitter, 1, 2).draw(),
        ];
        for (i, a) in drawn.iter().enumerate() {
            assert!(drawn[i + 1..].iter().all(|b| a != b), "{drawn:?}");
        }
    }

    #[test]
    fn indices_and_draws_of_one_key_do_not_meet() {
        let seed = Seed::new(9);
        let mut seen = std::collections::BTreeSet::new();
        for index in 0..2_000 {
            let mut stream = seed.stream(Purpose::Jitter, 77, index);
            assert!((0..20).all(|_| seen.insert(stream.draw())), "index {index}");
        }
    }

    /// The correlation of what `pairs` gives, times the root of their number: about normal.
    fn correlation(pairs: impl Fn(u64) -> (f64, f64)) -> f64 {
        let n = 100_000;
        let products = (0..n).map(pairs).map(|(a, b)| (a - 0.5) * (b - 0.5) * 12.0);
        products.sum::<f64>() / (n as f64).sqrt()
    }

    #[test]
    fn what_is_next_to_one_another_is_not_correlated() {
        let seed = Seed::new(21);
        let unit = |seed: Seed, purpose, key, index| seed.stream(purpose, key, index).unit();
        let one = |key, index| unit(seed, Purpose::Jitter, key, index);
        let second = |key| {
            let mut stream = seed.stream(Purpose::Jitter, key, 1);
            (stream.unit(), stream.unit())
        };
        let found = [
            correlation(|i| (one(i, 1), one(i + 1, 1))),
            correlation(|i| (one(5, i), one(5, i + 1))),
            correlation(|i| (one(i, 1), one(i, 2))),
            correlation(|i| (one(i, 1), unit(seed, Purpose::Demand, i, 1))),
            correlation(|i| (one(i, 1), unit(Seed::new(22), Purpose::Jitter, i, 1))),
            correlation(|i| {
                let replication = Seed::new(3).replication(i + 1);
                (unit(replication, Purpose::Think, 1, 1), unit(replication, Purpose::Think, 1, 2))
            }),
            correlation(second),
        ];
        assert!(found.iter().all(|z| z.abs() < 4.0), "{found:?}");
    }

    #[test]
    fn uniform_numbers_have_the_mean_and_variance_of_a_uniform() {
        let seed = Seed::new(7);
        let n = 200_000;
        let numbers: Vec<f64> = (0..n).map(|i| seed.stream(Purpose::Jitter, i, 1).unit()).collect();
        let mean = numbers.iter().sum::<f64>() / n as f64;
        let variance = numbers.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n as f64;
        assert!((mean - 0.5).abs() < 0.003, "mean {mean}");
        assert!((variance - 1.0 / 12.0).abs() < 0.001, "variance {variance}");
    }

    #[test]
    fn the_first_replication_is_the_seed_itself() {
        assert_eq!(Seed::new(42).replication(0).as_u64(), 42);
        assert_ne!(Seed::new(42).replication(1).as_u64(), Seed::new(42).replication(2).as_u64());
    }
}
