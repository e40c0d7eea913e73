#!/usr/bin/env bash
# Fails when something takes more than 1 % more instructions than benches/instructions.txt says.
#
#   benches/gate.sh             compares
#   benches/gate.sh --refresh   writes the counts of now into that file
#
# Counts are comparable under one compiler only: under another one they are shown, not judged.
set -euo pipefail
cd "$(dirname "$0")/.."

baseline=benches/instructions.txt
compiler="$(rustc --version) $(rustc -vV | sed -n 's/^host: //p')"
missing() { echo "instruction counts skipped: no $1; $2"; exit 0; }
command -v valgrind >/dev/null || missing valgrind "install it with the system's packages"
command -v gungraun-runner >/dev/null ||
    missing gungraun-runner "cargo install gungraun-runner --version 0.20.0 --locked"

output=$(NO_COLOR=1 cargo bench --quiet --bench instructions) || { echo "$output"; exit 1; }
# "…::whole_model short:(…)", then "  Instructions:   123|…": one line "whole_model.short 123".
counts=$(awk '
    /^attempts / { print "attempts.short", $2; print "attempts.long", $3 }
    /^instructions::/ { name = $1 " " $2; sub(/^.*::/, "", name); sub(/:.*$/, "", name); sub(/ +$/, "", name); sub(/ /, ".", name) }
    /^ *Instructions:/ { split($2, count, "|"); print name, count[1] }
' <<<"$output")
# Without a count of each there is nothing to judge.
[ "$(grep -cE ' [1-9][0-9]*$' <<<"$counts")" -eq 7 ] || { echo "$output"; echo "not all counts are there"; exit 1; }

awk '
    { count[$1] = $2 }
    END {
        attempts = count["attempts.long"] - count["attempts.short"]
        instructions = count["whole_model.long"] - count["whole_model.short"]
        printf "| T10 | instructions per attempt, 10,000 clients | %d | ≤ 550 | %s |\n",
            instructions / attempts, instructions / attempts <= 550 ? "yes" : "**no**"
    }' <<<"$counts"
if [ "${1:-}" = --refresh ]; then
    { echo "$compiler"; echo "$counts"; } >"$baseline"
    echo "wrote $baseline"
    exit 0
fi
if [ "$(head -1 "$baseline")" != "$compiler" ]; then
    echo "not judged: $baseline is of $(head -1 "$baseline"), this is $compiler"
    echo "$counts"
    exit 0
fi
awk '
    FNR == 1 { file += 1 }
    file == 1 && FNR > 1 { before[$1] = $2 }
    file == 2 && !($1 in before) { print $1, "is not in the baseline"; bad = 1 }
    # Another number of attempts is another result, not another speed.
    file == 2 && $1 in before && $1 !~ /^attempts/ {
        change = 100 * ($2 / before[$1] - 1)
        note = change > 1 ? "  more than 1 % above" : change < -1 ? "  better: --refresh" : ""
        printf "%-24s %14s %14s %+8.3f %%%s\n", $1, before[$1], $2, change, note
        if (change > 1) bad = 1
    }
    END { exit bad }
' "$baseline" <(echo "$counts")
