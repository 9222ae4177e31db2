#!/bin/sh
# Installs the command cardsharp VERSION:
#
#     curl -fsSL REPOSITORY/releases/download/vVERSION/cardsharp-installer.sh | sh
#
# CARDSHARP_BIN        the folder for the program; ~/.local/bin if it is not set
# CARDSHARP_DOWNLOADS  another address, or a folder, that has the files of the release
set -eu

downloads=${CARDSHARP_DOWNLOADS:-REPOSITORY/releases/download/vVERSION}
bin=${CARDSHARP_BIN:-$HOME/.local/bin}
case $bin in /*) ;; *) bin=$PWD/$bin ;; esac

fail() {
    printf 'cardsharp: %s\n' "$1" >&2
    exit 1
}

# Nothing runs before the whole script has arrived.
main() {
    case "$(uname -s) $(uname -m)" in
    "Linux x86_64") platform=x86_64-unknown-linux-musl ;;
    "Linux aarch64" | "Linux arm64") platform=aarch64-unknown-linux-musl ;;
    "Darwin x86_64") platform=x86_64-apple-darwin ;;
    "Darwin arm64") platform=aarch64-apple-darwin ;;
    *) fail "there is no archive for $(uname -s) on $(uname -m); use \`cargo install cardsharp-cli\`" ;;
    esac
    folder=cardsharp-VERSION-$platform
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    for file in SHA256SUMS "$folder.tar.gz"; do fetch "$file"; done
    cd "$scratch"
    # Only the line of this archive: the other files are not here.
    grep "  $folder.tar.gz\$" SHA256SUMS >sum || fail "SHA256SUMS does not name $folder.tar.gz"
    check sum || fail "$folder.tar.gz does not have the checksum of SHA256SUMS; nothing was installed"
    tar -xzf "$folder.tar.gz"
    mkdir -p "$bin"
    # A running program is replaced, not overwritten.
    cp "$folder/cardsharp" "$bin/.cardsharp-new"
    mv "$bin/.cardsharp-new" "$bin/cardsharp"
    printf 'installed cardsharp VERSION in %s\n' "$bin"
    case ":$PATH:" in
    *":$bin:"*) ;;
    *) printf 'add this folder to your PATH: %s\n' "$bin" ;;
    esac
}

fetch() {
    case $downloads in
    http://* | https://*)
        if command -v curl >/dev/null; then
            curl --fail --silent --show-error --location --output "$scratch/$1" "$downloads/$1"
        elif command -v wget >/dev/null; then
            wget --quiet --output-document "$scratch/$1" "$downloads/$1"
        else
            fail "curl or wget is needed to download $1"
        fi
        ;;
    *) cp "$downloads/$1" "$scratch/$1" ;;
    esac
}

check() {
    if command -v sha256sum >/dev/null; then sha256sum --check --status "$1"; else shasum --algorithm 256 --check --status "$1"; fi
}

main
