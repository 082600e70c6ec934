# Sourced by tools/rulewright and tools/test: makes .venv beside pyproject.toml and keeps it up to date with it.
root=$(cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/.." && pwd)
venv="$root/.venv"

# accelerate: builds the optional accelerator after an installation, and again when its source has changed. It is no error if that does not work.
accelerate() {
    local sources=("$root"/interpreter/rulewright/compile/accelerate/*.[ch]) stamp="$venv/accelerated"
    if cat -- "${sources[@]}" | cmp -s - "$stamp"; then return; fi
    (cd "$root" && "$venv/bin/python" -m rulewright.compile.accelerate.build >&2) || true
    cat -- "${sources[@]}" >"$stamp" || true
}

# prepare_venv EXTRA: installs the project (with that extra, if any) unless pyproject.toml has not changed since it was last installed.
# An installation that was interrupted has no stamp, and is done again.
prepare_venv() {
    local extra=$1 stamp="$venv/installed${1:+-$1}" python=${PYTHON:-python3}
    if [ -x "$venv/bin/python" ] && cmp -s "$root/pyproject.toml" "$stamp"; then
        accelerate
        return
    fi
    echo "Installing rulewright into .venv ..." >&2
    if ! "$venv/bin/python" -m pip --version >/dev/null 2>&1; then
        "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || {
            echo "rulewright needs Python 3.11 or later; '$python' is not (set PYTHON to one that is)." >&2
            exit 2
        }
        "$python" -m venv --clear "$venv" >&2 || { echo "Could not make $venv; remove it and try again." >&2; exit 2; }
    fi
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --editable "$root${extra:+[$extra]}" >&2 || {
        echo "Could not install what rulewright needs into .venv (see above)." >&2
        exit 2
    }
    cp "$root/pyproject.toml" "$stamp"
    rm -f -- "$venv/accelerated" # it may be for another Python
    accelerate
}
