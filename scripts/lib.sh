# Shared by the scripts in this folder: source it, do not run it.
# shellcheck shell=bash
set -euo pipefail

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
DENO_VERSION=2.4.2
# Downloads and build by-products live outside the repository. A private desktop has a HOME of its
# own, so it hands the place down in AGENT_DESKTOP_BUILD_CACHE.
CACHE=${AGENT_DESKTOP_BUILD_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/agent-desktop-build}
# The folder Deno's downloaded runtimes for `deno compile` are kept in; nothing else goes there.
COMPILE_DIR=$CACHE/compile
export AGENT_DESKTOP_BUILD_CACHE=$CACHE
# The system's certificates count as well as the built-in ones (networks behind a TLS proxy).
export DENO_TLS_CA_STORE=${DENO_TLS_CA_STORE:-mozilla,system}
export DENO_NO_UPDATE_CHECK=1

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }
die() {
  say "$*"
  exit 1
}

# The triple `deno compile --target` uses for this machine.
host_triple() {
  case "$(uname -s)-$(uname -m)" in
    Linux-x86_64) echo x86_64-unknown-linux-gnu ;;
    Linux-aarch64 | Linux-arm64) echo aarch64-unknown-linux-gnu ;;
    Darwin-x86_64) echo x86_64-apple-darwin ;;
    Darwin-arm64) echo aarch64-apple-darwin ;;
    *) die "no Deno runtime exists for $(uname -s) on $(uname -m)" ;;
  esac
}

is_deno() {
  local line
  read -r _ line _ < <("$1" --version 2>/dev/null) && [ "$line" = "$DENO_VERSION" ]
}

# Prints the Deno of the right version: the one on PATH, else the cached one. Fails without either.
find_deno() {
  local found
  if found=$(command -v deno) && is_deno "$found"; then
    echo "$found"
  elif [ -x "$CACHE/deno-$DENO_VERSION/deno" ]; then
    echo "$CACHE/deno-$DENO_VERSION/deno"
  else
    return 1
  fi
}

# Prints the cached stand-alone runtime of this machine, if the official host could not give one.
find_denort() {
  [ -s "$CACHE/denort-$DENO_VERSION" ] && echo "$CACHE/denort-$DENO_VERSION"
}

# Sets DENO and puts it first on PATH for everything the calling script runs.
use_deno() {
  DENO=$(find_deno) || die "Deno $DENO_VERSION is missing; run scripts/setup"
  PATH=$(dirname "$DENO"):$PATH
  export PATH DENO
}

sha256_of() {
  if command -v sha256sum >/dev/null; then
    sha256sum "$1"
  else
    shasum -a 256 "$1"
  fi | cut -d' ' -f1
}

now_ms() {
  local t=${EPOCHREALTIME:-$(date +%s).000000} # macOS ships a bash without EPOCHREALTIME
  t=${t/[.,]/}
  echo "${t%???}"
}
