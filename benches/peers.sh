#!/usr/bin/env bash
# The scenario of the benchmarks in herdsim, in closures and in SimPy: what happens, how fast.
# PYTHON names the Python that has SimPy.
set -euo pipefail
cd "$(dirname "$0")/.."
export PYTHON="${PYTHON:-python3}"
if ! "$PYTHON" -c 'import simpy' 2>/dev/null; then
    echo "skipped: $PYTHON has no SimPy. To have one:"
    echo "    python3 -m venv target/simpy && target/simpy/bin/pip install simpy"
    echo "    PYTHON=target/simpy/bin/python benches/peers.sh"
    exit 0
fi
cargo bench --quiet --bench ratios -- --only T5 "$@"
