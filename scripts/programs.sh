#!/bin/sh
# Install the programs that tests need beside Python, where this machine allows it.
PATH="$PATH:/usr/games"
missing=""
need() { command -v "$1" >/dev/null 2>&1 || missing="$missing $2"; }
need stockfish stockfish
need fairy-stockfish fairy-stockfish
need gnugo gnugo
need gtp-rhino grhino
need bwrap bubblewrap
need chromium chromium
need node nodejs
need npm npm
[ -z "$missing" ] && exit 0
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null 2>&1; then
    echo "not installed:$missing (their tests will skip; on Debian: sudo apt-get install$missing)"
    exit 0
fi
echo "installing$missing for the tests ..."
{ apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $missing; } >/dev/null 2>&1 ||
    echo "could not install:$missing (their tests will skip)"
exit 0
