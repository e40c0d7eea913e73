//! What the models of queues, retrial queues and outages are, in a line each.

use super::about::About;

/// A model of this file; `None` for any other.
pub(super) fn about(model: &str) -> Option<About> {
    classic(model)
        .or_else(|| impatient(model))
        .or_else(|| drains(model))
        .or_else(|| retrial(model))
        .or_else(|| outages(model))
        .map(|[title, formula, source]| About { title, formula, source })
}

fn classic(model: &str) -> Option<[&'static str; 3]> {
    Some(match model {
        "M/M/1" => [
            "One server, memoryless",
            "L = ρ / (1 − ρ), P(W > t) = e^(−(μ − λ) t), σ² = 2ρ(1 + ρ) / (μ(1 − ρ)⁴)",
            "Erlang 1909; Blomqvist 1967; Whitt 1989",
        ],
        "M/M/c/c (Erlang B)" => {
            ["Servers without a queue", "B₀ = 1, B_k = a B_(k−1) / (k + a B_(k−1))", "Erlang 1917"]
        }
        "M/M/c (Erlang C)" => [
            "Several servers, one queue",
            "C = c B / (c − a(1 − B)), Wq = C / (μ(c − a)), P(Wq > x) = C e^(−μ(c − a) x)",
            "Erlang 1917",
        ],
        "M/M/c/K" => [
            "A bounded queue",
            "p_k ∝ Π λ / (min(j, c) μ) over j ≤ k, loss p_K",
            "Gross & Harris 1974",
        ],
        "M/D/1" => [
            "Constant work",
            "Wq = λD² / (2(1 − ρ)), P(Wq ≤ x) = e^(−u) Σ Q_(k−1−j) u^j / j!, u = λ(kD − x)",
            "Pollaczek 1930; Khinchine 1932; Franx 2001",
        ],
        "M/D/c" => [
            "Constant work, several servers",
            "L = a / (2(c − a)) + a/2 − (c − 1)/2 + Σ 1 / (1 − z_k), z_k^c = e^(a(z_k − 1))",
            "Crommelin 1932; Tijms 2003",
        ],
        "M/G/1 (P-K)" => [
            "Work of any distribution",
            "Wq = λ E S² / (2(1 − ρ))",
            "Pollaczek 1930; Khinchine 1932",
        ],
        "D/M/1" => {
            ["Arrivals like a clock", "σ = e^(−(1 − σ) μ / λ), Wq = σ / (μ(1 − σ))", "Kendall 1953"]
        }
        "M/M/1 with breakdowns" => [
            "A server that fails and is repaired",
            "L = λ((f + r)² + μf) / ((f + r)(μr − λ(f + r)))",
            "White & Christie 1958",
        ],
        "sum D_i/D/1 (N periodic clients, uniform phases, service 1)" => [
            "Clients that call like clocks, out of phase",
            "P(V > x) = Σ C(N, n) r^n (1 − r)^(N−n) (T − N + x) / (T − n + x), r = (n − x) / T",
            "Eckberg 1979; Roberts & Virtamo 1991",
        ],
        "M/M/c//N (closed, think time)" => [
            "So many clients who think",
            "p_k ∝ Π (N − j + 1) / (Z min(j, c) μ) over j ≤ k, R = L / X",
            "Palm 1947; Lazowska et al. 1984",
        ],
        "Engset M/M/c/c/N" => [
            "So many sources, servers without a queue",
            "p_k ∝ C(N, k) (α / μ)^k, call congestion p_c of N − 1 sources",
            "Engset 1918",
        ],
        _ => return None,
    })
}

fn impatient(model: &str) -> Option<[&'static str; 3]> {
    Some(match model {
        "M/M/c+M (Erlang-A)" => [
            "Callers of memoryless patience",
            "p_k ∝ Π λ / (min(j, c) μ + (j − c)⁺ θ), P(abandon) = θ E Q / λ",
            "Palm 1957; Garnett, Mandelbaum & Reiman 2002",
        ],
        "M/M/1+D" => [
            "Callers of constant patience",
            "v(x) = λ P(idle) e^(−(μ − λ) x) below τ, P(abandon) = λ P(idle) e^(−(μ − λ) τ) / μ",
            "Barrer 1957; Baccelli & Hebuterne 1981",
        ],
        "M/M/c+D" => [
            "Callers of constant patience, several servers",
            "P(all busy) = λJ / (1/B_(c−1) + λJ), J = (1 − e^(−dτ))/d + e^(−dτ)/(cμ), d = cμ − λ",
            "Zeltyn & Mandelbaum 2005",
        ],
        _ => return None,
    })
}

