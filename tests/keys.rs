//! Every key of the scenario language changes a result: nothing is read and ignored.

mod common;

use std::collections::BTreeSet;
use std::path::PathBuf;

use herdsim::report::json;
use herdsim::scenario::{Loaded, Options, read_text, schema};
use herdsim::study::{self, Answer};
use serde_json::Value;

/// A scenario in parts that a row may put in other words.
const SCENARIO: &str = r#"
[HEAD] seed = 7; horizon = "60s"; bin = "500ms"
[SLO] slo = { latency = "1s", share = "95%" }
[MEASURE] measure = { recovery = { hold = "5s" } }
[TEXT] title = "Keys"
[NAME] [[clients]]; name = "web"
[TARGET] target = "front"
[COUNT] count = 30
[TIMEOUT] timeout = "600ms"
[SHARING] sharing = { budget = "fleet" }
[DEADLINE]
[LOAD] load = { poisson = "0.5/s" }
[RETRY] retry = { max_attempts = 4, backoff = { exponential = { base = "100ms" } } }
[FRONT] [[services]]; name = "front"; workers = 4; service_time = "100ms"; queue = { capacity = 30 }
[CALLS]
[BACK] [[services]]; name = "back"; workers = 2; service_time = "70ms"; queue = { capacity = 3 }
[SIDE] [[services]]; name = "side"; workers = 9; service_time = "90ms"
[FAULT] [[faults]]; target = "front"; kind = "outage"; at = "20s"; for = "10s"
[END]
"#;

/// Rows: key, one value, another value, parts with `@` where the value stands; `;` ends a
/// line of the scenario, and a row goes on where the next line is indented.
const ROWS: &str = r#"
seed | 7 | 8 | [HEAD] seed = @; horizon = "60s"
horizon | 60s | 61s | [HEAD] seed = 7; horizon = "@"
bin | 500ms | 7s | [HEAD] seed = 7; horizon = "60s"; bin = "@"
reps | 2 | 3 | [HEAD] seed = 7; horizon = "60s"; reps = @
warmup | 0s | 9s | [HEAD] seed = 7; horizon = "60s"; warmup = "@"
scramble_ties | true | false | [HEAD] seed = 7; horizon = "60s"; scramble_ties = @ | [LOAD] load =
    { burst = "1s" } | [FRONT] [[services]]; name = "front"; workers = 1; service_time = {
    exponential = "9s" }
start | start = { state = "saturated" } | | [SLO] @ | [BACK] | [SIDE]
initial-state.state | empty | saturated | [SLO] start = { state = "@" } | [BACK] | [SIDE]
initial-state.state | empty | stationary", settle = "9s | [SLO] start = { state = "@" } | [RETRY]
    retry = "none" | [LOAD] load = { closed = { think = "2s" } }
initial-state.settle | 8s | 9s | [SLO] start = { state = "stationary", settle = "@" }
initial-state.backlog | 5 | 6 | [SLO] start = { state = "saturated", backlog = @ }
initial-state.quota | full | 50% | [SLO] start = { quota = "@" } | [RETRY] retry = { max_retries =
    9, backoff = { constant = "500ms" }, budget = { aws-quota = { capacity = 60 } } } | [FAULT]
    [[faults]]; target = "front"; kind = "outage"; at = "0s"; for = "10s"
initial-state.quota | empty | 50% | [SLO] start = { quota = "@" } | [RETRY] retry = { max_retries =
    9, backoff = { constant = "500ms" }, budget = { aws-quota = { capacity = 60 } } }
slo | slo = { latency = "1s", share = "95%" } | | [SLO] @
service-level-objective.latency | 1s | 90ms | [SLO] slo = { latency = "@", share = "95%" }
service-level-objective.share | 99% | 1% | [SLO] slo = { latency = "1s", share = "@" }
measure | peak_width = "1s" | peak_width = "2s" | [MEASURE] measure = { @ }
measures.peak_width | 1s | 2s | [MEASURE] measure = { peak_width = "@" }
measures.first_below | 0 | 9 | [MEASURE] measure = { first_below = @ }
measures.first_above | 0 | 20 | [MEASURE] measure = { first_above = @ }
measures.recovery | hold = "5s" | hold = "29s" | [MEASURE] measure = { recovery = { @ } }
measure-of-recovery.within | 5% | 50% | [MEASURE] measure = { recovery = { hold = "5s", within =
    "@" } } | [RETRY] retry = "none" | [FAULT] [[faults]]; target = "front"; at = "9s"; for =
    "9s"; kind = "errors"; share = 1; recover = "ramp 9s"
