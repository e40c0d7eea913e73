//! Queues in equilibrium, without retries and without impatience.

use super::tools::{Copies, Span, exponential, is, poisson, relaxation, workers};
use super::{Experiment, PATIENT, Reading, seconds, service, watch, whole};
use crate::metrics::{Metric, Outcome};
use crate::oracle::exact;
use crate::oracle::gauge::{Batches, Workload};
use crate::oracle::params::{Params, number_in};

pub(super) fn experiment(model: &str, params: &Params, metric: &str) -> Option<Experiment> {
    match model {
        "M/M/1" => one_server(params, metric),
        "M/M/c/c (Erlang B)" if metric == "blocking" => loss(params),
        "M/M/c (Erlang C)" => many_servers(params, metric),
        "M/M/c/K" => bounded(params, metric),
        "M/D/1" | "M/D/c" => constant_work(params, metric),
        "M/G/1 (P-K)" if metric == "Wq" => general_work(params),
        "D/M/1" => regular_arrivals(params, metric),
        "M/M/1 with breakdowns" if metric == "L" => breakdowns(params),
        "sum D_i/D/1 (N periodic clients, uniform phases, service 1)" => {
            periodic(model, params, metric)
        }
        _ => None,
    }
}

/// An experiment of one group with Poisson arrivals.
fn open(span: Span, rate: f64, server: &str, reading: Reading) -> Option<Experiment> {
    let scenario = span.scenario(1, &poisson(rate), PATIENT, server, "");
    Some(Experiment { scenario, reading })
}

fn one_server(params: &Params, metric: &str) -> Option<Experiment> {
    let (rate, mu) = (params.num("lam")?, params.num("mu")?);
    let relaxation = relaxation(rate, mu, 1.0);
    let span = Span::of(relaxation, rate, 300.0);
    let server = workers(1, 1.0 / mu, None);
    if let Some(x) = number_in(metric, "P(W>", ")") {
        return open(span, rate, &server, span.of_calls(move |w| is(w > x)));
    }
    if let Some(percent) = number_in(metric, "p", " sojourn") {
        // To the first order a quantile is off by what its tail is off, over the density there;
        // unlike the quantile of a sample, this is not biased.
        let (exact, tail) = (exact::value("M/M/1", params, metric)?, 1.0 - percent / 100.0);
        let density = tail * (mu - rate);
        let reading = span.of_calls(move |w| exact + (is(w > exact) - tail) / density);
        return open(span, rate, &server, reading);
    }
    let reading = match metric {
        "L" => service(Metric::InSystemMean),
        "W (sojourn mean)" => whole(Metric::LatencyMeanMs).times(1e-3),
        _ => return variance(params, metric),
    };
    open(span, rate, &server, reading)
}

/// Asymptotic variances, from batches of 200 relaxation times. A variance needs many thousand
/// batches, which is more than a queue of high load allows. (The length of a run is arithmetic on
/// such a variance, and not simulated.)
fn variance(params: &Params, metric: &str) -> Option<Experiment> {
    let (rate, mu) = (params.num("lam")?, params.num("mu")?);
    if rate > 0.8 * mu {
        return None;
    }
    let relaxation = relaxation(rate, mu, 1.0);
    let (warmup, batch, wanted) = (10.0 * relaxation, 200.0 * relaxation, 48);
    let level = exact::value("M/M/1", params, "L")?;
    let reading = match metric {
        "asymptotic variance of time-average L (sigma^2: Var(Lbar_T)~sigma^2/T)" => {
            watch(move || Batches::new(warmup, batch, wanted, level, false))
        }
        "asymptotic variance of mean Wq per customer (Var(Wqbar_n)~s2/n)" => {
            let wait = level / rate - 1.0 / mu;
            let size = (batch * rate).round();
            watch(move || Batches::new(warmup, size, wanted, wait, true))
        }
        _ => return None,
    };
    let span = Span { warmup, span: f64::from(wanted) * 1.1 * batch };
    open(span, rate, &workers(1, 1.0 / mu, None), reading)
}

fn loss(params: &Params) -> Option<Experiment> {
    let (c, load) = (params.int("c")?, params.num("a")?);
    let span = Span::of(1.0, load, 300.0);
    open(span, load, &workers(c, 1.0, Some(0)), span.share(Outcome::Rejected))
}

