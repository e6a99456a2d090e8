#!/usr/bin/env node
/** Starts the bundled command line; in a checkout that was not built it says so. */
import { existsSync } from 'node:fs';

const built = new URL('../dist/start.js', import.meta.url);
if (existsSync(built)) {
  const { start } = await import(built.href);
  await start(process.argv.slice(2));
} else {
  console.error('mcpc is not built yet. Run: npm ci && npm run build');
  process.exitCode = 4;
}
