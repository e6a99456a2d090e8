/** The command of --serve: a free port, put in for {{port}}, and the text split into words. It starts nothing. */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { parseArgsStringToArgv } from 'string-argv';
import { usageError } from '../../core/model/errors.ts';
import type { ServeOptions } from './serve-options.ts';

const placeholder = /\{\{\s*port\s*\}\}/g;

export interface ServePlan {
  serve: ServeOptions;
  /** The address with the port put in. */
  url: string;
}

/**
 * @param command words, or a command line as one text, with quoted words and without a shell
 * @param url address of the endpoint
 * @param around.given environment from the user; {{port}} is replaced in its values too
 * @throws McpcError usage when there is no command or the address names no port
 */
export async function planServe(
  command: string | readonly string[],
  url: string,
  around: { cwd?: string; env?: Record<string, string>; given?: Record<string, string> },
): Promise<ServePlan> {
  const hasPlaceholder = [url, command].flat().join(' ').search(placeholder) !== -1;
  const port = hasPlaceholder ? await freePort() : portOf(url);
  const put = (text: string): string => text.replace(placeholder, String(port));
  const [program, ...args] = (typeof command === 'string' ? parseArgsStringToArgv(command) : command).map(put);
  if (program === undefined)
    throw usageError('--serve has no command.', 'For example --serve "node server.js --port {{port}}".');
  const address = put(url);
  if (hasPlaceholder && portOf(address) !== port) {
    throw usageError(
      `The address ${url} does not use the port that the command was given.`,
      'Write {{port}} in both, as in "http://127.0.0.1:{{port}}/mcp".',
    );
  }
  const { given = {}, env, ...where } = around;
  const filled = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, put(value)]));
  return { url: address, serve: { command: program, args, port, ...where, env: { ...env, ...filled } } };
}

function portOf(url: string): number {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    throw usageError(`"${url}" is no address.`, 'For example http://127.0.0.1:3000/mcp.');
  }
  return parsed.port === '' ? (parsed.protocol === 'https:' ? 443 : 80) : Number(parsed.port);
}

/** Ports that no common system gives to connections that go out: any of those could take a port between our look at it and the server's. */
const ownPorts = { from: 20_000, to: 32_768 };
const mostTries = 20;

/** A port of the loopback address that nothing listened on a moment ago. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const port = await listenOnce(randomInt(ownPorts.from, ownPorts.to)).catch(() => undefined);
    if (port !== undefined) return port;
  }
  return listenOnce(0);
}

/** Listens on a port for a moment, and gives its number. @param port 0 for any */
function listenOnce(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(port, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === 'object' && address !== null
          ? resolve(address.port)
          : reject(new Error('no port was given')),
      );
    });
  });
}
