#!/usr/bin/env bash
# Checks that all C++ files are formatted; with --fix, formats them.
set -euo pipefail

cd "$(dirname "$0")/.."
mode=(--dry-run --Werror)
[ "${1:-}" = --fix ] && mode=(-i)
git ls-files -z --cached --others --exclude-standard '*.cc' '*.h' |
  xargs -0 clang-format-19 "${mode[@]}"
