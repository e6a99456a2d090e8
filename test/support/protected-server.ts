/** A server over HTTP whose tokens an authorization server issues: the one for tests, or `oidc-provider`. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { startAuthorizationServer } from '../../src/server/authorization/authorization-server.ts';
import type { AuthExchange } from '../../src/server/authorization/exchange.ts';
import { freePort } from './free-port.ts';
import { startOidcProvider } from './oidc-provider.ts';

const guarded = fileURLToPath(new URL('./jwt-server.mjs', import.meta.url));

export interface Issuer {
  issuer: string;
  jwks: string;
  /** Of our own server: what it was asked. */
  exchanges?: AuthExchange[];
  close(): Promise<void>;
}

export const issuers: Record<string, (resource: string) => Promise<Issuer>> = {
  async 'the test authorization server'(resource) {
    const exchanges: AuthExchange[] = [];
    const server = await startAuthorizationServer({ resource, onExchange: (one) => exchanges.push(one) });
    return { issuer: server.issuer, jwks: server.jwksUri, exchanges, close: () => server.close() };
  },
  'oidc-provider': () => startOidcProvider({ id: 'unused', secret: 'unused-secret' }),
};

/** Starts both for the test that runs. */
export async function startProtected(
  start: (resource: string) => Promise<Issuer>,
): Promise<{ resource: string; issuer: Issuer }> {
  const port = await freePort();
  const resource = `http://127.0.0.1:${port}/mcp`;
  const issuer = await start(resource);
  onTestFinished(() => issuer.close());
  const words = ['--port', `${port}`, '--issuer', issuer.issuer, '--jwks', issuer.jwks, '--audience', resource];
  const child: ChildProcess = spawn(process.execPath, [guarded, ...words], { stdio: 'inherit' });
  onTestFinished(async () => {
    const ended = once(child, 'exit');
    child.kill();
    await ended;
  });
  for (let attempts = 0; attempts < 500; attempts += 1) {
    const reply = await fetch(resource).catch(() => undefined);
    if (reply?.status === 401) return { resource, issuer };
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('the resource does not listen');
}