measure-of-recovery.hold | 5s | 29s | [MEASURE] measure = { recovery = { hold = "@" } }
clients | 3 | 4 | [END] [[clients]]; name = "jobs"; target = "back"; count = @; load = { burst =
    "1s" }; timeout = "none"; retry = "none"
server | 1 | 2 | [FRONT] [server]; workers = @; service_time = "100ms" | [TARGET] target =
    "server" | [FAULT]
services | 4 | 3 | [FRONT] [[services]]; name = "front"; workers = @; service_time = "100ms"
faults | [[faults]]; target = "front"; kind = "outage"; at = "20s"; for = "10s" | | [FAULT] @
actions | [[actions]]; at = "9s"; set = { "front.workers" = 1 } | | [END] @
action.at | 9s | 30s | [END] [[actions]]; at = "@"; set = { "front.workers" = 1 }
action.set | front.workers | front.queue.capacity | [END] [[actions]]; at = "9s"; set = { "@" = 1 }
policy | [[policy]]; label = "a"; set = { "front.workers" = 1 } | | [END] @
policy.set | 1 | 2 | [END] [[policy]]; label = "a"; set = { "front.workers" = @ }
client-group.count | 30 | 31 | [COUNT] count = @
client-group.target | front | side | [TARGET] target = "@"
client-group.timeout | "600ms" | "none" | [TIMEOUT] timeout = @ | [LOAD] load = { poisson = "2/s" }
client-group.timeout | exponential = "90ms" | uniform = ["80ms", "100ms"] | [TIMEOUT] timeout = {
    @ }
client-group.deadline | deadline = { for = "600ms" } | | [DEADLINE] @
deadline.for | 2s | 3s | [DEADLINE] deadline = { for = "@" } | [RETRY] retry = { max_attempts = 9,
    backoff = { constant = "1s" } }
deadline.propagate | true | false | [DEADLINE] deadline = { for = "300ms", propagate = @ } |
    [LOAD] load = { poisson = "2/s" }
client-group.load | { poisson = "0.5/s" } | { poisson = "1/s" } | [LOAD] load = @
client-group.load | [{ poisson = "0.5/s" }] | [{ poisson = "0.5/s" }, { burst = "1s" }] | [LOAD]
    load = @
load.burst | 19s | 20s | [LOAD] load = { burst = "@" }
load.periodic | 2s | 3s | [LOAD] load = { periodic = "@" }
load.phase | same | even | [LOAD] load = { periodic = "2s", phase = "@" }
load.phase | even | random | [LOAD] load = { periodic = "2s", phase = "@" }
load.poisson | 0.5/s | 0.6/s | [LOAD] load = { poisson = "@" }
load.closed | closed = { think = "2s" } | poisson = "0.5/s" | [LOAD] load = { @ }
closed-load.think | "2s" | { exponential = "2s" } | [LOAD] load = { closed = { think = @ } }
load.ramp | 1/s | 2/s | [LOAD] load = { ramp = { from = "@", to = "@", over = "9s" } }
ramp.from | 1/s | 2/s | [LOAD] load = { ramp = { from = "@", to = "1/s", over = "9s" } }
ramp.to | 1/s | 2/s | [LOAD] load = { ramp = { from = "1/s", to = "@", over = "9s" } }
ramp.over | 9s | 19s | [LOAD] load = { ramp = { from = "0/s", to = "1/s", over = "@" } }
load.step | 1s | 2s | [LOAD] load = { step = [{ at = "@", rate = "1/s" }] }
step.at | 19s | 18s | [LOAD] load = { step = [{ at = "0s", rate = "1/s" }, { at = "@", rate =
    "0/s" }] }
step.rate | 0/s | 1/s | [LOAD] load = { step = [{ at = "0s", rate = "1/s" }, { at = "9s", rate =
    "@" }] }
load.trace | calls-a.csv | calls-b.csv | [LOAD] load = { trace = "@" }
load.of | client | group | [LOAD] load = { poisson = "0.5/s", of = "@" }
load.of | client | group | [LOAD] load = { trace = "calls-a.csv", of = "@" }
load.of | client | group | [LOAD] load = { burst = "9s", of = "@" }
load.of | client | group | [LOAD] load = { periodic = "2s", of = "@" }
client-group.retry | "none" | { max_attempts = 2, backoff = { constant = "1s" } } | [RETRY] retry
    = @
layer-of-retries.max_attempts | 2 | 3 | [RETRY] retry = { max_attempts = @, backoff = { constant =
    "1s" } }
layer-of-retries.max_attempts | 99 | "unlimited" | [RETRY] retry = { max_attempts = @, backoff = {
    constant = "50ms" } }