fn many_servers(params: &Params, metric: &str) -> Option<Experiment> {
    let (c, load, mu) = (params.int("c")?, params.num("a")?, params.num("mu")?);
    let rate = load * mu;
    let span = Span::of(relaxation(rate, mu, c as f64), rate, 300.0);
    let reading = if let Some(x) = number_in(metric, "P(Wq>", ")") {
        span.of_waits(move |w| is(w > x))
    } else {
        match metric {
            "P(wait>0)" => service(Metric::Waited),
            "Wq" => service(Metric::WaitMeanMs).times(1e-3),
            _ => return None,
        }
    };
    open(span, rate, &workers(c, 1.0 / mu, None), reading)
}

fn bounded(params: &Params, metric: &str) -> Option<Experiment> {
    let (rate, mu) = (params.num("lam")?, params.num("mu")?);
    let (c, places) = (params.int("c")?, params.int("K")?);
    let queue = places.checked_sub(c)?;
    // A bounded queue forgets its state at the latest when it has diffused from end to end.
    let diffusion = (queue + 1) as f64 * (queue + 1) as f64 / (c as f64 * mu);
    let slow = relaxation(rate, mu, c as f64).min(diffusion + 1.0 / mu);
    let lost = exact::value("M/M/c/K", params, "P(loss)")?;
    // Where few are lost it takes many arrivals to see some.
    let enough = if metric == "P(loss)" { (3_000.0 / lost).min(1_000_000.0) } else { 0.0 };
    let span = Span::of(slow, rate.min(30_000.0 * rate / enough.max(30_000.0)), 300.0);
    let reading = match metric {
        "P(loss)" => span.share(Outcome::Rejected),
        "L" => service(Metric::InSystemMean),
        "Wq of accepted" => service(Metric::WaitMeanMs).times(1e-3),
        "goodput" => whole(Metric::GoodputPerS),
        _ => return None,
    };
    open(span, rate, &workers(c, 1.0 / mu, Some(queue)), reading)
}

fn constant_work(params: &Params, metric: &str) -> Option<Experiment> {
    let work = params.num("D")?;
    let c = params.int("c").unwrap_or(1);
    let rate = params.num("lam").or_else(|| Some(params.num("a")? / work))?;
    let span = Span::of(relaxation(rate, 1.0 / work, c as f64), rate, 300.0);
    let reading = if let Some(x) = number_in(metric, "P(Wq>", ")") {
        span.of_waits(move |w| is(w > x))
    } else {
        match metric {
            "L" => span.mean(|state| f64::from(state.in_system)),
            "Wq" => span.of_waits(|w| w),
            _ => return None,
        }
    };
    open(span, rate, &format!("workers = {c}\nservice_time = \"{}\"", seconds(work)), reading)
}

/// Work with the given two moments. Where the language has no such distribution, a worker holds
/// on through calls downstream. None for Pareto work of infinite third moment: the mean wait of
/// a run then has no variance, and no interval of means holds.
fn general_work(params: &Params) -> Option<Experiment> {
    let (rate, m1, m2) = (params.num("lam")?, params.num("m1")?, params.num("m2")?);
    let kind = params.text("service")?;
    let of = |time: String| format!("workers = 1\nservice_time = {time}");
    let plain = |time: String| Some((of(time), String::new()));
    let (server, more) = match kind.split([' ', '(', '-']).next()? {
        "exp" => plain(exponential(m1)),
        "uniform" => plain(format!("{{ uniform = [\"0s\", \"{}\"] }}", seconds(2.0 * m1))),
        "lognormal" => {
            let sigma = libm::log(m2 / (m1 * m1)).sqrt();
            let median = m1 * m1 / m2.sqrt();
            let high = median * libm::exp(NORMAL_99 * sigma);
            let (p50, p99) = (seconds(median), seconds(high));
            plain(format!("{{ lognormal = {{ p50 = \"{p50}\", p99 = \"{p99}\" }} }}"))
        }
        "Erlang" => {
            let stages = kind.strip_prefix("Erlang-")?.parse::<usize>().ok()?;
            Some(downstream(m1 / stages as f64, m1 / stages as f64, stages - 1, None))
        }
        "hyperexp2" => {
            // p μ₁ / (s + μ₁) + (1 − p) μ₂ / (s + μ₂) is also a first stage of rate μ₁, after
            // which a second of rate μ₂ follows with probability (1 − p)(1 − μ₂ / μ₁).
            let p = number_in(kind.split(' ').nth(1)?, "p=", "")?;
            let fast = number_in(kind.split(' ').nth(2)?, "mu1=", "")?;
            let slow = number_in(kind.split(' ').nth(3)?, "mu2=", "")?;
            let ends = 1.0 - (1.0 - p) * (1.0 - slow / fast);
            Some(downstream(1.0 / fast, 1.0 / slow, 1, Some(ends)))
        }
        _ => None,
    }?;
    let variation = m2 / (m1 * m1) / 2.0;
    let span = Span::of(variation * relaxation(rate, 1.0 / m1, 1.0), rate, 300.0);
    let scenario = if more.is_empty() {
        span.scenario(1, &poisson(rate), PATIENT, &server, "")
    } else {
        let text = span.scenario(1, &poisson(rate), PATIENT, &server, &more);
        text.replace("[server]", "[[services]]\nname = \"s\"")
            .replace("load =", "target = \"s\"\nload =")
            .replace("HORIZON", &seconds(2.0 * span.end()))
    };
    Some(Experiment { scenario, reading: span.of_waits(|w| w) })
}

