/** Which requests go through a proxy: the variables in both letter cases, and every form of an exception. */
import { expect, test } from 'vitest';
import { proxyFor, proxySettings } from '../../../src/client/transport/network/proxy-settings.ts';

const through = (address: string, env: Record<string, string>): string | undefined =>
  proxyFor(new URL(address), proxySettings(env))?.href;
const http = 'http://one.test:3128/';
const https = 'http://two.test:3129/';

test('each kind of address has its variable, and lower case goes first', () => {
  const env = { HTTP_PROXY: 'http://one.test:3128', HTTPS_PROXY: 'http://two.test:3129' };
  expect(through('http://mcp.example.com/mcp', env)).toBe(http);
  expect(through('https://mcp.example.com/mcp', env)).toBe(https);
  expect(through('https://mcp.example.com/mcp', { HTTP_PROXY: http })).toBeUndefined();
  expect(through('http://mcp.example.com/mcp', { HTTP_PROXY: 'http://upper.test', http_proxy: http })).toBe(http);
  expect(through('https://mcp.example.com/mcp', { https_proxy: https, HTTPS_PROXY: 'http://upper.test' })).toBe(https);
  expect(proxySettings({ NO_PROXY: '*', HTTP_PROXY: '' })).toBeUndefined();
});

test('an address without a scheme is one of HTTP; other proxies are refused without their password', () => {
  expect(through('http://mcp.example.com/', { http_proxy: 'one.test:3128' })).toBe(http);
  expect(through('http://mcp.example.com/', { http_proxy: 'https://one.test' })).toBe('https://one.test/');
  expect(() => through('http://mcp.example.com/', { http_proxy: 'socks5://u:hidden@one.test' })).toThrow(
    'HTTP_PROXY names a proxy of the kind socks5, and mcpc speaks with HTTP proxies only',
  );
  expect(() => through('https://mcp.example.com/', { https_proxy: 'http://u:hidden@[one' })).toThrow(
    /^HTTPS_PROXY holds no address of a proxy$/,
  );
});

test.each([
  'http://localhost:3000/',
  'http://a.localhost/',
  'http://127.0.0.1/',
  'http://127.8.9.1:1/',
  'http://[::1]:3000/',
])('%s is reached straight', (address) => {
  expect(through(address, { http_proxy: http })).toBeUndefined();
});

test.each([
  ['*', 'http://mcp.example.com/', true],
  ['example.com', 'http://example.com/', true],
  ['example.com', 'http://mcp.example.com/', true],
  ['.example.com', 'http://mcp.example.com/', true],
  ['*.example.com', 'http://mcp.example.com/', true],
  ['.example.com', 'http://example.com/', true],
  ['example.com', 'http://badexample.com/', false],
  ['example.com', 'http://example.com.evil.test/', false],
  ['EXAMPLE.com', 'http://Mcp.example.COM/', true],
  ['other.test, example.com', 'http://example.com/', true],
  ['other.test example.com', 'http://example.com/', true],
  ['example.com:8080', 'http://example.com:8080/', true],
  ['example.com:8080', 'http://example.com/', false],
  ['example.com:80', 'http://example.com/', true],
  ['10.1.2.3', 'http://10.1.2.3/', true],
  ['10.1.2.3', 'http://10.1.2.30/', false],
  ['10.0.0.0/8', 'http://10.200.3.4/', true],
  ['10.0.0.0/8', 'http://11.0.0.1/', false],
  ['10.0.0.0/8', 'http://ten.example.com/', false],
  ['fd00::/8', 'http://[fd12::1]/', true],
  ['2001:db8::5', 'http://[2001:db8:0::5]/', true],
  ['[2001:db8::5]:8080', 'http://[2001:db8::5]:8080/', true],
  ['10.0.0.0/99', 'http://10.0.0.1/', false],
  ['.', 'http://mcp.example.com/', false],
  [',, ,', 'http://mcp.example.com/', false],
] as const)('NO_PROXY %s and %s: straight is %s', (none, address, straight) => {
  expect(through(address, { http_proxy: http, no_proxy: none }) === undefined).toBe(straight);
  expect(through(address, { http_proxy: http, NO_PROXY: none }) === undefined).toBe(straight);
});