fn drains(model: &str) -> Option<[&'static str; 3]> {
    Some(match model {
        "M/M/1 drain" => [
            "A backlog is worked off",
            "mean n / (μ − λ), variance n(μ + λ) / (μ − λ)³",
            "Cohen 1969",
        ],
        "M/M/1 outage [0,T) then drain (arrivals queue, start empty)" => [
            "A backlog of an outage is worked off",
            "mean λT / (μ − λ), variance 2μλT / (μ − λ)³",
            "Cohen 1969",
        ],
        "M/D/1 drain (Borel-Tanner)" => [
            "A backlog of constant work is worked off",
            "P(k served) = n / k e^(−ρk) (ρk)^(k−n) / (k − n)!",
            "Borel 1942; Tanner 1961",
        ],
        "M/M/c drain" => [
            "Several servers work a backlog off",
            "above c: mean (n − c) / (cμ − λ); below: t_k = (1 + λ t_(k+1)) / (kμ)",
            "Keilson 1965",
        ],
        "N simultaneous requests, c servers, deterministic service s, infinite FIFO" => [
            "A herd of constant work",
            "makespan ⌈N / c⌉ s, mean response s Σ ⌈i / c⌉ / N",
            "elementary",
        ],
        "N simultaneous requests, c servers, exp(mu) service, no arrivals" => [
            "A herd of memoryless work",
            "stages of mean 1 / (min(k, c) μ), k = N … 1",
            "elementary",
        ],
        _ => return None,
    })
}

fn retrial(model: &str) -> Option<[&'static str; 3]> {
    Some(match model {
        "M/M/1/1 retrial (classical)" => [
            "Blocked callers try again",
            "E N = ρ(λ + ρσ) / ((1 − ρ) σ), P(idle, nobody waits) = (1 − ρ)^(λ/σ + 1)",
            "Falin & Templeton 1997",
        ],
        "M/D/1/1 retrial (classical)" => [
            "Blocked callers try again, constant work",
            "E N = λ² E S² / (2(1 − ρ)) + λρ / (σ(1 − ρ))",
            "Falin & Templeton 1997",
        ],
        "M/M/1/1 retrial (constant rate)" => [
            "Retries that go through one queue",
            "geometric of ratio λ(λ + γ) / (γμ)",
            "Fayolle 1986",
        ],
        "M/M/1/1 retrial with persistence H" => [
            "Blocked callers try again, or give up",
            "chain of (calls waiting, calls served), solved exactly",
            "Falin & Templeton 1997",
        ],
        "M/M/c/c retrial (classical)" => [
            "Blocked callers of several servers try again",
            "chain of (calls waiting, calls served), solved exactly",
            "Falin & Templeton 1997",
        ],
        "M/M/c/K retrial with persistence H" => [
            "A bounded queue whose callers try again, or give up",
            "chain of (calls waiting, calls at the servers), solved exactly",
            "Falin & Templeton 1997",
        ],
        "M/M/c/K retrial, max 3 attempts (exact CTMC)" => [
            "A bounded queue whose callers try three times",
            "chain of (calls after one failure, after two, at the servers), solved exactly",
            "Grassmann, Taksar & Heyman 1985",
        ],
        "finite-source retrial (N clients, think, retry)" => [
            "So many clients who think, and try again",
            "chain of (clients waiting, clients at the servers), solved exactly",
            "Falin & Artalejo 1998",
        ],
        _ => return None,
    })
}

fn outages(model: &str) -> Option<[&'static str; 3]> {
    Some(match model {
        "closed N clients with outage (requests wait)" => [
            "So many clients and a pause",
            "1 − e^(−T/Z) of who thinks calls meanwhile; t_k = (1 + b_k t_(k+1)) / d_k",
            "Keilson 1965",
        ],
        "open M/M/c/K with outage (service paused)" => [
            "A bounded queue and a pause",
            "the law of the chain by uniformization, t_k = (1 + λ t_(k+1)) / (cμ)",
            "Jensen 1953; Keilson 1965",
        ],
        "closed retry storm: outage rejects all, Exp retries, c servers, no queue"
        | "closed retry storm [DES check]" => [
            "A complete retry storm",
            "binomial at the repair, then the linear system of the chain (waiting, served)",
            "derived here; Grassmann, Taksar & Heyman 1985",
        ],
        _ if model.starts_with("attempts per client in a total outage of length T") => [
            "Attempts of one client in an outage",
            "1 + Σ P(W₁ + … + W_m < T), W_k the waits of the ladder",
            "derived here; Brooker 2015 (the ladders)",
        ],
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_has_a_title_a_formula_and_a_source() {
        for model in ["M/M/1", "M/M/1+D", "M/M/c drain", "D/M/1", "closed retry storm [DES check]"]
        {
            let about = about(model).unwrap();
            assert!(![about.title, about.formula, about.source].contains(&""), "{model}");
        }
        assert_eq!(about("no such model"), None);
    }
}
