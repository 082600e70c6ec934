# Sourced by tools/rulewright and tools/test: makes .venv beside pyproject.toml and keeps it up to date with it.
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
venv="$root/.venv"

# prepare_venv EXTRA: installs the project (with that extra, if any) unless pyproject.toml has not changed since it was last installed.
prepare_venv() {
    local extra=$1 stamp="$venv/installed${1:+-$1}" python=${PYTHON:-python3}
    if [ -x "$venv/bin/python" ] && cmp -s "$root/pyproject.toml" "$stamp"; then return; fi
    if [ ! -x "$venv/bin/python" ]; then
        "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || {
            echo "rulewright needs Python 3.11 or later; '$python' is not (set PYTHON to one that is)." >&2
            exit 2
        }
        "$python" -m venv "$venv" || { rm -rf "$venv"; exit 2; }
    fi
    echo "Installing rulewright into .venv ..." >&2
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --editable "$root${extra:+[$extra]}" >&2 || exit 2
    cp "$root/pyproject.toml" "$stamp"
}
