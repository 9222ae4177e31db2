# shellcheck shell=bash
# Functions that the checks share. Source this file in the root of the project.

# Colours only on a terminal, unless the caller decides otherwise.
if [ -t 1 ]; then : "${CARGO_TERM_COLOR:=auto}"; else : "${CARGO_TERM_COLOR:=never}"; fi
export CARGO_TERM_COLOR
# Numbers in generated files must not depend on the machine's language.
export LC_ALL=C
# Everything is compiled once. Incremental compilation would cost time and gigabytes.
export CARGO_INCREMENTAL=${CARGO_INCREMENTAL:-0}
export PYTHONDONTWRITEBYTECODE=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore

root=$PWD

# Everything generated goes into the target folder.
mkdir -p "${CARGO_TARGET_DIR:-target}"
target=$(cd "${CARGO_TARGET_DIR:-target}" && pwd)
export CARGO_TARGET_DIR=$target

# The cargo profile of all native code in the checks (see Cargo.toml), and the folder of its programs.
profile=checked
# shellcheck disable=SC2034 # The checks use it.
built=$target/$profile

# Temporary files of one check; removed at its end.
scratch=$(mktemp -d "$target/check.XXXXXX")

# The outermost check makes the folder of logs, and keeps its standard output as descriptor 3. The checks that it starts use both.
outermost=
if [ -z "${CHECK_LOGS:-}" ]; then
    outermost=yes
    export CHECK_LOGS=$target/check-logs
    rm -rf "$CHECK_LOGS"
    mkdir -p "$CHECK_LOGS/junit"
    exec 3>&1
fi

# Options that make any training run short enough for a check. Every part of a run still happens.
# shellcheck disable=SC2034 # The checks use it.
short=(
    --set iterations=3 --set ppo.imitation_iterations=1 --set rollout.units=2 --set rollout.sessions=2
    --set evaluate.every=2 --set evaluate.deals=2 --set evaluate.final_deals=2
    --set checkpoint.every=1 --set metrics.histograms_every=1
)

step_name=
step_log=
step_start=0
# The command that repeats the check.
repeat="bash $0 $*"

# Starts a step. All output of the step goes to its log. When the step ends, one line shows its seconds.
step() {
    end_step
    step_name=$1
    step_start=$SECONDS
    step_log=$CHECK_LOGS/$(tr -cs 'a-zA-Z0-9\n' - <<<"$1").log
    exec >"$step_log" 2>&1
}

end_step() {
    if [ -n "$step_name" ]; then
        exec >&3 2>&3
        printf '%6d s  %s\n' $((SECONDS - step_start)) "$step_name"
    fi
    step_name=
}

through=

# The last line of every check. Without it a check that a signal ends would report the status of its last command.
passed() {
    end_step
    through=yes
}

# The exit handler of every check: `trap 'finish NAME' EXIT`.
finish() {
    local status=$? failing=$step_name log=$step_log
    end_step
    if [ -z "$through" ]; then
        if [ "$status" -eq 0 ]; then status=1; fi
        if [ -n "$failing" ]; then
            tail -n 60 "$log"
            failing_rust_tests "$log"
            printf '\nFAILED: %s\n  full log: %s\n  repeat:   %s\n' "$failing" "$log" "$repeat"
        fi
        # Stops what was started in the background.
        if command -v pkill >/dev/null; then pkill -TERM -P $$ || true; fi
    fi
    if [ -n "$outermost" ]; then
        if command -v python3 >/dev/null; then python3 "$root/.ci/python/slowest.py" "$CHECK_LOGS/junit"; fi
        if [ -n "$through" ]; then printf '%s: passed in %d s\n' "$1" "$SECONDS"; else printf '%s: FAILED\n' "$1"; fi
    fi
    rm -rf "$scratch"
    exit "$status"
}

# The failing tests in a log of nextest, each with the command that repeats it alone.
failing_rust_tests() {
    sed -nE 's/^ *(FAIL|SIG[A-Z]*|TIMEOUT|ABORT) \[[^]]*\] *(\([^)]*\))? *([^ :]+)[^ ]* (.+)$/\3 \4/p' "$1" | sort -u | head -n 20 |
        while read -r package name; do
            printf "\nfailing test: %s\n  repeat: cargo nextest run --cargo-profile %s -p %s -E 'test(=%s)'\n" \
                "$name" "$profile" "$package" "$name"
        done
}

