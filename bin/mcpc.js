#!/usr/bin/env node
/** Starts the bundled command line; in a checkout that was not built it says so. CommonJS, which starts sooner. */
const { existsSync } = require('node:fs');
const { join } = require('node:path');

const built = join(__dirname, '..', 'dist', 'start.js');
if (existsSync(built)) {
  void require(built).start(process.argv.slice(2));
} else {
  console.error('mcpc is not built yet. Run: npm ci && npm run build');
  process.exitCode = 4;
}