layer-of-retries.max_retries | 2 | 3 | [RETRY] retry = { max_retries = @, backoff = { constant =
    "1s" } }
layer-of-retries.max_elapsed | 3s | 5s | [RETRY] retry = { max_retries = 9, backoff = { constant =
    "1s" }, max_elapsed = "@" }
layer-of-retries.backoff | constant = "1s" | constant = "2s" | [RETRY] retry = { max_retries = 2,
    backoff = { @ } }
backoff.constant | 1s | 2s | [RETRY] retry = { max_retries = 2, backoff = { constant = "@" } }
backoff.linear | 1s | 2s | [RETRY] retry = { max_retries = 2, backoff = { linear = { base = "@",
    step = "@" } } }
linear-backoff.base | 1s | 2s | [RETRY] retry = { max_retries = 2, backoff = { linear = { base =
    "@", step = "1s" } } }
linear-backoff.step | 1s | 2s | [RETRY] retry = { max_retries = 2, backoff = { linear = { base =
    "1s", step = "@" } } }
backoff.exponential | 1s | 2s | [RETRY] retry = { max_retries = 2, backoff = { exponential = {
    base = "@" } } }
exponential-backoff.base | 1s | 2s | [RETRY] retry = { max_retries = 2, backoff = { exponential =
    { base = "@" } } }
exponential-backoff.factor | 2 | 3 | [RETRY] retry = { max_retries = 2, backoff = { exponential =
    { base = "1s", factor = @ } } }
exponential-backoff.whole | 1ms | 1s | [RETRY] retry = { max_retries = 3, backoff = { exponential
    = { base = "2s", factor = 1.7, whole = "@" } } }
backoff.polynomial | unit = "1s", power = 1 | unit = "1s", power = 2 | [RETRY] retry = {
    max_retries = 3, backoff = { polynomial = { @ } } }
polynomial-backoff.unit | 1s | 2s | [RETRY] retry = { max_retries = 3, backoff = { polynomial = {
    unit = "@", power = 2 } } }
polynomial-backoff.power | 1 | 2 | [RETRY] retry = { max_retries = 3, backoff = { polynomial = {
    unit = "1s", power = @ } } }
polynomial-backoff.from | 0 | 1 | [RETRY] retry = { max_retries = 3, backoff = { polynomial = {
    unit = "1s", power = 2, from = @ } } }
polynomial-backoff.plus | 0s | 1s | [RETRY] retry = { max_retries = 3, backoff = { polynomial = {
    unit = "1s", power = 2, plus = "@" } } }
backoff.fibonacci | fibonacci | exponential | [RETRY] retry = { max_retries = 3, backoff = { @ = {
    base = "1s" } } }
fibonacci-backoff.base | 1s | 2s | [RETRY] retry = { max_retries = 3, backoff = { fibonacci = {
    base = "@" } } }
backoff.polly-v2 | polly-v2 | exponential | [RETRY] retry = { max_retries = 3, backoff = { @ = {
    base = "1s" } } }
polly-backoff.base | 1s | 2s | [RETRY] retry = { max_retries = 3, backoff = { polly-v2 = { base =
    "@" } } }
backoff.decorrelated | decorrelated | exponential | [RETRY] retry = { max_retries = 2, backoff = {
    @ = { base = "1s" } } }
decorrelated-backoff.base | 1s | 2s | [RETRY] retry = { max_retries = 2, backoff = { decorrelated
    = { base = "@" } } }
decorrelated-backoff.factor | 2 | 3 | [RETRY] retry = { max_retries = 2, backoff = { decorrelated
    = { base = "1s", factor = @ } } }
backoff.schedule | "1s" | "1s", "4s" | [RETRY] retry = { max_retries = 3, backoff = { schedule =
    [@] } }
layer-of-retries.jitter | full | equal | [RETRY] retry = { max_retries = 3, backoff = { constant =
    "1s" }, jitter = "@" }
layer-of-retries.jitter | full | none | [RETRY] retry = { max_retries = 3, backoff = { constant =
    "1s" }, jitter = "@" }
jitter.proportional | 0.1 | 0.2 | [RETRY] retry = { max_retries = 3, backoff = { constant = "1s"
    }, jitter = { proportional = @ } }
jitter.longer | 0.1 | 0.2 | [RETRY] retry = { max_retries = 3, backoff = { constant = "2s"
    }, jitter = { longer = @ } }
jitter.shorter | 0.1 | 0.2 | [RETRY] retry = { max_retries = 3, backoff = { constant = "2s"
    }, jitter = { shorter = @ } }
jitter.added | most = "1s" | most = "2s" | [RETRY] retry = {max_retries=3, backoff = {constant="2s"
    }, jitter = { added = { @ } } }
