//! Budgets, herds, metastable queues and contention in words.

use super::about::About;

/// A model of these kinds in words.
pub(super) fn about(model: &str) -> Option<About> {
    let model = model.trim_end_matches(" [MC check]");
    let found = MODELS.iter().find(|(name, _)| model.starts_with(name));
    found.map(|(_, [title, formula, source])| About { title, formula, source })
}

const AWS: &str = "AWS SDKs and Tools Reference Guide, Retry behavior (2026)";
const DERIVED: &str = "derived here";
const RENEWAL: &str = "renewal theory (Feller 1966)";
const ORDER: &str = "order statistics of the uniform law (David 1970)";
const BLOG: &str = "Brooker, Exponential Backoff and Jitter, AWS Architecture Blog (2015)";
const SRE: &str = "Google, Site Reliability Engineering, chapter 21 (2016)";
const METASTABLE: &str = "Bronson et al., HotOS (2021); Huang et al., OSDI (2022)";

/// How a model's name begins, with its title, formula and source; longer names stand first.
const MODELS: &[(&str, [&str; 3])] = &[
    (
        "AWS retry quota drain threshold",
        ["Failure probability at which a retry quota drains", "1 - p = c (p^2 + ... + p^M)", AWS],
    ),
    (
        "AWS retry quota, stationary",
        [
            "A client under a retry quota, in the long run",
            "stationary law of the chain on 0 ... capacity tokens, operation by operation",
            "Grassmann, Taksar and Heyman (1985); semantics of the AWS SDKs (2026)",
        ],
    ),
    (
        "AWS retry quota, drain",
        [
            "From a full retry quota to the first denied retry",
            "first passage of the chain of tokens: (I - Q) h = 1; variance along its martingale",
            "Grassmann, Taksar and Heyman (1985); semantics of the AWS SDKs (2026)",
        ],
    ),
    (
        "AWS retry quota ABOVE threshold",
        [
            "Amplification that a drained retry quota leaves",
            "A = 1 + (1 - p) / (c p), whatever the attempts allowed",
            DERIVED,
        ],
    ),
    (
        "AWS retry quota: largest sustained amplification",
        [
            "Largest amplification that a retry quota sustains",
            "A = 1 + p* + ... + p*^(M-1) at the drain threshold p*",
            DERIVED,
        ],
    ),
    (
        "AWS retry quota, total outage",
        ["What a full retry quota buys in an outage", "floor(capacity / c) retries", AWS],
    ),
    (
        "AWS retry quota",
        [
            "Tokens that an operation wins or loses",
            "(1 - p) - c (p^2 + ... + p^M) per operation",
            AWS,
        ],
    ),
    (
        "Brooker adaptive retry bucket",
        [
            "Failure probability at which an adaptive bucket drains",
            "d (1 - p^M) = cost (p + ... + p^(M-1))",
            "Brooker, Fixing retries with token buckets (2022)",
        ],
    ),
    (
        "gRPC retry throttling",
        [
            "gRPC's retry throttling",
            "p* = r / (1 + r); retries stop after max/2 failures in a row",
            "gRPC proposal A6",
        ],
    ),
    ("SRE per-client retry ratio", ["A budget of retries per request", "A = 1 + r", SRE]),
    (
        "SRE adaptive throttling",
        ["Clients that throttle themselves", "sent = min(demand, K accepted)", SRE],
    ),
    (
        "server token bucket limiter",
        [
            "A token bucket in front of a service",
            "loss of M/D/1 with b places: 1 - 1 / (pi_0 + rho)",
            "embedded chain of M/G/1/K (Keilson 1965)",
        ],
    ),
    (
        "N full-jitter retries over window W",
        [
            "Retries spread over the bins of a window",
            "P(max <= k): m Poisson numbers up to k that sum to N, over P(Poisson(N) = N)",
            "Poissonisation of the multinomial law (Kolchin et al. 1978)",
        ],
    ),
    (
        "N full-jitter retries, capacity",
        [
            "Retries that a capacity per bin admits",
            "m E min(B, C) / N, B binomial(N, 1/m)",
            DERIVED,
        ],
    ),
    (
        "N full-jitter retries over [0,W]",
        ["First and last of a herd's retries", "W / (N + 1) and N W / (N + 1)", ORDER],
    ),
    (
        "N full-jitter retries, single server",
        ["A herd in which nobody meets another", "(1 - (N - 1) s / W)^N", ORDER],
    ),
    (
        "scan statistic",
        [
            "The densest window of a herd's retries",
            "P = (k/p - N - 1) b(k) + 2 (b(k) + ... + b(N)), k > N/2, b binomial(N, p)",
            "Naus (1965)",
        ],
    ),
    (
        "resultant length",
        [
            "How long jittered clients stay in phase",
            "R = |sin(pi w) / (pi w)|^k for waits uniform over a share w of the period",
            "Mardia and Jupp, Directional Statistics (2000)",
        ],
    ),
    (
        "Kuramoto/resultant length",
        [
            "Resultant length of independent phases",
            "E R^2 = 1/N; E R = sqrt(pi / 4N) nearly",
            "Mardia and Jupp, Directional Statistics (2000)",
        ],
    ),
    (
        "E[R^2] after k=",
        [
            "Resultant length of a finite herd after some rounds",
            "E R^2 = 1/N + (1 - 1/N) R^2",
            "Mardia and Jupp, Directional Statistics (2000)",
        ],
    ),
    (
        "Fano factor",
        [
            "Variance over mean of the retries in bins",
            "1 - 1/m independent, N (1 - 1/m) all in phase",
            "Fano (1947)",
        ],
    ),
    (
        "backoff ladder",
        ["Sum of exponential waits", "sum of min(base factor^k, cap)", "arithmetic"],
    ),
    (
        "AWS full jitter",
        ["Sum of waits with full jitter", "mean sum c/2, variance sum c^2/12", BLOG],
    ),
    (
        "sum of full-jitter delays",
        [
            "Law of the sum of waits with full jitter",
            "sum over subsets S of (-1)^|S| (x - sum_S c)+^n / (n! prod c)",
            "inclusion and exclusion (Feller 1966)",
        ],
    ),
    (
        "permanent outage",
        ["Attempts per second that never stop", "N / (mean wait + latency)", RENEWAL],
    ),
    (
        "decorrelated jitter d'",
        [
            "Stationary law of decorrelated jitter with a cap",
            "f(y) = int over d > y/3 of f(d) / (3d - b) dd + A / (3 cap - b)",
            "derived here; the ladder is that of the AWS Architecture Blog (2015)",
        ],
    ),
    (
        "decorrelated jitter, cap=inf",
        ["The k-th wait of decorrelated jitter", "base (2 x 1.5^k - 1)", DERIVED],
    ),
    (
        "synchronised herd without jitter",
        [
            "A herd that comes back in waves",
            "ceil(N/A) waves; N f + sum of (N - jA) attempts",
            "arithmetic",
        ],
    ),
    (
        "slotted full-jitter drain",
        [
            "Rounds until a herd has drained through slots",
            "chain on the clients left, slot by slot, solved backwards",
            DERIVED,
        ],
    ),
    (
        "nested retry layers, total failure",
        ["Layers of retries when nothing succeeds", "product of the attempts", SRE],
    ),
    (
        "nested retry layers",
        ["Layers of retries with chance failures", "(1 - p^27) / (1 - p)", DERIVED],
    ),
    (
        "M/M/1 FCFS, client deadline tau",
        [
            "Answers in time of a queue that nobody leaves",
            "x (1 - e^(-(mu - x) tau))",
            "sojourn time of M/M/1",
        ],
    ),
    (
        "slow-retry limit, FCFS zombies, unlimited attempts, deterministic",
        [
            "Fold of a queue whose callers leave after a time and come back",
            "lambda_c = (z - 1)^2 / (tau z), z = W(e^(1 + mu tau))",
            DERIVED,
        ],
    ),
    (
        "slow-retry limit, FCFS zombies, unlimited attempts, Exp",
        [
            "The same with random timeouts",
            "lambda_c = mu + 2 theta - 2 sqrt(theta (mu + theta))",
            DERIVED,
        ],
    ),
    (
        "slow-retry limit, M/M/c/K FCFS zombies",
        [
            "Two folds of a bounded queue whose callers leave and come back",
            "extremes of lambda(x) = x (1 - f) / (1 - f^M), f from Erlang sojourn times",
            DERIVED,
        ],
    ),
    (
        "slow-retry limit, M/M/c/K, retry on rejection",
        [
            "Retries on rejection only: one state at every load",
            "x (1 - P(x)) = lambda (1 - P(x)^M)",
            DERIVED,
        ],
    ),
    (
        "PS-zombie",
        [
            "A shared server that works on for callers who have gone",
            "first-passage matrices of (live, dead), level by level; fluid saddle n*",
            "derived here; elimination of Grassmann, Taksar and Heyman (1985)",
        ],
    ),
    (
        "closed N clients, FCFS",
        ["Livelock of a closed population", "possible iff N > mu tau", METASTABLE],
    ),
    (
        "FCFS infinite queue, outage T",
        [
            "Backlog of an outage that nobody cancels",
            "lambda sum of (T - j g)+; recovers in (backlog - mu tau) / (mu - lambda M)",
            DERIVED,
        ],
    ),
    (
        "amplification criterion",
        ["Whether retries alone can saturate a service", "lambda A / mu > 1", METASTABLE],
    ),
    (
        "amplification, iid failure p",
        ["Attempts per call with chance failures", "(1 - p^M) / (1 - p)", "geometric series"],
    ),
    (
        "vulnerable load interval",
        [
            "Loads at which a service can be stuck, by budget",
            "extremes of lambda(x) = x / A(f(x))",
            DERIVED,
        ],
    ),
    ("saturated bad state", ["Load at which a saturated service stays so", "1 / A(1)", DERIVED]),
    (
        "OCC, N clients, constant one-way delay d, exponential",
        [
            "Versioned writes in step, with waits",
            "N (N + 1) / 2 writes, 4 N d + sum of min(cap, base 2^k)",
            BLOG,
        ],
    ),
    (
        "OCC, N clients, constant one-way delay d",
        ["Versioned writes in step", "N (N + 1) / 2 writes, 4 N d", BLOG],
    ),
    (
        "OCC network hop",
        [
            "Mean of a folded normal network",
            "sd sqrt(2/pi) e^(-m^2 / 2 sd^2) + m erf(m / sd sqrt 2)",
            "Leone, Nelson and Nottingham (1961)",
        ],
    ),
    (
        "OCC aws-arch-backoff",
        ["Versioned writes over a random network", "simulated reference", BLOG],
    ),
    ("OCC two clients", ["Two versioned writes that miss each other", "2 Phi(-m / sd)", DERIVED]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_name_that_fits_is_the_most_exact_one() {
        let title = |model| about(model).map(|about| about.title);
        assert_eq!(title("AWS retry quota"), Some("Tokens that an operation wins or loses"));
        let stationary = "AWS retry quota, stationary, sequential ops [MC check]";
        assert_eq!(title(stationary), Some("A client under a retry quota, in the long run"));
        assert_eq!(title("something else"), None);
        for (index, (name, _)) in MODELS.iter().enumerate() {
            let earlier = MODELS[..index].iter().find(|(other, _)| name.starts_with(other));
            assert_eq!(earlier, None, "{name} is never found");
        }
    }
}
