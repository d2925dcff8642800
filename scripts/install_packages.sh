#!/usr/bin/env bash
# Installs the Debian packages of the named groups (scripts/packages/GROUP.txt) that are missing.
# Works as root or through sudo; does nothing, and needs nothing, when all are there.
set -euo pipefail

folder=$(dirname "$0")/packages
missing=()
for group in "$@"; do
  while read -r package; do
    if [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" != installed ]; then
      missing+=("$package")
    fi
  done <"$folder/$group.txt"
done
[ ${#missing[@]} -eq 0 ] && exit 0

echo "Installing packages: ${missing[*]}"
as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "These packages are missing, and neither root nor sudo is at hand to install them." >&2
    exit 1
  fi
  as_root=(sudo)
fi
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