added-jitter.most | 1s | 2s | [RETRY] retry = { max_retries = 3, backoff = { constant = "2s"
    }, jitter = { added = { most = "@" } } }
added-jitter.step | 0s | 1s | [RETRY] retry = { max_retries = 3, backoff = { constant = "2s"
    }, jitter = { added = { most = "1s", step = "@" } } }
jitter.multiples | 1s | 500ms | [RETRY] retry = { max_retries = 3, backoff = { constant = "2s"
    }, jitter = { multiples = "@" } }
jitter.doubling | 3s | 4s | [RETRY] retry = { max_retries = 3, backoff = { constant = "2s"
    }, jitter = { doubling = "@" } }
jitter.bands | 0.1 | 0.2 | [RETRY] retry = { max_retries = 3, backoff = { constant = "2s"
    }, jitter = { bands = @ } }
jitter.percents | 10 | 20 | [RETRY] retry = { max_retries = 3, backoff = { constant = "2s"
    }, jitter = { percents = @ } }
layer-of-retries.cap | 2s | 3s | [RETRY] retry = { max_retries = 3, backoff = { exponential = {
    base = "1s" } }, cap = "@" }
layer-of-retries.cap | 2s | 3s | [RETRY] retry = { max_retries = 3, backoff = { decorrelated = {
    base = "1s" } }, cap = "@" }
layer-of-retries.cap_position | before-jitter | after-jitter | [RETRY] retry = { max_retries = 5,
    backoff = { exponential = { base = "1s" } }, jitter = "full", cap = "3s", cap_position = "@" }
layer-of-retries.cap_position | after-jitter | around-jitter | [RETRY] retry = { max_retries = 5,
    backoff = { exponential = { base = "1s" } }, jitter = "full", cap = "3s", cap_position = "@" }
layer-of-retries.preset | kafka | grpc | [RETRY] retry = { preset = "@", max_retries = 3 }
layer-of-retries.first | 0s | 5s | [RETRY] retry = { max_retries = 3, backoff = { constant = "1s"
    }, first = "@" }
layer-of-retries.floor | 1s | 2s | [RETRY] retry = { max_retries = 3, backoff = { constant = "1s"
    }, jitter = "full", floor = "@" }
layer-of-retries.quantum | 1ms | 1s | [RETRY] retry = { max_retries = 3, backoff = { constant =
    "2s" }, jitter = "full", quantum = "@" }
layer-of-retries.rounding | down | nearest | [RETRY] retry = { max_retries = 3, backoff = {
    constant = "2s" }, jitter = "full", quantum = "1s", rounding = "@" }
layer-of-retries.rounding | nearest | up | [RETRY] retry = { max_retries = 3, backoff = { constant
    = "2s" }, jitter = "full", quantum = "1s", rounding = "@" }
layer-of-retries.budget | , budget = "aws-quota" | | [RETRY] retry = { max_retries = 9, backoff =
    { constant = "500ms" }@ }
retry-budget.aws-quota | {} | { cost = 9 } | [RETRY] retry = { max_retries = 9, backoff = {
    constant = "500ms" }, budget = { aws-quota = @ } }
retry-quota.capacity | 300 | 400 | [RETRY] retry = { max_retries = 9, backoff = { constant =
    "500ms" }, budget = { aws-quota = { capacity = @ } } }
retry-quota.cost | 14 | 13 | [RETRY] retry = { max_retries = 9, backoff = { constant = "500ms" },
    budget = { aws-quota = { cost = @ } } }
retry-quota.cost_timeout | 14 | 90 | [FAULT] [[faults]]; target = "front"; kind = "outage"; mode =
    "pause"; at = "20s"; for = "10s" | [RETRY] retry = { max_retries = 9, backoff = { constant =
    "500ms" }, budget = { aws-quota = { cost_timeout = @ } } }
retry-quota.reward | 1 | 2 | [RETRY] retry = { max_retries = 9, backoff = { constant = "500ms" },
    budget = { aws-quota = { reward = @ } } }
retry-quota.cost_throttling | 5 | 9 | [FAULT] [[faults]]; target = "front"; kind = "errors"; class
    = "throttling"; share = 1; at = "20s"; for = "10s" | [RETRY] retry = { max_retries = 9,
    backoff = { constant = "500ms" }, budget = { aws-quota = { cost_throttling = @ } } }
client-group.sharing | sharing = { budget = "fleet" } | | [SHARING] @ | [RETRY] retry = {
    max_retries = 9, backoff = { constant = "500ms" }, budget = { aws-quota = { capacity = 60 } }
    }
