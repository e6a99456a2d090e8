/** Writes traces and captures that are large in one respect: what the memory of judging and importing is tried on. */
import { closeSync, openSync, writeSync } from 'node:fs';

export type LargeKind = 'sessions' | 'open-requests' | 'keys' | 'lines' | 'large-lines';

type Json = Record<string, unknown>;
const revision = '2025-11-25';
const words = 'many words '.repeat(10);

/**
 * @param count `sessions`: connections, of which each is open from before the last one begins until after it;
 *   `open-requests`: requests that are all sent before the first is answered; `keys`: announcements of jobs, each of
 *   another job, and one in a hundred of those with a name of two thousand characters; `lines`: messages of a capture of JSON-RPC lines;
 *   `large-lines`: calls in such a capture, each answered with a megabyte of text
 */
export function writeLarge(kind: LargeKind, count: number, path: string): void {
  const fd = openSync(path, 'w');
  let lines: string[] = [];
  let seq = 0;
  const put = (value: Json): void => {
    lines.push(JSON.stringify(value));
    if (lines.length >= 5000) flush();
  };
  const flush = (): void => {
    if (lines.length > 0) writeSync(fd, `${lines.join('\n')}\n`);
    lines = [];
  };
  const event = (session: string, from: 'client' | 'server', message: Json): void => {
    seq += 1;
    put({ seq, t: seq, session, from, kind: 'message', message: { jsonrpc: '2.0', ...message } });
  };
  const handshake = (session: string): void => {
    event(session, 'client', {
      id: 0,
      method: 'initialize',
      params: { protocolVersion: revision, capabilities: {}, clientInfo: { name: 'c', version: '1' } },
    });
    event(session, 'server', {
      id: 0,
      result: { protocolVersion: revision, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } },
    });
    event(session, 'client', { method: 'notifications/initialized' });
  };
  const each = (act: (n: number) => void): void => {
    for (let n = 1; n <= count; n += 1) act(n);
  };
  if (kind === 'large-lines') {
    put({
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: { protocolVersion: revision, capabilities: {}, clientInfo: { name: 'c', version: '1' } },
    });
    put({
      jsonrpc: '2.0',
      id: 0,
      result: { protocolVersion: revision, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } },
    });
    put({ jsonrpc: '2.0', method: 'notifications/initialized' });
    each((id) => {
      put({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 't', arguments: {} } });
      put({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: `${id}${'x'.repeat(1_000_000)}` }] } });
      flush();
    });
  } else if (kind === 'lines') {
    for (let id = 1; id <= count / 2; id += 1) {
      put({
        jsonrpc: '2.0',
        id,
        method: 'tools/call',
        params: { name: `tool-${id % 10}`, arguments: { text: words } },
      });
      put({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: words }] } });
    }
  } else {
    put({ format: 'mcpc-trace', version: 1, origin: 'live', transport: 'stdio', revision, era: 'stateful' });
    if (kind === 'sessions') {
      each((n) => handshake(`s${n}`));
      each((n) => event(`s${n}`, 'client', { id: 1, method: 'ping' }));
      each((n) => event(`s${n}`, 'server', { id: 1, result: {} }));
    } else if (kind === 'keys') {
      handshake('s1');
      each((n) =>
        event('s1', 'server', {
          method: 'notifications/acme/started',
          params: { job: n % 100 === 0 ? `${'x'.repeat(2000)}-${n}` : `job ${n}` },
        }),
      );
    } else {
      handshake('s1');
      each((n) =>
        event('s1', 'client', {
          id: n,
          method: 'tools/call',
          params: { name: 't', arguments: { text: words }, _meta: { progressToken: n } },
        }),
      );
      each((n) => event('s1', 'server', { id: n, result: { content: [] } }));
    }
    put({ footer: true, events: seq, complete: true });
  }
  flush();
  closeSync(fd);
}
