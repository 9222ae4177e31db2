# What the checks share. They start in the root of the project.

# Colours only for a terminal, unless somebody asked for something else.
if [ -t 1 ]; then : "${CARGO_TERM_COLOR:=auto}"; else : "${CARGO_TERM_COLOR:=never}"; fi
export CARGO_TERM_COLOR
# Figures that go into files must not depend on the language of the machine.
export LC_ALL=C

# Where everything generated goes.
mkdir -p "${CARGO_TARGET_DIR:-target}"
target=$(cd "${CARGO_TARGET_DIR:-target}" && pwd)
export CARGO_TARGET_DIR=$target

# What a check writes and nobody needs afterwards.
scratch=$(mktemp -d "$target/check.XXXXXX")

# Makes any training run short enough for a check; every part of it still happens.
short=(
    --set iterations=3 --set ppo.imitate=1 --set rollout.units=2 --set rollout.sessions=2
    --set evaluate.every=2 --set evaluate.deals=2 --set evaluate.final_deals=2
    --set checkpoint.every=1 --set metrics.histograms_every=1
)

steps=()
step_name=
step_start=0

# Begins a step of the check; its time is told at the end.
step() {
    end_step
    step_name=$1
    step_start=$SECONDS
    printf '\n== %s\n' "$step_name"
}

end_step() {
    if [ -n "$step_name" ]; then
        steps+=("$(printf '%6d s  %s' $((SECONDS - step_start)) "$step_name")")
    fi
    step_name=
}

through=

# The last line of every check. A signal ends a script too, with the status of whatever came before, which as a rule is 0.
passed() { through=yes; }

# The last words: what was done, what failed, or where it was ended.
finish() {
    local status=$?
    if [ -z "$through" ]; then
        if [ "$status" -ne 0 ]; then
            printf '\n%s: FAILED in: %s\n' "$1" "${step_name:-the beginning}" >&2
        else
            printf '\n%s: ENDED from outside in: %s\n' "$1" "${step_name:-the beginning}" >&2
            status=1
        fi
        # What was begun would go on alone.
        if command -v pkill >/dev/null; then pkill -TERM -P $$ || true; fi
    else
        end_step
        printf '\n%s: all passed in %d s\n' "$1" "$SECONDS"
        printf '%s\n' "${steps[@]}"
    fi
    rm -rf "$scratch"
    exit "$status"
}

fail() {
    printf '%s\n' "$@" >&2
    exit 1
}

# Begins a part of the check beside the steps that follow, most of which keep one core busy: `beside NAME COMMAND...`.
beside() {
    local name=$1
    shift
    "$@" >"$scratch/$name.log" 2>&1 &
    echo $! >"$scratch/$name.pid"
}

# Waits for such a part, and shows what it said; it fails as if it had run here.
rejoin() {
    local status=0
    step "$1, begun before"
    wait "$(cat "$scratch/$1.pid")" || status=$?
    cat "$scratch/$1.log"
    if [ "$status" -ne 0 ]; then fail "$1: FAILED with $status"; fi
}

# Rust tests of some packages: `tests PROFILE PACKAGE...`, where PROFILE is dev or release.
tests() {
    local profile=$1 packages=() release=()
    shift
    for package in "$@"; do packages+=(--package "$package"); done
    if [ "$profile" = release ]; then release=(--release); fi
    if cargo nextest --version >/dev/null 2>&1; then
        cargo nextest run --locked "${release[@]}" "${packages[@]}" --no-fail-fast --status-level slow
        # Examples in documentation are not nextest's business.
        cargo test --quiet --locked "${release[@]}" "${packages[@]}" --doc
    else
        cargo test --quiet --locked --no-fail-fast "${release[@]}" "${packages[@]}"
    fi
}

# The steps that .ci/quick consists of; the other checks begin with them.
check_form() {
    step "form"
    cargo fmt --all --check
    cargo fmt --manifest-path fuzz/Cargo.toml --check
}

check_lints() {
    step "lints"
    # As the program's tests are compiled, so that they share what is compiled of burn.
    cargo clippy --quiet --locked --workspace --all-targets --release -- --deny warnings
    # And as it is compiled without training.
    cargo clippy --quiet --locked --package cardsharp-cli --no-default-features --all-targets --release -- --deny warnings
}

# What needs no burn. Named together they are compiled once: cargo gives their dependencies the same features then.
without_burn=(cardsharp-env cardsharp-document cardsharp-bot chosen-hands embedding own-bot)

check_games() {
    step "games and bots"
    # Checked arithmetic.
    tests dev "${without_burn[@]}"
}