/// The 99 % quantile of the normal distribution.
const NORMAL_99: f64 = 2.326_347_874_040_841;

/// A worker of exponential work that then calls a service without queues `calls` times and waits;
/// the call fails at once with probability `ends`.
fn downstream(own: f64, other: f64, calls: usize, ends: Option<f64>) -> (String, String) {
    let call = "{ to = \"d\", timeout = \"none\", retry = \"none\" }";
    let list = vec![call; calls].join(", ");
    let server = format!("workers = 1\nservice_time = {}\ncalls = [{list}]", exponential(own));
    let mut more =
        format!("[[services]]\nname = \"d\"\nworkers = 4\nservice_time = {}\n", exponential(other));
    if let Some(share) = ends {
        more += &format!(
            "[[faults]]\nkind = \"errors\"\ntarget = \"d\"\nat = \"0s\"\nfor = \"HORIZON\"\n\
             share = {share}\n"
        );
    }
    (server, more)
}

fn regular_arrivals(params: &Params, metric: &str) -> Option<Experiment> {
    let (rate, mu) = (params.num("lam")?, params.num("mu")?);
    let span = Span::of(relaxation(rate, mu, 1.0), rate, 300.0);
    let reading = match metric {
        "sigma=P(wait>0)" => span.of_waits(|w| is(w > 0.0)),
        "Wq" => span.of_waits(|w| w),
        _ => return None,
    };
    let load = format!("periodic = \"{}\"", seconds(1.0 / rate));
    let scenario = span.scenario(1, &load, PATIENT, &workers(1, 1.0 / mu, None), "");
    Some(Experiment { scenario, reading })
}

fn breakdowns(params: &Params) -> Option<Experiment> {
    let (rate, mu) = (params.num("lam")?, params.num("mu")?);
    let (fail, repair) = (params.num("fail")?, params.num("repair")?);
    let speed = mu * repair / (fail + repair);
    let busy = 1.0 / (repair * (1.0 - rate / speed));
    let span = Span::of(relaxation(rate, speed, 1.0) + busy, rate, 300.0);
    let fault = format!(
        "[[faults]]\nkind = \"breakdowns\"\nmode = \"pause\"\nat = \"0s\"\nfor = \"{}\"\n\
         every = {}\nrepair = {}\n",
        seconds(1.02 * span.end()),
        exponential(1.0 / fail),
        exponential(1.0 / repair),
    );
    let server = workers(1, 1.0 / mu, None);
    let scenario = span.scenario(1, &poisson(rate), PATIENT, &server, &fault);
    Some(Experiment { scenario, reading: span.mean(|state| f64::from(state.in_system)) })
}

/// Phases are drawn once per run, so that many services side by side are watched for a period.
fn periodic(model: &str, params: &Params, metric: &str) -> Option<Experiment> {
    let (clients, period) = (params.int("N")?, params.num("period")?);
    let x = number_in(metric, "P(workload>", ") at random time")?;
    let all = if exact::value(model, params, metric)? < 0.01 { 80_000 } else { 40_000 };
    let services = (all / clients).clamp(1, 2_000) as usize;
    let copies = Copies {
        services,
        groups: &[(clients, format!("periodic = \"{}\"", seconds(period)))],
        caller: PATIENT,
        server: "workers = 1\nservice_time = \"1s\"",
        fault: "",
        horizon: 2.1 * period,
    };
    let reading = watch(move || Workload::new(services, period, 2.0 * period, 1.0, x));
    Some(Experiment { scenario: copies.toml(), reading })
}