sharing-of-state.budget | fleet | process:3 | [SHARING] sharing = { budget = "@" } | [RETRY] retry
    = { max_retries = 9, backoff = { constant = "500ms" }, budget = { aws-quota = { capacity = 60
    } } }
sharing-of-state.budget | client | call | [SHARING] sharing = { budget = "@" } | [RETRY] retry = {
    max_retries = 9, backoff = { constant = "500ms" }, budget = { aws-quota = { capacity = 60 } }
    }
sharing-of-state.retry_queue | fleet | process:3 | [SHARING] sharing = { retry_queue = "@" } |
    [RETRY] retry = { max_retries = 9, backoff = { constant = "500ms" } }
sharing-of-state.retry_queue | client | call | [SHARING] sharing = { retry_queue = "@" } | [RETRY]
    retry = { max_retries = 9, backoff = { constant = "500ms" } }
sharing-of-state.rng | fleet | process:3 | [SHARING] sharing = { rng = "@" } | [RETRY] retry = {
    max_retries = 9, backoff = { constant = "500ms" }, jitter = "full" }
sharing-of-state.rng | client | call | [SHARING] sharing = { rng = "@" } | [RETRY] retry = {
    max_retries = 9, backoff = { constant = "500ms" }, jitter = "full" }
layer-of-retries.retry_on | transient | timeout | [RETRY] retry = { max_retries = 9, backoff = {
    constant = "1s" }, retry_on = ["@"] }
layer-of-retries.give_up | 0% | 30% | [RETRY] retry = { max_retries = 9, backoff = { constant =
    "1s" }, give_up = "@" }
layers-of-retries.layers | | , { max_retries = 1, backoff = { constant = "1s" } } | [RETRY] retry
    = { layers = [{ max_retries = 1, backoff = { constant = "1s" } }@] }
service.workers | 4 | 5 | [FRONT] [[services]]; name = "front"; workers = @; service_time = "200ms"
service.service_time | "100ms" | { uniform = ["50ms", "150ms"] } | [FRONT] [[services]]; name =
    "front"; workers = 4; service_time = @
service.rate | 30/s | 40/s | [FRONT] [[services]]; name = "front"; rate = "@"
service.network | 0s | 1ms | [FRONT] [[services]]; name = "front"; rate = "30/s"; network = "@"
service.network | exponential = "9ms" | uniform = ["0s", "18ms"] | [FRONT] [[services]]; name =
    "front"; rate = "30/s"; network = { @ }
service.discipline | fifo | ps | [FRONT] [[services]]; name = "front"; rate = "30/s"; discipline =
    "@"
service.writes | plain | versioned | [FRONT] [[services]]; name = "front"; workers = 4;
    service_time = "100ms"; writes = "@"
service.queue | queue = { capacity = 0 } | | [FRONT] [[services]]; name = "front"; rate = "30/s"; @
queue.capacity | 0 | 1 | [FRONT] [[services]]; name = "front"; rate = "30/s"; queue = { capacity =
    @ }
queue.on_full | 503 | drop | [FRONT] [[services]]; name = "front"; rate = "30/s"; queue = {
    capacity = 0, on_full = "@" }
queue.on_full | 503 | 429 | [FRONT] [[services]]; name = "front"; rate = "30/s"; queue = {
    capacity = 0, on_full = "@" } | [RETRY] retry = { max_retries = 9, backoff = { constant = "1s"
    }, retry_on = ["transient"] }
service.limit | limit = { count = 9, per = "1s" } | | [FRONT] [[services]]; name = "front"; rate =
    "30/s"; @
limit.count | 9 | 10 | [FRONT] [[services]]; name = "front"; rate = "30/s"; limit = { count = @,
    per = "1s" }
limit.per | 1s | 2s | [FRONT] [[services]]; name = "front"; rate = "30/s"; limit = { count = 9,
    per = "@" }
limit.window | fixed | sliding | [FRONT] [[services]]; name = "front"; rate = "30/s"; limit = {
    count = 9, per = "1s", window = "@" }
limit.window | sliding | bucket | [FRONT] [[services]]; name = "front"; rate = "30/s"; limit = {
    count = 9, per = "1s", window = "@" }
limit.on_excess | 503 | drop | [FRONT] [[services]]; name = "front"; rate = "30/s"; limit = {
    count = 9, per = "1s", on_excess = "@" }
limit.on_excess | 503 | 429 | [FRONT] [[services]]; name = "front"; rate = "30/s"; limit = { count
    = 9, per = "1s", on_excess = "@" } | [RETRY] retry = { max_retries = 9, backoff = { constant =
    "1s" }, retry_on = ["transient"] }
