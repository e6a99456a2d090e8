/** The version of this package, which reports and handshakes name. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../files/package/package-root.ts';

let known: string | undefined;

export function packageVersion(): string {
  return (known ??= (JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { version: string })
    .version);
}
