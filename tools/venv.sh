# Sourced by tools/rulewright and tools/test: makes .venv beside pyproject.toml and keeps it up to date with it.
root=$(cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/.." && pwd)
venv="$root/.venv"

# up_to_date EXTRA: whether what is installed is for this pyproject.toml, with that extra (whoever asks for none is content with any).
up_to_date() {
    local stamp
    [ -x "$venv/bin/python" ] || return 1
    for stamp in "$venv/installed"${1:+"-$1"}*; do
        if cmp -s "$root/pyproject.toml" "$stamp"; then return 0; fi
    done
    return 1
}

# prepare_venv EXTRA: installs the project, with that extra, if any, unless that has been done.
prepare_venv() {
    if up_to_date "$1"; then return; fi
    local python candidates=("${PYTHON:-python3}")
    if [ -z "${PYTHON:-}" ]; then candidates+=(python3.13 python3.12 python3.11); fi
    for python in "${candidates[@]}"; do
        if "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            "$python" "$root/tools/prepare-venv" "$root" "$venv" "$1" || exit
            return
        fi
    done
    echo "rulewright needs Python 3.11 or later; '${candidates[0]}' is not (set PYTHON to one that is)." >&2
    exit 2
}

# prepare_extra EXTRA: the same with what one command needs besides; if that cannot be had, the command says itself what it does without.
prepare_extra() {
    if up_to_date "$1" || up_to_date test; then return; fi
    if ! (prepare_venv "$1"); then prepare_venv ""; fi
}