service.stale_work | served | dropped | [FRONT] [[services]]; name = "front"; rate = "15/s";
    stale_work = "@"
service.stale_work | dropped | dropped-queued | [FRONT] [[services]]; name = "front"; rate =
    "15/s"; stale_work = "@"
service.crash | crash = { when = "queue > 3", restart = "2s" } | | [FRONT] [[services]]; name =
    "front"; rate = "20/s"; @
crash-under-load.when | queue > 3 | queue > 4 | [FRONT] [[services]]; name = "front"; rate =
    "20/s"; crash = { when = "@", restart = "2s" }
crash-under-load.when | load > 19/s | load > 20/s | [FRONT] [[services]]; name = "front"; rate =
    "20/s"; crash = { when = "@", restart = "2s" }
crash-under-load.restart | 2s | 3s | [FRONT] [[services]]; name = "front"; rate = "20/s"; crash =
    { when = "queue > 3", restart = "@" }
service.calls | [[services.calls]]; to = "back"; timeout = "none"; retry = "none" | | [CALLS] @
call-of-a-service.to | back | side | [CALLS] [[services.calls]]; to = "@"; timeout = "none"; retry
    = "none"
call-of-a-service.timeout | "none" | "71ms" | [CALLS] [[services.calls]]; to = "back"; timeout =
    @; retry = "none"
call-of-a-service.deadline | deadline = { for = "71ms" } | | [CALLS] [[services.calls]]; to =
    "back"; timeout = "none"; retry = "none"; @
call-of-a-service.retry | "none" | { max_attempts = 2, backoff = { constant = "50ms" } } | [CALLS]
    [[services.calls]]; to = "back"; timeout = "none"; retry = @ | [FAULT] [[faults]]; target =
    "back"; at = "9s"; for = "9s"; kind = "errors"; share = 0.5
call-of-a-service.holds_worker | true | false | [CALLS] [[services.calls]]; to = "back"; timeout =
    "none"; retry = "none"; holds_worker = @
fault.kind | outage | brownout"; slowdown = 3; # | [FAULT] [[faults]]; target = "front"; at =
    "20s"; for = "10s"; kind = "@"
fault.target | front | back | [FAULT] [[faults]]; target = "@"; at = "20s"; for = "10s"; kind =
    "outage" | [CALLS] [[services.calls]]; to = "back"; timeout = "none"; retry = "none"
fault.at | 20s | 21s | [FAULT] [[faults]]; target = "front"; at = "@"; for = "10s"; kind = "outage"
fault.for | 10s | 9s | [FAULT] [[faults]]; target = "front"; at = "20s"; for = "@"; kind = "outage"
fault.recover | recover = "ramp 9s" | | [FAULT] [[faults]]; target = "front"; at = "20s"; for =
    "9s"; kind = "outage"; @
fault.recover | recover = "ramp 9s" | | [FAULT] [[faults]]; target = "front"; at = "20s"; for =
    "9s"; kind = "brownout"; slowdown = 3; @
fault.recover | recover = "ramp 9s" | | [FAULT] [[faults]]; target = "front"; at = "20s"; for =
    "9s"; kind = "errors"; share = 0.5; @
fault.recover | recover = "ramp 9s" | | [FAULT] [[faults]]; target = "front"; at = "20s"; for =
    "9s"; kind = "latency"; add = "9ms"; @
fault.mode | reject | pause | [FAULT] [[faults]]; target = "front"; at = "20s"; for = "9s"; kind =
    "outage"; mode = "@"
fault.mode | pause | blackhole | [FAULT] [[faults]]; target = "front"; at = "20s"; for = "9s";
    kind = "outage"; mode = "@"
fault.class | transient | fatal | [FAULT] [[faults]]; target = "front"; at = "20s"; for = "9s";
    kind = "errors"; share = 0.5; class = "@"
fault.share | 50% | 40% | [FAULT] [[faults]]; target = "front"; at = "20s"; for = "9s"; kind =
    "errors"; share = "@"
fault.slowdown | 2 | 3 | [FAULT] [[faults]]; target = "front"; at = "20s"; for = "9s"; kind =
    "brownout"; slowdown = @
fault.add | "9ms" | { exponential = "9ms" } | [FAULT] [[faults]]; target = "front"; at = "20s";
    for = "9s"; kind = "latency"; add = @
fault.mode | pause | reject | [FAULT] [[faults]]; target = "front"; at = "20s"; for = "9s"; kind =
    "breakdowns"; every = "2s"; repair = "2s"; mode = "@"
fault.every | "2s" | { exponential = "2s" } | [FAULT] [[faults]]; target = "front"; at = "20s";
    for = "9s"; kind = "breakdowns"; repair = "2s"; every = @
