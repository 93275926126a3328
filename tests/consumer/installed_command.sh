#!/usr/bin/env bash
# The installed command, its manual page and its completions. Usage: installed_command.sh PREFIX
set -euo pipefail
prefix="$1"

wrong() {
  echo "error: $*" >&2
  exit 1
}

"${prefix}/bin/tilewright" --version || wrong "the command does not start"
# The command finds a shared library relative to its own path, so the prefix can be moved.
[[ "$(readelf --dynamic "${prefix}/bin/tilewright")" == *"PATH)"*"[\$ORIGIN/../lib"* ]] ||
  wrong "the command has no relative path to the library"

# Minimal systems have a program `man` that only says how to install it.
if [[ "$(man --version 2>/dev/null)" == "man "* ]]; then
  page="$(MANWIDTH=100 LC_ALL=C.UTF-8 man --warnings --local-file "${prefix}/share/man/man1/tilewright.1" 2>&1)"
  [[ "${page}" == *"tilewright cache verify"* && "${page}" == *"--budget VALUE"* ]] || wrong "the manual page lacks something"
  [[ "${page}" != *warning* ]] || wrong "the manual page has faults: $(grep warning <<<"${page}")"
else
  echo "man is not installed, so the manual page was not rendered."
fi

# shellcheck source=/dev/null
source "${prefix}/share/bash-completion/completions/tilewright"
# completes EXPECTED WORD...: checks the completion of the last word.
completes() {
  local expected="$1"
  shift
  COMP_WORDS=(tilewright "$@")
  COMP_CWORD=$#
  COMPREPLY=()
  _tilewright
  [[ "${COMPREPLY[*]}" == "${expected}" ]] || wrong "'tilewright $*' completes to '${COMPREPLY[*]}', not to '${expected}'"
}
completes "cache" ca
completes "verify" cache ver
completes "--budget" tune --type f32 --bud
completes "" tune tun
completes "--json" cache list --js

zsh_file="${prefix}/share/zsh/site-functions/_tilewright"
[[ "$(head -n 1 "${zsh_file}")" == "#compdef tilewright" ]] || wrong "zsh would not load its completion"
! command -v zsh >/dev/null || zsh -n "${zsh_file}"
fish_file="${prefix}/share/fish/vendor_completions.d/tilewright.fish"
grep --quiet "__fish_use_subcommand.*-a tune" "${fish_file}" || wrong "fish's completion lacks the commands"
! command -v fish >/dev/null || fish --no-execute "${fish_file}"
echo "The installed command, its manual page and its completions are right."
