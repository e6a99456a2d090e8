/** Which connection an exchange through the proxy belongs to, where clients of both eras talk at a time. */
import { expect, test } from 'vitest';
import { createHttpSessions } from '../../src/client/intercept/http-sessions.ts';

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const modern = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: meta } };
const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25' } };
const seen = (message: unknown, headers: Record<string, string> = {}) => ({
  path: '/mcp',
  headers,
  message,
  opensConnection: false,
});

test('requests that stand alone have a connection of their own beside those of handshakes', () => {
  const sessions = createHttpSessions();
  const stateful = sessions.ofRequest(seen(initialize));
  const stateless = sessions.ofRequest(seen(modern));
  expect(stateless).not.toBe(stateful);
  expect(sessions.ofRequest(seen({ ...modern, id: 2 }))).toBe(stateless);
  expect(sessions.ofRequest(seen({ jsonrpc: '2.0', method: 'notifications/initialized' }))).toBe(stateful);
  sessions.observe(stateful, {
    kind: 'http-response',
    http: { status: 200, headers: { 'mcp-session-id': 'a' } },
  } as never);
  const another = sessions.ofRequest(seen(initialize));
  expect(new Set([stateful, stateless, another]).size).toBe(3);
  expect(sessions.ofRequest(seen({ jsonrpc: '2.0', id: 3, method: 'ping' }, { 'mcp-session-id': 'a' }))).toBe(stateful);
  expect(sessions.ofRequest(seen(modern))).toBe(stateless);
});

test('what names no era follows the one conversation that there is', () => {
  const sessions = createHttpSessions();
  const stateless = sessions.ofRequest(seen(modern));
  expect(
    sessions.ofRequest(seen({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })),
  ).toBe(stateless);
});

test('the handshake behind a request that came too early is of the same connection', () => {
  const sessions = createHttpSessions();
  const early = sessions.ofRequest(seen({ jsonrpc: '2.0', id: 1, method: 'tools/list' }));
  expect(sessions.ofRequest(seen(initialize))).toBe(early);
  expect(sessions.ofRequest(seen(initialize))).not.toBe(early);
});

test('a session that began before the recording has nothing to do with the next handshake', () => {
  const sessions = createHttpSessions();
  const old = sessions.ofRequest(seen({ jsonrpc: '2.0', id: 7, method: 'tools/list' }, { 'mcp-session-id': 'before' }));
  expect(sessions.ofRequest(seen(initialize))).not.toBe(old);
});
