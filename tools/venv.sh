#!/bin/sh
# Usage: tools/venv.sh EXTRAS      (called by the Makefile, from the top folder of the checkout)
#
# Makes .venv ready: created with a suitable Python, this checkout installed in it with EXTRAS
# (a comma-separated list of pyproject.toml's optional dependencies). Costs nothing when it is
# ready already. What the stamp records decides that, not file times: git does not keep those.
set -eu

extras=$1
venv=.venv
export PIP_DISABLE_PIP_VERSION_CHECK=1 PYTHONNOUSERSITE=1
unset PYTHONPATH PYTHONHOME PIP_REQUIRE_VIRTUALENV PIP_USER PIP_TARGET PIP_PREFIX || true

fail() {
    echo "mini_letta cannot be set up: $1" >&2
    echo "  -> $2" >&2
    exit 3
}

# --- what is on this machine -------------------------------------------------------------------
command -v git >/dev/null 2>&1 || fail "there is no git." \
    "install git 2.39 or newer (Debian/Ubuntu: sudo apt-get install git; macOS: xcode-select --install), then run make again"
version=$(git --version | sed 's/^git version //; s/[^0-9.].*//')
case $version in
    0.*|1.*|2.[0-9]|2.[0-9].*|2.[12][0-9]|2.[12][0-9].*|2.3[0-8]|2.3[0-8].*)
        fail "git $version is too old." "install git 2.39 or newer, then run make again" ;;
esac

suitable() { "$1" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 14))' 2>/dev/null; }

choose_python() {
    for candidate in ${PYTHON:-python3 python3.13 python3.12 python3.11}; do
        if suitable "$candidate"; then echo "$candidate"; return; fi
    done
}

# --- is it ready? ------------------------------------------------------------------------------
# The folder belongs to it: a virtual environment that was moved along with a checkout is broken.
wanted="$(pwd) $(cat pyproject.toml constraints.txt | cksum) $("$venv/bin/python" -V 2>/dev/null || true)"

ready() {
    suitable "$venv/bin/python" || return 1
    for extra in $(echo "$extras" | tr , ' '); do
        [ "$(cat "$venv/.ready-$extra" 2>/dev/null)" = "$wanted" ] || return 1
    done
}

if ready; then exit 0; fi

# --- make it so --------------------------------------------------------------------------------
if ! [ -f "$venv/.folder" ] || [ "$(cat "$venv/.folder")" != "$(pwd)" ] || ! suitable "$venv/bin/python"; then
    python=$(choose_python)
    [ -n "$python" ] || fail \
        "${PYTHON:-python3} is $( (${PYTHON:-python3} -V || echo missing) 2>&1 | tail -n 1), it needs Python 3.11, 3.12 or 3.13." \
        "install one of them, then run: make PYTHON=python3.12 course"
    "$python" -c 'import ensurepip, venv' 2>/dev/null || fail \
        "$python has no venv module." \
        "install it (Debian/Ubuntu: sudo apt-get install python3-venv), then run make again"
    echo "Creating .venv with $("$python" -V) ..."
    rm -rf "$venv"
    "$python" -m venv "$venv" || fail "$python -m venv $venv failed (see above)." \
        "repair that Python or name another one: make PYTHON=python3.12 course"
    pwd >"$venv/.folder"
fi

echo "Installing mini_letta [$extras] into .venv (once; needs a package index) ..."
"$venv/bin/python" -m pip install -qq -c constraints.txt -e ".[$extras]" || fail \
    "pip could not install the packages (see above)." \
    "check the network or pip's own configuration, then run make again"
# Python 3.11 and 3.12 read .pth files in the locale's encoding, and that is ASCII for whatever
# runs below git or a notebook (LC_ALL=C). Write a folder with another name as an ASCII literal.
LC_ALL=C.UTF-8 "$venv/bin/python" - <<'END'
import pathlib, sysconfig
for pth in pathlib.Path(sysconfig.get_path("purelib")).glob("*mini_letta*.pth"):
    text = pth.read_text(encoding="utf-8")
    if not text.isascii():
        pth.write_text(f"import sys; sys.path.append({ascii(text.strip())})\n", encoding="ascii")
END

wanted="$(pwd) $(cat pyproject.toml constraints.txt | cksum) $("$venv/bin/python" -V)"
for extra in $(echo "$extras" | tr , ' '); do echo "$wanted" >"$venv/.ready-$extra"; done
