#!/usr/bin/env bash
# Installs the package of a release into a folder of the runner and puts mcpc on the path of the steps that follow.
set -euo pipefail

prefix="$RUNNER_TEMP/mcpc"
case "$INPUT_VERSION" in
  */* | *.tgz) package="$INPUT_VERSION" ;;
  *[!0-9A-Za-z.+-]* | '')
    echo "::error::version has to be a version such as 0.1.0, or the path of a packed file"
    exit 2
    ;;
  *) package="$GITHUB_SERVER_URL/$ACTION_REPOSITORY/releases/download/v$INPUT_VERSION/mcpc-$INPUT_VERSION.tgz" ;;
esac
npm install --global --prefix "$prefix" --ignore-scripts --no-audit --no-fund --loglevel error -- "$package"
echo "$prefix/bin" >> "$GITHUB_PATH"
