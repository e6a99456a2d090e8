#!/usr/bin/env node
/** Starts the bundled command line; in a checkout that was not built it says so. */
import { existsSync } from 'node:fs';

const cli = new URL('../dist/cli.js', import.meta.url);
if (existsSync(cli)) {
  const { main } = await import(cli.href);
  await main(process.argv.slice(2));
} else {
  console.error('mcpc is not built yet. Run: npm ci && npm run build');
  process.exitCode = 4;
}