fail() {
    printf '%s\n' "$@" >&2
    exit 1
}

# Starts a check in the background: `beside NAME COMMAND...`. It shows its own steps.
beside() {
    local name=$1
    shift
    "$@" &
    echo $! >"$scratch/$name.pid"
}

# Waits for a check in the background, and fails if it failed.
rejoin() {
    end_step
    wait "$(cat "$scratch/$1.pid")"
}

# The packages of the games.
game_packages=()
for folder in crates/games/*/; do game_packages+=("cardsharp-$(basename "$folder")"); done
# The packages whose tests do not compile burn.
without_trainer=(cardsharp-engine "${game_packages[@]}" cardsharp-env cardsharp-document cardsharp-bot cardsharp-text cardsharp-report
    cardsharp-tui chosen-hands embedding own-bot)
# All packages with Rust tests. Named together, cargo gives their dependencies the same features, and compiles each once.
all_packages=("${without_trainer[@]}" cardsharp-trainer cardsharp-server cardsharp-cli cardsharp-dataset crazy-eights own-network xtask)

# Compiles all Rust tests, the programs `cardsharp` and `xtask`, and the library of the Python package. One command for
# all packages gives their dependencies the same features, so each is compiled once.
compile_all() {
    local packages=()
    for package in "${all_packages[@]}" cardsharp-python; do packages+=(--package "$package"); done
    cargo build --quiet --locked --profile "$profile" "${packages[@]}" --tests --bins --lib
}

# Runs the Rust tests of some packages: `rust_tests PACKAGE...`.
rust_tests() {
    local packages=()
    for package in "$@"; do packages+=(--package "$package"); done
    if cargo nextest --version >/dev/null 2>&1; then
        cargo nextest run --locked --cargo-profile "$profile" "${packages[@]}" --no-fail-fast --status-level slow
        cp "$target/nextest/default/junit.xml" "$CHECK_LOGS/junit/rust.xml"
        # nextest does not run the examples in documentation.
        cargo test --quiet --locked --profile "$profile" "${packages[@]}" --doc
    else
        cargo test --quiet --locked --no-fail-fast --profile "$profile" "${packages[@]}"
    fi
}

# Steps that several checks have in common.
check_format() {
    step "format"
    cargo fmt --all --check
    cargo fmt --manifest-path fuzz/Cargo.toml --check
}

# Spelling, the counts of STYLE.md, links, and the workflows of GitHub.
check_text() {
    step "text"
    local tools=$target/tools/text
    # The installation of actionlint downloads a program from GitHub, which some networks do not allow.
    install_packages "$tools" .ci/python/requirements-text.txt .ci/python/requirements-actionlint.txt
    "$tools/bin/typos"
    "$tools/bin/ruff" check --quiet --no-cache
    "$tools/bin/ruff" format --quiet --no-cache --check
    grep --files-with-matches --directories=skip '^#!.*bash' .ci/* | xargs "$tools/bin/shellcheck" --external-sources --severity=warning
    "$tools/bin/zizmor" --quiet --offline .github
    if [ -x "$tools/bin/actionlint" ]; then
        "$tools/bin/actionlint" -shellcheck "$tools/bin/shellcheck"
    elif [ -n "${GITHUB_ACTIONS:-}" ]; then
        fail "actionlint is not installed"
    else
        printf 'workflows: NOT CHECKED by actionlint, because it cannot be downloaded here\n'
    fi
    python3 tools/style.py
    python3 tools/links.py
}

check_lints() {
    step "lints"
    cargo clippy --quiet --locked --workspace --all-targets --profile "$profile" -- --deny warnings
    # The features of the program without training.
    cargo clippy --quiet --locked --package cardsharp-cli --no-default-features --all-targets --profile "$profile" -- --deny warnings
}

# Compares the generated pages with what a program prints: `generated_pages PROGRAM`.
generated_pages() {
    local cardsharp=$1 games game folder list what
    games=$("$cardsharp" games --json | sed -n 's/^ *"game": "\(.*\)",$/\1/p')
    if [ "$(wc -w <<<"$games")" -lt 4 ]; then fail "\`cardsharp games --json\` does not name the four games"; fi
    # `page FILE ARGUMENT...`: the page that `describe` prints with these arguments.
    page() {
        local page=$1
        shift
        "$cardsharp" describe "$@" | diff -u "$page" - ||
            fail "$page is out of date: cargo run --release -- describe $* > $page"
    }
    for game in $games; do
        folder=crates/games/$game
        for list in README.md docs/reference.md; do
            grep --quiet "$folder/rules.md" "$list" || fail "$list does not list the game $game"
        done
        page "$folder/encodings.md" "$game" --markdown
        page "$folder/views.md" "$game" --fields
        for what in rules view trace record; do page "$folder/schemas/$what.json" "$game" --schema "$what"; done
    done
    for what in bundle config sweep; do page "docs/schemas/$what.json" --schema "$what"; done
    page docs/configuration.md config --markdown
    page docs/metrics.md metrics --markdown
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

# Python 3.11 or newer.
need_python3() {
    need python3 python3 "the checks run scripts with it"
    if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
        fail "$(python3 --version) is too old: the checks need 3.11 or newer."
    fi
}

# A Python that can make virtual environments.
need_venv() {
    need_python3
    python3 -c 'import ensurepip, venv' 2>/dev/null || need python3-venv python3-venv "virtual environments are made with it"
}

# Installs Python packages into a folder, unless it has them: `install_packages FOLDER REQUIREMENTS [OPTIONAL]`. Packages
# of the second file may be missing. The folder is a virtual environment. If this Python can make none and has pip, it is
# a plain folder of packages; `need_venv` prevents that.
install_packages() {
    local folder=$1 requirements=$2 optional=${3:-}
    if cmp -s "$requirements" "$folder/installed.txt"; then return; fi
    need_python3
    python3 -m pip --version >/dev/null 2>&1 || need_venv
    rm -rf "$folder"
    local install=(python3 -m pip install --quiet)
    if python3 -m venv "$folder" 2>/dev/null; then
        # Windows has another name for the folder of programs.
        if [ -d "$folder/Scripts" ]; then install[0]=$folder/Scripts/python; else install[0]=$folder/bin/python; fi
    else
        rm -rf "$folder"
        install+=(--target "$folder")
    fi
    "${install[@]}" --requirement "$requirements"
    if [ -n "$optional" ]; then "${install[@]}" --requirement "$optional" || true; fi
    cp "$requirements" "$folder/installed.txt"
}

# A tool that cargo compiles into target/tools/bin the first time: `need_tool NAME VERSION`.
need_tool() {
    local tools=$target/tools
    if [ ! -x "$tools/bin/$1" ] || ! grep -q "^\"$1 $2 " "$tools/.crates.toml"; then
        # Without optimisation it compiles in a minute, and still runs in seconds.
        CARGO_PROFILE_DEV_DEBUG=0 CARGO_PROFILE_DEV_OPT_LEVEL=0 CARGO_TARGET_DIR=$tools/build \
            cargo install --quiet --locked --debug --root "$tools" --version "$2" "$1"
        rm -rf "$tools/build"
    fi
}

# Installs maturin, zig and what else makes the files of a release, and puts them into PATH.
need_release_tools() {
    local venv=$target/tools/release
    need_venv
    install_packages "$venv" .ci/python/requirements-release.txt
    PATH=$venv/bin:$venv/Scripts:$PATH
}

# Sets `python` to an interpreter with the packages of .ci/python/requirements.txt.
need_python() {
    local folder=$target/venv
    install_packages "$folder" .ci/python/requirements.txt
    if [ -x "$folder/bin/python" ]; then
        python=$folder/bin/python
    else
        python=python3
        export PYTHONPATH=$folder
    fi
}

# Sets `venv` to the virtual environment in which the Python package is tested, made the first time.
need_package() {
    venv=$target/package/venv
    need_venv
    need node nodejs "pyright runs in it"
    install_packages "$venv" .ci/python/requirements-package.txt
}

# Sets `tools` to a folder with the tools of the web checks, and CHROMIUM to the browser. Installs what is missing.
need_web() {
    local folder
    tools=$target/web/tools
    if ! rustc --print target-libdir --target wasm32-unknown-unknown 2>/dev/null | xargs test -d; then
        rustup target add wasm32-unknown-unknown
    fi
    need node nodejs "the web package is checked in node, 20 or newer"
    need npm npm "it installs the tools of the web checks"
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
