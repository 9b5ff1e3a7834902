#!/bin/sh
# Check the page's modules: types, lint, unit tests. Says why where this machine cannot.
cd "$(dirname "$0")/.." || exit 1
skip() { echo "the page's modules are not checked: $1"; exit 0; }
command -v npm >/dev/null 2>&1 || skip "npm is not installed (on Debian: sudo apt-get install nodejs npm)"
[ "$(node -p 'process.versions.node.split(".")[0]')" -ge 20 ] || skip "node is older than 20"
if [ node_modules/.package-lock.json -ot package-lock.json ] || [ ! -e node_modules/.package-lock.json ]; then
    npm ci --silent --no-audit --no-fund >/dev/null 2>&1 || skip "npm cannot install what package.json names"
    touch node_modules/.package-lock.json
fi
set -e
node_modules/.bin/tsc
node_modules/.bin/eslint --max-warnings 0
node --test --test-reporter=dot tests/js/
