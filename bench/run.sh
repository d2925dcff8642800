#!/usr/bin/env bash
# Builds the benchmarks as released and tuned for this machine, runs them, and keeps what they print
# in bench/results/.
set -euo pipefail

cd "$(dirname "$0")/.."
mkdir -p bench/results
export OPENBLAS_NUM_THREADS=1  # of Siconos; everything here runs on one core
cpu=$(lscpu | sed -n 's/^Model name: *//p' | head -1)
for preset in release native; do
  cmake --preset $preset -DVOIGT_BUILD_BENCH=ON -DVOIGT_BUILD_TESTS=ON --log-level=WARNING
  cmake --build build/$preset --target benchmarks
  for program in build/$preset/bench/bench_*; do
    name=$(basename "$program")
    result=bench/results/${name#bench_}-$preset.txt
    echo "== $name, $preset"
    {
      echo "$(date -u +%Y-%m-%d), $(uname -m), $cpu, $(nproc) cores, $(c++ -dumpfullversion), preset $preset"
      "$program"
    } | tee "$result"
  done
done
