/** From the address of an authorization to the one that comes back with a code: by a browser, or without anybody. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { targetError, usageError } from '../../core/model/errors.ts';
import { headerOf, type LoginExchanges } from './exchanges.ts';

export interface Callback {
  /** Where the authorization server sends the browser. */
  readonly redirectUri: string;
  /** Leads the authorization. @returns the address with the code, or with the error */
  follow(address: URL): Promise<URL>;
  close(): Promise<void>;
}

const path = '/callback';
/** Longer than somebody looks for a password. */
const waitMs = 240_000;
const mostRedirects = 10;
/** Where nobody listens, and nothing is sent: the address ends the redirects. */
const headlessPort = 33_418;

/**
 * Prints the address and listens on the loopback interface for the browser that comes back.
 *
 * @param port any that is free when absent
 * @throws McpcError usage when the port is taken
 */
export async function listenForBrowser(
  port: number | undefined,
  { tell, signal }: { tell: (line: string) => void; signal?: AbortSignal | undefined },
): Promise<Callback> {
  let arrived: (address: URL) => void = () => {};
  const coming = new Promise<URL>((resolve) => (arrived = resolve));
  const server = createServer((request, response) => {
    const address = new URL(request.url ?? '/', redirectUri());
    const isIt = address.pathname === path;
    response.writeHead(isIt ? 200 : 404, { 'content-type': 'text/plain', connection: 'close' });
    response.end(isIt ? 'mcpc has what it needs. You can close this window.' : 'Not here.');
    if (isIt) arrived(address);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port ?? 0, '127.0.0.1', resolve);
  }).catch((error: unknown) => {
    throw usageError(
      `mcpc cannot listen for the browser: ${(error as Error).message}.`,
      'Give another port with --redirect-port.',
    );
  });
  const redirectUri = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  return {
    redirectUri: redirectUri(),
    follow(address) {
      tell(`Open this address in a browser to log in: ${address.href}`);
      return within(coming, signal);
    },
    close: () => closed(server),
  };
}

function within(coming: Promise<URL>, signal: AbortSignal | undefined): Promise<URL> {
  const ended = AbortSignal.any([AbortSignal.timeout(waitMs), ...(signal ? [signal] : [])]);
  return new Promise((resolve, reject) => {
    const give = (): void =>
      reject(targetError('Nobody logged in: no browser came back from the authorization server.'));
    if (ended.aborted) give();
    ended.addEventListener('abort', give, { once: true });
    void coming.then((address) => {
      ended.removeEventListener('abort', give);
      resolve(address);
    });
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** Follows the redirects of an authorization server that asks nobody, and keeps its cookies on the way. */
export function followAlone(
  port: number | undefined,
  exchanges: LoginExchanges,
  { learn }: { learn: (secret: string) => void },
): Callback {
  const redirectUri = `http://127.0.0.1:${port ?? headlessPort}${path}`;
  return {
    redirectUri,
    async follow(first) {
      const cookies = new Map<string, Map<string, string>>();
      let address = first;
      for (let steps = 0; steps < mostRedirects; steps += 1) {
        const jar = cookies.get(address.origin) ?? new Map<string, string>();
        cookies.set(address.origin, jar);
        const sent = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
        const { headers, status } = await exchanges.ask(address.href, {
          method: 'GET',
          headers: [['Accept', 'text/html, */*'], ...(sent === '' ? [] : ([['Cookie', sent]] as [string, string][]))],
        });
        for (const line of [headers['set-cookie'] ?? []].flat()) {
          const [, name, value] = /^\s*([^=;\s]+)=([^;]*)/.exec(line) ?? [];
          if (name === undefined) continue;
          jar.set(name, value ?? '');
          learn(value ?? '');
        }
        const next = status >= 300 && status < 400 ? headerOf(headers, 'location') : undefined;
        if (next === undefined || !URL.canParse(next, address.href))
          throw targetError(
            `The authorization server answered ${address.origin}${address.pathname} with status ${status} and no redirect, so that somebody has to log in.`,
            'Use --oauth code with a browser, or --oauth client-credentials.',
          );
        address = new URL(next, address);
        if (address.href.startsWith(`${redirectUri}?`)) return address;
      }
      throw targetError(`The authorization server redirects more than ${mostRedirects} times.`);
    },
    close: async () => {},
  };
}
