/** The server of a starter suite, as its files name it: secrets become variables of the environment. */
import type { Target } from '../../../client/target/target.ts';

type Json = Record<string, unknown>;

export interface NamedServer {
  /** Member of `servers`. */
  server: Json;
  /** Variables to set before the suite runs, a line each. */
  notes: string[];
}

/** @param clean takes out secrets */
export function serverBlock(target: Target, clean: (text: string) => string): NamedServer {
  const notes: string[] = [];
  if (target.kind === 'stdio') {
    const own = Object.entries(target.env ?? {}).filter(([name, value]) => process.env[name] !== value);
    if (own.length > 0) notes.push(`Set these in the environment: ${own.map(([name]) => name).join(', ')}.`);
    const args = target.args.map(clean);
    if (args.some((word, index) => word !== target.args[index]))
      notes.push('TODO: a secret was taken out of the arguments of the server.');
    return {
      server: {
        command: target.command,
        args,
        cwd: target.cwd,
        ...(own.length === 0 ? {} : { env: Object.fromEntries(own.map(([name]) => [name, `\${${name}}`])) }),
      },
      notes,
    };
  }
  const headers = target.headers.map(([name]) => [name, variableOf(name)] as const);
  if (headers.length > 0)
    notes.push(
      `Set these in the environment, to the values of the headers: ${headers.map(([, variable]) => variable).join(', ')}.`,
    );
  const url = clean(target.url);
  if (url !== target.url) notes.push('TODO: a secret was taken out of the address.');
  return {
    server: {
      transport: target.kind,
      url,
      ...(headers.length === 0
        ? {}
        : { headers: Object.fromEntries(headers.map(([name, variable]) => [name, `\${${variable}}`])) }),
    },
    notes,
  };
}

/** `X-Api-Key` becomes `X_API_KEY`. */
function variableOf(header: string): string {
  return header.toUpperCase().replace(/[^A-Z0-9]+/g, '_');
}
