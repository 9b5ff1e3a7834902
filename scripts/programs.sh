#!/bin/sh
# Install the programs that tests need beside Python, where this machine allows it.
PATH="$PATH:/usr/games"
missing=""
has() { command -v "$1" >/dev/null 2>&1; }
need() { has "$1" || missing="$missing $2"; }
need stockfish stockfish
need fairy-stockfish fairy-stockfish
need gnugo gnugo
need gtp-rhino grhino
need bwrap bubblewrap
need node nodejs
need npm npm
# Chromium without its windows opens a page five times as quickly; the whole one serves as well.
light=""
has chromium-headless-shell || light="chromium-headless-shell"
[ -z "$light" ] || need chromium chromium
[ -z "$missing$light" ] && exit 0
if [ "$(id -u)" != 0 ] || ! has apt-get; then
    [ -z "$missing" ] ||
        echo "not installed:$missing (their tests will skip; on Debian: sudo apt-get install$missing)"
    exit 0
fi
echo "installing${light:+ $light}$missing for the tests ..."
install() { DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$@" >/dev/null 2>&1; }
apt-get update -qq >/dev/null 2>&1
[ -z "$light" ] || ! install $light || missing=$(echo "$missing" | sed 's/ chromium//')
[ -z "$missing" ] || install $missing || echo "could not install:$missing (their tests will skip)"
exit 0
