#!/usr/bin/env bash
# The same scenario and seed give the same bytes in every file: debug and release, one thread and
# several, with glibc's FMA variants and without them.
set -euo pipefail
cd "$(dirname "$0")/.."
debug=${CARGO_TARGET_DIR:-target}/debug/herdsim
release=${CARGO_TARGET_DIR:-target}/release/herdsim
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cargo build --quiet
cargo build --quiet --release

digest() { (cd "$dir/$1" && find . -type f | LC_ALL=C sort | xargs sha256sum | sha256sum); }
arguments=(run scenarios/thundering-herd.toml --reps 2 --quiet --set horizon=10m)
"$release" "${arguments[@]}" --jobs 1 --out "$dir/one" >/dev/null 2>&1 || [ $? = 4 ]
"$release" "${arguments[@]}" --jobs 4 --out "$dir/four" >/dev/null 2>&1 || [ $? = 4 ]
"$debug" "${arguments[@]}" --jobs 2 --out "$dir/debug" >/dev/null 2>&1 || [ $? = 4 ]
GLIBC_TUNABLES=glibc.cpu.hwcaps=-FMA,-AVX2 FONTCONFIG_FILE=/dev/null \
    "$release" "${arguments[@]}" --out "$dir/plain" >/dev/null 2>&1 || [ $? = 4 ]
want=$(digest one)
for run in four debug plain; do
    [ "$(digest $run)" = "$want" ] || { echo "the bytes of '$run' differ"; exit 1; }
done
echo "the bytes of all four runs are equal"
