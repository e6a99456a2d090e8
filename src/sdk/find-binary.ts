/** Which program speaks the coprocess protocol, and how it is started. */
import { existsSync } from 'node:fs';
import { delimiter, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The first of: the option, MCPC_BIN, MCPTEST_BIN, the binary of this package, mcpc or mcptest on PATH.
 * @returns program and first arguments; undefined where there is none
 */
export function findBinary(option: string | undefined, env: NodeJS.ProcessEnv): string[] | undefined {
  const named = option ?? set(env['MCPC_BIN']) ?? set(env['MCPTEST_BIN']);
  if (named !== undefined) return started(named);
  const own = fileURLToPath(new URL('../../bin/mcpc.js', import.meta.url));
  if (existsSync(own)) return started(own);
  for (const name of ['mcpc', 'mcptest']) {
    const found = onPath(name, env);
    if (found !== undefined) return [found];
  }
  return undefined;
}

function set(value: string | undefined): string | undefined {
  return value === '' ? undefined : value;
}

/** A script of Node needs no execute bit, and no shell on Windows. */
function started(path: string): string[] {
  return ['.js', '.mjs', '.cjs'].includes(extname(path)) ? [process.execPath, path] : [path];
}

function onPath(name: string, env: NodeJS.ProcessEnv): string | undefined {
  const endings = process.platform === 'win32' ? ['.exe', '.cmd'] : [''];
  return (env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .flatMap((folder) => endings.map((ending) => join(folder, `${name}${ending}`)))
    .find((path) => existsSync(path));
}