fault.repair | "2s" | { exponential = "2s" } | [FAULT] [[faults]]; target = "front"; at = "20s";
    for = "9s"; kind = "breakdowns"; every = "2s"; repair = @
distribution.exponential | 99ms | 98ms | [FRONT] [[services]]; name = "front"; workers = 4;
    service_time = { exponential = "@" }
distribution.uniform | 9ms | 8ms | [FRONT] [[services]]; name = "front"; workers = 4; service_time
    = { uniform = ["@", "99ms"] }
distribution.lognormal | 99ms | 98ms | [FRONT] [[services]]; name = "front"; workers = 4;
    service_time = { lognormal = { p50 = "9ms", p99 = "@" } }
log-normal-distribution.p50 | 9ms | 8ms | [FRONT] [[services]]; name = "front"; workers = 4;
    service_time = { lognormal = { p50 = "@", p99 = "99ms" } }
log-normal-distribution.p99 | 99ms | 98ms | [FRONT] [[services]]; name = "front"; workers = 4;
    service_time = { lognormal = { p50 = "9ms", p99 = "@" } }
distribution.normal_abs | 9ms | 8ms | [FRONT] [[services]]; name = "front"; workers = 4;
    service_time = { normal_abs = { mean = "99ms", sd = "@" } }
folded-normal-distribution.mean | 99ms | 98ms | [FRONT] [[services]]; name = "front"; workers =
    4; service_time = { normal_abs = { mean = "@", sd = "9ms" } }
folded-normal-distribution.sd | 9ms | 8ms | [FRONT] [[services]]; name = "front"; workers = 4;
    service_time = { normal_abs = { mean = "99ms", sd = "@" } }
distribution.pareto | 9ms | 8ms | [FRONT] [[services]]; name = "front"; workers = 4; service_time
    = { pareto = { scale = "@", shape = 2 } }
pareto-distribution.scale | 9ms | 8ms | [FRONT] [[services]]; name = "front"; workers = 4;
    service_time = { pareto = { scale = "@", shape = 2 } }
pareto-distribution.shape | 2 | 3 | [FRONT] [[services]]; name = "front"; workers = 4;
    service_time = { pareto = { scale = "9ms", shape = @ } }
distribution.empirical | work-a.csv | work-b.csv | [FRONT] [[services]]; name = "front"; workers =
    4; service_time = { empirical = "@" }
"#;

/// Rows whose key changes the words of the result and not its numbers: other word for word.
const WORDS: &str = r#"
title | One | Two | [TEXT] title = "@"
question | One | Two | [TEXT] question = "@"
client-group.name | web | people | [NAME] [[clients]]; name = "@"
service.name | front | shop | [FRONT] [[services]]; name = "@"; workers = 4; service_time =
    "100ms" | [TARGET] target = "@" | [FAULT]
policy.label | one | two | [END] [[policy]]; label = "@"
"#;

/// Rows whose key changes the answer to an expectation.
const ANSWERS: &str = r#"
expect | [[expect]]; metric = "calls"; max = 1 | | [END] @
expectation.policy | a | b | [END] [[policy]]; label = "a"; [[policy]]; label = "b"; set = {
    "web.count" = 1 }; [[expect]]; metric = "calls"; max = 99; policy = "@"
expectation.metric | calls | open | [END] [[expect]]; metric = "@"; max = 99
expectation.stat | p50 | p95 | [HEAD] seed = 7; horizon = "60s"; reps = 9; bin = "500ms" | [RETRY]
    retry = { max_attempts = 6, backoff = { exponential = { base = "100ms" } } } | [END]
    [[expect]]; metric = "recovery_s"; stat = "@"; max = "2500ms"
expectation.clients | web | one | [END] [[clients]]; name = "one"; count = 1; target = "back";
    timeout = "1s"; load = { burst = "1s" }; retry = "none";
    [[expect]]; metric = "calls"; min = 2; clients = "@"
expectation.service | front | back | [END] [[expect]]; metric = "served"; min = 1; service = "@"
expectation.min | 1 | 9999 | [END] [[expect]]; metric = "calls"; min = @
expectation.max | 1 | 9999 | [END] [[expect]]; metric = "calls"; max = @
"#;

/// A key with the scenario in one way and in another.
struct Row {
    key: String,
    values: [String; 2],
    texts: [String; 2],
}

/// The lines of a table, those that go on put together.
fn lines(table: &str) -> impl Iterator<Item = String> {
    let whole = table.trim().replace("\n    ", " ");
    whole.lines().map(str::to_string).collect::<Vec<_>>().into_iter()
}

