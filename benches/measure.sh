#!/usr/bin/env bash
# Measures everything and writes it into benches/README.md: about ten minutes on a quiet machine.
# Options go to the ratios: `benches/measure.sh --huge`.
set -euo pipefail
cd "$(dirname "$0")/.."

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cargo bench --quiet --no-run
if [ -r /proc/loadavg ]; then
    echo "load before: $(cut -d' ' -f1-3 /proc/loadavg)"
fi
{
    model=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -1)
    echo "On $(date -u +%F), $(nproc 2>/dev/null || echo '?') cores of ${model:-an unnamed processor}, $(rustc --version), one run:"
    echo
    cargo bench --quiet --bench ratios -- "$@" >"$scratch/ratios"
    cargo bench --quiet --bench allocations | sed 1,2d >>"$scratch/ratios"
    benches/gate.sh >"$scratch/gate" || true
    grep '^| T10' "$scratch/gate" >>"$scratch/ratios" || cat "$scratch/gate" >&2
    # The agreement of the peers comes first, where SimPy is installed.
    cat "$scratch/ratios"
    echo
    cargo bench --quiet --bench policy
} >"$scratch/measured"
awk -v measured="$scratch/measured" '
    /^<!-- end -->$/ { inside = 0 }
    !inside { print }
    /^<!-- measured -->$/ { inside = 1; while ((getline line < measured) > 0) print line }
' benches/README.md >"$scratch/readme"
cp "$scratch/readme" benches/README.md
cat "$scratch/measured"
