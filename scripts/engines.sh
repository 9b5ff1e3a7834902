#!/bin/sh
# Install the engines that tests compare with, where this machine allows it.
PATH="$PATH:/usr/games"
missing=""
for engine in stockfish fairy-stockfish gnugo gtp-rhino:grhino; do # program, or program:package
    command -v "${engine%:*}" >/dev/null 2>&1 || missing="$missing ${engine#*:}"
done
[ -z "$missing" ] && exit 0
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null 2>&1; then
    echo "not installed:$missing (their tests will skip; on Debian: sudo apt-get install$missing)"
    exit 0
fi
{ apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $missing; } >/dev/null 2>&1 ||
    echo "could not install:$missing (their tests will skip)"
exit 0