# A program of the system, installed where that is possible: `need PROGRAM PACKAGE REASON`.
need() {
    if command -v "$1" >/dev/null; then return; fi
    if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
        fail "$1 is missing: $3." "Debian and Ubuntu: apt-get install $2"
    fi
    apt-get update >/dev/null
    DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends "$2" >/dev/null
}

# A Python that can make environments of its own.
need_venv() {
    need python3 python3 "the package for Python is for it"
    python3 -c 'import ensurepip, venv' 2>/dev/null || need python3-venv python3-venv "environments of Python are made with it"
}

# Sets `deny` to cargo-deny, which is put into the target folder the first time.
need_deny() {
    local version=0.20.2 tools=$target/tools
    deny=$tools/bin/cargo-deny
    if [ "$("$deny" --version 2>/dev/null)" != "cargo-deny $version" ]; then
        # Not optimised it is compiled in a minute, and still checks in seconds.
        CARGO_PROFILE_DEV_DEBUG=0 CARGO_TARGET_DIR=$tools/build \
            cargo install --quiet --locked --debug --root "$tools" --version "$version" cargo-deny
        rm -rf "$tools/build"
    fi
}

# Sets `python` to an interpreter that has the packages of .ci/python/requirements.txt, which are
# put into the target folder the first time.
need_python() {
    local requirements=.ci/python/requirements.txt venv=$target/venv packages=$target/python
    export PYTHONDONTWRITEBYTECODE=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore
    if ! command -v python3 >/dev/null; then
        fail "python3 is missing: the checks of ONNX models, TensorBoard events and traces need Python 3.11 or newer." \
            "Debian and Ubuntu: apt-get install python3 python3-venv"
    fi
    if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
        fail "$(python3 --version) is too old: the Python checks need 3.11 or newer."
    fi
    if [ -x "$venv/bin/pip" ] || python3 -m venv "$venv" 2>/dev/null; then
        python=$venv/bin/python
        if ! cmp -s "$requirements" "$venv/installed.txt"; then
            "$python" -m pip install --quiet --requirement "$requirements"
            cp "$requirements" "$venv/installed.txt"
        fi
    elif python3 -m pip --version >/dev/null 2>&1; then
        # The interpreter cannot make environments of its own; a folder of packages does as well.
        rm -rf "$venv"
        python=python3
        if ! cmp -s "$requirements" "$packages/installed.txt"; then
            rm -rf "$packages"
            python3 -m pip install --quiet --target "$packages" --requirement "$requirements"
            cp "$requirements" "$packages/installed.txt"
        fi
        export PYTHONPATH=$packages
    else
        rm -rf "$venv"
        fail "python3 has neither the venv module nor pip, one of which must fetch the packages of $requirements." \
            "Debian and Ubuntu: apt-get install python3-venv"
    fi
}

# Sets `venv` to an environment of its own for the checks of the Python package, which is made the first time.
need_package() {
    local requirements=.ci/python/requirements-package.txt
    venv=$target/package/venv
    export PYTHONDONTWRITEBYTECODE=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore
    need_venv
    need node nodejs "pyright runs in it"
    if ! cmp -s "$requirements" "$venv/installed.txt"; then
        python3 -m venv --clear "$venv"
        "$venv/bin/python" -m pip install --quiet --requirement "$requirements"
        cp "$requirements" "$venv/installed.txt"
    fi
}

# Sets `tools` to a folder with what the checks of the web package use, and CHROMIUM to the browser; fetches what is missing of
# both, and what makes the page.
need_web() {
    local folder
    tools=$target/web/tools
    if ! rustc --print target-libdir --target wasm32-unknown-unknown 2>/dev/null | xargs test -d; then
        rustup target add wasm32-unknown-unknown
    fi
    need node nodejs "the web package is checked in node, 20 or newer"
    need npm npm "it brings what the checks of the web package use"
    mkdir -p "$tools"
    cp crates/wasm/tests/package.json crates/wasm/tests/package-lock.json "$tools"
    for folder in "$tools" crates/web; do
        if ! cmp -s "$folder/package-lock.json" "$folder/node_modules/installed.json"; then
            (cd "$folder" && npm ci --no-audit --no-fund --loglevel=error)
            cp "$folder/package-lock.json" "$folder/node_modules/installed.json"
        fi
    done
    CHROMIUM=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || true)}
    if [ -z "$CHROMIUM" ]; then
        need chromium chromium "the web package is checked in it, or in the browser that CHROMIUM names"
        CHROMIUM=$(command -v chromium)
    fi
    export CHROMIUM
}