/// The rows of a table.
fn rows(table: &str) -> Vec<Row> {
    let row = |line: String| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let (key, one, other) = (cells[0], cells[1], cells[2]);
        let text = |value: &str| with(&cells[3..]).replace('@', value).replace("; ", "\n");
        Row {
            key: key.into(),
            values: [one, other].map(String::from),
            texts: [one, other].map(text),
        }
    };
    lines(table).map(row).collect()
}

/// The scenario with some parts in other words.
fn with(parts: &[&str]) -> String {
    let name = |part: &str| part.split(']').next().unwrap().to_string() + "]";
    let usual: Vec<String> = lines(SCENARIO).collect();
    let known = |part: &&str| usual.iter().any(|usual| name(usual) == name(part));
    assert!(parts.iter().all(known), "{parts:?}");
    let words = |usual: &String| {
        let other = parts.iter().find(|part| name(part) == name(usual));
        let part = other.copied().unwrap_or(usual);
        part[name(part).len()..].trim().to_string()
    };
    let mut text: Vec<String> = usual.iter().map(words).collect();
    text.retain(|words| !words.is_empty());
    text.join("\n") + "\n"
}

/// Reads a scenario whose files lie in the folder of this test.
fn load(text: &str) -> Loaded {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("keys");
    match read_text("test.toml", text, &folder, &Options::default()) {
        Ok(loaded) => loaded,
        Err(error) => panic!("{}\n{text}", error.render(false)),
    }
}

/// Writes the files that scenarios name.
fn write_files() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("keys");
    std::fs::create_dir_all(&folder).unwrap();
    for (name, text) in [
        ("calls-a.csv", "time,calls\n1,5\n22,9\n"),
        ("calls-b.csv", "time,calls\n1,5\n22,8\n"),
        ("work-a.csv", "0.05\n0.1\n"),
        ("work-b.csv", "0.05\n0.11\n"),
    ] {
        std::fs::write(folder.join(name), text).unwrap();
    }
}

/// The summary of a scenario without its hash, and the answers to its expectations.
fn outcome(text: &str) -> (Value, Vec<Answer>) {
    let scenario = load(text).scenario;
    let study = common::study(&scenario);
    let mut summary = json::summary(&study);
    summary["scenario"].as_object_mut().unwrap().remove("hash");
    let claims = study::check(&scenario.expects, &study);
    (summary, claims.into_iter().map(|claim| claim.answer).collect())
}

/// The keys of the language: those of the file by themselves, others after what they belong to.
fn keys() -> BTreeSet<String> {
    let schema: Value = serde_json::from_str(&schema()).unwrap();
    let names = |table: &Value| -> Vec<String> {
        table["properties"].as_object().unwrap().keys().cloned().collect()
    };
    let mut keys: BTreeSet<String> = names(&schema).into_iter().collect();
    for (what, table) in schema["$defs"].as_object().unwrap() {
        keys.extend(names(table).into_iter().map(|key| format!("{what}.{key}")));
    }
    keys
}

#[test]
fn every_key_of_the_language_stands_in_these_tables() {
    let rows: BTreeSet<String> =
        [ROWS, WORDS, ANSWERS].into_iter().flat_map(rows).map(|row| row.key).collect();
    assert_eq!(keys(), rows);
}

#[test]
fn every_key_changes_a_number() {
    write_files();
    let mut silent = Vec::new();
    for row in rows(ROWS) {
        let (one, other) = (outcome(&row.texts[0]).0, outcome(&row.texts[1]).0);
        if one["policies"] == other["policies"] {
            silent.push(format!("{}: {:?}", row.key, row.values));
        }
    }
    assert!(silent.is_empty(), "no number changes with\n{}", silent.join("\n"));
}

#[test]
fn names_and_titles_change_words_and_no_number() {
    for row in rows(WORDS) {
        let text = |text| outcome(text).0.to_string();
        let (one, other) = (text(&row.texts[0]), text(&row.texts[1]));
        assert_ne!(one, other, "{}", row.key);
        let [was, is] = row.values.each_ref().map(|value| format!("\"{value}\""));
        let renamed = one.replace(&was, &is);
        let [was, is] = row.values.each_ref().map(|value| format!(" {value} "));
        assert_eq!(renamed.replace(&was, &is), other.replace(&was, &is), "{}", row.key);
    }
}

#[test]
fn every_key_of_an_expectation_changes_its_answer() {
    for row in rows(ANSWERS) {
        let (one, other) = (outcome(&row.texts[0]), outcome(&row.texts[1]));
        assert_eq!(one.0["policies"], other.0["policies"], "{}", row.key);
        assert_ne!(one.1, other.1, "{}", row.key);
    }
}
