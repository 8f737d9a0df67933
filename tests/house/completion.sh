#!/bin/bash
# Completion in bash, and in zsh where it is there, offers the options of the command that stands in the line, and their values:
# completion.sh FOLDER
set -euo pipefail
folder=$1

# Asks as a shell does when Tab is pressed behind the words, the last of which may be empty; prints the offered words.
# shellcheck disable=SC2016 # the shells expand it
asks='. "$1/$2"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); "_${1//-/_}"; echo " ${COMPREPLY[*]} "'
offered_by_bash() { bash -c "$asks" bash "$folder" "$@"; }
offered_by_zsh() { zsh -f -c "autoload bashcompinit; bashcompinit; compdef() {}; emulate sh; $asks" zsh "$folder" "$@"; }

# check SHELL WANTED UNWANTED WORD...
check() {
  local shell=$1 wanted=$2 unwanted=$3 offered
  shift 3
  offered=$("offered_by_$shell" "$@")
  if [[ $offered != *" $wanted "* || $offered == *" $unwanted "* ]]; then
    echo "$shell offers behind '$*' not $wanted, or $unwanted:$offered" >&2
    exit 1
  fi
}

for shell in bash zsh; do
  command -v $shell >/dev/null || continue
  check $shell tune --run-limit sverdrup ''
  check $shell --run-limit --figures sverdrup tune --
  check $shell --figures --run-limit sverdrup report --
  check $shell --deflate --compare sv-copy --
  check $shell cdf5 --deflate sv-copy --format ''
  check $shell route= transport.window= sv-copy --set rou
  check $shell contiguous --deflate sv-copy in.nc --chunks c
  check $shell '' --force sv-copy --deflate ''
done
# bash makes three words of KEY=VALUE.
check bash column serial sv-copy --set route = co
check bash true cdf5 sv-combine --set fill =
check bash zarr cdf1 sv-copy --format = z
if command -v zsh >/dev/null; then
  check zsh route=column route=serial sv-copy --set route=co
fi
